//! Heads of branches, loops and matches, where a brace begins the block.
//!
//! `if p == Point { x: 1 } {` reads as a block behind `Point`. What can only be a struct is read as one, and reported.
//! A block as an operand stands where an operand is missing, and something goes on behind it.

use super::{Mode, Parser, is_closing, is_opening};
use crate::SyntaxKind;
use crate::ast::BinOp;
use rowan::TextRange;

/// How many tokens a head on a line of its own is taken to have at most when its block is looked for.
const HEAD_TOKENS: usize = 64;

impl Parser<'_> {
    /// The head of an `if`, a loop or a `match`.
    pub(super) fn head_expr(&mut self, what: &str) {
        let mode = Mode { struct_literals: false, ..self.mode };
        if self.foreign_pattern_head() {
            return;
        }
        self.with_mode(mode, |parser| {
            let brace = parser.at(SyntaxKind::L_BRACE) && !parser.at_head_block();
            let next_line = parser.at_line_start();
            if brace || next_line && !(parser.at_expr_start() && parser.block_follows()) {
                parser.error_expected(what);
            } else {
                parser.expr();
            }
        });
    }

    /// Whether a block follows on what begins here, as on a head, before the block around ends.
    fn block_follows(&self) -> bool {
        let mut open = 0usize;
        for token in self.tokens[self.pos..].iter().take(HEAD_TOKENS) {
            match token.kind {
                SyntaxKind::L_BRACE if open == 0 => return true,
                SyntaxKind::EOF => return false,
                kind if is_opening(kind) => open += 1,
                kind if is_closing(kind) && open == 0 => return false,
                kind if is_closing(kind) => open -= 1,
                _ => {}
            }
        }
        true
    }

    /// Whether the brace here begins a block that is an operand of a head: the body, or an operator, follows.
    pub(super) fn at_head_block(&self) -> bool {
        if !self.at(SyntaxKind::L_BRACE) || self.mode.struct_literals {
            return false;
        }
        let Some(behind) = self.behind_bracket(0) else { return false };
        match self.nth(behind) {
            SyntaxKind::L_BRACE | SyntaxKind::FAT_ARROW => true,
            _ => self.goes_on(behind),
        }
    }

    /// Whether the brace here, behind a name in a head, opens a struct literal: as a block it makes no sense.
    pub(super) fn at_head_literal(&self) -> bool {
        if self.mode.struct_literals || !self.at(SyntaxKind::L_BRACE) {
            return false;
        }
        let (first, second) = (self.nth(1), self.nth(2));
        let keyword = |kind: SyntaxKind| {
            matches!(kind, SyntaxKind::WHILE_KW | SyntaxKind::FOR_KW | SyntaxKind::LOOP_KW)
        };
        // No block begins with `x: 1` or `x, y`, and one that begins otherwise is no literal unless a block follows it.
        let certain = first == SyntaxKind::IDENT
            && (second == SyntaxKind::COLON && !keyword(self.nth(3))
                || second == SyntaxKind::COMMA);
        let possible = match first {
            SyntaxKind::R_BRACE => true,
            SyntaxKind::IDENT => second == SyntaxKind::R_BRACE,
            SyntaxKind::DOT2 => true,
            _ => false,
        };
        if !certain && !possible {
            return false;
        }
        let Some(behind) = self.behind_bracket(0) else { return false };
        let same_line = !self.significant(behind).new_line;
        match self.nth(behind) {
            SyntaxKind::L_BRACE => certain || same_line,
            SyntaxKind::FAT_ARROW => same_line,
            _ => certain && self.goes_on(behind),
        }
    }

    /// Reports the struct literal that begins at the token and ends here.
    pub(super) fn head_literal(&mut self, first: usize) {
        let start = self.raw_range(self.tokens[first].raw()).start();
        let range = TextRange::new(start, self.previous_end());
        let text = format!("({})", self.slice(range));
        let fix = crate::SyntaxFix { title: "put it in parentheses".to_owned(), range, text };
        let message = "a struct literal in a head stands in parentheses: `{` begins the block here";
        self.note_error(range, message, Some(fix));
    }

    /// What stands behind the group that opens that many tokens ahead.
    pub(super) fn behind_group(&self, ahead: usize) -> Option<SyntaxKind> {
        self.behind_bracket(ahead).map(|behind| self.nth(behind))
    }

    /// How many tokens ahead stands what is behind the bracket that opens that many tokens ahead.
    pub(super) fn behind_bracket(&self, first: usize) -> Option<usize> {
        let mut open = 0usize;
        for (ahead, token) in self.tokens[self.pos..].iter().enumerate().skip(first) {
            if is_opening(token.kind) {
                open += 1;
            } else if is_closing(token.kind) {
                open = open.saturating_sub(1);
                if open == 0 {
                    return Some(ahead + 1);
                }
            }
        }
        None
    }

    /// Whether the token goes on with an expression that ends in front of it, on its line.
    fn goes_on(&self, ahead: usize) -> bool {
        let token = self.significant(ahead);
        let between = BinOp::from_kind(token.kind).is_some()
            || matches!(
                token.kind,
                SyntaxKind::DOT
                    | SyntaxKind::DOT2
                    | SyntaxKind::DOT2_EQ
                    | SyntaxKind::QUESTION
                    | SyntaxKind::L_PAREN
                    | SyntaxKind::L_BRACK
                    | SyntaxKind::AS_KW
            );
        between && !token.new_line
    }
}
