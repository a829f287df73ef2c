//! Machine code: MIR and loop programs to Cranelift, and from there into this process or into object files.
//!
//! Owns the compiler with its cache of finished code ([`Compiler`]), the emission of MIR bodies, of loop
//! programs (`graph`) and of the code that joins them, compiled programs and gradients ([`Program`],
//! [`GradientEntry`]), object files ([`build_program`]), and the positions of panics.
//!
//! Never decides what a derivative computes, how loops are formed or who owns a value: it translates what
//! `neuro-grad`, `neuro-loops` and `neuro-mir` say. Never puts code into a query's result: it lives in the
//! [`Compiler`] and is found again by the hash of its own text.
//!
//! Start at [`Compiler`], then `function`, then `body` and `raised`.

mod build;
mod compiler;
mod error;
mod exports;
mod gradient;
mod program;

mod abi;
mod layout;
mod function;

mod body;
mod entry;
mod raised;

mod block;
mod callee;
mod graph;
mod piece;
mod half;
mod scalar;

mod imports;
mod inline;
mod jit;
mod machine;
mod object;
mod promote;
mod sites;

#[cfg(test)]
mod tests;

pub use build::{build_library, build_program, program_clif, program_ir};
pub use compiler::{Compiler, Options, Work};
pub use error::CompileError;
pub use exports::NotExported;
pub use gradient::{GradientEntry, Gradients, InputError};
pub use program::Program;
