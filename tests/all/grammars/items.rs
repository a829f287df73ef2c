//! The items of a text as each parser sees them.

use neuro_syntax::{NodeOrToken, SyntaxKind, SyntaxNode};
use tree_sitter::Node;

/// What is compared of an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Item {
    /// Where it begins and ends, without the comments in front.
    pub(super) range: (usize, usize),
    pub(super) kind: SyntaxKind,
    pub(super) name: Option<String>,
}

/// The kind that the parser gives to what the grammar calls so.
fn kind_of(name: &str) -> Option<SyntaxKind> {
    Some(match name {
        "function" | "function_signature" => SyntaxKind::FUNC,
        "struct" => SyntaxKind::STRUCT,
        "enum" => SyntaxKind::ENUM,
        "trait" => SyntaxKind::TRAIT,
        "impl" => SyntaxKind::IMPL,
        "constant" | "constant_statement" => SyntaxKind::CONST,
        "newtype" => SyntaxKind::NEWTYPE,
        "type_alias" => SyntaxKind::TYPE_ALIAS,
        "associated_type" => SyntaxKind::ASSOC_TYPE,
        "import" => SyntaxKind::IMPORT,
        "module" => SyntaxKind::MODULE,
        "field" => SyntaxKind::FIELD,
        "variant" => SyntaxKind::VARIANT,
        "parameter" => SyntaxKind::PARAM,
        _ => return None,
    })
}

const KINDS: &[SyntaxKind] = &[
    SyntaxKind::FUNC,
    SyntaxKind::STRUCT,
    SyntaxKind::ENUM,
    SyntaxKind::TRAIT,
    SyntaxKind::IMPL,
    SyntaxKind::CONST,
    SyntaxKind::NEWTYPE,
    SyntaxKind::TYPE_ALIAS,
    SyntaxKind::ASSOC_TYPE,
    SyntaxKind::IMPORT,
    SyntaxKind::MODULE,
    SyntaxKind::FIELD,
    SyntaxKind::VARIANT,
    SyntaxKind::PARAM,
];

/// The items that the parser of the compiler finds, in order of their place.
pub(super) fn of_parser(text: &str) -> Vec<Item> {
    let root = neuro_syntax::parse(text).syntax_node();
    let mut items: Vec<_> =
        root.descendants().filter(|node| KINDS.contains(&node.kind())).map(item).collect();
    items.sort();
    items
}

fn item(node: SyntaxNode) -> Item {
    let tokens = || node.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let first = tokens().find(|token| !token.kind().is_trivia());
    let start = first.map_or(node.text_range().start(), |token| token.text_range().start());
    let name = node.children().find(|child| child.kind() == SyntaxKind::NAME);
    Item {
        range: (start.into(), node.text_range().end().into()),
        kind: node.kind(),
        name: name.map(|name| name.text().to_string()),
    }
}

/// The items that the grammar finds, in order of their place.
pub(super) fn of_grammar(text: &str) -> Vec<Item> {
    fn go(node: Node<'_>, text: &str, items: &mut Vec<Item>) {
        if let Some(kind) = kind_of(node.kind()).filter(|_| node.is_named()) {
            let name =
                node.child_by_field_name("name").map(|name| text[name.byte_range()].to_owned());
            items.push(Item { range: (node.start_byte(), node.end_byte()), kind, name });
        }
        for child in node.children(&mut node.walk()) {
            go(child, text, items);
        }
    }
    let tree = super::parse(text);
    let mut items = Vec::new();
    go(tree.root_node(), text, &mut items);
    items.sort();
    items
}
