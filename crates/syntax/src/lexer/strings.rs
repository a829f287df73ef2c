//! Strings: where they end, and their texts and holes.

use super::holes::{has_backslash, unclosed_hole_fix};
use super::{Lexer, Place};
use crate::text::{Quote, block_lines, closing_indentation, unescape};
use crate::{SyntaxFix, SyntaxKind};

/// How far the search for the end of a hole with a string in it goes.
///
/// Only a text with a mistake needs the search; the bound keeps lexing linear.
const REPAIR_BYTES: usize = 512;

impl Lexer<'_> {
    /// A string whose opening quotes are `from..content`; gives where it ends.
    pub(super) fn string(
        &mut self,
        from: usize,
        content: usize,
        end: usize,
        place: Place,
    ) -> usize {
        let block = content - from == 3;
        if place == Place::Hole {
            let message = "a hole cannot hold a string: bind the text to a name first";
            self.error(from, content, message);
        }
        let errors = self.out.errors.len();
        self.push(SyntaxKind::STRING_START, content);
        let mut close = close_of(self.text, content, end, block);
        let mut text_start = content;
        let mut at = content;
        let mut first = true;
        let mut block_texts = Vec::new();
        while at < close.at {
            match self.text.as_bytes()[at] {
                b'\\' => at += escape_length(&self.text[at..close.at]),
                b'{' => {
                    if at > text_start {
                        block_texts.push((text_start, at, first));
                        self.text_piece(text_start, at);
                    }
                    first = false;
                    at = self.hole(at, &mut close, end, block);
                    text_start = at;
                }
                b'}' => {
                    let fix = SyntaxFix {
                        title: "write `\\}`".to_owned(),
                        range: super::range(at, at + 1),
                        text: "\\}".to_owned(),
                    };
                    let message = "this `}` closes no hole: write `\\}` for a brace in text";
                    self.error_with_fix(at, at + 1, message, Some(fix));
                    at += 1;
                }
                _ => at += 1,
            }
        }
        let last_text = (close.at > text_start).then_some((text_start, close.at, first));
        if last_text.is_some() {
            self.text_piece(text_start, close.at);
        }
        if !close.found {
            // Where it ends is not known, and so is what stands in it.
            self.out.errors.truncate(errors);
            let quotes = if block { "\"\"\"" } else { "\"" };
            self.error(from, content, format!("this string is never closed: expected `{quotes}`"));
            // The parser relies on every string and every hole having an end.
            self.push(SyntaxKind::STRING_END, close.at);
            return close.at;
        }
        if block {
            self.check_block(&block_texts, last_text, close.at);
        }
        let to = close.at + (content - from);
        self.push(SyntaxKind::STRING_END, to);
        to
    }

    fn text_piece(&mut self, start: usize, end: usize) {
        self.push(SyntaxKind::STRING_TEXT, end);
        if !self.text[start..end].contains('\\') {
            return;
        }
        let mut errors = Vec::new();
        unescape(&self.text[start..end], Quote::String, &mut |error| errors.push(error));
        for error in errors {
            self.error(start + error.start, start + error.end, error.message);
        }
    }

    /// A hole from its brace on; gives where the text goes on.
    fn hole(&mut self, open: usize, close: &mut Close, end: usize, block: bool) -> usize {
        let inside = open + 1;
        let mut found = hole_end(self.text, inside, close.at, false);
        if found.is_none() && close.found && !block {
            // A quote in a hole ends the string. That is a mistake for sure, so look whether
            // the hole makes sense as one with a string inside, and report that instead.
            let line = self.text[inside..end].find('\n').map_or(end, |at| inside + at);
            let mut limit = line.min(inside + REPAIR_BYTES);
            while !self.text.is_char_boundary(limit) {
                limit -= 1;
            }
            let repaired = hole_end(self.text, inside, limit, true)
                .map(|hole| (hole, close_of(self.text, hole + 1, end, false)))
                .filter(|(_, close)| close.found);
            if let Some((hole, new_close)) = repaired {
                found = Some(hole);
                *close = new_close;
            }
        }
        self.push(SyntaxKind::HOLE_OPEN, inside);
        match found {
            Some(at) if has_backslash(self.text, inside, at) => {
                let content = &self.text[inside..at];
                let fix = SyntaxFix {
                    title: "write `\\{` and `\\}`".to_owned(),
                    range: super::range(open, at + 1),
                    text: format!("\\{{{content}\\}}"),
                };
                let message =
                    "this `{` begins a hole, which holds no `\\`: a brace in text is `\\{`";
                self.error_with_fix(open, inside, message, Some(fix));
                self.text_in_hole(inside, at);
                self.push(SyntaxKind::HOLE_CLOSE, at + 1);
                at + 1
            }
            Some(at) => {
                self.run(inside, at, Place::Hole);
                self.push(SyntaxKind::HOLE_CLOSE, at + 1);
                at + 1
            }
            None => {
                if close.found {
                    let fix = unclosed_hole_fix(self.text, open, close.at);
                    let message =
                        "this hole is never closed: expected `}` (`\\{` is a brace in text)";
                    self.error_with_fix(open, inside, message, Some(fix));
                }
                self.text_in_hole(inside, close.at);
                self.push(SyntaxKind::HOLE_CLOSE, close.at);
                close.at
            }
        }
    }

    /// What stands in the hole that has just begun, when it is text for all one knows, and makes no sense as tokens.
    fn text_in_hole(&mut self, start: usize, end: usize) {
        self.out.unclosed_holes.push(self.out.tokens.len() - 1);
        let errors = self.out.errors.len();
        self.run(start, end, Place::Hole);
        self.out.errors.truncate(errors);
    }

    /// Reports what is wrong with the lines of a block string.
    fn check_block(
        &mut self,
        texts: &[(usize, usize, bool)],
        last: Option<(usize, usize, bool)>,
        close: usize,
    ) {
        let text = self.text;
        let closing = last.map_or("", |(start, end, _)| &text[start..end]);
        let indent = closing_indentation(closing);
        let alone = closing.rfind('\n').is_some_and(|at| at + 1 + indent.len() == closing.len());
        if !alone {
            let message = "the closing `\"\"\"` of a block string stands alone on its line";
            self.error(close, close + 3, message);
            return;
        }
        let pieces = texts.iter().copied().map(|piece| (piece, false));
        for ((start, end, first), is_last) in pieces.chain(last.map(|piece| (piece, true))) {
            for line in block_lines(&text[start..end], first, is_last) {
                if line.from_start && !line.is_blank() && !line.text.starts_with(indent) {
                    let at = start + line.start;
                    let blank = line.text.len() - line.text.trim_start().len();
                    let message = "this line is indented less than the closing `\"\"\"`";
                    self.error(at, at + blank.max(1).min(line.text.len()), message);
                    return;
                }
            }
        }
    }
}

/// How long the escape is that the text begins with; the braces of `\u{..}` are part of it.
fn escape_length(text: &str) -> usize {
    let Some(digits) = text.strip_prefix("\\u{") else {
        return 2;
    };
    let count = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
    3 + count + usize::from(digits[count..].starts_with('}'))
}

/// The end of the content of a string.
#[derive(Debug, Clone, Copy)]
struct Close {
    at: usize,
    /// Whether the closing quotes stand there.
    found: bool,
}

/// Where the content of a string ends that goes on at `at`.
fn close_of(text: &str, mut at: usize, end: usize, block: bool) -> Close {
    let bytes = text.as_bytes();
    while at < end {
        match bytes[at] {
            b'\\' if at + 1 < end && (block || bytes[at + 1] != b'\n') => {
                at += 1;
                at += text[at..].chars().next().map_or(1, char::len_utf8);
            }
            b'"' if !block || text[at..end].starts_with("\"\"\"") => {
                return Close { at, found: true };
            }
            b'\n' if !block => {
                // The carriage return of the line end is none of the string's.
                return Close {
                    at: if bytes[at - 1] == b'\r' { at - 1 } else { at },
                    found: false,
                };
            }
            _ => at += 1,
        }
    }
    Close { at: at.min(end), found: false }
}

/// The brace that closes the hole whose content begins at `at`, before `end`.
fn hole_end(text: &str, mut at: usize, end: usize, strings: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    while at < end {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            b'\'' => {
                at = char_end(text, at, end);
                continue;
            }
            b'"' if strings => {
                let close = close_of(text, at + 1, end, false);
                if !close.found {
                    return None;
                }
                at = close.at;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where a character literal ends whose quote stands at `at`; behind the quote when it is none.
pub(super) fn char_end(text: &str, at: usize, end: usize) -> usize {
    let rest = &text[at + 1..end];
    let mut chars = rest.char_indices();
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            let close = chars.take_while(|(_, c)| *c != '\n').find(|(_, c)| *c == '\'');
            close.map_or(at + 1, |(offset, _)| at + 1 + offset + 1)
        }
        Some((_, c)) if c != '\'' && rest[c.len_utf8()..].starts_with('\'') => {
            at + 1 + c.len_utf8() + 1
        }
        _ => at + 1,
    }
}
