mod math;
mod numbers;
mod order;
