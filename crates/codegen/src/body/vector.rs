//! Vectors: what is added and taken at the end is handled in line; only growing and releasing call the library.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types::I8, types::I64};
use neuro_mir::{CollectionOp, Operand, Place, owns};
use neuro_runtime::symbols as rt;
use neuro_types::{Collection, Ty};

use super::BodyEmitter;
use super::memory::Handling;
use crate::error::CompileError;
use crate::layout::{self, LENGTH_OFFSET, ROOM_OFFSET, Repr};
use crate::piece::trusted;

impl BodyEmitter<'_, '_, '_> {
    /// A change of a collection.
    pub(super) fn collection(
        &mut self,
        dest: Option<&Place>,
        op: CollectionOp,
        place: &Place,
        args: &[Operand],
    ) -> Result<(), CompileError> {
        let Ty::Collection { kind, args: types } = self.body.place_ty(place) else {
            return Err(self.error("a change of what is no collection"));
        };
        match (op, &*types, args, dest) {
            (CollectionOp::Push, [elem], [value], _) => self.push(place, value, elem),
            (CollectionOp::Pop, [elem], _, Some(dest)) => self.pop(place, dest, elem),
            (CollectionOp::Clear, [elem], ..) => self.clear_vector(place, elem),
            (CollectionOp::Clear, ..) => self.clear_map(place),
            (CollectionOp::Insert, [key, value], [new_key, new_value], _) => {
                let ordered = kind == Collection::BTreeMap;
                self.insert(place, ordered, (key, new_key), (value, new_value))
            }
            (CollectionOp::Find, [key, _], [wanted], Some(dest)) => {
                self.look_up(rt::MAP_FIND, I64, (place, key), wanted, Some(dest))
            }
            (CollectionOp::Remove, [key, _], [wanted], dest) => {
                self.look_up(rt::MAP_REMOVE, I8, (place, key), wanted, dest)
            }
            (CollectionOp::Keys, _, _, Some(dest)) => self.keys(place, dest),
            (CollectionOp::Copy, _, _, Some(dest)) => self.copy_map(place, dest),
            (
                CollectionOp::Push
                | CollectionOp::Pop
                | CollectionOp::Insert
                | CollectionOp::Find
                | CollectionOp::Remove
                | CollectionOp::Keys
                | CollectionOp::Copy,
                ..,
            ) => Err(self.error("a change without its operands")),
        }
    }

    fn push(&mut self, place: &Place, value: &Operand, elem: &Ty) -> Result<(), CompileError> {
        let kept = layout::repr(self.db, elem);
        let new = match kept {
            Repr::Nothing => None,
            Repr::Register(_) | Repr::Memory(_) => Some(self.operand(value)?),
        };
        let vector = self.address(place)?;
        let size = layout::layout(self.db, elem).size as i64;
        let length = self.builder.ins().load(I64, trusted(), vector, LENGTH_OFFSET);
        let room = self.builder.ins().load(I64, trusted(), vector, ROOM_OFFSET);
        let (grow, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(grow);
        let full = self.builder.ins().icmp(IntCC::Equal, length, room);
        self.builder.ins().brif(full, grow, &[], next, &[]);
        self.builder.switch_to_block(grow);
        let bytes = self.builder.ins().iconst(I64, size);
        self.unit.call(self.builder, rt::VEC_GROW, &[vector, bytes]);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
        let first = self.builder.ins().load(I64, trusted(), vector, 0);
        let offset = self.builder.ins().imul_imm_s(length, size);
        let at = self.builder.ins().iadd(first, offset);
        match (kept, new) {
            (Repr::Register(_), Some(new)) => {
                self.builder.ins().store(trusted(), new, at, 0);
            }
            (Repr::Memory(layout), Some(new)) => {
                self.copy_memory(at, new, layout.size);
                self.arrived(value)?;
            }
            (Repr::Nothing | Repr::Register(_) | Repr::Memory(_), _) => {}
        }
        let length = self.builder.ins().iadd_imm_s(length, 1);
        self.builder.ins().store(trusted(), length, vector, LENGTH_OFFSET);
        Ok(())
    }
    /// Takes the last element of a vector that is not empty.
    fn pop(&mut self, place: &Place, dest: &Place, elem: &Ty) -> Result<(), CompileError> {
        let vector = self.address(place)?;
        let size = layout::layout(self.db, elem).size as i64;
        let length = self.builder.ins().load(I64, trusted(), vector, LENGTH_OFFSET);
        let last = self.builder.ins().iadd_imm_s(length, -1);
        self.builder.ins().store(trusted(), last, vector, LENGTH_OFFSET);
        let first = self.builder.ins().load(I64, trusted(), vector, 0);
        let offset = self.builder.ins().imul_imm_s(last, size);
        let at = self.builder.ins().iadd(first, offset);
        match layout::repr(self.db, elem) {
            Repr::Nothing => Ok(()),
            Repr::Register(ty) => {
                let value = self.builder.ins().load(ty, trusted(), at, 0);
                self.write_place(dest, value)
            }
            Repr::Memory(_) => self.write_place(dest, at),
        }
    }

    /// Drops the elements of a vector, which keeps its room.
    fn clear_vector(&mut self, place: &Place, elem: &Ty) -> Result<(), CompileError> {
        let vector = self.address(place)?;
        self.each_in_vector(vector, elem, Handling::Release)?;
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.ins().store(trusted(), none, vector, LENGTH_OFFSET);
        Ok(())
    }

    /// Drops the vector at an address and leaves an empty one.
    pub(super) fn drop_vector(&mut self, vector: Value, elem: &Ty) -> Result<(), CompileError> {
        self.each_in_vector(vector, elem, Handling::Release)?;
        let size = layout::layout(self.db, elem).size as i64;
        let size = self.builder.ins().iconst(I64, size);
        self.unit.call(self.builder, rt::VEC_DROP, &[vector, size]);
        Ok(())
    }

    /// Does the same with each tensor and text in the elements of the vector at an address.
    pub(super) fn each_in_vector(
        &mut self,
        vector: Value,
        elem: &Ty,
        handling: Handling,
    ) -> Result<(), CompileError> {
        if !owns(self.db, elem) {
            return Ok(());
        }
        let [first, length] = self.load_pair(vector);
        let size = layout::layout(self.db, elem).size as i64;
        let bytes = self.builder.ins().imul_imm_s(length, size);
        let end = self.builder.ins().iadd(first, bytes);
        self.each_until(first, end, elem, handling)
    }
}
