//! `?` and `??`: an `Option` or `Result` taken apart.

use neuro_hir::ExprId;
use neuro_types::Ty;

use super::Lowering;
use crate::{Operand, Place, Projection, Rvalue, Terminator};

/// The variants of an `Option` or a `Result`.
struct Fallible {
    /// The one that holds the value.
    success: usize,
    /// The other one.
    failure: usize,
}

impl Lowering<'_, '_> {
    /// The variants `Some` and `None` of an `Option`.
    pub(super) fn option_variants(&self, ty: &Ty) -> Option<(usize, usize)> {
        self.fallible(ty).map(|Fallible { success, failure }| (success, failure))
    }

    /// What an `Option` or a `Result` holds when all went well.
    pub(super) fn success_type(&self, ty: &Ty) -> Option<Ty> {
        let success = self.fallible(ty)?.success;
        match self.payload(ty, success, 0)? {
            Projection::Payload { ty, .. } => Some(ty),
            Projection::Deref
            | Projection::Field { .. }
            | Projection::Element(_)
            | Projection::Rest(_)
            | Projection::Index(_) => None,
        }
    }

    fn fallible(&self, ty: &Ty) -> Option<Fallible> {
        let both = |success: &str, failure: &str| {
            let success = self.variant_called(ty, success)?;
            Some(Fallible { success, failure: self.variant_called(ty, failure)? })
        };
        both("Some", "None").or_else(|| both("Ok", "Err"))
    }

    /// What the `else` of a binding is given: the error of a `Result`, or the whole.
    pub(super) fn failure_place(&self, place: Place) -> Place {
        let whole = self.peel(place.clone());
        let ty = self.place_ty(&whole);
        let error = match &ty {
            Ty::Adt { def, .. } if def.name() == "Result" => {
                let fallible = self.fallible(&ty);
                fallible.and_then(|fallible| self.payload(&ty, fallible.failure, 0))
            }
            _ => None,
        };
        match error {
            Some(step) => whole.part(step),
            None => place,
        }
    }

    /// `e?`: the value, or out of the function with the failure.
    pub(super) fn try_value(&mut self, operand: ExprId, dest: &Place, expr: ExprId) {
        let place = self.materialize(operand);
        let ty = self.place_ty(&place);
        let Some(Fallible { success, failure }) = self.fallible(&ty) else { return };
        let cond = self.is_variant(success, &place, expr);
        let branch = self.branch(cond);
        self.start(branch.otherwise);
        if let Some(ret) = self.ret {
            let error = self.payload(&ty, failure, 0).map(|step| place.clone().part(step));
            let error: Vec<Operand> =
                error.into_iter().map(|place| self.part(place, expr)).collect();
            self.build_variant(failure, error, &Place::local(ret), expr);
        }
        self.leave_scopes(0, expr);
        self.terminate(Terminator::Return);
        let failed = self.end_of_arm();
        self.start(branch.then);
        self.success_into(&ty, success, place, dest, expr);
        let succeeded = self.end_of_arm();
        self.join(&branch, [succeeded, failed]);
    }

    /// `lhs ?? rhs`: the value of the left side, or else the right side.
    pub(super) fn coalesce(&mut self, lhs: ExprId, rhs: ExprId, dest: &Place, expr: ExprId) {
        let place = self.materialize(lhs);
        let ty = self.place_ty(&place);
        let Some(Fallible { success, .. }) = self.fallible(&ty) else { return };
        let cond = self.is_variant(success, &place, expr);
        let branch = self.branch(cond);
        self.start(branch.then);
        self.success_into(&ty, success, place, dest, expr);
        let succeeded = self.end_of_arm();
        self.start(branch.otherwise);
        self.arm(rhs, Some(dest));
        let failed = self.end_of_arm();
        self.join(&branch, [succeeded, failed]);
    }

    fn success_into(&mut self, ty: &Ty, success: usize, place: Place, dest: &Place, expr: ExprId) {
        if let Some(step) = self.payload(ty, success, 0) {
            let value: Rvalue = self.take(place.part(step));
            self.assign(dest, value, expr);
        }
    }
}
