//! Generic parameters, bounds and `where` clauses.

use super::{Mode, Parser};
use crate::SyntaxKind;
use rowan::TextRange;

impl Parser<'_> {
    /// `<T: Bound, const N: u32, 'a>`, if any.
    pub(super) fn generic_params(&mut self) {
        if !self.at(SyntaxKind::LT) {
            return;
        }
        self.start(SyntaxKind::GENERIC_PARAM_LIST);
        let open = self.range_of(0);
        self.bump();
        if self.at(SyntaxKind::GT) {
            let list = open.cover(self.range_of(0));
            let fix = self.replace(list, "");
            self.note_error(list, "expected a generic parameter between `<` and `>`", fix);
        }
        self.with_mode(Mode::GROUP, |parser| {
            while !parser.at_any(&[SyntaxKind::GT, SyntaxKind::EOF]) {
                if !parser.generic_param() {
                    parser.error_expected("a generic parameter or `>`");
                    break;
                }
                if !parser.eat(SyntaxKind::COMMA) {
                    break;
                }
            }
        });
        if !self.eat(SyntaxKind::GT) {
            self.unclosed_angle(open);
        }
        self.finish_node();
    }

    fn generic_param(&mut self) -> bool {
        match self.current() {
            SyntaxKind::LIFETIME => {
                self.start(SyntaxKind::LIFETIME_PARAM);
                self.bump();
            }
            SyntaxKind::CONST_KW => {
                self.start(SyntaxKind::CONST_PARAM);
                self.bump();
                self.name("the name of a constant parameter");
                self.typed_by_colon("a constant parameter");
            }
            SyntaxKind::IDENT => {
                self.start(SyntaxKind::TYPE_PARAM);
                self.name("the name of a type parameter");
                let word = self.at_word("extends") || self.at_word("implements");
                if word && !self.at_line_start() {
                    let gap = TextRange::new(self.previous_end(), self.range_of(0).end());
                    let fix = self.replace(gap, ":");
                    self.note_error(self.range_of(0), "a bound stands behind `:`", fix);
                    self.bump_as_error();
                    self.bounds();
                } else if self.at(SyntaxKind::WHERE_KW) {
                    let message = "a `where` clause stands in front of the body";
                    self.error(self.range_of(0), message);
                    self.skip_while(|parser| !parser.at(SyntaxKind::GT));
                } else if self.eat(SyntaxKind::COLON) {
                    self.bounds();
                }
            }
            _ => return false,
        }
        self.finish_node();
        true
    }

    /// `A + B`.
    fn bounds(&mut self) {
        self.start(SyntaxKind::BOUND_LIST);
        self.bound();
        while self.eat(SyntaxKind::PLUS) {
            self.bound();
        }
        self.finish_node();
    }

    /// `Trait` or `Trait<Item = T>`.
    pub(super) fn bound(&mut self) {
        if !self.at_path_start() {
            self.error_expected("the name of a trait");
            return;
        }
        self.start(SyntaxKind::BOUND);
        self.bound_path();
        if self.at(SyntaxKind::LT) {
            self.bump();
            self.with_mode(Mode::GROUP, |parser| {
                while parser.at(SyntaxKind::IDENT) {
                    parser.start(SyntaxKind::ASSOC_BINDING);
                    parser.name_ref();
                    if parser.expect(SyntaxKind::EQ) {
                        parser.type_();
                    }
                    parser.finish_node();
                    if !parser.eat(SyntaxKind::COMMA) {
                        break;
                    }
                }
            });
            self.expect(SyntaxKind::GT);
        }
        self.finish_node();
    }

    /// `where T: A, N > 0`, if any; it may begin a line.
    pub(super) fn where_clause(&mut self) {
        if !self.at(SyntaxKind::WHERE_KW) {
            return;
        }
        self.start(SyntaxKind::WHERE_CLAUSE);
        let word = self.range_of(0);
        self.bump();
        if self.at(SyntaxKind::L_BRACE) {
            let fix = self.replace(TextRange::new(word.start(), self.range_of(0).start()), "");
            let message = "expected a condition behind `where`, such as `T: Trait` or `N > 0`";
            self.error_with_fix(word, message, fix);
        }
        let mode = Mode { struct_literals: false, ..Mode::BLOCK };
        self.with_mode(mode, |parser| {
            while !parser.at_any(&[SyntaxKind::L_BRACE, SyntaxKind::EOF]) {
                let before = parser.pos;
                parser.where_predicate();
                let comma = parser.range_of(0);
                if parser.pos == before || !parser.eat(SyntaxKind::COMMA) {
                    break;
                }
                if parser.at(SyntaxKind::L_BRACE) {
                    let fix = parser.replace(comma, "");
                    parser.note_error(comma, "no condition follows this comma", fix);
                }
            }
        });
        self.finish_node();
    }

    fn where_predicate(&mut self) {
        if self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::COLON {
            self.start(SyntaxKind::WHERE_PRED);
            self.name_ref();
            self.bump();
            self.bounds();
            self.finish_node();
        } else if self.at_expr_start() {
            self.start(SyntaxKind::WHERE_PRED);
            self.expr();
            self.finish_node();
        } else {
            self.error_expected("a condition such as `T: Trait` or `N > 0`");
        }
    }
}
