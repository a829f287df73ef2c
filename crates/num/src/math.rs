//! The one table of math functions: name, documentation, value and slope of each.
//!
//! The type checker takes the methods from it, the documentation its rows, differentiation its slopes, generated
//! code its symbols, and the tests all of it. A new function is a variant of [`MathFn`] and a row of the table.
//!
//! Values come from the `libm` crate, which computes in software: every machine gives the same bits.

#[expect(
    unsafe_code,
    reason = "a name in the linker's eyes must be the only one of its kind: no function is named twice"
)]
mod code;
mod slope;
mod table;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use slope::{Partial, SlopeExpr, UnboundedSlope};
use table::TABLE;

use crate::{DType, Scalar};

/// A math function of floats, elementwise on float tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum MathFn {
    /// eˣ
    Exp,
    /// 2ˣ
    Exp2,
    /// eˣ - 1
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// Natural logarithm of 1 + x.
    Log1p,
    /// Square root.
    Sqrt,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// Tangent of radians.
    Tan,
    /// Radians of a sine.
    Asin,
    /// Radians of a cosine.
    Acos,
    /// Radians of a tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Error function.
    Erf,
    /// Magnitude.
    Abs,
    /// The greatest whole number that is not greater.
    Floor,
    /// The least whole number that is not less.
    Ceil,
    /// The nearest whole number; a half away from 0.
    Round,
    /// The whole part.
    Trunc,
    /// Radians of a point: its height and its distance to the right.
    Atan2,
    /// Power: base and exponent.
    Pow,
    /// The lesser of two.
    Min,
    /// The greater of two.
    Max,
    /// The magnitude of one with the sign of another.
    Copysign,
    /// The length of a vector of two.
    Hypot,
}

/// A function's code, callable from generated code.
#[derive(Clone, Copy, Debug)]
pub enum MathCode {
    /// One argument.
    Unary {
        /// On `f32`.
        f32: extern "C" fn(f32) -> f32,
        /// On `f64`.
        f64: extern "C" fn(f64) -> f64,
    },
    /// Two arguments.
    Binary {
        /// On `f32`.
        f32: extern "C" fn(f32, f32) -> f32,
        /// On `f64`.
        f64: extern "C" fn(f64, f64) -> f64,
    },
}

/// A row of the table.
#[derive(Debug)]
pub struct MathRow {
    /// The function.
    pub function: MathFn,
    /// Method name in the language, and name of the op in IR text.
    pub name: &'static str,
    /// The names of its arguments, the first one, which the method is called on, left out.
    pub params: &'static [&'static str],
    /// One line of documentation.
    pub doc: &'static str,
    /// The name under which generated code calls it on `f32`.
    pub symbol_f32: &'static str,
    /// The name under which generated code calls it on `f64`.
    pub symbol_f64: &'static str,
    /// The value.
    pub code: MathCode,
    /// The slope by each argument.
    pub partials: &'static [Partial],
    /// How far the value may be from the exact one.
    pub error: &'static str,
    /// What value and slope are at special points.
    pub special: &'static str,
}

impl MathFn {
    /// Every function, in declaration order.
    pub fn all() -> impl Iterator<Item = MathFn> {
        TABLE.iter().map(|row| row.function)
    }

    /// The function's row.
    pub fn row(self) -> &'static MathRow {
        &TABLE[self as usize]
    }

    /// The method name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The function with this method name.
    pub fn from_name(name: &str) -> Option<MathFn> {
        MathFn::all().find(|function| function.name() == name)
    }

    /// Number of arguments, the receiver included.
    pub fn arity(self) -> usize {
        match self.row().code {
            MathCode::Unary { .. } => 1,
            MathCode::Binary { .. } => 2,
        }
    }

    /// The name under which generated code calls the function on `dtype`, and its address.
    pub fn symbol(self, dtype: DType) -> Option<(&'static str, *const u8)> {
        let row = self.row();
        let single = match dtype {
            DType::F32 => true,
            DType::F64 => false,
            DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64
            | DType::Bool
            | DType::F16
            | DType::BF16 => return None,
        };
        let address = match row.code {
            MathCode::Unary { f32, .. } if single => f32 as *const u8,
            MathCode::Unary { f64, .. } => f64 as *const u8,
            MathCode::Binary { f32, .. } if single => f32 as *const u8,
            MathCode::Binary { f64, .. } => f64 as *const u8,
        };
        Some((if single { row.symbol_f32 } else { row.symbol_f64 }, address))
    }

    /// The value at `arguments`, which are [`MathFn::arity`] floats of one type; `None` otherwise.
    pub fn eval(self, arguments: &[Scalar]) -> Option<Scalar> {
        // Half precision is computed in `f32` and rounded once.
        if let Some(dtype) = arguments.first().map(|value| value.dtype()).filter(|it| it.is_half())
        {
            let same = arguments.iter().all(|value| value.dtype() == dtype);
            let wide: Vec<Scalar> =
                arguments.iter().map(|value| Scalar::f32(value.to_f64() as f32)).collect();
            let result = self.eval(&wide).filter(|_| same)?;
            return Some(Scalar::half(dtype, result.to_f64() as f32));
        }
        let single = |value: &Scalar| {
            (value.dtype() == DType::F32).then(|| f32::from_bits(value.bits() as u32))
        };
        let double =
            |value: &Scalar| (value.dtype() == DType::F64).then(|| f64::from_bits(value.bits()));
        match (self.row().code, arguments) {
            (MathCode::Unary { f32, f64 }, [x]) => match (single(x), double(x)) {
                (Some(x), _) => Some(Scalar::f32(f32(x))),
                (_, Some(x)) => Some(Scalar::f64(f64(x))),
                (None, None) => None,
            },
            (MathCode::Binary { f32, f64 }, [x, y]) => {
                match (single(x).zip(single(y)), double(x).zip(double(y))) {
                    (Some((x, y)), _) => Some(Scalar::f32(f32(x, y))),
                    (_, Some((x, y))) => Some(Scalar::f64(f64(x, y))),
                    (None, None) => None,
                }
            }
            (MathCode::Unary { .. } | MathCode::Binary { .. }, _) => None,
        }
    }
}

impl fmt::Display for MathFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
