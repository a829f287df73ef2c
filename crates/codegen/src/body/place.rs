//! Reading and writing places, and what moves and drops leave behind.

use cranelift_codegen::ir::{InstBuilder, Value, types::I64};
use neuro_mir::{LocalId, LocalKind, Operand, Place, PoolId};
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use super::{BodyEmitter, Storage};
use crate::abi::value_type;
use crate::block;
use crate::error::CompileError;
use crate::piece::trusted;
use crate::scalar;

impl BodyEmitter<'_, '_, '_> {
    pub(super) fn read_local(&mut self, local: LocalId) -> Option<Value> {
        match *self.storage.get(local)? {
            Storage::Nothing => None,
            Storage::Variable(variable, _) => Some(self.builder.use_var(variable)),
            Storage::Slot(slot, ty) => Some(self.builder.ins().stack_load(I64, ty, slot, 0)),
        }
    }

    pub(super) fn write_local(&mut self, local: LocalId, value: Value) {
        match self.storage.get(local).copied() {
            Some(Storage::Variable(variable, _)) => self.builder.def_var(variable, value),
            Some(Storage::Slot(slot, _)) => {
                self.builder.ins().stack_store(I64, value, slot, 0);
            }
            Some(Storage::Nothing) | None => {}
        }
    }

    /// The address of a place. A local has one only if something refers to it.
    pub(super) fn address(&mut self, place: &Place) -> Result<Value, CompileError> {
        if place.projections.is_empty() {
            return match self.storage.get(place.local).copied() {
                Some(Storage::Slot(slot, _)) => Ok(self.builder.ins().stack_addr(I64, slot, 0)),
                _ => Err(self.error("a reference to what has no place")),
            };
        }
        let first = self.read_local(place.local);
        let mut address = first.ok_or_else(|| self.error("a reference without a value"))?;
        for _ in 1..place.projections.len() {
            address = self.builder.ins().load(I64, trusted(), address, 0);
        }
        Ok(address)
    }

    /// What a place holds; none if its type has no values.
    pub(super) fn read_place(&mut self, place: &Place) -> Result<Option<Value>, CompileError> {
        if place.projections.is_empty() {
            return Ok(self.read_local(place.local));
        }
        let Some(ty) = value_type(&self.body.place_ty(place)) else { return Ok(None) };
        let address = self.address(place)?;
        Ok(Some(self.builder.ins().load(ty, trusted(), address, 0)))
    }

    pub(super) fn write_place(&mut self, place: &Place, value: Value) -> Result<(), CompileError> {
        if place.projections.is_empty() {
            self.write_local(place.local, value);
        } else {
            let address = self.address(place)?;
            self.builder.ins().store(trusted(), value, address, 0);
        }
        Ok(())
    }

    /// The handle in the place of a tensor, through every reference.
    pub(super) fn read_handle(&mut self, place: &Place) -> Result<Value, CompileError> {
        let value = self.read_place(place)?;
        let ty = self.body.place_ty(place);
        let value = value.ok_or_else(|| self.error("a tensor without a value"))?;
        Ok(self.follow(value, &ty).0)
    }

    /// The value behind every reference, and its type.
    pub(super) fn follow(&mut self, mut value: Value, ty: &Ty) -> (Value, Ty) {
        let mut ty = ty;
        while let Ty::Ref { inner, .. } = ty {
            let Some(register) = value_type(inner) else { break };
            value = self.builder.ins().load(register, trusted(), value, 0);
            ty = inner;
        }
        (value, ty.clone())
    }

    /// An operand as it is passed or stored. What is moved leaves nothing behind.
    pub(super) fn operand(&mut self, operand: &Operand) -> Result<Value, CompileError> {
        let value = match operand {
            Operand::Const(constant) => Some(scalar::constant(self.builder, *constant)),
            Operand::Copy(place) => self.read_place(place)?,
            Operand::Move(place) => {
                let value = self.read_place(place)?;
                if matches!(self.body.place_ty(place), Ty::Tensor(_)) {
                    self.empty(place)?;
                }
                value
            }
        };
        value.ok_or_else(|| self.error("an operand without a value"))
    }

    /// A scalar operand, through every reference.
    pub(super) fn scalar_operand(&mut self, operand: &Operand) -> Result<Value, CompileError> {
        let value = self.operand(operand)?;
        let ty = self.body.operand_ty(operand);
        Ok(self.follow(value, &ty).0)
    }

    /// Leaves nothing in a place.
    fn empty(&mut self, place: &Place) -> Result<(), CompileError> {
        let nothing = self.builder.ins().iconst(I64, 0);
        self.write_place(place, nothing)
    }

    pub(super) fn drop_place(&mut self, place: &Place) -> Result<(), CompileError> {
        let local = &self.body.locals[place.local];
        if place.projections.is_empty() && matches!(local.kind, LocalKind::Residuals(_)) {
            if let Some(residuals) = self.read_local(place.local) {
                self.unit.call(self.builder, rt::RESIDUALS_DROP, &[residuals]);
            }
            return self.empty(place);
        }
        if !matches!(self.body.place_ty(place), Ty::Tensor(_)) {
            return Ok(());
        }
        if let Some(handle) = self.read_place(place)? {
            block::release(self.builder, self.unit, handle);
            self.empty(place)?;
        }
        Ok(())
    }

    /// The pool of what is built into a place.
    pub(super) fn pool_of(&self, place: &Place) -> Option<PoolId> {
        if place.projections.is_empty() { self.body.locals[place.local].pool } else { None }
    }

    /// A tensor that moves from one place into another. What may outlive its pool becomes heap memory: a
    /// value from a pool that goes to a place outside of it, and one of unknown origin that is stored
    /// through a reference.
    pub(super) fn may_leave_pool(&self, from: &Place, to: &Place) -> bool {
        let pool = self.pool_of(from);
        match pool {
            Some(_) => pool != self.pool_of(to),
            None => !to.projections.is_empty(),
        }
    }

    /// The same tensor in heap memory.
    pub(super) fn moved_to_heap(&mut self, handle: Value) -> Value {
        self.unit.call_value(self.builder, rt::BLOCK_TO_HEAP, &[handle], I64)
    }
}
