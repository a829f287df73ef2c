//! From a function's body to its derivative.
//!
//! Owns the raising of MIR to graph IR ([`raise`], [`raise_operation`]), what a derivative refuses
//! ([`check`], [`diagnostics`]), the queries that make sweeps ([`derivative`]), the texts that
//! `neurc ir` and the editor show ([`stage_graph`]), and what hover says of a derivative ([`describe`]).
//!
//! Never defines a derivative rule (those are `neuro_autodiff`'s, on graph IR), never decides who may
//! borrow what, never compiles.
//!
//! # Sizes of the keys
//!
//! [`raise`] and [`derivative`] have an instance and the meaning of integer overflow as their key and read
//! its body and those of the functions that it calls. [`check`] has a function.
//!
//! Start at [`Raised`], then [`Derivative`].

mod raise;
mod derivative;
mod check;
mod diagnostics;
mod describe;
mod stage;

pub use check::{Refusal, check};
pub use derivative::{Derivative, DerivativeError, derivative};
pub use describe::{GradientFacts, ParameterFacts, Work, describe};
pub use diagnostics::diagnostics;
pub use raise::{
    Checked, NotRaised, PieceOperand, Raised, Site, ir_type, raise, raise_in_place, raise_operation,
};
pub use stage::{Stage, stage_graph};
