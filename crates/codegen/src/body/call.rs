//! Calls: plain ones, and the sweeps of a `@grad` call. Each goes through the cell of its callee.

use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types::I64};
use neuro_mir::{Instance, Operand, Place, SweepId};
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use super::BodyEmitter;
use super::memory::Handling;
use crate::abi::{Role, Target};
use crate::block;
use crate::callee;
use crate::error::CompileError;
use crate::layout::{self, Layout, Repr, is_pair};

impl<'db> BodyEmitter<'_, '_, 'db> {
    fn call_code(&mut self, target: Target<'db>, arguments: &[Value]) -> Option<Value> {
        if !self.callees.contains(&target) {
            self.callees.push(target);
        }
        callee::call(self.db, self.builder, self.unit, target, arguments)
    }

    pub(super) fn call(
        &mut self,
        dest: Option<&Place>,
        instance: Instance<'db>,
        args: &[Operand],
    ) -> Result<(), CompileError> {
        let mut arguments = Vec::with_capacity(args.len() + 1);
        let ret = &instance.result(self.db);
        if let Repr::Memory(layout) = layout::repr(self.db, ret) {
            arguments.push(self.result_address(dest, layout)?);
        }
        for arg in args {
            if layout::repr(self.db, &self.body.operand_ty(arg)) != Repr::Nothing {
                arguments.push(self.operand(arg)?);
            }
        }
        let target = Target { instance, role: Role::Plain, checked: self.checked() };
        let result = self.call_code(target, &arguments);
        for arg in args {
            if let Repr::Memory(_) = layout::repr(self.db, &self.body.operand_ty(arg)) {
                self.arrived(arg)?;
            }
        }
        if let (Repr::Memory(_), Some(address)) = (layout::repr(self.db, ret), arguments.first()) {
            if let Some(dest) = dest
                && is_pair(ret)
            {
                return self.write_place(dest, *address);
            }
            // The callee may have handed back what it was given.
            let handling = match dest {
                None => Some(Handling::Release),
                Some(dest) => self.given_from_pool(args, dest).then_some(Handling::ToHeap),
            };
            return match handling {
                Some(handling) => self.each_tensor(*address, ret, handling),
                None => Ok(()),
            };
        }
        let Some(mut result) = result else { return Ok(()) };
        let is_tensor = matches!(ret, Ty::Tensor(_));
        let Some(dest) = dest else {
            if is_tensor {
                block::release(self.builder, self.unit, result);
            }
            return Ok(());
        };
        // The callee may have handed back what it was given.
        if is_tensor && self.given_from_pool(args, dest) {
            result = self.moved_to_heap(result);
        }
        self.write_place(dest, result)
    }

    /// Whether an argument from a pool may come back into a place outside of it.
    fn given_from_pool(&self, args: &[Operand], dest: &Place) -> bool {
        args.iter().any(|arg| match arg {
            Operand::Move(from) => self.may_leave_pool(from, dest),
            Operand::Copy(_) | Operand::Const(_) => false,
        })
    }

    /// Where a callee puts the aggregate that it gives.
    fn result_address(
        &mut self,
        dest: Option<&Place>,
        layout: Layout,
    ) -> Result<Value, CompileError> {
        match dest {
            Some(dest) => self.address(dest),
            None => {
                let slot = self.memory_slot(layout)?;
                Ok(self.builder.ins().stack_addr(I64, slot, 0))
            }
        }
    }

    fn sweep_arguments(&mut self, sweep: SweepId) -> Result<Vec<Value>, CompileError> {
        let body = self.body;
        body.sweeps[sweep].args.iter().map(|arg| self.operand(arg)).collect()
    }

    pub(super) fn forward(&mut self, id: SweepId) -> Result<(), CompileError> {
        let sweep = &self.body.sweeps[id];
        let mut arguments = self.sweep_arguments(id)?;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        let out = self.builder.create_sized_stack_slot(data);
        arguments.push(self.builder.ins().stack_addr(I64, out, 0));
        let (function, checked) = (sweep.function, self.checked());
        let target = Target::plain(self.db, function, Role::Forward, checked);
        if let Some(loss) = self.call_code(target, &arguments) {
            self.write_local(sweep.loss, loss);
        }
        let residuals = self.builder.ins().stack_load(I64, I64, out, 0);
        self.write_local(sweep.residuals, residuals);
        Ok(())
    }

    pub(super) fn backward(&mut self, id: SweepId) -> Result<(), CompileError> {
        let sweep = &self.body.sweeps[id];
        let mut arguments = self.sweep_arguments(id)?;
        let residuals = self.read_local(sweep.residuals);
        let residuals = residuals.ok_or_else(|| self.error("a sweep without residuals"))?;
        arguments.push(residuals);
        let (function, checked) = (sweep.function, self.checked());
        self.call_code(Target::plain(self.db, function, Role::Reverse, checked), &arguments);
        self.unit.call(self.builder, rt::RESIDUALS_DROP, &[residuals]);
        let nothing = self.builder.ins().iconst(I64, 0);
        self.write_local(sweep.residuals, nothing);
        Ok(())
    }
}
