//! Tests of derivatives, by subject.

mod harness;

mod control;
mod rules;
mod special;
mod structure;
