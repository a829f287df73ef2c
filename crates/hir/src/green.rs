//! Walks over trees without positions: many times faster than over nodes that know where they stand, and with
//! no recursion, since a chain of operators is as high as it is long.

use neuro_db::Name;
use neuro_syntax::{NodeOrToken, SyntaxKind};
use rowan::{GreenNodeData, Language};

/// The kind of a node.
pub(crate) fn kind(node: &GreenNodeData) -> SyntaxKind {
    neuro_syntax::NeuroLanguage::kind_from_raw(node.kind())
}

/// Visits the nodes of a tree in the order of the text, each before what it holds. Where `visit` says no, what
/// the node holds is left out.
pub(crate) fn walk<'t>(
    root: &'t GreenNodeData,
    visit: &mut dyn FnMut(SyntaxKind, &'t GreenNodeData) -> bool,
) {
    let mut open = Vec::new();
    if visit(kind(root), root) {
        open.push(root.children());
    }
    while let Some(children) = open.last_mut() {
        match children.next() {
            Some(NodeOrToken::Node(node)) => {
                if visit(kind(node), node) {
                    open.push(node.children());
                }
            }
            Some(NodeOrToken::Token(_)) => {}
            None => {
                open.pop();
            }
        }
    }
}

/// The nodes of a kind straight below a node.
pub(crate) fn children(
    node: &GreenNodeData,
    wanted: SyntaxKind,
) -> impl Iterator<Item = &GreenNodeData> + Clone {
    node.children().filter_map(NodeOrToken::into_node).filter(move |node| kind(node) == wanted)
}

/// The identifier straight below a node.
pub(crate) fn ident(node: &GreenNodeData) -> Option<&str> {
    let is_ident = |raw| neuro_syntax::NeuroLanguage::kind_from_raw(raw) == SyntaxKind::IDENT;
    let mut tokens = node.children().filter_map(NodeOrToken::into_token);
    tokens.find(|token| is_ident(token.kind())).map(|token| token.text())
}

/// The name of a used name: an identifier, or a word such as `self`; empty where it is missing.
pub(crate) fn name_ref(node: &GreenNodeData) -> Name {
    let mut tokens = node.children().filter_map(NodeOrToken::into_token);
    let is_trivia = |raw| neuro_syntax::NeuroLanguage::kind_from_raw(raw).is_trivia();
    let first = tokens.find(|token| !is_trivia(token.kind()));
    first.map(|token| Name::from(token.text())).unwrap_or_default()
}
