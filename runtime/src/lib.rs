//! The memory, output and kernels of compiled Neuro programs: everything that generated code calls.
//!
//! Owns tensor blocks and their gradient slots ([`block`]), the arenas of `pool` blocks ([`pool`]), the
//! last-in-first-out store of residuals ([`residuals`]) and what loops keep there, texts ([`text`]), maps ([`map`]), buffered
//! standard output and the text of holes ([`output`]), panics and the table of their positions ([`panics`]), the messages
//! of faults ([`signals`]), matrix products and sums ([`kernels`]), the start of an executable ([`start`]), calls from C
//! ([`guard`]), and the list of all these under the names by which generated
//! code knows them ([`mod@symbols`]).
//!
//! Never compiles, never knows a shape beyond the number of bytes or elements it is given, never unwinds:
//! what goes wrong ends the process with a message. A program runs on one thread, and all state belongs to
//! that thread.
//!
//! It is linked in two ways: into the compiler, for programs that run in its worker, and as a static library into what
//! `neurc build` makes. So every function that generated code calls has its name twice, in [`symbols()`] and as
//! `export_name`; a test compares.
//!
//! Start at [`block`], then [`mod@symbols`].

pub mod block;
pub mod pool;
mod history;
mod vector;
pub mod map;
pub mod residuals;
pub mod text;

pub mod output;
pub mod panics;
pub mod signals;
pub mod start;
pub mod guard;

pub mod kernels;
pub mod symbols;

mod chunks;
mod memory;
#[cfg(test)]
mod tests;

pub use block::{DATA_OFFSET, live_blocks};
pub use history::{HISTORY_END, HISTORY_HEADER, HISTORY_TOP};
pub use panics::{PanicKind, Site, StaticSite, set_sites};
pub use symbols::symbols;
