//! What the headers of constants, types, traits and `impl` blocks say, and where.

use neuro_db::Name;
use text_size::TextRange;

use super::{Attr, Generics, GenericsRanges, ItemRanges};
use crate::path_map::PathMap;
use crate::{Path, TypeRef};

/// A constant's header as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstData {
    /// The attributes, of which it may have none.
    pub attrs: Vec<Attr>,
    /// The documentation comment.
    pub doc: Option<String>,
    /// Whether `export` stands before it.
    pub exported: bool,
    /// The declared type.
    pub ty: TypeRef,
}

/// A struct as written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StructData {
    /// The attributes.
    pub attrs: Vec<Attr>,
    /// The documentation comment.
    pub doc: Option<String>,
    /// Whether `export` stands before it.
    pub exported: bool,
    /// The generic parameters and the `where` clause.
    pub generics: Generics,
    /// The fields.
    pub fields: Vec<FieldData>,
}

/// A field of a struct or of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldData {
    /// The name; empty where a syntax error left none.
    pub name: Name,
    /// The type.
    pub ty: TypeRef,
    /// Whether `export` stands before it. The fields of a variant are always visible.
    pub exported: bool,
    /// The documentation comment.
    pub doc: Option<String>,
}

/// An enum as written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnumData {
    /// The attributes, of which it may have none.
    pub attrs: Vec<Attr>,
    /// The documentation comment.
    pub doc: Option<String>,
    /// Whether `export` stands before it.
    pub exported: bool,
    /// The generic parameters and the `where` clause.
    pub generics: Generics,
    /// The variants.
    pub variants: Vec<VariantData>,
}

/// A variant of an enum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantData {
    /// The name; empty where a syntax error left none.
    pub name: Name,
    /// The documentation comment.
    pub doc: Option<String>,
    /// What it holds.
    pub kind: VariantKind,
}

/// What a variant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariantKind {
    /// Nothing.
    Unit,
    /// `V(A, B)`.
    Tuple(Vec<TypeRef>),
    /// `V { a: A }`.
    Struct(Vec<FieldData>),
}

/// A newtype as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewtypeData {
    /// The attributes, of which it may have none.
    pub attrs: Vec<Attr>,
    /// The documentation comment.
    pub doc: Option<String>,
    /// Whether `export` stands before it.
    pub exported: bool,
    /// What it wraps.
    pub inner: TypeRef,
}

/// A type alias as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AliasData {
    /// The attributes, of which it may have none.
    pub attrs: Vec<Attr>,
    /// The documentation comment.
    pub doc: Option<String>,
    /// What it stands for.
    pub ty: TypeRef,
}

/// A trait as written. Its methods are functions of their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraitData {
    /// The attributes, of which it may have none.
    pub attrs: Vec<Attr>,
    /// The documentation comment.
    pub doc: Option<String>,
    /// Whether `export` stands before it.
    pub exported: bool,
    /// The generic parameters, of which it may have none yet, and the `where` clause.
    pub generics: Generics,
    /// The associated types.
    pub types: Vec<AssocType>,
}

/// An associated type: declared in a trait, given in an `impl` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssocType {
    /// The name; empty where a syntax error left none.
    pub name: Name,
    /// What stands behind `=`.
    pub ty: Option<TypeRef>,
}

/// The header of an `impl` block as written. Its functions are items of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImplData {
    /// The attributes, of which it may have none.
    pub attrs: Vec<Attr>,
    /// The generic parameters and the `where` clause.
    pub generics: Generics,
    /// The trait of `impl Trait for T`.
    pub trait_ref: Option<Path>,
    /// The type that the block belongs to.
    pub self_ty: TypeRef,
    /// The associated types.
    pub types: Vec<AssocType>,
}

/// Where the parts of a constant, newtype or alias stand, relative to the item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypedRanges {
    /// What all headers have.
    pub item: ItemRanges,
    /// The type, or the name if there is none.
    pub ty: TextRange,
    /// The paths in the type.
    pub paths: PathMap,
}

/// Where the parts of a struct stand. Lists have an entry for each of the [`StructData`]'s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StructRanges {
    /// What all headers have.
    pub item: ItemRanges,
    /// The generic parameters and the `where` clause.
    pub generics: GenericsRanges,
    /// The fields.
    pub fields: Vec<FieldRanges>,
    /// The paths in the types.
    pub paths: PathMap,
}

/// Where the parts of a field stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldRanges {
    /// The whole field.
    pub whole: TextRange,
    /// The name, or the whole field if there is none.
    pub name: TextRange,
    /// The type, or the name if there is none.
    pub ty: TextRange,
}

/// Where the parts of an enum stand. Lists have an entry for each of the [`EnumData`]'s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnumRanges {
    /// What all headers have.
    pub item: ItemRanges,
    /// The generic parameters and the `where` clause.
    pub generics: GenericsRanges,
    /// The variants.
    pub variants: Vec<VariantRanges>,
    /// The paths in the types.
    pub paths: PathMap,
}

/// Where the parts of a variant stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariantRanges {
    /// The whole variant.
    pub whole: TextRange,
    /// The name, or the whole variant if there is none.
    pub name: TextRange,
    /// What it holds: the fields, or the types of a tuple-like one, where whole, name and type are the same.
    pub payload: Vec<FieldRanges>,
}

/// Where the parts of a trait stand. Lists have an entry for each of the [`TraitData`]'s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraitRanges {
    /// What all headers have.
    pub item: ItemRanges,
    /// The generic parameters and the `where` clause.
    pub generics: GenericsRanges,
    /// The associated types.
    pub types: Vec<AssocTypeRanges>,
    /// The paths in the types.
    pub paths: PathMap,
}

/// Where the parts of an associated type stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AssocTypeRanges {
    /// The whole declaration.
    pub whole: TextRange,
    /// The name, or the whole declaration if there is none.
    pub name: TextRange,
    /// The type, or the name if there is none.
    pub ty: TextRange,
}

/// Where the parts of an `impl` block stand. Lists have an entry for each of the [`ImplData`]'s.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImplRanges {
    /// What all headers have; the name is the word `impl`.
    pub item: ItemRanges,
    /// The generic parameters and the `where` clause.
    pub generics: GenericsRanges,
    /// The trait, if there is one.
    pub trait_ref: Option<TextRange>,
    /// The type, or the word `impl` if there is none.
    pub self_ty: TextRange,
    /// The associated types.
    pub types: Vec<AssocTypeRanges>,
    /// The paths in the header and in the associated types.
    pub paths: PathMap,
}
