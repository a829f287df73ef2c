//! What types refer to: items of the program, parameters, bounds.

use std::sync::Arc;

use neuro_db::{Db, Name, SourceFile};
use neuro_hir::{BuiltinTrait, Enum, Item, Module, Newtype, Struct, Trait, item_of_name};

use crate::{Extent, Ty};

/// An item of the program, by where it is declared and what it is called: two items are the same if
/// these are. What it says is looked up when it is needed, so that a type stays equal while the item
/// that it names changes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub struct Def(Arc<DefData>);

#[derive(PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
struct DefData {
    kind: DefKind,
    file: SourceFile,
    module: Vec<Name>,
    name: Name,
}

/// What kind of item it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub enum DefKind {
    /// `struct`
    Struct,
    /// `enum`
    Enum,
    /// `newtype`
    Newtype,
    /// `trait`
    Trait,
}

impl Def {
    /// An item of a file; `module` is the path of the inline modules around it.
    pub fn new(kind: DefKind, file: SourceFile, module: &[Name], name: Name) -> Self {
        Self(Arc::new(DefData { kind, file, module: module.to_vec(), name }))
    }

    /// A struct.
    pub fn of_struct<'db>(db: &'db dyn Db, item: Struct<'db>) -> Self {
        Self::of(db, DefKind::Struct, item.module(db), item.name(db))
    }

    /// An enum.
    pub fn of_enum<'db>(db: &'db dyn Db, item: Enum<'db>) -> Self {
        Self::of(db, DefKind::Enum, item.module(db), item.name(db))
    }

    /// A newtype.
    pub fn of_newtype<'db>(db: &'db dyn Db, item: Newtype<'db>) -> Self {
        Self::of(db, DefKind::Newtype, item.module(db), item.name(db))
    }

    /// A trait.
    pub fn of_trait<'db>(db: &'db dyn Db, item: Trait<'db>) -> Self {
        Self::of(db, DefKind::Trait, item.module(db), item.name(db))
    }

    /// A struct, enum or newtype; none of other items.
    pub(crate) fn of_data<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Self> {
        match item {
            Item::Struct(item) => Some(Self::of_struct(db, item)),
            Item::Enum(item) => Some(Self::of_enum(db, item)),
            Item::Newtype(item) => Some(Self::of_newtype(db, item)),
            Item::Function(_)
            | Item::Const(_)
            | Item::Alias(_)
            | Item::Trait(_)
            | Item::Impl(_) => None,
        }
    }

    fn of<'db>(db: &'db dyn Db, kind: DefKind, module: Module<'db>, name: Name) -> Self {
        Self::new(kind, module.file(db), module.inline(db), name)
    }

    /// The item itself; none when another item of its name stands before it, which is reported.
    pub fn item<'db>(&self, db: &'db dyn Db) -> Option<Item<'db>> {
        item_of_name(db, self.home(db), self.name().clone())
    }

    /// The module that it stands in.
    pub fn home<'db>(&self, db: &'db dyn Db) -> Module<'db> {
        Module::new(db, self.file(), self.module().to_vec())
    }

    /// The item, if it is a struct.
    pub fn as_struct<'db>(&self, db: &'db dyn Db) -> Option<Struct<'db>> {
        match self.item(db)? {
            Item::Struct(item) => Some(item),
            _ => None,
        }
    }

    /// The item, if it is an enum.
    pub fn as_enum<'db>(&self, db: &'db dyn Db) -> Option<Enum<'db>> {
        match self.item(db)? {
            Item::Enum(item) => Some(item),
            _ => None,
        }
    }

    /// The item, if it is a newtype.
    pub fn as_newtype<'db>(&self, db: &'db dyn Db) -> Option<Newtype<'db>> {
        match self.item(db)? {
            Item::Newtype(item) => Some(item),
            _ => None,
        }
    }

    /// The item, if it is a trait.
    pub fn as_trait<'db>(&self, db: &'db dyn Db) -> Option<Trait<'db>> {
        match self.item(db)? {
            Item::Trait(item) => Some(item),
            _ => None,
        }
    }

    /// What kind of item it is.
    pub fn kind(&self) -> DefKind {
        self.0.kind
    }

    /// The file that declares it.
    pub fn file(&self) -> SourceFile {
        self.0.file
    }

    /// The inline modules around it, outermost first.
    pub fn module(&self) -> &[Name] {
        &self.0.module
    }

    /// Its name.
    pub fn name(&self) -> &Name {
        &self.0.name
    }
}

/// A trait: declared by an item, or known to the language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TraitDef {
    /// Of the program or the prelude.
    Item(Def),
    /// Of the language.
    Builtin(BuiltinTrait),
}

impl TraitDef {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            TraitDef::Item(def) => def.name(),
            TraitDef::Builtin(known) => known.name(),
        }
    }
}

/// A type parameter or constant parameter of the item around. Parameters are numbered through: those
/// of an `impl` or `trait` come first (`Self` of a trait is its number 0), then those of the method.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Param {
    /// Its number.
    pub index: u32,
    /// Its name.
    pub name: Name,
}

/// What a generic item is applied to, one for each of its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GenericArg {
    /// For a type parameter.
    Type(Ty),
    /// For a constant parameter.
    Const(Extent),
}

/// A function type, `(A, B) -> R`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    /// The parameters.
    pub params: Vec<Ty>,
    /// The result.
    pub ret: Ty,
}

/// What a type has to be: `Trait`, or `Trait<Assoc = T>`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bound {
    /// The trait.
    pub of_trait: TraitDef,
    /// The associated types that it pins.
    pub assoc: Vec<(Name, Ty)>,
}

/// An associated type of a type that is not known, `T::Item`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AssocTy {
    /// The type that it belongs to.
    pub of: Ty,
    /// The trait that declares it.
    pub of_trait: TraitDef,
    /// Its name.
    pub name: Name,
}

/// The result of a function that is declared as `impl Trait`. Of it is known what its bounds say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OpaqueTy {
    /// The function, in words: two functions of a program differ in them.
    pub function: Name,
    /// The file that declares it.
    pub file: Option<SourceFile>,
    /// What the function is applied to.
    pub args: Arc<[GenericArg]>,
    /// What it is known to be.
    pub bounds: Vec<Bound>,
}

/// A generic type of the language itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Collection {
    /// `Vec<T>`
    Vec,
    /// `HashMap<K, V>`
    HashMap,
    /// `BTreeMap<K, V>`
    BTreeMap,
    /// `StringBuilder`
    StringBuilder,
    /// `Chars`, which gives the characters of a text.
    Chars,
}

impl Collection {
    /// Every one of them.
    pub const ALL: [Collection; 5] = [
        Collection::Vec,
        Collection::HashMap,
        Collection::BTreeMap,
        Collection::StringBuilder,
        Collection::Chars,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Collection::Vec => "Vec",
            Collection::HashMap => "HashMap",
            Collection::BTreeMap => "BTreeMap",
            Collection::StringBuilder => "StringBuilder",
            Collection::Chars => "Chars",
        }
    }

    /// What it is applied to.
    pub fn params(self) -> &'static [&'static str] {
        match self {
            Collection::Vec => &["T"],
            Collection::HashMap | Collection::BTreeMap => &["K", "V"],
            Collection::StringBuilder | Collection::Chars => &[],
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Collection::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
