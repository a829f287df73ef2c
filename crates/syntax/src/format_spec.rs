//! The format behind the colon of a hole.

/// How a hole prints its value; every part may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FormatSpec {
    /// The alignment.
    pub align: Option<Align>,
    /// Whether a sign is always printed.
    pub plus: bool,
    /// Whether zeros fill the width.
    pub zero: bool,
    /// The least width.
    pub width: Option<u32>,
    /// The number of digits behind the point.
    pub precision: Option<u32>,
    /// The kind.
    pub kind: Option<FormatKind>,
}

/// Where a value stands in its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Align {
    /// `<`
    Left,
    /// `>`
    Right,
    /// `^`
    Center,
}

/// The letter that ends a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormatKind {
    /// `?`
    Debug,
    /// `e`
    Exponent,
    /// `d`
    Decimal,
    /// `x`
    LowerHex,
    /// `X`
    UpperHex,
    /// `b`
    Binary,
    /// `o`
    Octal,
}

/// The greatest width and precision.
pub const FORMAT_MAX: u32 = 65_535;

impl FormatSpec {
    /// Reads the text behind the colon; the error is a message.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut spec = FormatSpec::default();
        let mut rest = text;
        let take = |rest: &mut &str, c: char| match rest.strip_prefix(c) {
            Some(tail) => {
                *rest = tail;
                true
            }
            None => false,
        };
        if text.is_empty() {
            return Err("expected a format behind `:`, such as `.2`".to_owned());
        }
        for (c, align) in [('<', Align::Left), ('>', Align::Right), ('^', Align::Center)] {
            if spec.align.is_none() && take(&mut rest, c) {
                spec.align = Some(align);
            }
        }
        spec.plus = take(&mut rest, '+');
        spec.zero = take(&mut rest, '0');
        spec.width = number(&mut rest, "width")?;
        if take(&mut rest, '.') {
            let precision = number(&mut rest, "precision")?;
            spec.precision =
                Some(precision.ok_or("expected a number of digits behind `.`".to_owned())?);
        }
        for (c, kind) in [
            ('?', FormatKind::Debug),
            ('e', FormatKind::Exponent),
            ('d', FormatKind::Decimal),
            ('x', FormatKind::LowerHex),
            ('X', FormatKind::UpperHex),
            ('b', FormatKind::Binary),
            ('o', FormatKind::Octal),
        ] {
            if spec.kind.is_none() && take(&mut rest, c) {
                spec.kind = Some(kind);
            }
        }
        if !rest.is_empty() {
            return Err(format!(
                "unknown format `{rest}`: a format is [< > ^][+][0][width][.precision][? e d x X b o]"
            ));
        }
        Ok(spec)
    }
}

fn number(rest: &mut &str, what: &str) -> Result<Option<u32>, String> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, tail) = rest.split_at(end);
    *rest = tail;
    if digits.is_empty() {
        return Ok(None);
    }
    match digits.parse() {
        Ok(value) if value <= FORMAT_MAX => Ok(Some(value)),
        _ => Err(format!("the {what} of a format is at most {FORMAT_MAX}")),
    }
}
