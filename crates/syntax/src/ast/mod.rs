//! A typed view of the tree: one type per kind of node, with an accessor per part.
//!
//! The types and the plain accessors are made from `syntax/neuro.ungram` (`generated`); what a kind alone does
//! not tell apart, values and operators are written by hand beside them.
//! Every accessor gives an `Option` or an iterator: in a text with mistakes any part may be absent.

mod generated;
mod node;
mod items;
mod generics;
mod types;
mod patterns;
mod stmts;
mod exprs;
mod literals;
mod ops;

pub use generated::*;
pub use literals::{
    Align, FloatLit, FormatKind, FormatSpec, IntLit, IntValue, LiteralKind, NumberError, StringPart,
};
pub use node::{AstChildren, AstNode, Element, Elements, Node, Token};
pub use ops::{AssignOp, BinOp, PrefixOp};
pub use stmts::Stmt;
pub use types::Extent;

use crate::SyntaxKind;

/// Declares a type per kind of node, and how a node is seen as one.
macro_rules! nodes {
    ($($(#[$meta:meta])* $node:ident = $kind:ident;)*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Eq, Hash)]
            pub struct $node {
                syntax: crate::ast::Node,
            }

            impl crate::ast::AstNode for $node {
                fn can_cast(kind: crate::SyntaxKind) -> bool {
                    kind == crate::SyntaxKind::$kind
                }

                fn cast(syntax: crate::ast::Node) -> Option<Self> {
                    Self::can_cast(syntax.kind()).then_some(Self { syntax })
                }

                fn syntax(&self) -> &crate::ast::Node {
                    &self.syntax
                }
            }
        )*
    };
}

/// Declares an enum over node types, and how a node is seen as one of them.
macro_rules! choices {
    ($($(#[$meta:meta])* $choice:ident { $($(#[$vmeta:meta])* $variant:ident($node:ident) = $kind:ident,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Eq, Hash)]
            pub enum $choice {
                $($(#[$vmeta])* $variant($node),)*
            }

            impl crate::ast::AstNode for $choice {
                fn can_cast(kind: crate::SyntaxKind) -> bool {
                    matches!(kind, $(crate::SyntaxKind::$kind)|*)
                }

                fn cast(syntax: crate::ast::Node) -> Option<Self> {
                    match syntax.kind() {
                        $(crate::SyntaxKind::$kind => crate::ast::AstNode::cast(syntax).map(Self::$variant),)*
                        _ => None,
                    }
                }

                fn syntax(&self) -> &crate::ast::Node {
                    match self {
                        $(Self::$variant(node) => crate::ast::AstNode::syntax(node),)*
                    }
                }
            }

            $(
                impl From<$node> for $choice {
                    fn from(node: $node) -> Self {
                        Self::$variant(node)
                    }
                }
            )*
        )*
    };
}

pub(crate) use {choices, nodes};

fn child<N: AstNode>(parent: &Node) -> Option<N> {
    parent.find_child()
}

fn children<N: AstNode>(parent: &Node) -> AstChildren<N> {
    parent.typed_children()
}

/// The child at position `n` among the children that are an `N`.
fn nth_child<N: AstNode>(parent: &Node, n: usize) -> Option<N> {
    children(parent).nth(n)
}

fn token(parent: &Node, kind: SyntaxKind) -> Option<Token> {
    parent.find_token(|found| found == kind)
}

/// The first token of a node that is no trivia, among its own ones only.
fn first_own_token(parent: &Node) -> Option<Token> {
    parent.find_token(|kind| kind.is_token() && !kind.is_trivia())
}

/// The first child that is an `N` and stands after the first token of the kind.
fn child_after<N: AstNode>(parent: &Node, kind: SyntaxKind) -> Option<N> {
    parent.find_after(kind)
}

/// The first child that is an `N` and stands before the first token of the kind.
fn child_before<N: AstNode>(parent: &Node, kind: SyntaxKind) -> Option<N> {
    parent.find_before(kind)
}
