//! Tests of graph IR, by subject.

mod random;

mod evaluation;
mod simplification;
mod text;
mod verification;
