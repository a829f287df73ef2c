//! A typed view of the tree: one type per kind of node, with an accessor per part.
//!
//! The types and the plain accessors are made from `syntax/neuro.ungram` (`generated`); what a kind alone does
//! not tell apart, values and operators are written by hand beside them.
//! Every accessor gives an `Option` or an iterator: in a text with mistakes any part may be absent.

mod generated;
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
pub use ops::{AssignOp, BinOp, PrefixOp};
pub use rowan::ast::{AstChildren, AstNode};
pub use stmts::Stmt;
pub use types::Extent;

use crate::{SyntaxKind, SyntaxNode, SyntaxToken};
use rowan::ast::support;

/// Declares a type per kind of node, and how a node is seen as one.
macro_rules! nodes {
    ($($(#[$meta:meta])* $node:ident = $kind:ident;)*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Eq, Hash)]
            pub struct $node {
                syntax: crate::SyntaxNode,
            }

            impl rowan::ast::AstNode for $node {
                type Language = crate::NeuroLanguage;

                fn can_cast(kind: crate::SyntaxKind) -> bool {
                    kind == crate::SyntaxKind::$kind
                }

                fn cast(syntax: crate::SyntaxNode) -> Option<Self> {
                    Self::can_cast(syntax.kind()).then_some(Self { syntax })
                }

                fn syntax(&self) -> &crate::SyntaxNode {
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

            impl rowan::ast::AstNode for $choice {
                type Language = crate::NeuroLanguage;

                fn can_cast(kind: crate::SyntaxKind) -> bool {
                    matches!(kind, $(crate::SyntaxKind::$kind)|*)
                }

                fn cast(syntax: crate::SyntaxNode) -> Option<Self> {
                    match syntax.kind() {
                        $(crate::SyntaxKind::$kind => rowan::ast::AstNode::cast(syntax).map(Self::$variant),)*
                        _ => None,
                    }
                }

                fn syntax(&self) -> &crate::SyntaxNode {
                    match self {
                        $(Self::$variant(node) => rowan::ast::AstNode::syntax(node),)*
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

fn child<N: AstNode<Language = crate::NeuroLanguage>>(parent: &SyntaxNode) -> Option<N> {
    support::child(parent)
}

fn children<N: AstNode<Language = crate::NeuroLanguage>>(parent: &SyntaxNode) -> AstChildren<N> {
    support::children(parent)
}

/// The child at position `n` among the children that are an `N`.
fn nth_child<N: AstNode<Language = crate::NeuroLanguage>>(
    parent: &SyntaxNode,
    n: usize,
) -> Option<N> {
    support::children(parent).nth(n)
}

fn token(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    support::token(parent, kind)
}

/// The tokens of a node that are not trivia, its own ones only.
fn tokens(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    parent
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| !token.kind().is_trivia())
}

/// The first child that is an `N` and stands after the first token of the kind.
fn child_after<N: AstNode<Language = crate::NeuroLanguage>>(
    parent: &SyntaxNode,
    kind: SyntaxKind,
) -> Option<N> {
    parent
        .children_with_tokens()
        .skip_while(|element| element.kind() != kind)
        .filter_map(|element| element.into_node())
        .find_map(N::cast)
}

/// The first child that is an `N` and stands before the first token of the kind.
fn child_before<N: AstNode<Language = crate::NeuroLanguage>>(
    parent: &SyntaxNode,
    kind: SyntaxKind,
) -> Option<N> {
    parent
        .children_with_tokens()
        .take_while(|element| element.kind() != kind)
        .filter_map(|element| element.into_node())
        .find_map(N::cast)
}
