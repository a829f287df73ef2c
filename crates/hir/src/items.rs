//! The items of a file, of a module, of an `impl` block or trait, and of a place in the text.

use neuro_db::{AstId, Db, Green, Name, SourceFile, item_starts, parse};
use neuro_syntax::ast::{self, Element};
use neuro_syntax::{AstNode, SyntaxKind};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use crate::{
    Alias, Const, Container, Enum, Function, Impl, Item, Module, Newtype, Struct, Trait, tree,
};

/// The items of a file, in the order of the text: an `impl` block, a trait and an inline module stand before
/// what they hold. Of two with one name, the first is found.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub struct FileItems<'db> {
    /// All of them.
    pub items: Vec<Item<'db>>,
    /// The inline modules.
    pub modules: Vec<Module<'db>>,
    /// The names that imports bind, each with the module that the import stands in.
    pub imports: Vec<(Module<'db>, ImportBinding)>,
    /// Whether the file asks for no prelude.
    pub no_prelude: bool,
}

/// A name that an import binds: of `import a::{b, c as d}` there are two.
#[derive(Clone, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub struct ImportBinding {
    /// What is imported: `a::c`.
    pub path: Vec<Name>,
    /// The name that it has here: `d`.
    pub name: Name,
    /// Whether `export` stands before the import.
    pub exported: bool,
}

impl<'db> FileItems<'db> {
    /// The functions, methods included, in the order of the text.
    pub fn functions(&self) -> impl Iterator<Item = Function<'db>> + '_ {
        self.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(*function),
            _ => None,
        })
    }

    /// The constants, in the order of the text.
    pub fn consts(&self) -> impl Iterator<Item = Const<'db>> + '_ {
        self.items.iter().filter_map(|item| match item {
            Item::Const(constant) => Some(*constant),
            _ => None,
        })
    }
}

/// The items of a file. Equal after every edit that adds, removes, renames or moves none of them.
#[salsa::tracked]
pub fn file_items<'db>(db: &'db dyn Db, file: SourceFile) -> FileItems<'db> {
    let Some(root) = parse(db, file).tree() else { return FileItems::default() };
    let mut collection = Collection { db, file, next: 0, found: FileItems::default() };
    collection.module(Module::of_file(db, file), root.items());
    collection.found.no_prelude =
        root.attrs().any(|attr| tree::name_ref_text(attr.name()) == "no_prelude");
    collection.found
}

/// The walk over the items of a file. Numbers them as [`item_starts`] does: every item, in preorder.
struct Collection<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    next: u32,
    found: FileItems<'db>,
}

impl<'db> Collection<'db> {
    fn number(&mut self) -> AstId {
        let id = AstId(self.next);
        self.next += 1;
        id
    }

    fn module(&mut self, module: Module<'db>, items: impl Iterator<Item = ast::Item>) {
        for item in items {
            self.item(module, &item);
        }
    }

    fn item(&mut self, module: Module<'db>, item: &ast::Item) {
        let (db, file) = (self.db, self.file);
        let id = self.number();
        let name = tree::item_name(item);
        let source = || Green(item.syntax().green().clone());
        let found = match item {
            ast::Item::Func(_) => {
                let container = Container::Module(module);
                Item::Function(Function::new(db, file, container, name, source(), id))
            }
            ast::Item::Const(_) => Item::Const(Const::new(db, file, module, name, source(), id)),
            ast::Item::Struct(_) => Item::Struct(Struct::new(db, file, module, name, source(), id)),
            ast::Item::Enum(_) => Item::Enum(Enum::new(db, file, module, name, source(), id)),
            ast::Item::Newtype(_) => {
                Item::Newtype(Newtype::new(db, file, module, name, source(), id))
            }
            ast::Item::TypeAlias(_) => {
                Item::Alias(Alias::new(db, file, module, name, source(), id))
            }
            ast::Item::Trait(item) => {
                let found = Trait::new(db, file, module, name, source(), id);
                self.found.items.push(Item::Trait(found));
                return self.members(Container::Trait(found), item.members());
            }
            ast::Item::Impl(block) => {
                let found = Impl::new(db, file, module, header_text(block), source(), id);
                self.found.items.push(Item::Impl(found));
                return self.members(Container::Impl(found), block.members());
            }
            ast::Item::Import(import) => {
                let bindings = import_entries(import).into_iter().map(|entry| entry.binding);
                self.found.imports.extend(bindings.map(|binding| (module, binding)));
                return;
            }
            ast::Item::Module(inline) => {
                let inner = module.child(db, name);
                self.found.modules.push(inner);
                return self.module(inner, inline.items());
            }
        };
        self.found.items.push(found);
    }

    fn members(&mut self, container: Container<'db>, members: Option<ast::AssocItemList>) {
        for member in members.into_iter().flat_map(|list| list.items()) {
            let ast::AssocItem::Func(func) = member else { continue };
            let id = self.number();
            let source = Green(func.syntax().green().clone());
            let name = tree::name_text(func.name());
            let function = Function::new(self.db, self.file, container, name, source, id);
            self.found.items.push(Item::Function(function));
        }
    }
}

/// A binding of an import, with where its parts stand in the tree.
pub(crate) struct ImportEntry {
    pub(crate) binding: ImportBinding,
    /// Where each part of the path stands.
    pub(crate) path: Vec<TextRange>,
    /// Where the bound name stands.
    pub(crate) name: TextRange,
}

/// What an import binds, in the order of the text. Of what a syntax error left incomplete, nothing.
pub(crate) fn import_entries(import: &ast::Import) -> Vec<ImportEntry> {
    let exported = import.export_token().is_some();
    let segments: Vec<ast::NameRef> = import.path().collect();
    let entry = |inner: Option<&ast::NameRef>, rename: Option<ast::Name>| {
        let segments: Vec<&ast::NameRef> = segments.iter().chain(inner).collect();
        let path: Vec<Name> = segments.iter().map(|name| Name::from(name.text())).collect();
        let ranges: Vec<TextRange> =
            segments.iter().map(|name| tree::trimmed_range(name.syntax())).collect();
        let (name, range) = match rename {
            Some(rename) => (Name::from(rename.text()), tree::trimmed_range(rename.syntax())),
            None => (path.last()?.clone(), *ranges.last()?),
        };
        let complete = !name.is_empty() && path.iter().all(|name| !name.is_empty());
        let binding = ImportBinding { path, name, exported };
        complete.then_some(ImportEntry { binding, path: ranges, name: range })
    };
    match import.entries() {
        Some(entries) => {
            entries.filter_map(|listed| entry(Some(&listed.name_ref()?), listed.rename())).collect()
        }
        None => entry(None, import.rename()).into_iter().collect(),
    }
}

/// The words of an `impl` block in front of its members, as in `impl Shape for Circle<T>`.
fn header_text(block: &ast::Impl) -> Name {
    let mut text = String::new();
    let words = block.syntax().descendants_with_tokens().filter_map(Element::into_token);
    for token in words.filter(|token| !token.kind().is_trivia()) {
        if token.kind() == SyntaxKind::L_BRACE {
            break;
        }
        let word =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        let last = text.chars().last();
        let apart = (word(last) || last == Some('>')) && word(token.text().chars().next());
        if apart || text.ends_with([',', ':', '+']) && !text.ends_with("::") {
            text.push(' ');
        }
        text += token.text();
    }
    Name::from(text)
}

/// The functions of an `impl` block or a trait, or the free functions of a module, in the order of the text.
#[salsa::tracked(returns(deref))]
pub fn functions_of<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    container: Container<'db>,
) -> Vec<Function<'db>> {
    functions_by_container(db, file).get(&container).cloned().unwrap_or_default()
}

/// The functions of a file by what they stand in, so that each is looked at once.
#[salsa::tracked]
fn functions_by_container<'db>(
    db: &'db dyn Db,
    file: SourceFile,
) -> FxHashMap<Container<'db>, Vec<Function<'db>>> {
    let mut found: FxHashMap<Container<'db>, Vec<Function<'db>>> = FxHashMap::default();
    for function in file_items(db, file).functions() {
        found.entry(function.container(db)).or_default().push(function);
    }
    found
}

/// The item at an offset of a file, and the offset relative to the item: the innermost of those around it.
/// Reads positions: only for what answers about a place in the text as it is now.
pub fn item_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    offset: TextSize,
) -> Option<(Item<'db>, TextSize)> {
    let starts = item_starts(db, file);
    let before = starts.partition_point(|start| *start <= offset);
    let items = &file_items(db, file).items;
    let before = items.partition_point(|item| (item.ast_id(db).0 as usize) < before);
    // Items that end before the offset lie between it and the item around it, if there is one.
    items.get(..before)?.iter().rev().find_map(|item| {
        let start = starts.get(item.ast_id(db).0 as usize).copied()?;
        let relative = offset - start;
        (relative <= item.source(db).0.text_len()).then_some((*item, relative))
    })
}

/// The function at an offset of a file, and the offset relative to it.
pub fn function_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    offset: TextSize,
) -> Option<(Function<'db>, TextSize)> {
    match item_at(db, file, offset)? {
        (Item::Function(function), relative) => Some((function, relative)),
        (
            Item::Const(_)
            | Item::Struct(_)
            | Item::Enum(_)
            | Item::Newtype(_)
            | Item::Alias(_)
            | Item::Trait(_)
            | Item::Impl(_),
            _,
        ) => None,
    }
}

/// The name of an item where it is declared, relative to the item; the keyword if there is no name.
pub fn item_name_range<'db>(db: &'db dyn Db, item: Item<'db>) -> TextRange {
    let node = tree::node(item.source(db));
    ast::Item::cast(node).map(|item| tree::item_name_range(&item)).unwrap_or_default()
}
