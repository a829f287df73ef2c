//! Codes of what a derivative asks of a signature (06) and of a body (07).

use super::{Code, CodeInfo, error};

/// A `@grad` function does not return a rank-0 float tensor.
pub const LOSS_TYPE: Code = Code("E0601");
/// A differentiated parameter is not `&mut Tensor<f32 | f64, [..]>`.
pub const DIFFERENTIATED_PARAMETER: Code = Code("E0602");
/// An entry of `wrt:` that names nothing differentiable.
pub const WRT_ENTRY: Code = Code("E0603");
/// An order that does not exist.
pub const ORDER: Code = Code("E0604");
/// Attributes that exclude each other.
pub const GRAD_CONFLICT: Code = Code("E0605");
/// Something in the body of a `@grad` function that cannot be differentiated.
pub const NOT_DIFFERENTIABLE: Code = Code("E0701");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        LOSS_TYPE,
        "a loss is a rank-0 tensor",
        "A `@grad` function returns `Tensor<f32, []>` or `Tensor<f64, []>`: the reverse sweep starts there \
         with a seed of 1. Wrap a number with `Tensor::scalar(..)`.",
    ),
    error(
        DIFFERENTIATED_PARAMETER,
        "parameter cannot receive a gradient",
        "Each differentiated parameter is `&mut Tensor<f32 | f64, [..]>`, since `.backward()` writes its \
         gradient into the caller's tensor. Leave a constant out with `wrt:`.",
    ),
    error(
        WRT_ENTRY,
        "nothing to differentiate by this name",
        "`wrt:` lists parameters that are tensors, each once.",
    ),
    error(ORDER, "no such derivative order", "`order:` is 1 or 2."),
    error(
        GRAD_CONFLICT,
        "attributes exclude each other",
        "`@grad` differentiates a function, `@no_grad` fences it.",
    ),
    error(
        NOT_DIFFERENTIABLE,
        "cannot differentiate through this",
        "The compiler has no derivative for this construct, and never assumes that it is zero. Move it to a \
         `@no_grad` function if it is a constant of the loss.",
    ),
];
