//! Arithmetic on scalars, as `neuro-num` defines it. Used by the code of bodies and of loop programs.

use cranelift_codegen::ir::{
    InstBuilder, Type, Value, condcodes::FloatCC, condcodes::IntCC, types,
};
use cranelift_frontend::FunctionBuilder;
use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};
use neuro_runtime::PanicKind;
use neuro_runtime::symbols as rt;

use crate::half;

/// Where an operation stands: how it calls and how it panics.
pub(crate) trait Place {
    /// Calls a function of the run-time library that takes and gives values of one type.
    fn call(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        symbol: &str,
        arguments: &[Value],
        result: Type,
    ) -> Value;

    /// Goes on, in a new block, only if `holds` is not zero; otherwise panics.
    fn require(&mut self, builder: &mut FunctionBuilder<'_>, holds: Value, kind: PanicKind);
}

/// The type of a scalar in a register and in memory.
pub(crate) fn register_type(dtype: DType) -> Type {
    match dtype {
        DType::I8 | DType::U8 | DType::Bool => types::I8,
        // Half precision is kept as its bits: see `half`.
        DType::I16 | DType::U16 | DType::F16 | DType::BF16 => types::I16,
        DType::I32 | DType::U32 => types::I32,
        DType::I64 | DType::U64 => types::I64,
        DType::F32 => types::F32,
        DType::F64 => types::F64,
    }
}

/// A constant.
pub(crate) fn constant(builder: &mut FunctionBuilder<'_>, scalar: Scalar) -> Value {
    match scalar.dtype() {
        DType::F32 => builder.ins().f32const(f32::from_bits(scalar.bits() as u32)),
        DType::F64 => builder.ins().f64const(f64::from_bits(scalar.bits())),
        dtype @ (DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::Bool
        | DType::F16
        | DType::BF16) => builder.ins().iconst(register_type(dtype), scalar.bits() as i64),
    }
}

/// An integer as 64 bits: sign-extended if its type is signed, else zero-extended.
pub(crate) fn widen(builder: &mut FunctionBuilder<'_>, dtype: DType, value: Value) -> Value {
    match (dtype.size(), dtype.is_signed()) {
        (8, _) => value,
        (_, true) => builder.ins().sextend(types::I64, value),
        (_, false) => builder.ins().uextend(types::I64, value),
    }
}

/// Any scalar's bits, zero-extended.
pub(crate) fn bits(builder: &mut FunctionBuilder<'_>, dtype: DType, value: Value) -> Value {
    let flags = cranelift_codegen::ir::MemFlagsData::new();
    match dtype {
        DType::F32 => {
            let value = builder.ins().bitcast(types::I32, flags, value);
            builder.ins().uextend(types::I64, value)
        }
        DType::F64 => builder.ins().bitcast(types::I64, flags, value),
        DType::I64 | DType::U64 => value,
        DType::I8
        | DType::I16
        | DType::I32
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::Bool
        | DType::F16
        | DType::BF16 => builder.ins().uextend(types::I64, value),
    }
}

/// `op value`.
pub(crate) fn unary(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    op: UnOp,
    dtype: DType,
    value: Value,
    overflow: Overflow,
) -> Value {
    match op {
        UnOp::Not if dtype == DType::Bool => {
            let one = builder.ins().iconst(types::I8, 1);
            builder.ins().bxor(value, one)
        }
        UnOp::Not => builder.ins().bnot(value),
        UnOp::Neg if dtype.is_half() => builder.ins().bxor_imm_u(value, 0x8000),
        UnOp::Neg if dtype.is_float() => builder.ins().fneg(value),
        UnOp::Neg => {
            let zero = builder.ins().iconst(register_type(dtype), 0);
            binary(builder, place, BinOp::Sub, dtype, (zero, value), overflow)
        }
    }
}

/// `left op right`, both of one type.
pub(crate) fn binary(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    op: BinOp,
    dtype: DType,
    operands: (Value, Value),
    overflow: Overflow,
) -> Value {
    let (left, right) = operands;
    if dtype.is_float() {
        return float_binary(builder, place, op, dtype, operands);
    }
    let signed = dtype.is_signed();
    match op {
        BinOp::And => builder.ins().band(left, right),
        BinOp::Or => builder.ins().bor(left, right),
        BinOp::Xor => builder.ins().bxor(left, right),
        BinOp::Shl | BinOp::Shr => {
            if overflow == Overflow::Trap {
                // A negative amount is a great one without its sign.
                let width = builder.ins().iconst(register_type(dtype), i64::from(dtype.bits()));
                let fits = builder.ins().icmp(IntCC::UnsignedLessThan, right, width);
                place.require(builder, fits, PanicKind::Shift);
            }
            match (op, signed) {
                (BinOp::Shl, _) => builder.ins().ishl(left, right),
                (_, true) => builder.ins().sshr(left, right),
                (_, false) => builder.ins().ushr(left, right),
            }
        }
        BinOp::Div | BinOp::Rem => divide(builder, place, op, dtype, operands, overflow),
        BinOp::Add | BinOp::Sub | BinOp::Mul => {
            if overflow == Overflow::Wrap {
                return wrapping(builder, op, left, right);
            }
            let (result, fits) = fitting(builder, op, dtype, operands);
            place.require(builder, fits, PanicKind::Overflow);
            result
        }
    }
}

fn wrapping(builder: &mut FunctionBuilder<'_>, op: BinOp, left: Value, right: Value) -> Value {
    match op {
        BinOp::Sub => builder.ins().isub(left, right),
        BinOp::Mul => builder.ins().imul(left, right),
        _ => builder.ins().iadd(left, right),
    }
}

/// A sum, difference or product without the bits that do not fit, and whether all of them do.
pub(crate) fn fitting(
    builder: &mut FunctionBuilder<'_>,
    op: BinOp,
    dtype: DType,
    (left, right): (Value, Value),
) -> (Value, Value) {
    match dtype.size() {
        8 => checked_wide(builder, op, dtype.is_signed(), left, right),
        _ => checked_narrow(builder, op, dtype, left, right),
    }
}

/// A sum, difference or product, or the value of the type that is nearest to it.
pub(crate) fn saturating(
    builder: &mut FunctionBuilder<'_>,
    op: BinOp,
    dtype: DType,
    (left, right): (Value, Value),
) -> Value {
    let (result, fits) = fitting(builder, op, dtype, (left, right));
    let ty = register_type(dtype);
    let (least, greatest) = dtype.int_range().unwrap_or((0, 0));
    let least = builder.ins().iconst(ty, narrowed(dtype, least));
    let greatest = builder.ins().iconst(ty, narrowed(dtype, greatest));
    let nearest = match (op, dtype.is_signed()) {
        (BinOp::Sub, false) => least,
        (_, false) => greatest,
        // Of a sum or difference that does not fit the left operand says the sign, of a product both do.
        (_, true) => {
            let sign = if op == BinOp::Mul { builder.ins().bxor(left, right) } else { left };
            let negative = builder.ins().icmp_imm_s(IntCC::SignedLessThan, sign, 0);
            builder.ins().select(negative, least, greatest)
        }
    };
    builder.ins().select(fits, result, nearest)
}

/// The bits of a value of an integer type, as an immediate operand of its width has them.
fn narrowed(dtype: DType, value: i128) -> i64 {
    Scalar::wrap(dtype, value).bits() as i64
}

/// Whether what a float is towards zero is a value of an integer type. Not-a-number is none.
pub(crate) fn holds(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    from: DType,
    to: DType,
    value: Value,
) -> Value {
    let (from, value) = float(builder, place, from, value);
    let (least, greatest) = to.int_range().unwrap_or((0, 0));
    let whole = builder.ins().trunc(value);
    // Both are zero or powers of two, which every float type has.
    let least = constant(builder, Scalar::wrap(from, least));
    let beyond = constant(builder, Scalar::wrap(from, greatest + 1));
    let above = builder.ins().fcmp(FloatCC::GreaterThanOrEqual, whole, least);
    let below = builder.ins().fcmp(FloatCC::LessThan, whole, beyond);
    builder.ins().band(above, below)
}

/// A sum, difference or product of at most 32 bits: exact in 64, so it fits when it survives the way back.
fn checked_narrow(
    builder: &mut FunctionBuilder<'_>,
    op: BinOp,
    dtype: DType,
    left: Value,
    right: Value,
) -> (Value, Value) {
    let (left, right) = (widen(builder, dtype, left), widen(builder, dtype, right));
    let exact = wrapping(builder, op, left, right);
    let result = builder.ins().ireduce(register_type(dtype), exact);
    let back = widen(builder, dtype, result);
    let fits = builder.ins().icmp(IntCC::Equal, back, exact);
    (result, fits)
}

/// The same at 64 bits.
fn checked_wide(
    builder: &mut FunctionBuilder<'_>,
    op: BinOp,
    signed: bool,
    left: Value,
    right: Value,
) -> (Value, Value) {
    let result = wrapping(builder, op, left, right);
    let ins = builder;
    let fits = match (op, signed) {
        (BinOp::Mul, true) => {
            let high = ins.ins().smulhi(left, right);
            let sign = ins.ins().sshr_imm_s(result, 63);
            ins.ins().icmp(IntCC::Equal, high, sign)
        }
        (BinOp::Mul, false) => {
            let high = ins.ins().umulhi(left, right);
            ins.ins().icmp_imm_s(IntCC::Equal, high, 0)
        }
        (BinOp::Sub, false) => ins.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, left, right),
        (_, false) => ins.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, result, left),
        (_, true) => {
            // The sign is wrong when it differs from the left operand's although the operands said otherwise.
            let other = if op == BinOp::Sub { left } else { result };
            let crossed = ins.ins().bxor(other, right);
            let moved = ins.ins().bxor(left, result);
            let wrong = ins.ins().band(crossed, moved);
            ins.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, wrong, 0)
        }
    };
    (result, fits)
}

fn divide(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    op: BinOp,
    dtype: DType,
    (left, right): (Value, Value),
    overflow: Overflow,
) -> Value {
    let kind =
        if op == BinOp::Div { PanicKind::DivisionByZero } else { PanicKind::RemainderByZero };
    let nonzero = builder.ins().icmp_imm_s(IntCC::NotEqual, right, 0);
    place.require(builder, nonzero, kind);
    if !dtype.is_signed() {
        return match op {
            BinOp::Div => builder.ins().udiv(left, right),
            _ => builder.ins().urem(left, right),
        };
    }
    // The machine faults on the least value by -1, so -1 never reaches it.
    let ty = register_type(dtype);
    let minus_one = builder.ins().icmp_imm_s(IntCC::Equal, right, -1);
    if overflow == Overflow::Trap {
        let least = builder.ins().iconst(ty, (1u64 << (dtype.bits() - 1)) as i64);
        let other = builder.ins().icmp(IntCC::NotEqual, left, least);
        let not_minus_one = builder.ins().icmp_imm_s(IntCC::NotEqual, right, -1);
        let fits = builder.ins().bor(other, not_minus_one);
        place.require(builder, fits, PanicKind::Overflow);
    }
    let one = builder.ins().iconst(ty, 1);
    let divisor = builder.ins().select(minus_one, one, right);
    match op {
        BinOp::Div => {
            let quotient = builder.ins().sdiv(left, divisor);
            let negative = builder.ins().ineg(left);
            builder.ins().select(minus_one, negative, quotient)
        }
        _ => builder.ins().srem(left, divisor),
    }
}

fn float_binary(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    op: BinOp,
    dtype: DType,
    (left, right): (Value, Value),
) -> Value {
    if dtype.is_half() {
        let operands =
            (half::wide(builder, place, dtype, left), half::wide(builder, place, dtype, right));
        let result = float_binary(builder, place, op, DType::F32, operands);
        return half::rounded(builder, place, dtype, result);
    }
    match op {
        BinOp::Add => builder.ins().fadd(left, right),
        BinOp::Sub => builder.ins().fsub(left, right),
        BinOp::Mul => builder.ins().fmul(left, right),
        BinOp::Div => builder.ins().fdiv(left, right),
        // Bitwise operations do not exist on floats; the checker refuses them.
        BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
            let symbol = if dtype == DType::F32 { rt::REMAINDER_F32 } else { rt::REMAINDER_F64 };
            place.call(builder, symbol, &[left, right], register_type(dtype))
        }
    }
}

/// `left op right` as a `bool`. With not-a-number every comparison is false.
pub(crate) fn compare(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    op: CmpOp,
    dtype: DType,
    (left, right): (Value, Value),
) -> Value {
    if dtype.is_float() {
        let (_, left) = float(builder, place, dtype, left);
        let (_, right) = float(builder, place, dtype, right);
        let condition = match op {
            CmpOp::Eq => FloatCC::Equal,
            CmpOp::Ne => FloatCC::OrderedNotEqual,
            CmpOp::Lt => FloatCC::LessThan,
            CmpOp::Le => FloatCC::LessThanOrEqual,
            CmpOp::Gt => FloatCC::GreaterThan,
            CmpOp::Ge => FloatCC::GreaterThanOrEqual,
        };
        return builder.ins().fcmp(condition, left, right);
    }
    let condition = match (op, dtype.is_signed()) {
        (CmpOp::Eq, _) => IntCC::Equal,
        (CmpOp::Ne, _) => IntCC::NotEqual,
        (CmpOp::Lt, true) => IntCC::SignedLessThan,
        (CmpOp::Lt, false) => IntCC::UnsignedLessThan,
        (CmpOp::Le, true) => IntCC::SignedLessThanOrEqual,
        (CmpOp::Le, false) => IntCC::UnsignedLessThanOrEqual,
        (CmpOp::Gt, true) => IntCC::SignedGreaterThan,
        (CmpOp::Gt, false) => IntCC::UnsignedGreaterThan,
        (CmpOp::Ge, true) => IntCC::SignedGreaterThanOrEqual,
        (CmpOp::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
    };
    builder.ins().icmp(condition, left, right)
}

/// `value as to`.
pub(crate) fn cast(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    from: DType,
    to: DType,
    value: Value,
) -> Value {
    if from == to {
        return value;
    }
    let (from, value) = float(builder, place, from, value);
    if from == to {
        return value;
    }
    if to.is_half() {
        return match from {
            DType::F64 => half::rounded_double(builder, place, to, value),
            DType::F32 => half::rounded(builder, place, to, value),
            _ => half::rounded_integer(builder, place, to, from, value),
        };
    }
    let ty = register_type(to);
    match (from.is_float(), to.is_float()) {
        (_, _) if to == DType::Bool => not_zero(builder, from, value),
        (true, true) if to == DType::F64 => builder.ins().fpromote(ty, value),
        (true, true) => builder.ins().fdemote(ty, value),
        (false, true) => {
            let wide = widen(builder, from, value);
            match from {
                DType::U64 => builder.ins().fcvt_from_uint(ty, wide),
                _ => builder.ins().fcvt_from_sint(ty, wide),
            }
        }
        (true, false) => float_to_int(builder, to, value),
        (false, false) if to.size() == from.size() => value,
        (false, false) if to.size() < from.size() => builder.ins().ireduce(ty, value),
        (false, false) if from.is_signed() => builder.ins().sextend(ty, value),
        (false, false) => builder.ins().uextend(ty, value),
    }
}

/// The character of a number; U+FFFD where there is none.
pub(crate) fn character(builder: &mut FunctionBuilder<'_>, from: DType, value: Value) -> Value {
    let wide = widen(builder, from, value);
    // A negative number is a great one without its sign.
    let scalar = builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, wide, 0x11_0000);
    let offset = builder.ins().iadd_imm_s(wide, -0xD800);
    let no_surrogate = builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, offset, 0x800);
    let valid = builder.ins().band(scalar, no_surrogate);
    let code = builder.ins().ireduce(types::I32, wide);
    let replacement = builder.ins().iconst(types::I32, i64::from(u32::from('\u{FFFD}')));
    builder.ins().select(valid, code, replacement)
}

/// A float of half precision as an `f32`; anything else as it is.
fn float(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    dtype: DType,
    value: Value,
) -> (DType, Value) {
    match dtype.is_half() {
        true => (DType::F32, half::wide(builder, place, dtype, value)),
        false => (dtype, value),
    }
}

/// Whether a float is not-a-number.
pub(crate) fn is_nan(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    dtype: DType,
    value: Value,
) -> Value {
    let (_, value) = float(builder, place, dtype, value);
    builder.ins().fcmp(FloatCC::Unordered, value, value)
}

fn not_zero(builder: &mut FunctionBuilder<'_>, from: DType, value: Value) -> Value {
    if !from.is_float() {
        return builder.ins().icmp_imm_s(IntCC::NotEqual, value, 0);
    }
    let zero = constant(builder, Scalar::zero(from));
    builder.ins().fcmp(FloatCC::NotEqual, value, zero)
}

/// Truncates and saturates; not-a-number gives 0.
fn float_to_int(builder: &mut FunctionBuilder<'_>, to: DType, value: Value) -> Value {
    let ty = register_type(to);
    match to.int_range() {
        Some((min, max)) if to.size() < 4 => {
            let wide = builder.ins().fcvt_to_sint_sat(types::I32, value);
            let (min, max) = (min as i64, max as i64);
            let least = builder.ins().iconst(types::I32, i64::from(min as u32));
            let below = builder.ins().icmp_imm_s(IntCC::SignedLessThan, wide, min);
            let wide = builder.ins().select(below, least, wide);
            let greatest = builder.ins().iconst(types::I32, max);
            let above = builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, wide, max);
            let wide = builder.ins().select(above, greatest, wide);
            builder.ins().ireduce(ty, wide)
        }
        _ if to.is_signed() => builder.ins().fcvt_to_sint_sat(ty, value),
        _ => builder.ins().fcvt_to_uint_sat(ty, value),
    }
}

/// A function of the table at floats of one type.
pub(crate) fn math(
    builder: &mut FunctionBuilder<'_>,
    place: &mut dyn Place,
    function: MathFn,
    dtype: DType,
    arguments: &[Value],
) -> Value {
    if dtype.is_half() {
        let wide: Vec<Value> =
            arguments.iter().map(|value| half::wide(builder, place, dtype, *value)).collect();
        let result = math(builder, place, function, DType::F32, &wide);
        return half::rounded(builder, place, dtype, result);
    }
    match (function, arguments) {
        // Both are one correctly rounded instruction.
        (MathFn::Sqrt, [value]) => builder.ins().sqrt(*value),
        (MathFn::Abs, [value]) => builder.ins().fabs(*value),
        _ => {
            let row = function.row();
            let symbol = if dtype == DType::F32 { row.symbol_f32 } else { row.symbol_f64 };
            place.call(builder, symbol, arguments, register_type(dtype))
        }
    }
}
