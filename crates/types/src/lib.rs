//! Types and shapes of everything, and what a derivative asks of a signature.
//!
//! Owns [`Ty`], the headers of items (generic parameters: [`generics()`], signatures: [`fn_sig`], fields and
//! variants: [`struct_fields`], [`enum_variants`], blocks: [`impl_header`]), inference of bodies
//! ([`infer`]), the values of constants ([`const_value`]), the signature facts of derivatives
//! ([`diff_spec`]) and the diagnostics of all these ([`diagnostics`] of a body, [`item_diagnostics`] of
//! everything else).
//!
//! Inference never looks into the body of another function; only what a generic body asks of its extents
//! is also looked at where they are known (`demands`). Never decides who owns a value, never needs to know
//! how a derivative is made.
//!
//! # Sizes of the keys
//!
//! [`fn_sig`] and [`diff_spec`] read one header; [`infer`] reads one body and the headers of what it
//! names. [`const_value`] has a constant as its key and is equal as long as its value is, so that its users
//! never see how it is written. Findings carry expression ids; [`render()`] alone turns them into positions,
//! so that a comment never runs inference again.
//!
//! Start at [`Ty`], then [`Inference`], then the module `walk`, which makes it.

mod circles;
mod conditions;
mod constants;
mod contents;
mod copies;
mod demands;
mod derives;
mod derivative;
mod expr_map;
mod finding;
mod inference;
mod generic_params;
mod items;
mod members;
mod methods;
mod operation;
mod render;
mod signature;
mod traits;
mod ty;
mod unclear;
mod usefulness;
mod walk;

mod evaluate;
mod lower;

#[cfg(test)]
mod tests;

pub use circles::contains_itself;
pub use conditions::{Unmet, unmet};
pub use constants::{ConstValue, const_inference, const_value};
pub use contents::Content;
pub use copies::is_copy;
pub use derivative::{
    DiffForm, DiffOrder, DiffSpec, DiffSpecResult, Expectation, Expected, Kept, Wrt, WrtBase,
    WrtStep, diff_spec,
};
pub use expr_map::ExprMap;
pub use finding::{Finding, Owner, PathPart, Place, Remedy};
pub use generic_params::{GenericKind, GenericParam, Generics, generics};
pub use inference::{Callee, Inference, Part, PartStart};
pub use items::{
    Field, Fields, Given, ImplHeader, Payload, Variant, Variants, alias_type, enum_variants,
    impl_header, newtype_inner, struct_fields,
};
pub use members::{Arithmetic, Member, MemberOf, MemberRow};
pub use operation::{Method, TensorConstructor};
pub use render::{const_diagnostics, diagnostics, item_diagnostics, render, render_item};
pub use signature::{FnSig, ParamSig, fn_sig, is_no_grad};
pub use traits::{
    Walk, behind_dyn, implementation, is_pool_aware, known_implementation, number_in_trait,
    pool_functions, revealed, walk_of,
};
pub use ty::{
    AssocTy, Bound, Collection, Def, DefKind, Dim, Extent, ExtentVar, FnTy, Formula, GenericArg,
    OpaqueTy, Param, Shape, SparseTy, TensorTy, TraitDef, Ty, TyVar,
};
pub(crate) use ty::{Fold, VarKind};
pub use walk::{binary_trait, condition, infer};
