//! Items, names and bodies: the program without its punctuation.
//!
//! Owns the items of a file ([`file_items`]), their headers as written ([`signature`]), bodies lowered
//! to arenas with local names resolved ([`body`]), the way from ids back to text ([`source_map`],
//! [`signature_ranges`]), and the diagnostics of items and names ([`diagnostics`],
//! [`file_diagnostics`]).
//!
//! Never knows a type or a shape: an annotation stays a [`TypeRef`], an item is found by its name alone.
//!
//! # Sizes of the keys
//!
//! [`file_items`] has a file as its key and runs after every edit of it, but compares equal unless an
//! item comes, goes or is renamed. Everything else has one [`Function`] or [`Const`] as its key, whose
//! tracked source changes only when its own text does. No result holds an absolute position.
//!
//! Start at [`Function`], then [`Body`].

mod module;
mod modules;
mod item;
mod items;
mod names;
mod builtin;
mod header;
mod path;
mod path_map;
mod type_ref;
mod bodies;
mod statements;
mod pattern;
mod operators;
mod walk;
mod lower;
mod source_map;
mod report;
mod similar;
mod spelling;
mod foreign;
mod tree;
mod green;
mod unused;
mod mentions;

#[cfg(test)]
mod tests;

pub use bodies::{Arg, Binding, Body, Expr, ExprId, FormatPart, IndexArg, Literal, Local, LocalId};
pub use builtin::{BuiltinTrait, BuiltinType};
pub use foreign::{ForeignValue, foreign_type, foreign_value};
pub use header::{
    AliasData, AssocType, AssocTypeRanges, Attr, AttrArg, AttrArgRanges, AttrRanges, AttrValue,
    ConstData, EnumData, EnumRanges, FieldData, FieldRanges, GenericParam, GenericParamRanges,
    Generics, GenericsRanges, ImplData, ImplRanges, ItemRanges, NewtypeData, Param, ParamRanges,
    Predicate, PredicateRanges, Receiver, Signature, SignatureRanges, StructData, StructRanges,
    TraitData, TraitRanges, TypedRanges, VariantData, VariantKind, VariantRanges, alias_data,
    alias_ranges, const_data, const_ranges, const_type, enum_data, enum_ranges, impl_data,
    impl_ranges, newtype_data, newtype_ranges, signature, signature_ranges, struct_data,
    struct_ranges, trait_data, trait_ranges,
};
pub use item::{Alias, Const, Enum, Function, Impl, Item, Newtype, Struct, Trait};
pub use items::{
    FileItems, ImportBinding, file_items, function_at, functions_of, item_at, item_name_range,
};
pub use lower::{body, const_body, is_lowered};
pub use module::{Container, Module};
pub use modules::{
    load_modules, module_candidates, module_title, needed_by_all, needed_files, prepare, users_of,
};
pub use names::{
    PathProblem, Resolution, exported_names, generic_param, generics, is_exported, is_inside,
    item_around, item_of_name, module_names, resolve, resolve_import, resolve_in, resolve_name,
    resolve_path, visible_names,
};
pub use operators::{BinaryOp, Builtin, CompareOp, LogicOp, RangeEnd, UnaryOp};
pub use path::{Path, PathId, Segment};
pub use path_map::{ArgRanges, PathMap, PathRanges, SegmentRanges};
pub use pattern::{ArrayRest, FieldPat, Pat, PatId, PatLiteral};
pub use report::{const_diagnostics, diagnostics, file_diagnostics, item_diagnostics};
pub use similar::{similar, similar_where};
pub use source_map::{HeadRanges, SourceMap, TurbofishRanges, const_source_map, source_map};
pub use spelling::{shown_elsewhere, spelling};
pub use statements::{
    Adapter, Arm, Closure, ClosureParam, FieldInit, ForBinding, Head, HeadSource, PlainRange, Stmt,
};
pub use type_ref::{Bound, DimRef, Extent, TypeArg, TypeRef};
pub use unused::{import_removal, import_span, unused_imports, unused_items, unused_locals};
