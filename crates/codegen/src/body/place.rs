//! Reading and writing places, and what moves and drops leave behind.

use cranelift_codegen::ir::{InstBuilder, Value, types::I64};
use neuro_mir::{LocalId, LocalKind, Operand, Place, PoolId, Projection, is_view, owns};
use neuro_runtime::symbols as rt;
use neuro_types::{Collection, Extent, Ty};

use super::memory::Handling;
use super::{BodyEmitter, Storage};
use crate::abi::value_type;
use crate::block;
use crate::error::CompileError;
use crate::layout::{self, Repr, is_pair};
use crate::piece::trusted;
use crate::scalar;

impl BodyEmitter<'_, '_, '_> {
    pub(super) fn read_local(&mut self, local: LocalId) -> Option<Value> {
        match *self.storage.get(local)? {
            Storage::Nothing => None,
            Storage::Variable(variable, _) => Some(self.builder.use_var(variable)),
            Storage::Slot(slot, ty) => Some(self.builder.ins().stack_load(I64, ty, slot, 0)),
            Storage::Pair(_) | Storage::Memory(..) | Storage::Result(..) => None,
        }
    }

    pub(super) fn write_local(&mut self, local: LocalId, value: Value) {
        match self.storage.get(local).copied() {
            Some(Storage::Variable(variable, _)) => self.builder.def_var(variable, value),
            Some(Storage::Slot(slot, _)) => {
                self.builder.ins().stack_store(I64, value, slot, 0);
            }
            Some(
                Storage::Nothing | Storage::Pair(_) | Storage::Memory(..) | Storage::Result(..),
            )
            | None => {}
        }
    }

    /// The address of a place. A local has one only if something refers to it.
    pub(super) fn address(&mut self, place: &Place) -> Result<Value, CompileError> {
        let mut ty = self.body.locals[place.local].ty.clone();
        let mut steps = place.projections.iter();
        let mut address = match self.storage.get(place.local).copied() {
            Some(Storage::Slot(slot, _) | Storage::Memory(slot, _)) => {
                self.builder.ins().stack_addr(I64, slot, 0)
            }
            Some(Storage::Result(variable, _)) => self.builder.use_var(variable),
            Some(Storage::Pair([address, _])) => match (steps.next(), &ty) {
                (Some(Projection::Deref), Ty::Ref { inner, .. }) => {
                    ty = (**inner).clone();
                    self.builder.use_var(address)
                }
                (None, _) => return self.spilled(place.local),
                _ => return Err(self.error("a part of what has none")),
            },
            Some(Storage::Variable(variable, _)) => match (steps.next(), &ty) {
                (Some(Projection::Deref), Ty::Ref { inner, .. }) => {
                    ty = (**inner).clone();
                    self.builder.use_var(variable)
                }
                _ => return Err(self.error("a reference to what has no place")),
            },
            Some(Storage::Nothing) | None => {
                return Err(self.error("a reference to what has no place"));
            }
        };
        for step in steps {
            (address, ty) = self.step(address, &ty, step)?;
        }
        Ok(address)
    }

    /// The address that a step leads to from a place of type `ty`, and the type there.
    fn step(
        &mut self,
        address: Value,
        ty: &Ty,
        step: &Projection,
    ) -> Result<(Value, Ty), CompileError> {
        match (step, ty) {
            // A view is what it refers to.
            (Projection::Deref, Ty::Ref { inner, .. }) if is_view(ty) => {
                Ok((address, (**inner).clone()))
            }
            (Projection::Deref, Ty::Ref { inner, .. }) => {
                let address = self.builder.ins().load(I64, trusted(), address, 0);
                Ok((address, (**inner).clone()))
            }
            (Projection::Field { index, ty: part }, _) => {
                let offset = layout::offset(self.db, ty, *index) as i64;
                Ok((self.builder.ins().iadd_imm_s(address, offset), part.clone()))
            }
            (Projection::Payload { variant, index, ty: part }, _) => {
                let offsets = layout::payload_offsets(self.db, ty, *variant);
                let offset = offsets.get(*index as usize).map_or(0, |(offset, _)| *offset as i64);
                Ok((self.builder.ins().iadd_imm_s(address, offset), part.clone()))
            }
            (Projection::Element(position), Ty::Array { elem, .. }) => {
                let offset = layout::layout(self.db, elem).size.saturating_mul(*position) as i64;
                Ok((self.builder.ins().iadd_imm_s(address, offset), (**elem).clone()))
            }
            (Projection::Rest(first), Ty::Array { elem, len }) => {
                let offset = layout::layout(self.db, elem).size.saturating_mul(*first) as i64;
                let left = len.known().unwrap_or(0).saturating_sub(*first);
                let rest = Ty::Array { elem: elem.clone(), len: Extent::Known(left) };
                Ok((self.builder.ins().iadd_imm_s(address, offset), rest))
            }
            (Projection::Index(position), Ty::Array { elem, .. } | Ty::Slice(elem)) => {
                Ok((self.element_of_row(address, *position, elem)?, (**elem).clone()))
            }
            (Projection::Index(position), Ty::Collection { kind: Collection::Vec, args }) => {
                let elem = args.first().ok_or_else(|| self.error("a vector of nothing"))?;
                let address = self.builder.ins().load(I64, trusted(), address, 0);
                Ok((self.element_of_row(address, *position, elem)?, elem.clone()))
            }
            (
                Projection::Index(found),
                Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, args },
            ) => {
                let value = self.read_local(*found);
                let value = value.ok_or_else(|| self.error("a position without a value"))?;
                Ok((value, args.last().cloned().unwrap_or_default()))
            }
            (
                Projection::Deref
                | Projection::Element(_)
                | Projection::Rest(_)
                | Projection::Index(_),
                _,
            ) => Err(self.error("a part of what has none")),
        }
    }

    /// The address of an element of a row whose first one is at an address.
    fn element_of_row(
        &mut self,
        first: Value,
        position: LocalId,
        elem: &Ty,
    ) -> Result<Value, CompileError> {
        let position = self.read_local(position);
        let position = position.ok_or_else(|| self.error("a position without a value"))?;
        let size = layout::layout(self.db, elem).size as i64;
        let offset = self.builder.ins().imul_imm_s(position, size);
        Ok(self.builder.ins().iadd(first, offset))
    }

    /// What a place holds, of an aggregate its address; none if its type has no values.
    pub(super) fn read_place(&mut self, place: &Place) -> Result<Option<Value>, CompileError> {
        match layout::repr(self.db, &self.body.place_ty(place)) {
            Repr::Memory(_) => Ok(Some(self.address(place)?)),
            Repr::Nothing | Repr::Register(_) if place.projections.is_empty() => {
                Ok(self.read_local(place.local))
            }
            Repr::Nothing => Ok(None),
            Repr::Register(ty) => {
                let address = self.address(place)?;
                Ok(Some(self.builder.ins().load(ty, trusted(), address, 0)))
            }
        }
    }

    /// Puts a value in a place; of an aggregate, the bytes at the address `value`.
    pub(super) fn write_place(&mut self, place: &Place, value: Value) -> Result<(), CompileError> {
        let ty = self.body.place_ty(place);
        if is_pair(&ty) {
            let words = self.load_pair(value);
            return self.write_pair(place, words);
        }
        if let Repr::Memory(layout) = layout::repr(self.db, &ty) {
            let to = self.address(place)?;
            self.copy_memory(to, value, layout.size);
            return Ok(());
        }
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
                // What is moved from memory is emptied when it has arrived.
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
    pub(super) fn empty(&mut self, place: &Place) -> Result<(), CompileError> {
        if let Repr::Memory(layout) = layout::repr(self.db, &self.body.place_ty(place)) {
            let address = self.address(place)?;
            self.clear(address, layout.size);
            return Ok(());
        }
        let nothing = self.builder.ins().iconst(I64, 0);
        self.write_place(place, nothing)
    }

    pub(super) fn drop_place(&mut self, place: &Place) -> Result<(), CompileError> {
        let local = &self.body.locals[place.local];
        let hidden = match local.kind {
            LocalKind::Residuals(_) => Some(rt::RESIDUALS_DROP),
            LocalKind::Kept => Some(rt::CAPTURES_RELEASE),
            LocalKind::Param | LocalKind::Binding(_) | LocalKind::Temporary => None,
        };
        if let Some(release) = hidden.filter(|_| place.projections.is_empty()) {
            if let Some(value) = self.read_local(place.local) {
                self.unit.call(self.builder, release, &[value]);
            }
            return self.empty(place);
        }
        let ty = self.body.place_ty(place);
        if !matches!(ty, Ty::Tensor(_)) {
            if owns(self.db, &ty) {
                let address = self.address(place)?;
                let handling = match self.pool_of(place) {
                    Some(_) => Handling::ReleaseInPool,
                    None => Handling::Release,
                };
                self.each_tensor(address, &ty, handling)?;
            }
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
        if place.is_behind_reference() { None } else { self.body.locals[place.local].pool }
    }

    /// A tensor that moves from one place into another. What may outlive its pool becomes heap memory: a
    /// value from a pool that goes to a place outside of it, and one of unknown origin that is stored
    /// through a reference.
    pub(super) fn may_leave_pool(&self, from: &Place, to: &Place) -> bool {
        let pool = self.pool_of(from);
        match pool {
            Some(_) => pool != self.pool_of(to),
            None => to.is_behind_reference(),
        }
    }

    /// The same tensor in heap memory.
    pub(super) fn moved_to_heap(&mut self, handle: Value) -> Value {
        self.unit.call_value(self.builder, rt::BLOCK_TO_HEAP, &[handle], I64)
    }
}
