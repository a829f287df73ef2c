//! Sets of kinds of tokens, looked up in one step.

use crate::SyntaxKind;

/// How many kinds of tokens there are.
const KINDS: usize = SyntaxKind::ERROR as usize;

/// A set of kinds of tokens.
#[derive(Debug)]
pub(super) struct TokenSet([bool; KINDS]);

impl TokenSet {
    pub(super) const fn new(kinds: &[SyntaxKind]) -> Self {
        let mut set = [false; KINDS];
        let mut index = 0;
        while index < kinds.len() {
            set[kinds[index] as usize] = true;
            index += 1;
        }
        Self(set)
    }

    #[inline]
    pub(super) fn contains(&self, kind: SyntaxKind) -> bool {
        self.0.get(kind as usize).copied().unwrap_or_default()
    }
}
