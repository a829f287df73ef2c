//! The methods of vectors. What is read of a vector is a copy; `pop` hands the element itself over.

use neuro_hir::{CompareOp, ExprId};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::Lowering;
use crate::graph::projected;
use crate::{
    CollectionOp, DropReason, LocalKind, Operand, Place, Projection, Rvalue, StatementKind,
};

impl Lowering<'_, '_> {
    /// `v.push(x)`
    pub(super) fn push(&mut self, receiver: ExprId, value: ExprId, expr: ExprId) {
        let place = self.base(receiver);
        let Some(element) = self.element_ty(&place) else { return };
        let value = self.stored(value, &element, &[], expr);
        self.change(None, CollectionOp::Push, place, vec![value], expr);
    }

    /// A value that a collection keeps, which holds such values. A text is copied to the heap, whichever pool is around.
    pub(super) fn stored(
        &mut self,
        value: ExprId,
        kept: &Ty,
        rest: &[ExprId],
        expr: ExprId,
    ) -> Operand {
        if *kept == Ty::Text {
            return self.stored_text(value, expr);
        }
        match self.argument(value, kept, rest) {
            // It may be a part of the collection itself, which moves when it grows.
            Operand::Copy(place) if !place.projections.is_empty() => {
                self.fix(Operand::Copy(place), expr)
            }
            operand => operand,
        }
    }

    fn stored_text(&mut self, value: ExprId, expr: ExprId) -> Operand {
        let copy = Place::local(self.local(Ty::Text, None, LocalKind::Temporary, None));
        let looked_at = matches!(self.types.ty(value), Ty::Ref { .. })
            || self.types.coercions.get(value).is_some();
        self.open_scope(DropReason::Temporary, None);
        match self.place(value) {
            Some(place) => {
                let place = self.peel(place);
                self.assign(&copy, Rvalue::Use(Operand::Copy(place)), expr);
            }
            None if looked_at => {
                let place = self.base(value);
                self.assign(&copy, Rvalue::Use(Operand::Copy(place)), expr);
            }
            None => {
                let before = self.memory.replace(None);
                self.value_into(value, &copy);
                self.memory = before;
            }
        }
        self.close_scope(expr);
        self.own(copy.local);
        Operand::Move(copy)
    }

    /// `c.clear()`
    pub(super) fn clear(&mut self, receiver: ExprId, expr: ExprId) {
        let place = self.base(receiver);
        self.change(None, CollectionOp::Clear, place, Vec::new(), expr);
    }

    /// `v.pop()`
    pub(super) fn pop(&mut self, receiver: ExprId, dest: &Place, expr: ExprId) {
        let place = self.base(receiver);
        let length = self.length(&place, expr);
        let zero = Operand::Const(Scalar::zero(DType::U64));
        let some = self.compare(CompareOp::Gt, length, zero, expr);
        let Some(element) = self.element_ty(&place) else { return };
        self.some_if(some, dest, expr, |lowering| {
            let last = Place::local(lowering.temporary(element.clone()));
            let taken = Some(last.clone());
            lowering.change(taken, CollectionOp::Pop, place, Vec::new(), expr);
            if lowering.moves(&element) { Operand::Move(last) } else { Operand::Copy(last) }
        });
    }

    /// `v.get(i)`
    pub(super) fn get(&mut self, receiver: ExprId, position: ExprId, dest: &Place, expr: ExprId) {
        let place = self.base(receiver);
        let position = self.position(position, expr);
        let length = self.length(&place, expr);
        let counted = Operand::Copy(Place::local(position));
        let inside = self.compare(CompareOp::Lt, counted, length, expr);
        self.some_if(inside, dest, expr, |lowering| {
            lowering.part(place.part(Projection::Index(position)), expr)
        });
    }

    /// The type of the elements of a row.
    pub(super) fn element_ty(&self, row: &Place) -> Option<Ty> {
        let position = Projection::Index(row.local);
        Some(projected(&self.place_ty(row), &position)).filter(|ty| *ty != Ty::Error)
    }

    pub(super) fn change(
        &mut self,
        dest: Option<Place>,
        op: CollectionOp,
        place: Place,
        args: Vec<Operand>,
        expr: ExprId,
    ) {
        self.give(&args);
        self.emit(StatementKind::Collection { dest, op, place, args }, expr);
    }

    /// A collection that holds nothing.
    pub(super) fn empty_collection(&mut self, dest: &Place, expr: ExprId) {
        self.assign(dest, Rvalue::Empty, expr);
    }
}
