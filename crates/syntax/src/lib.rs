//! Text to syntax tree.
//!
//! Owns: the lexer, the error-tolerant parser, the lossless tree and the typed view of it ([`ast`]),
//! and the tables of keywords and attributes that editors and documentation read.
//! The text of a tree is always the text that was parsed, byte for byte.
//!
//! Never: resolves a name, checks a type, fails or panics on any text.
//!
//! Start reading at [`parse`], then `parser`, then [`ast`].

pub mod ast;
mod damage;
mod parse;
mod reparse;
mod parser;
mod lexer;
mod kinds;
mod keywords;
mod attributes;
mod numbers;
mod text;
mod format_spec;
mod format;

pub use ast::AstNode;
pub use attributes::{
    ATTRIBUTES, Attribute, AttributeArgument, AttributePlace, AttributeValue, attribute,
};
pub use damage::{Damage, Found};
pub use format::{FORMAT_WIDTH, FormatEdit, FormatError, format, format_edits, format_range};
pub use format_spec::FORMAT_MAX;
pub use keywords::{KEYWORDS, Keyword};
pub use kinds::{NeuroLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use parse::{Parse, SyntaxError, SyntaxFix, parse, same_trees};
pub use reparse::reparse;
pub use rowan::{GreenNode, NodeOrToken, TextRange, TextSize, TokenAtOffset, WalkEvent};

#[cfg(test)]
mod tests;
