//! Strings with holes.

use super::{Mode, Parser};
use crate::SyntaxKind;
use crate::ast::FormatSpec;

impl Parser<'_> {
    /// A string, from its opening quotes on. The lexer has split it, and closes it always.
    pub(super) fn string_lit(&mut self) {
        self.start(SyntaxKind::STRING_LIT);
        self.bump();
        loop {
            match self.current() {
                SyntaxKind::STRING_TEXT => self.bump(),
                SyntaxKind::HOLE_OPEN => self.hole(),
                SyntaxKind::STRING_END => {
                    self.bump();
                    break;
                }
                _ => break,
            }
        }
        self.finish_node();
    }

    fn hole(&mut self) {
        let open = self.token.raw();
        // The lexer has reported a hole without an end; what it holds is cut anywhere.
        let unclosed = self.lexed.unclosed_holes.binary_search(&open).is_ok();
        let muted = self.muted;
        self.muted |= unclosed;
        self.start(SyntaxKind::HOLE);
        let range = self.range_of(0);
        self.bump();
        if self.at_any(&[SyntaxKind::HOLE_CLOSE, SyntaxKind::COLON]) {
            let message = "expected what the hole shows, as in `{x}`; `\\{` is a brace in text";
            self.error(range, message);
        } else {
            self.with_mode(Mode::GROUP, Self::expr);
        }
        if self.at(SyntaxKind::COLON) {
            self.bump();
            self.format_spec();
        }
        if !self.at_any(&[SyntaxKind::HOLE_CLOSE, SyntaxKind::STRING_END]) {
            let found = self.describe();
            let message = format!("expected `:` and a format, or `}}`, found {found}");
            self.error(self.range_of(0), message);
            self.skip_to_hole_end();
        }
        self.eat(SyntaxKind::HOLE_CLOSE);
        self.finish_node();
        self.muted = muted;
    }

    /// Takes tokens up to the end of the hole, the strings inside whole.
    fn skip_to_hole_end(&mut self) {
        self.start(SyntaxKind::ERROR);
        let mut strings = 0usize;
        loop {
            match self.current() {
                SyntaxKind::EOF => break,
                SyntaxKind::HOLE_CLOSE | SyntaxKind::STRING_END if strings == 0 => break,
                SyntaxKind::STRING_START => strings += 1,
                SyntaxKind::STRING_END => strings -= 1,
                _ => {}
            }
            self.bump();
        }
        self.finish_node();
    }

    /// Takes what stands behind the colon as one token.
    fn format_spec(&mut self) {
        let mut count = 0;
        while !matches!(
            self.nth(count),
            SyntaxKind::HOLE_CLOSE
                | SyntaxKind::STRING_END
                | SyntaxKind::STRING_START
                | SyntaxKind::EOF
        ) {
            count += 1;
        }
        let colon = self.previous_end();
        let end = if count > 0 { self.range_of(count - 1).end() } else { colon };
        let range = rowan::TextRange::new(colon, end);
        let text = &self.text[super::to_usize(colon.into())..super::to_usize(end.into())];
        self.formats.push(range);
        if let Err(message) = FormatSpec::parse(text) {
            let colon = rowan::TextRange::new(colon - rowan::TextSize::new(1), end);
            self.error(if count > 0 { range } else { colon }, message);
        }
        if count > 0 {
            self.bump_joined_from(colon, count, SyntaxKind::FORMAT_SPEC);
        }
    }
}
