mod harness;

mod control;
mod rules;
mod special;
mod structure;
