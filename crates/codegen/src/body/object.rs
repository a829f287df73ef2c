//! References to values of any type that has a trait: the address of the value, and that of a table of the functions
//! by which its type has the trait.

use cranelift_codegen::ir::{AbiParam, InstBuilder};
use neuro_hir::Function;
use neuro_mir::{Instance, Operand, Place};
use neuro_types::{GenericArg, Ty, behind_dyn, fn_sig, number_in_trait};

use super::BodyEmitter;
use crate::abi::{Role, Target};
use crate::callee;
use crate::error::CompileError;
use crate::layout::{self, Repr};

impl<'db> BodyEmitter<'_, '_, 'db> {
    /// Puts such a reference to a place in another.
    pub(super) fn object(&mut self, place: &Place, of: &Place) -> Result<(), CompileError> {
        let wanted = self.body.place_ty(place);
        let Ty::Dyn(bound) = wanted.peeled() else {
            return Err(self.error("a reference to a value of no trait"));
        };
        let functions = behind_dyn(self.db, &bound.of_trait, &self.body.place_ty(of));
        let mut targets = Vec::with_capacity(functions.len());
        for (function, args) in functions {
            let instance = Instance::new(self.db, function, args);
            let target = Target { instance, role: Role::Plain, checked: self.checked() };
            if !self.callees.contains(&target) {
                self.callees.push(target);
            }
            targets.push(target);
        }
        let address = self.address(of)?;
        let table = callee::table(self.db, self.builder, self.unit, &targets);
        self.write_pair(place, [address, table])
    }

    /// Calls a function of a trait through such a reference, the first argument.
    pub(super) fn call_dyn(
        &mut self,
        dest: Option<&Place>,
        function: Function<'db>,
        args: &[Operand],
    ) -> Result<(), CompileError> {
        let Some((Operand::Copy(receiver), rest)) = args.split_first() else {
            return Err(self.error("a call through `dyn` of nothing"));
        };
        let own = [GenericArg::Type(self.body.place_ty(receiver).peeled().clone())];
        let ret = fn_sig(self.db, function).ret.apply(&own);
        let index = number_in_trait(self.db, function);
        let index = index.ok_or_else(|| self.error("a call through `dyn` of no method"))?;
        let [address, table] = self.read_pair(receiver)?;
        let code = callee::from_table(self.builder, self.unit, table, index);
        let mut arguments = Vec::with_capacity(args.len() + 1);
        self.result_argument(dest, &ret, &mut arguments)?;
        arguments.push(address);
        self.arguments(rest, &mut arguments)?;
        let mut signature = self.unit.signature(&[], &[]);
        for argument in &arguments {
            signature.params.push(AbiParam::new(self.builder.func.dfg.value_type(*argument)));
        }
        if let Repr::Register(result) = layout::repr(self.db, &ret) {
            signature.returns.push(AbiParam::new(result));
        }
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, code, &arguments);
        let result = self.builder.inst_results(call).first().copied();
        self.finish_call(dest, &ret, rest, (arguments.first().copied(), result))
    }
}
