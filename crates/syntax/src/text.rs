//! The values of character and string literals.

use crate::SyntaxKind;
use crate::ast::{AstNode as _, Element, Hole, StringLit, StringPart};

/// What is wrong with an escape: its bytes in the text, and a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EscapeError {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: String,
}

/// Where an escape stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    Char,
    String,
}

/// The character of a token with its quotes; `None` when it is malformed.
pub(crate) fn char_value(token: &str) -> Option<char> {
    let inner = token.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut failed = false;
    let value = unescape(inner, Quote::Char, &mut |_| failed = true);
    let mut chars = value.chars();
    let first = chars.next()?;
    (!failed && chars.next().is_none()).then_some(first)
}

/// Replaces the escapes of a text; a malformed one is reported and left out.
pub(crate) fn unescape(text: &str, quote: Quote, report: &mut dyn FnMut(EscapeError)) -> String {
    let mut value = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(offset) = text[at..].find('\\') {
        value.push_str(&text[at..at + offset]);
        let start = at + offset;
        let (end, result) = escape(text, start, quote);
        match result {
            Ok(c) => value.push(c),
            Err(message) => report(EscapeError { start, end, message }),
        }
        at = end;
    }
    value.push_str(&text[at..]);
    value
}

/// The escape at the backslash at `start`: where it ends, and its character.
fn escape(text: &str, start: usize, quote: Quote) -> (usize, Result<char, String>) {
    let rest = &text[start + 1..];
    let Some(c) = rest.chars().next() else {
        return (text.len(), Err("expected an escape behind `\\`".to_owned()));
    };
    let end = start + 1 + c.len_utf8();
    let simple = match (c, quote) {
        ('n', _) => '\n',
        ('r', _) => '\r',
        ('t', _) => '\t',
        ('0', _) => '\0',
        ('\\', _) => '\\',
        ('"' | '{' | '}', Quote::String) | ('\'', Quote::Char) => c,
        ('x', _) => return hex_escape(text, end),
        ('u', _) => return unicode_escape(text, end),
        ('\'', Quote::String) => {
            return (end, Err("`\\'` is no escape in a string: write `'`".to_owned()));
        }
        ('"', Quote::Char) => {
            return (end, Err("`\\\"` is no escape in a character: write `\"`".to_owned()));
        }
        _ => return (end, Err(format!("unknown escape `\\{}`", c.escape_debug()))),
    };
    (end, Ok(simple))
}

fn hex_escape(text: &str, at: usize) -> (usize, Result<char, String>) {
    let digits = text.get(at..at + 2).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
        Some(byte) => (at + 2, Ok(char::from(byte))),
        None => (at, Err("expected exactly two hexadecimal digits behind `\\x`".to_owned())),
    }
}

fn unicode_escape(text: &str, at: usize) -> (usize, Result<char, String>) {
    let form = "expected hexadecimal digits in braces behind `\\u`, such as `\\u{e9}`";
    let Some(rest) = text[at..].strip_prefix('{') else {
        return (at, Err(form.to_owned()));
    };
    let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
    let after = at + 1 + digits;
    if digits == 0 || !text[after..].starts_with('}') {
        return (after, Err(form.to_owned()));
    }
    let value = u32::from_str_radix(&rest[..digits], 16).ok().and_then(char::from_u32);
    (after + 1, value.ok_or_else(|| format!("`{}` is no Unicode scalar value", &rest[..digits])))
}

/// The parts of a string, escapes replaced, the indentation of a block string removed.
pub(crate) fn string_parts(string: &StringLit) -> Vec<StringPart> {
    let pieces: Vec<_> = string
        .syntax()
        .children_with_tokens()
        .filter(|element| {
            matches!(
                element.kind(),
                SyntaxKind::STRING_TEXT | SyntaxKind::HOLE | SyntaxKind::STRING_END
            )
        })
        .collect();
    let text_of = |index: usize| match pieces.get(index) {
        Some(Element::Token(token)) if token.kind() == SyntaxKind::STRING_TEXT => {
            Some(token.text())
        }
        _ => None,
    };
    let closed = pieces.last().is_some_and(|piece| piece.kind() == SyntaxKind::STRING_END);
    let last = if closed { pieces.len().checked_sub(2) } else { None };
    let prefix = last.and_then(text_of).map(closing_indentation).unwrap_or_default();
    let mut parts = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Element::Token(token) if token.kind() == SyntaxKind::STRING_TEXT => {
                let raw = if string.is_block() {
                    block_text(token.text(), index == 0, Some(index) == last, prefix)
                } else {
                    token.text().to_owned()
                };
                let value = unescape(&raw, Quote::String, &mut |_| {});
                if !value.is_empty() {
                    parts.push(StringPart::Text { value, range: token.text_range() });
                }
            }
            Element::Node(node) => {
                parts.extend(Hole::cast(node.clone()).map(StringPart::Hole));
            }
            _ => {}
        }
    }
    parts
}

/// A line of a text of a block string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockLine<'a> {
    /// Where it begins, in bytes of the text.
    pub(crate) start: usize,
    /// The line without its end.
    pub(crate) text: &'a str,
    /// Whether the text holds the line from its beginning.
    pub(crate) from_start: bool,
    /// Whether the text holds the line to its end.
    pub(crate) to_end: bool,
}

impl BlockLine<'_> {
    /// Whether the line is empty but for white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.from_start && self.to_end && self.text.chars().all(is_blank)
    }
}

/// The lines of one text of a block string, without the new line behind the opening quotes and
/// without the line of the closing ones.
pub(crate) fn block_lines(text: &str, first: bool, last: bool) -> Vec<BlockLine<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let from_start = start > 0;
        lines.push(BlockLine { start, text: line, from_start, to_end: true });
        start += line.len() + 1;
    }
    let count = lines.len();
    if let Some(line) = lines.last_mut() {
        line.to_end = false;
    }
    if last && count > 1 && lines.last().is_some_and(|line| line.text.chars().all(is_blank)) {
        lines.pop();
    }
    for line in &mut lines {
        if line.to_end {
            line.text = line.text.strip_suffix('\r').unwrap_or(line.text);
        }
    }
    if first && count > 1 && lines.first().is_some_and(|line| line.text.is_empty()) {
        lines.remove(0);
    }
    lines
}

fn block_text(text: &str, first: bool, last: bool, prefix: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for (index, line) in block_lines(text, first, last).iter().enumerate() {
        if index > 0 {
            value.push('\n');
        }
        if line.from_start && !line.is_blank() {
            value.push_str(line.text.strip_prefix(prefix).unwrap_or(line.text));
        } else if !line.from_start {
            value.push_str(line.text);
        }
    }
    value
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// The white space in front of the closing quotes of a block string, whose last text is given.
pub(crate) fn closing_indentation(text: &str) -> &str {
    let line = text.rfind('\n').map_or("", |at| &text[at + 1..]);
    &line[..line.len() - line.trim_start_matches(is_blank).len()]
}
