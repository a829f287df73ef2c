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

mod describe;
mod raising;
mod refusal;
mod report;
mod stage;
mod sweeps;

pub use describe::{GradientFacts, ParameterFacts, Work, describe};
pub use raising::{
    Checked, NotRaised, PieceOperand, Raised, Site, ir_type, raise, raise_in_place, raise_operation,
};
pub use refusal::{Refusal, check};
pub use report::diagnostics;
pub use stage::{Stage, stage_graph};
pub use sweeps::{Derivative, DerivativeError, derivative};
