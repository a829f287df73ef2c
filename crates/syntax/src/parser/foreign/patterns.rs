//! Patterns and heads of loops as other languages write them.

use crate::SyntaxKind;
use crate::parser::Parser;
use rowan::TextRange;

impl Parser<'_> {
    /// Whether `.Name` stands here, as Swift writes a variant.
    pub(in crate::parser) fn at_pattern_point(&self) -> bool {
        self.at(SyntaxKind::DOT) && self.joined(0) && self.nth(1) == SyntaxKind::IDENT
    }

    /// Takes `&`, `.`, `ref`, `let` and `..=` in front of a pattern.
    pub(in crate::parser) fn foreign_pattern_start(&mut self) {
        let next = self.significant(1);
        let name = next.kind == SyntaxKind::IDENT && !next.new_line;
        let word = name && matches!(self.text_of(0), "ref" | "let" | "var");
        let message = match self.current() {
            SyntaxKind::AMP => "a pattern has no `&`: it looks through references",
            SyntaxKind::DOT if self.at_pattern_point() => {
                "a variant has its name alone, or behind the name of its type and `::`"
            }
            SyntaxKind::IDENT if word => "a name alone binds in a pattern",
            SyntaxKind::DOT2_EQ => "expected the start of the range",
            _ => return,
        };
        let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
        let fix = self.replace(range, "").filter(|_| !self.at(SyntaxKind::DOT2_EQ));
        self.note_error(self.range_of(0), message, fix);
        self.bump_as_error();
    }

    /// Takes what stands between a pattern and its arrow: a comma, the name of a payload, `@`.
    pub(in crate::parser) fn foreign_pattern_end(&mut self) {
        let before = self.pos.checked_sub(1).map(|before| self.tokens[before]);
        if self.at_line_start() {
            return;
        }
        match self.current() {
            SyntaxKind::COMMA if self.arrow_follows() => {
                let fix = self.replace(self.range_of(0), " |");
                let message = "the alternatives of an arm are joined by `|`";
                self.error_with_fix(self.range_of(0), message, fix);
                self.start(SyntaxKind::ERROR);
                while !self.at(SyntaxKind::FAT_ARROW) {
                    self.bump();
                }
                self.finish_node();
            }
            SyntaxKind::PIPE2 if self.arrow_follows() => {
                let fix = self.replace(self.range_of(0), "|");
                let message = "the alternatives of an arm are joined by `|`";
                self.error_with_fix(self.range_of(0), message, fix);
                self.start(SyntaxKind::ERROR);
                while !self.at(SyntaxKind::FAT_ARROW) {
                    self.bump();
                }
                self.finish_node();
            }
            SyntaxKind::AT => {
                let message = "a pattern binds its parts, and no name beside them by `@`";
                self.error(self.range_of(0), message);
                self.bump_as_error();
                self.last_error = Some(self.pos);
                self.single_pattern();
            }
            SyntaxKind::IDENT
                if before.is_some_and(|before| before.kind == SyntaxKind::IDENT)
                    && self.nth(1) == SyntaxKind::FAT_ARROW =>
            {
                let range = self.range_of(0);
                let gap = TextRange::new(self.previous_end(), range.end());
                let fix = self.replace(gap, &format!("({})", self.text_of(0)));
                let message = "what a variant holds stands in parentheses";
                self.error_with_fix(range, message, fix);
                self.bump_as_error();
            }
            _ => {}
        }
    }

    /// Whether an arrow follows behind literals, names and commas on the line.
    fn arrow_follows(&self) -> bool {
        let line = self.tokens[self.pos..].iter().take(64).take_while(|token| !token.new_line);
        let mut kinds = line.map(|token| token.kind).skip_while(|kind| {
            matches!(
                kind,
                SyntaxKind::COMMA
                    | SyntaxKind::PIPE2
                    | SyntaxKind::IDENT
                    | SyntaxKind::COLON2
                    | SyntaxKind::INT
                    | SyntaxKind::FLOAT
                    | SyntaxKind::CHAR
                    | SyntaxKind::MINUS
                    | SyntaxKind::TRUE_KW
                    | SyntaxKind::FALSE_KW
                    | SyntaxKind::UNDERSCORE
            )
        });
        kinds.next() == Some(SyntaxKind::FAT_ARROW)
    }

    /// Takes a word in front of the variable of a `for`, and puts two of them together.
    pub(in crate::parser) fn foreign_loop_variable(&mut self) {
        let word = self.at_any(&[SyntaxKind::VAL_KW, SyntaxKind::MUT_KW])
            || self.at_word("let")
            || self.at_word("var");
        let next = self.significant(1);
        if self.at_line_start() {
            return;
        }
        if word && next.kind == SyntaxKind::IDENT && !next.new_line {
            let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
            let fix = self.replace(range, "");
            let message = "the variable of a `for` is a name alone, bound anew in every round";
            self.note_error(self.range_of(0), message, fix);
            self.bump_as_error();
        }
        let pair = self.at(SyntaxKind::IDENT)
            && self.nth(1) == SyntaxKind::COMMA
            && self.nth(2) == SyntaxKind::IDENT
            && self.nth(3) == SyntaxKind::IN_KW;
        if pair {
            let range = self.range_of(0).cover(self.range_of(2));
            let fix = self.replace(range, &format!("({})", self.slice(range)));
            self.note_error(range, "two loop variables stand in parentheses", fix);
            self.start(SyntaxKind::ERROR);
            self.bump();
            self.bump();
            self.finish_node();
        }
    }

    /// Takes what stands in place of `in`; gives whether there was something.
    pub(in crate::parser) fn foreign_in(&mut self) -> bool {
        let word = self.at_any(&[SyntaxKind::COLON, SyntaxKind::EQ])
            || matches!(self.text_of(0), "of" | "from" | "over") && self.at(SyntaxKind::IDENT);
        let found = word && self.expr_starts_at(1) && !self.at_line_start();
        if found {
            let joined = self.previous_end() == self.range_of(0).start();
            let fix = self.replace(self.range_of(0), if joined { " in" } else { "in" });
            self.error_with_fix(self.range_of(0), "the values of a `for` stand behind `in`", fix);
            self.bump_as_error();
        }
        found
    }

    /// Takes `step n`, `by n` and the like behind the range of a `for`.
    pub(in crate::parser) fn foreign_step(&mut self) {
        let word = self.at(SyntaxKind::IDENT) && self.expr_starts_at(1) && !self.at_line_start();
        let message = match self.text_of(0) {
            "step" | "by" if word => "a step is taken by `(a..b).step(n)`",
            "downTo" | "downto" if word => "a range is walked down by `(a..b).rev()`",
            "to" | "until" | "upto" if word => {
                "a range is written `a..b` without its end, `a..=b` with it"
            }
            _ => return,
        };
        self.error(self.range_of(0), message);
        self.skip_while(|parser| !parser.at(SyntaxKind::L_BRACE) && !parser.at_line_start());
    }

    /// Takes a condition behind `loop`.
    pub(in crate::parser) fn foreign_loop_head(&mut self, word: TextRange) {
        if self.at_line_start() || !self.expr_starts_at(0) || self.at(SyntaxKind::L_BRACE) {
            return;
        }
        let again = self.at(SyntaxKind::WHILE_KW);
        let whole = TextRange::new(word.start(), self.range_of(0).start());
        let fix = if again { self.replace(whole, "") } else { self.replace(word, "while") };
        self.error_with_fix(word, "`loop` has no condition: `while` tests one", fix);
        self.skip_while(|parser| !parser.at(SyntaxKind::L_BRACE) && !parser.at_line_start());
    }
}
