//! What the mistakes of a text make meaningless, so that one mistake is reported once.
//!
//! What stands around a mistake is read as far as it goes, and every later stage looks at it. What such a stage finds
//! in the same statement, or because a declaration could not be read, is a consequence of the mistake.

use crate::{
    NodeOrToken, Parse, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize,
};
use std::collections::HashSet;

/// What a later stage has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A name that nothing declares: perhaps something does that could not be read.
    UnknownName,
    /// A function that ends without its value: perhaps the last statement has it.
    NoValue,
    /// Anything else.
    Other,
}

/// What the mistakes of a text make meaningless.
#[derive(Debug)]
pub struct Damage {
    root: SyntaxNode,
    /// The smallest nodes with a mistake that mean something by themselves.
    units: HashSet<SyntaxNode>,
    /// The names of the items whose heads could not be read.
    items: HashSet<String>,
    /// Where a string of several lines begins that is never closed: what stands in it is lost.
    lost_from: Option<TextSize>,
}

impl Damage {
    /// The damage of the mistakes that parsing has found.
    pub fn of(parse: &Parse) -> Self {
        let root = parse.syntax_node();
        let units: HashSet<SyntaxNode> =
            parse.errors.iter().filter_map(|error| unit_at(&root, error.range.start())).collect();
        let items = units.iter().flat_map(declared_by).collect();
        let open = parse.errors.iter().find(|error| error.is_open_block_string());
        Self { root, units, items, lost_from: open.map(|error| error.range.start()) }
    }

    /// Whether what a later stage has found at a place is rather a consequence of a mistake there.
    pub fn explains(&self, range: TextRange, found: Found) -> bool {
        if self.units.is_empty() {
            return false;
        }
        let Some(token) = token_at(&self.root, range.start()) else { return false };
        let parent = token.parent();
        if parent.as_ref().and_then(unit_of).is_some_and(|unit| self.units.contains(&unit)) {
            return true;
        }
        let around = parent.iter().flat_map(SyntaxNode::ancestors);
        let item = around.into_iter().find(|node| node.kind() == SyntaxKind::FUNC);
        // Without its head nothing in the body is known.
        if item.as_ref().is_some_and(|function| self.units.contains(function)) {
            return true;
        }
        let word = token.text();
        self.items.contains(word)
            || match found {
                Found::UnknownName => {
                    self.is_lost(word) || item.is_some_and(|item| self.mentions(&item, word))
                }
                Found::NoValue => item.is_some_and(|item| self.spoils_end(&item)),
                Found::Other => false,
            }
    }

    /// Whether the last statement of a function has a mistake, or nothing can be said of what follows it.
    fn spoils_end(&self, function: &SyntaxNode) -> bool {
        let body = function.children().find(|child| child.kind() == SyntaxKind::BLOCK);
        body.and_then(|body| body.last_child()).is_some_and(|last| self.units.contains(&last))
    }

    /// Whether what is lost at the end of the file has the word.
    fn is_lost(&self, word: &str) -> bool {
        let Some(from) = self.lost_from else { return false };
        let text = self.root.text().slice(from..).to_string();
        text.split(|c: char| c != '_' && !c.is_alphanumeric()).any(|lost| lost == word)
    }

    /// Whether what could not be read in an item has the word.
    fn mentions(&self, item: &SyntaxNode, word: &str) -> bool {
        let inside = |unit: &&SyntaxNode| item.text_range().contains_range(unit.text_range());
        self.units.iter().filter(inside).any(|unit| {
            own_tokens(unit).any(|token| token.kind() == SyntaxKind::IDENT && token.text() == word)
        })
    }
}

/// Whether a node means something by itself, so that a mistake in it says nothing of what is around.
fn is_unit(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::BIND_STMT
            | SyntaxKind::EXPR_STMT
            | SyntaxKind::ASSIGN_STMT
            | SyntaxKind::POOL_STMT
            | SyntaxKind::MATCH_ARM
            | SyntaxKind::FIELD
            | SyntaxKind::VARIANT
            | SyntaxKind::FUNC
            | SyntaxKind::CONST
            | SyntaxKind::STRUCT
            | SyntaxKind::ENUM
            | SyntaxKind::TRAIT
            | SyntaxKind::IMPL
            | SyntaxKind::NEWTYPE
            | SyntaxKind::TYPE_ALIAS
            | SyntaxKind::ASSOC_TYPE
            | SyntaxKind::IMPORT
            | SyntaxKind::MODULE
    )
}

/// The smallest unit around a node, if the node is no part of the braces of one.
fn unit_of(node: &SyntaxNode) -> Option<SyntaxNode> {
    for node in node.ancestors() {
        if is_unit(node.kind()) {
            return Some(node);
        }
        let in_braces = node.parent().is_some_and(|parent| {
            matches!(
                parent.kind(),
                SyntaxKind::BLOCK | SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST
            )
        });
        // What could not be read stands behind the statement that it belongs to, or for one.
        if in_braces {
            let goes_on = |before: &SyntaxNode| !has_line_between(before, &node);
            return node.prev_sibling().filter(goes_on).or(Some(node));
        }
        if matches!(
            node.kind(),
            SyntaxKind::BLOCK | SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST
        ) {
            return None;
        }
    }
    None
}

/// Whether a line begins between two nodes of one parent.
fn has_line_between(before: &SyntaxNode, node: &SyntaxNode) -> bool {
    let next = |element: &SyntaxElement| element.next_sibling_or_token();
    std::iter::successors(before.next_sibling_or_token(), next)
        .take_while(|element| element.text_range().start() < node.text_range().start())
        .any(|element| element.kind() == SyntaxKind::NEWLINE)
}

/// The smallest unit around a place.
fn unit_at(root: &SyntaxNode, at: TextSize) -> Option<SyntaxNode> {
    token_at(root, at)?.parent().as_ref().and_then(unit_of)
}

/// The token that begins at a place, or else the one that ends there.
fn token_at(root: &SyntaxNode, at: TextSize) -> Option<SyntaxToken> {
    let tokens = root.token_at_offset(at);
    let means = |token: &SyntaxToken| !token.kind().is_trivia();
    tokens.clone().right_biased().filter(means).or_else(|| tokens.left_biased().filter(means))
}

/// The tokens of a node that stand in none of the blocks inside.
fn own_tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    let mut walk = node.preorder_with_tokens();
    std::iter::from_fn(move || {
        loop {
            match walk.next()? {
                crate::WalkEvent::Enter(NodeOrToken::Token(token)) => return Some(token),
                crate::WalkEvent::Enter(NodeOrToken::Node(node)) => {
                    if node.kind() == SyntaxKind::BLOCK {
                        walk.skip_subtree();
                    }
                }
                crate::WalkEvent::Leave(_) => {}
            }
        }
    })
}

/// The name of the item of which a unit is the head, or a part without which it is not known.
fn declared_by(unit: &SyntaxNode) -> Option<String> {
    let item = match unit.kind() {
        SyntaxKind::FIELD | SyntaxKind::VARIANT => unit
            .ancestors()
            .find(|node| matches!(node.kind(), SyntaxKind::STRUCT | SyntaxKind::ENUM))?,
        _ => unit.clone(),
    };
    let name = item.children().find(|child| child.kind() == SyntaxKind::NAME)?;
    name.first_token().map(|token| token.text().to_owned())
}
