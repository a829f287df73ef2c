//! Elementwise ops.

use neuro_num::{BinOp, DType, MathFn, UnOp};

use super::exactly;
use crate::Type;

pub(crate) fn infer_unary(op: UnOp, operands: &[&Type]) -> Result<Type, String> {
    let [a] = exactly(operands)?;
    if !op.applies_to(a.dtype) {
        return Err(format!("is not defined on {}", a.dtype));
    }
    Ok(a.clone())
}

pub(crate) fn infer_binary(op: BinOp, operands: &[&Type]) -> Result<Type, String> {
    let a = two_alike(operands)?;
    if !op.applies_to(a.dtype) {
        return Err(format!("is not defined on {}", a.dtype));
    }
    Ok(a.clone())
}

pub(crate) fn infer_math(function: MathFn, operands: &[&Type]) -> Result<Type, String> {
    let arity = function.arity();
    if operands.len() != arity {
        return Err(format!("takes {arity} operands, not {}", operands.len()));
    }
    let a = operands[0];
    if !a.dtype.is_float() {
        return Err(format!("is defined on floats, not on {}", a.dtype));
    }
    match operands.iter().find(|b| **b != a) {
        Some(b) => Err(differ(a, b)),
        None => Ok(a.clone()),
    }
}

pub(crate) fn infer_compare(operands: &[&Type]) -> Result<Type, String> {
    two_alike(operands).map(|a| a.with_dtype(DType::Bool))
}

pub(crate) fn infer_select(operands: &[&Type]) -> Result<Type, String> {
    let [mask, a, b] = exactly(operands)?;
    if mask.dtype != DType::Bool {
        return Err(format!("the mask is bool, not {mask}"));
    }
    if a != b {
        return Err(differ(a, b));
    }
    if mask.rank() != 0 && mask.dims != a.dims {
        return Err(format!("the mask {mask} is neither a scalar nor shaped like {a}"));
    }
    Ok(a.clone())
}

pub(crate) fn infer_convert(dtype: DType, operands: &[&Type]) -> Result<Type, String> {
    exactly(operands).map(|[a]| a.with_dtype(dtype))
}

fn two_alike<'t>(operands: &[&'t Type]) -> Result<&'t Type, String> {
    let [a, b] = exactly(operands)?;
    if a == b { Ok(a) } else { Err(differ(a, b)) }
}

fn differ(a: &Type, b: &Type) -> String {
    format!("operands have different types, {a} and {b}")
}
