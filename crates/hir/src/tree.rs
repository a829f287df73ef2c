//! Small questions to the typed tree that several modules ask.

use neuro_db::{Green, Name};
use neuro_syntax::{AstNode, SyntaxNode, SyntaxToken, ast};
use text_size::TextRange;

/// The root of a stored subtree. Its ranges are relative to the subtree's first character.
pub(crate) fn node(source: &Green) -> SyntaxNode {
    SyntaxNode::new_root(source.0.clone())
}

/// The text of a declared name; empty where it is missing.
pub(crate) fn name_text(name: Option<ast::Name>) -> Name {
    name.and_then(|name| name.token()).map(|token| Name::from(token.text())).unwrap_or_default()
}

/// The text of a used name; empty where it is missing.
pub(crate) fn name_ref_text(name: Option<ast::NameRef>) -> Name {
    name.and_then(|name| name.token()).map(|token| Name::from(token.text())).unwrap_or_default()
}

/// The name that an item declares; empty for items without one.
pub(crate) fn item_name(item: &ast::Item) -> Name {
    name_text(item.name())
}

/// Where an item's name stands, or its keyword, or the item.
pub(crate) fn item_name_range(item: &ast::Item) -> TextRange {
    item.name()
        .and_then(|name| name.token())
        .or_else(|| item.keyword())
        .map_or_else(|| trimmed_range(item.syntax()), |token| token.text_range())
}

/// The range of a node without the documentation in front of it.
///
/// A node begins and ends at a token, and only documentation comments stand in front of that, as
/// children of the node itself. So this takes no descent, which would be long in a chain of operators.
pub(crate) fn trimmed_range(node: &SyntaxNode) -> TextRange {
    let range = node.text_range();
    let first = node.children_with_tokens().find(|child| !child.kind().is_trivia());
    let start = first.map_or(range.start(), |child| child.text_range().start());
    TextRange::new(start, range.end())
}

/// The first token of a node that is no trivia.
pub(crate) fn first_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let end = node.text_range().end();
    let mut token = node.first_token()?;
    while token.kind().is_trivia() {
        token = token.next_token()?;
    }
    (token.text_range().start() < end).then_some(token)
}

/// Where a token stands, or else the first token of `node`.
pub(crate) fn token_or_first(token: Option<SyntaxToken>, node: &SyntaxNode) -> TextRange {
    token
        .or_else(|| first_token(node))
        .map_or_else(|| TextRange::empty(node.text_range().start()), |token| token.text_range())
}

/// The text of a node without the trivia at its ends.
pub(crate) fn text(node: &SyntaxNode) -> String {
    let whole = node.text();
    let trimmed = trimmed_range(node);
    whole.slice(trimmed - node.text_range().start()).to_string()
}
