//! The tests of what a user can see, in one binary. A module a subject.

mod architecture;
mod build;
mod check;
mod cli;
mod cuts;
mod deletions;
mod fixes;
mod generated;
mod grammars;
mod incremental;
mod memory;
mod programs;
mod random;
mod random_edits;
mod session;
mod spec;
