//! What `@derive` gives a struct.

use neuro_db::{Db, codes};
use neuro_hir::{Attr, AttrValue, BuiltinTrait, Item, Struct};

use crate::lower::{Env, Site};
use crate::traits::{known_derive, printable, prove};
use crate::{Def, Field, Finding, Place, TraitDef, Ty, struct_fields};

/// Whether the attributes of a struct derive a trait. `Copy` brings `Clone` with it.
pub(crate) fn derives(attrs: &[Attr], name: &str) -> bool {
    let named = |value: &AttrValue| match value {
        AttrValue::Name(found) => found == name || (name == "Clone" && found == "Copy"),
        _ => false,
    };
    attrs
        .iter()
        .filter(|attr| attr.name == "derive")
        .any(|attr| attr.args.iter().any(|arg| named(&arg.value)))
}

/// The fields of a struct that keep it from having what it derives, each at its type.
pub(crate) fn refusals<'db>(db: &'db dyn Db, item: Struct<'db>) -> Vec<Finding> {
    let data = neuro_hir::struct_data(db, item);
    let generics = crate::generics(db, Item::Struct(item));
    let env = Env::new(db, item.module(db), generics, Site::Item);
    let fields = &struct_fields(db, item).fields;
    let mut found = Vec::new();
    for (attr_index, attr) in data.attrs.iter().enumerate() {
        if attr.name != "derive" {
            continue;
        }
        for (arg_index, arg) in attr.args.iter().enumerate() {
            let AttrValue::Name(name) = &arg.value else { continue };
            let Some(derived) = BuiltinTrait::from_name(name) else { continue };
            for (index, field) in fields.iter().enumerate() {
                let Some((message, note)) = refusal(&env, derived, field) else { continue };
                let (own, ty) = (item.name(db), &field.ty);
                let finding = Finding::new(
                    codes::DERIVE,
                    Place::Field(index),
                    format!("`{own}` cannot derive `{name}`: `{}` {message}, `{ty}`", field.name),
                )
                .related(
                    Place::AttrArg(attr_index, arg_index),
                    format!("`{name}` is derived here"),
                );
                let finding = match note {
                    Some(note) => finding.note(note),
                    None => finding,
                };
                found.push(finding);
            }
        }
    }
    found
}

/// What is wrong with a field of a struct that derives a trait, and what can be done.
fn refusal(
    env: &Env<'_>,
    derived: BuiltinTrait,
    field: &Field,
) -> Option<(String, Option<String>)> {
    let db = env.db;
    let ty = &field.ty;
    if ty.any(&mut |part| *part == Ty::Error) {
        return None;
    }
    let has = |of_trait: BuiltinTrait| prove(env, ty, &TraitDef::Builtin(of_trait)).is_ok();
    let derivable = match ty {
        Ty::Adt { def, .. } => def.as_struct(db).is_some().then(|| def.clone()),
        _ => None,
    };
    let also = |def: Option<Def>| {
        let name = derived.name();
        def.filter(|def| !known_derive(db, def, name))
            .map(|def| format!("`{}` would have to derive it, too", def.name()))
    };
    match derived {
        BuiltinTrait::Copy => (!crate::is_copy(db, env.generics(), ty))
            .then(|| ("is moved".to_owned(), also(derivable))),
        BuiltinTrait::Clone => {
            (!clones(env, ty)).then(|| ("has no `.clone()`".to_owned(), also(derivable)))
        }
        BuiltinTrait::Debug => {
            // Whether a parameter can be printed is asked where its struct is.
            let shown = printable(ty)
                || matches!(ty.peeled(), Ty::Param(_))
                || matches!(ty.peeled(), Ty::Adt { def, .. } if known_derive(db, def, "Debug"));
            (!shown).then(|| ("cannot be printed".to_owned(), also(derivable)))
        }
        BuiltinTrait::PartialEq => (!has(BuiltinTrait::PartialEq))
            .then(|| ("is not compared by `==`".to_owned(), also(derivable))),
        BuiltinTrait::Add
        | BuiltinTrait::Sub
        | BuiltinTrait::Mul
        | BuiltinTrait::Div
        | BuiltinTrait::Rem
        | BuiltinTrait::BitAnd
        | BuiltinTrait::BitOr
        | BuiltinTrait::BitXor
        | BuiltinTrait::Shl
        | BuiltinTrait::MatMul
        | BuiltinTrait::Neg
        | BuiltinTrait::Not
        | BuiltinTrait::Comparable
        | BuiltinTrait::Hashable
        | BuiltinTrait::Drop => None,
    }
}

/// Whether a field can be cloned: what is copied, text, tensors, structs with `Clone`, and collections,
/// arrays and tuples of these.
fn clones(env: &Env<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(parts) => parts.iter().all(|part| clones(env, part)),
        Ty::Array { elem, .. } => clones(env, elem),
        Ty::Collection { kind, args } => {
            let whole = match kind {
                crate::Collection::Vec
                | crate::Collection::HashMap
                | crate::Collection::BTreeMap => true,
                crate::Collection::StringBuilder | crate::Collection::Chars => false,
            };
            whole && args.iter().all(|arg| clones(env, arg))
        }
        ty => prove(env, ty, &TraitDef::Builtin(BuiltinTrait::Clone)).is_ok(),
    }
}
