//! Assignments by operators that have none.

use crate::SyntaxKind;
use crate::parser::Parser;
use rowan::TextRange;

impl Parser<'_> {
    /// Takes an assignment by an operator that has none, if one stands here; the place begins at the token.
    pub(in crate::parser) fn foreign_assignment(&mut self, place: usize) {
        for (kind, text) in [(SyntaxKind::PLUS, "+="), (SyntaxKind::MINUS, "-=")] {
            if self.at(kind) && self.at_increment() {
                let range = self.range_of(0).cover(self.range_of(1));
                let fix = self.replace(range, &format!(" {text} 1"));
                let sign = text.trim_end_matches('=');
                let message = format!("there is no `{sign}{sign}`: write `{text} 1`");
                self.error_with_fix(range, message, fix);
                self.bump_as_error();
                self.bump_as_error();
                return;
            }
        }
        let Some(count) = self.compound_operator() else { return };
        let range = self.range_of(0).cover(self.range_of(count - 1));
        let text = self.slice(range);
        let op = text.trim_end_matches('=');
        let from = self.raw_range(self.tokens[place].raw()).start();
        let target = self.slice(TextRange::new(from, self.previous_end()));
        self.last_error = Some(self.pos);
        self.start(SyntaxKind::ERROR);
        for _ in 0..count {
            self.bump();
        }
        self.finish_node();
        let first = self.pos;
        self.expr();
        let value_range = TextRange::new(
            self.raw_range(self.tokens[first].raw()).start().min(self.previous_end()),
            self.previous_end(),
        );
        let value = self.slice(value_range);
        let one_word = self.pos == first + 1;
        let (instead, message) = match op {
            ">>" => (
                format!("= {target}.shr({value})"),
                "there is no right shift operator: write `a = a.shr(n)`".to_owned(),
            ),
            "**" if value == "2" => {
                (format!("*= {target}"), "there is no `**=`: write `a *= a`".to_owned())
            }
            "**" => (
                format!("= {target}.pow({value})"),
                "there is no `**=`: write `a = a.pow(b)`".to_owned(),
            ),
            _ if one_word => (
                format!("= {target} {op} {value}"),
                format!("there is no `{text}`: write `a = a {op} b`"),
            ),
            _ => (
                format!("= {target} {op} ({value})"),
                format!("there is no `{text}`: write `a = a {op} b`"),
            ),
        };
        let fix =
            if value.is_empty() { None } else { self.replace(range.cover(value_range), &instead) };
        self.note_error(range, message, fix);
    }

    /// Takes `==`, `->` or `<-` in place of the `=` of a binding.
    pub(in crate::parser) fn foreign_equals_sign(&mut self) {
        let arrow = self.at(SyntaxKind::LT) && self.nth(1) == SyntaxKind::MINUS && self.joined(0);
        if self.at_line_start() || !arrow && !self.at_any(&[SyntaxKind::EQ2, SyntaxKind::ARROW]) {
            return;
        }
        let range = self.range_of(0).cover(self.range_of(usize::from(arrow)));
        let fix = self.replace(range, "=");
        self.error_with_fix(range, "the value of a binding stands behind `=`", fix);
        self.start(SyntaxKind::ERROR);
        for _ in 0..1 + usize::from(arrow) {
            self.bump();
        }
        self.finish_node();
        self.last_error = Some(self.pos);
    }

    /// Reports `val x.y =`, `val x[0] =` and `val x, y =`, and takes what makes no pattern there.
    pub(in crate::parser) fn foreign_assigned_binding(&mut self, word: TextRange) {
        let name = self.range_of(0);
        if !self.at(SyntaxKind::IDENT) || self.at_line_start() || self.significant(1).new_line {
            return;
        }
        match self.nth(1) {
            SyntaxKind::DOT | SyntaxKind::L_BRACK => {
                let fix = self.replace(TextRange::new(word.start(), name.start()), "");
                let message = "a binding makes a new name: what is there is assigned without `val`";
                self.error_with_fix(word, message, fix);
                self.start(SyntaxKind::ERROR);
                self.postfix_of_place();
                self.finish_node();
            }
            SyntaxKind::COMMA => {
                let names = self.names_on_line();
                let ends = self.nth(2 * names - 1) == SyntaxKind::EQ;
                let range = name.cover(self.range_of(2 * names - 2));
                let fix = self.replace(range, &format!("({})", self.slice(range)));
                let message = "several names stand in parentheses, as the parts of a tuple";
                self.error_with_fix(range, message, fix.filter(|_| ends));
                self.start(SyntaxKind::ERROR);
                for _ in 0..2 * names - 1 {
                    self.bump();
                }
                self.finish_node();
            }
            _ => return,
        }
        self.last_error = Some(self.pos);
    }

    /// How many names stand here with commas between them.
    fn names_on_line(&self) -> usize {
        let mut names = 1;
        while self.nth(2 * names - 1) == SyntaxKind::COMMA
            && self.nth(2 * names) == SyntaxKind::IDENT
        {
            names += 1;
        }
        names
    }

    /// Takes a name with the fields and indexes behind it.
    fn postfix_of_place(&mut self) {
        self.bump();
        while self.at_any(&[SyntaxKind::DOT, SyntaxKind::L_BRACK]) && !self.at_line_start() {
            if self.at(SyntaxKind::DOT) {
                self.bump();
                if self.at_any(&[SyntaxKind::IDENT, SyntaxKind::INT]) {
                    self.bump();
                }
            } else {
                self.skip_while(|parser| !parser.at_any(&[SyntaxKind::EQ, SyntaxKind::DOT]));
            }
        }
    }

    /// How many tokens the compound assignment is made of that stands here and does not exist.
    pub(in crate::parser) fn compound_operator(&self) -> Option<usize> {
        let may = matches!(
            self.current(),
            SyntaxKind::AMP
                | SyntaxKind::GT
                | SyntaxKind::PIPE
                | SyntaxKind::PIPE2
                | SyntaxKind::CARET
                | SyntaxKind::SHL
                | SyntaxKind::AT
                | SyntaxKind::STAR
                | SyntaxKind::QUESTION
        );
        if !may || !self.joined(0) {
            return None;
        }
        let third = if self.joined(1) { self.nth(2) } else { SyntaxKind::EOF };
        match (self.current(), self.nth(1), third) {
            (SyntaxKind::AMP, SyntaxKind::AMP, SyntaxKind::EQ)
            | (SyntaxKind::GT, SyntaxKind::GT, SyntaxKind::EQ)
            | (SyntaxKind::QUESTION, SyntaxKind::QUESTION, SyntaxKind::EQ) => Some(3),
            (SyntaxKind::STAR, SyntaxKind::STAR_EQ, _) => Some(2),
            (SyntaxKind::GT | SyntaxKind::STAR | SyntaxKind::QUESTION, _, _) => None,
            (_, SyntaxKind::EQ, _) => Some(2),
            _ => None,
        }
    }
}
