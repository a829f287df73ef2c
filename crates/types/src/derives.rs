//! What `@derive` gives a struct.

use neuro_db::{Db, codes};
use neuro_hir::{Attr, AttrValue, BuiltinTrait, Item, Struct};

use crate::lower::{Env, Site};
use crate::traits::{known_derive, part_has};
use crate::{Def, Field, Finding, Place, Ty, struct_fields};

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
    if ty.is_wrong() {
        return None;
    }
    // What a parameter has is asked where it is known what it stands for.
    let generic = ty.any(&mut |part| matches!(part, Ty::Param(_)));
    let has = |of_trait: BuiltinTrait| generic || part_has(env, ty, of_trait);
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
            (!has(derived)).then(|| ("has no `.clone()`".to_owned(), also(derivable)))
        }
        BuiltinTrait::Debug => {
            (!has(derived)).then(|| ("cannot be printed".to_owned(), also(derivable)))
        }
        BuiltinTrait::PartialEq => {
            (!has(derived)).then(|| ("is not compared by `==`".to_owned(), also(derivable)))
        }
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
