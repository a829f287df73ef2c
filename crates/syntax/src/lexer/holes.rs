//! Holes that are none, or not closed: what was meant.

use super::range;
use super::strings::char_end;
use crate::SyntaxFix;

/// Whether a backslash stands in a hole, outside of characters: only text has one.
pub(super) fn has_backslash(text: &str, mut at: usize, end: usize) -> bool {
    while at < end {
        match text.as_bytes()[at] {
            b'\\' => return true,
            b'\'' => at = char_end(text, at, end),
            _ => at += 1,
        }
    }
    false
}

/// What repairs a hole without an end: the end behind what reads as a value, or else a brace that is text.
pub(super) fn unclosed_hole_fix(text: &str, open: usize, end: usize) -> SyntaxFix {
    let content = &text[open + 1..end];
    let length = value_length(content);
    if length == 0 {
        let (range, text) = (range(open, open + 1), "\\{".to_owned());
        return SyntaxFix { title: "write `\\{`".to_owned(), range, text };
    }
    let at = open + 1 + length + format_length(&content[length..]);
    SyntaxFix { title: "insert `}`".to_owned(), range: range(at, at), text: "}".to_owned() }
}

/// How long the value is that a text begins with: names with fields, calls and indexes, and operators between them.
fn value_length(text: &str) -> usize {
    let mut length = operand_length(text);
    while length > 0 {
        let operator = text[length..].trim_start_matches(' ');
        let Some(behind) = operator.strip_prefix(['+', '-', '*', '/', '%']) else { break };
        let operand = behind.trim_start_matches(' ');
        match operand_length(operand) {
            0 => break,
            next => length = text.len() - operand.len() + next,
        }
    }
    length
}

/// How long the name is that a text begins with, with its fields, calls and indexes.
fn operand_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') {
        return 0;
    }
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        at += match byte {
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => 1,
            b'.' if next == b'_' || next.is_ascii_alphanumeric() => 1,
            b'(' | b'[' => match group_length(&bytes[at..]) {
                Some(length) => length,
                None => break,
            },
            _ => break,
        };
    }
    at
}

/// How long the group in brackets is that some bytes begin with, if it ends.
fn group_length(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// How long the format is that stands behind a value, with its colon.
fn format_length(text: &str) -> usize {
    let Some(format) = text.strip_prefix(':') else { return 0 };
    let number = format.trim_start_matches(['<', '>', '^', '+', '.', '?']);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let kind = rest.starts_with(['?', 'e', 'd', 'x', 'X', 'b', 'o'])
        && !rest.chars().nth(1).is_some_and(char::is_alphanumeric);
    match format.len() - rest.len() + usize::from(kind) {
        0 => 0,
        length => 1 + length,
    }
}
