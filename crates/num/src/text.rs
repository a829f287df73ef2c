//! Numbers and text as text. Everything writes to where it is wanted: nothing is allocated on the way.

use std::fmt::{self, Debug, Write};

use crate::Scalar;

/// Significant digits of a float's default text.
const DEFAULT_DIGITS: i32 = 16;

/// Writes the default text of a float (an `f32` widened first): up to 16 significant digits, trailing zeros dropped, an
/// exponent below 1e-4 and from 1e16 on, and always a point, an exponent or a name.
pub(crate) fn write_default(out: &mut dyn Write, value: f64) -> fmt::Result {
    if let Some(name) = non_finite(value) {
        return out.write_str(name);
    }
    // Rust writes exactly rounded decimals, so its scientific form has the digits that C's `%.16g` has.
    let mut scientific = Short::default();
    write!(scientific, "{value:.*e}", (DEFAULT_DIGITS - 1) as usize)?;
    let (mantissa, exponent) = split_exponent(scientific.text());
    if (-4..DEFAULT_DIGITS).contains(&exponent) {
        let decimals = (DEFAULT_DIGITS - 1 - exponent) as usize;
        let mut fixed = Short::default();
        write!(fixed, "{value:.decimals$}")?;
        let text = without_trailing_zeros(fixed.text());
        out.write_str(text)?;
        return if text.contains('.') { Ok(()) } else { out.write_str(".0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let mantissa = without_trailing_zeros(mantissa);
    write!(out, "{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// Writes a float with `decimals` digits after the point, as C's `%.*f`.
pub(crate) fn write_fixed(out: &mut dyn Write, value: f64, decimals: usize) -> fmt::Result {
    match non_finite(value) {
        Some(name) => out.write_str(name),
        None => write!(out, "{value:.decimals$}"),
    }
}

/// Writes a float as mantissa, `e` and plain exponent: `3.14159e0`, `1e-3`; with `decimals`, exactly so many in the
/// mantissa. `single` keeps the digits that an `f32` needs instead of an `f64`'s.
pub(crate) fn write_exponent(
    out: &mut dyn Write,
    value: f64,
    decimals: Option<usize>,
    single: bool,
) -> fmt::Result {
    if let Some(name) = non_finite(value) {
        return out.write_str(name);
    }
    match decimals {
        Some(decimals) => write!(out, "{value:.decimals$e}"),
        None if single => write!(out, "{:e}", value as f32),
        None => write!(out, "{value:e}"),
    }
}

/// The shortest text that reads back to the same float (`f32` or `f64`), always with a point, an exponent or a name.
pub fn float_shortest<F: Debug>(value: F) -> String {
    let text = format!("{value:?}");
    if text == "NaN" { "nan".to_owned() } else { text }
}

/// The base of an integer's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Radix {
    Decimal,
    LowerHex,
    UpperHex,
    Binary,
    Octal,
}

/// Writes an integer or `bool`, without prefix; a negative value in another base than 10 as its two's complement at its
/// own width.
pub(crate) fn write_integer(out: &mut dyn Write, value: Scalar, radix: Radix) -> fmt::Result {
    let bits = value.bits();
    match radix {
        Radix::LowerHex => write!(out, "{bits:x}"),
        Radix::UpperHex => write!(out, "{bits:X}"),
        Radix::Binary => write!(out, "{bits:b}"),
        Radix::Octal => write!(out, "{bits:o}"),
        Radix::Decimal => match (value.as_bool(), value.as_int()) {
            (Some(flag), _) => out.write_str(if flag { "true" } else { "false" }),
            (None, Some(int)) => match i64::try_from(int) {
                Ok(int) => write!(out, "{int}"),
                Err(_) => write!(out, "{int}"),
            },
            (None, None) => Ok(()),
        },
    }
}

/// Writes text between `quote`s, as a program would write it: that quote, the backslash and characters that cannot be seen
/// are escaped.
pub(crate) fn write_quoted(out: &mut dyn Write, text: &str, quote: char) -> fmt::Result {
    out.write_char(quote)?;
    let mut plain = 0;
    for (at, c) in text.char_indices() {
        let escape = match c {
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            '\0' => Some("\\0"),
            '\\' => Some("\\\\"),
            _ if c == quote || c.is_control() => None,
            _ => continue,
        };
        out.write_str(&text[plain..at])?;
        match escape {
            Some(escape) => out.write_str(escape)?,
            None if c == quote => write!(out, "\\{c}")?,
            None => write!(out, "{}", c.escape_unicode())?,
        }
        plain = at + c.len_utf8();
    }
    out.write_str(&text[plain..])?;
    out.write_char(quote)
}

/// Text of a bounded length.
struct Short {
    bytes: [u8; Self::ROOM],
    used: usize,
}

impl Default for Short {
    fn default() -> Self {
        Self { bytes: [0; Self::ROOM], used: 0 }
    }
}

impl Short {
    /// A default float has a sign, a point, at most 20 digits and an exponent of at most 5 characters.
    const ROOM: usize = 40;

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.used]).unwrap_or_default()
    }
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.used + text.len();
        let room = self.bytes.get_mut(self.used..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.used = end;
        Ok(())
    }
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
