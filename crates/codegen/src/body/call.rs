//! Calls: plain ones, and the sweeps of a `@grad` call. Each goes through the cell of its callee.

use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types::I64};
use neuro_hir::Function;
use neuro_mir::{Operand, Place, SweepId};
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use super::BodyEmitter;
use crate::abi::{Role, Target};
use crate::block;
use crate::callee;
use crate::error::CompileError;

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
        function: Function<'db>,
        args: &[Operand],
    ) -> Result<(), CompileError> {
        let mut arguments = Vec::with_capacity(args.len());
        for arg in args {
            if !matches!(self.body.operand_ty(arg), Ty::Void | Ty::Never | Ty::Error | Ty::Text) {
                arguments.push(self.operand(arg)?);
            }
        }
        let target = Target { function, role: Role::Plain, checked: self.checked() };
        let Some(mut result) = self.call_code(target, &arguments) else { return Ok(()) };
        let is_tensor = matches!(neuro_types::fn_sig(self.db, function).ret, Ty::Tensor(_));
        let Some(dest) = dest else {
            if is_tensor {
                block::release(self.builder, self.unit, result);
            }
            return Ok(());
        };
        // The callee may have handed back what it was given.
        let given_from_pool = args.iter().any(|arg| match arg {
            Operand::Move(from) => self.may_leave_pool(from, dest),
            Operand::Copy(_) | Operand::Const(_) => false,
        });
        if is_tensor && given_from_pool {
            result = self.moved_to_heap(result);
        }
        self.write_place(dest, result)
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
        let target = Target { function, role: Role::Forward, checked };
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
        self.call_code(Target { function, role: Role::Reverse, checked }, &arguments);
        self.unit.call(self.builder, rt::RESIDUALS_DROP, &[residuals]);
        let nothing = self.builder.ins().iconst(I64, 0);
        self.write_local(sweep.residuals, nothing);
        Ok(())
    }
}
