//! Every derivative against what does not come from it.
//!
//! A case is a program with a `@grad` function `loss`, written once for both float types, and a rule for its
//! gradients in closed form, or reference values from other tools. The compiled gradient must agree with central
//! differences of the compiled function and with the rule; the loss that comes with it must be the plain call's, bit
//! for bit. A case whose gradients are all zero proves nothing and fails. Changing any compared entry must make the
//! comparison fail: that is tested too.

#[path = "grad_differential/harness.rs"]
mod harness;
#[path = "grad_differential/arithmetic.rs"]
mod arithmetic;
#[path = "grad_differential/functions.rs"]
mod functions;
#[path = "grad_differential/structure.rs"]
mod structure;
#[path = "grad_differential/references.rs"]
mod references;
#[path = "grad_differential/loops.rs"]
mod loops;
