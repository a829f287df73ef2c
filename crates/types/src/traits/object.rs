//! Whether a trait can stand behind `dyn`. Reads headers as written, never their types: a method of a trait
//! may speak of `dyn` of the same trait.

use neuro_db::{Db, Name};
use neuro_hir::{
    BuiltinTrait, Container, GenericParam, Receiver, Signature, Trait, TypeArg, TypeRef,
    functions_of, signature, trait_data,
};

use crate::{Def, Owner, Place, TraitDef};

/// Why a trait cannot stand behind `dyn`.
pub(crate) struct NotDyn {
    /// The reason.
    pub(crate) reason: String,
    /// What is to blame.
    pub(crate) place: Option<(Owner, Place)>,
}

/// Why a trait cannot stand behind `dyn`, if so.
pub(crate) fn not_dyn(db: &dyn Db, of_trait: &TraitDef) -> Option<NotDyn> {
    match of_trait {
        TraitDef::Builtin(BuiltinTrait::Hashable) => None,
        TraitDef::Builtin(known) => Some(NotDyn {
            reason: format!("`{}` is about values whose type is known", known.name()),
            place: None,
        }),
        TraitDef::Item(def) => def.as_trait(db).and_then(|item| of_item(db, def, item)),
    }
}

fn of_item<'db>(db: &'db dyn Db, def: &Def, item: Trait<'db>) -> Option<NotDyn> {
    if let Some(assoc) = trait_data(db, item).types.first() {
        return Some(NotDyn {
            reason: format!("it leaves the type `{}` open", assoc.name),
            place: Some((Owner::Item(def.clone()), Place::AssocName(0))),
        });
    }
    functions_of(db, def.file(), Container::Trait(item)).iter().find_map(|function| {
        let name = function.name(db);
        let (reason, place) = of_method(signature(db, *function), &name)?;
        Some(NotDyn { reason, place: Some((Owner::Method(def.clone(), name), place)) })
    })
}

fn of_method(header: &Signature, name: &Name) -> Option<(String, Place)> {
    match header.receiver {
        None => {
            return Some((
                format!("`{name}` is not called on a value, so nothing says whose it is"),
                Place::FunctionName,
            ));
        }
        Some(Receiver::ByValue) => {
            return Some((
                format!("`{name}` takes `self`, whose size is not known"),
                Place::Receiver,
            ));
        }
        Some(Receiver::ByRef | Receiver::ByMut) => {}
    }
    let generic = header.generics.params.iter().any(|param| match param {
        GenericParam::Lifetime(_) => false,
        GenericParam::Type { .. } | GenericParam::Const { .. } => true,
    });
    let anonymous = header.params.iter().any(|param| mentions(&param.ty, &is_impl));
    if generic || anonymous || header.ret.as_ref().is_some_and(|ty| mentions(ty, &is_impl)) {
        return Some((
            format!("`{name}` has generic parameters, so it is many functions"),
            Place::FunctionName,
        ));
    }
    let own = |ty: &TypeRef| matches!(ty, TypeRef::SelfType | TypeRef::SelfAssoc(_));
    let in_param = header.params.iter().position(|param| mentions(&param.ty, &own));
    let place = in_param.map(Place::ParamType).or_else(|| {
        header.ret.as_ref().filter(|ty| mentions(ty, &own)).map(|_| Place::ReturnType)
    })?;
    Some((format!("`{name}` speaks of `Self`, which is not known"), place))
}

fn is_impl(ty: &TypeRef) -> bool {
    matches!(ty, TypeRef::Impl(_))
}

/// Whether a part of a type is such.
fn mentions(ty: &TypeRef, test: &dyn Fn(&TypeRef) -> bool) -> bool {
    test(ty)
        || match ty {
            TypeRef::Error | TypeRef::SelfType | TypeRef::SelfAssoc(_) => false,
            TypeRef::Path(path) => path.segments.iter().any(|segment| {
                segment.args.iter().flatten().any(|arg| match arg {
                    TypeArg::Type(ty) => mentions(ty, test),
                    TypeArg::Local(_)
                    | TypeArg::Int(_)
                    | TypeArg::Shape(_)
                    | TypeArg::Lifetime
                    | TypeArg::Error => false,
                })
            }),
            TypeRef::Ref { inner, .. } => mentions(inner, test),
            TypeRef::Slice(elem) | TypeRef::Array { elem, .. } => mentions(elem, test),
            TypeRef::Tuple(parts) => parts.iter().any(|part| mentions(part, test)),
            TypeRef::Fn { params, ret } => {
                params.iter().any(|param| mentions(param, test)) || mentions(ret, test)
            }
            TypeRef::Dyn(bound) | TypeRef::Impl(bound) => {
                bound.bindings.iter().any(|(_, ty)| mentions(ty, test))
            }
        }
}
