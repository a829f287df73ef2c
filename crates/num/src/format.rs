//! Format specs: what follows the colon in an interpolation hole.

use serde::{Deserialize, Serialize};

use std::fmt::{self, Write};

use crate::text::{Radix, write_default, write_exponent, write_fixed, write_integer, write_quoted};
use crate::{DType, Scalar};

/// Where a value stands in a field wider than itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Align {
    /// At the left.
    Left,
    /// At the right.
    Right,
    /// In the middle; an odd space goes to the right.
    Center,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FormatKind {
    /// `?`: with quotes around text, structs by field.
    Debug,
    /// `e`: a float with an exponent.
    Exponent,
    /// `d`: an integer in decimal.
    Decimal,
    /// `x`: an integer in base 16, lower case.
    LowerHex,
    /// `X`: an integer in base 16, upper case.
    UpperHex,
    /// `b`: an integer in base 2.
    Binary,
    /// `o`: an integer in base 8.
    Octal,
}

impl FormatKind {
    /// The letter in the source.
    pub fn letter(self) -> char {
        match self {
            FormatKind::Debug => '?',
            FormatKind::Exponent => 'e',
            FormatKind::Decimal => 'd',
            FormatKind::LowerHex => 'x',
            FormatKind::UpperHex => 'X',
            FormatKind::Binary => 'b',
            FormatKind::Octal => 'o',
        }
    }
}

/// A format spec; the default one writes the value's default text, as wide as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FormatSpec {
    /// Where the value stands; `None`: numbers right, everything else left.
    pub align: Option<Align>,
    /// Write `+` before zero and positive numbers.
    pub plus: bool,
    /// Fill with zeros between sign and digits.
    pub zero: bool,
    /// The least number of characters.
    pub width: Option<u32>,
    /// Digits after the point of a float.
    pub precision: Option<u32>,
    /// How the value is written; `None` is its default text.
    pub kind: Option<FormatKind>,
}

impl FormatSpec {
    /// Writes a number or `bool`. A kind that does not suit the type is as good as none: the checker has refused it.
    pub fn write_number(&self, out: &mut dyn Write, value: Scalar) -> fmt::Result {
        let is_number = value.dtype() != DType::Bool;
        let negative = match value.as_float() {
            Some(float) => float.is_sign_negative() && !float.is_nan(),
            None => value.as_int().is_some_and(|int| int < 0) && self.radix() == Radix::Decimal,
        };
        let signed = self.plus && is_number && !negative;
        let finite = value.as_float().is_none_or(f64::is_finite);
        let filled = self.zero
            && is_number
            && finite
            && !matches!(self.align, Some(Align::Left | Align::Center));
        let plain = |out: &mut dyn Write| {
            if signed {
                out.write_char('+')?;
            }
            match value.as_float() {
                Some(float) => self.float(out, float, value.dtype() == DType::F32),
                None => write_integer(out, value, self.radix()),
            }
        };
        if filled && let Some(missing) = self.missing(&plain)? {
            return plain(&mut ZeroFilled { out, zeros: missing, started: false });
        }
        self.padded(out, if is_number { Align::Right } else { Align::Left }, &plain)
    }

    /// Writes text in its field; with `?`, in quotes.
    pub fn write_text(&self, out: &mut dyn Write, text: &str) -> fmt::Result {
        self.padded(out, Align::Left, &|out| match self.kind {
            Some(FormatKind::Debug) => write_quoted(out, text, '"'),
            _ => out.write_str(text),
        })
    }

    /// Writes a character in its field; with `?`, in quotes.
    pub fn write_char(&self, out: &mut dyn Write, character: char) -> fmt::Result {
        let mut bytes = [0; 4];
        let text = character.encode_utf8(&mut bytes);
        self.padded(out, Align::Left, &|out| match self.kind {
            Some(FormatKind::Debug) => write_quoted(out, text, '\''),
            _ => out.write_str(text),
        })
    }

    fn float(&self, out: &mut dyn Write, value: f64, single: bool) -> fmt::Result {
        let precision = self.precision.map(|digits| digits as usize);
        match (self.kind, precision) {
            (Some(FormatKind::Exponent), precision) => {
                write_exponent(out, value, precision, single)
            }
            (_, Some(decimals)) => write_fixed(out, value, decimals),
            (_, None) => write_default(out, value),
        }
    }

    fn radix(&self) -> Radix {
        match self.kind {
            Some(FormatKind::LowerHex) => Radix::LowerHex,
            Some(FormatKind::UpperHex) => Radix::UpperHex,
            Some(FormatKind::Binary) => Radix::Binary,
            Some(FormatKind::Octal) => Radix::Octal,
            Some(FormatKind::Debug | FormatKind::Exponent | FormatKind::Decimal) | None => {
                Radix::Decimal
            }
        }
    }

    fn padded(&self, out: &mut dyn Write, default: Align, plain: Plain<'_>) -> fmt::Result {
        let Some(missing) = self.missing(plain)? else { return plain(out) };
        let before = match self.align.unwrap_or(default) {
            Align::Left => 0,
            Align::Right => missing,
            Align::Center => missing / 2,
        };
        repeated(out, ' ', before)?;
        plain(out)?;
        repeated(out, ' ', missing - before)
    }

    /// How many characters a text lacks to fill its field, if any.
    fn missing(&self, plain: Plain<'_>) -> Result<Option<usize>, fmt::Error> {
        let Some(width) = self.width else { return Ok(None) };
        let mut count = Count(0);
        plain(&mut count)?;
        Ok((width as usize).checked_sub(count.0).filter(|missing| *missing > 0))
    }
}

/// What writes the text that a field is around; it can write it several times.
type Plain<'a> = &'a dyn Fn(&mut dyn Write) -> fmt::Result;

/// Counts characters.
struct Count(usize);

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.chars().count();
        Ok(())
    }
}

/// Writes zeros between a sign and digits.
struct ZeroFilled<'a> {
    out: &'a mut dyn Write,
    zeros: usize,
    started: bool,
}

impl Write for ZeroFilled<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.started || text.is_empty() {
            return self.out.write_str(text);
        }
        self.started = true;
        let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+'])));
        self.out.write_str(sign)?;
        repeated(self.out, '0', self.zeros)?;
        self.out.write_str(digits)
    }
}

fn repeated(out: &mut dyn Write, character: char, times: usize) -> fmt::Result {
    (0..times).try_for_each(|_| out.write_char(character))
}

/// The text that a hole without a format shows of a number or `bool`.
pub fn default_text(value: Scalar) -> String {
    let mut text = String::new();
    // Writing to a text in memory cannot fail.
    let _ = FormatSpec::default().write_number(&mut text, value);
    text
}
