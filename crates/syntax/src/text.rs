//! The values of character and string literals.

use crate::ast::{AstNode as _, Hole, StringLit, StringPart};
use crate::{NodeOrToken, SyntaxKind};

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
    let mut parts = Vec::new();
    let mut dedent = Dedent::of(string);
    for element in string.syntax().children_with_tokens() {
        match element {
            NodeOrToken::Token(token) if token.kind() == SyntaxKind::STRING_TEXT => {
                let raw = dedent.apply(token.text());
                let value = unescape(&raw, Quote::String, &mut |_| {});
                if !value.is_empty() {
                    parts.push(StringPart::Text { value, range: token.text_range() });
                }
            }
            NodeOrToken::Node(node) => {
                dedent.at_line_start = false;
                parts.extend(Hole::cast(node).map(StringPart::Hole));
            }
            _ => {}
        }
    }
    parts
}

/// Removes the indentation of a block string from one text after the other.
struct Dedent {
    /// The white space in front of the closing quotes; `None` for a plain string.
    prefix: Option<String>,
    /// Whether the next text begins a line.
    at_line_start: bool,
    /// Whether the next text is the first of the string.
    first: bool,
    /// The texts that are left, the current one included.
    left: usize,
}

impl Dedent {
    fn of(string: &StringLit) -> Self {
        let texts: Vec<_> = string
            .syntax()
            .children_with_tokens()
            .filter(|element| !element.kind().is_trivia())
            .collect();
        let closed = texts.last().is_some_and(|e| e.kind() == SyntaxKind::STRING_END);
        let last = texts.iter().rev().find_map(|element| match element {
            NodeOrToken::Token(token) if token.kind() == SyntaxKind::STRING_TEXT => {
                Some(token.text().to_owned())
            }
            _ => None,
        });
        let prefix = (string.is_block() && closed)
            .then(|| last.as_deref().map(indentation).unwrap_or_default());
        let left = texts.iter().filter(|e| e.kind() == SyntaxKind::STRING_TEXT).count();
        Self { prefix, at_line_start: false, first: true, left }
    }

    fn apply(&mut self, text: &str) -> String {
        let first = std::mem::replace(&mut self.first, false);
        self.left = self.left.saturating_sub(1);
        let Some(prefix) = &self.prefix else {
            return text.replace("\r\n", "\n");
        };
        let text = text.replace("\r\n", "\n");
        let mut value = String::with_capacity(text.len());
        let mut text = text.as_str();
        if first && let Some(rest) = text.strip_prefix('\n') {
            text = rest;
            self.at_line_start = true;
        }
        if self.left == 0 {
            // The line of the closing quotes, and the new line in front of it.
            let line = text.rfind('\n').map_or(0, |at| at + 1);
            if text[line..].chars().all(is_blank) {
                text = if line > 0 { &text[..line - 1] } else { "" };
            }
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                value.push('\n');
                self.at_line_start = true;
            }
            if !std::mem::replace(&mut self.at_line_start, false) {
                value.push_str(line);
            } else if !line.chars().all(is_blank) || text_goes_on(text, index) {
                value.push_str(line.strip_prefix(prefix.as_str()).unwrap_or(line));
            }
        }
        value
    }
}

/// Whether the line is the last of its text, so that a hole may follow on it.
fn text_goes_on(text: &str, line: usize) -> bool {
    text.matches('\n').count() == line
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// The white space behind the last new line of a text.
pub(crate) fn indentation(text: &str) -> String {
    let line = text.rfind('\n').map_or("", |at| &text[at + 1..]);
    line.chars().take_while(|c| is_blank(*c)).collect()
}
