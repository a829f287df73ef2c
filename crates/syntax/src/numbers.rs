//! The values of number tokens.

/// The value of an integer token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntValue {
    /// The magnitude.
    pub value: u64,
    /// The type suffix, such as `u8`.
    pub suffix: Option<&'static str>,
}

/// What is wrong with a number token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NumberError {
    /// The magnitude is 2^64 or more.
    TooLarge,
    /// No digits behind `0x`, `0o`, `0b` or the exponent's `e`.
    NoDigits,
    /// A digit that the base does not have.
    BadDigit {
        /// The digit.
        digit: char,
        /// The base.
        base: u32,
    },
    /// What follows the digits is no suffix.
    BadSuffix(String),
    /// An integer suffix on a float.
    IntSuffixOnFloat(&'static str),
    /// A float suffix on an integer.
    FloatSuffixOnInt(&'static str),
}

const INT_SUFFIXES: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];
const FLOAT_SUFFIXES: [&str; 4] = ["bf16", "f16", "f32", "f64"];

fn find(list: &'static [&'static str], suffix: &str) -> Option<&'static str> {
    list.iter().copied().find(|known| *known == suffix)
}

/// The value of an integer token.
pub(crate) fn int_value(text: &str) -> Result<IntValue, NumberError> {
    let (base, rest) = match text.get(..2) {
        Some("0x" | "0X") => (16, &text[2..]),
        Some("0o" | "0O") => (8, &text[2..]),
        Some("0b" | "0B") => (2, &text[2..]),
        _ => (10, text),
    };
    let mut value: u64 = 0;
    let mut digits = 0;
    let mut overflow = false;
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        match c.to_digit(base) {
            Some(digit) => {
                digits += 1;
                match value.checked_mul(u64::from(base)).and_then(|v| v.checked_add(digit.into())) {
                    Some(next) => value = next,
                    None => overflow = true,
                }
            }
            None if c == '_' && digits > 0 => {}
            None if c.is_ascii_digit() => return Err(NumberError::BadDigit { digit: c, base }),
            None => {
                end = at;
                break;
            }
        }
    }
    let suffix = &rest[end..];
    if digits == 0 {
        return Err(NumberError::NoDigits);
    }
    if base == 10 && matches!(suffix, "e" | "E") {
        return Err(NumberError::NoDigits);
    }
    if overflow {
        return Err(NumberError::TooLarge);
    }
    if suffix.is_empty() {
        return Ok(IntValue { value, suffix: None });
    }
    match find(&INT_SUFFIXES, suffix) {
        Some(suffix) => Ok(IntValue { value, suffix: Some(suffix) }),
        None => Err(match (find(&FLOAT_SUFFIXES, suffix), suffix.chars().next()) {
            (Some(suffix), _) => NumberError::FloatSuffixOnInt(suffix),
            (None, Some(digit)) if base == 16 && !matches!(digit, 'i' | 'u') => {
                NumberError::BadDigit { digit, base }
            }
            _ => NumberError::BadSuffix(suffix.to_owned()),
        }),
    }
}

/// The digits and the suffix of a float token.
pub(crate) fn float_value(text: &str) -> Result<(String, Option<&'static str>), NumberError> {
    let (end, suffix) = float_parts(text)?;
    let digits = text[..end].chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase());
    Ok((digits.collect(), suffix))
}

/// Where the digits of a float token end, and its suffix.
pub(crate) fn float_parts(text: &str) -> Result<(usize, Option<&'static str>), NumberError> {
    let mut exponent = None;
    let mut last = b'_';
    let mut end = text.len();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => last = byte,
            b'_' => {}
            b'.' if exponent.is_none() => last = byte,
            b'e' | b'E' if exponent.is_none() => {
                exponent = Some(at);
                last = b'e';
            }
            b'+' | b'-' if last == b'e' => last = byte,
            _ => {
                end = at;
                break;
            }
        }
    }
    let suffix = &text[end..];
    if exponent.is_some() && !last.is_ascii_digit() {
        return Err(NumberError::NoDigits);
    }
    if suffix.is_empty() {
        return Ok((end, None));
    }
    match find(&FLOAT_SUFFIXES, suffix) {
        Some(suffix) => Ok((end, Some(suffix))),
        None => Err(match find(&INT_SUFFIXES, suffix) {
            Some(suffix) => NumberError::IntSuffixOnFloat(suffix),
            None => NumberError::BadSuffix(suffix.to_owned()),
        }),
    }
}
