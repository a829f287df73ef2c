//! Which values are copied where others move.

use neuro_db::Db;
use neuro_hir::{BuiltinTrait, Item};
use rustc_hash::FxHashSet;

use crate::{Generics, TraitDef, Ty, enum_variants, newtype_inner};

/// Whether a use of a value copies it; `generics` are the parameters that the type may speak of. A struct is
/// copied if it derives `Copy`, an enum if all that it holds is, a newtype if what it wraps is.
pub fn is_copy(db: &dyn Db, generics: &Generics, ty: &Ty) -> bool {
    copies(db, generics, ty, &mut FxHashSet::default())
}

fn copies(db: &dyn Db, generics: &Generics, ty: &Ty, seen: &mut FxHashSet<Ty>) -> bool {
    match ty {
        Ty::Adt { def, args } => {
            // Of a type that was asked about before, a no would have ended the question.
            if seen.contains(ty) {
                return true;
            }
            match def.item(db) {
                Some(Item::Struct(item)) => {
                    let attrs = &neuro_hir::struct_data(db, item).attrs;
                    crate::derives::derives(attrs, "Copy")
                }
                // What contains itself is wrong, and reported.
                Some(Item::Enum(_) | Item::Newtype(_)) if crate::contains_itself(db, def) => true,
                Some(Item::Enum(item)) => {
                    seen.insert(ty.clone());
                    let variants = &enum_variants(db, item).variants;
                    variants.iter().all(|variant| {
                        let payload = variant.payload.types();
                        payload.into_iter().all(|ty| copies(db, generics, &ty.apply(args), seen))
                    })
                }
                Some(Item::Newtype(item)) => {
                    seen.insert(ty.clone());
                    copies(db, generics, &newtype_inner(db, item).ty.apply(args), seen)
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
