//! Branches, loops and jumps.

use neuro_db::{Name, codes};
use neuro_hir::{Expr, ExprId, LocalId, PlainRange};
use neuro_num::DType;

use super::{Context, Loop, Pending, Type, Why};
use crate::{Finding, Place, Ty};
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
    ) -> Type {
        let Some(otherwise) = otherwise else {
            return self.infer_discarded(expr);
        };
        self.check_condition(cond, "if");
        let first = self.infer(then, hint);
        match self.resolved(&first) {
            Type::Known(Ty::Never | Ty::Error) => self.infer(otherwise, hint),
            Type::Known(ty) => {
                let shown = self.tail_of(then);
                self.check(otherwise, &ty, &Why::Branch(shown));
                Type::Known(ty)
            }
            Type::Number(_) => {
                let second = self.infer(otherwise, hint);
                match self.resolved(&second) {
                    Type::Known(Ty::Never) => first,
                    Type::Known(ty) => {
                        let why = Why::Branch(self.tail_of(otherwise));
                        let shown = self.tail_of(then);
                        self.expect(shown, &first, &ty, &why);
                        second
                    }
                    Type::Number(_) => {
                        let (a, b) = (self.tail_of(then), self.tail_of(otherwise));
                        self.join_numbers(a, &first, b, &second)
                    }
                }
            }
        }
    }

    /// The expression that gives a block its value.
    fn tail_of(&self, expr: ExprId) -> ExprId {
        match self.expr(expr) {
            Expr::Block { tail: Some(tail), .. } => self.tail_of(*tail),
            _ => expr,
        }
    }

    pub(super) fn infer_while(&mut self, label: &Option<Name>, cond: ExprId, body: ExprId) -> Type {
        self.check_condition(cond, "while");
        self.infer_loop_body(label, body);
        Type::VOID
    }

    pub(super) fn infer_loop(&mut self, label: &Option<Name>, body: ExprId) -> Type {
        match self.infer_loop_body(label, body) {
            Some(Loop { unclear: true, .. }) | None => Type::ERROR,
            Some(Loop { left: true, .. }) => Type::VOID,
            Some(_) => Type::NEVER,
        }
    }

    /// Infers the body of a loop; gives what is known of the loop then.
    pub(super) fn infer_loop_body(&mut self, label: &Option<Name>, body: ExprId) -> Option<Loop> {
        self.loops.push(Loop { label: label.clone(), left: false, unclear: false });
        self.infer_discarded(body);
        self.loops.pop()
    }

    /// The type of what is reported as not understood.
    pub(super) fn infer_unclear(&mut self) -> Type {
        for around in &mut self.loops {
            around.unclear = true;
        }
        Type::ERROR
    }

    pub(super) fn infer_for(
        &mut self,
        label: &Option<Name>,
        var: LocalId,
        range: &PlainRange,
        body: ExprId,
    ) -> Type {
        let PlainRange { start, end, step, .. } = *range;
        let mut ty = self.infer_range(start, end);
        if let Some(step) = step {
            let found = self.infer(step, None);
            let literal = matches!(self.expr(start), Expr::Literal(_));
            ty = self.same_integer(step, &found, &ty, if literal { end } else { start });
            self.pending.push(Pending::Step { step });
        }
        let ty = self.numbers.finish(&ty);
        self.locals.insert(var, ty);
        self.infer_loop_body(label, body);
        Type::VOID
    }

    /// The common type of the two ends of a range.
    fn infer_range(&mut self, start: ExprId, end: ExprId) -> Type {
        let first = self.infer(start, None);
        let second = self.infer(end, None);
        let first = self.integer(start, &first);
        let second = self.integer(end, &second);
        self.same_integer(end, &second, &first, start)
    }

    /// The type of an end of a range, which must be an integer.
    fn integer(&mut self, expr: ExprId, found: &Type) -> Type {
        let fits = match self.resolved(found) {
            Type::Known(Ty::Error | Ty::Never) => return Type::ERROR,
            Type::Known(Ty::Scalar(dtype)) => dtype.is_int(),
            Type::Known(_) => false,
            Type::Number(id) => !self.numbers.is_float(id),
        };
        if fits {
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
    fn same_integer(
        &mut self,
        expr: ExprId,
        found: &Type,
        other: &Type,
        other_expr: ExprId,
    ) -> Type {
        match (self.resolved(found), self.resolved(other)) {
            (Type::Known(Ty::Error), other) => other,
            (found, Type::Known(Ty::Error)) => found,
            (found, Type::Known(ty)) => {
                self.expect(expr, &found, &ty, &Why::Range(other_expr));
                Type::Known(ty)
            }
            (Type::Known(ty), open @ Type::Number(_)) => {
                self.expect(other_expr, &open, &ty, &Why::Range(expr));
                Type::Known(ty)
            }
            (Type::Number(a), Type::Number(b)) => {
                self.numbers.join(a, b);
                Type::Number(a)
            }
        }
    }

    pub(super) fn infer_return(&mut self, expr: ExprId, value: Option<ExprId>) -> Type {
        let ret = self.ret.clone();
        match value {
            Some(value) => self.check(value, &ret, &Why::Return),
            None if matches!(ret, Ty::Void | Ty::Error) => {}
            None => {
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
        Type::NEVER
    }

    /// `break` or `continue`.
    pub(super) fn infer_jump(&mut self, expr: ExprId, word: &str, label: Option<&Name>) -> Type {
        let target = match label {
            Some(label) => {
                self.loops.iter_mut().rev().find(|around| around.label.as_ref() == Some(label))
            }
            None => self.loops.last_mut(),
        };
        match target {
            Some(target) => target.left |= word == "break",
            None => {
                let finding = match label {
                    Some(label) => self.unknown_label(expr, label),
                    None => Finding::new(
                        codes::LOOP_CONTROL,
                        Place::Expr(expr),
                        format!("`{word}` stands in no loop"),
                    ),
                };
                self.report(finding);
            }
        }
        Type::NEVER
    }

    fn unknown_label(&self, expr: ExprId, label: &Name) -> Finding {
        let finding = Finding::new(
            codes::LOOP_CONTROL,
            Place::Head(expr),
            format!("no loop around this has the label `{label}`"),
        );
        let labels = self.loops.iter().filter_map(|around| around.label.as_deref());
        match similar(label, labels) {
            Some(meant) => finding.note(format!("did you mean `{meant}`?")),
            None => finding,
        }
    }
}
