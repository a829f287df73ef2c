//! The order in which a sum adds: part of the language, since it decides the bits.
//!
//! A run of up to [`FOLD_LANES`] elements is added left to right, starting from zero. A longer run is added in that
//! many lanes, lane `l` taking positions `l`, `l + FOLD_LANES`, ...; then the lanes are added in order.

use std::ops::Add;

use crate::{ArithError, BinOp, DType, Overflow, Scalar, binary};

/// Lanes of a long sum; runs up to this length are plain.
pub const FOLD_LANES: usize = 4096;

/// The sum of `len` values read by position, in the specified order, starting from `zero`.
pub fn fold_sum<T: Copy + Add<Output = T>>(
    zero: T,
    len: usize,
    mut value: impl FnMut(usize) -> T,
) -> T {
    if len <= FOLD_LANES {
        return (0..len).fold(zero, |sum, position| sum + value(position));
    }
    let mut lanes = vec![zero; FOLD_LANES];
    let mut start = 0;
    while start < len {
        let width = FOLD_LANES.min(len - start);
        for (lane, sum) in lanes.iter_mut().take(width).enumerate() {
            *sum = *sum + value(start + lane);
        }
        start += width;
    }
    lanes.into_iter().fold(zero, |sum, lane| sum + lane)
}

/// The sum of a slice.
pub fn sum_f32(values: &[f32]) -> f32 {
    sum_slice(0.0, values)
}

/// The sum of a slice.
pub fn sum_f64(values: &[f64]) -> f64 {
    sum_slice(0.0, values)
}

/// The sum of `len` values at `offset`, `offset + stride`, ...
pub fn sum_f32_strided(values: &[f32], offset: usize, stride: usize, len: usize) -> f32 {
    fold_sum(0.0, len, |position| values[offset + position * stride])
}

/// The sum of `len` values at `offset`, `offset + stride`, ...
pub fn sum_f64_strided(values: &[f64], offset: usize, stride: usize, len: usize) -> f64 {
    fold_sum(0.0, len, |position| values[offset + position * stride])
}

/// [`fold_sum`] on a slice, chunk by chunk, so that the lanes vectorise.
fn sum_slice<T: Copy + Add<Output = T>>(zero: T, values: &[T]) -> T {
    if values.len() <= FOLD_LANES {
        return values.iter().fold(zero, |sum, value| sum + *value);
    }
    let mut lanes = vec![zero; FOLD_LANES];
    for chunk in values.chunks(FOLD_LANES) {
        for (sum, value) in lanes.iter_mut().zip(chunk) {
            *sum = *sum + *value;
        }
    }
    lanes.into_iter().fold(zero, |sum, lane| sum + lane)
}

/// The sum of scalars of one type, floats in the specified order, integers left to right with `overflow`.
pub fn sum_checked(
    dtype: DType,
    values: &[Scalar],
    overflow: Overflow,
) -> Result<Scalar, ArithError> {
    match dtype {
        DType::F32 => {
            let floats: Vec<f32> = values.iter().map(|v| f32::from_bits(v.bits() as u32)).collect();
            Ok(Scalar::f32(sum_f32(&floats)))
        }
        // Half precision accumulates in `f32`.
        DType::F16 | DType::BF16 => {
            let floats: Vec<f32> = values.iter().map(|v| v.to_f64() as f32).collect();
            Ok(Scalar::half(dtype, sum_f32(&floats)))
        }
        DType::F64 => {
            let floats: Vec<f64> = values.iter().map(|v| f64::from_bits(v.bits())).collect();
            Ok(Scalar::f64(sum_f64(&floats)))
        }
        DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::Bool => values
            .iter()
            .try_fold(Scalar::zero(dtype), |sum, value| binary(BinOp::Add, sum, *value, overflow)),
    }
}
