//! Numbers as text.

use std::fmt::Debug;

use crate::Scalar;

/// Significant digits of a float's default text.
const DEFAULT_DIGITS: i32 = 16;

/// The default text of a float (an `f32` widened first): up to 16 significant digits, trailing zeros dropped, an
/// exponent below 1e-4 and from 1e16 on, and always a point, an exponent or a name.
pub fn float_default(value: f64) -> String {
    if let Some(name) = non_finite(value) {
        return name.to_owned();
    }
    // Rust writes exactly rounded decimals, so its scientific form has the digits that C's `%.16g` has.
    let scientific = format!("{value:.*e}", (DEFAULT_DIGITS - 1) as usize);
    let (mantissa, exponent) = split_exponent(&scientific);
    if (-4..DEFAULT_DIGITS).contains(&exponent) {
        let decimals = (DEFAULT_DIGITS - 1 - exponent) as usize;
        let fixed = format!("{value:.decimals$}");
        let text = without_trailing_zeros(&fixed);
        return if text.contains('.') { text.to_owned() } else { format!("{text}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_trailing_zeros(mantissa), exponent.unsigned_abs())
}

/// A float with `decimals` digits after the point, as C's `%.*f`.
pub fn float_fixed(value: f64, decimals: usize) -> String {
    non_finite(value).map_or_else(|| format!("{value:.decimals$}"), str::to_owned)
}

/// A float as mantissa, `e` and plain exponent: `3.14159e0`, `1e-3`; with `decimals`, exactly so many in the mantissa.
/// `single` keeps the digits that an `f32` needs instead of an `f64`'s.
pub fn float_exponent(value: f64, decimals: Option<usize>, single: bool) -> String {
    if let Some(name) = non_finite(value) {
        return name.to_owned();
    }
    match decimals {
        Some(decimals) => format!("{value:.decimals$e}"),
        None if single => format!("{:e}", value as f32),
        None => format!("{value:e}"),
    }
}

/// The shortest text that reads back to the same float (`f32` or `f64`), always with a point, an exponent or a name.
pub fn float_shortest<F: Debug>(value: F) -> String {
    let text = format!("{value:?}");
    if text == "NaN" { "nan".to_owned() } else { text }
}

/// An integer or `bool` in `radix` 2, 8, 10 or 16, lower case, without prefix; a negative value in a radix other than 10
/// as its two's complement at its own width. `None` for floats.
pub fn integer_text(value: Scalar, radix: u32) -> Option<String> {
    let decimal = match (value.as_int(), value.as_bool()) {
        (Some(int), _) => int.to_string(),
        (None, Some(flag)) => flag.to_string(),
        (None, None) => return None,
    };
    let bits = value.bits();
    Some(match radix {
        2 => format!("{bits:b}"),
        8 => format!("{bits:o}"),
        16 => format!("{bits:x}"),
        _ => decimal,
    })
}

fn non_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("nan")
    } else if value.is_infinite() {
        Some(if value < 0.0 { "-inf" } else { "inf" })
    } else {
        None
    }
}

fn split_exponent(scientific: &str) -> (&str, i32) {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    (mantissa, exponent.parse().unwrap_or(0))
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
