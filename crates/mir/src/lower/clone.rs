//! `.clone()`: a copy of all that a value owns.

use neuro_hir::{BinaryOp, BuiltinTrait, CompareOp, ExprId};
use neuro_num::{DType, Scalar};
use neuro_types::{Ty, known_implementation};

use super::Lowering;
use super::text_member::whole;
use crate::ownership::parts;
use crate::{Operand, Operation, Place, Projection, Rvalue, StatementKind, Terminator};

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
                let parts = vec![whole(Operand::Copy(from.clone()))];
                self.assign(dest, Rvalue::Text(parts), expr);
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
        let count = |value: u64| Operand::Const(Scalar::wrap(DType::U64, i128::from(value)));
        let array = self.temporary(self.place_ty(from));
        self.own(array);
        let counter = Place::local(self.temporary(Ty::Scalar(DType::U64)));
        self.assign(&counter, Rvalue::Use(count(0)), expr);
        let (header, exit) = self.loop_header();
        let more = self.compare(CompareOp::Lt, Operand::Copy(counter.clone()), count(len), expr);
        let inside = self.leave_unless(more, exit);
        self.start(inside);
        let step = Projection::Index(counter.local);
        let element = Place::local(array).part(step.clone());
        self.clone_into(&from.clone().part(step), &element, expr);
        let operands = vec![Operand::Copy(counter.clone()), count(1)];
        self.operation(&counter, Operation::Binary(BinaryOp::Add), operands, expr);
        self.terminate(Terminator::Goto(header));
        self.start(exit);
        self.disown(array);
        self.assign(dest, Rvalue::Use(Operand::Move(Place::local(array))), expr);
    }
}
