//! Half precision in registers: kept as its 16 bits, computed in `f32`, rounded once.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, condcodes::IntCC, types};
use cranelift_frontend::FunctionBuilder;
use neuro_num::DType;
use neuro_runtime::symbols as rt;

use crate::scalar::{Place, widen};

/// The value of a half as an `f32`, which has all of them.
pub(crate) fn wide(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    half: DType,
    value: Value,
) -> Value {
    let code = builder.ins().uextend(types::I32, value);
    if half == DType::BF16 {
        let bits = builder.ins().ishl_imm_u(code, 16);
        return builder.ins().bitcast(types::F32, MemFlagsData::new(), bits);
    }
    place.call(builder, rt::F16_VALUE, &[code], types::F32)
}

/// The half that is nearest to an `f32`.
pub(crate) fn rounded(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    half: DType,
    value: Value,
) -> Value {
    let double = builder.ins().fpromote(types::F64, value);
    rounded_double(builder, place, half, double)
}

/// The half that is nearest to an `f64`.
pub(crate) fn rounded_double(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    half: DType,
    value: Value,
) -> Value {
    let symbol = if half == DType::BF16 { rt::BF16_ROUND } else { rt::F16_ROUND };
    let code = place.call(builder, symbol, &[value], types::I32);
    builder.ins().ireduce(types::I16, code)
}

/// The half that is nearest to an integer or truth value of type `from`.
pub(crate) fn rounded_integer(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    half: DType,
    from: DType,
    value: Value,
) -> Value {
    let mut value = widen(builder, from, value);
    if from.size() == 8 {
        value = odd(builder, from, value);
    }
    let double = match from {
        DType::U64 => builder.ins().fcvt_from_uint(types::F64, value),
        _ => builder.ins().fcvt_from_sint(types::F64, value),
    };
    rounded_double(builder, place, half, double)
}

/// An integer that an `f64` holds: one that has more digits is made odd in the last place that is left, so that it is
/// not rounded twice.
fn odd(builder: &mut FunctionBuilder<'_>, from: DType, value: Value) -> Value {
    let up = builder.ins().ishl_imm_u(value, BEYOND_DOUBLE);
    let back = match from {
        DType::U64 => builder.ins().ushr_imm_u(up, BEYOND_DOUBLE),
        _ => builder.ins().sshr_imm_u(up, BEYOND_DOUBLE),
    };
    let exact = builder.ins().icmp(IntCC::Equal, back, value);
    let lost = builder.ins().band_imm_u(value, (1 << BEYOND_DOUBLE) - 1);
    let kept = builder.ins().bxor(value, lost);
    let any = builder.ins().icmp_imm_u(IntCC::NotEqual, lost, 0);
    let any = builder.ins().uextend(types::I64, any);
    let last = builder.ins().ishl_imm_u(any, BEYOND_DOUBLE);
    let odd = builder.ins().bor(kept, last);
    builder.ins().select(exact, value, odd)
}

/// How many of the 64 bits of an integer may be more than an `f64` holds.
const BEYOND_DOUBLE: i64 = 11;
