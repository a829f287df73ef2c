//! What values of a type are made of, and what that means for who owns them.

use neuro_db::{Db, SourceFile};
use neuro_hir::{BuiltinTrait, Container, Item, file_items};
use neuro_types::{
    Collection, Def, Generics, TraitDef, Ty, behind_dyn, contains_itself, enum_variants,
    impl_header, newtype_inner, revealed, struct_fields,
};
use rustc_hash::FxHashSet;

/// The types of the parts of a struct, tuple, newtype or array, in the order of the declaration; none of what
/// has no parts that a program names.
///
/// The parts of an array are one type, given once.
pub fn parts(db: &dyn Db, ty: &Ty) -> Option<Vec<Ty>> {
    match ty {
        Ty::Tuple(parts) => Some(parts.to_vec()),
        Ty::Array { elem, .. } => Some(vec![(**elem).clone()]),
        Ty::Adt { def, args } => match def.item(db)? {
            Item::Struct(item) => {
                let fields = &struct_fields(db, item).fields;
                Some(fields.iter().map(|field| revealed(db, &field.ty.apply(args))).collect())
            }
            Item::Newtype(item) => {
                Some(vec![revealed(db, &newtype_inner(db, item).ty.apply(args))])
            }
            Item::Enum(_)
            | Item::Function(_)
            | Item::Const(_)
            | Item::Alias(_)
            | Item::Trait(_)
            | Item::Impl(_) => None,
        },
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
        | Ty::Sparse(_)
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => None,
    }
}

/// The types of what each variant of an enum holds; none of what is no enum.
pub fn variants(db: &dyn Db, ty: &Ty) -> Option<Vec<Vec<Ty>>> {
    let Ty::Adt { def, args } = ty else { return None };
    let item = def.as_enum(db)?;
    let all = enum_variants(db, item).variants.iter();
    let payload = |ty: &&Ty| revealed(db, &ty.apply(args));
    Some(all.map(|variant| variant.payload.types().iter().map(payload).collect()).collect())
}

/// The types of everything that a value of this type may hold in itself.
pub(crate) fn held(db: &dyn Db, ty: &Ty) -> Vec<Ty> {
    if let Ty::Collection { args, .. } = ty {
        return args.to_vec();
    }
    match variants(db, ty) {
        Some(all) => all.into_iter().flatten().collect(),
        None => parts(db, ty).unwrap_or_default(),
    }
}

/// Whether a value of this type or a part of it is something that `test` holds for. Each type among the parts is
/// asked once. What contains itself is wrong, and reported; it is not looked into.
fn any_part(db: &dyn Db, ty: &Ty, test: &dyn Fn(&Ty) -> bool) -> bool {
    any_new_part(db, ty, test, &mut FxHashSet::default())
}

fn any_new_part(
    db: &dyn Db,
    ty: &Ty,
    test: &dyn Fn(&Ty) -> bool,
    seen: &mut FxHashSet<Ty>,
) -> bool {
    if let Ty::Adt { def, .. } = ty {
        if !seen.insert(ty.clone()) {
            return false;
        }
        if contains_itself(db, def) {
            return test(ty);
        }
    }
    test(ty) || held(db, ty).iter().any(|part| any_new_part(db, part, test, seen))
}

/// Whether something is done when a value of this type ends: memory is released, or a `drop` runs. What is not known
/// may.
pub fn owns(db: &dyn Db, ty: &Ty) -> bool {
    any_part(db, ty, &|part| is_owner(part) || has_drop(db, part))
}

/// Whether a value of this type is memory that it owns.
fn is_owner(ty: &Ty) -> bool {
    match ty {
        Ty::Tensor(_) | Ty::Text | Ty::Param(_) | Ty::Assoc(_) | Ty::Opaque(_) => true,
        Ty::Collection { kind, .. } => match kind {
            Collection::StringBuilder
            | Collection::Vec
            | Collection::HashMap
            | Collection::BTreeMap => true,
            Collection::Chars => false,
        },
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Ref { .. }
        | Ty::Tuple(_)
        | Ty::Array { .. }
        | Ty::Slice(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Var(_) => false,
    }
}

/// Whether a type is that of the characters of a text, which are borrowed from it.
fn is_chars(ty: &Ty) -> bool {
    matches!(ty, Ty::Collection { kind: Collection::Chars, .. })
}

/// Whether a value of this type is a view of two words, and what it refers to is part of the value itself.
pub fn is_view(ty: &Ty) -> bool {
    matches!(ty, Ty::Ref { mutable: false, inner } if **inner == Ty::Text)
}

/// Whether a use of a value of this type moves it; `generics` are the parameters that the type may speak of. A
/// `&mut` counts as moving; where it is used, it is lent on.
pub(crate) fn moves(db: &dyn Db, generics: &Generics, ty: &Ty) -> bool {
    !neuro_types::is_copy(db, generics, ty)
}

/// Whether a value of this type refers to places: whoever holds it holds borrows. What a function value captures,
/// its type does not say.
pub(crate) fn holds_reference(db: &dyn Db, ty: &Ty) -> bool {
    let refers = |part: &Ty| matches!(part, Ty::Ref { .. } | Ty::Fn(_)) || is_chars(part);
    any_part(db, ty, &refers)
}

/// What references in a value of this type refer to, behind other references too. Rows of elements count as slices; a
/// function value refers to what it captured, which its own type stands for.
fn referents(db: &dyn Db, ty: &Ty) -> Vec<Ty> {
    let mut found: Vec<Ty> = Vec::new();
    let mut todo = vec![ty.clone()];
    while let Some(ty) = todo.pop() {
        for (_, inner) in references(db, &ty) {
            if found.len() < MAX_REFERENTS && !found.contains(&inner) {
                found.push(inner.clone());
                todo.push(inner);
            }
        }
    }
    found
}

/// How many types the references of one type are followed to. They may lead to ever larger types.
const MAX_REFERENTS: usize = 32;

/// The references in a value of this type, whether each is a `&mut`, and what it refers to.
fn references(db: &dyn Db, ty: &Ty) -> Vec<(bool, Ty)> {
    let found = std::cell::RefCell::new(Vec::new());
    let collect = |part: &Ty| {
        match part {
            Ty::Ref { mutable, inner } => found.borrow_mut().push((*mutable, as_row(inner))),
            Ty::Fn(_) => found.borrow_mut().push((false, part.clone())),
            _ if is_chars(part) => found.borrow_mut().push((false, Ty::Text)),
            _ => {}
        }
        false
    };
    let whole = if let Ty::Slice(elem) = ty { elem } else { ty };
    any_part(db, whole, &collect);
    found.into_inner()
}

fn as_row(ty: &Ty) -> Ty {
    match ty {
        Ty::Array { elem, .. } => Ty::Slice(elem.clone()),
        Ty::Collection { kind: Collection::Vec, args } if let [elem] = &**args => {
            Ty::Slice(elem.clone().into())
        }
        _ => ty.clone(),
    }
}

/// The types of the places that a value of this type can write to and that may hold references themselves.
pub(crate) fn mutable_targets(db: &dyn Db, ty: &Ty) -> Vec<Ty> {
    let targets = references(db, ty).into_iter().filter(|(mutable, _)| *mutable);
    targets.map(|(_, inner)| inner).filter(|inner| !references(db, inner).is_empty()).collect()
}

/// Whether a place of one type may hold what a value of another refers to.
pub(crate) fn may_keep(db: &dyn Db, place: &Ty, value: &Ty) -> bool {
    let given = referents(db, value);
    referents(db, place).iter().any(|wanted| {
        given.iter().any(|given| match wanted {
            Ty::Dyn(bound) => given == wanted || may_be_behind(db, &bound.of_trait, given),
            _ => given == wanted,
        })
    })
}

/// Whether a type may have a trait. Of one of the program this is not asked further.
fn may_be_behind(db: &dyn Db, of_trait: &TraitDef, ty: &Ty) -> bool {
    matches!(ty, Ty::Adt { .. } | Ty::Param(_) | Ty::Assoc(_) | Ty::Opaque(_))
        || behind_dyn(db, of_trait, ty)
            .iter()
            .any(|(function, _)| !matches!(function.container(db), Container::Trait(_)))
}

/// The maps with keys of types of the program that are in a value of this type, and these keys.
pub(crate) fn maps_in(db: &dyn Db, ty: &Ty) -> Vec<(Collection, Ty)> {
    let found = std::cell::RefCell::new(Vec::new());
    let collect = |part: &Ty| {
        if let Ty::Collection { kind: kind @ (Collection::HashMap | Collection::BTreeMap), args } =
            part
            && let Some(key @ Ty::Adt { .. }) = args.first()
        {
            found.borrow_mut().push((*kind, key.clone()));
        }
        false
    };
    any_part(db, ty, &collect);
    found.into_inner()
}

/// Whether a function value is in a value of this type.
pub(crate) fn holds_function(db: &dyn Db, ty: &Ty) -> bool {
    any_part(db, ty, &|part| matches!(part, Ty::Fn(_)))
}

/// Whether who is given a value of this type may write to a place that it refers to.
pub(crate) fn holds_mutable(db: &dyn Db, ty: &Ty) -> bool {
    let writes = |part: &Ty| matches!(part, Ty::Ref { mutable: true, .. });
    any_part(db, ty, &writes)
}

/// Whether a value of this type has a `drop` of its own, which runs when it ends.
pub fn has_drop(db: &dyn Db, ty: &Ty) -> bool {
    matches!(ty, Ty::Adt { def, .. } if types_with_drop(db, def.file()).contains(def))
}

/// Whether a `drop` of the program runs when a value of this type ends.
pub fn runs_drop(db: &dyn Db, ty: &Ty) -> bool {
    any_part(db, ty, &|part| has_drop(db, part))
}

/// The parts of a type that have a `drop`, the type itself among them.
pub(crate) fn parts_with_drop(db: &dyn Db, ty: &Ty) -> Vec<Ty> {
    let found = std::cell::RefCell::new(Vec::new());
    let collect = |part: &Ty| {
        if has_drop(db, part) && !found.borrow().contains(part) {
            found.borrow_mut().push(part.clone());
        }
        false
    };
    any_part(db, ty, &collect);
    found.into_inner()
}

/// The types of a file that have a `drop`: a block of a trait of the language stands in the file of its type.
#[salsa::tracked(returns(deref))]
fn types_with_drop(db: &dyn Db, file: SourceFile) -> Vec<Def> {
    let blocks = file_items(db, file).items.iter().filter_map(|item| match item {
        Item::Impl(block) => Some(impl_header(db, *block)),
        _ => None,
    });
    let drops =
        blocks.filter(|header| header.of_trait == Some(TraitDef::Builtin(BuiltinTrait::Drop)));
    drops
        .filter_map(|header| match &header.self_ty {
            Ty::Adt { def, .. } => Some(def.clone()),
            _ => None,
        })
        .collect()
}
