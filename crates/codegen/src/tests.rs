//! Programs from text to their output; gradients against differences; what is compiled again after an edit.

mod cache;
mod gradients;
mod harness;
mod leaks;
mod loops;
mod panics;
mod programs;
mod aggregates;
