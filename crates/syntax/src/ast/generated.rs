//! What is made from `syntax/neuro.ungram`: the types of nodes, and accessors of their parts.
//!
//! The test `tests::grammar` holds these files against the grammar, and writes them anew when `UPDATE_EXPECT`
//! is set. Edit the grammar instead.

mod items;
mod generics;
mod types;
mod patterns;
mod stmts;
mod exprs;

pub use exprs::*;
pub use generics::*;
pub use items::*;
pub use patterns::*;
pub use stmts::*;
pub use types::*;
