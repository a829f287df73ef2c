//! What running a program or a derivative gives, as plain data.

use serde::{Deserialize, Serialize};

/// A tensor or scalar value, flat and row-major.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Value {
    /// The extents; empty for a scalar or a rank-0 tensor.
    pub shape: Vec<u64>,
    /// The element type's name, as in `f32`.
    pub dtype: String,
    /// The elements, each exactly representable: `f32` widened to `f64`; integers beyond 2^53 are rounded.
    pub data: Vec<f64>,
}

/// What a `@grad` function gave at one point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GradientRun {
    /// The function's name.
    pub function: String,
    /// Parameter names and the values they had, in the order of the parameters.
    pub inputs: Vec<(String, Value)>,
    /// The loss.
    pub value: f64,
    /// Differentiated parameters and their gradients, in the order of the parameters.
    pub gradients: Vec<(String, Value)>,
    /// Time of one evaluation of loss and gradients, in microseconds.
    pub time_us: f64,
    /// Time to compile them, in microseconds.
    pub compile_us: f64,
    /// Bytes that the compiler planned for residuals and intermediate values.
    pub workspace_bytes: u64,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum RunEnd {
    /// `main` returned this status.
    Exited(i32),
    /// The program panicked or was killed by a signal; what it printed on standard error says why.
    Aborted {
        /// The signal's number.
        signal: i32,
    },
    /// A limit ended it.
    Limit(Limit),
    /// Somebody asked it to stop.
    Stopped,
}

/// A limit of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Limit {
    /// Wall-clock time.
    Time,
    /// Memory.
    Memory,
}
