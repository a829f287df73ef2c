//! `match`, and bindings with `else`.

use neuro_db::codes;
use neuro_hir::{Arm, ExprId, PatId, TypeRef};

use super::{Context, Why};
use crate::{Finding, Place, Ty, VarKind};

impl Context<'_> {
    /// A `match` whose value is used, where nothing says which type it has: the first arm that carries a
    /// type decides.
    pub(super) fn infer_match(
        &mut self,
        expr: ExprId,
        scrutinee: ExprId,
        arms: &[Arm],
        hint: Option<&Ty>,
    ) -> Ty {
        let ty = self.scrutinee(scrutinee);
        // The arms in front that carry no type or an open one, and the type that they have.
        let mut decided: Option<(ExprId, Ty)> = None;
        for arm in arms {
            self.arm_head(arm, &ty);
            match &decided {
                None => {
                    let found = self.infer(arm.body, hint);
                    if !matches!(self.resolved(&found), Ty::Never | Ty::Error) {
                        decided = Some((self.tail_of(arm.body), found));
                    }
                }
                Some((first, before)) => {
                    let (first, before) = (*first, before.clone());
                    decided = Some((first, self.next_arm(arm.body, first, &before)));
                }
            }
        }
        self.arms_complete(expr, &ty, arms);
        match decided {
            Some((_, ty)) => ty,
            None => {
                let all_leave =
                    arms.iter().all(|arm| self.type_of(arm.body) == Ty::Never) && !arms.is_empty();
                if all_leave { Ty::Never } else { Ty::Error }
            }
        }
    }

    /// An arm behind one that carries a type.
    fn next_arm(&mut self, arm: ExprId, first: ExprId, before: &Ty) -> Ty {
        if !matches!(self.resolved(before), Ty::Var(_)) {
            self.check(arm, before, &Why::Branch(first));
            return before.clone();
        }
        let found = self.infer(arm, None);
        match self.resolved(&found) {
            Ty::Never | Ty::Error => before.clone(),
            Ty::Var(_) => {
                let tail = self.tail_of(arm);
                self.join_numbers(first, before, tail, &found)
            }
            ty => {
                let why = Why::Branch(self.tail_of(arm));
                self.expect(first, before, &ty, &why);
                found
            }
        }
    }

    /// A `match` that must be of type `ty`; whether no arm gives a value.
    pub(super) fn check_match(
        &mut self,
        expr: ExprId,
        scrutinee: ExprId,
        arms: &[Arm],
        ty: &Ty,
        why: &Why,
    ) -> bool {
        let matched = self.scrutinee(scrutinee);
        for arm in arms {
            self.arm_head(arm, &matched);
            self.check(arm.body, ty, why);
        }
        self.arms_complete(expr, &matched, arms);
        !arms.is_empty() && arms.iter().all(|arm| self.type_of(arm.body) == Ty::Never)
    }

    /// A `match` whose value is dropped: the arms need not agree.
    pub(super) fn discarded_match(&mut self, expr: ExprId, scrutinee: ExprId, arms: &[Arm]) -> Ty {
        let matched = self.scrutinee(scrutinee);
        let mut never = !arms.is_empty();
        for arm in arms {
            self.arm_head(arm, &matched);
            never &= self.infer_discarded(arm.body) == Ty::Never;
        }
        self.arms_complete(expr, &matched, arms);
        if never { Ty::Never } else { Ty::Void }
    }

    /// What is matched: anything but floats, which are hardly ever equal, and what has no patterns.
    fn scrutinee(&mut self, scrutinee: ExprId) -> Ty {
        let found = self.infer(scrutinee, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        let found = self.settled(scrutinee, &found);
        let found = self.table.finish(&found);
        let note = match found.peeled() {
            Ty::Error
            | Ty::Never
            | Ty::Char
            | Ty::Text
            | Ty::Tuple(_)
            | Ty::Array { .. }
            | Ty::Adt { .. } => return found,
            Ty::Scalar(dtype) if !dtype.is_float() => return found,
            Ty::Scalar(_) => "compare it in an `if`",
            _ => "compare what it holds in an `if`",
        };
        let described = self.describe(&found);
        self.refuse(
            Finding::new(
                codes::PATTERN_TYPE,
                Place::Expr(scrutinee),
                format!("`match` takes enums, numbers without fraction, characters, truth values, text, and what is made of them; this is {described}"),
            )
            .note(note),
        )
    }

    /// The pattern and the guard of an arm.
    fn arm_head(&mut self, arm: &Arm, ty: &Ty) {
        self.bind_refutable(arm.pat, ty);
        if let Some(guard) = arm.guard {
            self.check_condition(guard, "if");
        }
    }

    /// `val p = e else |n| { .. }`; the type of the value.
    pub(super) fn infer_let_else(
        &mut self,
        pat: PatId,
        ty: Option<&TypeRef>,
        init: ExprId,
        failure: Option<PatId>,
        otherwise: ExprId,
    ) -> Ty {
        let declared = self.infer_init(pat, ty, init);
        if let Some(failure) = failure {
            let payload = self.failure_payload(failure, &declared);
            self.bind_refutable(failure, &payload);
        }
        let found = self.infer_discarded(otherwise);
        if found != Ty::Never && found != Ty::Error {
            self.report(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(otherwise),
                    "this `else` goes on, and then nothing would be bound",
                )
                .note("leave with `return`, `break`, `continue` or `panic(..)`"),
            );
        }
        self.bind_refutable(pat, &declared);
        self.type_of(init)
    }

    /// What the `else` of a binding is given: the error of a `Result`, nothing of an `Option`, and the whole
    /// value of another enum.
    fn failure_payload(&mut self, failure: PatId, ty: &Ty) -> Ty {
        match self.fallible(ty) {
            Some(fallible) => match fallible.error {
                Some(error) => error,
                None => {
                    if self.body.bound(failure).is_some() {
                        self.report(Finding::new(
                            codes::PATTERN_TYPE,
                            Place::Pat(failure),
                            "a `None` holds nothing to be named: write `|_|`, or leave it out",
                        ));
                    }
                    Ty::Error
                }
            },
            None => ty.clone(),
        }
    }

    /// A variable for a type that is found out later.
    pub(super) fn fresh(&mut self) -> Ty {
        self.table.fresh(VarKind::General)
    }
}
