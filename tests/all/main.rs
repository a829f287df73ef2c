//! The tests of what a user can see, in one binary. A module a subject.

mod architecture;
mod generated;
mod session;
mod grammars;
mod spec;
