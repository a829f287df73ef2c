//! The kinds of tokens and nodes, and the rowan language that they make.
//!
//! The list of kinds is made from the grammar, `syntax/neuro.ungram`.

mod generated;

use generated::ALL;
pub use generated::SyntaxKind;

impl SyntaxKind {
    /// Whether a token of this kind only separates others.
    pub fn is_trivia(self) -> bool {
        self <= SyntaxKind::DOC_COMMENT
    }

    /// Whether every token of this kind has the same text.
    pub(crate) fn has_fixed_text(self) -> bool {
        (SyntaxKind::L_PAREN..=SyntaxKind::FALSE_KW).contains(&self)
    }

    /// Whether this is the keyword of an item.
    pub(crate) fn starts_item(self) -> bool {
        matches!(
            self,
            SyntaxKind::FUNC_KW
                | SyntaxKind::CONST_KW
                | SyntaxKind::STRUCT_KW
                | SyntaxKind::ENUM_KW
                | SyntaxKind::TRAIT_KW
                | SyntaxKind::IMPL_KW
                | SyntaxKind::NEWTYPE_KW
                | SyntaxKind::TYPE_KW
                | SyntaxKind::IMPORT_KW
                | SyntaxKind::MODULE_KW
        )
    }

    /// Whether this is a reserved word.
    pub fn is_keyword(self) -> bool {
        (SyntaxKind::FUNC_KW..=SyntaxKind::FALSE_KW).contains(&self)
    }

    /// Whether this is the kind of a token, not of a node.
    pub fn is_token(self) -> bool {
        self < SyntaxKind::ERROR
    }
}

impl From<SyntaxKind> for rowan::SyntaxKind {
    fn from(kind: SyntaxKind) -> Self {
        rowan::SyntaxKind(kind as u16)
    }
}

/// The language whose trees rowan holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NeuroLanguage {}

impl rowan::Language for NeuroLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        // Only our own builder makes trees, so a number out of range cannot occur.
        ALL.get(usize::from(raw.0)).copied().unwrap_or(SyntaxKind::ERROR)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        kind.into()
    }
}

/// A node of a Neuro tree.
pub type SyntaxNode = rowan::SyntaxNode<NeuroLanguage>;
/// A token of a Neuro tree.
pub type SyntaxToken = rowan::SyntaxToken<NeuroLanguage>;
/// A node or a token of a Neuro tree.
pub type SyntaxElement = rowan::SyntaxElement<NeuroLanguage>;
