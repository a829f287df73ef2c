//! The result of parsing: a tree and the mistakes found on the way.

use crate::SyntaxNode;
use crate::ast::{AstNode as _, Node};
use rowan::{GreenNode, GreenNodeData, NodeOrToken, TextRange};

/// A tree for any text, with the mistakes in order of their place.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The root of the tree; its kind is `SOURCE_FILE`.
    pub green: GreenNode,
    /// What is wrong with the text; empty when the text is well formed.
    pub errors: Vec<SyntaxError>,
}

impl Parse {
    /// The root as a node that knows its place.
    pub fn syntax_node(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The typed root; `None` only when `green` is not the root of a file.
    pub fn tree(&self) -> Option<crate::ast::SourceFile> {
        crate::ast::SourceFile::cast(Node::root(self.green.clone()))
    }
}

impl PartialEq for Parse {
    fn eq(&self, other: &Self) -> bool {
        self.errors == other.errors && same_trees(&self.green, &other.green)
    }
}

impl Eq for Parse {}

/// Whether two trees are equal, without the stack that it takes to compare them by `==`. The comparison of rowan recurses, and a chain of operators is as high as it is long.
pub fn same_trees(one: &GreenNodeData, other: &GreenNodeData) -> bool {
    let mut pairs = vec![(one, other)];
    while let Some((one, other)) = pairs.pop() {
        // Most comparisons are of a tree with itself, and of trees with most of their nodes in common.
        if std::ptr::eq(one, other) {
            continue;
        }
        let (left, right) = (one.children(), other.children());
        if one.kind() != other.kind()
            || one.text_len() != other.text_len()
            || left.len() != right.len()
        {
            return false;
        }
        for children in left.zip(right) {
            match children {
                (NodeOrToken::Node(one), NodeOrToken::Node(other)) => pairs.push((one, other)),
                (NodeOrToken::Token(one), NodeOrToken::Token(other)) if one == other => {}
                _ => return false,
            }
        }
    }
    true
}

/// One mistake in a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// Where, in bytes of the text; may be empty.
    pub range: TextRange,
    /// What was expected and what was found; one sentence, no full stop.
    pub message: String,
    /// An edit that repairs it, when there is one obvious edit.
    pub fix: Option<SyntaxFix>,
}

/// An edit that repairs a [`SyntaxError`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SyntaxFix {
    /// What the edit does, as an editor's menu shows it.
    pub title: String,
    /// What it replaces.
    pub range: TextRange,
    /// What it puts there.
    pub text: String,
}

/// More mistakes than anybody reads at once: those behind them are told when these are gone. A text of nothing
/// but brackets would have as many as it has characters.
const MAX_ERRORS: usize = 200;

/// Parses the text of a file. Of many mistakes the first ones are told.
pub fn parse(text: &str) -> Parse {
    let (green, mut errors) = crate::parser::parse_file(text);
    errors.truncate(MAX_ERRORS);
    Parse { green, errors }
}
