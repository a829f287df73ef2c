//! Derivatives of graph IR, as graph IR.
//!
//! Owns: the rules of every op's adjoint, which values a reverse sweep keeps, how contributions are added.
//!
//! Never does: the source language (which constructs may be differentiated is decided before), running code.
//!
//! Start reading at [`Reverse`].

mod reverse;

pub use reverse::{Residual, Reverse};
