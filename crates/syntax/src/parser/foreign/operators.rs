//! Operators of other languages.

use crate::SyntaxFix;
use crate::SyntaxKind;
use crate::parser::builder::Checkpoint;
use crate::parser::exprs::{Height, Left};
use crate::parser::operators::level;
use crate::parser::{Parser, is_closing, is_opening};
use rowan::{TextRange, TextSize};

/// An operator of another language between two operands.
#[derive(Debug, Clone, Copy)]
pub(in crate::parser) struct ForeignInfix {
    /// How many tokens it is made of.
    tokens: usize,
    /// What is written instead.
    meant: &'static str,
    level: u8,
}

/// An operator that there is not.
#[derive(Debug)]
pub(in crate::parser) enum ForeignOperator {
    /// `and` or `or`.
    Word,
    /// One that is written otherwise.
    Infix(ForeignInfix),
    /// `>>` as a shift.
    Shift,
}

impl ForeignOperator {
    pub(in crate::parser) fn level(&self) -> u8 {
        match self {
            ForeignOperator::Word => level::AND,
            ForeignOperator::Infix(op) => op.level,
            ForeignOperator::Shift => level::SHIFT,
        }
    }
}

impl Parser<'_> {
    /// The operator between two operands that stands here and that there is not.
    pub(in crate::parser) fn foreign_operator(&self, left: &Left) -> Option<ForeignOperator> {
        if self.at_foreign_word_operator() {
            Some(ForeignOperator::Word)
        } else if let Some(op) = self.foreign_infix() {
            Some(ForeignOperator::Infix(op))
        } else {
            self.at_shift(left).then_some(ForeignOperator::Shift)
        }
    }

    /// Reports the operator, and reads it with its right operand.
    pub(in crate::parser) fn take_foreign_operator(
        &mut self,
        op: ForeignOperator,
        left: &Left,
    ) -> Height {
        match op {
            ForeignOperator::Word => self.foreign_word_operator(),
            ForeignOperator::Infix(op) => self.foreign_infix_operand(op),
            ForeignOperator::Shift => self.foreign_shift(left),
        }
    }

    /// Whether `and` or `or` stands here between two operands.
    fn at_foreign_word_operator(&self) -> bool {
        !self.at_line_start()
            && (self.at_word("and") || self.at_word("or"))
            && self.expr_starts_at(1)
            && !self.significant(1).new_line
    }

    /// Reads `and` or `or` and its right operand.
    fn foreign_word_operator(&mut self) -> Height {
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
    pub(in crate::parser) fn at_foreign_not(&self) -> bool {
        let next = self.significant(1);
        matches!(next.kind, SyntaxKind::IDENT | SyntaxKind::TRUE_KW | SyntaxKind::FALSE_KW)
            && !next.new_line
            && self.at_word("not")
    }

    /// Takes `not` in place of `!`.
    pub(in crate::parser) fn foreign_not(&mut self) {
        let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
        let fix = self.replace(range, "!");
        self.error_with_fix(self.range_of(0), "`not` is no operator: write `!`", fix);
        self.bump_as_error();
    }

    /// The operator of another language that stands here between two operands.
    pub(in crate::parser) fn foreign_infix(&self) -> Option<ForeignInfix> {
        if self.at_line_start() && self.mode.new_lines {
            return None;
        }
        let first = self.current();
        let second = if self.joined(0) { self.nth(1) } else { SyntaxKind::EOF };
        let third =
            if second != SyntaxKind::EOF && self.joined(1) { self.nth(2) } else { SyntaxKind::EOF };
        let head = !self.mode.struct_literals;
        let (tokens, meant, level) = match (first, second) {
            (SyntaxKind::EQ2, SyntaxKind::EQ) => (2, "==", level::COMPARE),
            (SyntaxKind::NEQ, SyntaxKind::EQ) => (2, "!=", level::COMPARE),
            (SyntaxKind::LT_EQ, SyntaxKind::GT) => (2, "", level::COMPARE),
            (SyntaxKind::LT, SyntaxKind::GT) if third != SyntaxKind::L_PAREN => {
                (2, "!=", level::COMPARE)
            }
            (SyntaxKind::EQ, SyntaxKind::SLASH_EQ) => (2, "!=", level::COMPARE),
            (SyntaxKind::TILDE, SyntaxKind::EQ) => (2, "!=", level::COMPARE),
            (SyntaxKind::EQ, SyntaxKind::LT) => (2, "<=", level::COMPARE),
            (SyntaxKind::EQ, _) if head => (1, "==", level::COMPARE),
            (SyntaxKind::STAR, SyntaxKind::STAR) => (2, "**", level::PRODUCT),
            (SyntaxKind::IDENT, _) => match self.text_of(0) {
                "is" => (1, "==", level::COMPARE),
                "mod" => (1, "%", level::PRODUCT),
                "xor" => (1, "^", level::BIT_XOR),
                _ => return None,
            },
            (SyntaxKind::QUESTION, SyntaxKind::COLON) => (2, "??", level::COALESCE),
            (SyntaxKind::IN_KW, _) => (1, "in", level::COMPARE),
            _ => return None,
        };
        // A name at the end of a line is no operator.
        let operand = self.expr_starts_at(tokens) && !self.significant(tokens).new_line;
        operand.then_some(ForeignInfix { tokens, meant, level })
    }

    /// Takes an operator of another language, and its right operand.
    fn foreign_infix_operand(&mut self, op: ForeignInfix) -> Height {
        let range = self.range_of(0).cover(self.range_of(op.tokens - 1));
        let written = self.slice(range);
        let (message, fix) = match op.meant {
            "**" => (
                "there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a`"
                    .to_owned(),
                self.power_fix(range),
            ),
            "in" => (
                "`in` belongs to `for`: whether a key is in a map says `.contains_key(..)`"
                    .to_owned(),
                None,
            ),
            "==" if written == "is" && self.text_of(op.tokens) == "None" => (
                "there is no `is`: whether an `Option` holds something is asked by `match`"
                    .to_owned(),
                None,
            ),
            "" => (format!("there is no `{written}`: compare by `<`, `==` and `>`"), None),
            "==" if written == "=" => {
                ("`=` assigns: what compares is `==`".to_owned(), self.replace(range, "=="))
            }
            meant => {
                (format!("there is no `{written}`: write `{meant}`"), self.replace(range, meant))
            }
        };
        self.note_error(range, message, fix);
        self.start(SyntaxKind::ERROR);
        for _ in 0..op.tokens {
            self.bump();
        }
        self.finish_node();
        self.operand(op.level + 1)
    }

    /// `a ** b` as a product for small numbers, which integers have, too, or as `a.pow(b)`; when both are single
    /// words.
    fn power_fix(&self, op: TextRange) -> Option<SyntaxFix> {
        let fix = self.method_fix(op, 2, "pow")?;
        let base = self.pos.checked_sub(1).map(|pos| self.tokens[pos])?;
        let (exponent, word) = (self.nth(2), self.text_of(2));
        let base_word = self.slice(self.raw_range(base.raw()));
        let text = match (base.kind, exponent) {
            (_, SyntaxKind::INT) if matches!(word, "2" | "3") => {
                let product = vec![base_word; if word == "2" { 2 } else { 3 }].join(" * ");
                let before = self.pos.checked_sub(2).map(|pos| self.tokens[pos].kind);
                let tight = |kind: SyntaxKind| {
                    matches!(kind, SyntaxKind::SLASH | SyntaxKind::PERCENT | SyntaxKind::AT)
                };
                let enclosed = before.is_some_and(tight)
                    || tight(self.nth(3)) && self.nth(3) == SyntaxKind::AT
                    || self.nth(3) == SyntaxKind::AS_KW;
                if enclosed { format!("({product})") } else { product }
            }
            (SyntaxKind::INT, _) => return None,
            (_, SyntaxKind::INT) => format!("{base_word}.pow({word}.0)"),
            _ => fix.text,
        };
        Some(SyntaxFix { title: format!("write `{text}`"), range: fix.range, text })
    }

    /// An operator between two single words as a method call.
    pub(in crate::parser) fn method_fix(
        &self,
        op: TextRange,
        tokens: usize,
        method: &str,
    ) -> Option<SyntaxFix> {
        let word = |kind: SyntaxKind| {
            matches!(kind, SyntaxKind::IDENT | SyntaxKind::INT | SyntaxKind::FLOAT)
        };
        let before = |back: usize| self.pos.checked_sub(back).map(|pos| self.tokens[pos]);
        let left = before(1).filter(|token| word(token.kind))?;
        let joins = |kind: SyntaxKind| {
            matches!(
                kind,
                SyntaxKind::DOT
                    | SyntaxKind::COLON2
                    | SyntaxKind::L_PAREN
                    | SyntaxKind::L_BRACK
                    | SyntaxKind::MINUS
                    | SyntaxKind::AMP
                    | SyntaxKind::STAR
                    | SyntaxKind::BANG
                    | SyntaxKind::TILDE
            )
        };
        let alone = before(2).is_none_or(|token| {
            !joins(token.kind)
                || token.kind == SyntaxKind::L_PAREN
                || token.kind == SyntaxKind::L_BRACK
        }) && word(self.nth(tokens))
            && (!joins(self.nth(tokens + 1))
                || self.significant(tokens + 1).new_line
                || matches!(
                    self.nth(tokens + 1),
                    SyntaxKind::MINUS | SyntaxKind::STAR | SyntaxKind::AMP
                ));
        let base = self.raw_range(left.raw());
        let argument = self.range_of(tokens);
        let text = format!("{}.{method}({})", self.slice(base), self.slice(argument));
        let whole = base.cover(argument);
        (alone && whole.contains_range(op)).then(|| SyntaxFix {
            title: format!("write `{text}`"),
            range: whole,
            text,
        })
    }

    /// Takes an operator that is none in front of an operand.
    pub(in crate::parser) fn foreign_operator_start(&mut self) {
        if self.at(SyntaxKind::DOT) && self.nth(1) == SyntaxKind::INT && self.joined(0) {
            let fix = self.insert(self.range_of(0).start(), "0");
            let range = self.range_of(0).cover(self.range_of(1));
            let message = format!("a float begins with a digit: write `0{}`", self.slice(range));
            self.note_error(range, message, fix);
            self.bump_as_error();
            return;
        }
        if self.at(SyntaxKind::PLUS) && self.expr_starts_at(1) {
            let range = TextRange::new(self.range_of(0).start(), self.range_of(1).start());
            let fix = self.replace(range, "");
            self.error_with_fix(self.range_of(0), "there is no `+` in front of a number", fix);
            self.bump_as_error();
        }
    }

    /// Whether the `? a : b` of another language stands here.
    pub(in crate::parser) fn at_ternary(&self) -> bool {
        if !self.at(SyntaxKind::QUESTION) || self.significant(1).new_line || !self.expr_starts_at(1)
        {
            return false;
        }
        let mut open = 0usize;
        let line = self.tokens[self.pos + 1..].iter().take(64).take_while(|token| !token.new_line);
        for token in line {
            match token.kind {
                SyntaxKind::COLON if open == 0 => return true,
                SyntaxKind::COMMA | SyntaxKind::EOF if open == 0 => return false,
                kind if is_closing(kind) && open == 0 => return false,
                kind if is_closing(kind) => open -= 1,
                kind if is_opening(kind) => open += 1,
                _ => {}
            }
        }
        false
    }

    /// Takes `? a : b`, and with it the condition, which stands behind the checkpoint.
    pub(in crate::parser) fn foreign_ternary(&mut self, condition: Checkpoint) {
        let message = "there is no `? :` operator: write `if condition { a } else { b }`";
        self.error(self.range_of(0), message);
        self.skip_while(|parser| !parser.at(SyntaxKind::COMMA) && !parser.at_line_start());
        self.wrap(condition, SyntaxKind::ERROR);
    }

    /// Whether `!(` stands here behind a name, as a macro of another language has it.
    pub(in crate::parser) fn at_foreign_macro(&self) -> bool {
        let Some(before) = self.pos.checked_sub(1).map(|pos| self.tokens[pos]) else {
            return false;
        };
        before.kind == SyntaxKind::IDENT
            && before.raw + 1 == self.token.raw
            && self.joined(0)
            && matches!(self.nth(1), SyntaxKind::L_PAREN | SyntaxKind::L_BRACK)
    }

    pub(in crate::parser) fn foreign_macro(&mut self) {
        let range = self.range_of(0);
        if self.nth(1) == SyntaxKind::L_BRACK {
            let name = self.previous_end() - TextSize::of(self.text_before());
            let fix = self.replace(TextRange::new(name, range.end()), "");
            let message = "there are no macros: a list is written `[1, 2, 3]`";
            self.error_with_fix(range, message, fix);
            self.bump_as_error();
            self.index_list();
            return;
        }
        let fix = self.replace(range, "");
        let message = "there are no macros: a function is called without `!`";
        self.error_with_fix(range, message, fix);
        self.bump_as_error();
        self.arg_list();
    }

    /// Whether `++` or `--` stands here with no operand behind it.
    pub(in crate::parser) fn at_increment(&self) -> bool {
        self.at_any(&[SyntaxKind::PLUS, SyntaxKind::MINUS])
            && self.joined(0)
            && self.nth(1) == self.current()
            && (self.significant(2).new_line || !self.expr_starts_at(2))
    }
}
