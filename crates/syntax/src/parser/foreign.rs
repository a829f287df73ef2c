//! What people write who come from other languages: reported with what to write instead, and read as meant.

use super::Parser;
use super::exprs::Height;
use super::operators::level;
use crate::SyntaxKind;
use rowan::TextRange;

impl Parser<'_> {
    /// The keyword that another language's word in front of an item stands for.
    pub(super) fn foreign_item(&self) -> Option<SyntaxKind> {
        if !self.at(SyntaxKind::IDENT) {
            return None;
        }
        let named = self.nth(1) == SyntaxKind::IDENT && !self.significant(1).new_line;
        match self.text_of(0) {
            "fn" | "def" | "function" | "fun" if named => Some(SyntaxKind::FUNC_KW),
            "class" if named => Some(SyntaxKind::STRUCT_KW),
            "use" if named => Some(SyntaxKind::IMPORT_KW),
            "pub" | "public" if self.nth(1).is_keyword() && !self.significant(1).new_line => {
                Some(self.nth(1))
            }
            "pub" if named && matches!(self.text_of(1), "fn" | "use") => Some(SyntaxKind::FUNC_KW),
            _ => None,
        }
    }

    /// Takes a keyword, or the word that another language has for it.
    pub(super) fn keyword_or_foreign(&mut self, keyword: SyntaxKind) {
        if self.eat(keyword) {
            return;
        }
        let right = keyword.name().trim_matches('`');
        let fix = self.replace(self.range_of(0), right);
        let message = format!("`{}` is no word of the language: write `{right}`", self.text_of(0));
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
    }

    /// Takes a `pub` in front of an item or a field.
    pub(super) fn foreign_visibility(&mut self) {
        let public = self.at_word("pub") || self.at_word("public");
        let follows = matches!(self.nth(1), SyntaxKind::IDENT) || self.nth(1).is_keyword();
        if public && follows && !self.significant(1).new_line {
            let fix = self.replace(self.range_of(0), "export");
            let message = "what other modules may see is marked by `export`";
            self.error_with_fix(self.range_of(0), message, fix);
            self.bump_as_error();
        }
    }

    /// The word that binds a name in another language.
    pub(super) fn foreign_binding(&self) -> Option<&'static str> {
        let word = ["let", "var"].into_iter().find(|word| self.at_word(word))?;
        let next = self.significant(1);
        let binds = matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::MUT_KW) && !next.new_line;
        binds.then_some(word)
    }

    /// Whether `and` or `or` stands here between two operands.
    pub(super) fn at_foreign_word_operator(&self) -> bool {
        !self.at_line_start()
            && (self.at_word("and") || self.at_word("or"))
            && self.expr_starts_at(1)
            && !self.significant(1).new_line
    }

    /// Reads `and` or `or` and its right operand.
    pub(super) fn foreign_word_operator(&mut self) -> Height {
        let (text, level) = match self.text_of(0) {
            "and" => ("&&", level::AND),
            _ => ("||", level::OR),
        };
        let fix = self.replace(self.range_of(0), text);
        let message = format!("`{}` is no operator: write `{text}`", self.text_of(0));
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
        self.operand(level + 1)
    }

    /// Whether `not` stands here in front of an operand.
    pub(super) fn at_foreign_not(&self) -> bool {
        let next = self.significant(1);
        self.at_word("not")
            && !next.new_line
            && matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::TRUE_KW | SyntaxKind::FALSE_KW)
    }

    /// Takes `not` in place of `!`.
    pub(super) fn foreign_not(&mut self) {
        let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
        let fix = self.replace(range, "!");
        self.error_with_fix(self.range_of(0), "`not` is no operator: write `!`", fix);
        self.bump_as_error();
    }

    /// Reports `a ** b`, which reads as a product with what `b` refers to.
    pub(super) fn check_power(&mut self) {
        if self.at(SyntaxKind::STAR) && self.joined(0) && self.nth(1) == SyntaxKind::STAR {
            let range = self.range_of(0).cover(self.range_of(1));
            self.note_error(range, "there is no `**`: write `a.pow(b)`", None);
        }
    }

    /// Takes the head of a `for` as C has it, up to the block.
    pub(super) fn foreign_for_head(&mut self) -> bool {
        let counts =
            self.at(SyntaxKind::L_PAREN) && (1..4).any(|ahead| self.nth(ahead) == SyntaxKind::EQ);
        if counts {
            let message = "a `for` walks a range or a collection: write `for i in 0..n`";
            self.error(self.range_of(0), message);
            self.skip_while(|parser| !parser.at(SyntaxKind::L_BRACE) && !parser.at_line_start());
        }
        counts
    }

    /// Takes an operator that is none in front of an operand.
    pub(super) fn foreign_operator_start(&mut self) {
        if self.at(SyntaxKind::PLUS) && self.expr_starts_at(1) {
            let fix = self.replace(self.range_of(0), "");
            self.error_with_fix(self.range_of(0), "there is no `+` in front of a number", fix);
            self.bump_as_error();
        }
    }

    /// Whether `!(` stands here behind a name, as a macro of another language has it.
    pub(super) fn at_foreign_macro(&self) -> bool {
        let Some(before) = self.pos.checked_sub(1).map(|pos| self.tokens[pos]) else {
            return false;
        };
        before.kind == SyntaxKind::IDENT
            && before.raw + 1 == self.token.raw
            && self.joined(0)
            && self.nth(1) == SyntaxKind::L_PAREN
    }

    pub(super) fn foreign_macro(&mut self) {
        let fix = self.replace(self.range_of(0), "");
        let message = "there are no macros: a function is called without `!`";
        self.error_with_fix(self.range_of(0), message, fix);
        self.bump_as_error();
        self.arg_list();
    }

    /// Takes `elif` and the like in place of `else`; the condition follows.
    pub(super) fn foreign_else_if(&mut self) -> bool {
        let word = ["elif", "elseif", "elsif"].into_iter().find(|word| self.at_word(word));
        let Some(word) = word.filter(|_| self.expr_starts_at(1)) else {
            return false;
        };
        let fix = self.replace(self.range_of(0), "else if");
        let message = format!("`{word}` is no word of the language: write `else if`");
        self.error_with_fix(self.range_of(0), message, fix);
        true
    }

    /// Whether `++` or `--` stands here with no operand behind it.
    pub(super) fn at_increment(&self) -> bool {
        self.at_any(&[SyntaxKind::PLUS, SyntaxKind::MINUS])
            && self.joined(0)
            && self.nth(1) == self.current()
            && (self.significant(2).new_line || !self.expr_starts_at(2))
    }

    /// Takes an assignment by an operator that has none, if one stands here.
    pub(super) fn foreign_assignment(&mut self) {
        let range_of = |parser: &Self, count: usize| -> TextRange {
            parser.range_of(0).cover(parser.range_of(count - 1))
        };
        for (kind, text) in [(SyntaxKind::PLUS, "+="), (SyntaxKind::MINUS, "-=")] {
            if self.at(kind) && self.at_increment() {
                let range = range_of(self, 2);
                let fix = self.replace(range, &format!(" {text} 1"));
                let sign = text.trim_end_matches('=');
                let message = format!("there is no `{sign}{sign}`: write `{text} 1`");
                self.error_with_fix(range, message, fix);
                self.bump_as_error();
                self.bump_as_error();
                return;
            }
        }
        let operators = [
            (SyntaxKind::AMP, 2),
            (SyntaxKind::AMP, 1),
            (SyntaxKind::GT, 2),
            (SyntaxKind::PIPE2, 1),
            (SyntaxKind::PIPE, 1),
            (SyntaxKind::CARET, 1),
            (SyntaxKind::SHL, 1),
        ];
        for (kind, count) in operators {
            let repeats = (0..count).all(|ahead| self.nth(ahead) == kind && self.joined(ahead));
            if !repeats || self.nth(count) != SyntaxKind::EQ {
                continue;
            }
            let range = range_of(self, count);
            let start = super::to_usize(range.start().into());
            let op = &self.text[start..super::to_usize(range.end().into())];
            let message = match op {
                ">>" => "there is no right shift operator: write `a = a.shr(n)`".to_owned(),
                _ => format!("there is no `{op}=`: write `a = a {op} b`"),
            };
            self.error(range_of(self, count + 1), message);
            for _ in 0..=count {
                self.bump_as_error();
            }
            self.expr();
            return;
        }
    }
}
