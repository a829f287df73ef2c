//! Calls of other compiled functions.

use cranelift_codegen::ir::{InstBuilder, Value, types::I64};
use cranelift_frontend::FunctionBuilder;
use neuro_db::Db;

use crate::abi::Target;
use crate::imports::{Linking, Unit};
use crate::piece::trusted;

/// Calls `target`; gives its result, if it has one.
pub(crate) fn call<'db>(
    db: &'db dyn Db,
    builder: &mut FunctionBuilder<'_>,
    unit: &mut Unit<'db>,
    target: Target<'db>,
    arguments: &[Value],
) -> Option<Value> {
    let signature = target.signature(db, unit);
    let name = target.name(db);
    let call = match unit.linking {
        Linking::Process => {
            let signature = builder.import_signature(signature);
            let cell = unit.cell(builder.func, &name);
            let cell = builder.ins().symbol_value(I64, cell);
            let address = builder.ins().load(I64, trusted(), cell, 0);
            builder.ins().call_indirect(signature, address, arguments)
        }
        Linking::Object => {
            let callee = unit.compiled(builder.func, &name, signature);
            builder.ins().call(callee, arguments)
        }
    };
    builder.inst_results(call).first().copied()
}
