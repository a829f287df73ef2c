//! The items of a file, and how a name finds one.
#![expect(missing_docs, reason = "what salsa's attributes make carries no documentation")]

use neuro_db::{AstId, Db, Green, Name, SourceFile, item_starts, parse};
use neuro_syntax::{AstNode, ast};
use text_size::{TextRange, TextSize};

use crate::tree;

/// A function. Its identity is its file and name; a second one of the same name is told apart by order.
#[salsa::tracked(debug)]
pub struct Function<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The name.
    #[returns(clone)]
    pub name: Name,
    /// The whole item, attributes and documentation included.
    #[tracked]
    pub source: Green,
    /// Which item of the file; read only to render positions.
    #[tracked]
    #[returns(copy)]
    pub ast_id: AstId,
}

/// A constant of a file.
#[salsa::tracked(debug)]
pub struct Const<'db> {
    /// The file.
    #[returns(copy)]
    pub file: SourceFile,
    /// The name.
    #[returns(clone)]
    pub name: Name,
    /// The whole item.
    #[tracked]
    pub source: Green,
    /// Which item of the file; read only to render positions.
    #[tracked]
    #[returns(copy)]
    pub ast_id: AstId,
}

/// What a name of a file can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum Item<'db> {
    /// A function.
    Function(Function<'db>),
    /// A constant.
    Const(Const<'db>),
}

impl<'db> Item<'db> {
    /// The file.
    pub fn file(self, db: &'db dyn Db) -> SourceFile {
        match self {
            Item::Function(function) => function.file(db),
            Item::Const(constant) => constant.file(db),
        }
    }

    /// The name; empty where a syntax error left none.
    pub fn name(self, db: &'db dyn Db) -> Name {
        match self {
            Item::Function(function) => function.name(db),
            Item::Const(constant) => constant.name(db),
        }
    }

    /// Which item of the file. Changes when an item above comes or goes: read it only to render.
    pub fn ast_id(self, db: &'db dyn Db) -> AstId {
        match self {
            Item::Function(function) => function.ast_id(db),
            Item::Const(constant) => constant.ast_id(db),
        }
    }
}

/// The items of a file, in the order of the text. Of two with one name, the first is found.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub struct FileItems<'db> {
    /// All of them.
    pub items: Vec<Item<'db>>,
}

impl<'db> FileItems<'db> {
    /// The functions, in the order of the text.
    pub fn functions(&self) -> impl Iterator<Item = Function<'db>> + '_ {
        self.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(*function),
            Item::Const(_) => None,
        })
    }

    /// The constants, in the order of the text.
    pub fn consts(&self) -> impl Iterator<Item = Const<'db>> + '_ {
        self.items.iter().filter_map(|item| match item {
            Item::Const(constant) => Some(*constant),
            Item::Function(_) => None,
        })
    }
}

/// The functions and constants of a file. Equal after every edit that adds, removes, renames or moves
/// none of them.
#[salsa::tracked]
pub fn file_items<'db>(db: &'db dyn Db, file: SourceFile) -> FileItems<'db> {
    let Some(root) = parse(db, file).tree() else { return FileItems::default() };
    let mut items = Vec::new();
    for (id, item) in (0..).map(AstId).zip(root.items()) {
        let name = tree::item_name(&item);
        let source = Green(item.syntax().green().to_owned());
        match item {
            ast::Item::Func(_) => {
                items.push(Item::Function(Function::new(db, file, name, source, id)));
            }
            ast::Item::Const(_) => {
                items.push(Item::Const(Const::new(db, file, name, source, id)));
            }
            ast::Item::Struct(_)
            | ast::Item::Enum(_)
            | ast::Item::Trait(_)
            | ast::Item::Impl(_)
            | ast::Item::Newtype(_)
            | ast::Item::TypeAlias(_)
            | ast::Item::Import(_)
            | ast::Item::Module(_) => {}
        }
    }
    FileItems { items }
}

/// The names that a file declares by items which are not supported yet, sorted. Each item is reported
/// where it stands, so nothing is said about a use of its name.
#[salsa::tracked(returns(deref))]
pub(crate) fn unsupported_names(db: &dyn Db, file: SourceFile) -> Vec<Name> {
    let Some(root) = parse(db, file).tree() else { return Vec::new() };
    let mut names: Vec<Name> = root.items().flat_map(|item| declared_names(&item)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names that an unsupported item declares.
fn declared_names(item: &ast::Item) -> Vec<Name> {
    match item {
        ast::Item::Func(_) | ast::Item::Const(_) | ast::Item::Impl(_) => Vec::new(),
        ast::Item::Struct(_)
        | ast::Item::Enum(_)
        | ast::Item::Trait(_)
        | ast::Item::Newtype(_)
        | ast::Item::TypeAlias(_)
        | ast::Item::Module(_) => vec![tree::item_name(item)],
        ast::Item::Import(import) => imported_names(import),
    }
}

/// The names that an import brings into scope.
fn imported_names(import: &ast::Import) -> Vec<Name> {
    match import.entries() {
        Some(entries) => entries
            .filter_map(|entry| match entry.rename() {
                Some(name) => Some(Name::from(name.text())),
                None => entry.name_ref().map(|name| Name::from(name.text())),
            })
            .collect(),
        None => match import.rename() {
            Some(name) => vec![Name::from(name.text())],
            None => import.path().last().map(|name| Name::from(name.text())).into_iter().collect(),
        },
    }
}

/// The function or constant of a name in a file: the first in the order of the text.
pub fn resolve<'db>(db: &'db dyn Db, file: SourceFile, name: impl Into<Name>) -> Option<Item<'db>> {
    item_of_name(db, file, name.into())
}

/// A query for each name, so that a new item re-runs only what asks for its name.
#[salsa::tracked(returns(copy))]
fn item_of_name<'db>(db: &'db dyn Db, file: SourceFile, name: Name) -> Option<Item<'db>> {
    let found = |item: &&Item<'db>| !name.is_empty() && item.name(db) == name;
    file_items(db, file).items.iter().find(found).copied()
}

/// The item at an offset of a file, and the offset relative to the item. Reads positions: only for
/// what answers about a place in the text as it is now.
pub fn item_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    offset: TextSize,
) -> Option<(Item<'db>, TextSize)> {
    let starts = item_starts(db, file);
    let index = starts.partition_point(|start| *start <= offset).checked_sub(1)?;
    let start = starts.get(index).copied()?;
    let items = &file_items(db, file).items;
    let position = items.binary_search_by(|item| (item.ast_id(db).0 as usize).cmp(&index)).ok()?;
    let item = items.get(position).copied()?;
    let source = match item {
        Item::Function(function) => function.source(db),
        Item::Const(constant) => constant.source(db),
    };
    let relative = offset - start;
    (relative <= source.0.text_len()).then_some((item, relative))
}

/// The function at an offset of a file, and the offset relative to it.
pub fn function_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    offset: TextSize,
) -> Option<(Function<'db>, TextSize)> {
    match item_at(db, file, offset)? {
        (Item::Function(function), relative) => Some((function, relative)),
        (Item::Const(_), _) => None,
    }
}

/// The name of an item where it is declared, relative to the item; the keyword if there is no name.
pub fn item_name_range<'db>(db: &'db dyn Db, item: Item<'db>) -> TextRange {
    let node = match item {
        Item::Function(function) => tree::node(function.source(db)),
        Item::Const(constant) => tree::node(constant.source(db)),
    };
    ast::Item::cast(node).map(|item| tree::item_name_range(&item)).unwrap_or_default()
}
