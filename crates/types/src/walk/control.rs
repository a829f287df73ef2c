//! Branches, loops and jumps.

use neuro_db::{Name, codes};
use neuro_hir::{Expr, ExprId};
use neuro_num::DType;

use super::{Context, Loop, Why};
use crate::{Finding, Place, Remedy, Ty};
use neuro_hir::similar;

impl Context<'_> {
    pub(super) fn check_condition(&mut self, cond: ExprId, word: &'static str) {
        self.check(cond, &Ty::Scalar(DType::Bool), &Why::Condition(word));
    }

    /// An `if` whose value is used, where nothing says which type it has: the first branch that carries
    /// a type decides.
    pub(super) fn infer_if(
        &mut self,
        expr: ExprId,
        cond: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
        hint: Option<&Ty>,
    ) -> Ty {
        let Some(otherwise) = otherwise else {
            return self.infer_discarded(expr);
        };
        self.check_condition(cond, "if");
        let first = self.infer(then, hint);
        match self.resolved(&first) {
            Ty::Never | Ty::Error => self.infer(otherwise, hint),
            Ty::Var(_) => {
                let second = self.infer(otherwise, hint);
                match self.resolved(&second) {
                    Ty::Never => first,
                    Ty::Var(_) => {
                        let (a, b) = (self.tail_of(then), self.tail_of(otherwise));
                        self.join_numbers(a, &first, b, &second)
                    }
                    ty => {
                        let why = Why::Branch(self.tail_of(otherwise));
                        let shown = self.tail_of(then);
                        self.expect(shown, &first, &ty, &why);
                        second
                    }
                }
            }
            ty => {
                let shown = self.tail_of(then);
                self.check(otherwise, &ty, &Why::Branch(shown));
                ty
            }
        }
    }

    /// The expression that gives a block its value.
    pub(super) fn tail_of(&self, expr: ExprId) -> ExprId {
        match self.expr(expr) {
            Expr::Block { tail: Some(tail), .. } => self.tail_of(*tail),
            _ => expr,
        }
    }

    pub(super) fn infer_while(&mut self, label: &Option<Name>, cond: ExprId, body: ExprId) -> Ty {
        self.check_condition(cond, "while");
        self.infer_loop_body(label, body);
        Ty::Void
    }

    /// `loop`: it gives what its `break`s give; `hint` is welcome, and must be met where there is a reason.
    pub(super) fn infer_loop(
        &mut self,
        label: &Option<Name>,
        body: ExprId,
        hint: Option<&Ty>,
        why: Option<&Why>,
    ) -> Ty {
        let value = match hint {
            Some(hint) if why.is_some() => hint.clone(),
            _ => self.fresh(),
        };
        let around = Loop { value: Some(value), why: why.cloned(), ..Loop::named(label) };
        self.frame.loops.push(around);
        self.infer_discarded(body);
        let Some(ended) = self.frame.loops.pop() else { return Ty::Error };
        match ended {
            Loop { unclear: true, .. } => Ty::Error,
            Loop { first: Some(first), bare: Some(bare), .. } => self.refuse(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(bare),
                    "this `break` gives nothing, and another one gives a value",
                )
                .related(Place::Expr(first), "the loop gives this value"),
            ),
            Loop { first: Some(_), value: Some(value), .. } => self.resolved(&value),
            Loop { left: true, .. } => Ty::Void,
            _ => Ty::Never,
        }
    }

    /// Infers the body of a loop that gives nothing.
    pub(super) fn infer_loop_body(&mut self, label: &Option<Name>, body: ExprId) {
        self.frame.loops.push(Loop::named(label));
        self.infer_discarded(body);
        self.frame.loops.pop();
    }

    /// The type of what is reported as not understood.
    pub(super) fn infer_unclear(&mut self) -> Ty {
        for around in &mut self.frame.loops {
            around.unclear = true;
        }
        Ty::Error
    }

    /// The common type of the two ends of a range.
    pub(super) fn infer_range(&mut self, start: ExprId, end: ExprId) -> Ty {
        let first = self.infer(start, None);
        let second = self.infer(end, None);
        let first = self.integer(start, &first);
        // Two ends of one wrong kind are one mistake.
        let second = match first == Ty::Error && self.absorbed(&second).is_none() {
            true if !self.is_integer(&second) => {
                self.give_up(&second);
                Ty::Error
            }
            _ => self.integer(end, &second),
        };
        self.same_integer(end, &second, &first, start)
    }

    fn is_integer(&self, found: &Ty) -> bool {
        match self.resolved(found) {
            Ty::Scalar(dtype) => dtype.is_int(),
            Ty::Var(var) => var.is_int(),
            _ => false,
        }
    }

    /// The type of an end of a range, which must be an integer.
    fn integer(&mut self, expr: ExprId, found: &Ty) -> Ty {
        if let Ty::Error | Ty::Never = self.resolved(found) {
            return Ty::Error;
        }
        if self.is_integer(found) {
            return found.clone();
        }
        let described = self.describe(found);
        self.give_up(found);
        self.refuse(Finding::new(
            codes::MISMATCH,
            Place::Expr(expr),
            format!("the ends of a range are integers; this is {described}"),
        ))
    }

    /// Brings an end or the stride of a range to the type of the other end.
    pub(super) fn same_integer(
        &mut self,
        expr: ExprId,
        found: &Ty,
        other: &Ty,
        other_expr: ExprId,
    ) -> Ty {
        match (self.resolved(found), self.resolved(other)) {
            (Ty::Error, other) => other,
            (found, Ty::Error) => found,
            (Ty::Var(a), Ty::Var(b)) => {
                self.table.join(a, b);
                Ty::Var(a)
            }
            (ty, open @ Ty::Var(_)) => {
                self.expect(other_expr, &open, &ty, &Why::Range(expr));
                ty
            }
            (found, ty) => {
                self.expect(expr, &found, &ty, &Why::Range(other_expr));
                ty
            }
        }
    }

    pub(super) fn infer_return(&mut self, expr: ExprId, value: Option<ExprId>) -> Ty {
        let ret = self.frame.ret.clone();
        match (value, self.frame.closure) {
            (Some(value), None) => self.check(value, &ret, &Why::Return),
            (Some(value), Some(closure)) => self.check(value, &ret, &Why::Closure(closure)),
            (None, Some(closure)) => {
                self.expect(expr, &Ty::Void, &ret, &Why::Closure(closure));
            }
            (None, None) if matches!(ret, Ty::Void | Ty::Error) => {}
            (None, None) => {
                let owner = self.owner.clone().unwrap_or_default();
                self.report(
                    Finding::new(
                        codes::MISMATCH,
                        Place::Expr(expr),
                        format!("`{owner}` returns `{ret}`, but this `return` has no value"),
                    )
                    .related(Place::ReturnType, format!("`{ret}` is declared here")),
                );
            }
        }
        Ty::Never
    }

    pub(super) fn infer_continue(&mut self, expr: ExprId, label: Option<&Name>) -> Ty {
        self.jump_target(expr, "continue", label);
        Ty::Never
    }

    pub(super) fn infer_break(
        &mut self,
        expr: ExprId,
        label: Option<&Name>,
        value: Option<ExprId>,
    ) -> Ty {
        if let (None, Some(name)) = (label, value.and_then(|value| self.no_value(value))) {
            let unknown = self.unknown_label(Place::Expr(value.unwrap_or(expr)), name);
            if self.frame.loops.is_empty() || !unknown.notes.is_empty() {
                let no_loop = self.frame.loops.is_empty() && unknown.notes.is_empty();
                self.report(if no_loop { self.no_loop(expr, "break") } else { unknown });
                value.map(|value| self.record(value, Ty::Error));
                self.frame.loops.iter_mut().for_each(|around| around.unclear = true);
                return Ty::Never;
            }
        }
        let Some(target) = self.jump_target(expr, "break", label) else {
            if let Some(value) = value {
                self.infer(value, None);
            }
            return Ty::Never;
        };
        let Some(around) = self.frame.loops.get_mut(target) else { return Ty::Never };
        around.left = true;
        let Some(value) = value else {
            around.bare.get_or_insert(expr);
            return Ty::Never;
        };
        let (ty, why, first) = (around.value.clone(), around.why.clone(), around.first);
        around.first.get_or_insert(value);
        let Some(ty) = ty else {
            self.infer(value, None);
            return Ty::Never;
        };
        match (why, first) {
            (Some(why), _) => self.check(value, &ty, &why),
            (None, Some(first)) => self.check(value, &ty, &Why::Break(first)),
            (None, None) => self.check(value, &ty, &Why::Expected),
        }
        Ty::Never
    }

    /// The loop that a jump goes to, by its index; one that does not exist is reported.
    fn jump_target(&mut self, expr: ExprId, word: &str, label: Option<&Name>) -> Option<usize> {
        let loops = &self.frame.loops;
        let target = match label {
            Some(label) => loops.iter().rposition(|around| around.label.as_ref() == Some(label)),
            None => loops.len().checked_sub(1),
        };
        if target.is_none() {
            let finding = match label {
                Some(label) => self.unknown_label(Place::Head(expr), label),
                None => self.no_loop(expr, word),
            };
            self.report(finding);
        }
        target
    }

    fn no_loop(&self, expr: ExprId, word: &str) -> Finding {
        let message = format!("`{word}` stands in no loop");
        let finding = Finding::new(codes::LOOP_CONTROL, Place::Expr(expr), message);
        match self.frame.closure {
            Some(_) => finding.note("a closure does not reach the loops around it"),
            None => finding,
        }
    }

    /// The name that an expression is, if it stands for nothing.
    fn no_value(&self, expr: ExprId) -> Option<&'_ Name> {
        let Expr::Path(path) = self.expr(expr) else { return None };
        let name = path.as_name().filter(|name| !name.is_empty())?;
        neuro_hir::resolve_name(self.db, self.module, name.clone()).is_none().then_some(name)
    }

    /// Says that a label belongs to no loop around, and where it is or which one is meant.
    fn unknown_label(&self, place: Place, label: &Name) -> Finding {
        let finding = Finding::new(
            codes::LOOP_CONTROL,
            place,
            format!("no loop around this has the label `{label}`"),
        );
        let labels = self.frame.loops.iter().filter_map(|around| around.label.as_deref());
        if let Some(meant) = similar(label, labels) {
            return finding.note(format!("did you mean `{meant}`?")).remedy(Remedy::Replace(
                place,
                format!("change to `{meant}`"),
                meant.to_owned(),
            ));
        }
        let elsewhere = self.body.exprs.values().any(|expr| match expr {
            Expr::Loop { label: found, .. }
            | Expr::While { label: found, .. }
            | Expr::For { label: found, .. } => found.as_ref() == Some(label),
            _ => false,
        });
        match (elsewhere, self.frame.closure) {
            (true, Some(_)) => finding.note("a closure does not reach the loops around it"),
            (true, None) => finding.note(format!("the loop `{label}` stands elsewhere")),
            (false, _) => finding,
        }
    }
}

impl Loop {
    fn named(label: &Option<Name>) -> Self {
        Self {
            label: label.clone(),
            left: false,
            unclear: false,
            value: None,
            why: None,
            first: None,
            bare: None,
        }
    }
}
