//! Where arithmetic of a graph calls and panics.

use cranelift_codegen::ir::{Block, InstBuilder, Type, Value};
use cranelift_frontend::FunctionBuilder;
use neuro_ir::Loc;
use neuro_runtime::PanicKind;

use crate::imports::Imports;
use crate::scalar::Place;

/// Arithmetic at a location of the graph.
pub(super) struct LocPlace<'e> {
    pub(super) imports: &'e mut dyn Imports,
    pub(super) loc: Option<Loc>,
}

impl Place for LocPlace<'_> {
    fn call(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        symbol: &str,
        arguments: &[Value],
        result: Type,
    ) -> Value {
        let params: Vec<Type> =
            arguments.iter().map(|value| builder.func.dfg.value_type(*value)).collect();
        let callee = self.imports.function(builder.func, symbol, &params, &[result]);
        let call = builder.ins().call(callee, arguments);
        builder.inst_results(call)[0]
    }

    fn require(&mut self, builder: &mut FunctionBuilder<'_>, holds: Value, kind: PanicKind) {
        let next = split(builder, holds);
        self.imports.panic(builder, kind, self.loc);
        builder.switch_to_block(next);
    }
}

/// Ends the current block: goes on in the block that is given if `holds` is not zero. The current block is then the
/// cold one of the other case.
pub(super) fn split(builder: &mut FunctionBuilder<'_>, holds: Value) -> Block {
    let (cold, next) = (builder.create_block(), builder.create_block());
    builder.set_cold_block(cold);
    builder.ins().brif(holds, next, &[], cold, &[]);
    builder.switch_to_block(cold);
    next
}
