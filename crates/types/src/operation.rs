//! The language's own methods and constructors, by name.

use neuro_num::MathFn;

/// A method that the language provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// A row of the table of math functions: on floats, and elementwise on float tensors.
    Math(MathFn),
    /// `.sum()`: every element, as a scalar.
    Sum,
    /// `.mean()`: the sum divided by the number of elements, as a scalar.
    Mean,
    /// `.item()`: the element of a rank-0 tensor.
    Item,
    /// `.clone()`: a tensor of its own with the same elements and empty slots.
    Clone,
    /// `.t()`: the transpose; consumes the receiver.
    Transpose,
    /// `.detach()`: the same tensor, cut out of the gradient; consumes the receiver.
    Detach,
    /// `.backward()` on the value of a `@grad` call.
    Backward,
    /// `.grad()`: borrows the gradient slot.
    Grad,
    /// `.zero_grad()`: empties the slots.
    ZeroGrad,
}

/// An associated function of `Tensor`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TensorConstructor {
    /// `Tensor::zeros()`
    Zeros,
    /// `Tensor::ones()`
    Ones,
    /// `Tensor::identity()`
    Identity,
    /// `Tensor::scalar(x)`
    Scalar,
    /// `Tensor::from([..])`
    From,
}
