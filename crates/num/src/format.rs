//! Format specs: what follows the colon in an interpolation hole.

use serde::{Deserialize, Serialize};

use crate::{
    DType, Scalar,
    text::{float_default, float_exponent, float_fixed, integer_text},
};

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
    /// The text of a number or `bool`. A kind that does not suit the type is as good as none: the checker has refused it.
    pub fn number(&self, value: Scalar) -> String {
        let text = match value.as_float() {
            Some(float) => self.float(float, value.dtype() == DType::F32),
            None => self.integer(value),
        };
        let is_number = value.dtype() != DType::Bool;
        let signed = self.plus && is_number && !text.starts_with('-');
        let text = if signed { format!("+{text}") } else { text };
        let finite = value.as_float().is_none_or(f64::is_finite);
        if self.zero
            && is_number
            && finite
            && !matches!(self.align, Some(Align::Left | Align::Center))
        {
            return self.zero_filled(&text);
        }
        self.padded(&text, if is_number { Align::Right } else { Align::Left })
    }

    /// Text in the field.
    pub fn text(&self, text: &str) -> String {
        self.padded(text, Align::Left)
    }

    fn float(&self, value: f64, single: bool) -> String {
        let precision = self.precision.map(|digits| digits as usize);
        match (self.kind, precision) {
            (Some(FormatKind::Exponent), precision) => float_exponent(value, precision, single),
            (_, Some(decimals)) => float_fixed(value, decimals),
            (_, None) => float_default(value),
        }
    }

    fn integer(&self, value: Scalar) -> String {
        let radix = match self.kind {
            Some(FormatKind::LowerHex | FormatKind::UpperHex) => 16,
            Some(FormatKind::Binary) => 2,
            Some(FormatKind::Octal) => 8,
            Some(FormatKind::Debug | FormatKind::Exponent | FormatKind::Decimal) | None => 10,
        };
        let text = integer_text(value, radix).unwrap_or_default();
        if self.kind == Some(FormatKind::UpperHex) { text.to_ascii_uppercase() } else { text }
    }

    fn zero_filled(&self, text: &str) -> String {
        let missing = self.missing(text);
        let digits = text.find(|c| c != '-' && c != '+').unwrap_or(text.len());
        let (sign, digits) = text.split_at(digits);
        format!("{sign}{}{digits}", "0".repeat(missing))
    }

    fn padded(&self, text: &str, default: Align) -> String {
        pad(text, self.align.unwrap_or(default), self.width.unwrap_or(0) as usize)
    }

    fn missing(&self, text: &str) -> usize {
        (self.width.unwrap_or(0) as usize).saturating_sub(text.chars().count())
    }
}

/// `text` with spaces around it up to `width` characters; never cut.
pub fn pad(text: &str, align: Align, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let before = match align {
        Align::Left => 0,
        Align::Right => missing,
        Align::Center => missing / 2,
    };
    format!("{}{text}{}", " ".repeat(before), " ".repeat(missing - before))
}
