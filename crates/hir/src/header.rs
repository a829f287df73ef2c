//! What the headers of items say, and where they say it.
//!
//! Each kind of item has a query for what its header says, equal as long as the words are, and a twin for
//! where the words stand. Both are read off the item's own text.

mod attrs;
mod data;
mod generics;
mod items;
mod function;

pub use attrs::{Attr, AttrArg, AttrArgRanges, AttrRanges, AttrValue};
pub use data::{
    AliasData, AssocType, AssocTypeRanges, ConstData, EnumData, EnumRanges, FieldData, FieldRanges,
    ImplData, ImplRanges, NewtypeData, StructData, StructRanges, TraitData, TraitRanges,
    TypedRanges, VariantData, VariantKind, VariantRanges,
};
pub(crate) use function::params;
pub use function::{
    Param, ParamRanges, Receiver, Signature, SignatureRanges, signature, signature_ranges,
};
pub use generics::{
    GenericParam, GenericParamRanges, Generics, GenericsRanges, Predicate, PredicateRanges,
};
pub use items::{
    alias_data, alias_ranges, const_data, const_ranges, const_type, enum_data, enum_ranges,
    impl_data, impl_ranges, newtype_data, newtype_ranges, struct_data, struct_ranges, trait_data,
    trait_ranges,
};

use neuro_syntax::{AstNode, ast};
use text_size::TextRange;

use crate::tree;

/// Where the parts that all headers have stand, relative to the item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ItemRanges {
    /// The word that says what the item is, as `struct`.
    pub keyword: TextRange,
    /// The item's name, or its keyword if it has none.
    pub name: TextRange,
    /// The attributes.
    pub attrs: Vec<AttrRanges>,
    /// The word `export`, if it is written.
    pub export: Option<TextRange>,
}

fn item_ranges(item: &ast::Item) -> ItemRanges {
    let keyword = tree::token_or_first(item.keyword(), item.syntax());
    ItemRanges {
        keyword,
        name: name_range(item.name()).unwrap_or(keyword),
        attrs: item.attrs().map(|attr| attrs::attr_ranges(&attr)).collect(),
        export: item.export_token().map(|token| token.text_range()),
    }
}

fn lower_attrs(item: &ast::Item) -> Vec<Attr> {
    item.attrs().map(|attr| attrs::lower_attr(&attr)).collect()
}

fn name_range(name: Option<ast::Name>) -> Option<TextRange> {
    name.and_then(|name| name.token()).map(|token| token.text_range())
}

fn type_range(ty: Option<ast::Type>) -> Option<TextRange> {
    ty.map(|ty| tree::trimmed_range(ty.syntax()))
}
