//! The point at which a gradient is evaluated: values from JSON, and samples for what is not given.

use neuro_db::run::Value;
use neuro_exec::Float;
use neuro_num::DType;
use neuro_types::{FnSig, Ty};
use serde_json::{Map, Value as Json};

/// The values of a function's parameters, in order: those given by name, and samples for the others.
/// An error is a sentence for each value that does not fit.
pub(crate) fn values(
    function: &str,
    sig: &FnSig,
    given: &Map<String, Json>,
    seed: u64,
) -> Result<Vec<(String, Value)>, Vec<String>> {
    let mut errors = Vec::new();
    for name in given.keys() {
        if !sig.params.iter().any(|param| param.name == name.as_str()) {
            errors.push(format!("`{function}` has no parameter `{name}`"));
        }
    }
    let mut values = Vec::with_capacity(sig.params.len());
    for param in &sig.params {
        let value = Target::of(&param.ty).and_then(|target| match given.get(param.name.as_str()) {
            Some(json) => target.parse(json),
            None => Ok(target.sample(fnv1a(&format!("{function}.{}", param.name)) ^ seed)),
        });
        match value {
            Ok(value) => values.push((param.name.to_string(), value)),
            Err(reason) => errors.push(format!("`{}` {reason}", param.name)),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

/// What a value has to be.
struct Target {
    dtype: DType,
    /// None for a scalar.
    shape: Option<Vec<u64>>,
    elements: usize,
}

impl Target {
    fn of(ty: &Ty) -> Result<Self, String> {
        match ty.peeled() {
            Ty::Scalar(dtype) => Ok(Self { dtype: *dtype, shape: None, elements: 1 }),
            Ty::Tensor(tensor) => {
                let shape = tensor.shape.known();
                let shape = shape.ok_or_else(|| format!("has no extents yet: {tensor}"))?;
                let elements =
                    tensor.shape.elements().and_then(|count| usize::try_from(count).ok());
                let elements = elements.ok_or_else(|| format!("is too large: {tensor}"))?;
                Ok(Self { dtype: tensor.elem, shape: Some(shape.to_vec()), elements })
            }
            other => Err(format!("is of type `{other}`, which cannot be given as an input")),
        }
    }

    fn value(&self, data: Vec<f64>) -> Value {
        let shape = self.shape.clone().unwrap_or_default();
        Value { shape, dtype: self.dtype.name().to_owned(), data }
    }

    /// Floats uniform in [-1, 1), integers 1, truth values `true`.
    fn sample(&self, state: u64) -> Value {
        let mut state = state;
        let mut draw = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            2.0 * ((state >> 11) as f64 / (1u64 << 53) as f64) - 1.0
        };
        let element = |_| if self.dtype.is_float() { self.round(draw()) } else { 1.0 };
        self.value((0..self.elements).map(element).collect())
    }

    /// The element nearest to a float.
    fn round(&self, value: f64) -> f64 {
        if self.dtype == DType::F32 { f64::from(value as f32) } else { value }
    }

    /// A number, a truth value; for a tensor an object with `data`, or nested lists.
    fn parse(&self, json: &Json) -> Result<Value, String> {
        let Some(shape) = &self.shape else {
            return Ok(self.value(vec![self.element(json)?]));
        };
        let mut data = Vec::with_capacity(self.elements);
        match json {
            Json::Object(object) => {
                self.check_header(object)?;
                let list = object.get("data").and_then(Json::as_array);
                for element in list.ok_or("has no list \"data\"")? {
                    data.push(self.element(element)?);
                }
                if data.len() != self.elements {
                    let (have, want) = (data.len(), self.elements);
                    return Err(format!("has {have} elements in \"data\"; its type has {want}"));
                }
            }
            nested => self.flatten(nested, shape, &mut data)?,
        }
        Ok(self.value(data))
    }

    /// What an object says of its type must be true; it may say nothing.
    fn check_header(&self, object: &Map<String, Json>) -> Result<(), String> {
        let shape = Json::from(self.shape.clone().unwrap_or_default());
        for (key, expected) in [("shape", shape), ("dtype", Json::from(self.dtype.name()))] {
            if let Some(found) = object.get(key)
                && *found != expected
            {
                return Err(format!("has \"{key}\" {found}; its type has {expected}"));
            }
        }
        Ok(())
    }

    fn flatten(&self, json: &Json, shape: &[u64], data: &mut Vec<f64>) -> Result<(), String> {
        let [extent, inner @ ..] = shape else {
            data.push(self.element(json)?);
            return Ok(());
        };
        let list = json.as_array().filter(|list| list.len() as u64 == *extent);
        let list = list.ok_or_else(|| format!("needs a list of {extent} where {json} stands"))?;
        list.iter().try_for_each(|element| self.flatten(element, inner, data))
    }

    fn element(&self, json: &Json) -> Result<f64, String> {
        let name = self.dtype.name();
        let unfit = || format!("cannot hold {json} as `{name}`");
        if self.dtype == DType::Bool {
            return json.as_bool().map(|flag| if flag { 1.0 } else { 0.0 }).ok_or_else(unfit);
        }
        if let Some((least, greatest)) = self.dtype.int_range() {
            let wide = json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from));
            let fits = wide.filter(|int| (least..=greatest).contains(int));
            return fits.map(|int| int as f64).ok_or_else(unfit);
        }
        let Float(value) = serde_json::from_value(json.clone()).map_err(|_| unfit())?;
        Ok(self.round(value))
    }
}

/// The 64-bit FNV-1a hash.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;
