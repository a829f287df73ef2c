//! Whether a type has a trait, and what its associated types are.

use neuro_db::{Db, Name};
use neuro_hir::{BuiltinTrait, Container, Impl, Item, functions_of};
use neuro_num::DType;

use super::{impls, known};
use crate::lower::Env;
use crate::{
    AssocTy, Bound, Collection, Def, DefKind, Extent, Fold, GenericArg, GenericKind, TraitDef, Ty,
    generics, impl_header, newtype_inner, struct_fields,
};

/// How deep blocks may ask for other blocks.
const DEPTH: usize = 24;

/// Why a type has a trait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof<'db> {
    /// A block gives it.
    Block(Impl<'db>, Vec<GenericArg>),
    /// It is asked of the parameter.
    Bound(Bound),
    /// The language gives it, or the struct derives it.
    Language,
    /// The type is wrong or not known, which is reported elsewhere.
    Unknown,
}

/// Why a type does not have a trait.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lack {
    /// More about it.
    pub(crate) note: Option<String>,
}

/// The trait of the prelude that has a name.
fn in_prelude(db: &dyn Db, of_trait: &TraitDef, name: &str) -> bool {
    matches!(of_trait, TraitDef::Item(def) if def.file() == db.prelude() && def.name() == name)
}

/// Whether a type has a trait, and why; `env` says what is known of the parameters that the type speaks of.
///
/// # Errors
/// Why it does not have it.
pub(crate) fn prove<'db>(env: &Env<'db>, ty: &Ty, of_trait: &TraitDef) -> Result<Proof<'db>, Lack> {
    Prover { env, depth: 0 }.prove(ty, of_trait)
}

/// Whether a part of a value has what the value derives.
pub(crate) fn part_has(env: &Env<'_>, ty: &Ty, of_trait: BuiltinTrait) -> bool {
    Prover { env, depth: 0 }.part_has(ty, of_trait)
}

struct Prover<'a, 'db> {
    env: &'a Env<'db>,
    depth: usize,
}

impl<'db> Prover<'_, 'db> {
    fn prove(&mut self, ty: &Ty, of_trait: &TraitDef) -> Result<Proof<'db>, Lack> {
        let db = self.env.db;
        let bounds: &[Bound] = match ty {
            Ty::Error | Ty::Never | Ty::Var(_) => return Ok(Proof::Unknown),
            Ty::Param(param) => self.env.generics().bounds(param),
            Ty::Opaque(opaque) => &opaque.bounds,
            Ty::Dyn(bound) => std::slice::from_ref(&**bound),
            _ => &[],
        };
        if let Some(bound) = bounds.iter().find(|bound| bound.of_trait == *of_trait) {
            return Ok(Proof::Bound(bound.clone()));
        }
        if let TraitDef::Builtin(asked) = of_trait {
            let brought = |bound: &Bound| match bound.of_trait {
                TraitDef::Builtin(found) => known::implied(found) == Some(*asked),
                TraitDef::Item(_) => false,
            };
            if bounds.iter().any(brought) || self.of_language(ty, *asked) {
                return Ok(Proof::Language);
            }
        }
        if in_prelude(db, of_trait, "Iterator")
            && matches!(ty, Ty::Collection { kind: Collection::Chars, .. })
        {
            return Ok(Proof::Language);
        }
        self.by_block(ty, of_trait)
    }

    fn by_block(&mut self, ty: &Ty, of_trait: &TraitDef) -> Result<Proof<'db>, Lack> {
        let db = self.env.db;
        let mut lack = Lack::default();
        if self.depth >= DEPTH {
            lack.note =
                Some(format!("the blocks of `{}` ask for each other without end", of_trait.name()));
            return Err(lack);
        }
        for file in impls::files(db, self.env.module, ty, Some(of_trait)) {
            for block in impls::blocks_giving(db, file, impls::head(ty), of_trait.clone()) {
                let Some(args) = impls::about(db, *block, ty) else { continue };
                match self.conditions(*block, &args) {
                    Ok(()) => return Ok(Proof::Block(*block, args)),
                    Err(note) => lack.note = Some(note),
                }
            }
        }
        Err(lack)
    }

    /// Whether what a block asks of its parameters holds.
    fn conditions(&mut self, block: Impl<'db>, args: &[GenericArg]) -> Result<(), String> {
        let db = self.env.db;
        for (param, arg) in generics(db, Item::Impl(block)).params.iter().zip(args) {
            let (GenericKind::Type { bounds }, GenericArg::Type(ty)) = (&param.kind, arg) else {
                continue;
            };
            for bound in bounds {
                self.depth += 1;
                let found = self.prove(ty, &bound.of_trait);
                self.depth -= 1;
                if found.is_err() {
                    let header = block.name(db);
                    let of_trait = bound.of_trait.name();
                    return Err(format!("`{header}` asks that `{ty}` has `{of_trait}`"));
                }
            }
        }
        Ok(())
    }

    /// Whether the language itself, or a derive, gives a type a trait.
    fn of_language(&mut self, ty: &Ty, asked: BuiltinTrait) -> bool {
        let db = self.env.db;
        let scalar = match ty {
            Ty::Scalar(dtype) => Some(*dtype),
            _ => None,
        };
        match asked {
            BuiltinTrait::Copy => crate::is_copy(db, self.env.generics(), ty),
            BuiltinTrait::Clone => {
                crate::is_copy(db, self.env.generics(), ty)
                    || matches!(ty, Ty::Text | Ty::Tensor(_))
                    || self.derives(ty, asked)
                    || self.clones_inside(ty)
            }
            BuiltinTrait::Debug => super::printable(ty) || self.derives(ty.peeled(), asked),
            BuiltinTrait::PartialEq => self.derives(ty, asked) || self.compares(ty, asked),
            BuiltinTrait::Comparable => self.compares(ty, asked),
            BuiltinTrait::Hashable => {
                scalar.is_some_and(|dtype| !dtype.is_float()) || matches!(ty, Ty::Char | Ty::Text)
            }
            BuiltinTrait::Add => {
                scalar.is_some_and(|dtype| dtype != DType::Bool) || *ty == Ty::Text
            }
            BuiltinTrait::Sub
            | BuiltinTrait::Mul
            | BuiltinTrait::Div
            | BuiltinTrait::Rem
            | BuiltinTrait::Neg => scalar.is_some_and(|dtype| dtype != DType::Bool),
            BuiltinTrait::BitAnd
            | BuiltinTrait::BitOr
            | BuiltinTrait::BitXor
            | BuiltinTrait::Shl
            | BuiltinTrait::Not => scalar.is_some_and(DType::is_int),
            BuiltinTrait::MatMul | BuiltinTrait::Drop => false,
        }
    }

    /// Whether a struct derives a trait, and all that its parameters stand for in it has it.
    fn derives(&mut self, ty: &Ty, asked: BuiltinTrait) -> bool {
        let db = self.env.db;
        let Ty::Adt { def, args } = ty else { return false };
        if !super::known_derive(db, def, asked.name()) || self.depth >= DEPTH {
            return false;
        }
        // Of other structs, and of other fields, the derive has seen to it.
        let Some(item) = def.as_struct(db).filter(|_| !args.is_empty()) else { return true };
        self.depth += 1;
        let all = struct_fields(db, item).fields.iter().all(|field| {
            let generic = field.ty.any(&mut |part| matches!(part, Ty::Param(_)));
            !generic || self.part_has(&field.ty.apply(args), asked)
        });
        self.depth -= 1;
        all
    }

    /// Whether a newtype is made of what can be cloned.
    fn clones_inside(&mut self, ty: &Ty) -> bool {
        let Ty::Adt { def, args } = ty else { return false };
        let Some(item) = def.as_newtype(self.env.db).filter(|_| self.depth < DEPTH) else {
            return false;
        };
        self.depth += 1;
        let inner = newtype_inner(self.env.db, item).ty.apply(args);
        let clones = self.part_has(&inner, BuiltinTrait::Clone);
        self.depth -= 1;
        clones
    }

    /// Whether a part of a value has what the whole derives. Arrays, tuples and collections are cloned part by part.
    fn part_has(&mut self, ty: &Ty, asked: BuiltinTrait) -> bool {
        match (asked, ty) {
            (BuiltinTrait::Clone, Ty::Tuple(parts)) => {
                parts.iter().all(|part| self.part_has(part, asked))
            }
            (BuiltinTrait::Clone, Ty::Array { elem, .. }) => self.part_has(elem, asked),
            (BuiltinTrait::Clone, Ty::Collection { kind, args }) => {
                let whole = match kind {
                    Collection::Vec | Collection::HashMap | Collection::BTreeMap => true,
                    Collection::StringBuilder | Collection::Chars => false,
                };
                whole && args.iter().all(|arg| self.part_has(arg, asked))
            }
            (BuiltinTrait::Debug, ty) => self.prove(ty.peeled(), &TraitDef::Builtin(asked)).is_ok(),
            (_, ty) => self.prove(ty, &TraitDef::Builtin(asked)).is_ok(),
        }
    }

    /// Whether the language compares values of a type; it reads them through references.
    fn compares(&mut self, ty: &Ty, asked: BuiltinTrait) -> bool {
        let ordered = asked == BuiltinTrait::Comparable;
        match ty {
            Ty::Scalar(dtype) => !ordered || *dtype != DType::Bool,
            Ty::Char => true,
            Ty::Text => !ordered,
            Ty::Ref { inner, .. } => self.prove(inner, &TraitDef::Builtin(asked)).is_ok(),
            Ty::Adt { def, args } if def.kind() == DefKind::Newtype => {
                let inner = def.as_newtype(self.env.db);
                inner.is_some_and(|item| {
                    let inner = newtype_inner(self.env.db, item).ty.apply(args);
                    self.depth += 1;
                    let compares = self.depth < DEPTH && self.compares(&inner, asked);
                    self.depth -= 1;
                    compares
                })
            }
            _ => false,
        }
    }
}

/// The methods that a proof of a comparison's trait does not have: a block may leave out those that are
/// never used, and who asks for the trait may use all.
pub(crate) fn missing_methods<'db>(
    db: &'db dyn Db,
    proof: &Proof<'db>,
    of_trait: &TraitDef,
) -> Vec<&'static str> {
    let (Proof::Block(block, _), TraitDef::Builtin(of_trait)) = (proof, of_trait) else {
        return Vec::new();
    };
    let given = functions_of(db, block.file(db), Container::Impl(*block));
    let has = |name: &str| given.iter().any(|function| function.name(db) == name);
    let methods = known::methods(*of_trait).iter().map(|method| method.name);
    methods.filter(|name| !has(name)).collect()
}

/// What an associated type is, if the type that it belongs to says it.
pub(crate) fn project<'db>(env: &Env<'db>, of: &Ty, of_trait: &TraitDef, name: &str) -> Option<Ty> {
    match prove(env, of, of_trait).ok()? {
        Proof::Block(block, args) => {
            let header = impl_header(env.db, block);
            let given = header.assoc.iter().find(|(found, _)| found == name);
            Some(given.map_or(Ty::Error, |(_, ty)| ty.apply(&args)))
        }
        Proof::Bound(bound) => {
            bound.assoc.into_iter().find(|(found, _)| found == name).map(|(_, ty)| ty)
        }
        Proof::Language => match of {
            Ty::Collection { kind: Collection::Chars, .. } => Some(Ty::Char),
            // The operators of the language give what they take.
            _ if name == "Output" => Some(of.clone()),
            _ => None,
        },
        Proof::Unknown => matches!(of, Ty::Error | Ty::Never).then_some(Ty::Error),
    }
}

/// Replaces the associated types that are known.
pub(crate) struct Project<'a, 'db> {
    pub(crate) env: &'a Env<'db>,
    /// How many projections this one stands in.
    pub(crate) depth: usize,
}

impl Fold for Project<'_, '_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        let Ty::Assoc(assoc) = ty else { return None };
        if self.depth >= DEPTH {
            return Some(Ty::Error);
        }
        self.depth += 1;
        let AssocTy { of, of_trait, name } = &**assoc;
        let of = of.fold(self);
        let found = project(self.env, &of, of_trait, name).map(|found| found.fold(self));
        self.depth -= 1;
        Some(found.unwrap_or_else(|| {
            Ty::Assoc(std::sync::Arc::new(AssocTy {
                of,
                of_trait: of_trait.clone(),
                name: Name::clone(name),
            }))
        }))
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        extent.clone()
    }
}

/// Whether a part of a type is an associated type.
pub(crate) fn any_assoc(ty: &Ty) -> bool {
    match ty {
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Param(_)
        | Ty::Var(_) => false,
        Ty::Assoc(_) => true,
        _ => ty.any(&mut |part| matches!(part, Ty::Assoc(_))),
    }
}

/// The prelude's trait of a name, if a module sees it by that name or not.
pub(crate) fn prelude_trait(db: &dyn Db, name: &'static str) -> TraitDef {
    TraitDef::Item(Def::new(DefKind::Trait, db.prelude(), &[], Name::new_static(name)))
}
