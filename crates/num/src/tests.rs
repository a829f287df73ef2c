//! Tests of numbers, by subject.

mod accuracy;
mod math;
mod numbers;
mod order;
