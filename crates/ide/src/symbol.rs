//! The items of a file, for outlines.

use neuro_db::{Db, SourceFile, Span};
use neuro_hir::{Item, file_items, item_name_range, item_range};
use text_size::TextRange;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A constant.
    Constant,
}

/// An item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole item.
    pub range: TextRange,
    /// Its name in the text.
    pub name_range: TextRange,
}

/// The items of a file, in the order of the text.
pub fn symbols(db: &dyn Db, file: SourceFile) -> Vec<Symbol> {
    let symbol = |item: &Item<'_>| {
        let (name, kind, ast_id) = match item {
            Item::Function(function) => (function.name(db), SymbolKind::Function, function.ast_id(db)),
            Item::Const(constant) => (constant.name(db), SymbolKind::Constant, constant.ast_id(db)),
        };
        let absolute = |range| Span::in_item(file, ast_id, range).absolute(db);
        Symbol {
            name: name.to_string(),
            kind,
            range: absolute(item_range(db, *item)),
            name_range: absolute(item_name_range(db, *item)),
        }
    };
    file_items(db, file).items.iter().map(symbol).collect()
}
