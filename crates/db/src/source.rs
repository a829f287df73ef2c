//! Source files and what is read off them directly: the tree, item positions, lines.
#![expect(missing_docs, reason = "what salsa's attributes make carries no documentation")]

use std::sync::Arc;

use ::line_index::LineIndex;
use neuro_syntax::{AstNode, Parse, ast};
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
    /// The `neuro.toml` of the file's project, if it has one.
    #[default]
    pub project: Option<SourceFile>,
}

/// What is known of a path: whether a file is there. A query that looks for a file reads this, and so runs
/// again when the file comes or goes.
#[salsa::input(debug)]
pub struct FilePlace {
    /// The path.
    pub path: String,
    /// Whether a file is there.
    pub presence: Presence,
}

/// Whether a file is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Presence {
    /// Nobody has said; taken for no.
    Unknown,
    /// No.
    Absent,
    /// Yes.
    There(SourceFile),
}

impl Presence {
    /// The file, if one is there.
    pub fn file(self) -> Option<SourceFile> {
        match self {
            Presence::There(file) => Some(file),
            Presence::Unknown | Presence::Absent => None,
        }
    }
}

/// The file at a path, if one is there.
pub fn file_at(db: &dyn Db, path: &str) -> Option<SourceFile> {
    db.place(path).presence(db).file()
}

/// Which item of its file: the index among all of them in the order of the text, where an `impl` block, a
/// trait and an inline module come before what they hold. Associated types are no items of their own.
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

/// The lossless tree of a file and its syntax errors. Kept for every file: the items hold nearly all of it anyway.
#[salsa::tracked]
pub fn parse(db: &dyn Db, file: SourceFile) -> Parse {
    db.parse_text(file)
}

/// Where each item starts, by [`AstId`].
#[salsa::tracked(returns(deref))]
pub fn item_starts(db: &dyn Db, file: SourceFile) -> Vec<TextSize> {
    let mut starts = Vec::new();
    if let Some(root) = parse(db, file).tree() {
        root.items().for_each(|item| add_starts(&item, &mut starts));
    }
    starts
}

fn add_starts(item: &ast::Item, starts: &mut Vec<TextSize>) {
    starts.push(item.syntax().text_range().start());
    let members = match item {
        ast::Item::Module(module) => {
            return module.items().for_each(|item| add_starts(&item, starts));
        }
        ast::Item::Trait(item) => item.members(),
        ast::Item::Impl(item) => item.members(),
        ast::Item::Func(_)
        | ast::Item::Const(_)
        | ast::Item::Struct(_)
        | ast::Item::Enum(_)
        | ast::Item::Newtype(_)
        | ast::Item::TypeAlias(_)
        | ast::Item::Import(_) => None,
    };
    for member in members.into_iter().flat_map(|list| list.items()) {
        if let ast::AssocItem::Func(func) = member {
            starts.push(func.syntax().text_range().start());
        }
    }
}

/// The line table of a file, for positions shown to people and editors.
#[salsa::tracked]
pub fn line_index(db: &dyn Db, file: SourceFile) -> Arc<LineIndex> {
    Arc::new(LineIndex::new(file.text(db)))
}
