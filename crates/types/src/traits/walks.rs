//! By what a `for` walks a type of the program.

use neuro_db::{Db, Name};
use neuro_hir::{Container, Function, Item, Module, Resolution, functions_of, resolve_name};

use super::prove::{prelude_trait, prove};
use crate::lower::{Env, Site};
use crate::{Def, Generics, TraitDef, Ty};

/// The function of a trait by which a type is walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk<'db> {
    /// `next`: the type is an iterator.
    Iterator(Function<'db>),
    /// `into_iter`: the type becomes one.
    IntoIterator(Function<'db>),
}

/// By what a `for` in a module walks values of a type; none if it does not.
pub fn walk_of<'db>(
    db: &'db dyn Db,
    module: Module<'db>,
    generics: &Generics,
    ty: &Ty,
) -> Option<Walk<'db>> {
    let env = Env::new(db, module, generics, Site::Body);
    let [iterator, into] = walk_traits(db, module);
    let function = |of_trait: &TraitDef, name: &str| {
        prove(&env, ty, of_trait).ok()?;
        let TraitDef::Item(def) = of_trait else { return None };
        let item = def.as_trait(db)?;
        let all = functions_of(db, item.file(db), Container::Trait(item));
        all.iter().find(|function| function.name(db) == name).copied()
    };
    match function(&iterator, "next") {
        Some(next) => Some(Walk::Iterator(next)),
        None => function(&into, "into_iter").map(Walk::IntoIterator),
    }
}

/// The traits of what `for` walks: those that these names stand for in a module, or else those of the prelude.
pub(crate) fn walk_traits<'db>(db: &'db dyn Db, module: Module<'db>) -> [TraitDef; 2] {
    ["Iterator", "IntoIterator"].map(|name| {
        match resolve_name(db, module, Name::new_static(name)) {
            Some(Resolution::Item(Item::Trait(item))) => TraitDef::Item(Def::of_trait(db, item)),
            _ => prelude_trait(db, name),
        }
    })
}
