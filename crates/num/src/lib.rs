//! Scalar semantics of Neuro: what a number is, what an operation on numbers gives, how a number is written.
//!
//! Owns: element types, scalar constants, integer and float arithmetic, casts, the one table of math functions
//! with their slopes, the specified order of sums and matrix products, text of numbers and format specs.
//! The compiler's constant folding, the graph IR's evaluator and the run-time library all call these functions,
//! so a value never depends on who computed it.
//!
//! Never does: tensors with shapes, types of expressions, diagnostics.
//!
//! Start reading at [`DType`] and [`Scalar`], then [`math`].

mod dtype;
mod scalar;

mod arith;
mod cast;
mod fold;
mod half;
mod hash;
pub mod math;
mod matmul;

mod format;
mod text;

pub use arith::{ArithError, BinOp, CmpOp, Overflow, UnOp, binary, compare, unary};
pub use cast::{cast, fits_integer};
pub use dtype::DType;
pub use fold::{
    FOLD_LANES, fold_sum, sum_checked, sum_f32, sum_f32_strided, sum_f64, sum_f64_strided,
};
pub use format::{Align, FormatKind, FormatSpec, default_text};
pub use hash::hash;
pub use math::MathFn;
pub use matmul::{Element, MatMulShape, matmul, matmul_checked};
pub use scalar::Scalar;
pub use text::float_shortest;

#[cfg(test)]
mod tests;
