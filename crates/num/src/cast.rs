//! `as` between numbers.

use crate::{DType, Scalar};

/// `value as to`: integers keep their low bits, an integer becomes the nearest float, a float is truncated toward
/// zero and saturates (not-a-number gives 0), floats are rounded, `bool` becomes 0 or 1.
///
/// A cast to `bool` gives "is not zero"; the language has none, the graph IR uses it for masks.
pub fn cast(value: Scalar, to: DType) -> Scalar {
    if value.dtype() == to {
        return value;
    }
    if to == DType::Bool {
        return Scalar::bool(value.to_f64() != 0.0);
    }
    match (value.as_int(), value.as_float()) {
        (Some(int), _) => int_to(value.dtype(), int, to),
        (None, Some(float)) => float_to(float, to),
        (None, None) => Scalar::wrap(to, i128::from(value.bits())),
    }
}

fn int_to(from: DType, int: i128, to: DType) -> Scalar {
    debug_assert!(from.is_int());
    // Rounded once: a cast by way of f64 would round twice.
    Scalar::wrap(to, int)
}

fn float_to(float: f64, to: DType) -> Scalar {
    match to.int_range() {
        // Rust's own cast truncates, saturates and maps not-a-number to 0; the clamp narrows exactly.
        Some((min, max)) => Scalar::wrap(to, (float as i128).clamp(min, max)),
        None => Scalar::float(to, float).unwrap_or(Scalar::zero(to)),
    }
}

/// Whether a cast of `float` to the integer type `to` keeps its truncated value, that is, neither saturates nor meets
/// not-a-number.
pub fn fits_integer(float: f64, to: DType) -> bool {
    let Some((min, max)) = to.int_range() else { return false };
    // Both ends are exact in f64 or one above an exact power of two, so compare with the open bounds.
    let truncated = float.trunc();
    truncated >= min as f64 && truncated < (max + 1) as f64
}
