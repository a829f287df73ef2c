//! `t[i, a..b]`: elements and parts of tensors.

use std::sync::Arc;

use neuro_db::codes;
use neuro_hir::{Expr, ExprId, IndexArg, RangeEnd};

use super::extent::Sum;
use super::{Context, Pending};
use crate::demands::{Asked, Demand, Outside};
use crate::{Dim, Extent, Finding, Formula, Part, PartStart, Place, Shape, SparseTy, TensorTy, Ty};

/// A range between the brackets.
struct Kept {
    start: Option<ExprId>,
    end: Option<ExprId>,
    end_kind: RangeEnd,
    reversed: bool,
    step: Option<ExprId>,
}

impl Context<'_> {
    /// `base[i, a..b]`: an element if each axis has a position, else a part.
    pub(super) fn index_tensor(
        &mut self,
        expr: ExprId,
        tensor: &TensorTy,
        args: &[IndexArg],
    ) -> Ty {
        let mut entries = Vec::new();
        let mut wrong = false;
        for arg in args {
            match self.kept(arg) {
                Ok(kept) => entries.push(kept),
                Err(()) => wrong = true,
            }
        }
        if wrong {
            return Ty::Error;
        }
        let rank = tensor.shape.rank();
        if entries.len() != rank {
            let finding = Finding::new(
                codes::INDEX,
                Place::Head(expr),
                format!(
                    "`{tensor}` has {}, and {} given",
                    match rank {
                        1 => "1 axis".to_owned(),
                        rank => format!("{rank} axes"),
                    },
                    match entries.len() {
                        1 => "1 position is".to_owned(),
                        count => format!("{count} positions are"),
                    },
                ),
            );
            let finding = match rank {
                0 => finding.note("`.item()` reads the element of a rank-0 tensor"),
                rank if entries.len() < rank => finding.note("`..` keeps an axis whole"),
                _ => finding,
            };
            return self.refuse(finding);
        }
        if self.dynamic_axis(Place::Head(expr), "an index", tensor) {
            return Ty::Error;
        }
        let mut dims = Vec::new();
        let mut parts = Vec::new();
        for (axis, (entry, dim)) in entries.iter().zip(tensor.shape.dims()).enumerate() {
            match entry {
                Ok(kept) => match self.part_of(expr, axis, tensor, dim, kept) {
                    Some((part, extent)) => {
                        dims.push(Dim { name: dim.name.clone(), extent });
                        parts.push(part);
                    }
                    None => wrong = true,
                },
                Err(position) => {
                    self.pending.push(Pending::Position {
                        tensor: Ty::Tensor(tensor.clone()),
                        axis,
                        extent: dim.extent.clone(),
                        position: *position,
                    });
                    parts.push(Part::At(*position));
                }
            }
        }
        if wrong {
            return Ty::Error;
        }
        if entries.iter().all(Result::is_err) {
            return Ty::Scalar(tensor.elem);
        }
        self.parts.insert(expr, parts);
        Ty::Tensor(TensorTy { elem: tensor.elem, shape: Shape::of(dims) })
    }

    /// An entry of a sparse tensor: a position for each axis of its rows and of its columns.
    pub(super) fn index_sparse(
        &mut self,
        expr: ExprId,
        sparse: &SparseTy,
        args: &[IndexArg],
    ) -> Ty {
        let rank = sparse.rows.rank() + sparse.cols.rank();
        if args.iter().any(|arg| matches!(arg, IndexArg::Range { .. })) {
            self.infer_positions(args);
            return self.refuse(
                Finding::new(
                    codes::INDEX,
                    Place::Head(expr),
                    "a sparse tensor has no parts; its entries are read one by one",
                )
                .note("`.to_dense()` gives a tensor with its zeros"),
            );
        }
        let dense = sparse.dense();
        for (axis, arg) in args.iter().enumerate() {
            let IndexArg::At(position) = arg else { continue };
            self.position(*position);
            if let Some(dim) = dense.shape.dims().get(axis) {
                self.pending.push(Pending::Position {
                    tensor: Ty::Sparse(Arc::new(sparse.clone())),
                    axis,
                    extent: dim.extent.clone(),
                    position: *position,
                });
            }
        }
        if args.len() != rank {
            let message = format!(
                "an entry of `{}` has {rank} positions, rows first, and {} are given",
                Ty::Sparse(Arc::new(sparse.clone())),
                args.len()
            );
            return self.refuse(Finding::new(codes::INDEX, Place::Head(expr), message));
        }
        Ty::Scalar(sparse.elem)
    }

    /// What stands between the brackets for one axis: a range, or a position, whose bounds are inferred; an
    /// error after a report.
    fn kept(&mut self, arg: &IndexArg) -> Result<Result<Kept, ExprId>, ()> {
        let kept = match arg {
            IndexArg::Range { start, end, end_kind } => {
                Kept { start: *start, end: *end, end_kind: *end_kind, reversed: false, step: None }
            }
            IndexArg::At(position) => match self.modified_range(*position) {
                Some(kept) => kept?,
                None => {
                    self.position(*position);
                    return Ok(Err(*position));
                }
            },
        };
        for bound in [kept.start, kept.end, kept.step].into_iter().flatten() {
            self.position(bound);
            if self.absorbed(&self.type_of(bound)).is_some() {
                return Err(());
            }
        }
        Ok(Ok(kept))
    }

    /// `(a..b).rev().step(n)` and its like; none of what is no range.
    fn modified_range(&mut self, expr: ExprId) -> Option<Result<Kept, ()>> {
        let mut modifiers = Vec::new();
        let mut inner = expr;
        while let Expr::MethodCall { receiver, .. } = self.expr(inner) {
            modifiers.push(inner);
            inner = *receiver;
        }
        let Expr::Range { start, end, end_kind } = self.expr(inner) else { return None };
        let mut kept =
            Kept { start: *start, end: *end, end_kind: *end_kind, reversed: false, step: None };
        self.record(inner, Ty::Void);
        let mut failed = false;
        for call in modifiers.into_iter().rev() {
            self.record(call, Ty::Void);
            let Expr::MethodCall { name, args, .. } = self.expr(call) else { continue };
            let finding = match (name.as_str(), args.as_slice()) {
                ("rev", []) if kept.step.is_some() => Some(
                    Finding::new(
                        codes::INDEX,
                        Place::Head(call),
                        "`.rev()` comes before `.step(..)`",
                    )
                    .note(
                        "the walk begins at the last position of the range: `(a..b).rev().step(n)`",
                    ),
                ),
                ("rev", []) if !kept.reversed => {
                    kept.reversed = true;
                    None
                }
                ("step", [step]) if kept.step.is_none() => {
                    kept.step = Some(step.value);
                    None
                }
                _ => Some(
                    Finding::new(
                        codes::MEMBER,
                        Place::Head(call),
                        format!("a range in an index has no method `.{name}()` here"),
                    )
                    .note("it may be followed by `.rev()` and then by `.step(n)`, each once"),
                ),
            };
            if let Some(finding) = finding {
                failed = true;
                self.infer_arguments(args);
                self.report(finding);
            }
        }
        if failed {
            for bound in [kept.start, kept.end].into_iter().flatten() {
                self.infer(bound, None);
            }
            return Some(Err(()));
        }
        Some(Ok(kept))
    }

    /// What a range keeps of an axis, and how many positions that are; none after a report.
    fn part_of(
        &mut self,
        expr: ExprId,
        axis: usize,
        tensor: &TensorTy,
        dim: &Dim,
        kept: &Kept,
    ) -> Option<(Part, Extent)> {
        let place = Place::IndexArg(expr, axis);
        let step = match kept.step {
            Some(step) => self.stride(step)?,
            None => 1,
        };
        let extent = self.table.resolve_extent(&dim.extent);
        let whole = kept.start.is_none() && kept.end.is_none();
        if whole && step == 1 {
            let range = Part::Range {
                start: PartStart::At(Extent::Known(0)),
                span: extent.clone(),
                step,
                reversed: kept.reversed,
            };
            return Some((range, extent));
        }
        let bound = |context: &Self, bound: Option<ExprId>, default: Option<Sum>| match bound {
            Some(bound) => context.sum_of(bound).map_err(Some),
            None => default.ok_or(None),
        };
        let start = bound(self, kept.start, Some(Sum::number(0)));
        let end = bound(self, kept.end, Sum::of_extent(&extent));
        let (start, end) = match (start, end) {
            (Ok(start), Ok(end)) => (start, end),
            (Err(part), _) | (_, Err(part)) => {
                let finding = self.unknown_length(place, part);
                self.report(finding);
                return None;
            }
        };
        let end = match (kept.end, kept.end_kind) {
            (Some(_), RangeEnd::Inclusive) => end.plus(&Sum::number(1))?,
            _ => end,
        };
        let len = end.minus(&start)?;
        let of = Ty::Tensor(tensor.clone());
        let outside = Outside {
            start: start.constant(),
            end: end.constant(),
            len: len.constant(),
            extent: extent.known(),
            of: &of,
            axis,
        };
        if let Some(problem) = outside.range() {
            self.report(Finding::new(codes::INDEX, place, problem));
            return None;
        }
        let known = (!len.is_dynamic()).then(|| len.extent()).flatten();
        let Some(span) = known else {
            let part = [kept.start, kept.end].into_iter().flatten().next_back();
            let finding = self.unknown_length(place, part);
            self.report(finding);
            return None;
        };
        self.demand_range(expr, of, axis, (&start, &end, &len));
        let length = match (step, &span) {
            (1, span) => span.clone(),
            (step, Extent::Known(span)) => Extent::Known(span.div_ceil(step)),
            (step, symbolic) => {
                self.report(Finding::new(
                    codes::SHAPE,
                    place,
                    format!("with a step of {step}, how many of `{symbolic}` positions are kept is not known while compiling"),
                ));
                return None;
            }
        };
        let start = match (start.extent().filter(|_| !start.is_dynamic()), kept.start) {
            (Some(start), _) => PartStart::At(start),
            (None, Some(start)) => PartStart::Computed(start),
            (None, None) => return None,
        };
        let part = Part::Range { start, span, step, reversed: kept.reversed };
        Some((part, length))
    }

    /// Notes that the positions of a range are asked for.
    fn demand_range(
        &mut self,
        at: ExprId,
        of: Ty,
        axis: usize,
        (start, end, len): (&Sum, &Sum, &Sum),
    ) {
        let demand = match (start.formula(), end.formula(), len.formula()) {
            (Some(start), Some(end), _) => Demand { at, what: Asked::Range, of, axis, start, end },
            (_, _, Some(end)) => {
                let (what, start) = (Asked::Somewhere, Formula::default());
                Demand { at, what, of, axis, start, end }
            }
            _ => return,
        };
        self.demand(demand);
    }

    /// A constant stride; none after a report.
    fn stride(&mut self, step: ExprId) -> Option<u64> {
        let message = match self.sum_of(step).ok().and_then(|sum| sum.constant()) {
            Some(value) if value >= 1 => return u64::try_from(value).ok(),
            Some(value) => format!("the step of a range is positive, and this is {value}"),
            None => "the step of a part is known while compiling".to_owned(),
        };
        self.report(Finding::new(codes::INDEX, Place::Expr(step), message));
        None
    }

    /// A part whose length is not known.
    fn unknown_length(&self, place: Place, bound: Option<ExprId>) -> Finding {
        let finding = Finding::new(
            codes::INDEX,
            place,
            "how long this part is, is not known while compiling, and so it has no type",
        );
        let finding = match bound {
            Some(bound) => match self.subject(bound).as_str() {
                "this" => {
                    finding.related(Place::Expr(bound), "this is known when the program runs")
                }
                subject => finding.related(
                    Place::Expr(bound),
                    format!("{subject} is known when the program runs"),
                ),
            },
            None => finding,
        };
        finding.note("a part of fixed length may begin anywhere: `t[i..i + 3]`, with an `i` that never changes")
    }

    /// Why the left side of an assignment is no single place, if so.
    pub(super) fn several_elements(&self, place: ExprId) -> Option<Finding> {
        let Expr::Index { base, args } = self.expr(place) else { return None };
        self.type_of(*base).as_tensor()?;
        if !matches!(self.type_of(place), Ty::Tensor(_)) {
            return None;
        }
        let axes = args.iter().filter(|arg| matches!(arg, IndexArg::Range { .. })).count().max(1);
        let standing = if axes == 1 { "an axis stands" } else { "axes stand" };
        Some(
            Finding::new(
                codes::ASSIGNMENT,
                Place::Expr(place),
                format!("an element is assigned, and here {standing} for several"),
            )
            .note("give every axis a position, and write a loop around it"),
        )
    }
}
