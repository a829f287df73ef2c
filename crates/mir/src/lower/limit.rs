//! Values with more parts than an operation is written out for: a struct that holds structs can have any number, and
//! one that refers to itself endlessly many.

use neuro_db::Db;
use neuro_hir::BuiltinTrait;
use neuro_types::{Generics, Ty, is_copy, known_implementation, struct_fields};

use crate::ownership::parts;

/// How many parts of one value are shown, compared or cloned by one operation.
const MAX_PARTS: usize = 4096;

/// Whether all that `:?` shows of a type is little enough.
pub(super) fn can_be_shown(db: &dyn Db, ty: &Ty) -> bool {
    has_few(ty, &|ty| {
        let fields = shown_fields(db, ty).into_iter().flat_map(|(_, fields)| fields);
        fields.map(|(_, ty)| ty).collect()
    })
}

/// Whether a method of a trait of the language can be done part by part: what has an `impl` of its own is one part.
pub(super) fn can_be_derived(db: &dyn Db, of_trait: BuiltinTrait, ty: &Ty) -> bool {
    if !matches!(ty, Ty::Adt { .. } | Ty::Tuple(_) | Ty::Array { .. }) {
        return true;
    }
    let clone = of_trait == BuiltinTrait::Clone;
    let copied = |ty: &Ty| clone && is_copy(db, &Generics::default(), ty);
    let whole = |ty: &Ty| known_implementation(db, of_trait, 0, ty).is_some() || copied(ty);
    has_few(ty, &|ty| {
        if whole(ty) {
            return Vec::new();
        }
        let inside = parts(db, ty).unwrap_or_default().into_iter();
        // A reference in it is copied, and compared by what it refers to.
        inside.filter(|part| !copied(part)).collect()
    })
}

fn has_few(ty: &Ty, parts: &dyn Fn(&Ty) -> Vec<Ty>) -> bool {
    let mut left = MAX_PARTS;
    let mut todo = vec![ty.peeled().clone()];
    while let Some(ty) = todo.pop() {
        let Some(fewer) = left.checked_sub(1) else { return false };
        left = fewer;
        todo.extend(parts(&ty).iter().map(|part| part.peeled().clone()));
    }
    true
}

/// The name of a struct and its fields, as `:?` shows them; none of what is no struct.
pub(super) fn shown_fields(db: &dyn Db, ty: &Ty) -> Option<(String, Vec<(String, Ty)>)> {
    let Ty::Adt { def, .. } = ty else { return None };
    let item = def.as_struct(db)?;
    let names = struct_fields(db, item).fields.iter().map(|field| field.name.to_string());
    Some((def.name().to_string(), names.zip(parts(db, ty)?).collect()))
}
