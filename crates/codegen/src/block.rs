//! Calls of the run-time library about blocks.

use cranelift_codegen::ir::{InstBuilder, Value, types::I64};
use cranelift_frontend::FunctionBuilder;
use neuro_runtime::symbols as rt;
use neuro_types::TensorTy;

use crate::imports::Unit;

/// Bytes of a tensor's elements. Saturates; the run time then says that there is not enough memory.
pub(crate) fn bytes_of(tensor: &TensorTy) -> u64 {
    tensor.shape.elements().unwrap_or(u64::MAX).saturating_mul(tensor.elem.size() as u64)
}

/// A block of so many bytes, from an open pool or from the heap.
pub(crate) fn allocate(
    builder: &mut FunctionBuilder<'_>,
    unit: &mut Unit<'_>,
    pool: Option<Value>,
    bytes: u64,
) -> Value {
    let bytes = builder.ins().iconst(I64, bytes as i64);
    match pool {
        Some(pool) => unit.call_value(builder, rt::BLOCK_NEW_IN_POOL, &[pool, bytes], I64),
        None => unit.call_value(builder, rt::BLOCK_NEW, &[bytes], I64),
    }
}

/// A copy of a tensor, in an open pool or on the heap.
pub(crate) fn clone(
    builder: &mut FunctionBuilder<'_>,
    unit: &mut Unit<'_>,
    pool: Option<Value>,
    handle: Value,
) -> Value {
    match pool {
        Some(pool) => unit.call_value(builder, rt::BLOCK_CLONE_IN_POOL, &[pool, handle], I64),
        None => unit.call_value(builder, rt::BLOCK_CLONE, &[handle], I64),
    }
}

/// Releases a tensor, if there is one.
pub(crate) fn release(builder: &mut FunctionBuilder<'_>, unit: &mut Unit<'_>, handle: Value) {
    unit.call(builder, rt::BLOCK_DROP, &[handle]);
}
