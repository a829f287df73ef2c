//! A gradient run in the JSON form that the command line prints and the server sends.

use neuro_db::run::{GradientRun, Value};
use serde_json::{Map, Value as Json, json};

use crate::Float;

/// The run as the object that `neurc grad --format json` prints. Keys of `inputs` and `gradients` are
/// parameter names.
pub fn gradient_report(run: &GradientRun) -> Json {
    json!({
        "function": run.function,
        "inputs": named(&run.inputs),
        "value": Float(run.value),
        "gradients": named(&run.gradients),
        "time_us": Float(run.time_us),
        "compile_us": Float(run.compile_us),
        "workspace_bytes": run.workspace_bytes,
    })
}

fn named(values: &[(String, Value)]) -> Map<String, Json> {
    values.iter().map(|(name, value)| (name.clone(), tensor(value))).collect()
}

fn tensor(value: &Value) -> Json {
    let data: Vec<Float> = value.data.iter().copied().map(Float).collect();
    json!({ "shape": value.shape, "dtype": value.dtype, "data": data })
}
