//! The items of a file, for outlines.

use neuro_db::{Db, SourceFile, Span};
use neuro_hir::{Item, file_items, item_name_range};
use text_size::TextRange;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A method or an associated function.
    Method,
    /// A constant.
    Constant,
    /// A struct.
    Struct,
    /// An enum.
    Enum,
    /// A newtype.
    Newtype,
    /// A type alias.
    Alias,
    /// A trait.
    Trait,
    /// An `impl` block.
    Impl,
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
        let kind = match item {
            Item::Function(function) if function.is_member(db) => SymbolKind::Method,
            Item::Function(_) => SymbolKind::Function,
            Item::Const(_) => SymbolKind::Constant,
            Item::Struct(_) => SymbolKind::Struct,
            Item::Enum(_) => SymbolKind::Enum,
            Item::Newtype(_) => SymbolKind::Newtype,
            Item::Alias(_) => SymbolKind::Alias,
            Item::Trait(_) => SymbolKind::Trait,
            Item::Impl(_) => SymbolKind::Impl,
        };
        let absolute = |range| Span::in_item(file, item.ast_id(db), range).absolute(db);
        Symbol {
            name: item.name(db).to_string(),
            kind,
            range: absolute(TextRange::up_to(item.source(db).0.text_len())),
            name_range: absolute(item_name_range(db, *item)),
        }
    };
    file_items(db, file).items.iter().map(symbol).collect()
}
