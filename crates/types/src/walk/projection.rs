//! Associated types, `T::Item`: what they are once the type in front of them is known.

use crate::traits::{Project, any_assoc};
use crate::{AssocTy, Bound, Extent, Fold, GenericArg, Ty, VarKind};

use super::Context;

impl Context<'_> {
    /// A type with the associated types replaced that are known.
    pub(super) fn projected(&self, ty: Ty) -> Ty {
        if any_assoc(&ty) { ty.fold(&mut Project { env: &self.env, depth: 0 }) } else { ty }
    }

    /// A type of a generic item where it is applied. Associated types of what is not known yet become
    /// variables, which are found out when it is.
    pub(super) fn instance(&mut self, ty: &Ty, args: &[GenericArg]) -> Ty {
        struct Open<'a, 'db>(&'a mut Context<'db>);
        impl Fold for Open<'_, '_> {
            fn ty(&mut self, ty: &Ty) -> Option<Ty> {
                let Ty::Assoc(assoc) = ty else { return None };
                let of = assoc.of.fold(self);
                if !self.0.resolved(&of).any_var() {
                    return None;
                }
                let open = self.0.table.fresh(VarKind::General);
                let (of_trait, name) = (assoc.of_trait.clone(), assoc.name.clone());
                self.0.projections.push((AssocTy { of, of_trait, name }, open.clone()));
                Some(open)
            }
            fn extent(&mut self, extent: &Extent) -> Extent {
                extent.clone()
            }
        }
        let ty = ty.apply(args);
        if !any_assoc(&ty) {
            return ty;
        }
        let opened = ty.fold(&mut Open(self));
        self.resolved(&opened)
    }

    /// Notes what a bound says of the associated types of a type.
    pub(super) fn pin(&mut self, ty: &Ty, bound: &Bound) {
        for (name, pinned) in &bound.assoc {
            let assoc =
                AssocTy { of: ty.clone(), of_trait: bound.of_trait.clone(), name: name.clone() };
            self.projections.push((assoc, pinned.clone()));
        }
        self.solve_projections();
    }

    /// Finds out the associated types whose types are known by now. One that is not what is expected is told
    /// with the bound that expects it.
    pub(super) fn solve_projections(&mut self) {
        if self.projections.is_empty() {
            return;
        }
        for (assoc, open) in std::mem::take(&mut self.projections) {
            let of = self.resolved(&assoc.of);
            if matches!(of, Ty::Var(_)) {
                self.projections.push((assoc, open));
                continue;
            }
            let known = Ty::Assoc(std::sync::Arc::new(AssocTy { of, ..assoc }));
            let known = self.projected(known);
            self.table.unify(&open, &known);
        }
    }
}
