//! From graph IR to loops over memory: fusion, the order of sums, the plan of the workspace.
//!
//! Owns: [`Program`], what [`lower`] makes of a graph; its text; which parameter may be overwritten by a result.
//! Every value is computed as the graph says, once or repeatedly with the same bits: nothing is reassociated,
//! contracted or skipped, and what can trap keeps its order.
//!
//! Never does: machine code; anything about the source language; anything that depends on the machine.
//!
//! Start reading at [`Program`], then [`lower`] and the module `demand`, which decides what is fused.

mod program;

mod lower;

mod coalesce;
mod cost;
mod demand;
mod index;
mod memory;
mod nest;
mod print;
mod product;

#[cfg(test)]
mod tests;

pub use lower::lower;
pub use memory::may_write_in_place;
pub use print::MemoryPlan;
pub use program::{
    Access, Block, Buffer, BufferId, BufferKind, Carried, Checks, Index, Inst, MatMul, Nest, Op,
    Port, Program, Reg, Sink, Step, StoreAt, SumOrder, SumPlace, WORKSPACE_ALIGN,
};
