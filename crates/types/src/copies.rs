//! Which values are copied where others move.

use neuro_db::Db;
use neuro_hir::{BuiltinTrait, Item};

use crate::{Def, Generics, TraitDef, Ty, enum_variants, newtype_inner};

/// Whether a use of a value copies it; `generics` are the parameters that the type may speak of. A struct is
/// copied if it derives `Copy`, an enum if all that it holds is, a newtype if what it wraps is.
pub fn is_copy(db: &dyn Db, generics: &Generics, ty: &Ty) -> bool {
    copies(db, generics, ty, &mut Vec::new())
}

fn copies(db: &dyn Db, generics: &Generics, ty: &Ty, seen: &mut Vec<Def>) -> bool {
    match ty {
        Ty::Adt { def, args } => {
            // What contains itself is wrong, and reported.
            if seen.contains(def) {
                return true;
            }
            match def.item(db) {
                Some(Item::Struct(item)) => {
                    let attrs = &neuro_hir::struct_data(db, item).attrs;
                    crate::derives::derives(attrs, "Copy")
                }
                Some(Item::Enum(item)) => {
                    seen.push(def.clone());
                    let variants = &enum_variants(db, item).variants;
                    let all = variants.iter().all(|variant| {
                        let payload = variant.payload.types();
                        payload.into_iter().all(|ty| copies(db, generics, &ty.apply(args), seen))
                    });
                    seen.pop();
                    all
                }
                Some(Item::Newtype(item)) => {
                    seen.push(def.clone());
                    let all = copies(db, generics, &newtype_inner(db, item).ty, seen);
                    seen.pop();
                    all
                }
                _ => false,
            }
        }
        Ty::Tuple(parts) => parts.iter().all(|part| copies(db, generics, part, seen)),
        Ty::Array { elem, .. } => copies(db, generics, elem, seen),
        Ty::Param(param) => generics
            .bounds(param)
            .iter()
            .any(|bound| bound.of_trait == TraitDef::Builtin(BuiltinTrait::Copy)),
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Ref { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Collection { .. }
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => ty.is_copy(),
    }
}
