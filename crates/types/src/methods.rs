//! Which function a method or an associated function is.
//!
//! The blocks of a type are looked for in the file that declares it and in the file that asks.

use neuro_db::{Db, Name, SourceFile};
use neuro_hir::{Container, Function, Impl, Item, file_items, functions_of};

use crate::lower::Env;
use crate::{Def, TraitDef, Ty, impl_header};

/// A function of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found<'db> {
    /// The function.
    pub(crate) function: Function<'db>,
    /// The block that it stands in; none of a function of a trait.
    pub(crate) block: Option<Impl<'db>>,
}

/// The `impl` blocks of a file.
#[salsa::tracked(returns(deref))]
fn blocks<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Impl<'db>> {
    let items = file_items(db, file).items.iter();
    items
        .filter_map(|item| match item {
            Item::Impl(block) => Some(*block),
            _ => None,
        })
        .collect()
}

/// The functions that a type has, those of its own blocks first.
pub(crate) fn functions<'db>(db: &'db dyn Db, env: &Env<'db>, ty: &Ty) -> Vec<Found<'db>> {
    match ty {
        Ty::Adt { def, .. } => {
            let asking = env.module.file(db);
            let mut files = vec![def.file()];
            if asking != def.file() {
                files.push(asking);
            }
            let all: Vec<Impl<'db>> =
                files.into_iter().flat_map(|file| blocks(db, file).iter().copied()).collect();
            let own = |block: &&Impl<'db>| is_of(db, **block, def);
            let (inherent, of_trait): (Vec<&Impl<'db>>, Vec<&Impl<'db>>) = all
                .iter()
                .filter(own)
                .partition(|block| neuro_hir::impl_data(db, **block).trait_ref.is_none());
            inherent
                .into_iter()
                .chain(of_trait)
                .flat_map(|block: &Impl<'db>| {
                    let container = Container::Impl(*block);
                    functions_of(db, block.file(db), container)
                        .iter()
                        .map(|function| Found { function: *function, block: Some(*block) })
                })
                .collect()
        }
        Ty::Param(param) => {
            let bounds = env.generics().bounds(param);
            let traits = bounds.iter().filter_map(|bound| match &bound.of_trait {
                TraitDef::Item(def) => def.as_trait(db),
                TraitDef::Builtin(_) => None,
            });
            traits
                .flat_map(|item| {
                    functions_of(db, item.file(db), Container::Trait(item))
                        .iter()
                        .map(|function| Found { function: *function, block: None })
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn is_of(db: &dyn Db, block: Impl<'_>, def: &Def) -> bool {
    matches!(&impl_header(db, block).self_ty, Ty::Adt { def: found, .. } if found == def)
}

/// The function of a name of a type.
pub(crate) fn associated<'db>(
    db: &'db dyn Db,
    env: &Env<'db>,
    ty: &Ty,
    name: &str,
) -> Option<Found<'db>> {
    functions(db, env, ty).into_iter().find(|found| found.function.name(db) == name)
}

/// The names of the functions of a type.
pub(crate) fn associated_names(db: &dyn Db, env: &Env<'_>, ty: &Ty) -> Vec<Name> {
    functions(db, env, ty).iter().map(|found| found.function.name(db)).collect()
}
