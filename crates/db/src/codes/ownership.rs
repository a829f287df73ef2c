//! Codes of moves, borrows, pools and the protocol of gradient slots.

use super::{Code, CodeInfo, error};

/// A value is used after it was moved away.
pub const MOVED: Code = Code("E0501");
/// Borrows that exclude each other.
pub const BORROWED: Code = Code("E0502");
/// A mutable borrow of something immutable.
pub const NOT_MUTABLE: Code = Code("E0503");
/// A move out of something borrowed.
pub const MOVE_OUT: Code = Code("E0504");
/// A reference to a local leaves its function.
pub const DANGLING: Code = Code("E0505");
/// `.backward()` where it cannot run.
pub const BACKWARD: Code = Code("E0510");
/// The argument of a differentiated parameter is not a place that can hold a gradient.
pub const GRADIENT_ARGUMENT: Code = Code("E0511");
/// Something of a pool outlives it, or control leaves it.
pub const POOL: Code = Code("E0520");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        MOVED,
        "use of moved value",
        "Tensors are moved, not copied, when they are bound, passed by value or used as an owned operand. \
         Use `&x` to read without moving, or `x.clone()`.",
    ),
    error(
        BORROWED,
        "conflicting borrows",
        "A place has either one mutable borrow or any number of shared ones, each up to its last use. The \
         differentiated arguments of a `@grad` call stay mutably borrowed until its `.backward()`.",
    ),
    error(NOT_MUTABLE, "not mutable", "`&mut x` needs `x` to be declared with `mut`."),
    error(
        MOVE_OUT,
        "moved out of a borrow",
        "What is only borrowed cannot be given away. Clone it.",
    ),
    error(
        DANGLING,
        "reference to a local",
        "A function cannot return a reference to what ends with it.",
    ),
    error(
        BACKWARD,
        "backward cannot run here",
        "`.backward()` is called once, on a `val` bound directly to the call of a `@grad` function, in the \
         same block as that call. The derivative is compiled into that pair. `.forward(..)`, `.hvp(..)`, \
         `.jacobian(..)` and `.hessian(..)` are asked of such a `val` too, any number of times.",
    ),
    error(
        GRADIENT_ARGUMENT,
        "argument cannot hold a gradient",
        "A differentiated parameter is given `&mut name`, or a `&mut` binding that is passed on: \
         `.backward()` writes the gradient beside that tensor. A parameter that is a function is given one that is written \
         at the call, or a name for one that keeps nothing: the derivative is made for it.",
    ),
    error(
        POOL,
        "outlives its pool",
        "Memory of a `pool` block is released at its closing brace: nothing that the block allocated \
         earlier may be stored outside, and `return`, `break` and `continue` may not leave it.",
    ),
];
