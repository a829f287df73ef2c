//! What is only known once types are: the function that a call of a trait's method means, associated types, and
//! the types behind `impl Trait`.

use neuro_db::{Db, Name, SourceFile, codes};
use neuro_hir::{BuiltinTrait, Container, Function, Impl, Item, file_items, functions_of};

use super::{Proof, any_assoc, known, project, prove};
use crate::lower::{Env, Site};
use crate::{
    AssocTy, Bound, Def, Extent, Finding, Fold, GenericArg, Generics, OpaqueTy, Place, TraitDef,
    Ty, infer,
};

/// How many types hide in one another.
const DEPTH: usize = 24;

/// The function that runs when a function is called that is applied to `args`: of one of a trait, that of the block
/// which gives the trait to the type, or the default with the type as its `Self`. A type that is not known leaves
/// the call as it is.
pub fn implementation<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    args: &[GenericArg],
) -> (Function<'db>, Vec<GenericArg>) {
    let as_it_is = || (function, args.to_vec());
    let Container::Trait(item) = function.container(db) else { return as_it_is() };
    let Some((GenericArg::Type(own), rest)) = args.split_first() else { return as_it_is() };
    let env = Env::new(db, item.module(db), &Generics::default(), Site::Body);
    let of_trait = TraitDef::Item(Def::of_trait(db, item));
    let Ok(Proof::Block(block, mut block_args)) = prove(&env, own, &of_trait) else {
        return as_it_is();
    };
    match of_block(db, block, &function.name(db)) {
        Some(given) => {
            block_args.extend(rest.iter().cloned());
            (given, block_args)
        }
        None => as_it_is(),
    }
}

/// The method of a block by which a type has a trait that the language knows, and what the block is applied to; none
/// where the language gives it, or the struct derives it.
pub fn known_implementation<'db>(
    db: &'db dyn Db,
    of_trait: BuiltinTrait,
    index: usize,
    own: &Ty,
) -> Option<(Function<'db>, Vec<GenericArg>)> {
    let Ty::Adt { def, .. } = own else { return None };
    let env = Env::new(db, def.home(db), &Generics::default(), Site::Body);
    let name = known::methods(of_trait).get(index)?.name;
    match prove(&env, own, &TraitDef::Builtin(of_trait)).ok()? {
        Proof::Block(block, args) => Some((of_block(db, block, name)?, args)),
        Proof::Bound(_) | Proof::Language | Proof::Unknown => None,
    }
}

/// The functions behind `dyn` of a trait for a type, in the order of the trait.
pub fn behind_dyn<'db>(
    db: &'db dyn Db,
    of_trait: &TraitDef,
    own: &Ty,
) -> Vec<(Function<'db>, Vec<GenericArg>)> {
    let TraitDef::Item(def) = of_trait else { return Vec::new() };
    let Some(item) = def.as_trait(db) else { return Vec::new() };
    let functions = functions_of(db, item.file(db), Container::Trait(item)).iter();
    let args = [GenericArg::Type(own.clone())];
    functions.map(|function| implementation(db, *function, &args)).collect()
}

/// Whether a pool may own values of a type with a `drop`: it has `PoolAware`.
pub fn is_pool_aware(db: &dyn Db, own: &Ty) -> bool {
    pool_functions(db, own).is_some()
}

/// What runs where a pool comes to own a value of a type, and what runs instead of its `drop` when the pool ends.
pub fn pool_functions<'db>(
    db: &'db dyn Db,
    own: &Ty,
) -> Option<[(Function<'db>, Vec<GenericArg>); 2]> {
    let Ty::Adt { def, .. } = own else { return None };
    let env = Env::new(db, def.home(db), &Generics::default(), Site::Body);
    let of_trait = super::prove::prelude_trait(db, "PoolAware");
    prove(&env, own, &of_trait).ok()?;
    behind_dyn(db, &of_trait, own).try_into().ok()
}

/// Which one of its trait's functions a function is.
pub fn number_in_trait(db: &dyn Db, function: Function<'_>) -> Option<usize> {
    let Container::Trait(item) = function.container(db) else { return None };
    let functions = functions_of(db, item.file(db), Container::Trait(item));
    functions.iter().position(|other| *other == function)
}

/// The function of a name in a block.
fn of_block<'db>(db: &'db dyn Db, block: Impl<'db>, name: &str) -> Option<Function<'db>> {
    let functions = functions_of(db, block.file(db), Container::Impl(block));
    functions.iter().find(|function| function.name(db) == name).copied()
}

/// A type with what it hides: associated types of known types replaced, and the results of functions that are
/// declared as `impl Trait` as what the functions give.
pub fn revealed(db: &dyn Db, ty: &Ty) -> Ty {
    if any_assoc(ty) || ty.any(&mut |part| matches!(part, Ty::Opaque(_))) {
        ty.fold(&mut Reveal { db, depth: 0 })
    } else {
        ty.clone()
    }
}

/// What is wrong with a result declared as `impl Trait`: the body gives only what calls of functions give which are
/// declared so, in a circle, and no value shows the type.
pub(crate) fn unseen_result(db: &dyn Db, function: Function<'_>) -> Option<Finding> {
    let inference = infer(db, function);
    if !inference.findings.is_empty() || inference.unclear {
        return None;
    }
    let unseen = |ty: &Ty| matches!(ty, Ty::Opaque(_)) && is_circle(db, ty);
    let (bounds, _) = inference.hidden.iter().find(|(_, ty)| ty.any(&mut |part| unseen(part)))?;
    let bounds: Vec<String> = bounds.iter().map(Bound::to_string).collect();
    let message = format!(
        "the body shows no type for `impl {}`: it gives what this function gives itself",
        bounds.join(" + ")
    );
    let note = "one way through the body gives a value of a struct, an enum or a newtype";
    Some(Finding::new(codes::AMBIGUOUS, Place::ReturnType, message).note(note))
}

/// Whether what is declared as `impl Trait` is given by functions that give what one another gives.
fn is_circle(db: &dyn Db, ty: &Ty) -> bool {
    let mut ty = ty.clone();
    for _ in 0..DEPTH {
        let Ty::Opaque(opaque) = &ty else { return false };
        match hidden(db, opaque) {
            Some(next) => ty = next,
            None => return false,
        }
    }
    true
}

struct Reveal<'db> {
    db: &'db dyn Db,
    depth: usize,
}

impl Fold for Reveal<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        if !matches!(ty, Ty::Assoc(_) | Ty::Opaque(_)) {
            return None;
        }
        if self.depth >= DEPTH {
            return Some(Ty::Error);
        }
        self.depth += 1;
        let found = match ty {
            Ty::Assoc(assoc) => self.projected(assoc),
            Ty::Opaque(opaque) => hidden(self.db, opaque).map(|found| found.fold(self)),
            _ => None,
        };
        self.depth -= 1;
        Some(found.unwrap_or_else(|| ty.clone()))
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        extent.clone()
    }
}

impl Reveal<'_> {
    fn projected(&mut self, assoc: &AssocTy) -> Option<Ty> {
        let of = assoc.of.fold(self);
        let home = match (&assoc.of_trait, &of) {
            (TraitDef::Item(def), _) | (TraitDef::Builtin(_), Ty::Adt { def, .. }) => {
                def.home(self.db)
            }
            // The language's own types give what they take.
            (TraitDef::Builtin(_), _) => {
                let known = !of.any(&mut |part| matches!(part, Ty::Param(_) | Ty::Assoc(_)));
                return (known && assoc.name == "Output").then_some(of);
            }
        };
        let env = Env::new(self.db, home, &Generics::default(), Site::Body);
        Some(project(&env, &of, &assoc.of_trait, &assoc.name)?.fold(self))
    }
}

/// The type behind the result of a function.
fn hidden(db: &dyn Db, opaque: &OpaqueTy) -> Option<Ty> {
    let declared = function_of_words(db, opaque.file?, opaque.function.clone())?;
    let (function, args) = implementation(db, declared, &opaque.args);
    let hidden = &infer(db, function).hidden;
    let same = |(bounds, _): &&(Vec<Bound>, Ty)| {
        bounds.iter().map(|bound| bound.apply(&args)).eq(opaque.bounds.iter().cloned())
    };
    let found = hidden.iter().find(same).or_else(|| hidden.first());
    found.map(|(_, ty)| ty.apply(&args))
}

/// The function that words tell apart from all others; see `signature::function_words`.
#[salsa::tracked(returns(copy))]
fn function_of_words<'db>(db: &'db dyn Db, file: SourceFile, words: Name) -> Option<Function<'db>> {
    let is = |function: &&Function<'db>| crate::signature::function_words(db, **function) == words;
    file_items(db, file).items.iter().find_map(|item| match *item {
        Item::Function(function) => Some(function).filter(|function| is(&function)),
        Item::Impl(block) => {
            functions_of(db, file, Container::Impl(block)).iter().find(is).copied()
        }
        Item::Trait(item) => {
            functions_of(db, file, Container::Trait(item)).iter().find(is).copied()
        }
        Item::Struct(_) | Item::Enum(_) | Item::Newtype(_) | Item::Const(_) | Item::Alias(_) => {
            None
        }
    })
}
