//! What a name stands for.

use neuro_db::{Db, Name, SourceFile, parse};
use neuro_syntax::ast;

use crate::{
    Builtin, BuiltinTrait, BuiltinType, Container, Enum, Generics, Item, Module, Path, enum_data,
    file_items, impl_data, signature, struct_data, trait_data, tree,
};

/// What a name or a path stands for, locals left aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum Resolution<'db> {
    /// An item of the program or of the prelude.
    Item(Item<'db>),
    /// A variant of an enum, by its index.
    Variant(Enum<'db>, usize),
    /// A module.
    Module(Module<'db>),
    /// A generic parameter: the item that declares it, and its index there.
    Generic(Item<'db>, usize),
    /// A type that the language provides.
    Type(BuiltinType),
    /// A trait that the language knows.
    Trait(BuiltinTrait),
    /// A function that the language provides.
    Function(Builtin),
    /// Something that an import should have brought; the import is reported.
    Unknown,
}

/// Why a path stands for nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathProblem<'db> {
    /// A syntax error stands in it, or what it leads through is reported elsewhere.
    Reported,
    /// No name of this kind is visible; the index is that of the segment.
    Unknown {
        /// Which part.
        segment: usize,
        /// What was looked through; none for what is visible in the module itself.
        inside: Option<Resolution<'db>>,
    },
    /// The item is private to its module.
    Private {
        /// Which part.
        segment: usize,
        /// The item.
        found: Resolution<'db>,
    },
    /// The parts up to this one are a type, and the rest names something of that type: an associated
    /// function, a method or an associated type, which is found by types.
    Member {
        /// The type.
        base: Resolution<'db>,
        /// The first part that names something of the type.
        segment: usize,
    },
}

/// The item of a name in a file, outside of inline modules: the first in the order of the text.
pub fn resolve<'db>(db: &'db dyn Db, file: SourceFile, name: impl Into<Name>) -> Option<Item<'db>> {
    item_of_name(db, Module::of_file(db, file), name.into())
}

/// The item of a name in a module: the first in the order of the text. A query for each name, so that a
/// new item re-runs only what asks for its name.
#[salsa::tracked(returns(copy))]
pub fn item_of_name<'db>(db: &'db dyn Db, module: Module<'db>, name: Name) -> Option<Item<'db>> {
    if name.is_empty() {
        return None;
    }
    let found = |item: &&Item<'db>| match item {
        Item::Impl(_) => false,
        Item::Function(function) if function.is_member(db) => false,
        item => item.module(db) == module && item.name(db) == name,
    };
    file_items(db, module.file(db)).items.iter().find(found).copied()
}

/// What a name stands for in a module: an item of the module, what is imported, the prelude, and then
/// what the language provides.
#[salsa::tracked(returns(copy))]
pub fn resolve_name<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    name: Name,
) -> Option<Resolution<'db>> {
    if let Some(item) = item_of_name(db, module, name.clone()) {
        return Some(Resolution::Item(item));
    }
    if inline_module(db, module, name.clone()) {
        return Some(Resolution::Module(module.child(db, name)));
    }
    if imports(db, module.file(db)).contains(&name) {
        return Some(Resolution::Unknown);
    }
    BuiltinType::from_name(&name)
        .map(Resolution::Type)
        .or_else(|| BuiltinTrait::from_name(&name).map(Resolution::Trait))
        .or_else(|| Builtin::from_name(&name).map(Resolution::Function))
}

/// Whether a module has an inline module of this name.
#[salsa::tracked(returns(copy))]
fn inline_module<'db>(db: &'db dyn Db, module: Module<'db>, name: Name) -> bool {
    items_of(db, module).any(|item| match item {
        ast::Item::Module(inline) => tree::name_text(inline.name()) == name,
        _ => false,
    })
}

/// The items of a module in the tree.
fn items_of<'db>(db: &'db dyn Db, module: Module<'db>) -> impl Iterator<Item = ast::Item> {
    let root = parse(db, module.file(db)).tree();
    let mut items: Vec<ast::Item> = root.into_iter().flat_map(|root| root.items()).collect();
    for name in module.inline(db) {
        let inner = items.into_iter().find_map(|item| match item {
            ast::Item::Module(inline) if tree::name_text(inline.name()) == *name => Some(inline),
            _ => None,
        });
        items = inner.into_iter().flat_map(|inline| inline.items()).collect();
    }
    items.into_iter()
}

/// The names that a file imports, sorted.
#[salsa::tracked(returns(deref))]
fn imports(db: &dyn Db, file: SourceFile) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for item in items_of(db, Module::of_file(db, file)) {
        let ast::Item::Import(import) = item else { continue };
        match import.entries() {
            Some(entries) => names.extend(entries.filter_map(|entry| match entry.rename() {
                Some(name) => Some(Name::from(name.text())),
                None => entry.name_ref().map(|name| Name::from(name.text())),
            })),
            None => names.extend(match import.rename() {
                Some(name) => Some(Name::from(name.text())),
                None => import.path().last().map(|name| Name::from(name.text())),
            }),
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// What a path stands for in a module.
///
/// # Errors
/// Why it stands for nothing, or that its last parts name something of a type.
pub fn resolve_path<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    path: &Path,
) -> Result<Resolution<'db>, PathProblem<'db>> {
    if path.is_broken() {
        return Err(PathProblem::Reported);
    }
    let Some(first) = path.first() else { return Err(PathProblem::Reported) };
    let found = resolve_name(db, module, first.name.clone())
        .ok_or(PathProblem::Unknown { segment: 0, inside: None })?;
    match path.segments.len() {
        1 => Ok(found),
        _ if found == Resolution::Unknown => Err(PathProblem::Reported),
        _ => Err(PathProblem::Member { base: found, segment: 1 }),
    }
}

/// What a path stands for inside an item: a generic parameter of the item or of the `impl` block or trait around
/// it, or else what it stands for in the module.
///
/// # Errors
/// As [`resolve_path`].
pub fn resolve_in<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    path: &Path,
) -> Result<Resolution<'db>, PathProblem<'db>> {
    let Some(first) = path.first() else { return Err(PathProblem::Reported) };
    match generic_param(db, item, &first.name) {
        Some((owner, index)) => match path.segments.len() {
            1 => Ok(Resolution::Generic(owner, index)),
            _ => Err(PathProblem::Member { base: Resolution::Generic(owner, index), segment: 1 }),
        },
        None => resolve_path(db, item.module(db), path),
    }
}

/// The generic parameter of a name that is visible inside an item: the item that declares it, and its index
/// among that one's parameters.
pub fn generic_param<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    name: &str,
) -> Option<(Item<'db>, usize)> {
    let own = generics(db, item).and_then(|generics| generics.find(name));
    if let Some(index) = own {
        return Some((item, index));
    }
    let Item::Function(function) = item else { return None };
    let around = match function.container(db) {
        Container::Module(_) => return None,
        Container::Impl(block) => Item::Impl(block),
        Container::Trait(around) => Item::Trait(around),
    };
    let index = generics(db, around)?.find(name)?;
    Some((around, index))
}

/// The generic parameters of an item; none of a kind that has none.
pub fn generics<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<&'db Generics> {
    match item {
        Item::Function(function) => Some(&signature(db, function).generics),
        Item::Struct(item) => Some(&struct_data(db, item).generics),
        Item::Enum(item) => Some(&enum_data(db, item).generics),
        Item::Trait(item) => Some(&trait_data(db, item).generics),
        Item::Impl(block) => Some(&impl_data(db, block).generics),
        Item::Const(_) | Item::Newtype(_) | Item::Alias(_) => None,
    }
}
