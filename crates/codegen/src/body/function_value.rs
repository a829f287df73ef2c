//! Function values: the address of the code, and that of what it captured.

use cranelift_codegen::ir::{AbiParam, InstBuilder, Value, types::I64};
use neuro_mir::{Code, Instance, Operand, Place};
use neuro_runtime::symbols as rt;
use neuro_types::Ty;

use super::BodyEmitter;
use crate::abi::{Role, Target};
use crate::callee;
use crate::error::CompileError;
use crate::layout::{self, Repr};
use crate::piece::trusted;

/// Where the address of the captures lies in a function value.
const CAPTURES: i32 = 8;

impl<'db> BodyEmitter<'_, '_, 'db> {
    /// Puts a function value in a place.
    pub(super) fn function_value(
        &mut self,
        dest: &Place,
        code: &Code<'db>,
        captures: Option<&Place>,
        kept: bool,
    ) -> Result<(), CompileError> {
        let target = match code {
            Code::Function { function, generics } => {
                let instance = Instance::new(self.db, *function, generics.clone());
                Target { instance, role: Role::Plain, checked: self.checked() }
            }
            Code::Expr(expr) => self.target.with_role(Role::Value(*expr)),
        };
        if !self.callees.contains(&target) {
            self.callees.push(target);
        }
        let code = callee::address(self.db, self.builder, self.unit, target);
        let captures = match captures {
            Some(place) if kept => self.kept_captures(place)?,
            Some(place) => self.address(place)?,
            None => self.builder.ins().iconst(I64, 0),
        };
        let address = self.address(dest)?;
        self.builder.ins().store(trusted(), code, address, 0);
        self.builder.ins().store(trusted(), captures, address, CAPTURES);
        Ok(())
    }

    /// The address of a copy of captures that stays until the function is left.
    fn kept_captures(&mut self, place: &Place) -> Result<Value, CompileError> {
        let from = self.address(place)?;
        let size = layout::layout(self.db, &self.body.place_ty(place)).size;
        let size = self.builder.ins().iconst(I64, size as i64);
        let kept = self.body.kept.ok_or_else(|| self.error("no place for captures"))?;
        let before = self.read_local(kept);
        let before = before.ok_or_else(|| self.error("no place for captures"))?;
        let copy =
            self.unit.call_value(self.builder, rt::CAPTURES_KEEP, &[before, from, size], I64);
        self.write_local(kept, copy);
        Ok(copy)
    }

    /// Calls a function value: the captures are the last argument. Code that captures nothing has no such parameter,
    /// and the convention of calls lets it be given one more.
    pub(super) fn call_value(
        &mut self,
        dest: Option<&Place>,
        callee: &Operand,
        args: &[Operand],
    ) -> Result<(), CompileError> {
        let ty = self.body.operand_ty(callee);
        let value = self.operand(callee)?;
        let (value, ty) = self.follow(value, &ty);
        // What lies in memory is reached by its address, which the last reference is.
        let Ty::Fn(function) = ty.peeled() else {
            return Err(self.error("a call of what is no function"));
        };
        let code = self.builder.ins().load(I64, trusted(), value, 0);
        let captures = self.builder.ins().load(I64, trusted(), value, CAPTURES);
        let mut arguments = Vec::with_capacity(args.len() + 2);
        self.result_argument(dest, &function.ret, &mut arguments)?;
        self.arguments(args, &mut arguments)?;
        arguments.push(captures);
        let mut signature = self.unit.signature(&[], &[]);
        for argument in &arguments {
            signature.params.push(AbiParam::new(self.builder.func.dfg.value_type(*argument)));
        }
        if let Repr::Register(result) = layout::repr(self.db, &function.ret) {
            signature.returns.push(AbiParam::new(result));
        }
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, code, &arguments);
        let result = self.builder.inst_results(call).first().copied();
        self.finish_call(dest, &function.ret, args, (arguments.first().copied(), result))
    }
}
