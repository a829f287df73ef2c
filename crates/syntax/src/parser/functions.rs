//! Functions: parameters, results and bodies.

use super::items::Container;
use super::lists::Separator;
use super::{Mode, Parser};
use crate::SyntaxKind;
use rowan::TextRange;

impl Parser<'_> {
    pub(super) fn func(&mut self, container: Container) {
        // The keyword, or the word that another language has for it.
        self.keyword_or_foreign(SyntaxKind::FUNC_KW);
        if self.generics_before_name() {
            let message = "generic parameters stand behind the name of the function";
            self.note_error(self.range_of(0), message, None);
            self.generic_params();
        }
        self.symbol("the name of the function");
        self.generic_params();
        self.foreign_generics();
        if self.param_list() {
            self.return_type();
        }
        self.where_clause();
        if container == Container::Trait && !self.at(SyntaxKind::L_BRACE) {
            return;
        }
        let labels = std::mem::take(&mut self.labels);
        self.with_mode(Mode::BLOCK, |parser| {
            if !parser.foreign_body() {
                parser.body("the body of the function");
            }
        });
        self.labels = labels;
    }

    /// Whether `<T>` stands here with a name behind it.
    fn generics_before_name(&self) -> bool {
        let tokens = self.tokens[self.pos..].iter().take(16).map(|token| token.kind);
        let mut behind = tokens.skip_while(|kind| *kind != SyntaxKind::GT).skip(1);
        self.at(SyntaxKind::LT) && behind.next() == Some(SyntaxKind::IDENT)
    }

    fn param_list(&mut self) -> bool {
        if !self.at(SyntaxKind::L_PAREN) {
            self.error_expected("`(` and the parameters");
            return self.at(SyntaxKind::ARROW);
        }
        self.start(SyntaxKind::PARAM_LIST);
        self.list(SyntaxKind::R_PAREN, Separator::Comma, "a parameter", Self::param);
        self.finish_node();
        true
    }

    fn param(&mut self) {
        if self.at_self_param() {
            self.start(SyntaxKind::SELF_PARAM);
            let borrowed = self.eat(SyntaxKind::AMP);
            self.eat(SyntaxKind::LIFETIME);
            if self.at(SyntaxKind::MUT_KW) && !borrowed {
                let fix = self.replace(self.range_of(0), "&mut");
                let message = "a receiver is `&self`, `&mut self` or `self`: what is taken by value is \
                               bound to a `mut` name in the body";
                self.note_error(self.range_of(0), message, fix);
                self.bump_as_error();
            } else {
                self.eat(SyntaxKind::MUT_KW);
            }
            self.bump();
            self.typed_self();
            self.finish_node();
            return;
        }
        let begins = self.at_any(&[SyntaxKind::IDENT, SyntaxKind::UNDERSCORE, SyntaxKind::MUT_KW]);
        if !begins {
            return;
        }
        self.start(SyntaxKind::PARAM);
        if self.at(SyntaxKind::MUT_KW) {
            let whole = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
            let fix = self.replace(whole, "");
            let message = "a parameter is not assigned to: bind it to a `mut` name in the body, \
                           or take it by `&mut`";
            self.note_error(self.range_of(0), message, fix);
            self.bump_as_error();
        }
        if self.nth(1) == SyntaxKind::IDENT
            && self.nth(2) == SyntaxKind::COLON
            && self.at_any(&[SyntaxKind::IDENT, SyntaxKind::UNDERSCORE])
        {
            self.start(SyntaxKind::PARAM_LABEL);
            self.bump();
            self.finish_node();
        }
        if self.foreign_typed_name("a parameter") {
            self.finish_node();
            return;
        }
        self.symbol("the name of a parameter");
        if self.at(SyntaxKind::UNDERSCORE) {
            let message =
                "`_` stands in front of the name that the body sees, or the parameter has no name";
            self.error(self.range_of(0), message);
            self.bump_as_error();
        }
        self.typed_by_colon("a parameter");
        self.stray_gt();
        self.foreign_default();
        self.finish_node();
    }

    /// Takes a type behind `self`, as other languages write it.
    fn typed_self(&mut self) {
        if !self.at(SyntaxKind::COLON) {
            return;
        }
        let colon = self.range_of(0);
        self.start(SyntaxKind::ERROR);
        self.bump();
        self.type_();
        self.finish_node();
        let fix = self.replace(TextRange::new(colon.start(), self.previous_end()), "");
        let message = "a receiver has no type: it is `&self`, `&mut self` or `self`";
        self.note_error(colon, message, fix);
    }

    fn at_self_param(&self) -> bool {
        let mut ahead = 0;
        for kind in [SyntaxKind::AMP, SyntaxKind::LIFETIME, SyntaxKind::MUT_KW] {
            ahead += usize::from(self.nth(ahead) == kind);
        }
        self.nth(ahead) == SyntaxKind::SELF_KW
    }

    /// `: type` behind a declared name.
    pub(super) fn typed_by_colon(&mut self, what: &str) {
        if self.eat(SyntaxKind::COLON) {
            self.type_();
        } else if self.at(SyntaxKind::COLON2) && !self.at_line_start() {
            let fix = self.replace(self.range_of(0), ": ");
            let message = format!("the type of {what} stands behind `:`");
            self.note_error(self.range_of(0), message, fix);
            self.bump_as_error();
            self.type_();
        } else {
            self.error_expected(&format!("`:` and the type of {what}"));
            if self.at_type_start() && !self.at_line_start() {
                self.type_();
            }
        }
    }

    fn return_type(&mut self) {
        if self.at(SyntaxKind::ARROW) {
            self.start(SyntaxKind::RET_TYPE);
            let arrow = self.range_of(0);
            self.bump();
            if self.at(SyntaxKind::ARROW) && !self.at_line_start() {
                let gap = TextRange::new(arrow.end(), self.range_of(0).end());
                let fix = self.replace(gap, "");
                self.note_error(self.range_of(0), "one `->` stands in front of a return type", fix);
                self.bump_as_error();
            }
            if self.at_any(&[SyntaxKind::L_BRACE, SyntaxKind::WHERE_KW]) {
                let fix = self.replace(TextRange::new(arrow.start(), self.range_of(0).start()), "");
                let message =
                    "expected a type behind `->`; a function without a result has no `->`";
                self.error_with_fix(arrow, message, fix);
            } else {
                self.type_();
            }
            self.finish_node();
            self.stray_gt();
            return;
        }
        if self.at_line_start() {
            return;
        }
        // `func f():` begins a block in other languages.
        let next = self.significant(1);
        let block = next.new_line || next.kind == SyntaxKind::L_BRACE;
        if self.at(SyntaxKind::COLON) && next.kind == SyntaxKind::L_BRACE {
            let fix = self.replace(self.range_of(0), "");
            let message = "a function without a result has nothing in front of its body";
            self.note_error(self.range_of(0), message, fix);
            self.bump_as_error();
            return;
        }
        let long = self.at(SyntaxKind::MINUS) && next.kind == SyntaxKind::ARROW && self.joined(0);
        let arrow = self.at(SyntaxKind::MINUS) && next.kind == SyntaxKind::GT && !next.new_line;
        let foreign = self.at_any(&[SyntaxKind::COLON, SyntaxKind::COLON2, SyntaxKind::FAT_ARROW])
            || self.at(SyntaxKind::GT) && !block;
        if arrow || long {
            let range = self.range_of(0).cover(self.range_of(1));
            let fix = self.replace(range, "->");
            let message = match arrow {
                true => "an arrow is written `->`, without a space in it",
                false => "an arrow is written `->`",
            };
            self.note_error(range, message, fix);
            self.start(SyntaxKind::RET_TYPE);
            self.start(SyntaxKind::ERROR);
            self.bump();
            self.bump();
            self.finish_node();
            self.type_();
            self.finish_node();
        } else if foreign && !block && !self.is_arrow_body() {
            let fix = self.replace(self.range_of(0), " ->");
            self.error_with_fix(self.range_of(0), "a return type stands behind `->`", fix);
            self.start(SyntaxKind::RET_TYPE);
            self.bump_as_error();
            self.type_();
            self.finish_node();
        } else if self.at(SyntaxKind::IDENT) && next.kind == SyntaxKind::ARROW && !next.new_line {
            // `throws -> T`.
            self.error_expected("`->` or `{`");
            self.bump_as_error();
            self.return_type();
        } else if self.at_type_start() {
            let fix = self.insert(self.range_of(0).start(), "-> ");
            self.error_expected_with_fix("`->` in front of the return type", fix);
            self.start(SyntaxKind::RET_TYPE);
            self.type_();
            self.finish_node();
        }
    }

    /// Whether `=> value` stands here, and no type behind the arrow.
    fn is_arrow_body(&self) -> bool {
        let line = self.tokens[self.pos + 1..].iter().take(64).take_while(|token| !token.new_line);
        let brace = line.into_iter().any(|token| token.kind == SyntaxKind::L_BRACE);
        self.at(SyntaxKind::FAT_ARROW) && !brace
    }
}
