//! Types and shapes of everything, and what a derivative asks of a signature.
//!
//! Owns [`Ty`], the checked signatures ([`fn_sig`]), inference of bodies ([`infer`]), the values of
//! constants ([`const_value`]), the signature facts of derivatives ([`diff_spec`]) and the diagnostics
//! of all these ([`diagnostics`]).
//!
//! Never looks into the body of another function, never decides who owns a value, never needs to know
//! how a derivative is made.
//!
//! # Sizes of the keys
//!
//! [`fn_sig`] and [`diff_spec`] read one header; [`infer`] reads one body and the headers of what it
//! names. Findings carry expression ids; [`diagnostics`] alone turns them into positions, so that a
//! comment never runs inference again.
//!
//! Start at [`Ty`], then [`Inference`].

mod ty;
mod signature;
mod diff_spec;
mod inference;
mod operation;
mod infer;
mod constants;
mod finding;
mod diagnostics;

pub use constants::const_value;
pub use diagnostics::diagnostics;
pub use diff_spec::{DiffOrder, DiffSpec, DiffSpecResult, diff_spec};
pub use finding::{Finding, Place, Remedy};
pub use infer::infer;
pub use inference::{Callee, Inference};
pub use operation::{Method, TensorConstructor};
pub use signature::{FnSig, ParamSig, fn_sig, is_no_grad};
pub use ty::{Shape, TensorTy, Ty};
