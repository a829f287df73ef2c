//! The methods of maps. Keys that are looked up are only read; what is read of a map is a copy.

use neuro_hir::{CompareOp, ExprId};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::Lowering;
use super::read::{Read, Reading};
use crate::{CollectionOp, LocalId, Operand, Operation, Place, Projection, StatementKind};

impl Lowering<'_, '_> {
    /// `m.insert(k, v)`
    pub(super) fn insert(&mut self, receiver: ExprId, key: ExprId, value: ExprId, expr: ExprId) {
        let place = self.base(receiver);
        let Ty::Collection { args, .. } = self.place_ty(&place) else { return };
        let [key_ty, value_ty] = &*args else { return };
        let kept = self.stored(key, key_ty, &[value], expr);
        let value = self.stored(value, value_ty, &[], expr);
        self.change(None, CollectionOp::Insert, place, vec![kept, value], expr);
    }

    /// `m.get(k)`
    pub(super) fn get_value(&mut self, receiver: ExprId, key: ExprId, dest: &Place, expr: ExprId) {
        let (place, found, read) = self.found(receiver, key, expr);
        let there = self.is_there(found, expr);
        self.some_if(there, dest, expr, |lowering| {
            lowering.part(place.part(Projection::Index(found)), expr)
        });
        self.after(vec![read]);
    }

    /// `m.contains_key(k)`
    pub(super) fn contains_key(
        &mut self,
        receiver: ExprId,
        key: ExprId,
        dest: &Place,
        expr: ExprId,
    ) {
        let (_, found, read) = self.found(receiver, key, expr);
        let nowhere = Operand::Const(Scalar::zero(DType::U64));
        let operands = vec![Operand::Copy(Place::local(found)), nowhere];
        self.operation(dest, Operation::Compare(CompareOp::Ne), operands, expr);
        self.after(vec![read]);
    }

    /// `m.remove(k)`
    pub(super) fn remove(&mut self, receiver: ExprId, key: ExprId, dest: &Place, expr: ExprId) {
        let place = self.base(receiver);
        let read = self.read(key, Reading::Looking, &[]);
        let args = vec![read.operand.clone()];
        self.change(Some(dest.clone()), CollectionOp::Remove, place, args, expr);
        self.after(vec![read]);
    }

    /// `m.keys()`
    pub(super) fn keys(&mut self, receiver: ExprId, dest: &Place, expr: ExprId) {
        let place = self.base(receiver);
        self.change(Some(dest.clone()), CollectionOp::Keys, place, Vec::new(), expr);
    }

    /// Where a map has the value under a key.
    fn found(&mut self, receiver: ExprId, key: ExprId, expr: ExprId) -> (Place, LocalId, Read) {
        let place = self.base(receiver);
        let read = self.read(key, Reading::Looking, &[]);
        let found = self.temporary(Ty::Scalar(DType::U64));
        let kind = StatementKind::Collection {
            dest: Some(Place::local(found)),
            op: CollectionOp::Find,
            place: place.clone(),
            args: vec![read.operand.clone()],
        };
        self.emit(kind, expr);
        (place, found, read)
    }

    fn is_there(&mut self, found: LocalId, expr: ExprId) -> Operand {
        let nowhere = Operand::Const(Scalar::zero(DType::U64));
        self.compare(CompareOp::Ne, Operand::Copy(Place::local(found)), nowhere, expr)
    }
}
