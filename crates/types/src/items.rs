//! What structs, enums, newtypes, aliases, `impl` blocks and traits say, with their types checked.
//!
//! Each query has one item as its key and reads no body.

use neuro_db::{Db, Name, codes};
use neuro_hir::{
    Alias, BuiltinTrait, Container, Enum, Function, Impl, Item, Newtype, Struct, Trait, TypeRef,
    VariantKind,
};

use crate::lower::{Env, Lowered, SelfTy, Site};
use crate::{Def, Finding, GenericArg, Place, TraitDef, Ty};

/// A field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its type, in terms of the item's generic parameters.
    pub ty: Ty,
    /// Whether other modules see it.
    pub exported: bool,
}

/// The fields of a struct.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fields {
    /// The fields, in the order of the text.
    pub fields: Vec<Field>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// A variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// What it holds.
    pub payload: Payload,
}

/// What a variant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Payload {
    /// Nothing.
    Unit,
    /// Values in order.
    Tuple(Vec<Ty>),
    /// Fields.
    Fields(Vec<Field>),
}

/// The variants of an enum.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variants {
    /// The variants, in the order of the text.
    pub variants: Vec<Variant>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// A type that an item gives: what a newtype wraps, what an alias stands for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The type.
    pub ty: Ty,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

/// The header of an `impl` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImplHeader {
    /// The trait; none of a block without one, or of one that names no trait.
    pub of_trait: Option<TraitDef>,
    /// The type, in terms of the block's generic parameters.
    pub self_ty: Ty,
    /// The associated types that it gives, by their index in the block.
    pub assoc: Vec<(Name, Ty)>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

impl Payload {
    /// The types of what it holds, in order.
    pub fn types(&self) -> Vec<&Ty> {
        match self {
            Payload::Unit => Vec::new(),
            Payload::Tuple(types) => types.iter().collect(),
            Payload::Fields(fields) => fields.iter().map(|field| &field.ty).collect(),
        }
    }
}

/// The fields of a struct.
#[salsa::tracked]
pub fn struct_fields<'db>(db: &'db dyn Db, item: Struct<'db>) -> Fields {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Struct(item)), Site::Item);
    let written = &neuro_hir::struct_data(db, item).fields;
    let mut findings = Vec::new();
    let fields = lower_fields(&env, written, &mut findings, &|index| Place::Field(index));
    Fields { fields, findings }
}

fn lower_fields(
    env: &Env<'_>,
    written: &[neuro_hir::FieldData],
    findings: &mut Vec<Finding>,
    place: &dyn Fn(usize) -> Place,
) -> Vec<Field> {
    written
        .iter()
        .enumerate()
        .map(|(index, field)| Field {
            name: field.name.clone(),
            ty: lower_in(env, &field.ty, place(index), findings),
            exported: field.exported,
        })
        .collect()
}

/// A type of a header.
fn lower_in(env: &Env<'_>, ty: &TypeRef, place: Place, findings: &mut Vec<Finding>) -> Ty {
    let Lowered { ty, problems } = env.lower(ty);
    findings.extend(problems.into_iter().map(|problem| problem.finding(place, true)));
    ty
}

/// The variants of an enum.
#[salsa::tracked]
pub fn enum_variants<'db>(db: &'db dyn Db, item: Enum<'db>) -> Variants {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Enum(item)), Site::Item);
    let mut findings = Vec::new();
    let variants = neuro_hir::enum_data(db, item).variants.iter().enumerate();
    let variants = variants
        .map(|(index, variant)| Variant {
            name: variant.name.clone(),
            payload: match &variant.kind {
                VariantKind::Unit => Payload::Unit,
                VariantKind::Tuple(types) => Payload::Tuple(
                    types
                        .iter()
                        .enumerate()
                        .map(|(part, ty)| {
                            lower_in(&env, ty, Place::Payload(index, part), &mut findings)
                        })
                        .collect(),
                ),
                VariantKind::Struct(fields) => {
                    Payload::Fields(lower_fields(&env, fields, &mut findings, &|part| {
                        Place::Payload(index, part)
                    }))
                }
            },
        })
        .collect();
    Variants { variants, findings }
}

/// What a newtype wraps.
#[salsa::tracked]
pub fn newtype_inner<'db>(db: &'db dyn Db, item: Newtype<'db>) -> Given {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Newtype(item)), Site::Item);
    let mut findings = Vec::new();
    let inner = &neuro_hir::newtype_data(db, item).inner;
    let ty = lower_in(&env, inner, Place::ItemType, &mut findings);
    Given { ty, findings }
}

/// What an alias stands for.
#[salsa::tracked(cycle_result = circular_alias)]
pub fn alias_type<'db>(db: &'db dyn Db, item: Alias<'db>) -> Given {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Alias(item)), Site::Item);
    let mut findings = Vec::new();
    let ty = &neuro_hir::alias_data(db, item).ty;
    let ty = lower_in(&env, ty, Place::ItemType, &mut findings);
    Given { ty, findings }
}

/// What an alias is that stands for itself.
fn circular_alias<'db>(db: &'db dyn Db, _: salsa::Id, item: Alias<'db>) -> Given {
    let finding = Finding::new(
        codes::CYCLE,
        Place::ItemType,
        format!("the alias `{}` stands for itself", item.name(db)),
    );
    Given { ty: Ty::Error, findings: vec![finding] }
}

/// The header of an `impl` block.
#[salsa::tracked]
pub fn impl_header<'db>(db: &'db dyn Db, block: Impl<'db>) -> ImplHeader {
    let generics = crate::generics(db, Item::Impl(block));
    let env = Env::new(db, block.module(db), generics, Site::Item);
    let written = neuro_hir::impl_data(db, block);
    let mut findings = Vec::new();
    let self_ty = lower_in(&env, &written.self_ty, Place::ImplType, &mut findings);
    let of_trait = written.trait_ref.as_ref().and_then(|path| {
        let (found, problems) = env.lower_trait(path);
        let problems = problems.into_iter();
        findings.extend(problems.map(|problem| problem.finding(Place::ImplTrait, true)));
        found
    });
    let mut assoc: Vec<(Name, Ty)> = Vec::new();
    for (index, given) in written.types.iter().enumerate() {
        let Some(ty) = &given.ty else { continue };
        let env = Env::new(db, block.module(db), generics, Site::Item)
            .with_self(SelfTy::Impl(self_ty.clone(), assoc.clone()));
        let ty = lower_in(&env, ty, Place::AssocType(index), &mut findings);
        assoc.push((given.name.clone(), ty));
    }
    ImplHeader { of_trait, self_ty, assoc, findings }
}

/// What `Self` means in a function.
pub(crate) fn self_of<'db>(db: &'db dyn Db, function: Function<'db>) -> SelfTy {
    match function.container(db) {
        Container::Module(_) => SelfTy::None,
        Container::Impl(block) => {
            let header = impl_header(db, block);
            SelfTy::Impl(header.self_ty.clone(), header.assoc.clone())
        }
        Container::Trait(item) => SelfTy::Trait(Def::of_trait(db, item)),
    }
}

/// Whether a trait declares an associated type.
pub(crate) fn has_assoc_type(db: &dyn Db, of_trait: &TraitDef, name: &str) -> bool {
    match of_trait {
        TraitDef::Item(def) => def.as_trait(db).is_some_and(|item| declares(db, item, name)),
        // The result of an operator.
        TraitDef::Builtin(known) => name == "Output" && operator_has_output(*known),
    }
}

fn declares<'db>(db: &'db dyn Db, item: Trait<'db>, name: &str) -> bool {
    neuro_hir::trait_data(db, item).types.iter().any(|assoc| assoc.name == name)
}

/// Whether the trait of an operator has a result type of its own.
pub(crate) fn operator_has_output(known: BuiltinTrait) -> bool {
    match known {
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
        | BuiltinTrait::Not => true,
        BuiltinTrait::PartialEq
        | BuiltinTrait::Comparable
        | BuiltinTrait::Hashable
        | BuiltinTrait::Drop
        | BuiltinTrait::Copy
        | BuiltinTrait::Clone
        | BuiltinTrait::Debug => false,
    }
}

/// The types that a value of this type holds in itself, where they are declared in other items: what
/// counts when a type must not contain itself.
pub(crate) fn held_types(db: &dyn Db, def: &Def, args: &[GenericArg]) -> Vec<Ty> {
    let applied = |ty: &Ty| ty.apply(args);
    match def.item(db) {
        Some(Item::Struct(item)) => {
            struct_fields(db, item).fields.iter().map(|field| applied(&field.ty)).collect()
        }
        Some(Item::Enum(item)) => {
            let variants = &enum_variants(db, item).variants;
            variants.iter().flat_map(|variant| variant.payload.types()).map(applied).collect()
        }
        Some(Item::Newtype(item)) => vec![applied(&newtype_inner(db, item).ty)],
        _ => Vec::new(),
    }
}

/// What is wrong with an item beyond the types in it: one that would contain itself has no size.
pub(crate) fn item_problems<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let def = match item {
        Item::Struct(item) => Def::of_struct(db, item),
        Item::Enum(item) => Def::of_enum(db, item),
        Item::Newtype(item) => Def::of_newtype(db, item),
        Item::Function(_) | Item::Const(_) | Item::Alias(_) | Item::Trait(_) | Item::Impl(_) => {
            return Vec::new();
        }
    };
    let args = crate::generics(db, item).own_args();
    let held = held_types(db, &def, &args);
    let mut findings = Vec::new();
    for (index, ty) in held.iter().enumerate() {
        let mut seen = Vec::new();
        if !contains(db, ty, &def, &mut seen) {
            continue;
        }
        let place = match item {
            Item::Struct(_) => Place::Field(index),
            Item::Enum(found) => payload_place(db, found, index),
            _ => Place::ItemType,
        };
        let name = def.name();
        findings.push(
            Finding::new(
                codes::CYCLE,
                place,
                format!("`{name}` contains itself here, so its values would have no size"),
            )
            .note(format!("keep the values in a collection: `Vec<{name}>`")),
        );
    }
    findings
}

/// The place of what an enum holds, counted over all its variants.
fn payload_place<'db>(db: &'db dyn Db, item: Enum<'db>, mut index: usize) -> Place {
    for (variant, found) in enum_variants(db, item).variants.iter().enumerate() {
        let count = found.payload.types().len();
        if index < count {
            return Place::Payload(variant, index);
        }
        index -= count;
    }
    Place::ItemName
}

/// Whether a value of a type contains one of `def` in itself. What stands behind a reference or in a
/// collection is not contained.
fn contains(db: &dyn Db, ty: &Ty, def: &Def, seen: &mut Vec<Def>) -> bool {
    match ty {
        Ty::Adt { def: found, args } => {
            if found == def {
                return true;
            }
            if seen.contains(found) {
                return false;
            }
            seen.push(found.clone());
            held_types(db, found, args).iter().any(|held| contains(db, held, def, seen))
        }
        Ty::Tuple(parts) => parts.iter().any(|part| contains(db, part, def, seen)),
        Ty::Array { elem, .. } => contains(db, elem, def, seen),
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
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Sparse(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => false,
    }
}
