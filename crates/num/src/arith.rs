//! Arithmetic and comparison of two scalars of one type.

use std::{cmp::Ordering, fmt};

use serde::{Deserialize, Serialize};

use crate::{DType, Scalar};

/// An operation on one scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnOp {
    /// The number with the other sign.
    Neg,
    /// The complement: of a `bool`, or of every bit of an integer.
    Not,
}

/// An operation on two scalars of one type, with a result of that type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BinOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient; of integers truncated toward zero.
    Div,
    /// Remainder with the sign of the dividend; of floats C's `fmod`.
    Rem,
    /// Bits (or truth values) set in both.
    And,
    /// Bits (or truth values) set in one or both.
    Or,
    /// Bits (or truth values) set in exactly one.
    Xor,
    /// Integer shift to the left.
    Shl,
    /// Integer shift to the right: arithmetic on signed, logical on unsigned types.
    Shr,
}

/// A comparison. Any comparison with not-a-number is false, `Ne` included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CmpOp {
    /// Equal.
    Eq,
    /// Ordered and not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// What integer arithmetic does with a result that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Overflow {
    /// Keep the low bits; a shift amount is taken modulo the width.
    Wrap,
    /// End the program with a message.
    Trap,
}

/// Why an operation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArithError {
    /// The result does not fit the type.
    Overflow,
    /// The shift amount is negative or not below the width.
    Shift,
    /// Division by zero.
    DivisionByZero,
    /// Remainder by zero.
    RemainderByZero,
    /// The operation does not exist on these types; a well-typed program never gets here.
    Undefined,
}

impl fmt::Display for ArithError {
    /// The text of the program's panic.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArithError::Overflow => "integer overflow",
            ArithError::Shift => "shift overflow",
            ArithError::DivisionByZero => "division by zero",
            ArithError::RemainderByZero => "remainder by zero",
            ArithError::Undefined => "operation undefined on these types",
        })
    }
}

impl UnOp {
    /// Both, in declaration order.
    pub const ALL: [UnOp; 2] = [UnOp::Neg, UnOp::Not];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            UnOp::Neg => "neg",
            UnOp::Not => "not",
        }
    }

    /// Whether the operation exists on `dtype`.
    pub fn applies_to(self, dtype: DType) -> bool {
        match self {
            UnOp::Neg => dtype != DType::Bool,
            UnOp::Not => !dtype.is_float(),
        }
    }
}

impl BinOp {
    /// Every operation, in declaration order.
    pub const ALL: [BinOp; 10] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Shr,
    ];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::Div => "div",
            BinOp::Rem => "rem",
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            BinOp::Shl => "shl",
            BinOp::Shr => "shr",
        }
    }

    /// Whether the operation exists on `dtype`.
    pub fn applies_to(self, dtype: DType) -> bool {
        match self {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => dtype != DType::Bool,
            BinOp::And | BinOp::Or | BinOp::Xor => !dtype.is_float(),
            BinOp::Shl | BinOp::Shr => dtype.is_int(),
        }
    }

    /// Whether the operation on `dtype` can end the program: an integer zero divisor always, a result that does
    /// not fit under [`Overflow::Trap`].
    pub fn can_trap(self, dtype: DType, overflow: Overflow) -> bool {
        let checked = overflow == Overflow::Trap;
        dtype.is_int()
            && match self {
                BinOp::Div | BinOp::Rem => true,
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Shr => checked,
                BinOp::And | BinOp::Or | BinOp::Xor => false,
            }
    }
}

impl CmpOp {
    /// Every comparison, in declaration order.
    pub const ALL: [CmpOp; 6] = [CmpOp::Eq, CmpOp::Ne, CmpOp::Lt, CmpOp::Le, CmpOp::Gt, CmpOp::Ge];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            CmpOp::Eq => "eq",
            CmpOp::Ne => "ne",
            CmpOp::Lt => "lt",
            CmpOp::Le => "le",
            CmpOp::Gt => "gt",
            CmpOp::Ge => "ge",
        }
    }

    /// The comparison of two ordered values.
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            CmpOp::Eq => a == b,
            CmpOp::Ne => a.partial_cmp(&b).is_some_and(Ordering::is_ne),
            CmpOp::Lt => a < b,
            CmpOp::Le => a <= b,
            CmpOp::Gt => a > b,
            CmpOp::Ge => a >= b,
        }
    }
}

/// `op a`.
pub fn unary(op: UnOp, a: Scalar, overflow: Overflow) -> Result<Scalar, ArithError> {
    let dtype = a.dtype();
    if !op.applies_to(dtype) {
        return Err(ArithError::Undefined);
    }
    match op {
        UnOp::Neg => match dtype {
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => {
                Ok(Scalar::from_bits(dtype, a.bits() ^ (1 << (dtype.bits() - 1))))
            }
            DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64
            | DType::Bool => {
                let value = a.as_int().ok_or(ArithError::Undefined)?;
                fit(dtype, -value, overflow)
            }
        },
        UnOp::Not => Ok(Scalar::from_bits(dtype, !a.bits())),
    }
}

/// `a op b`; both of one type.
pub fn binary(op: BinOp, a: Scalar, b: Scalar, overflow: Overflow) -> Result<Scalar, ArithError> {
    let dtype = a.dtype();
    if b.dtype() != dtype || !op.applies_to(dtype) {
        return Err(ArithError::Undefined);
    }
    match dtype {
        DType::F16 | DType::BF16 => {
            let wide = |value: Scalar| Scalar::f32(value.to_f64() as f32);
            let result = binary(op, wide(a), wide(b), overflow)?;
            Ok(Scalar::half(dtype, result.to_f64() as f32))
        }
        DType::F32 => {
            let (x, y) = (f32::from_bits(a.bits() as u32), f32::from_bits(b.bits() as u32));
            Ok(Scalar::f32(match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => libm::fmodf(x, y),
                BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
                    return Err(ArithError::Undefined);
                }
            }))
        }
        DType::F64 => {
            let (x, y) = (f64::from_bits(a.bits()), f64::from_bits(b.bits()));
            Ok(Scalar::f64(match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => libm::fmod(x, y),
                BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
                    return Err(ArithError::Undefined);
                }
            }))
        }
        DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::Bool => integer(op, a, b, overflow),
    }
}

fn integer(op: BinOp, a: Scalar, b: Scalar, overflow: Overflow) -> Result<Scalar, ArithError> {
    let dtype = a.dtype();
    let bitwise = |bits| Ok(Scalar::from_bits(dtype, bits));
    match op {
        BinOp::And => return bitwise(a.bits() & b.bits()),
        BinOp::Or => return bitwise(a.bits() | b.bits()),
        BinOp::Xor => return bitwise(a.bits() ^ b.bits()),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Rem
        | BinOp::Shl
        | BinOp::Shr => {}
    }
    let (Some(x), Some(y)) = (a.as_int(), b.as_int()) else {
        return Err(ArithError::Undefined);
    };
    let width = dtype.bits();
    match op {
        BinOp::Add => fit(dtype, x + y, overflow),
        BinOp::Sub => fit(dtype, x - y, overflow),
        // The product of two 64-bit values fits 128 bits, of two unsigned ones in its low bits only.
        BinOp::Mul => match x.checked_mul(y) {
            Some(product) => fit(dtype, product, overflow),
            None if overflow == Overflow::Trap => Err(ArithError::Overflow),
            None => bitwise((x as u64).wrapping_mul(y as u64)),
        },
        BinOp::Div if y == 0 => Err(ArithError::DivisionByZero),
        BinOp::Div => fit(dtype, x / y, overflow),
        BinOp::Rem if y == 0 => Err(ArithError::RemainderByZero),
        // The least value by -1 has no quotient that fits, and its remainder is checked alike.
        BinOp::Rem => fit(dtype, x / y, overflow).map(|_| Scalar::wrap(dtype, x % y)),
        BinOp::Shl | BinOp::Shr => {
            let amount = match u32::try_from(y) {
                Ok(amount) if amount < width => amount,
                _ if overflow == Overflow::Trap => return Err(ArithError::Shift),
                _ => (y as u32) & (width - 1),
            };
            Ok(Scalar::wrap(dtype, if op == BinOp::Shl { x << amount } else { x >> amount }))
        }
        BinOp::And | BinOp::Or | BinOp::Xor => Err(ArithError::Undefined),
    }
}

fn fit(dtype: DType, value: i128, overflow: Overflow) -> Result<Scalar, ArithError> {
    match overflow {
        Overflow::Wrap => Ok(Scalar::wrap(dtype, value)),
        Overflow::Trap => Scalar::int(dtype, value).ok_or(ArithError::Overflow),
    }
}

/// `a op b`; `None` when the types differ. `false` is below `true`.
pub fn compare(op: CmpOp, a: Scalar, b: Scalar) -> Option<bool> {
    if a.dtype() != b.dtype() {
        return None;
    }
    Some(match (a.as_int(), b.as_int(), a.as_float(), b.as_float()) {
        (Some(x), Some(y), _, _) => op.holds(x, y),
        (_, _, Some(x), Some(y)) => op.holds(x, y),
        _ => op.holds(a.bits(), b.bits()),
    })
}
