//! Patterns.

use super::Parser;
use super::lists::Separator;
use crate::SyntaxKind;

impl<'a> Parser<'a> {
    /// A pattern with alternatives.
    pub(super) fn pattern(&mut self) {
        let start = self.checkpoint();
        self.single_pattern();
        if self.at(SyntaxKind::PIPE) {
            while self.eat(SyntaxKind::PIPE) {
                self.single_pattern();
            }
            self.wrap(start, SyntaxKind::OR_PAT);
        }
    }

    pub(super) fn at_pattern_start(&self) -> bool {
        self.at_literal()
            || self.at_path_start()
            || self.at_any(&[
                SyntaxKind::UNDERSCORE,
                SyntaxKind::L_PAREN,
                SyntaxKind::L_BRACK,
                SyntaxKind::MINUS,
                SyntaxKind::STRING_START,
                SyntaxKind::DOT2,
                SyntaxKind::DOT2_EQ,
                SyntaxKind::MUT_KW,
                SyntaxKind::AMP,
            ])
            || self.at_pattern_point()
    }

    /// An element of a tuple, an array or a variant, or the rest of the elements.
    fn element_pattern(&mut self) {
        if self.at(SyntaxKind::DOT2) {
            self.rest_pattern();
        } else if self.at_pattern_start() {
            self.pattern();
        }
    }

    /// A pattern without alternatives, or a report that it is missing.
    pub(super) fn single_pattern(&mut self) {
        self.nested(Self::pattern_inner);
    }

    fn pattern_inner(&mut self) {
        if self.at(SyntaxKind::MUT_KW) {
            let message =
                "`mut` stands in place of `val`, and makes every name of the pattern mutable";
            self.error(self.range_of(0), message);
            self.bump_as_error();
        }
        self.foreign_pattern_start();
        match self.current() {
            SyntaxKind::UNDERSCORE => {
                self.start(SyntaxKind::WILDCARD_PAT);
                self.bump();
                self.finish_node();
            }
            SyntaxKind::L_PAREN => {
                let open = self.range_of(0);
                if self.nth(1) == SyntaxKind::R_PAREN {
                    let message = "expected a pattern in the parentheses: there is no empty tuple";
                    self.note_error(open.cover(self.range_of(1)), message, None);
                }
                self.start(SyntaxKind::TUPLE_PAT);
                self.list(
                    SyntaxKind::R_PAREN,
                    Separator::Comma,
                    "a pattern",
                    Self::element_pattern,
                );
                self.finish_node();
            }
            SyntaxKind::L_BRACK => {
                self.start(SyntaxKind::ARRAY_PAT);
                self.list(
                    SyntaxKind::R_BRACK,
                    Separator::Comma,
                    "a pattern",
                    Self::element_pattern,
                );
                self.finish_node();
            }
            SyntaxKind::DOT2 => {
                let message = "`..` stands for the rest of what a pattern lists: a name or `_` matches everything";
                self.error(self.range_of(0), message);
                self.rest_pattern();
            }
            SyntaxKind::MINUS | SyntaxKind::STRING_START => self.literal_pattern(),
            _ if self.at_literal() => self.literal_pattern(),
            _ if self.at_path_start() => self.path_pattern(),
            _ => self.error_expected("a pattern"),
        }
    }

    fn rest_pattern(&mut self) {
        self.start(SyntaxKind::REST_PAT);
        self.bump();
        if self.at(SyntaxKind::IDENT) {
            self.name("a name");
        }
        self.finish_node();
    }

    /// A literal, or a range of two.
    fn literal_pattern(&mut self) {
        let start = self.checkpoint();
        self.literal_bound();
        if self.at_any(&[SyntaxKind::DOT2, SyntaxKind::DOT2_EQ]) {
            self.bump();
            if self.at_literal() || self.at(SyntaxKind::MINUS) {
                self.literal_bound();
            } else {
                self.error_expected("the end of the range");
            }
            self.wrap(start, SyntaxKind::RANGE_PAT);
        }
    }

    fn literal_bound(&mut self) {
        self.start(SyntaxKind::LITERAL_PAT);
        if self.at(SyntaxKind::STRING_START) {
            self.string_lit();
        } else {
            let number = self.eat(SyntaxKind::MINUS);
            if self.at_any(&[SyntaxKind::INT, SyntaxKind::FLOAT]) || !number && self.at_literal() {
                self.literal();
            } else {
                self.error_expected("a number");
            }
        }
        self.finish_node();
    }

    fn path_pattern(&mut self) {
        let payload = matches!(self.nth(1), SyntaxKind::L_PAREN | SyntaxKind::L_BRACE)
            && !self.significant(1).new_line;
        if self.nth(1) != SyntaxKind::COLON2 && !payload {
            self.start(SyntaxKind::IDENT_PAT);
            self.name("a name");
            self.finish_node();
            return;
        }
        let start = self.checkpoint();
        self.expr_path();
        if self.at(SyntaxKind::L_PAREN) && !self.at_line_start() {
            self.start_at(start, SyntaxKind::VARIANT_PAT);
            self.list(SyntaxKind::R_PAREN, Separator::Comma, "a pattern", Self::element_pattern);
            self.finish_node();
        } else if self.at(SyntaxKind::L_BRACE) && !self.at_line_start() {
            self.start_at(start, SyntaxKind::STRUCT_PAT);
            self.list(SyntaxKind::R_BRACE, Separator::CommaOrLine, "a field", Self::field_pattern);
            self.finish_node();
        } else {
            self.wrap(start, SyntaxKind::PATH_PAT);
        }
    }

    fn field_pattern(&mut self) {
        if self.at(SyntaxKind::DOT2) {
            let rest = self.range_of(0);
            self.rest_pattern();
            self.stands_last(rest);
        } else if self.at(SyntaxKind::IDENT) {
            self.start(SyntaxKind::STRUCT_PAT_FIELD);
            self.name_ref();
            if self.eat(SyntaxKind::COLON) {
                self.pattern();
            }
            self.finish_node();
        }
    }
}
