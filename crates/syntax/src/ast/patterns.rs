//! Patterns: of bindings, of `for` heads and of match arms.

use super::{AstNode, LiteralPat, RangePat, children, token};
use crate::SyntaxKind;

impl RangePat {
    /// The lower bound.
    pub fn start(&self) -> Option<LiteralPat> {
        children(self.syntax()).next()
    }

    /// The upper bound.
    pub fn end(&self) -> Option<LiteralPat> {
        children(self.syntax()).nth(1)
    }

    /// Whether the upper bound belongs to the range.
    pub fn is_inclusive(&self) -> bool {
        token(self.syntax(), SyntaxKind::DOT2_EQ).is_some()
    }
}
