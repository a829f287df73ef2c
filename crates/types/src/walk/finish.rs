//! The end of inference: every open number gets its type, literals are read, and what needs values is checked.

use neuro_db::{Db, codes};
use neuro_hir::{Const, Expr, ExprId, Literal};
use neuro_num::{ArithError, DType, Scalar};
use neuro_syntax::ast::{Align, FormatKind, FormatSpec};

use super::extent::Sum;
use super::{Context, Pending, Written};
use crate::conditions::misfit;
use crate::constants::Worth;
use crate::demands::{Asked, Demand, Outside, decides_by_extents};
use crate::evaluate::{NotConstant, evaluate, no_params};
use crate::traits::known_derive;
use crate::{Extent, Finding, Fold, GenericArg, Inference, Part, Place, Remedy, Ty};

impl<'db> Context<'db> {
    pub(super) fn finish(mut self) -> Inference<'db> {
        self.solve_projections();
        let mut inference = self.types();
        for (expr, constant) in std::mem::take(&mut self.consts) {
            self.note_worth(&mut inference, expr, worth_of(self.db, constant));
        }
        for (expr, local) in std::mem::take(&mut self.const_uses) {
            self.note_worth(&mut inference, expr, self.local_consts.get(local).cloned());
        }
        for written in std::mem::take(&mut self.literals) {
            self.read_literal(&mut inference, written);
        }
        for pending in std::mem::take(&mut self.pending) {
            self.check_pending(&inference, pending);
        }
        inference.borrowing = self.borrowing;
        inference.demands = self.demands;
        if inference.demands.iter().any(|demand| demand.what == Asked::Position)
            && decides_by_extents(self.body, &inference)
        {
            inference.demands.retain(|demand| demand.what != Asked::Position);
        }
        inference.findings = self.findings;
        inference.unclear = self.unclear;
        inference.shrink_to_fit();
        inference
    }

    /// The types, literals that nothing decided taking their default. What is open even so is an error, which
    /// [`Pending::Found`] reports.
    fn types(&mut self) -> Inference<'db> {
        let mut inference = Inference::default();
        for (expr, _) in self.body.exprs.iter() {
            let ty = self.exprs.get(expr).cloned().unwrap_or(Ty::Error);
            inference.exprs.insert(expr, self.closed(&ty));
        }
        for (local, _) in self.body.locals.iter() {
            let ty = self.locals.get(local).cloned().unwrap_or(Ty::Error);
            inference.locals.insert(local, self.closed(&ty));
        }
        let coercions: Vec<_> = std::mem::take(&mut self.coercions).into_iter().collect();
        for (expr, ty) in coercions {
            inference.coercions.insert(expr, self.closed(&ty));
        }
        let args: Vec<_> = std::mem::take(&mut self.generic_args).into_iter().collect();
        for (expr, args) in args {
            let args = args.iter().map(|arg| self.closed_arg(arg)).collect();
            inference.generic_args.insert(expr, args);
        }
        for (bounds, ty) in std::mem::take(&mut self.hidden) {
            inference.hidden.push((bounds, self.closed(&ty)));
        }
        inference.callees = std::mem::take(&mut self.callees).into_iter().collect();
        inference.axes = std::mem::take(&mut self.axes).into_iter().collect();
        let parts: Vec<_> = std::mem::take(&mut self.parts).into_iter().collect();
        for (expr, parts) in parts {
            let parts = parts.into_iter().map(|part| self.closed_part(part)).collect();
            inference.parts.insert(expr, parts);
        }
        inference.arguments = std::mem::take(&mut self.arguments).into_iter().collect();
        inference
    }

    /// A type without variables.
    fn closed(&mut self, ty: &Ty) -> Ty {
        let finished = self.table.finish(ty);
        let finished = self.projected(finished);
        if finished.any_var() { finished.fold(&mut Close) } else { finished }
    }

    fn closed_arg(&mut self, arg: &GenericArg) -> GenericArg {
        match arg {
            GenericArg::Type(ty) => GenericArg::Type(self.closed(ty)),
            GenericArg::Const(extent) => {
                GenericArg::Const(Close.extent(&self.table.resolve_extent(extent)))
            }
        }
    }

    fn closed_part(&self, part: Part) -> Part {
        match part {
            Part::Range { start, span, step, reversed } => Part::Range {
                start,
                span: Close.extent(&self.table.resolve_extent(&span)),
                step,
                reversed,
            },
            at @ Part::At(_) => at,
        }
    }

    /// What is known now, literals included, and what is wrong with these: for a constant in the middle of a
    /// body.
    pub(super) fn snapshot(&mut self) -> (Inference<'db>, Vec<Finding>) {
        let mut known = Inference::default();
        for (expr, _) in self.body.exprs.iter() {
            let ty = self.exprs.get(expr).map_or(Ty::Error, |ty| self.table.resolve_all(ty));
            known.exprs.insert(expr, ty);
        }
        for (expr, callee) in self.callees.iter() {
            known.callees.insert(expr, *callee);
        }
        for (expr, constant) in &self.consts {
            self.note_worth(&mut known, *expr, worth_of(self.db, *constant));
        }
        for (expr, local) in &self.const_uses {
            self.note_worth(&mut known, *expr, self.local_consts.get(*local).cloned());
        }
        let before = self.findings.len();
        for written in self.literals.clone() {
            self.read_literal(&mut known, written);
        }
        (known, self.findings.split_off(before))
    }

    /// Notes the value of a use of a constant.
    fn note_worth(&self, inference: &mut Inference<'_>, expr: ExprId, worth: Option<Worth>) {
        match worth {
            Some(Worth::Scalar(value)) => inference.literals.insert(expr, value),
            Some(Worth::Text(text)) => inference.texts.insert(expr, text),
            None => {}
        }
    }

    /// Notes the value of a literal, and of the negation of a literal.
    fn read_literal(&mut self, inference: &mut Inference<'_>, written: Written) {
        let Written { literal, negation } = written;
        let Ty::Scalar(dtype) = *inference.ty(literal) else { return };
        let value = match self.expr(literal) {
            Expr::Literal(Literal::Bool(value)) => {
                Some((Scalar::bool(*value), Scalar::bool(*value)))
            }
            Expr::Literal(Literal::Int(magnitude, suffix)) => {
                let open = suffix.is_none()
                    && self.exprs.get(literal).is_some_and(|ty| self.table.is_default(ty));
                self.int_literal(written, *magnitude, dtype, open)
            }
            Expr::Literal(Literal::Float(digits, _)) => self.float_value(literal, digits, dtype),
            _ => None,
        };
        let Some((value, negated)) = value else { return };
        inference.literals.insert(literal, value);
        if let Some(negation) = negation {
            inference.literals.insert(negation, negated);
        }
    }

    /// The literal and its negation. `-128i8` is written with a magnitude that `i8` does not have.
    fn int_literal(
        &mut self,
        written: Written,
        magnitude: u64,
        dtype: DType,
        is_default: bool,
    ) -> Option<(Scalar, Scalar)> {
        let Written { literal, negation } = written;
        dtype.int_range()?;
        let magnitude = i128::from(magnitude);
        let value = if negation.is_some() { -magnitude } else { magnitude };
        let Some(message) = misfit(dtype, value) else {
            return Some((Scalar::wrap(dtype, magnitude), Scalar::wrap(dtype, -magnitude)));
        };
        let place = Place::Expr(negation.unwrap_or(literal));
        let finding = Finding::new(codes::LITERAL, place, message);
        let wider = [DType::I32, DType::I64, DType::U64]
            .into_iter()
            .find(|wider| Scalar::int(*wider, value).is_some());
        let finding = match wider {
            Some(wider) if is_default => finding
                .note(format!("nothing says which type it has, so it is `{dtype}`"))
                .remedy(Remedy::InsertAfter(
                    Place::Expr(literal),
                    format!("make it `{wider}`"),
                    wider.name().to_owned(),
                )),
            _ => finding,
        };
        self.report(finding);
        None
    }

    fn float_value(
        &mut self,
        literal: ExprId,
        digits: &str,
        dtype: DType,
    ) -> Option<(Scalar, Scalar)> {
        // Read in its own type: by way of `f64` it would be rounded twice.
        let pair = match dtype {
            DType::F32 => {
                digits.parse().ok().map(|value: f32| (Scalar::f32(value), Scalar::f32(-value)))
            }
            DType::F16 | DType::BF16 => digits.parse().ok().and_then(|value: f64| {
                Some((Scalar::float(dtype, value)?, Scalar::float(dtype, -value)?))
            }),
            _ => digits.parse().ok().map(|value: f64| (Scalar::f64(value), Scalar::f64(-value))),
        };
        let (value, negated) = pair?;
        if value.as_float().is_some_and(f64::is_infinite) {
            self.report(Finding::new(
                codes::LITERAL,
                Place::Expr(literal),
                format!("`{digits}` is greater than every `{dtype}`"),
            ));
            return None;
        }
        Some((value, negated))
    }

    fn check_pending(&mut self, inference: &Inference<'_>, pending: Pending<'db>) {
        match pending {
            Pending::Position { tensor, axis, extent, position } => {
                self.check_position(inference, tensor, axis, &extent, position);
            }
            Pending::Flat { tensor, extent, position } => {
                let Some(value) = self.constant(inference, position) else { return };
                if !(0..i128::from(extent)).contains(&value) {
                    self.report(Finding::new(
                        codes::INDEX,
                        Place::Expr(position),
                        format!(
                            "position {value} is outside `{tensor}`, which has {extent} elements"
                        ),
                    ));
                }
            }
            Pending::Shift { operator, amount } => {
                let (Some(value), Ty::Scalar(dtype)) =
                    (self.constant(inference, amount), inference.ty(operator).peeled())
                else {
                    return;
                };
                if !(0..i128::from(dtype.bits())).contains(&value) {
                    self.report(Finding::new(
                        codes::LITERAL,
                        Place::Expr(amount),
                        format!(
                            "`{dtype}` is shifted by 0 to {}, not by {value}",
                            dtype.bits() - 1
                        ),
                    ));
                }
            }
            Pending::Step { step } => {
                if let Some(value) = self.constant(inference, step)
                    && value < 1
                {
                    self.report(Finding::new(
                        codes::LITERAL,
                        Place::Expr(step),
                        format!("the step of a range is positive, and this is {value}"),
                    ));
                }
            }
            Pending::Hole { value, spec } => self.check_hole(inference, value, spec.as_ref()),
            Pending::Captures { closure } => self.check_captures(closure),
            Pending::Bound { ty, bound, asked_by, place, declared } => {
                self.check_bound(&ty, &bound, &asked_by, place, declared);
            }
            Pending::Key { map, key, written, place } => self.check_key(map, &key, written, place),
            Pending::Conditions { expr, item, args, place } => {
                self.check_conditions(expr, item, &args, place);
            }
            Pending::Found { arg, what, help, place } => {
                let open = match &arg {
                    GenericArg::Type(ty) => self.resolved(ty).any_var(),
                    GenericArg::Const(extent) => {
                        matches!(self.table.resolve_extent(extent), Extent::Var(_))
                    }
                };
                if open {
                    if let GenericArg::Type(ty) = &arg {
                        self.give_up(ty);
                    }
                    let message = format!("nothing says what {what} is");
                    self.report(Finding::new(codes::AMBIGUOUS, place, message).note(help));
                }
            }
        }
    }

    /// Checks a constant position; where it or the extent depends on constant parameters, whoever says what
    /// these are does.
    fn check_position(
        &mut self,
        inference: &Inference<'_>,
        of: Ty,
        axis: usize,
        extent: &Extent,
        position: ExprId,
    ) {
        let of = self.closed(&of);
        let extent = self.table.resolve_extent(extent);
        let constant = self.constant(inference, position);
        if let (Some(value), Extent::Known(extent)) = (constant, &extent) {
            let (value, len, extent) = (Some(value), None, Some(*extent));
            let outside = Outside { start: value, end: None, len, extent, of: &of, axis };
            if let Some(problem) = outside.position() {
                self.report(Finding::new(codes::INDEX, Place::Expr(position), problem));
            }
            return;
        }
        let sum = self.sum_of(position).ok();
        let bounds =
            sum.and_then(|start| Some((start.formula()?, start.plus(&Sum::number(1))?.formula()?)));
        if let Some((start, end)) = bounds {
            self.demand(Demand { at: position, what: Asked::Position, of, axis, start, end });
        }
    }

    /// Notes what is asked of extents, unless all of them are numbers.
    pub(super) fn demand(&mut self, demand: Demand) {
        let demand = Demand { of: self.resolved(&demand.of), ..demand };
        if demand.is_open() {
            self.demands.push(demand);
        }
    }

    /// The value of an integer that is constant; an overflow in it is reported.
    fn constant(&mut self, inference: &Inference<'_>, expr: ExprId) -> Option<i128> {
        match evaluate(self.body, inference, expr, &no_params) {
            Ok(value) => value.as_int(),
            Err(NotConstant::Construct(_) | NotConstant::Reported) => None,
            // An operation that has no value ends the program at run time, where it is reported.
            Err(NotConstant::Arithmetic(
                _,
                ArithError::Overflow
                | ArithError::Shift
                | ArithError::DivisionByZero
                | ArithError::RemainderByZero
                | ArithError::Undefined,
            )) => None,
        }
    }

    /// A hole prints numbers, truth values and characters, in a way that suits them.
    fn check_hole(&mut self, inference: &Inference<'_>, value: ExprId, spec: Option<&FormatSpec>) {
        let ty = inference.ty(value);
        let place = Place::Expr(value);
        let debug = spec.is_some_and(|spec| spec.kind == Some(FormatKind::Debug));
        let dtype = match ty.peeled() {
            Ty::Error | Ty::Never => return,
            Ty::Scalar(DType::F16 | DType::BF16) => {
                let message = format!("`{ty}` is not printable");
                let finding = Finding::new(codes::FORMAT, place, message);
                self.report(finding.note("cast it: `as f32` has the same value"));
                return;
            }
            Ty::Scalar(dtype) => Some(*dtype),
            Ty::Char | Ty::Text => None,
            Ty::Param(_) | Ty::Opaque(_) if debug && self.has_debug(ty.peeled()) => return,
            Ty::Adt { def, .. } if spec.is_none() && known_derive(self.db, def, "Debug") => {
                let name = def.name();
                let message = format!("`{name}` is printed with `:?` only");
                let finding = Finding::new(codes::FORMAT, place, message);
                self.report(finding.remedy(Remedy::InsertAfter(
                    place,
                    "print it with `:?`".to_owned(),
                    ":?".to_owned(),
                )));
                return;
            }
            Ty::Adt { .. } if debug => {
                if let Some(finding) = self.no_debug(ty.peeled(), place) {
                    self.report(finding);
                }
                return;
            }
            Ty::Tensor(tensor) => {
                let finding =
                    Finding::new(codes::FORMAT, place, format!("`{ty}` is not printable"));
                self.report(match tensor.shape.rank() {
                    0 => finding.note("print its number, `.item()`"),
                    _ => finding.note("print its elements, as in `{t[0]}`"),
                });
                return;
            }
            Ty::Void => {
                let message = format!("{} gives nothing that could be shown", self.subject(value));
                self.report(Finding::new(codes::FORMAT, place, message));
                return;
            }
            Ty::Adt { def, .. } if def.as_struct(self.db).is_some() => {
                if let Some(finding) = self.no_debug(ty.peeled(), place) {
                    self.report(finding);
                }
                return;
            }
            Ty::Adt { def, .. } if def.name() == "Option" || def.name() == "Result" => {
                let finding =
                    Finding::new(codes::FORMAT, place, format!("`{ty}` is not printable"));
                self.report(finding.note("`match` looks at what it holds, `x ?? other` takes it"));
                return;
            }
            Ty::Ref { .. }
            | Ty::Tuple(_)
            | Ty::Array { .. }
            | Ty::Slice(_)
            | Ty::Fn(_)
            | Ty::Adt { .. }
            | Ty::Collection { .. }
            | Ty::Param(_)
            | Ty::Assoc(_)
            | Ty::Dyn(_)
            | Ty::Sparse(_)
            | Ty::Opaque(_)
            | Ty::Var(_) => {
                let finding =
                    Finding::new(codes::FORMAT, place, format!("`{ty}` is not printable"));
                self.report(match ty.peeled() {
                    Ty::Tuple(_) => finding.note("print its parts, as in `{t.0} {t.1}`"),
                    Ty::Array { .. } | Ty::Slice(_) | Ty::Collection { .. } => {
                        finding.note("print its elements in a `for`")
                    }
                    _ => finding,
                });
                return;
            }
        };
        if let Some(problem) = spec.and_then(|spec| format_problem(spec, dtype)) {
            let shown = match dtype {
                Some(dtype) => dtype.name(),
                None if *ty.peeled() == Ty::Text => "string",
                None => "char",
            };
            self.report(Finding::new(
                codes::FORMAT,
                place,
                format!("{problem}, and this is `{shown}`"),
            ));
        } else if let Some(problem) = spec.and_then(contradiction) {
            self.report(Finding::new(codes::FORMAT, place, problem));
        }
    }
}

/// What a constant of the program is worth.
fn worth_of(db: &dyn Db, constant: Const<'_>) -> Option<Worth> {
    let known = crate::const_value(db, constant);
    known.value.map(Worth::Scalar).or_else(|| known.text.clone().map(Worth::Text))
}

/// Why a format does not suit a type; no type is a character.
fn format_problem(spec: &FormatSpec, dtype: Option<DType>) -> Option<&'static str> {
    let integer = dtype.is_some_and(DType::is_int);
    let float = dtype.is_some_and(DType::is_float);
    let signed = dtype.is_some_and(DType::is_signed);
    match spec.kind {
        Some(
            FormatKind::Decimal
            | FormatKind::LowerHex
            | FormatKind::UpperHex
            | FormatKind::Binary
            | FormatKind::Octal,
        ) if !integer => Some("the formats `d`, `x`, `X`, `b` and `o` print integers"),
        Some(FormatKind::Exponent) if !float => Some("the format `e` prints floats"),
        _ if spec.precision.is_some() && !float => Some("a precision is for floats"),
        _ if spec.plus && !signed => Some("`+` is for signed integers and floats"),
        _ => None,
    }
}

/// Parts of a format that exclude each other.
fn contradiction(spec: &FormatSpec) -> Option<&'static str> {
    let radix = matches!(
        spec.kind,
        Some(FormatKind::LowerHex | FormatKind::UpperHex | FormatKind::Binary | FormatKind::Octal)
    );
    if spec.plus && radix {
        return Some("a format has no `+` in base 2, 8 or 16");
    }
    if spec.zero && matches!(spec.align, Some(Align::Left | Align::Center)) {
        return Some("a format that fills with zeros is aligned to the right");
    }
    None
}

/// Makes an error of what is open.
struct Close;

impl Fold for Close {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        matches!(ty, Ty::Var(_)).then_some(Ty::Error)
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        match extent {
            Extent::Var(_) => Extent::Dynamic,
            extent => extent.clone(),
        }
    }
}
