//! Messages: what is reported, and what is only a consequence of something reported before.

use super::{Parser, brackets};
use crate::{SyntaxError, SyntaxFix, SyntaxKind};
use rowan::{TextRange, TextSize};

/// How many tokens must make sense on a line before the parser believes that it knows again what is meant.
const SYNC: usize = 3;

/// How far a mistake that the lexer has found makes the parser stumble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// On the rest of its line.
    Rest,
    /// On all of its line.
    Line,
}

impl Parser<'_> {
    /// Forgets an earlier mistake: a new statement or entry begins, which has nothing to do with it.
    pub(super) fn sync(&mut self) {
        self.last_error = self.last_error.filter(|last| *last == self.pos);
    }

    pub(super) fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.error_with_fix(range, message, None);
    }

    /// Reports a mistake, unless one at the same token has been reported.
    pub(super) fn error_with_fix(
        &mut self,
        range: TextRange,
        message: impl Into<String>,
        fix: Option<SyntaxFix>,
    ) {
        if self.muted || self.last_error == Some(self.pos) {
            return;
        }
        self.last_error = Some(self.pos);
        self.errors.push(SyntaxError { range, message: message.into(), fix });
    }

    /// Reports a mistake that does not stand in the way of what follows.
    pub(super) fn note_error(
        &mut self,
        range: TextRange,
        message: impl Into<String>,
        fix: Option<SyntaxFix>,
    ) {
        if !self.muted {
            self.errors.push(SyntaxError { range, message: message.into(), fix });
        }
    }

    /// Reports that something is missing in front of the current token.
    pub(super) fn error_expected(&mut self, what: &str) {
        self.error_expected_with_fix(what, None);
    }

    pub(super) fn error_expected_with_fix(&mut self, what: &str, fix: Option<SyntaxFix>) {
        if self.at(SyntaxKind::LIFETIME) && self.after_operator() {
            let message = "this character literal is never closed: expected `'`; \
                           text stands between double quotes";
            self.error(self.range_of(0), message);
            return;
        }
        // What follows closely on a mistake is rather a consequence of it than another one.
        let close = self.last_error.is_some_and(|last| last < self.pos && self.pos - last < SYNC);
        if close && !self.at_line_start() {
            self.last_error = Some(self.pos);
        }
        if self.at_line_start() || self.at(SyntaxKind::EOF) {
            let end = self.previous_end();
            let found = if self.at(SyntaxKind::EOF) { ", found the end of the file" } else { "" };
            let message = format!("expected {what}{found}");
            // At the end of a line, point at the last character: the place behind it shows nothing.
            let range = TextRange::empty(end);
            self.error_with_fix(range, message, fix);
        } else {
            let message = format!("expected {what}, found {}", self.describe());
            self.error_with_fix(self.range_of(0), message, fix);
        }
    }

    /// Whether the token before the current one asks for an operand.
    fn after_operator(&self) -> bool {
        let before = self.pos.checked_sub(1).map(|pos| self.tokens[pos].kind);
        before.is_some_and(|before| {
            matches!(
                before,
                SyntaxKind::L_PAREN
                    | SyntaxKind::L_BRACK
                    | SyntaxKind::COMMA
                    | SyntaxKind::EQ
                    | SyntaxKind::EQ2
                    | SyntaxKind::NEQ
                    | SyntaxKind::PLUS
                    | SyntaxKind::RETURN_KW
            )
        })
    }

    /// How a message calls the current token.
    pub(super) fn describe(&self) -> String {
        match self.current() {
            SyntaxKind::IDENT => format!("`{}`", self.text_of(0)),
            kind @ (SyntaxKind::INT | SyntaxKind::FLOAT | SyntaxKind::CHAR) => {
                format!("{} `{}`", kind.name(), self.text_of(0))
            }
            SyntaxKind::LIFETIME => format!("the lifetime `{}`", self.text_of(0)),
            kind => kind.name().to_owned(),
        }
    }

    pub(super) fn insert(&self, at: TextSize, text: &str) -> Option<SyntaxFix> {
        Some(SyntaxFix {
            title: format!("insert `{}`", text.trim()),
            range: TextRange::empty(at),
            text: text.to_owned(),
        })
    }

    pub(super) fn replace(&self, range: TextRange, text: &str) -> Option<SyntaxFix> {
        let title = if text.is_empty() {
            "remove it".to_owned()
        } else {
            format!("replace by `{}`", text.trim())
        };
        Some(SyntaxFix { title, range, text: text.to_owned() })
    }

    /// Takes back what the parser has said only because of a mistake that was found before it.
    pub(super) fn drop_consequences(&mut self, repaired: &brackets::Repaired) {
        let mut affected = repaired.affected.clone();
        let mut line = TextRange::default();
        for error in &self.lexed.errors {
            let Some(reach) = error.reach() else { continue };
            if !line.contains(error.range.start()) {
                line = self.line_around(error.range.start());
            }
            let start = if reach == Reach::Line { line.start() } else { error.range.start() };
            affected.push(TextRange::new(start, line.end().max(start)));
        }
        if affected.is_empty() {
            return;
        }
        // Ranges that touch become one, so that each error is looked up in one place.
        affected.sort_by_key(|range| range.start());
        let mut joined: Vec<TextRange> = Vec::new();
        for range in affected {
            match joined.last_mut() {
                Some(last) if range.start() <= last.end() => *last = last.cover(range),
                _ => joined.push(range),
            }
        }
        self.errors.retain(|error| {
            let at = error.range.start();
            let next = joined.partition_point(|range| range.start() <= at);
            next.checked_sub(1).is_none_or(|last| joined[last].end() < at)
        });
    }

    /// The line of a place.
    pub(super) fn line_around(&self, at: TextSize) -> TextRange {
        let at = usize::from(at);
        let start = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[at..].find('\n').map_or(self.text.len(), |offset| at + offset);
        let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
        TextRange::new(size(start), size(end))
    }
}

impl SyntaxError {
    /// Whether the lexer has found a string of several lines without an end.
    pub(crate) fn is_open_block_string(&self) -> bool {
        self.message.starts_with("this string is never closed: expected `\"\"\"`")
    }

    /// How far this mistake of the lexer makes the parser stumble, if it does.
    fn reach(&self) -> Option<Reach> {
        if self.message.contains("closes no hole") {
            return Some(Reach::Line);
        }
        let texts = ["is never closed", "unknown character", "begins nothing here"];
        let rest = texts.iter().any(|text| self.message.contains(text));
        rest.then_some(Reach::Rest)
    }
}
