mod random;

mod evaluation;
mod simplification;
mod text;
mod verification;
