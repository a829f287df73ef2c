//! Graph IR: pure functions on statically shaped tensors, the form in which derivatives are made.
//!
//! Owns: types, ops with their rules (shape, text, value), functions with structured regions, the builder, the
//! verifier, printer and parser, the evaluator, the simplifier. One op is one entry of [`OpKind`] and one module of
//! `ops`.
//!
//! Never does: the source language, its spans, files or database (a location is an opaque number, [`Loc`]);
//! memory, loops or machine code.
//!
//! What holds of every function: values are defined before they are used, each once, and an op in a region may use
//! values of the regions around it. Ops have no effect except that some *trap* (end the program at their location);
//! traps happen in program order, and no pass drops, repeats or reorders them. The second exception is the *history*: a
//! stack of frames, which a forward sweep pushes in its loops and the reverse sweep pops newest first. Values are
//! kept there, never operations.
//!
//! Start reading at [`Function`], [`OpKind`] and [`FunctionBuilder`].

mod function;
mod op;
mod types;

mod builder;

mod ops;

mod verify;

mod copy;
mod simplify;

mod attributes;
mod parse;
mod print;

mod eval;
mod tensor;

pub use builder::{BuildError, Built, FunctionBuilder};
pub use copy::{PoppedFrame, inline, without_unread_pops};
pub use eval::{EvalError, History, Trap, eval, eval_limited, eval_with_history};
pub use function::{
    Function, Loc, Op, OpId, Operands, Param, Region, RegionId, Results, Value, ValueDef, ValueId,
};
pub use op::{OpKind, RegionType};
pub use ops::constant::Dense;
pub use parse::{ParseError, parse};
pub use simplify::simplify;
pub use tensor::Tensor;
pub use types::{Axes, Dims, ShapeError, Type, broadcast_axes, broadcast_shapes};
pub use verify::{VerifyError, verify};

#[cfg(test)]
mod tests;
