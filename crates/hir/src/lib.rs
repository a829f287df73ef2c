//! Items, names and bodies: the program without its punctuation.
//!
//! Owns the items of a file ([`items`]), their signatures as written ([`signature`]), bodies lowered
//! to arenas with local names resolved ([`body`]), the way from ids back to text ([`source_map`]), and
//! the diagnostics of names ([`diagnostics`]).
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

mod item;
mod type_ref;
mod body;
mod lower;
mod source_map;
mod diagnostics;

pub use body::{
    Arg, BinaryOp, Binding, Body, Builtin, CompareOp, Expr, ExprId, FormatPart, IndexArg, Literal,
    Local, LocalId, LogicOp, RangeEnd, Stmt, UnaryOp, UnsupportedExpr,
};
pub use diagnostics::diagnostics;
pub use item::{
    Attr, AttrArg, AttrValue, Const, FileItems, Function, Item, Param, Signature, file_items,
    item_name_range, resolve, signature,
};
pub use lower::{LoweringFinding, body, const_body, const_type};
pub use source_map::{SourceMap, const_source_map, signature_ranges, source_map, SignatureRanges};
pub use type_ref::{DimRef, Extent, TypeRef};
