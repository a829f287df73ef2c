//! Places: expressions that name where a value is.

use neuro_db::Name;
use neuro_hir::{Expr, ExprId};
use neuro_types::{Ty, struct_fields};

use super::Lowering;
use crate::ownership::parts;
use crate::{DropReason, Operand, Place, Projection, Rvalue};

impl Lowering<'_, '_> {
    /// The place that an expression names; none if it makes a new value. The reference that is followed
    /// by `*` may be a new value: it is put in a temporary.
    pub(super) fn place(&mut self, expr: ExprId) -> Option<Place> {
        if let Some(place) = self.computed.get(expr) {
            return Some(place.clone());
        }
        match self.types.coercions.get(expr) {
            Some(_) => None,
            None => self.uncoerced_place(expr),
        }
    }

    /// The same, with the type that the expression has by itself.
    pub(super) fn uncoerced_place(&mut self, expr: ExprId) -> Option<Place> {
        match &self.hir.exprs[expr] {
            Expr::Local(local) => self.bindings.get(*local).cloned(),
            Expr::Deref(inner) => {
                let reference = match self.place(*inner) {
                    Some(place) => place,
                    None => self.materialize(*inner),
                };
                matches!(self.place_ty(&reference), Ty::Ref { .. }).then(|| reference.deref())
            }
            Expr::Field { base, name } => {
                let base = self.base(*base);
                let part = self.field(&self.place_ty(&base), name)?;
                Some(base.part(part))
            }
            Expr::TupleField { base, index } => {
                let base = self.base(*base);
                let part = self.numbered(&self.place_ty(&base), *index)?;
                Some(base.part(part))
            }
            Expr::Index { base, args } if self.is_sequence(*base) => {
                self.element_place(*base, args, expr)
            }
            _ => None,
        }
    }

    /// The place that a part is taken of, behind every reference; a new value is put in a temporary.
    pub(super) fn base(&mut self, expr: ExprId) -> Place {
        let base = match self.place(expr) {
            Some(place) => place,
            None => self.materialize(expr),
        };
        self.peel(base)
    }

    /// The step to a field.
    pub(super) fn field(&self, ty: &Ty, name: &Name) -> Option<Projection> {
        let Ty::Adt { def, .. } = ty else { return None };
        let item = def.as_struct(self.db)?;
        let fields = &struct_fields(self.db, item).fields;
        let index = fields.iter().position(|field| field.name == *name)?;
        self.numbered(ty, index as u32)
    }

    /// The step to a part of this number.
    pub(super) fn numbered(&self, ty: &Ty, index: u32) -> Option<Projection> {
        if let Ty::Array { .. } = ty {
            return Some(Projection::Element(u64::from(index)));
        }
        let ty = parts(self.db, ty)?.get(index as usize)?.clone();
        Some(Projection::Field { index, ty })
    }

    /// The value of an expression in a temporary that its scope drops.
    pub(super) fn materialize(&mut self, expr: ExprId) -> Place {
        let ty = self.types.coercions.get(expr).unwrap_or_else(|| self.types.ty(expr)).clone();
        let place = Place::local(self.temporary(ty));
        self.value_into(expr, &place);
        self.own(place.local);
        place
    }

    /// The same, with the type that the expression has by itself.
    pub(super) fn uncoerced(&mut self, expr: ExprId) -> Place {
        let place = Place::local(self.temporary(self.types.ty(expr).clone()));
        self.uncoerced_into(expr, &place);
        self.own(place.local);
        place
    }

    /// A place behind every reference.
    pub(super) fn peel(&self, mut place: Place) -> Place {
        while matches!(self.place_ty(&place), Ty::Ref { .. }) {
            place = place.deref();
        }
        place
    }

    /// The place of a value that patterns look at. Of a new value only the part that is looked at stays, if it is
    /// copied.
    pub(super) fn examined(&mut self, expr: ExprId) -> Place {
        self.open_scope(DropReason::Temporary, None);
        let mut place = match self.place(expr) {
            Some(place) => place,
            None => self.materialize(expr),
        };
        if self.scope_ends_something() && self.is_plain(&self.place_ty(&place)) {
            let copy = Place::local(self.temporary(self.place_ty(&place)));
            self.assign(&copy, Rvalue::Use(Operand::Copy(place)), expr);
            place = copy;
            self.close_scope(expr);
        } else {
            self.join_scope();
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
            // What is read of a vector, a slice or a map is a copy.
            Ty::Text if self.is_element(&place) => Rvalue::Use(Operand::Copy(place)),
            ty if self.moves(&ty) => Rvalue::Use(Operand::Move(place)),
            _ => Rvalue::Use(Operand::Copy(place)),
        }
    }
}
