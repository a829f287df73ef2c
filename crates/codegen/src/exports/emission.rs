//! The code that stands between C and a function.

use cranelift_codegen::ir::{
    self as cl, AbiParam, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value,
    types::I32, types::I64,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use neuro_db::Db;
use neuro_grad::Checked;
use neuro_runtime::symbols as rt;
use neuro_runtime::text::NO_POOL;

use super::passed::{Access, Given, Kind, Part, Passed};
use super::{Export, Wrapper};
use crate::abi::{Role, Target};
use crate::block;
use crate::callee;
use crate::error::CompileError;
use crate::imports::{Linking, Unit, own_name};
use crate::piece::{elements, trusted};

/// A wrapper before it has code.
pub(super) struct Wrapping<'a, 'db> {
    pub(super) db: &'db dyn Db,
    pub(super) export: &'a Export<'db>,
    pub(super) checked: Checked,
    pub(super) isa: &'a dyn TargetIsa,
    pub(super) name: String,
    pub(super) params: Vec<Type>,
    pub(super) ret: Option<Type>,
}

impl<'db> Wrapping<'_, 'db> {
    pub(super) fn build(
        self,
        emit: impl FnOnce(&mut Emission<'_, '_, 'db>) -> Result<(), CompileError>,
    ) -> Result<Wrapper<'db>, CompileError> {
        let mut unit = Unit::new(0, self.isa.default_call_conv(), Linking::Object);
        let mut signature = unit.signature(&self.params, self.ret.as_slice());
        // Callers of C may read the whole register.
        signature.returns.iter_mut().filter(|given| given.value_type.bits() < 32).for_each(
            |given| *given = AbiParam { extension: cl::ArgumentExtension::Uext, ..*given },
        );
        let mut function = cl::Function::with_name_signature(own_name(), signature);
        let mut context = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut function, &mut context);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).to_vec();
        let mut callees = Vec::new();
        emit(&mut Emission {
            db: self.db,
            export: self.export,
            checked: self.checked,
            builder: &mut builder,
            unit: &mut unit,
            callees: &mut callees,
            params,
        })?;
        builder.seal_all_blocks();
        builder.finalize(self.isa.frontend_config());
        Ok(Wrapper { name: self.name, function, unit, callees })
    }
}

/// A place that is lent to a call: its parts, and what C passes for them.
struct Lent {
    slot: StackSlot,
    access: Access,
    parts: Vec<Part>,
    values: Vec<Value>,
}

/// The emission of a wrapper. The builder stands in the entry block.
pub(super) struct Emission<'a, 'f, 'db> {
    db: &'db dyn Db,
    export: &'a Export<'db>,
    checked: Checked,
    builder: &'a mut FunctionBuilder<'f>,
    unit: &'a mut Unit<'db>,
    callees: &'a mut Vec<Target<'db>>,
    /// The parameters of the machine function.
    params: Vec<Value>,
}

impl<'db> Emission<'_, '_, 'db> {
    fn slot(&mut self, bytes: u32) -> StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes.max(8), 3);
        self.builder.create_sized_stack_slot(data)
    }

    fn target(&mut self, role: Role) -> Target<'db> {
        let target = Target::plain(self.db, self.export.function, role, self.checked);
        self.callees.push(target);
        target
    }

    /// Copies elements.
    fn copy(&mut self, to: Value, from: Value, bytes: u64) {
        let bytes = self.builder.ins().iconst(I64, bytes as i64);
        self.unit.call(self.builder, rt::COPY, &[to, from, bytes]);
    }

    /// A tensor of the elements at an address.
    fn tensor(&mut self, from: Value, bytes: u64) -> Value {
        let handle = block::allocate(self.builder, self.unit, None, bytes);
        let to = elements(self.builder, handle);
        self.copy(to, from, bytes);
        handle
    }

    /// Puts the elements of a tensor where C wants them.
    fn give(&mut self, handle: Value, to: Value, bytes: u64) {
        let from = elements(self.builder, handle);
        self.copy(to, from, bytes);
    }

    fn return_(&mut self, values: &[Value]) {
        self.unit.call(self.builder, rt::FLUSH, &[]);
        self.builder.ins().return_(values);
    }

    /// `(arguments, where the parts of the result are put) -> result`.
    pub(super) fn plain(&mut self) -> Result<(), CompileError> {
        let export = self.export;
        let mut given = self.params.clone().into_iter();
        let mut arguments = Vec::with_capacity(self.params.len());
        let mut kept = Vec::new();
        for passed in &export.params {
            let values: Vec<Value> = given.by_ref().take(passed.registers().len()).collect();
            match (passed, &values[..]) {
                (Passed::Scalar(_) | Passed::Pointer(_) | Passed::Array, values) => {
                    arguments.extend_from_slice(values);
                }
                (Passed::Tensor { bytes, access: Access::Owned }, [value]) => {
                    arguments.push(self.tensor(*value, *bytes));
                }
                (Passed::Tensor { bytes, access }, _) => {
                    let part = Part { offset: 0, kind: Kind::Tensor { bytes: *bytes } };
                    let place =
                        Lent { slot: self.slot(8), access: *access, parts: vec![part], values };
                    arguments.push(self.arrive(&place));
                    kept.push(place);
                }
                (Passed::Place { bytes, access, parts }, _) => {
                    let slot = self.slot(*bytes as u32);
                    let place = Lent { slot, access: *access, parts: parts.clone(), values };
                    arguments.push(self.arrive(&place));
                    kept.push(place);
                }
            }
        }
        let result = match &export.given {
            Given::Place { bytes, .. } => Some(self.slot(*bytes as u32)),
            Given::Nothing | Given::Scalar(_) | Given::Tensor { .. } => None,
        };
        if let (Some(slot), Given::Place { bytes, .. }) = (result, &export.given) {
            let address = self.builder.ins().stack_addr(I64, slot, 0);
            let bytes = self.builder.ins().iconst(I64, *bytes as i64);
            self.unit.call(self.builder, rt::CLEAR, &[address, bytes]);
            arguments.insert(0, address);
        }
        let target = self.target(Role::Plain);
        let value = callee::call(self.db, self.builder, self.unit, target, &arguments);
        for place in &kept {
            self.leave(place);
        }
        match (&export.given, value, given.next()) {
            (Given::Tensor { bytes }, Some(handle), Some(to)) => {
                self.give(handle, to, *bytes);
                block::release(self.builder, self.unit, handle);
                self.return_(&[]);
            }
            (Given::Place { parts, .. }, _, first) => {
                let values: Vec<Value> = first.into_iter().chain(given).collect();
                if let Some(slot) = result {
                    let access = Access::Mutable;
                    self.leave(&Lent { slot, access, parts: parts.clone(), values });
                }
                self.return_(&[]);
            }
            (Given::Scalar(_), Some(value), _) => self.return_(&[value]),
            (Given::Nothing | Given::Scalar(_) | Given::Tensor { .. }, _, _) => self.return_(&[]),
        }
        Ok(())
    }

    /// Fills a place with the parts that C passes; gives its address.
    fn arrive(&mut self, place: &Lent) -> Value {
        let mut values = place.values.iter().copied();
        for part in &place.parts {
            let Some(value) = values.next() else { continue };
            let at = part.offset as i32;
            match part.kind {
                Kind::Number(register) => {
                    let value = match place.access {
                        Access::Mutable => self.builder.ins().load(register, trusted(), value, 0),
                        Access::Owned | Access::Shared => value,
                    };
                    self.builder.ins().stack_store(I64, value, place.slot, at);
                }
                Kind::Elements { bytes } => {
                    let to = self.builder.ins().stack_addr(I64, place.slot, at);
                    self.copy(to, value, bytes);
                }
                Kind::Tensor { bytes } => {
                    let handle = self.tensor(value, bytes);
                    self.builder.ins().stack_store(I64, handle, place.slot, at);
                }
                Kind::Text => {
                    let Some(length) = values.next() else { continue };
                    let words = self.slot(16);
                    self.builder.ins().stack_store(I64, value, words, 0);
                    self.builder.ins().stack_store(I64, length, words, 8);
                    let arguments = [
                        self.builder.ins().iconst(I64, NO_POOL as i64),
                        self.builder.ins().stack_addr(I64, place.slot, at),
                        self.builder.ins().stack_addr(I64, words, 0),
                        self.builder.ins().iconst(I64, 1),
                    ];
                    self.unit.call(self.builder, rt::TEXT_JOIN, &arguments);
                }
                Kind::View => {
                    let Some(length) = values.next() else { continue };
                    self.builder.ins().stack_store(I64, value, place.slot, at);
                    self.builder.ins().stack_store(I64, length, place.slot, at + 8);
                }
            }
        }
        self.builder.ins().stack_addr(I64, place.slot, 0)
    }

    /// Gives C what the call left in a place that may be changed, and releases what was only lent.
    fn leave(&mut self, place: &Lent) {
        if place.access == Access::Owned {
            return;
        }
        let changed = place.access == Access::Mutable;
        let mut values = place.values.iter().copied();
        for part in &place.parts {
            let Some(to) = values.next() else { continue };
            let at = part.offset as i32;
            match part.kind {
                Kind::Number(register) if changed => {
                    let value = self.builder.ins().stack_load(I64, register, place.slot, at);
                    self.builder.ins().store(trusted(), value, to, 0);
                }
                Kind::Elements { bytes } if changed => {
                    let from = self.builder.ins().stack_addr(I64, place.slot, at);
                    self.copy(to, from, bytes);
                }
                Kind::Number(_) | Kind::Elements { .. } => {}
                Kind::Tensor { bytes } => {
                    let handle = self.builder.ins().stack_load(I64, I64, place.slot, at);
                    if changed {
                        self.give(handle, to, bytes);
                    }
                    block::release(self.builder, self.unit, handle);
                }
                Kind::Text => {
                    let Some(length_to) = values.next() else { continue };
                    let start = self.builder.ins().stack_load(I64, I64, place.slot, at);
                    if changed {
                        let length = self.builder.ins().stack_load(I64, I64, place.slot, at + 8);
                        self.builder.ins().store(trusted(), start, to, 0);
                        self.builder.ins().store(trusted(), length, length_to, 0);
                    } else {
                        self.unit.call(self.builder, rt::TEXT_DROP, &[start]);
                    }
                }
                Kind::View => {
                    values.next();
                }
            }
        }
    }

    /// `(arguments, where the value is put, where the gradients of `wrt` are put, workspace) -> trap`.
    pub(super) fn guarded(&mut self, role: Role, wrt: &[usize]) -> Result<(), CompileError> {
        let inputs = &self.export.params;
        let slots = self.slot(8 * inputs.len() as u32);
        for (index, passed) in inputs.iter().enumerate() {
            let Some(value) = self.params.get(index).copied() else { continue };
            let value = match *passed {
                Passed::Scalar(_) => value,
                Passed::Pointer(register) => self.builder.ins().load(register, trusted(), value, 0),
                Passed::Tensor { bytes, .. } => self.tensor(value, bytes),
                Passed::Array | Passed::Place { .. } => value,
            };
            self.builder.ins().stack_store(I64, value, slots, 8 * index as i32);
        }
        let given = self.slot(8);
        let target = self.target(role);
        let signature = target.signature(self.db, self.unit);
        let code = self.unit.compiled(self.builder.func, &target.name(self.db), signature);
        let code = self.builder.ins().func_addr(I64, code);
        let arguments = [
            code,
            self.builder.ins().stack_addr(I64, slots, 0),
            self.builder.ins().stack_addr(I64, given, 0),
        ];
        let trap = self.unit.call_value(self.builder, rt::GUARD, &arguments, I32);
        let (failed, well) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failed);
        self.builder.ins().brif(trap, failed, &[], well, &[]);
        self.builder.switch_to_block(failed);
        self.release(slots, false);
        self.return_(&[trap]);
        self.builder.switch_to_block(well);
        let mut places =
            self.params.iter().skip(inputs.len()).copied().collect::<Vec<_>>().into_iter();
        if let (Given::Tensor { bytes }, Some(to)) = (self.export.given.clone(), places.next()) {
            let handle = self.builder.ins().stack_load(I64, I64, given, 0);
            self.give(handle, to, bytes);
            block::release(self.builder, self.unit, handle);
        }
        for (index, to) in wrt.iter().zip(places) {
            let Some(Passed::Tensor { bytes, .. }) = inputs.get(*index).cloned() else { continue };
            let handle = self.builder.ins().stack_load(I64, I64, slots, 8 * *index as i32);
            let gradient = self.unit.call_value(self.builder, rt::GRADIENT_FILL, &[handle], I64);
            self.give(gradient, to, bytes);
        }
        // The sweeps only read; a plain call takes what it is given.
        self.release(slots, role == Role::GradientEntry);
        let well = self.builder.ins().iconst(I32, 0);
        self.return_(&[well]);
        Ok(())
    }

    /// Releases the tensors in the slots; those that were passed by value only if they are still there.
    fn release(&mut self, slots: StackSlot, owned_too: bool) {
        for (index, passed) in self.export.params.iter().enumerate() {
            if let Passed::Tensor { access, .. } = *passed
                && (owned_too || access != Access::Owned)
            {
                let handle = self.builder.ins().stack_load(I64, I64, slots, 8 * index as i32);
                block::release(self.builder, self.unit, handle);
            }
        }
    }

    /// `() -> bytes`: calls take no memory of their caller's.
    pub(super) fn no_bytes(&mut self) -> Result<(), CompileError> {
        let bytes = self.builder.ins().iconst(I64, 0);
        self.builder.ins().return_(&[bytes]);
        Ok(())
    }
}
