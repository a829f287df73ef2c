mod harness;

mod rules;
mod special;
mod structure;
