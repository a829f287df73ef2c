//! Source files and what is read off them directly: the tree, item positions, lines.
#![expect(missing_docs, reason = "what salsa's attributes make carries no documentation")]

use std::sync::Arc;

use ::line_index::LineIndex;
use neuro_syntax::{AstNode, Parse};
use text_size::TextSize;

use crate::Db;

/// A name as written in a program.
pub type Name = smol_str::SmolStr;

/// A file: its path as the door that opened it spells it, and its text.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The path as it is shown in messages.
    pub path: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// Which item of its file: the index among the file's top-level items.
///
/// A position inside an item is relative to the item's first character, so that an edit above it
/// moves no stored position. Only rendering reads the index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AstId(pub u32);

/// A green subtree that is cheap to compare when it is the same allocation.
#[derive(Clone, Debug)]
pub struct Green(pub rowan::GreenNode);

impl PartialEq for Green {
    fn eq(&self, other: &Self) -> bool {
        neuro_syntax::same_trees(&self.0, &other.0)
    }
}

impl Eq for Green {}

/// The lossless tree of a file and its syntax errors.
#[salsa::tracked(lru = 200)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Parse {
    neuro_syntax::parse(file.text(db))
}

/// Where each top-level item starts, by [`AstId`].
#[salsa::tracked(returns(deref))]
pub fn item_starts(db: &dyn Db, file: SourceFile) -> Vec<TextSize> {
    let Some(root) = parse(db, file).tree() else { return Vec::new() };
    root.items().map(|item| item.syntax().text_range().start()).collect()
}

/// The line table of a file, for positions shown to people and editors.
#[salsa::tracked]
pub fn line_index(db: &dyn Db, file: SourceFile) -> Arc<LineIndex> {
    Arc::new(LineIndex::new(file.text(db)))
}
