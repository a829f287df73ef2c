//! Code that is called from Rust: it takes the arguments from memory and passes them on.
//!
//! Argument `i` is in slot `i`: the bits of a scalar, or the handle of a tensor. A reference parameter gets
//! the address of the slot itself.

use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types::I64};
use cranelift_frontend::FunctionBuilder;
use neuro_db::Db;
use neuro_runtime::symbols as rt;
use neuro_types::{Ty, fn_sig};

use crate::abi::{Role, Target, value_type};
use crate::callee;
use crate::error::CompileError;
use crate::imports::Unit;
use crate::piece::trusted;
use crate::scalar;

/// The emission of an entry. The builder stands in the entry block.
pub(crate) struct EntryEmitter<'a, 'f, 'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) target: Target<'db>,
    pub(crate) builder: &'a mut FunctionBuilder<'f>,
    pub(crate) unit: &'a mut Unit<'db>,
    pub(crate) callees: &'a mut Vec<Target<'db>>,
    /// The address of the slots.
    pub(crate) slots: Value,
}

impl<'db> EntryEmitter<'_, '_, 'db> {
    fn stack_slot(&mut self) -> cranelift_codegen::ir::StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        self.builder.create_sized_stack_slot(data)
    }

    /// The argument of type `ty` whose slot is at `address`.
    fn argument(&mut self, ty: &Ty, address: Value) -> Option<Value> {
        let Ty::Ref { inner, .. } = ty else {
            let register = value_type(ty)?;
            return Some(self.builder.ins().load(register, trusted(), address, 0));
        };
        if !matches!(**inner, Ty::Ref { .. }) {
            return Some(address);
        }
        let referent = self.argument(inner, address)?;
        let slot = self.stack_slot();
        self.builder.ins().stack_store(I64, referent, slot, 0);
        Some(self.builder.ins().stack_addr(I64, slot, 0))
    }

    fn arguments(&mut self) -> Vec<Value> {
        let sig = fn_sig(self.db, self.target.function(self.db));
        let mut arguments = Vec::with_capacity(sig.params.len());
        for (index, param) in sig.params.iter().enumerate() {
            let address = self.builder.ins().iadd_imm_s(self.slots, 8 * index as i64);
            arguments.extend(self.argument(&param.ty, address));
        }
        arguments
    }

    fn call(&mut self, role: Role, arguments: &[Value]) -> Option<Value> {
        let target = self.target.with_role(role);
        self.callees.push(target);
        callee::call(self.db, self.builder, self.unit, target, arguments)
    }

    /// `(slots) -> bits of the result`.
    pub(crate) fn plain(&mut self) {
        let arguments = self.arguments();
        let result = self.call(Role::Plain, &arguments);
        let ret = &fn_sig(self.db, self.target.function(self.db)).ret;
        let bits = match (result, ret) {
            (Some(value), Ty::Scalar(dtype)) => scalar::bits(self.builder, *dtype, value),
            (Some(value), Ty::Char) => self.builder.ins().uextend(I64, value),
            (Some(value), _) => value,
            (None, _) => self.builder.ins().iconst(I64, 0),
        };
        self.builder.ins().return_(&[bits]);
    }

    /// `(slots) -> loss`: both sweeps.
    pub(crate) fn gradient(&mut self) -> Result<(), CompileError> {
        let mut arguments = self.arguments();
        let out = self.stack_slot();
        arguments.push(self.builder.ins().stack_addr(I64, out, 0));
        let Some(loss) = self.call(Role::Forward, &arguments) else {
            let name = self.target.function(self.db).name(self.db);
            return Err(CompileError::input(&name, "its forward sweep gives no loss"));
        };
        let residuals = self.builder.ins().stack_load(I64, I64, out, 0);
        if let Some(last) = arguments.last_mut() {
            *last = residuals;
        }
        self.call(Role::Reverse, &arguments);
        self.unit.call(self.builder, rt::RESIDUALS_DROP, &[residuals]);
        self.builder.ins().return_(&[loss]);
        Ok(())
    }
}
