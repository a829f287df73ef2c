//! Floats in JSON that read back to the same value, whatever the value.
//!
//! JSON has no word for what is not finite, so those are the texts `"NaN"`, `"inf"` and `"-inf"`; this is
//! the form of the command line's JSON too.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A float with that form.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Float(pub f64);

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_nan() => serializer.serialize_str("NaN"),
            f64::INFINITY => serializer.serialize_str("inf"),
            f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            value => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FloatVisitor)
    }
}

struct FloatVisitor;

impl Visitor<'_> for FloatVisitor {
    type Value = Float;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Float, E> {
        Ok(Float(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Float, E> {
        Ok(Float(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Float, E> {
        Ok(Float(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Float, E> {
        match text {
            "NaN" => Ok(Float(f64::NAN)),
            "inf" => Ok(Float(f64::INFINITY)),
            "-inf" => Ok(Float(f64::NEG_INFINITY)),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }
}

/// A [`neuro_db::run::GradientRun`] on the wire.
pub(crate) mod gradient_run {
    use neuro_db::run::{GradientRun, Value};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Float;

    #[derive(Serialize, Deserialize)]
    struct WireValue {
        shape: Vec<u64>,
        dtype: String,
        data: Vec<Float>,
    }

    #[derive(Serialize, Deserialize)]
    struct WireRun {
        function: String,
        inputs: Vec<(String, WireValue)>,
        value: Float,
        gradients: Vec<(String, WireValue)>,
        time_us: Float,
        compile_us: Float,
        workspace_bytes: u64,
    }

    fn to_wire(named: &[(String, Value)]) -> Vec<(String, WireValue)> {
        let wire = |value: &Value| WireValue {
            shape: value.shape.clone(),
            dtype: value.dtype.clone(),
            data: value.data.iter().copied().map(Float).collect(),
        };
        named.iter().map(|(name, value)| (name.clone(), wire(value))).collect()
    }

    fn from_wire(named: Vec<(String, WireValue)>) -> Vec<(String, Value)> {
        let value = |wire: WireValue| Value {
            shape: wire.shape,
            dtype: wire.dtype,
            data: wire.data.into_iter().map(|float| float.0).collect(),
        };
        named.into_iter().map(|(name, wire)| (name, value(wire))).collect()
    }

    pub(crate) fn serialize<S: Serializer>(
        run: &GradientRun,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let wire = WireRun {
            function: run.function.clone(),
            inputs: to_wire(&run.inputs),
            value: Float(run.value),
            gradients: to_wire(&run.gradients),
            time_us: Float(run.time_us),
            compile_us: Float(run.compile_us),
            workspace_bytes: run.workspace_bytes,
        };
        wire.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<GradientRun, D::Error> {
        let wire = WireRun::deserialize(deserializer)?;
        Ok(GradientRun {
            function: wire.function,
            inputs: from_wire(wire.inputs),
            value: wire.value.0,
            gradients: from_wire(wire.gradients),
            time_us: wire.time_us.0,
            compile_us: wire.compile_us.0,
            workspace_bytes: wire.workspace_bytes,
        })
    }
}
