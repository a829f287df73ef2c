//! A function split into the sweep that computes the loss and the sweep that computes its gradients.

use neuro_ir::{Function, Type, ValueId};

/// A value that the forward sweep keeps for the reverse sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residual {
    /// Its value in the primal function.
    pub primal: ValueId,
    /// Its type.
    pub ty: Type,
}

/// The two sweeps of a function's gradient.
///
/// `forward` takes the primal's parameters and gives the primal's result (the loss), then the residuals in order.
/// `reverse` takes the primal's parameters, then the residuals, and gives one gradient for each `wrt` parameter, in the
/// order of the request. The seed is 1 and already folded in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse {
    /// The forward sweep.
    pub forward: Function,
    /// The reverse sweep.
    pub reverse: Function,
    /// What the one keeps for the other.
    pub residuals: Vec<Residual>,
    /// For each parameter of the primal: whether the reverse sweep reads it. Those that it does not read may be
    /// dropped or changed before it runs.
    pub reads: Vec<bool>,
    /// For each `wrt` parameter: whether the loss depends on it. The gradient of one that is not reached is zeros.
    pub reached: Vec<bool>,
}
