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

    /// How many tokens the compound assignment is made of that stands here and does not exist.
    pub(in crate::parser) fn compound_operator(&self) -> Option<usize> {
        let operators: [&[SyntaxKind]; 10] = [
            &[SyntaxKind::AMP, SyntaxKind::AMP, SyntaxKind::EQ],
            &[SyntaxKind::AMP, SyntaxKind::EQ],
            &[SyntaxKind::GT, SyntaxKind::GT, SyntaxKind::EQ],
            &[SyntaxKind::PIPE2, SyntaxKind::EQ],
            &[SyntaxKind::PIPE, SyntaxKind::EQ],
            &[SyntaxKind::CARET, SyntaxKind::EQ],
            &[SyntaxKind::SHL, SyntaxKind::EQ],
            &[SyntaxKind::AT, SyntaxKind::EQ],
            &[SyntaxKind::STAR, SyntaxKind::STAR_EQ],
            &[SyntaxKind::QUESTION, SyntaxKind::QUESTION, SyntaxKind::EQ],
        ];
        let stands = |kinds: &&&[SyntaxKind]| {
            kinds.iter().enumerate().all(|(ahead, kind)| {
                self.nth(ahead) == *kind && (ahead + 1 == kinds.len() || self.joined(ahead))
            })
        };
        operators.iter().find(stands).map(|kinds| kinds.len())
    }
}
