//! Which function a method or an associated function is.
//!
//! Those of the blocks without a trait come first, then those of the traits that the type has. A type parameter
//! has what its bounds say; so do the results that are declared as `impl Trait`, and `dyn Trait`.

use neuro_db::{Db, Name};
use neuro_hir::{BuiltinTrait, Container, Function, Impl, functions_of};

use crate::lower::Env;
use crate::traits::{self, impls, known};
use crate::{Bound, DefKind, TraitDef, Ty, impl_header};

/// A function of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found<'db> {
    /// The function.
    pub(crate) function: Which<'db>,
    /// The trait that it belongs to; none of a block without one.
    pub(crate) of_trait: Option<TraitDef>,
}

/// The function of a [`Found`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which<'db> {
    /// Of a block.
    OfBlock(Function<'db>, Impl<'db>),
    /// Of a trait: the declaration, or the default that the type does not replace.
    OfTrait(Function<'db>),
    /// Of a trait that the language knows, by its index in [`known::methods`].
    Known(BuiltinTrait, usize),
}

impl<'db> Found<'db> {
    /// The name.
    pub(crate) fn name(&self, db: &'db dyn Db) -> Name {
        match self.function {
            Which::OfBlock(function, _) | Which::OfTrait(function) => function.name(db),
            Which::Known(of_trait, index) => {
                let method = known::methods(of_trait).get(index);
                Name::new_static(method.map_or("", |method| method.name))
            }
        }
    }

    /// The function, where an item declares it.
    pub(crate) fn item(&self) -> Option<Function<'db>> {
        match self.function {
            Which::OfBlock(function, _) | Which::OfTrait(function) => Some(function),
            Which::Known(..) => None,
        }
    }
}

/// The functions that a type has, those of blocks without a trait first.
pub(crate) fn functions<'db>(env: &Env<'db>, ty: &Ty) -> Vec<Found<'db>> {
    let db = env.db;
    let mut found = Vec::new();
    match ty {
        Ty::Param(param) => of_bounds(db, env.generics().bounds(param), &mut found),
        Ty::Opaque(opaque) => of_bounds(db, &opaque.bounds, &mut found),
        Ty::Dyn(bound) => of_bounds(db, std::slice::from_ref(&**bound), &mut found),
        Ty::Error | Ty::Never | Ty::Void | Ty::Var(_) => return found,
        Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Sparse(_)
        | Ty::Ref { .. }
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Collection { .. }
        | Ty::Assoc(_) => {}
    }
    let def = impls::head(ty);
    let mut of_traits = Vec::new();
    for file in impls::files(db, env.module, ty, None) {
        for block in impls::blocks_about(db, file, def.clone()) {
            if impls::about(db, *block, ty).is_none() {
                continue;
            }
            match &impl_header(db, *block).of_trait {
                Some(of_trait) => of_block_of_trait(env, *block, of_trait, ty, &mut of_traits),
                None if neuro_hir::impl_data(db, *block).trait_ref.is_some() => {}
                None => {
                    let own = functions_of(db, block.file(db), Container::Impl(*block));
                    found.extend(own.iter().map(|function| Found {
                        function: Which::OfBlock(*function, *block),
                        of_trait: None,
                    }));
                }
            }
        }
    }
    found.append(&mut of_traits);
    derived(env, ty, &mut found);
    found
}

/// The functions of the traits that are asked of a type.
fn of_bounds<'db>(db: &'db dyn Db, bounds: &[Bound], found: &mut Vec<Found<'db>>) {
    for bound in bounds {
        match &bound.of_trait {
            TraitDef::Item(def) => {
                let Some(item) = def.as_trait(db) else { continue };
                let functions = functions_of(db, item.file(db), Container::Trait(item));
                found.extend(functions.iter().map(|function| Found {
                    function: Which::OfTrait(*function),
                    of_trait: Some(bound.of_trait.clone()),
                }));
            }
            TraitDef::Builtin(of_trait) => {
                let brought = known::implied(*of_trait);
                for of_trait in std::iter::once(*of_trait).chain(brought) {
                    of_known(of_trait, found);
                }
            }
        }
    }
}

fn of_known<'db>(of_trait: BuiltinTrait, found: &mut Vec<Found<'db>>) {
    found.extend((0..known::methods(of_trait).len()).map(|index| Found {
        function: Which::Known(of_trait, index),
        of_trait: Some(TraitDef::Builtin(of_trait)),
    }));
}

/// The functions of a block of a trait, and the defaults that it does not replace.
fn of_block_of_trait<'db>(
    env: &Env<'db>,
    block: Impl<'db>,
    of_trait: &TraitDef,
    ty: &Ty,
    found: &mut Vec<Found<'db>>,
) {
    let db = env.db;
    // A block for every type that has something is one of those only.
    let for_all = matches!(impl_header(db, block).self_ty, Ty::Param(_));
    if for_all && traits::prove(env, ty, of_trait).is_err() {
        return;
    }
    let given = functions_of(db, block.file(db), Container::Impl(block));
    found.extend(given.iter().map(|function| Found {
        function: Which::OfBlock(*function, block),
        of_trait: Some(of_trait.clone()),
    }));
    let TraitDef::Item(def) = of_trait else { return };
    let Some(item) = def.as_trait(db) else { return };
    for function in functions_of(db, item.file(db), Container::Trait(item)) {
        let name = function.name(db);
        let replaced = given.iter().any(|given| given.name(db) == name);
        if !replaced {
            found.push(Found {
                function: Which::OfTrait(*function),
                of_trait: Some(of_trait.clone()),
            });
        }
    }
}

/// What a struct derives that has methods, and what a newtype has of what it is made of.
fn derived<'db>(env: &Env<'db>, ty: &Ty, found: &mut Vec<Found<'db>>) {
    let Ty::Adt { def, .. } = ty else { return };
    for of_trait in [BuiltinTrait::Clone, BuiltinTrait::PartialEq] {
        let given =
            |found: &Found<'_>| found.of_trait.as_ref() == Some(&TraitDef::Builtin(of_trait));
        let forwards = of_trait == BuiltinTrait::Clone && def.kind() == DefKind::Newtype;
        let derives = traits::known_derive(env.db, def, of_trait.name()) || forwards;
        let has = || traits::prove(env, ty, &TraitDef::Builtin(of_trait)).is_ok();
        if derives && !found.iter().any(given) && has() {
            of_known(of_trait, found);
        }
    }
}

/// The functions of a name of a type: that of a block without a trait alone, or one of each trait.
pub(crate) fn associated<'db>(env: &Env<'db>, ty: &Ty, name: &str) -> Vec<Found<'db>> {
    let mut named = functions(env, ty);
    named.retain(|found| found.name(env.db) == name);
    if let Some(own) = named.iter().position(|found| found.of_trait.is_none()) {
        return vec![named.swap_remove(own)];
    }
    // Of two blocks that give one trait, one is reported.
    let mut each: Vec<Found<'db>> = Vec::new();
    for found in named {
        if !each.iter().any(|other| other.of_trait == found.of_trait) {
            each.push(found);
        }
    }
    each
}

/// The names of the functions of a type.
pub(crate) fn associated_names(env: &Env<'_>, ty: &Ty) -> Vec<Name> {
    functions(env, ty).iter().map(|found| found.name(env.db)).collect()
}
