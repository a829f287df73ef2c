//! Small questions to the typed tree that several modules ask.

use neuro_db::{Green, Name};
use neuro_syntax::AstNode;
use neuro_syntax::ast::{self, Node, Token};
use text_size::TextRange;

/// The root of a stored subtree. Its ranges are relative to the subtree's first character.
pub(crate) fn node(source: &Green) -> Node {
    Node::root(source.0.clone())
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
pub(crate) fn trimmed_range(node: &Node) -> TextRange {
    node.trimmed_range()
}

/// Where a token stands, or else the first token of `node`.
pub(crate) fn token_or_first(token: Option<Token>, node: &Node) -> TextRange {
    token
        .or_else(|| node.first_word())
        .map_or_else(|| TextRange::empty(node.text_range().start()), |token| token.text_range())
}

/// The text of a node without the trivia at its ends.
pub(crate) fn text(node: &Node) -> String {
    let mut text = node.text();
    let start = usize::from(trimmed_range(node).start() - node.text_range().start());
    text.drain(..start);
    text
}
