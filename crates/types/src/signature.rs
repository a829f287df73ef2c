//! Checked signatures.

use neuro_db::Name;

use crate::{Finding, Ty};

/// A function's signature with checked types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FnSig {
    /// The parameters.
    pub params: Vec<ParamSig>,
    /// What it returns; [`Ty::Void`] when nothing.
    pub ret: Ty,
    /// What is wrong with the types as written.
    pub findings: Vec<Finding>,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamSig {
    /// The label that a call must or may use: the written label, else the name.
    pub label: Name,
    /// Whether the label must be written (`label name: T`).
    pub label_required: bool,
    /// Whether no label may be written (`_ name: T`).
    pub positional_only: bool,
    /// The name in the body, and the name of the gradient.
    pub name: Name,
    /// The type.
    pub ty: Ty,
}
