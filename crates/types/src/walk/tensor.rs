//! Tensor literals.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId, Literal, UnaryOp};
use neuro_num::DType;

use super::mismatch::shape_difference;
use super::{Context, Why};
use crate::{Dim, Extent, Finding, Place, Remedy, Shape, TensorTy, Ty};

/// Where a literal first differs from the shape that is expected.
enum Odd {
    /// An array has another number of entries than its axis positions.
    Entries { array: ExprId, axis: usize },
    /// The extent of an axis is no number that a literal could have.
    Symbolic { array: ExprId, extent: Extent },
    /// A value stands where an array is expected.
    Shallow { entry: ExprId, axis: usize },
    /// An array stands where a value is expected.
    Deep { array: ExprId },
}

impl Context<'_> {
    /// A nested array literal where a tensor is expected. Inner arrays get the type of the part of the
    /// tensor that they are. What is wrong with its shape is one mistake, and what is wrong with its numbers
    /// is seen once that is mended.
    pub(super) fn tensor_literal(&mut self, expr: ExprId, tensor: &TensorTy, why: &Why) -> Ty {
        let mut leaves = Vec::new();
        self.literal_leaves(expr, &mut leaves);
        let ty = Ty::Tensor(tensor.clone());
        if tensor.shape.rank() == 0 {
            self.set_aside(&leaves, tensor.elem);
            self.report(
                Finding::new(codes::SHAPE, Place::Expr(expr), "a rank-0 tensor has no literal")
                    .note("`Tensor::scalar(x)` makes a rank-0 tensor of a number"),
            );
            return ty;
        }
        match self.odd_part(expr, tensor, 0) {
            None => self.literal_elements(&leaves, tensor.elem),
            Some(odd) => {
                self.set_aside(&leaves, tensor.elem);
                let finding = self.other_literal(expr, tensor, odd, why);
                self.report(finding);
            }
        }
        ty
    }

    /// The values of a literal, in order.
    fn literal_leaves(&self, expr: ExprId, leaves: &mut Vec<ExprId>) {
        match self.expr(expr) {
            Expr::Array(entries) => {
                for entry in entries {
                    self.literal_leaves(*entry, leaves);
                }
            }
            _ => leaves.push(expr),
        }
    }

    /// Infers the values of a literal that is wrong as a whole.
    fn set_aside(&mut self, leaves: &[ExprId], elem: DType) {
        for leaf in leaves {
            let found = self.infer(*leaf, None);
            if !self.table.unify(&found, &Ty::Scalar(elem)) {
                self.give_up(&found);
            }
        }
    }

    /// Gives the arrays of a literal their types, up to the first one that has no place in the shape.
    fn odd_part(&mut self, expr: ExprId, tensor: &TensorTy, axis: usize) -> Option<Odd> {
        let dims = tensor.shape.dims().get(axis..).unwrap_or_default();
        let (entries, dim) = match (self.expr(expr), dims) {
            (Expr::Array(entries), [dim, ..]) => (entries, dim),
            (Expr::Array(_), []) => return Some(Odd::Deep { array: expr }),
            (_, []) => return None,
            (_, [_, ..]) => return Some(Odd::Shallow { entry: expr, axis }),
        };
        let part = Shape::of(dims.iter().cloned());
        self.record(expr, Ty::Tensor(TensorTy { elem: tensor.elem, shape: part }));
        match self.table.resolve_extent(&dim.extent) {
            Extent::Known(extent) if extent == entries.len() as u64 => {}
            Extent::Known(_) => return Some(Odd::Entries { array: expr, axis }),
            var @ Extent::Var(_) => {
                self.table.unify_extents(&var, &Extent::Known(entries.len() as u64));
            }
            extent @ (Extent::Param(_) | Extent::Formula(_) | Extent::Dynamic) => {
                return Some(Odd::Symbolic { array: expr, extent });
            }
        }
        entries.iter().find_map(|entry| self.odd_part(*entry, tensor, axis + 1))
    }

    /// Checks the values of a literal whose shape is right.
    fn literal_elements(&mut self, leaves: &[ExprId], elem: DType) {
        let integers: Vec<ExprId> = match elem.is_float() {
            true => {
                leaves.iter().copied().filter(|leaf| self.written_int(*leaf).is_some()).collect()
            }
            false => Vec::new(),
        };
        let Some(first) = integers.first().filter(|_| integers.len() > 1) else {
            for leaf in leaves {
                self.check(*leaf, &Ty::Scalar(elem), &Why::Element);
            }
            return;
        };
        let edits = integers.iter().filter_map(|leaf| {
            let (literal, value) = self.written_int(*leaf)?;
            Some((Place::Expr(literal), format!("{value}.0")))
        });
        let finding = Finding::new(
            codes::MISMATCH,
            Place::Expr(*first),
            format!(
                "elements of a tensor: expected `{elem}`, found {} integer literals",
                integers.len()
            ),
        )
        .note("an integer literal never becomes a float")
        .remedy(Remedy::ReplaceAll(edits.collect(), "write them as floats".to_owned()));
        for leaf in leaves {
            if integers.contains(leaf) {
                self.set_aside(&[*leaf], elem);
            } else {
                self.check(*leaf, &Ty::Scalar(elem), &Why::Element);
            }
        }
        self.report(finding);
    }

    /// The integer that an expression is, perhaps behind a `-`, and which has no suffix.
    fn written_int(&self, expr: ExprId) -> Option<(ExprId, u64)> {
        let literal = match self.expr(expr) {
            Expr::Unary { op: UnaryOp::Neg, operand } => *operand,
            _ => expr,
        };
        match self.expr(literal) {
            Expr::Literal(Literal::Int(value, None)) => Some((literal, *value)),
            _ => None,
        }
    }

    /// Says how a literal differs from the tensor that is expected: by its shape if it has one.
    fn other_literal(&self, expr: ExprId, tensor: &TensorTy, odd: Odd, why: &Why) -> Finding {
        let ty = self.resolved(&Ty::Tensor(tensor.clone()));
        let expected = ty.as_tensor().unwrap_or(tensor);
        let found = self.literal_shape(expr).filter(|_| match odd {
            // What stands there may have a shape of its own.
            Odd::Shallow { entry, .. } => {
                let found = self.type_of(entry);
                matches!(found, Ty::Scalar(_) | Ty::Error)
            }
            Odd::Symbolic { .. } => false,
            Odd::Entries { .. } | Odd::Deep { .. } => true,
        });
        if let Some(found) = found {
            let finding = Finding::new(
                codes::SHAPE,
                Place::Expr(expr),
                format!(
                    "{}the literal has shape {found}, and `{expected}` is expected",
                    why.prefix()
                ),
            );
            let finding = self.origin(finding, &ty, why);
            return shape_difference(finding, &found, &expected.shape, &expected.shape);
        }
        let (place, message) = match &odd {
            Odd::Entries { array, axis } => {
                let entries = match self.expr(*array) {
                    Expr::Array(entries) => entries.len() as u64,
                    _ => 0,
                };
                let extent = expected.shape.dims().get(*axis).map(|dim| dim.extent.clone());
                let extent = extent.map_or(String::new(), |extent| extent.to_string());
                (
                    *array,
                    format!(
                        "this has {}, and axis {axis} of `{expected}` has {extent}",
                        counted(entries)
                    ),
                )
            }
            Odd::Symbolic { array, extent } => {
                let entries = match self.expr(*array) {
                    Expr::Array(entries) => entries.len() as u64,
                    _ => 0,
                };
                (
                    *array,
                    format!("a literal has {}, and this axis has `{extent}`", counted(entries)),
                )
            }
            Odd::Shallow { entry, axis } => {
                let entries = match expected.shape.dims().get(*axis) {
                    Some(Dim { extent: Extent::Known(extent), .. }) => counted(*extent),
                    other => format!(
                        "`{}` entries",
                        other.map_or(String::new(), |dim| dim.extent.to_string())
                    ),
                };
                let described = self.describe(&self.type_of(*entry));
                (*entry, format!("expected an array of {entries}, found {described}"))
            }
            Odd::Deep { array } => (
                *array,
                format!(
                    "expected a number of type `{}`, found an array: the literal is nested deeper than its shape",
                    tensor.elem
                ),
            ),
        };
        let finding = Finding::new(codes::SHAPE, Place::Expr(place), message);
        match odd {
            Odd::Symbolic { .. } => finding
                .note("a constructor such as `Tensor::zeros()` makes a tensor of any extents"),
            Odd::Shallow { .. } => finding.note("the rows of a tensor literal are written in it"),
            Odd::Entries { .. } | Odd::Deep { .. } => finding,
        }
    }

    /// The shape that a literal has by itself; none if its rows differ.
    fn literal_shape(&self, expr: ExprId) -> Option<Shape> {
        fn extents(context: &Context<'_>, expr: ExprId) -> Option<Vec<u64>> {
            let Expr::Array(entries) = context.expr(expr) else { return Some(Vec::new()) };
            let mut rows = entries.iter().map(|entry| extents(context, *entry));
            let first = rows.next().unwrap_or_else(|| Some(Vec::new()))?;
            rows.all(|row| row.as_ref() == Some(&first)).then_some(())?;
            Some(std::iter::once(entries.len() as u64).chain(first).collect())
        }
        extents(self, expr).map(Shape::new)
    }
}

fn counted(entries: u64) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}
