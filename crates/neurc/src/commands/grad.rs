//! `neurc grad`: a loss and its gradients at one point.

use neuro_exec::{Limits, RunKind, RunRequest};
use serde_json::{Map, Value};

use super::{Outcome, follow, run};
use crate::cli::{GradArgs, GradFormat};
use crate::output;
use crate::render::gradient;
use crate::source::{Loaded, Source, split_function};

/// Evaluates a function and prints inputs, loss and gradients.
pub(crate) fn execute(args: &GradArgs) -> Outcome {
    let (path, function) = split_function(&args.function)?;
    let mut program = Loaded::read(path)?;
    let inputs = match &args.inputs {
        Some(path) => read_inputs(path)?,
        None => Map::new(),
    };
    if let Some(status) = run::refused(&mut program, function)? {
        return Ok(status);
    }
    let request = RunRequest {
        root: program.path(),
        kind: RunKind::Gradient { function: function.to_owned(), inputs, seed: args.seed },
        opt_level: args.optimization.level,
        limits: Limits::default(),
    };
    let followed = follow::follow(&program, request)?;
    let Some(result) = followed.gradient else {
        return Ok(followed.status);
    };
    let text = match args.format {
        GradFormat::Human => gradient::human(&result),
        GradFormat::Json => gradient::json(&result),
    };
    output::finish(&text, followed.status)
}

/// The values of a JSON file: an object by parameter name, or a whole result with its `inputs`.
fn read_inputs(path: &str) -> Result<Map<String, Value>, String> {
    let source = Source::read(path)?;
    let wrong = |reason: String| format!("`{path}` holds no inputs: {reason}");
    let json = serde_json::from_str(&source.text).map_err(|error| wrong(error.to_string()))?;
    let Value::Object(mut object) = json else {
        return Err(wrong("it is no JSON object".to_owned()));
    };
    match (object.contains_key("function"), object.remove("inputs")) {
        (true, Some(Value::Object(inputs))) => Ok(inputs),
        (_, Some(inputs)) => {
            object.insert("inputs".to_owned(), inputs);
            Ok(object)
        }
        (_, None) => Ok(object),
    }
}
