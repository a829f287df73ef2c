//! What a name stands for.
//!
//! Each question has a query of its own for each name, so that a new item or import runs again only what
//! asks for its name.

use neuro_db::{Db, Name, SourceFile};

use crate::modules::{child_module, module_beside};
use crate::{
    Builtin, BuiltinTrait, BuiltinType, Container, Enum, Generics, ImportBinding, Item, Module,
    Path, const_data, enum_data, file_items, impl_data, newtype_data, signature, struct_data,
    trait_data,
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum PathProblem<'db> {
    /// A syntax error stands in it, or what it leads through is reported elsewhere.
    Reported,
    /// No name of this kind is visible.
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
        /// The item, or what a private import stands for.
        found: Resolution<'db>,
        /// The module that keeps it.
        module: Module<'db>,
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

/// An item with its name.
#[derive(Clone, PartialEq, Eq, salsa::SalsaValue)]
struct Named<'db> {
    name: Name,
    item: Item<'db>,
}

/// The items of a module, sorted by their names; of one name in the order of the text.
#[salsa::tracked(returns(deref))]
fn named_items<'db>(db: &'db dyn Db, module: Module<'db>) -> Vec<Named<'db>> {
    let items = file_items(db, module.file(db)).items.iter().filter(|item| match item {
        Item::Impl(_) => false,
        Item::Function(function) => function.container(db) == Container::Module(module),
        item => item.module(db) == module,
    });
    let mut named: Vec<Named<'db>> =
        items.map(|item| Named { name: item.name(db), item: *item }).collect();
    named.sort_by(|a, b| a.name.cmp(&b.name));
    named
}

/// What a module declares and imports under a name.
#[derive(Clone, PartialEq, Eq, Default, salsa::SalsaValue)]
struct Declared<'db> {
    /// The item: the first in the order of the text.
    item: Option<Item<'db>>,
    /// The inline module.
    module: Option<Module<'db>>,
    /// The imports, in the order of the text: by their index among all of the file.
    imports: Box<[usize]>,
}

#[salsa::tracked]
fn declared<'db>(db: &'db dyn Db, module: Module<'db>, name: Name) -> Declared<'db> {
    let found = file_items(db, module.file(db));
    let imports = found.imports.iter().enumerate();
    let imports =
        imports.filter(|(_, (inside, binding))| *inside == module && binding.name == name);
    let mut modules = found.modules.iter().copied();
    Declared {
        item: find_item(db, module, &name),
        module: modules.find(|inner| {
            inner.inline(db).last() == Some(&name) && inner.parent(db) == Some(module)
        }),
        imports: imports.map(|(index, _)| index).collect(),
    }
}

fn find_item<'db>(db: &'db dyn Db, module: Module<'db>, name: &Name) -> Option<Item<'db>> {
    if name.is_empty() || name == "_" {
        return None;
    }
    let named = named_items(db, module);
    let first = named.partition_point(|other| other.name < *name);
    named.get(first).filter(|other| other.name == *name).map(|found| found.item)
}

/// The item of a name in a module: the first in the order of the text.
pub fn item_of_name<'db>(db: &'db dyn Db, module: Module<'db>, name: Name) -> Option<Item<'db>> {
    declared(db, module, name).item
}

/// Whether a file sees the prelude.
#[salsa::tracked(returns(copy))]
fn has_prelude(db: &dyn Db, file: SourceFile) -> bool {
    file != db.prelude() && !file_items(db, file).no_prelude
}

/// What an import of a file stands for, by its index among [`FileItems::imports`](crate::FileItems::imports).
///
/// # Errors
/// Why it stands for nothing.
pub fn resolve_import<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    import: usize,
) -> Result<Resolution<'db>, PathProblem<'db>> {
    resolved_import(db, file, import).unwrap_or(Err(PathProblem::Reported))
}

/// Whether an import stands for what it imports itself.
pub(crate) fn is_circular(db: &dyn Db, file: SourceFile, import: usize) -> bool {
    resolved_import(db, file, import).is_none()
}

/// `None` for an import that leads back to itself.
#[salsa::tracked(returns(copy), cycle_result = circular_import)]
fn resolved_import<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    import: usize,
) -> Option<Result<Resolution<'db>, PathProblem<'db>>> {
    Some(import_target(db, file, import))
}

fn import_target<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    import: usize,
) -> Result<Resolution<'db>, PathProblem<'db>> {
    let found = file_items(db, file).imports.get(import);
    let Some((module, ImportBinding { path, .. })) = found else {
        return Err(PathProblem::Reported);
    };
    let Some(first) = path.first() else { return Err(PathProblem::Reported) };
    let own = declared(db, *module, first.clone());
    let start = own
        .item
        .filter(|_| path.len() > 1)
        .map(Resolution::Item)
        .or_else(|| own.module.map(Resolution::Module))
        .or_else(|| module_beside(db, file, first).map(Resolution::Module))
        .or_else(|| imported(db, *module, own, Some(import)))
        .or_else(|| match path.len() {
            1 => None,
            _ => around(db, *module, first).or_else(|| in_prelude(db, *module, first)),
        })
        .ok_or(PathProblem::Unknown { segment: 0, inside: None })?;
    descend(db, *module, start, path, 1)
}

/// What an import stands for that leads back to itself.
fn circular_import<'db>(
    _: &'db dyn Db,
    _: salsa::Id,
    _: SourceFile,
    _: usize,
) -> Option<Result<Resolution<'db>, PathProblem<'db>>> {
    None
}

/// What an import of a module brings, of those that bind a name. `except` is an import that asks for itself.
fn imported<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    own: &Declared<'db>,
    except: Option<usize>,
) -> Option<Resolution<'db>> {
    let import = own.imports.iter().find(|import| Some(**import) != except)?;
    Some(resolve_import(db, module.file(db), *import).unwrap_or(Resolution::Unknown))
}

/// What a name stands for in the modules around an inline one.
fn around<'db>(db: &'db dyn Db, module: Module<'db>, name: &Name) -> Option<Resolution<'db>> {
    let outer = module.parent(db)?;
    in_module(db, outer, name).or_else(|| around(db, outer, name))
}

/// What a name stands for in a module by its own items and imports.
pub(crate) fn in_module<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    name: &Name,
) -> Option<Resolution<'db>> {
    let own = declared(db, module, name.clone());
    own.item
        .map(Resolution::Item)
        .or_else(|| own.module.map(Resolution::Module))
        .or_else(|| imported(db, module, own, None))
}

/// The enums of the prelude whose variants are names of their own.
const OPEN_ENUMS: [&str; 2] = ["Option", "Result"];

/// What a name stands for in the prelude. The variants are there while their enum is: a module that
/// declares an `Option` of its own has no `Some` but its own.
fn in_prelude<'db>(db: &'db dyn Db, module: Module<'db>, name: &Name) -> Option<Resolution<'db>> {
    if !has_prelude(db, module.file(db)) {
        return None;
    }
    let prelude = Module::of_file(db, db.prelude());
    if let Some(item) = item_of_name(db, prelude, name.clone()) {
        return Some(Resolution::Item(item));
    }
    OPEN_ENUMS.iter().find_map(|open| {
        let Some(Item::Enum(found)) = item_of_name(db, prelude, Name::new_static(open)) else {
            return None;
        };
        let index = variant_index(db, found, name)?;
        let own = in_module(db, module, &Name::new_static(open))
            .or_else(|| around(db, module, &Name::new_static(open)));
        let hidden = own.is_some_and(|own| own != Resolution::Item(Item::Enum(found)));
        (!hidden).then_some(Resolution::Variant(found, index))
    })
}

fn variant_index<'db>(db: &'db dyn Db, item: Enum<'db>, name: &str) -> Option<usize> {
    enum_data(db, item).variants.iter().position(|variant| variant.name == name)
}

/// What a name stands for in a module: an item of the module, what is imported, the same of the modules
/// around it, the prelude, and then what the language provides.
#[salsa::tracked(returns(copy))]
pub fn resolve_name<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    name: Name,
) -> Option<Resolution<'db>> {
    in_module(db, module, &name)
        .or_else(|| around(db, module, &name))
        .or_else(|| in_prelude(db, module, &name))
        .or_else(|| BuiltinType::from_name(&name).map(Resolution::Type))
        .or_else(|| BuiltinTrait::from_name(&name).map(Resolution::Trait))
        .or_else(|| Builtin::from_name(&name).map(Resolution::Function))
}

/// What a path stands for in a module. A first part that is neither declared nor imported is a file.
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
    let names: Vec<Name> = path.segments.iter().map(|segment| segment.name.clone()).collect();
    let Some(first) = names.first() else { return Err(PathProblem::Reported) };
    let beside = || match names.len() {
        1 => None,
        _ => module_beside(db, module.file(db), first).map(Resolution::Module),
    };
    let start = resolve_name(db, module, first.clone())
        .or_else(beside)
        .ok_or(PathProblem::Unknown { segment: 0, inside: None })?;
    descend(db, module, start, &names, 1)
}

/// Follows the names of a path from what its first ones stand for, as seen from a module.
fn descend<'db>(
    db: &'db dyn Db,
    from: Module<'db>,
    start: Resolution<'db>,
    names: &[Name],
    first: usize,
) -> Result<Resolution<'db>, PathProblem<'db>> {
    let mut current = start;
    for (segment, name) in names.iter().enumerate().skip(first) {
        let unknown = PathProblem::Unknown { segment, inside: Some(current) };
        current = match current {
            Resolution::Unknown => return Err(PathProblem::Reported),
            Resolution::Module(module) => match exported_name(db, module, name) {
                Some(Exported { found, visible }) if visible || is_inside(db, from, module) => {
                    found
                }
                Some(Exported { found, .. }) => {
                    return Err(PathProblem::Private { segment, found, module });
                }
                None => return Err(unknown),
            },
            Resolution::Item(Item::Enum(found)) => match variant_index(db, found, name) {
                Some(index) => Resolution::Variant(found, index),
                None => return Err(PathProblem::Member { base: current, segment }),
            },
            Resolution::Item(
                Item::Struct(_) | Item::Newtype(_) | Item::Alias(_) | Item::Trait(_),
            )
            | Resolution::Generic(..)
            | Resolution::Type(_)
            | Resolution::Trait(_) => return Err(PathProblem::Member { base: current, segment }),
            Resolution::Item(Item::Function(_) | Item::Const(_) | Item::Impl(_))
            | Resolution::Variant(..)
            | Resolution::Function(_) => return Err(unknown),
        };
    }
    Ok(current)
}

/// What a module has under a name.
struct Exported<'db> {
    found: Resolution<'db>,
    /// Whether other modules see it.
    visible: bool,
}

/// What a module has under a name, seen from outside. An import is handed on only where it is exported.
fn exported_name<'db>(db: &'db dyn Db, module: Module<'db>, name: &Name) -> Option<Exported<'db>> {
    let own = declared(db, module, name.clone());
    if let Some(item) = own.item {
        let visible = is_exported(db, item);
        return Some(Exported { found: Resolution::Item(item), visible });
    }
    if let Some(inner) = own.module {
        return Some(Exported { found: Resolution::Module(inner), visible: true });
    }
    let imports = &file_items(db, module.file(db)).imports;
    let handed_on =
        |import: &&usize| imports.get(**import).is_some_and(|(_, binding)| binding.exported);
    if let Some(import) = own.imports.iter().find(handed_on) {
        let found = resolve_import(db, module.file(db), *import).unwrap_or(Resolution::Unknown);
        return Some(Exported { found, visible: true });
    }
    if let Some(child) = child_module(db, module, name) {
        return Some(Exported { found: Resolution::Module(child), visible: true });
    }
    let import = own.imports.first()?;
    let found = resolve_import(db, module.file(db), *import).ok()?;
    Some(Exported { found, visible: false })
}

/// Whether a module is another one, or stands in it.
pub fn is_inside<'db>(db: &'db dyn Db, module: Module<'db>, outer: Module<'db>) -> bool {
    module.file(db) == outer.file(db) && module.inline(db).starts_with(outer.inline(db))
}

/// Whether `export` stands before an item. Methods follow their type, and an alias is never exported.
pub fn is_exported<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    match item {
        Item::Function(function) => signature(db, function).exported,
        Item::Const(constant) => const_data(db, constant).exported,
        Item::Struct(item) => struct_data(db, item).exported,
        Item::Enum(item) => enum_data(db, item).exported,
        Item::Newtype(item) => newtype_data(db, item).exported,
        Item::Trait(item) => trait_data(db, item).exported,
        Item::Alias(_) | Item::Impl(_) => false,
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
    let around = item_around(db, item)?;
    let index = generics(db, around)?.find(name)?;
    Some((around, index))
}

/// The `impl` block or trait that a function stands in.
pub fn item_around<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Item<'db>> {
    let Item::Function(function) = item else { return None };
    match function.container(db) {
        Container::Module(_) => None,
        Container::Impl(block) => Some(Item::Impl(block)),
        Container::Trait(around) => Some(Item::Trait(around)),
    }
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

/// Every name that is visible in a module without a path, for suggestions; not sorted, perhaps twice.
pub fn visible_names<'db>(db: &'db dyn Db, module: Module<'db>) -> Vec<Name> {
    let mut names = Vec::new();
    let mut around = Some(module);
    while let Some(module) = around {
        names.extend(module_names(db, module));
        around = module.parent(db);
    }
    if has_prelude(db, module.file(db)) {
        names.extend(module_names(db, Module::of_file(db, db.prelude())));
        names.extend(["Some", "None", "Ok", "Err"].map(Name::new_static));
    }
    names.extend(BuiltinType::all().map(|ty| Name::new_static(ty.name())));
    names.extend(Builtin::ALL.map(|builtin| Name::new_static(builtin.name())));
    names
}

/// The names that a module declares and imports.
pub fn module_names<'db>(db: &'db dyn Db, module: Module<'db>) -> Vec<Name> {
    let found = file_items(db, module.file(db));
    let inner = found.modules.iter().filter(|inner| inner.parent(db) == Some(module));
    let imports = found.imports.iter().filter(|(inside, _)| *inside == module);
    named_items(db, module)
        .iter()
        .map(|named| named.name.clone())
        .chain(inner.filter_map(|inner| inner.inline(db).last().cloned()))
        .chain(imports.map(|(_, binding)| binding.name.clone()))
        .collect()
}

/// The names that a module shows to others, for suggestions.
pub fn exported_names<'db>(db: &'db dyn Db, module: Module<'db>) -> Vec<Name> {
    let shown = |name: &Name| {
        exported_name(db, module, name).is_some_and(|Exported { visible, .. }| visible)
    };
    module_names(db, module).into_iter().filter(shown).collect()
}
