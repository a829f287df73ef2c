//! Places: expressions that name where a value is.

use neuro_hir::{Expr, ExprId};
use neuro_types::Ty;

use super::{Lowering, owns};
use crate::{Operand, Place, Rvalue};

impl Lowering<'_, '_> {
    /// The place that an expression names; none if it makes a new value. The reference that is followed
    /// by `*` may be a new value: it is put in a temporary.
    pub(super) fn place(&mut self, expr: ExprId) -> Option<Place> {
        match &self.hir.exprs[expr] {
            Expr::Local(local) => self.bindings.get(*local).copied().map(Place::local),
            Expr::Deref(inner) => {
                let reference = match self.place(*inner) {
                    Some(place) => place,
                    None => self.materialize(*inner),
                };
                matches!(self.place_ty(&reference), Ty::Ref { .. }).then(|| reference.deref())
            }
            _ => None,
        }
    }

    /// The value of an expression in a temporary that its scope drops.
    pub(super) fn materialize(&mut self, expr: ExprId) -> Place {
        let temporary = self.temporary(self.types.ty(expr).clone());
        let place = Place::local(temporary);
        self.value_into(expr, &place);
        self.own(temporary);
        place
    }

    /// A place behind every reference.
    pub(super) fn peel(&self, mut place: Place) -> Place {
        while matches!(self.place_ty(&place), Ty::Ref { .. }) {
            place = place.deref();
        }
        place
    }

    /// The place that holds a tensor: the one that is named, read through references, or a temporary.
    pub(super) fn tensor_place(&mut self, expr: ExprId) -> Place {
        let place = match self.place(expr) {
            Some(place) => place,
            None => self.materialize(expr),
        };
        self.peel(place)
    }

    /// What taking the value of a place is: numbers and shared references are copied, a `&mut` is lent
    /// on, everything else moves.
    pub(super) fn take(&self, place: Place) -> Rvalue {
        match self.place_ty(&place) {
            Ty::Ref { mutable: true, .. } => Rvalue::Ref { mutable: true, place: place.deref() },
            ty if owns(&ty) => Rvalue::Use(Operand::Move(place)),
            _ => Rvalue::Use(Operand::Copy(place)),
        }
    }
}
