//! A gradient run in the JSON form that the command line prints and the server sends.

use neuro_db::run::{GradientRun, Value};
use serde_json::{Map, Value as Json, json};

use crate::Float;

/// The run as the object that `neurc grad --format json` prints. Keys of `inputs` and `gradients` are
/// parameter names.
pub fn gradient_report(run: &GradientRun) -> Json {
    json!({
        "function": run.function,
        "inputs": named(&run.inputs, input),
        "value": Float(run.value),
        "gradients": named(&run.gradients, tensor),
        "time_us": Float(run.time_us),
        "compile_us": Float(run.compile_us),
        "workspace_bytes": run.workspace_bytes,
    })
}

fn named(values: &[(String, Value)], form: fn(&Value) -> Json) -> Map<String, Json> {
    values.iter().map(|(name, value)| (name.clone(), form(value))).collect()
}

/// What has no extents is a plain number, as `--inputs` takes it.
fn input(value: &Value) -> Json {
    match (&value.shape[..], &value.data[..]) {
        ([], [element]) => json_element(&value.dtype, *element),
        _ => tensor(value),
    }
}

fn tensor(value: &Value) -> Json {
    let data: Vec<Json> =
        value.data.iter().map(|element| json_element(&value.dtype, *element)).collect();
    json!({ "shape": value.shape, "dtype": value.dtype, "data": data })
}

/// A number in the form of its type: integers without a point, truth values as such.
fn json_element(dtype: &str, value: f64) -> Json {
    match dtype.as_bytes().first() {
        Some(b'i') => json!(value as i64),
        Some(b'u') => json!(value as u64),
        Some(b'b') if dtype == "bool" => json!(value != 0.0),
        _ => json!(Float(value)),
    }
}
