//! `>>` as a shift to the right, which other languages have: it composes functions here.

use crate::parser::exprs::{Height, Left};
use crate::parser::operators::{binds_less_than_shift, computes, level};
use crate::parser::{CHAIN_LIMIT, Parser, is_closing, is_opening};
use crate::{SyntaxFix, SyntaxKind};
use rowan::TextRange;

/// How many tokens behind a `>>` are looked at.
const REACH: usize = 64;

impl Parser<'_> {
    /// Whether a `>>` stands here that is meant as a shift.
    ///
    /// Functions are composed by their names: what has a number, a group or an operator in it is none.
    pub(in crate::parser) fn at_shift(&self, left: &Left) -> bool {
        let pair = self.at(SyntaxKind::GT) && self.nth(1) == SyntaxKind::GT && self.joined(0);
        let third = pair && self.joined(1);
        if !pair || self.at_new_line() || third && self.nth(2) == SyntaxKind::EQ {
            return false;
        }
        third && self.nth(2) == SyntaxKind::GT
            || left.computed
            || self.is_number(left.last)
            || self.shifts_by_number(self.shift_width())
    }

    /// How many tokens the shift here is made of: three in `>>>`.
    fn shift_width(&self) -> usize {
        2 + usize::from(self.joined(1) && self.nth(2) == SyntaxKind::GT)
    }

    /// Whether the operand that begins at the token and ends here is a number.
    fn is_number(&self, first: usize) -> bool {
        let left = &self.tokens[first..self.pos];
        let computes =
            left.iter().any(|token| token.kind == SyntaxKind::DOT || computes(token.kind));
        computes || matches!(left, [one] if one.kind == SyntaxKind::INT)
    }

    /// Whether what stands that many tokens ahead is a number.
    fn shifts_by_number(&self, ahead: usize) -> bool {
        let group = self.nth(ahead) == SyntaxKind::L_PAREN;
        if self.nth(ahead) == SyntaxKind::INT {
            return true;
        }
        let mut open = 0usize;
        for ahead in ahead..ahead + REACH {
            let token = self.significant(ahead);
            if open == 0 && token.new_line {
                break;
            }
            match token.kind {
                // A closure, or the end.
                SyntaxKind::PIPE | SyntaxKind::PIPE2 | SyntaxKind::EOF => return false,
                SyntaxKind::GT | SyntaxKind::PIPE_GT if open == 0 => break,
                kind if is_opening(kind) => open += 1,
                kind if is_closing(kind) && open == 0 => break,
                kind if is_closing(kind) => open -= 1,
                kind if open == 0 && computes(kind) => return true,
                _ => {}
            }
        }
        group
    }

    /// Reads a shift, and those that follow on it, as one mistake.
    pub(in crate::parser) fn foreign_shift(&mut self, left: &Left) -> Height {
        let first = left.first;
        let op = self.range_of(0).cover(self.range_of(self.shift_width() - 1));
        let start = self.raw_range(self.tokens[first].raw()).start();
        let mut open = 0usize;
        let (mut grouped, mut loose) = (false, false);
        for token in &self.tokens[first..self.pos] {
            match token.kind {
                kind if is_opening(kind) => open += 1,
                kind if is_closing(kind) => open = open.saturating_sub(1),
                kind if open == 0 => {
                    grouped |= computes(kind);
                    loose |= binds_less_than_shift(kind);
                }
                _ => {}
            }
        }
        let value = self.slice(TextRange::new(start, self.previous_end()));
        let mut text = if grouped { format!("({value})") } else { value.to_owned() };
        let mut height = 0;
        let mut shifts = 0;
        loop {
            shifts += 1;
            self.start(SyntaxKind::ERROR);
            for _ in 0..self.shift_width() {
                self.bump();
            }
            self.finish_node();
            let from = self.range_of(0).start();
            height = self.operand(level::SHIFT + 1).max(height);
            let amount = TextRange::new(from.min(self.previous_end()), self.previous_end());
            let amount = self.slice(amount);
            let inner = amount.strip_prefix('(').and_then(|amount| amount.strip_suffix(')'));
            let inner = inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(amount);
            text.push_str(&format!(".shr({inner})"));
            let here = Left { first, last: self.pos, computed: true };
            if !self.at_shift(&here) || shifts >= CHAIN_LIMIT {
                break;
            }
        }
        let whole = TextRange::new(start, self.previous_end());
        let fix = SyntaxFix { title: format!("write `{text}`"), range: whole, text };
        let fits = !loose && !fix.text.contains('\n') && !fix.text.ends_with("()");
        let message = "there is no right shift operator: write `a.shr(n)`";
        self.note_error(op, message, fits.then_some(fix));
        height
    }
}
