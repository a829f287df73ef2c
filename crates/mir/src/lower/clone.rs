//! `.clone()`: a copy of all that a value owns.

use neuro_hir::{BinaryOp, BuiltinTrait, CompareOp, ExprId};
use neuro_num::{DType, Scalar};
use neuro_types::{Collection, Ty, known_implementation};

use super::Lowering;
use super::text_member::whole;
use crate::ownership::parts;
use crate::{
    CollectionOp, LocalKind, Operand, Operation, Place, Projection, Rvalue, StatementKind,
    Terminator,
};

impl Lowering<'_, '_> {
    /// Puts a copy of what a place holds in another, which holds nothing.
    pub(super) fn clone_into(&mut self, from: &Place, dest: &Place, expr: ExprId) {
        let ty = self.place_ty(from);
        if !self.moves(&ty) {
            return self.assign(dest, Rvalue::Use(Operand::Copy(from.clone())), expr);
        }
        if let Some((function, generics)) =
            known_implementation(self.db, BuiltinTrait::Clone, 0, &ty)
        {
            let args = vec![self.lend(from.clone(), false, expr)];
            let dest = Some(dest.clone());
            return self.emit(StatementKind::Call { dest, function, generics, args }, expr);
        }
        match (&ty, parts(self.db, &ty)) {
            (Ty::Text, _) => {
                let parts = vec![whole(Operand::Copy(from.clone()), expr)];
                self.assign(dest, Rvalue::Text(parts), expr);
            }
            (Ty::Collection { kind: Collection::Vec, .. }, _) => {
                self.clone_vector(from, dest, expr);
            }
            (Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. }, _) => {
                let dest = Some(dest.clone());
                self.change(dest, CollectionOp::Copy, from.clone(), Vec::new(), expr);
            }
            (Ty::Array { len, .. }, _) => {
                self.clone_elements(from, len.known().unwrap_or(0), dest, expr);
            }
            (Ty::Adt { .. } | Ty::Tuple(_), Some(all)) => {
                let mut operands = Vec::with_capacity(all.len());
                for index in 0..all.len() {
                    let Some(step) = self.numbered(&ty, index as u32) else { return };
                    operands.push(self.cloned(&from.clone().part(step), expr));
                }
                self.build(operands, dest, expr);
            }
            _ => self.operation(dest, Operation::Clone, vec![Operand::Copy(from.clone())], expr),
        }
    }

    /// A copy of a part: read where it is, or made in a temporary.
    fn cloned(&mut self, from: &Place, expr: ExprId) -> Operand {
        let ty = self.place_ty(from);
        if !self.moves(&ty) {
            return Operand::Copy(from.clone());
        }
        let copy = self.temporary(ty);
        self.clone_into(from, &Place::local(copy), expr);
        self.own(copy);
        Operand::Move(Place::local(copy))
    }

    /// The elements of an array, one after another.
    fn clone_elements(&mut self, from: &Place, len: u64, dest: &Place, expr: ExprId) {
        let array = self.temporary(self.place_ty(from));
        self.own(array);
        self.each_position(count(len), expr, |this, position| {
            let element = Place::local(array).part(position.clone());
            this.clone_into(&from.clone().part(position), &element, expr);
        });
        self.disown(array);
        self.assign(dest, Rvalue::Use(Operand::Move(Place::local(array))), expr);
    }

    /// The elements of a vector, each put behind the ones before it. They are heap memory, whichever pool is around.
    fn clone_vector(&mut self, from: &Place, dest: &Place, expr: ExprId) {
        let Some(kept) = self.element_ty(from) else { return };
        let copy = self.temporary(self.place_ty(from));
        self.assign(&Place::local(copy), Rvalue::Empty, expr);
        self.own(copy);
        let length = self.length(from, expr);
        self.each_position(length, expr, |this, position| {
            let element = this.local(kept.clone(), None, LocalKind::Temporary, None);
            let element = Place::local(element);
            this.clone_into(&from.clone().part(position), &element, expr);
            let moved = this.moves(&kept);
            let value = if moved { Operand::Move(element) } else { Operand::Copy(element) };
            this.change(None, CollectionOp::Push, Place::local(copy), vec![value], expr);
        });
        self.disown(copy);
        self.assign(dest, Rvalue::Use(Operand::Move(Place::local(copy))), expr);
    }

    /// Does the same at each position below a length.
    fn each_position(
        &mut self,
        length: Operand,
        expr: ExprId,
        at: impl FnOnce(&mut Self, Projection),
    ) {
        let counter = Place::local(self.temporary(Ty::Scalar(DType::U64)));
        self.assign(&counter, Rvalue::Use(count(0)), expr);
        let (header, exit) = self.loop_header();
        let more = self.compare(CompareOp::Lt, Operand::Copy(counter.clone()), length, expr);
        let inside = self.leave_unless(more, exit);
        self.start(inside);
        at(self, Projection::Index(counter.local));
        let operands = vec![Operand::Copy(counter.clone()), count(1)];
        self.operation(&counter, Operation::Binary(BinaryOp::Add), operands, expr);
        self.terminate(Terminator::Goto(header));
        self.start(exit);
    }
}

fn count(value: u64) -> Operand {
    Operand::Const(Scalar::wrap(DType::U64, i128::from(value)))
}
