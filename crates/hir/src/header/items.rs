//! The headers of constants, types, traits and `impl` blocks, read off the tree.

use neuro_db::Db;
use neuro_syntax::{AstNode, ast};

use super::data::{
    AliasData, AssocType, AssocTypeRanges, ConstData, EnumData, EnumRanges, FieldData, FieldRanges,
    ImplData, ImplRanges, NewtypeData, StructData, StructRanges, TraitData, TraitRanges,
    TypedRanges, VariantData, VariantKind, VariantRanges,
};
use super::{Generics, generics, item_ranges, lower_attrs, name_range, type_range};
use crate::lower::types::TypeLowering;
use crate::{Alias, Const, Enum, Impl, Item, Newtype, Struct, Trait, TypeRef, tree};

/// A node of an item, as the item and as what it is.
fn parts<'db, N: AstNode>(db: &'db dyn Db, item: Item<'db>) -> Option<(ast::Item, N)> {
    let node = tree::node(item.source(db));
    Some((ast::Item::cast(node.clone())?, N::cast(node)?))
}

/// The header of a constant.
#[salsa::tracked]
pub fn const_data<'db>(db: &'db dyn Db, constant: Const<'db>) -> ConstData {
    let lowered = lower_const(db, constant).map(|(data, _)| data);
    lowered.unwrap_or(ConstData {
        attrs: Vec::new(),
        doc: None,
        exported: false,
        ty: TypeRef::Error,
    })
}

/// The type that a constant is declared with.
pub fn const_type<'db>(db: &'db dyn Db, constant: Const<'db>) -> &'db TypeRef {
    &const_data(db, constant).ty
}

/// Where the parts of a constant's header stand.
#[salsa::tracked]
pub fn const_ranges<'db>(db: &'db dyn Db, constant: Const<'db>) -> TypedRanges {
    lower_const(db, constant).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_const<'db>(db: &'db dyn Db, constant: Const<'db>) -> Option<(ConstData, TypedRanges)> {
    let (item, node): (_, ast::Const) = parts(db, Item::Const(constant))?;
    let (ty, ranges) = typed(&item, node.ty());
    let data = ConstData {
        attrs: lower_attrs(&item),
        doc: item.doc_comment(),
        exported: item.export_token().is_some(),
        ty,
    };
    Some((data, ranges))
}

/// A newtype as written.
#[salsa::tracked]
pub fn newtype_data<'db>(db: &'db dyn Db, newtype: Newtype<'db>) -> NewtypeData {
    let lowered = lower_newtype(db, newtype).map(|(data, _)| data);
    lowered.unwrap_or(NewtypeData {
        attrs: Vec::new(),
        doc: None,
        exported: false,
        inner: TypeRef::Error,
    })
}

/// Where the parts of a newtype stand.
#[salsa::tracked]
pub fn newtype_ranges<'db>(db: &'db dyn Db, newtype: Newtype<'db>) -> TypedRanges {
    lower_newtype(db, newtype).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_newtype<'db>(
    db: &'db dyn Db,
    newtype: Newtype<'db>,
) -> Option<(NewtypeData, TypedRanges)> {
    let (item, node): (_, ast::Newtype) = parts(db, Item::Newtype(newtype))?;
    let (inner, ranges) = typed(&item, node.ty());
    let data = NewtypeData {
        attrs: lower_attrs(&item),
        doc: item.doc_comment(),
        exported: item.export_token().is_some(),
        inner,
    };
    Some((data, ranges))
}

/// A type alias as written.
#[salsa::tracked]
pub fn alias_data<'db>(db: &'db dyn Db, alias: Alias<'db>) -> AliasData {
    let lowered = lower_alias(db, alias).map(|(data, _)| data);
    lowered.unwrap_or(AliasData { attrs: Vec::new(), doc: None, ty: TypeRef::Error })
}

/// Where the parts of a type alias stand.
#[salsa::tracked]
pub fn alias_ranges<'db>(db: &'db dyn Db, alias: Alias<'db>) -> TypedRanges {
    lower_alias(db, alias).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_alias<'db>(db: &'db dyn Db, alias: Alias<'db>) -> Option<(AliasData, TypedRanges)> {
    let (item, node): (_, ast::TypeAlias) = parts(db, Item::Alias(alias))?;
    let (ty, ranges) = typed(&item, node.ty());
    Some((AliasData { attrs: lower_attrs(&item), doc: item.doc_comment(), ty }, ranges))
}

fn typed(item: &ast::Item, ty: Option<ast::Type>) -> (TypeRef, TypedRanges) {
    let mut types = TypeLowering::default();
    let ranges = item_ranges(item);
    let range = type_range(ty.clone()).unwrap_or(ranges.name);
    let lowered = types.lower_opt(ty);
    (lowered, TypedRanges { item: ranges, ty: range, paths: types.paths })
}

/// A struct as written.
#[salsa::tracked]
pub fn struct_data<'db>(db: &'db dyn Db, item: Struct<'db>) -> StructData {
    lower_struct(db, item).map(|(data, _)| data).unwrap_or_default()
}

/// Where the parts of a struct stand.
#[salsa::tracked]
pub fn struct_ranges<'db>(db: &'db dyn Db, item: Struct<'db>) -> StructRanges {
    lower_struct(db, item).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_struct<'db>(db: &'db dyn Db, found: Struct<'db>) -> Option<(StructData, StructRanges)> {
    let (item, node): (_, ast::Struct) = parts(db, Item::Struct(found))?;
    let mut types = TypeLowering::default();
    let (generics, generics_ranges) =
        generics::lower(db, found.module(db), &mut types, node.generics(), node.where_clause());
    let (fields, field_ranges) = node.fields().map(|field| lower_field(&mut types, &field)).unzip();
    let data = StructData {
        attrs: lower_attrs(&item),
        doc: item.doc_comment(),
        exported: item.export_token().is_some(),
        generics,
        fields,
    };
    let ranges = StructRanges {
        item: item_ranges(&item),
        generics: generics_ranges,
        fields: field_ranges,
        paths: types.paths,
    };
    Some((data, ranges))
}

fn lower_field(types: &mut TypeLowering, field: &ast::Field) -> (FieldData, FieldRanges) {
    let whole = tree::trimmed_range(field.syntax());
    let name = name_range(field.name()).unwrap_or(whole);
    let ranges = FieldRanges { whole, name, ty: type_range(field.ty()).unwrap_or(name) };
    let data = FieldData {
        name: tree::name_text(field.name()),
        ty: types.lower_opt(field.ty()),
        exported: field.export_token().is_some(),
        doc: field.doc_comment(),
    };
    (data, ranges)
}

/// An enum as written.
#[salsa::tracked]
pub fn enum_data<'db>(db: &'db dyn Db, item: Enum<'db>) -> EnumData {
    lower_enum(db, item).map(|(data, _)| data).unwrap_or_default()
}

/// Where the parts of an enum stand.
#[salsa::tracked]
pub fn enum_ranges<'db>(db: &'db dyn Db, item: Enum<'db>) -> EnumRanges {
    lower_enum(db, item).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_enum<'db>(db: &'db dyn Db, found: Enum<'db>) -> Option<(EnumData, EnumRanges)> {
    let (item, node): (_, ast::Enum) = parts(db, Item::Enum(found))?;
    let mut types = TypeLowering::default();
    let (generics, generics_ranges) =
        generics::lower(db, found.module(db), &mut types, node.generics(), node.where_clause());
    let (variants, variant_ranges) =
        node.variants().map(|variant| lower_variant(&mut types, &variant)).unzip();
    let data = EnumData {
        attrs: lower_attrs(&item),
        doc: item.doc_comment(),
        exported: item.export_token().is_some(),
        generics,
        variants,
    };
    let ranges = EnumRanges {
        item: item_ranges(&item),
        generics: generics_ranges,
        variants: variant_ranges,
        paths: types.paths,
    };
    Some((data, ranges))
}

fn lower_variant(types: &mut TypeLowering, variant: &ast::Variant) -> (VariantData, VariantRanges) {
    let whole = tree::trimmed_range(variant.syntax());
    let (kind, payload) = if variant.tuple_field_list().is_some() {
        let (lowered, ranges) = variant
            .payload()
            .map(|ty| {
                let range = tree::trimmed_range(ty.syntax());
                (types.lower(&ty), FieldRanges { whole: range, name: range, ty: range })
            })
            .unzip();
        (VariantKind::Tuple(lowered), ranges)
    } else if variant.field_list().is_some() {
        let (fields, ranges) = variant.fields().map(|field| lower_field(types, &field)).unzip();
        (VariantKind::Struct(fields), ranges)
    } else {
        (VariantKind::Unit, Vec::new())
    };
    let name = name_range(variant.name()).unwrap_or(whole);
    let data =
        VariantData { name: tree::name_text(variant.name()), doc: variant.doc_comment(), kind };
    (data, VariantRanges { whole, name, payload })
}

/// A trait as written.
#[salsa::tracked]
pub fn trait_data<'db>(db: &'db dyn Db, item: Trait<'db>) -> TraitData {
    lower_trait(db, item).map(|(data, _)| data).unwrap_or_default()
}

/// Where the parts of a trait stand.
#[salsa::tracked]
pub fn trait_ranges<'db>(db: &'db dyn Db, item: Trait<'db>) -> TraitRanges {
    lower_trait(db, item).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_trait<'db>(db: &'db dyn Db, found: Trait<'db>) -> Option<(TraitData, TraitRanges)> {
    let (item, node): (_, ast::Trait) = parts(db, Item::Trait(found))?;
    let mut types = TypeLowering::default();
    let (generics, generics_ranges) =
        generics::lower(db, found.module(db), &mut types, node.generics(), node.where_clause());
    let (assoc, assoc_ranges) = lower_assoc_types(&mut types, node.members());
    let data = TraitData {
        attrs: lower_attrs(&item),
        doc: item.doc_comment(),
        exported: item.export_token().is_some(),
        generics,
        types: assoc,
    };
    let ranges = TraitRanges {
        item: item_ranges(&item),
        generics: generics_ranges,
        types: assoc_ranges,
        paths: types.paths,
    };
    Some((data, ranges))
}

/// The header of an `impl` block.
#[salsa::tracked]
pub fn impl_data<'db>(db: &'db dyn Db, block: Impl<'db>) -> ImplData {
    let lowered = lower_impl(db, block).map(|(data, _)| data);
    lowered.unwrap_or(ImplData {
        attrs: Vec::new(),
        generics: Generics::default(),
        trait_ref: None,
        self_ty: TypeRef::Error,
        types: Vec::new(),
    })
}

/// Where the parts of an `impl` block stand.
#[salsa::tracked]
pub fn impl_ranges<'db>(db: &'db dyn Db, block: Impl<'db>) -> ImplRanges {
    lower_impl(db, block).map(|(_, ranges)| ranges).unwrap_or_default()
}

fn lower_impl<'db>(db: &'db dyn Db, found: Impl<'db>) -> Option<(ImplData, ImplRanges)> {
    let (item, node): (_, ast::Impl) = parts(db, Item::Impl(found))?;
    let mut types = TypeLowering::default();
    let (generics, generics_ranges) =
        generics::lower(db, found.module(db), &mut types, node.generics(), node.where_clause());
    let trait_path = node.trait_path();
    let head = item_ranges(&item);
    let trait_range = trait_path.as_ref().map(|path| tree::trimmed_range(path.syntax()));
    let self_range = type_range(node.self_type()).unwrap_or(head.keyword);
    let trait_ref = trait_path.map(|path| types.lower_path(&path));
    let self_ty = types.lower_opt(node.self_type());
    let (assoc, assoc_ranges) = lower_assoc_types(&mut types, node.members());
    let data = ImplData { attrs: lower_attrs(&item), generics, trait_ref, self_ty, types: assoc };
    let ranges = ImplRanges {
        item: head,
        generics: generics_ranges,
        trait_ref: trait_range,
        self_ty: self_range,
        types: assoc_ranges,
        paths: types.paths,
    };
    Some((data, ranges))
}

fn lower_assoc_types(
    types: &mut TypeLowering,
    members: Option<ast::AssocItemList>,
) -> (Vec<AssocType>, Vec<AssocTypeRanges>) {
    let declared =
        members.into_iter().flat_map(|list| list.items()).filter_map(|member| match member {
            ast::AssocItem::Type(declared) => Some(declared),
            ast::AssocItem::Func(_) => None,
        });
    declared
        .map(|declared| {
            let whole = tree::trimmed_range(declared.syntax());
            let name = name_range(declared.name()).unwrap_or(whole);
            let ty = type_range(declared.ty()).unwrap_or(name);
            let lowered = AssocType {
                name: tree::name_text(declared.name()),
                ty: declared.ty().map(|ty| types.lower(&ty)),
            };
            (lowered, AssocTypeRanges { whole, name, ty })
        })
        .unzip()
}
