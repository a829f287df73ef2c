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
            let address = address(db, builder, unit, target);
            builder.ins().call_indirect(signature, address, arguments)
        }
        Linking::Object => {
            let callee = unit.compiled(builder.func, &name, signature);
            builder.ins().call(callee, arguments)
        }
    };
    builder.inst_results(call).first().copied()
}

/// The address of the code of `target`.
pub(crate) fn address<'db>(
    db: &'db dyn Db,
    builder: &mut FunctionBuilder<'_>,
    unit: &mut Unit<'db>,
    target: Target<'db>,
) -> Value {
    let name = target.name(db);
    match unit.linking {
        Linking::Process => {
            let cell = unit.cell(builder.func, &name);
            let cell = builder.ins().symbol_value(I64, cell);
            builder.ins().load(I64, trusted(), cell, 0)
        }
        Linking::Object => {
            let signature = target.signature(db, unit);
            let callee = unit.compiled(builder.func, &name, signature);
            builder.ins().func_addr(I64, callee)
        }
    }
}

/// The address of a table of the code of targets.
pub(crate) fn table<'db>(
    db: &'db dyn Db,
    builder: &mut FunctionBuilder<'_>,
    unit: &mut Unit<'db>,
    targets: &[Target<'db>],
) -> Value {
    let names: Vec<String> = targets.iter().map(|target| target.name(db)).collect();
    if unit.linking == Linking::Object {
        for (target, name) in targets.iter().zip(&names) {
            let signature = target.signature(db, unit);
            unit.compiled(builder.func, name, signature);
        }
    }
    let table = unit.table(builder.func, names);
    builder.ins().symbol_value(I64, table)
}

/// The address of code in a table.
pub(crate) fn from_table(
    builder: &mut FunctionBuilder<'_>,
    unit: &Unit<'_>,
    table: Value,
    index: usize,
) -> Value {
    let found = builder.ins().load(I64, trusted(), table, index as i32 * 8);
    match unit.linking {
        // A cell, which holds the address.
        Linking::Process => builder.ins().load(I64, trusted(), found, 0),
        Linking::Object => found,
    }
}
