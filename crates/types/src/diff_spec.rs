//! What `@grad` says of a function's signature: the facts that borrows and derivatives both read.

use neuro_num::DType;

use crate::Finding;

/// The derivative that a `@grad` function asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiffSpec {
    /// The differentiated parameters, by index, in the order of the parameters.
    pub wrt: Vec<usize>,
    /// The order.
    pub order: DiffOrder,
    /// The element type of the loss.
    pub loss: DType,
}

/// The order of a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiffOrder {
    /// Gradients.
    First,
    /// Gradients and Hessians.
    Second,
}

/// A function's derivative facts together with what is wrong with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DiffSpecResult {
    /// The facts; none without `@grad`, or when the header is wrong.
    pub spec: Option<DiffSpec>,
    /// What is wrong with the attribute or the header.
    pub findings: Vec<Finding>,
}
