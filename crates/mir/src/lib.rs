//! The control-flow graph of a function: who owns what, when it is read, borrowed, moved and dropped.
//!
//! Owns MIR ([`Body`]) and its lowering from typed bodies ([`body`]), the checks of moves, borrows,
//! pools and of the protocol of gradient slots ([`check`], [`diagnostics`]), and [`Instance`].
//!
//! Never infers a type, never knows what a derivative computes: of `@grad` it reads only
//! `neuro_types::diff_spec`.
//!
//! # Sizes of the keys
//!
//! [`body`] and [`check`] have one function as their key and read its typed body, and of other functions
//! their signatures only. [`instance_body`] has an [`Instance`].
//!
//! Start at [`Body`], then `lower`, then `check`; [`print()`] shows a graph.

mod graph;
mod growth;
mod table;
mod instance;
mod keys;
mod ownership;
mod numeric;
mod print;
mod lower;
mod check;
mod conditions;
mod report;

mod bits;
mod pairs;
mod walk;

#[cfg(test)]
mod tests;

pub use check::check;
pub use graph::{
    Block, BlockId, BlockKey, BlockKind, Body, Code, CollectionOp, DropReason, Local, LocalId,
    LocalKind, NO_CHARACTER, NumberOp, Operand, Operation, Place, Pool, PoolId, PrintPart,
    Projection, Range, RangeLoop, Rvalue, Sequence, Statement, StatementKind, Sweep, SweepId,
    SweepKey, Terminator, TextOperation, successors,
};
pub use instance::{Instance, instance_body, is_too_deep, value_body};
pub use keys::key_functions;
pub use lower::{Unsupported, body, unsupported, unsupported_in};
pub use numeric::{arithmetic, binary_operation, comparison, unary_operation};
pub use ownership::{has_drop, is_view, owns, parts, runs_drop, variants};
pub use print::print;
pub use report::{diagnostics, does_not_run};
pub use table::Table;
