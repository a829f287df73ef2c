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

mod item;
mod header;
mod type_ref;
mod bodies;
mod lower;
mod source_map;
mod report;
mod similar;
mod tree;

#[cfg(test)]
mod tests;

pub use bodies::{
    Arg, BinaryOp, Binding, Body, Builtin, CompareOp, Expr, ExprId, FormatPart, IndexArg, Literal,
    Local, LocalId, LogicOp, RangeEnd, Stmt, UnaryOp, UnsupportedExpr,
};
pub use header::{
    Attr, AttrArg, AttrArgRanges, AttrRanges, AttrValue, Param, ParamRanges, Signature,
    SignatureRanges, signature, signature_ranges,
};
pub use item::{
    Const, FileItems, Function, Item, file_items, function_at, item_at, item_name_range, resolve,
};
pub use lower::{
    LoweringFinding, body, const_body, const_lowering_findings, const_type, lowering_findings,
};
pub use report::{const_diagnostics, diagnostics, file_diagnostics};
pub use similar::similar;
pub use source_map::{SourceMap, const_source_map, source_map};
pub use type_ref::{DimRef, Extent, TypeRef};
