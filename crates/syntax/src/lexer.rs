//! Text to tokens.
//!
//! Every byte belongs to exactly one token. Two-character operators that types and prefixes split
//! (`&&`, `>=`, `>>`, `??`) are left in single characters: the parser joins them where they are operators.
//! A string comes out in pieces, the tokens of its holes between them (`strings`).

mod holes;
mod strings;
mod tokens;
mod words;

pub(crate) use tokens::{Lexed, Significant, Token};

use crate::keywords::word_kind;
use crate::numbers::{NumberError, float_parts, int_value};
use crate::text::{Quote, unescape};
use crate::{SyntaxError, SyntaxFix, SyntaxKind};
use logos::Logos;
use rowan::{TextRange, TextSize};

/// What the generated automaton tells apart: what is not known by its first bytes.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Raw {
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Ident,
    #[regex(r"[0-9][0-9A-Za-z_]*", priority = 10)]
    Int,
    #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?[A-Za-z0-9_]*", priority = 20)]
    #[regex(r"[0-9][0-9_]*[eE][+-]?[0-9][0-9_]*[A-Za-z0-9_]*", priority = 20)]
    Float,
}

/// Splits a text into tokens.
pub(crate) fn lex(text: &str) -> Lexed<'_> {
    let mut lexer = Lexer { text, out: Lexed::new(text) };
    let mut start = 0;
    if text.starts_with('\u{feff}') {
        start = '\u{feff}'.len_utf8();
        lexer.push(SyntaxKind::WHITESPACE, start);
    }
    lexer.run(start, text.len(), Place::File);
    lexer.out
}

/// Where tokens are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    File,
    /// A hole of a string, whose tokens end where the hole ends.
    Hole,
}

struct Lexer<'a> {
    text: &'a str,
    out: Lexed<'a>,
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(TextSize::new(offset(start)), TextSize::new(offset(end)))
}

/// An offset as trees count them: a text of more than 4 GiB is beyond every tree.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl<'a> Lexer<'a> {
    #[inline]
    fn push(&mut self, kind: SyntaxKind, end: usize) {
        self.out.push(kind, offset(end));
    }

    /// Adds a word, a number or a sign that is no bracket; gives where it ends.
    #[inline]
    fn push_word(&mut self, kind: SyntaxKind, end: usize) -> usize {
        self.out.push_word(kind, offset(end));
        end
    }

    fn error(&mut self, start: usize, end: usize, message: impl Into<String>) {
        self.error_with_fix(start, end, message, None);
    }

    fn error_with_fix(
        &mut self,
        start: usize,
        end: usize,
        message: impl Into<String>,
        fix: Option<SyntaxFix>,
    ) {
        let (range, message) = (range(start, end), message.into());
        self.out.errors.push(SyntaxError { range, message, fix });
    }

    /// Reads the tokens of `start..end`.
    fn run(&mut self, start: usize, end: usize, place: Place) {
        let text = self.text;
        let bytes = &text.as_bytes()[..end];
        let mut at = start;
        while let Some(first) = bytes.get(at) {
            at = match *first {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(at, bytes),
                b' ' | b'\t' | b'\r' => {
                    let to = behind(bytes, at, |byte| matches!(byte, b' ' | b'\t' | b'\r'));
                    self.out.push_blank(SyntaxKind::WHITESPACE, offset(to));
                    to
                }
                b'\n' => {
                    self.push(SyntaxKind::NEWLINE, at + 1);
                    at + 1
                }
                b'(' => self.opening(SyntaxKind::L_PAREN, at + 1),
                b')' => self.closing(SyntaxKind::R_PAREN, SyntaxKind::L_PAREN, at + 1),
                b'[' => self.opening(SyntaxKind::L_BRACK, at + 1),
                b']' => self.closing(SyntaxKind::R_BRACK, SyntaxKind::L_BRACK, at + 1),
                b'{' => self.opening(SyntaxKind::L_BRACE, at + 1),
                b'}' => self.closing(SyntaxKind::R_BRACE, SyntaxKind::L_BRACE, at + 1),
                b',' => self.push_word(SyntaxKind::COMMA, at + 1),
                b'0'..=b'9' => self.plain_number(at, bytes),
                b'"' => {
                    let quotes = if bytes[at..].starts_with(b"\"\"\"") { 3 } else { 1 };
                    self.string(at, at + quotes, end, place)
                }
                b'\'' => self.quote(at, end),
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    let to = behind(bytes, at, |byte| byte != b'\n');
                    let comment = &bytes[at..to];
                    let doc = comment.starts_with(b"///") && !comment.starts_with(b"////");
                    let kind = if doc { SyntaxKind::DOC_COMMENT } else { SyntaxKind::LINE_COMMENT };
                    self.out.push_blank(kind, offset(to));
                    to
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => self.block_comment(at, end),
                _ => match sign(&bytes[at..]) {
                    Some((kind, length)) => self.push_word(kind, at + length),
                    None => self.other(at, end),
                },
            };
        }
    }

    /// A bracket that opens; gives where it ends.
    #[inline]
    fn opening(&mut self, kind: SyntaxKind, end: usize) -> usize {
        self.out.push_opening(kind, offset(end));
        end
    }

    /// A bracket that closes one of the other kind; gives where it ends.
    #[inline]
    fn closing(&mut self, kind: SyntaxKind, opening: SyntaxKind, end: usize) -> usize {
        self.out.push_closing(kind, opening, offset(end));
        end
    }

    /// What the automaton reads, or a character that begins no token; gives where it ends.
    fn other(&mut self, from: usize, end: usize) -> usize {
        let text = self.text;
        let mut raw = Raw::lexer(&text[from..end]);
        let token = raw.next();
        let to = from + raw.span().end;
        match token {
            Some(Ok(Raw::Ident)) => {
                self.push(word_kind(&text[from..to]), to);
                to
            }
            Some(Ok(Raw::Int)) => {
                self.number(from, to, int_value(&text[from..to]).err());
                self.push(SyntaxKind::INT, to);
                to
            }
            Some(Ok(Raw::Float)) => {
                self.number(from, to, float_parts(&text[from..to]).err());
                self.push(SyntaxKind::FLOAT, to);
                to
            }
            Some(Err(())) => {
                let close = match &text[from..to] {
                    "`" => Some('`'),
                    "\u{201c}" => Some('\u{201d}'),
                    "\u{2018}" => Some('\u{2019}'),
                    _ => None,
                };
                let reached = close.and_then(|close| self.foreign_text(from, to, close, end));
                reached.unwrap_or_else(|| {
                    self.unknown(from, to);
                    to
                })
            }
            // Only an empty text has no token.
            None => end,
        }
    }

    /// Text in quotes of other languages, up to the closing one on the line; gives where it ends.
    ///
    /// It becomes a character token: an operand, whatever its text is.
    fn foreign_text(&mut self, from: usize, open: usize, close: char, end: usize) -> Option<usize> {
        let line = &self.text[open..end];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let content = &line[..line.find(close)?];
        let to = open + content.len() + close.len_utf8();
        let next = self.text[to..end].chars().next();
        if content.contains('"') || next.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        self.push(SyntaxKind::CHAR, to);
        let fix = SyntaxFix {
            title: "write a string".to_owned(),
            range: range(from, to),
            text: format!("\"{content}\""),
        };
        self.error_with_fix(from, to, "text stands between double quotes", Some(fix));
        Some(to)
    }

    /// Whether a quote here can only begin text: lifetimes stand behind `&`, `<` and names.
    fn begins_text(&self, from: usize) -> bool {
        let before = self.text[..from].trim_end_matches([' ', '\t']);
        before.ends_with(['=', '(', '[', '+', '|', ',', ':'])
            || ["return", "=>"].iter().any(|word| before.ends_with(word))
    }

    /// Characters that begin no token; neighbours become one token and one error.
    fn unknown(&mut self, from: usize, to: usize) {
        let joined = self.out.tokens.last_mut().filter(|last| {
            last.kind == SyntaxKind::ERROR_TOKEN && usize::try_from(last.end) == Ok(from)
        });
        if let Some(last) = joined {
            last.end = u32::try_from(to).unwrap_or(u32::MAX);
            if let Some(error) = self.out.errors.last_mut() {
                error.range = error.range.cover(range(from, to));
                error.fix = None;
            }
            return;
        }
        let c = self.text[from..to].chars().next().unwrap_or('\u{fffd}');
        let (message, mut fix) = unknown_character(c);
        if c == '#' && self.text[to..].starts_with([' ', '#']) {
            fix = Some("//");
        }
        let fix = fix.map(|text| SyntaxFix {
            title: format!("replace by `{text}`"),
            range: range(from, to),
            text: text.to_owned(),
        });
        let line = self.text[to..].split('\n').next().unwrap_or_default().trim_end();
        let fix = match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(attribute) if c == '#' => Some(SyntaxFix {
                title: format!("write `@{attribute}`"),
                range: range(from, to + line.len()),
                text: format!("@{attribute}"),
            }),
            _ => fix,
        };
        self.push(SyntaxKind::ERROR_TOKEN, to);
        self.error_with_fix(from, to, message, fix);
    }

    /// A block comment from its opening on; comments nest.
    fn block_comment(&mut self, from: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        let mut at = from;
        while at + 1 < end {
            match (bytes[at], bytes[at + 1]) {
                (b'/', b'*') => {
                    depth += 1;
                    at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        self.push(SyntaxKind::BLOCK_COMMENT, at);
                        return at;
                    }
                }
                _ => at += 1,
            }
        }
        self.push(SyntaxKind::BLOCK_COMMENT, end);
        self.error(from, from + 2, "this comment is never closed: expected `*/`");
        end
    }

    fn number(&mut self, from: usize, to: usize, error: Option<NumberError>) {
        let Some(error) = error else { return };
        let literal = &self.text[from..to];
        let (message, fix) = match error {
            NumberError::TooLarge => ("this integer does not fit in 64 bits".to_owned(), None),
            NumberError::NoDigits if literal.ends_with(['e', 'E', '+', '-']) => {
                ("expected digits in the exponent".to_owned(), None)
            }
            NumberError::NoDigits => (format!("expected digits behind `{literal}`"), None),
            NumberError::BadDigit { digit, base } => {
                (format!("`{digit}` is no digit of a number in base {base}"), None)
            }
            // A number in front of a name is a factor.
            NumberError::BadSuffix(suffix)
                if !suffix.contains(|c: char| c.is_ascii_digit())
                    && suffix.chars().all(|c| c.is_alphanumeric() || c == '_') =>
            {
                let digits = &literal[..literal.len() - suffix.len()];
                let text = format!("{digits} * {suffix}");
                let message =
                    format!("`{suffix}` is no number suffix: a product is written `{text}`");
                let fix =
                    SyntaxFix { title: format!("write `{text}`"), range: range(from, to), text };
                (message, Some(fix))
            }
            NumberError::BadSuffix(suffix) => {
                (format!("`{suffix}` is no number suffix: use one such as `i64` or `f32`"), None)
            }
            NumberError::IntSuffixOnFloat(suffix) => {
                (format!("the suffix `{suffix}` is for integers, and this is a float"), None)
            }
            NumberError::FloatSuffixOnInt(suffix) => {
                let digits = &literal[..literal.len() - suffix.len()];
                let text = format!("{digits}.0{suffix}");
                let fix = digits.bytes().all(|b| b.is_ascii_digit() || b == b'_').then(|| {
                    SyntaxFix { title: format!("write `{text}`"), range: range(from, to), text }
                });
                (format!("the suffix `{suffix}` is for floats, and this is an integer"), fix)
            }
        };
        self.error_with_fix(from, to, message, fix);
    }

    /// A character or a lifetime, from its quote on.
    fn quote(&mut self, from: usize, end: usize) -> usize {
        let rest = &self.text[from + 1..end];
        let mut chars = rest.chars();
        match (chars.next(), chars.next()) {
            (Some('\\'), _) => self.escaped_char(from, end),
            (Some(c), Some('\'')) if c != '\'' && c != '\n' => {
                let to = from + 1 + c.len_utf8() + 1;
                self.push(SyntaxKind::CHAR, to);
                to
            }
            (Some('\''), _) => {
                self.push(SyntaxKind::CHAR, from + 2);
                self.error(from, from + 2, "a character literal holds exactly one character");
                from + 2
            }
            _ => {
                let mut word = Raw::lexer(rest);
                let is_word = matches!(word.next(), Some(Ok(Raw::Ident)));
                let to = from + 1 + if is_word { word.span().end } else { 0 };
                if is_word && self.text[to..end].starts_with('\'') {
                    self.push(SyntaxKind::CHAR, to + 1);
                    let fix = SyntaxFix {
                        title: "write a string".to_owned(),
                        range: range(from, to + 1),
                        text: format!("\"{}\"", &self.text[from + 1..to]),
                    };
                    let message = "a character literal holds exactly one character; \
                                   text stands between double quotes";
                    self.error_with_fix(from, to + 1, message, Some(fix));
                    return to + 1;
                }
                if self.begins_text(from)
                    && let Some(to) = self.foreign_text(from, from + 1, '\'', end)
                {
                    return to;
                }
                self.push(if is_word { SyntaxKind::LIFETIME } else { SyntaxKind::CHAR }, to);
                if !is_word {
                    let before = self.text[..from].chars().next_back();
                    let operand =
                        before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'));
                    if operand {
                        let fix = SyntaxFix {
                            title: "write `.t()`".to_owned(),
                            range: range(from, from + 1),
                            text: ".t()".to_owned(),
                        };
                        let message = "this character literal is never closed: \
                                       a transpose is written `.t()`";
                        self.error_with_fix(from, from + 1, message, Some(fix));
                        return to;
                    }
                    self.error(from, to, "this character literal is never closed: expected `'`");
                }
                to
            }
        }
    }

    fn escaped_char(&mut self, from: usize, end: usize) -> usize {
        let bytes = &self.text.as_bytes()[..end];
        let mut at = from + 1;
        while at < end && bytes[at] != b'\'' && bytes[at] != b'\n' {
            // The character behind a backslash cannot end the literal.
            let escaped = bytes[at] == b'\\' && at + 1 < end && bytes[at + 1] != b'\n';
            at += if escaped { 2 } else { 1 };
        }
        let closed = bytes.get(at) == Some(&b'\'');
        // An unclosed literal takes its escape only, so that the rest of the line is read as usual.
        let mut to = if closed { at + 1 } else { (from + 3).min(end) };
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        if !closed && self.text[from..to].ends_with('\n') {
            to -= 1;
        }
        self.push(SyntaxKind::CHAR, to);
        if !closed {
            self.error(from, to, "this character literal is never closed: expected `'`");
            return to;
        }
        let mut errors = Vec::new();
        let value = unescape(&self.text[from + 1..at], Quote::Char, &mut |e| errors.push(e));
        if errors.is_empty() && value.chars().count() != 1 {
            self.error(from, to, "a character literal holds exactly one character");
        }
        for error in errors {
            self.error(from + 1 + error.start, from + 1 + error.end, error.message);
        }
        to
    }
}

/// Where the bytes end, from one on, that are all of a class; that one is taken for granted.
fn behind(bytes: &[u8], from: usize, is_inside: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from + 1..).unwrap_or_default();
    from + 1 + rest.iter().position(|byte| !is_inside(*byte)).unwrap_or(rest.len())
}

/// The longest sign that a text begins with, and its length. Signs that are joined elsewhere are single here.
fn sign(bytes: &[u8]) -> Option<(SyntaxKind, usize)> {
    let next = bytes.get(1).copied().unwrap_or_default();
    Some(match (*bytes.first()?, next) {
        (b':', b':') => (SyntaxKind::COLON2, 2),
        (b':', _) => (SyntaxKind::COLON, 1),
        (b';', _) => (SyntaxKind::SEMICOLON, 1),
        (b'.', b'.') if bytes.get(2) == Some(&b'=') => (SyntaxKind::DOT2_EQ, 3),
        (b'.', b'.') => (SyntaxKind::DOT2, 2),
        (b'.', _) => (SyntaxKind::DOT, 1),
        (b'=', b'=') => (SyntaxKind::EQ2, 2),
        (b'=', b'>') => (SyntaxKind::FAT_ARROW, 2),
        (b'=', _) => (SyntaxKind::EQ, 1),
        (b'!', b'=') => (SyntaxKind::NEQ, 2),
        (b'!', _) => (SyntaxKind::BANG, 1),
        (b'<', b'=') => (SyntaxKind::LT_EQ, 2),
        (b'<', b'<') => (SyntaxKind::SHL, 2),
        (b'<', _) => (SyntaxKind::LT, 1),
        (b'>', _) => (SyntaxKind::GT, 1),
        (b'+', b'=') => (SyntaxKind::PLUS_EQ, 2),
        (b'+', _) => (SyntaxKind::PLUS, 1),
        (b'-', b'>') => (SyntaxKind::ARROW, 2),
        (b'-', b'=') => (SyntaxKind::MINUS_EQ, 2),
        (b'-', _) => (SyntaxKind::MINUS, 1),
        (b'*', b'=') => (SyntaxKind::STAR_EQ, 2),
        (b'*', _) => (SyntaxKind::STAR, 1),
        (b'/', b'=') => (SyntaxKind::SLASH_EQ, 2),
        (b'/', _) => (SyntaxKind::SLASH, 1),
        (b'%', b'=') => (SyntaxKind::PERCENT_EQ, 2),
        (b'%', _) => (SyntaxKind::PERCENT, 1),
        (b'@', _) => (SyntaxKind::AT, 1),
        (b'&', _) => (SyntaxKind::AMP, 1),
        (b'|', b'|') => (SyntaxKind::PIPE2, 2),
        (b'|', b'>') => (SyntaxKind::PIPE_GT, 2),
        (b'|', _) => (SyntaxKind::PIPE, 1),
        (b'^', _) => (SyntaxKind::CARET, 1),
        (b'~', _) => (SyntaxKind::TILDE, 1),
        (b'?', _) => (SyntaxKind::QUESTION, 1),
        _ => return None,
    })
}

/// The message for a character that begins no token, and what was probably meant.
fn unknown_character(c: char) -> (String, Option<&'static str>) {
    let meant = match c {
        '\u{201c}' | '\u{201d}' => Some("\""),
        '\u{2018}' | '\u{2019}' => Some("'"),
        '\u{2212}' | '\u{2013}' | '\u{2014}' => Some("-"),
        '\u{d7}' | '\u{22c5}' => Some("*"),
        '\u{2264}' => Some("<="),
        '\u{2265}' => Some(">="),
        '\u{2260}' => Some("!="),
        c if c.is_whitespace() => Some(" "),
        _ => None,
    };
    let message = match (c, meant) {
        ('#', _) => {
            "`#` begins nothing here: a comment begins with `//`, an attribute with `@`".to_owned()
        }
        (_, Some(" ")) => {
            format!("U+{:04X} is no white space of the language: use a plain space", u32::from(c))
        }
        (_, Some(text)) => {
            format!("unknown character `{c}` (U+{:04X}): write `{text}`", u32::from(c))
        }
        _ if c.is_control() => format!("unknown character U+{:04X}", u32::from(c)),
        _ => format!("unknown character `{c}`"),
    };
    (message, meant)
}
