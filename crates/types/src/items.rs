//! What structs, enums, newtypes, aliases, `impl` blocks and traits say, with their types checked.
//!
//! Each query has one item as its key and reads no body.

use neuro_db::{Db, Name, codes};
use neuro_hir::{
    Alias, BuiltinTrait, Container, Enum, Function, Impl, Item, Newtype, Path, Resolution, Struct,
    Trait, TypeArg, TypeRef, VariantKind, resolve_path,
};

use crate::lower::{Env, Lowered, SelfTy, Site};
use crate::{Content, Def, Finding, GenericArg, Place, TraitDef, Ty};

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
    /// The collections in their types.
    pub contents: Vec<Content>,
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
    /// The collections in their types.
    pub contents: Vec<Content>,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// A type that an item gives: what a newtype wraps, what an alias stands for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The type.
    pub ty: Ty,
    /// The collections in it.
    pub contents: Vec<Content>,
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
    let mut told = Told::default();
    let fields = lower_fields(&env, written, &mut told, &|index| Place::Field(index));
    Fields { fields, contents: told.contents, findings: told.findings }
}

fn lower_fields(
    env: &Env<'_>,
    written: &[neuro_hir::FieldData],
    told: &mut Told,
    place: &dyn Fn(usize) -> Place,
) -> Vec<Field> {
    written
        .iter()
        .enumerate()
        .map(|(index, field)| Field {
            name: field.name.clone(),
            ty: lower_in(env, &field.ty, place(index), told),
            exported: field.exported,
        })
        .collect()
}

/// What is told of the types of a header.
#[derive(Default)]
struct Told {
    findings: Vec<Finding>,
    contents: Vec<Content>,
}

/// A type of a header.
fn lower_in(env: &Env<'_>, ty: &TypeRef, place: Place, told: &mut Told) -> Ty {
    let Lowered { ty, problems, contents } = env.lower(ty);
    told.findings.extend(problems.into_iter().map(|problem| problem.finding(place, true)));
    told.contents.extend(contents);
    ty
}

/// The variants of an enum.
#[salsa::tracked]
pub fn enum_variants<'db>(db: &'db dyn Db, item: Enum<'db>) -> Variants {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Enum(item)), Site::Item);
    let mut told = Told::default();
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
                            lower_in(&env, ty, Place::Payload(index, part), &mut told)
                        })
                        .collect(),
                ),
                VariantKind::Struct(fields) => {
                    Payload::Fields(lower_fields(&env, fields, &mut told, &|part| {
                        Place::Payload(index, part)
                    }))
                }
            },
        })
        .collect();
    Variants { variants, contents: told.contents, findings: told.findings }
}

/// What a newtype wraps.
#[salsa::tracked]
pub fn newtype_inner<'db>(db: &'db dyn Db, item: Newtype<'db>) -> Given {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Newtype(item)), Site::Item);
    let mut told = Told::default();
    let inner = &neuro_hir::newtype_data(db, item).inner;
    let ty = lower_in(&env, inner, Place::ItemType, &mut told);
    Given { ty, contents: told.contents, findings: told.findings }
}

/// What an alias stands for.
#[salsa::tracked(cycle_result = circular_alias)]
pub fn alias_type<'db>(db: &'db dyn Db, item: Alias<'db>) -> Given {
    let env = Env::new(db, item.module(db), crate::generics(db, Item::Alias(item)), Site::Item);
    let mut told = Told::default();
    let ty = &neuro_hir::alias_data(db, item).ty;
    let mut ty = lower_in(&env, ty, Place::ItemType, &mut told);
    if has_too_many_parts(&ty) {
        // What is made of an alias that is wrong already is told there.
        if !ty.is_wrong() {
            told.findings.push(oversized(&item.name(db)));
        }
        ty = Ty::Error;
    }
    Given { ty, contents: told.contents, findings: told.findings }
}

/// How many types one alias stands for at most, all that it is made of counted.
const MAX_PARTS: usize = 4096;

fn has_too_many_parts(ty: &Ty) -> bool {
    let mut count = 0;
    ty.any(&mut |_| {
        count += 1;
        count > MAX_PARTS
    })
}

/// What is wrong with an alias of a type that is too large. Aliases of pairs of aliases double with each line, and
/// every use of the last one would be all of it.
fn oversized(name: &str) -> Finding {
    let finding = Finding::new(
        codes::OVERSIZED,
        Place::ItemName,
        format!("the alias `{name}` stands for a type of more than {MAX_PARTS} parts"),
    );
    finding.note("a `struct` in it counts as one part")
}

/// What an alias is that stands for itself.
fn circular_alias<'db>(db: &'db dyn Db, _: salsa::Id, item: Alias<'db>) -> Given {
    let finding = Finding::new(
        codes::CYCLE,
        Place::ItemName,
        format!("the alias `{}` stands for itself", item.name(db)),
    );
    Given { findings: vec![finding], ..Given::default() }
}

/// Whether an alias in a circle of aliases has one of them before it in its file.
pub(crate) fn told_by_another<'db>(db: &'db dyn Db, alias: Alias<'db>) -> bool {
    let circular = |alias: Alias<'db>| {
        alias_type(db, alias).findings.iter().any(|finding| finding.code == codes::CYCLE)
    };
    if !circular(alias) {
        return false;
    }
    let items = &neuro_hir::file_items(db, alias.file(db)).items;
    items.iter().take_while(|item| **item != Item::Alias(alias)).any(|item| match item {
        Item::Alias(other) => circular(*other) && leads_to(db, alias, *other),
        _ => false,
    })
}

/// Whether an alias names another one, perhaps through further ones.
fn leads_to<'db>(db: &'db dyn Db, from: Alias<'db>, to: Alias<'db>) -> bool {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(alias) = seen.get(next).copied() {
        next += 1;
        let mut paths = Vec::new();
        type_paths(&neuro_hir::alias_data(db, alias).ty, &mut paths);
        for path in paths {
            if let Ok(Resolution::Item(Item::Alias(found))) =
                resolve_path(db, alias.module(db), path)
            {
                if found == to {
                    return true;
                }
                if !seen.contains(&found) {
                    seen.push(found);
                }
            }
        }
    }
    false
}

/// The paths in a type.
fn type_paths<'a>(ty: &'a TypeRef, paths: &mut Vec<&'a Path>) {
    match ty {
        TypeRef::Error | TypeRef::SelfType | TypeRef::SelfAssoc(_) => {}
        TypeRef::Path(path) => {
            paths.push(path);
            for arg in path.segments.iter().flat_map(|part| part.args.iter().flatten()) {
                if let TypeArg::Type(ty) = arg {
                    type_paths(ty, paths);
                }
            }
        }
        TypeRef::Ref { inner, .. } => type_paths(inner, paths),
        TypeRef::Slice(elem) | TypeRef::Array { elem, .. } => type_paths(elem, paths),
        TypeRef::Tuple(parts) => parts.iter().for_each(|part| type_paths(part, paths)),
        TypeRef::Fn { params, ret } => {
            params.iter().for_each(|param| type_paths(param, paths));
            type_paths(ret, paths);
        }
        TypeRef::Dyn(bound) | TypeRef::Impl(bound) => {
            bound.bindings.iter().for_each(|(_, ty)| type_paths(ty, paths));
        }
    }
}

/// The header of an `impl` block.
#[salsa::tracked]
pub fn impl_header<'db>(db: &'db dyn Db, block: Impl<'db>) -> ImplHeader {
    let generics = crate::generics(db, Item::Impl(block));
    let env = Env::new(db, block.module(db), generics, Site::Item);
    let written = neuro_hir::impl_data(db, block);
    let mut told = Told::default();
    let self_ty = lower_in(&env, &written.self_ty, Place::ImplType, &mut told);
    let of_trait = written.trait_ref.as_ref().and_then(|path| {
        let (found, problems) = env.lower_trait(path);
        let problems = problems.into_iter();
        told.findings.extend(problems.map(|problem| problem.finding(Place::ImplTrait, true)));
        found
    });
    let mut assoc: Vec<(Name, Ty)> = Vec::new();
    for (index, given) in written.types.iter().enumerate() {
        let Some(ty) = &given.ty else { continue };
        let env = Env::new(db, block.module(db), generics, Site::Item)
            .with_self(SelfTy::Impl(self_ty.clone(), assoc.clone()));
        let ty = lower_in(&env, ty, Place::AssocType(index), &mut told);
        assoc.push((given.name.clone(), ty));
    }
    ImplHeader { of_trait, self_ty, assoc, findings: told.findings }
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

/// The associated types of a trait.
pub(crate) fn assoc_names(db: &dyn Db, of_trait: &TraitDef) -> Vec<Name> {
    match of_trait {
        TraitDef::Builtin(known) if operator_has_output(*known) => {
            vec![Name::new_static("Output")]
        }
        TraitDef::Builtin(_) => Vec::new(),
        TraitDef::Item(def) => def.as_trait(db).map_or_else(Vec::new, |item| {
            let types = neuro_hir::trait_data(db, item).types.iter();
            types.map(|assoc| assoc.name.clone()).filter(|name| !name.is_empty()).collect()
        }),
    }
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

/// What is wrong with an item beyond the types in it.
pub(crate) fn item_problems<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let mut findings = match item {
        Item::Struct(item) => crate::derives::refusals(db, item),
        Item::Impl(block) => return crate::traits::block::block_problems(db, block).to_vec(),
        Item::Trait(item) => return crate::traits::block::trait_problems(db, item),
        Item::Function(_) | Item::Const(_) | Item::Enum(_) | Item::Newtype(_) | Item::Alias(_) => {
            Vec::new()
        }
    };
    findings.extend(crate::circles::endless(db, item));
    findings
}

/// The collections in the header of an item.
pub(crate) fn contents<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db [Content] {
    match item {
        Item::Function(function) => &crate::fn_sig(db, function).contents,
        Item::Struct(item) => &struct_fields(db, item).contents,
        Item::Enum(item) => &enum_variants(db, item).contents,
        Item::Newtype(item) => &newtype_inner(db, item).contents,
        Item::Alias(item) => &alias_type(db, item).contents,
        Item::Const(_) | Item::Trait(_) | Item::Impl(_) => &[],
    }
}
