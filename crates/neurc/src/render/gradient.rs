//! The result of a gradient run.

use std::fmt::Write;

use neuro_db::run::{GradientRun, Value};
use neuro_exec::Float;
use neuro_num::{DType, float_shortest};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// Tensors of more elements are summed up instead of shown.
const SHOWN_ELEMENTS: usize = 64;

/// For people: inputs, loss and gradients, small tensors as rows.
pub(crate) fn human(run: &GradientRun) -> String {
    let mut text = String::new();
    section(&mut text, "inputs", &run.inputs);
    let dtype = run.gradients.first().map_or("f64", |(_, gradient)| gradient.dtype.as_str());
    let mut line = |what: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{what}");
    };
    line(format!("{} = {}\n", run.function, number(dtype, run.value)));
    section(&mut text, "gradients", &run.gradients);
    let (time, compile) = (microseconds(run.time_us), microseconds(run.compile_us));
    let memory = format!("{} bytes of workspace", run.workspace_bytes);
    let _ = writeln!(text, "{time} an evaluation, {compile} to compile, {memory}");
    text
}

fn section(text: &mut String, title: &str, values: &[(String, Value)]) {
    let _ = writeln!(text, "{title}");
    for (name, value) in values {
        match (&value.shape[..], &value.data[..]) {
            ([], [element]) => {
                let _ = writeln!(
                    text,
                    "  {name}: {} = {}",
                    value.dtype,
                    number(&value.dtype, *element)
                );
            }
            (shape, _) => {
                let _ = writeln!(text, "  {name}: Tensor<{}, {shape:?}>", value.dtype);
                text.push_str(&elements(value));
            }
        }
    }
    text.push('\n');
}

fn elements(value: &Value) -> String {
    if value.data.len() > SHOWN_ELEMENTS {
        return summary(value);
    }
    let numbers: Vec<String> =
        value.data.iter().map(|element| number(&value.dtype, *element)).collect();
    let width = numbers.iter().map(|number| number.len()).max().unwrap_or(0);
    let columns = value.shape.last().map_or(1, |extent| *extent as usize).max(1);
    // Matrices of a tensor of higher rank are set apart by an empty line.
    let matrix = value.shape.iter().rev().nth(1).map_or(usize::MAX, |extent| *extent as usize);
    let mut text = String::new();
    for (index, row) in numbers.chunks(columns).enumerate() {
        if index > 0 && index % matrix == 0 {
            text.push('\n');
        }
        let row: Vec<String> = row.iter().map(|number| format!("{number:>width$}")).collect();
        let _ = writeln!(text, "    {}", row.join("  "));
    }
    text
}

/// Count, least, greatest and length of a tensor that is too large to show.
fn summary(value: &Value) -> String {
    let least = value.data.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = value.data.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let norm = value.data.iter().map(|element| element * element).sum::<f64>().sqrt();
    let not_numbers = value.data.iter().filter(|element| element.is_nan()).count();
    let mut text = format!(
        "    {} elements from {} to {}, norm {norm:.6e}",
        value.data.len(),
        number(&value.dtype, least),
        number(&value.dtype, greatest),
    );
    if not_numbers > 0 {
        let _ = write!(text, ", {not_numbers} of them NaN");
    }
    text.push('\n');
    text
}

/// The shortest text of an element.
fn number(dtype: &str, value: f64) -> String {
    match DType::from_name(dtype) {
        Some(DType::F32) => float_shortest(value as f32),
        Some(DType::Bool) => (value != 0.0).to_string(),
        Some(dtype) if dtype.is_int() => format!("{value:.0}"),
        _ => float_shortest(value),
    }
}

fn microseconds(time: f64) -> String {
    match time {
        time if time >= 1e6 => format!("{:.2} s", time / 1e6),
        time if time >= 1e3 => format!("{:.2} ms", time / 1e3),
        time => format!("{time:.2} us"),
    }
}

#[derive(Serialize)]
struct JsonRun<'a> {
    function: &'a str,
    #[serde(serialize_with = "inputs")]
    inputs: &'a [(String, Value)],
    value: Float,
    #[serde(serialize_with = "tensors")]
    gradients: &'a [(String, Value)],
    time_us: Float,
    compile_us: Float,
    workspace_bytes: u64,
}

#[derive(Serialize)]
struct JsonTensor<'a> {
    shape: &'a [u64],
    dtype: &'a str,
    data: Elements<'a>,
}

impl<'a> JsonTensor<'a> {
    fn new(value: &'a Value) -> Self {
        Self { shape: &value.shape, dtype: &value.dtype, data: Elements(value) }
    }
}

/// For programs: a JSON object on a line.
pub(crate) fn json(run: &GradientRun) -> String {
    let json = JsonRun {
        function: &run.function,
        inputs: &run.inputs,
        value: Float(run.value),
        gradients: &run.gradients,
        time_us: Float(run.time_us),
        compile_us: Float(run.compile_us),
        workspace_bytes: run.workspace_bytes,
    };
    // Texts and numbers always have a form in JSON.
    serde_json::to_string(&json).unwrap_or_default() + "\n"
}

/// By name: scalars plain, tensors with their type.
fn inputs<S: Serializer>(values: &[(String, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Input<'a> {
        Scalar(Element<'a>),
        Tensor(JsonTensor<'a>),
    }
    serializer.collect_map(values.iter().map(|(name, value)| {
        let input = match (&value.shape[..], &value.data[..]) {
            ([], [element]) => Input::Scalar(Element { dtype: &value.dtype, value: *element }),
            _ => Input::Tensor(JsonTensor::new(value)),
        };
        (name, input)
    }))
}

/// By name, each with its type.
fn tensors<S: Serializer>(values: &[(String, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, JsonTensor::new(value))))
}

struct Elements<'a>(&'a Value);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.data.len()))?;
        for value in &self.0.data {
            list.serialize_element(&Element { dtype: &self.0.dtype, value: *value })?;
        }
        list.end()
    }
}

/// A number in the form of its type: integers without a point, truth values as such.
struct Element<'a> {
    dtype: &'a str,
    value: f64,
}

impl Serialize for Element<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match DType::from_name(self.dtype) {
            Some(DType::Bool) => serializer.serialize_bool(self.value != 0.0),
            Some(dtype) if dtype.is_int() => match self.value < 0.0 {
                true => serializer.serialize_i64(self.value as i64),
                false => serializer.serialize_u64(self.value as u64),
            },
            _ => Float(self.value).serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests;
