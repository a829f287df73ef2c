//! Addresses and counter expressions that move along with the loops of a nest.

use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::FunctionBuilder;
use neuro_loops::Index;
use rustc_hash::FxHashMap;

/// `start + scale * index`, as far as the counters of the loops around are known.
#[derive(Clone, Debug)]
pub(super) struct Walk<'p> {
    pub(super) index: &'p Index,
    pub(super) scale: i64,
    /// The value with the counters of the loops that are not entered yet at 0.
    pub(super) current: Value,
}

impl<'p> Walk<'p> {
    /// A walk before all loops.
    pub(super) fn new(
        builder: &mut FunctionBuilder<'_>,
        start: Value,
        index: &'p Index,
        scale: i64,
    ) -> Walk<'p> {
        let current = moved(builder, start, index.offset.wrapping_mul(scale));
        Walk { index, scale, current }
    }
}

/// Moves every walk to `counter` of loop `number`.
pub(super) fn advance(
    builder: &mut FunctionBuilder<'_>,
    walks: &mut [Walk<'_>],
    number: usize,
    counter: Value,
) {
    let mut products: FxHashMap<i64, Value> = FxHashMap::default();
    for walk in walks {
        let factor = walk.index.strides[number].wrapping_mul(walk.scale);
        if factor == 0 {
            continue;
        }
        let distance = *products.entry(factor).or_insert_with(|| scaled(builder, counter, factor));
        walk.current = builder.ins().iadd(walk.current, distance);
    }
}

/// `value + distance`.
pub(super) fn moved(builder: &mut FunctionBuilder<'_>, value: Value, distance: i64) -> Value {
    match distance {
        0 => value,
        distance => builder.ins().iadd_imm_s(value, distance),
    }
}

/// `value * factor`.
pub(super) fn scaled(builder: &mut FunctionBuilder<'_>, value: Value, factor: i64) -> Value {
    match factor {
        1 => value,
        factor if factor > 0 && factor.count_ones() == 1 => {
            builder.ins().ishl_imm_s(value, i64::from(factor.trailing_zeros()))
        }
        factor => builder.ins().imul_imm_s(value, factor),
    }
}
