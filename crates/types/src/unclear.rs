//! What a mistake in a header keeps from being known. It is told in the header, and not once more wherever what
//! the header would have given is missed.

use neuro_db::{Db, SourceFile};
use neuro_hir::{AttrValue, BuiltinTrait, Container, Impl, functions_of};
use neuro_syntax::{AttributeValue, attribute};

use crate::lower::Env;
use crate::traits::impls;
use crate::{TraitDef, Ty, impl_header};

/// What is missed of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Missed<'a> {
    /// A function or a method of this name.
    Function(&'a str),
    /// A trait.
    Trait(&'a TraitDef),
}

/// Whether a type may well have what is missed, if it were not for a mistake in a header.
pub(crate) fn may_have(env: &Env<'_>, ty: &Ty, missed: Missed<'_>) -> bool {
    let ty = ty.peeled();
    if let Ty::Param(param) = ty {
        return env.generics().unclear.contains(&param.index);
    }
    let files = impls::files(env.db, env.module, ty, None).into_iter();
    let mut blocks = files.flat_map(|file| unclear_blocks(env.db, file));
    blocks.any(|block| may_give(env.db, *block, ty, missed)) || derives_unclear(env.db, ty, missed)
}

/// Whether a block of a file would give a type what is missed.
fn may_give<'db>(db: &'db dyn Db, block: Impl<'db>, ty: &Ty, missed: Missed<'_>) -> bool {
    let header = impl_header(db, block);
    // What a trait brings that is not known is not known either.
    if !header.self_ty.is_wrong() {
        return impls::about(db, block, ty).is_some();
    }
    match missed {
        Missed::Trait(of_trait) => header.of_trait.as_ref() == Some(of_trait),
        Missed::Function(name) => {
            let own = functions_of(db, block.file(db), Container::Impl(block));
            own.iter().any(|function| function.name(db) == name)
        }
    }
}

/// The blocks of a file of which a mistake hides the type or the trait.
#[salsa::tracked(returns(deref))]
fn unclear_blocks<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Impl<'db>> {
    let unclear = |block: &Impl<'db>| {
        let header = impl_header(db, *block);
        let gives = neuro_hir::impl_data(db, *block).trait_ref.is_some();
        header.self_ty.is_wrong() || gives && header.of_trait.is_none()
    };
    impls::blocks(db, file).iter().copied().filter(unclear).collect()
}

/// Whether an attribute of a struct is misspelled that may have derived what is missed.
fn derives_unclear(db: &dyn Db, ty: &Ty, missed: Missed<'_>) -> bool {
    const DERIVED: [BuiltinTrait; 4] =
        [BuiltinTrait::Copy, BuiltinTrait::Clone, BuiltinTrait::Debug, BuiltinTrait::PartialEq];
    let derived = match missed {
        Missed::Function(name) => matches!(name, "clone" | "eq" | "ne"),
        Missed::Trait(TraitDef::Builtin(of_trait)) => DERIVED.contains(of_trait),
        Missed::Trait(TraitDef::Item(_)) => false,
    };
    let Ty::Adt { def, .. } = ty else { return false };
    let Some(item) = def.as_struct(db).filter(|_| derived) else { return false };
    neuro_hir::struct_data(db, item).attrs.iter().any(|attr| match attribute(&attr.name) {
        None => true,
        Some(known) => attr.args.iter().any(|arg| match (&arg.value, known.args) {
            (AttrValue::Name(name), [only]) => match only.value {
                AttributeValue::Names(names) => !names.contains(&name.as_str()),
                _ => false,
            },
            _ => false,
        }),
    })
}
