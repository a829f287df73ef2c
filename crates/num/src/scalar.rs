//! One number with its type.

use std::fmt;

use crate::half::{self, power_of_two};
use crate::{DType, float_shortest};

/// A value of a [`DType`].
///
/// Equality and hashing are on the bits: two not-a-numbers with equal bits are equal, `0.0` and `-0.0` differ.
/// Unused high bits are zero, whatever the sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scalar {
    dtype: DType,
    bits: u64,
}

impl Scalar {
    /// A `bool`.
    pub fn bool(value: bool) -> Scalar {
        Scalar { dtype: DType::Bool, bits: u64::from(value) }
    }

    /// An `f32`.
    pub fn f32(value: f32) -> Scalar {
        Scalar { dtype: DType::F32, bits: u64::from(value.to_bits()) }
    }

    /// An `f64`.
    pub fn f64(value: f64) -> Scalar {
        Scalar { dtype: DType::F64, bits: value.to_bits() }
    }

    /// The value of a half-precision type nearest to `value`; of another type, an `f32`.
    pub fn half(dtype: DType, value: f32) -> Scalar {
        Scalar::float(dtype, f64::from(value))
            .filter(|_| dtype.is_half())
            .unwrap_or_else(|| Scalar::f32(value))
    }

    /// An integer that fits `dtype`; `None` when it does not, or `dtype` is no integer type.
    pub fn int(dtype: DType, value: i128) -> Option<Scalar> {
        let (min, max) = dtype.int_range()?;
        (min <= value && value <= max).then(|| Scalar::wrap(dtype, value))
    }

    /// The value with these bits; bits above the type's size are dropped.
    pub fn from_bits(dtype: DType, bits: u64) -> Scalar {
        let width = dtype.bits();
        let mask = if width == 64 { u64::MAX } else { (1u64 << width) - 1 };
        Scalar { dtype, bits: bits & mask }
    }

    /// The low bits of `value` in an integer type (what wrapping arithmetic keeps). On a float type or `bool` the
    /// number itself, rounded or compared with zero.
    pub fn wrap(dtype: DType, value: i128) -> Scalar {
        match dtype {
            DType::F32 => Scalar::f32(value as f32),
            DType::F64 => Scalar::f64(value as f64),
            DType::F16 | DType::BF16 => {
                Scalar::float(dtype, sticky(value)).unwrap_or(Scalar { dtype, bits: 0 })
            }
            DType::Bool => Scalar::bool(value != 0),
            DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64 => Scalar::from_bits(dtype, value as u64),
        }
    }

    /// A float of `dtype` nearest to `value`; `None` when `dtype` is no float type.
    pub fn float(dtype: DType, value: f64) -> Option<Scalar> {
        match dtype {
            DType::F32 => Some(Scalar::f32(value as f32)),
            DType::F64 => Some(Scalar::f64(value)),
            DType::F16 => Some(Scalar { dtype, bits: u64::from(half::F16.round(value)) }),
            DType::BF16 => Some(Scalar { dtype, bits: u64::from(half::BF16.round(value)) }),
            DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64
            | DType::Bool => None,
        }
    }

    /// Zero (`false`) of `dtype`.
    pub fn zero(dtype: DType) -> Scalar {
        Scalar { dtype, bits: 0 }
    }

    /// One (`true`) of `dtype`.
    pub fn one(dtype: DType) -> Scalar {
        Scalar::wrap(dtype, 1)
    }

    /// The type.
    pub fn dtype(self) -> DType {
        self.dtype
    }

    /// The bits, zero-extended.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The value when it is a `bool`.
    pub fn as_bool(self) -> Option<bool> {
        (self.dtype == DType::Bool).then_some(self.bits != 0)
    }

    /// The value when it is an integer.
    pub fn as_int(self) -> Option<i128> {
        if !self.dtype.is_int() {
            return None;
        }
        Some(if self.dtype.is_signed() {
            let unused = 64 - self.dtype.bits();
            i128::from(((self.bits << unused) as i64) >> unused)
        } else {
            i128::from(self.bits)
        })
    }

    /// The value when it is a float, widened.
    pub fn as_float(self) -> Option<f64> {
        match self.dtype {
            DType::F32 => Some(f64::from(f32::from_bits(self.bits as u32))),
            DType::F64 => Some(f64::from_bits(self.bits)),
            DType::F16 => Some(half::F16.value(self.bits as u16)),
            DType::BF16 => Some(half::BF16.value(self.bits as u16)),
            DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64
            | DType::Bool => None,
        }
    }

    /// The value as the nearest `f64`, whatever the type; `bool` is 0 or 1.
    pub fn to_f64(self) -> f64 {
        match (self.as_float(), self.as_int()) {
            (Some(value), _) => value,
            (None, Some(value)) => value as f64,
            (None, None) => self.bits as f64,
        }
    }

    /// The bytes as they lie in memory (little endian), [`DType::size`] of them.
    pub fn to_le_bytes(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.dtype.size()].to_vec()
    }

    /// The value in the first [`DType::size`] bytes; `None` when there are fewer.
    pub fn from_le_bytes(dtype: DType, bytes: &[u8]) -> Option<Scalar> {
        let mut all = [0; 8];
        let used = bytes.get(..dtype.size())?;
        all.get_mut(..used.len())?.copy_from_slice(used);
        Some(Scalar::from_bits(dtype, u64::from_le_bytes(all)))
    }
}

/// The text that reads back to the same value: floats in shortest round-trip form, always with a point, an
/// exponent or a name (`inf`, `nan`).
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.as_int() {
            return write!(f, "{value}");
        }
        match self.dtype {
            DType::F32 => f.write_str(&float_shortest(f32::from_bits(self.bits as u32))),
            DType::F64 => f.write_str(&float_shortest(f64::from_bits(self.bits))),
            DType::F16 | DType::BF16 => {
                f.write_str(&float_shortest(self.as_float().unwrap_or(0.0) as f32))
            }
            DType::Bool
            | DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64 => write!(f, "{}", self.bits != 0),
        }
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{}", self.dtype)
    }
}

/// An `f64` that rounds to fewer bits as the integer does: what does not fit is one bit that is set.
fn sticky(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let extra = (128 - magnitude.leading_zeros()).saturating_sub(52);
    let kept = magnitude >> extra;
    let lost = u128::from(kept << extra != magnitude);
    let rounded = (kept | lost) as f64 * power_of_two(extra as i32);
    if value < 0 { -rounded } else { rounded }
}
