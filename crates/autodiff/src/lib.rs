//! Derivatives of graph IR, as graph IR.
//!
//! Owns: the rules of every op's adjoint and tangent, which values a reverse sweep keeps, how contributions are added.
//!
//! Never does: the source language (which constructs may be differentiated is decided before), running code.
//!
//! A *primal* value has an *adjoint* (how the loss changes with it, carried backward from the seed) or a *tangent* (how
//! it changes with the inputs, carried forward from directions). Functions named `x_adjoint` give what op `x` contributes
//! to the adjoints of its operands.
//!
//! Start reading at [`reverse`](reverse()).

mod activity;
mod error;
mod slope;

mod forward;
mod reverse;

pub use activity::Activity;
pub use error::AutodiffError;
pub use forward::forward;
pub use reverse::{Residual, Reverse, reverse, value_and_grad};

#[cfg(test)]
mod tests;
