//! Elementwise ops.

use neuro_num::{
    ArithError, BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp, binary, cast, compare, unary,
};

use super::exactly;
use crate::{Tensor, Trap, Type};

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

pub(crate) fn eval_unary(
    op: UnOp,
    overflow: Overflow,
    operands: &[&Tensor],
    ty: &Type,
) -> Result<Tensor, Trap> {
    elementwise(operands, ty, |x| Ok(unary(op, x[0], overflow)?))
}

pub(crate) fn eval_binary(
    op: BinOp,
    overflow: Overflow,
    operands: &[&Tensor],
    ty: &Type,
) -> Result<Tensor, Trap> {
    elementwise(operands, ty, |x| Ok(binary(op, x[0], x[1], overflow)?))
}

pub(crate) fn eval_math(function: MathFn, operands: &[&Tensor], ty: &Type) -> Result<Tensor, Trap> {
    elementwise(operands, ty, |x| function.eval(x).ok_or(Trap::Arith(ArithError::Undefined)))
}

pub(crate) fn eval_compare(op: CmpOp, operands: &[&Tensor], ty: &Type) -> Tensor {
    let [a, b] = [operands[0], operands[1]];
    Tensor::from_fn(ty, |index| {
        Scalar::bool(compare(op, a.at(index), b.at(index)).unwrap_or(false))
    })
}

pub(crate) fn eval_select(operands: &[&Tensor], ty: &Type) -> Tensor {
    let mask = operands[0];
    Tensor::from_fn(ty, |index| {
        let taken = if mask.ty().rank() == 0 { mask.at(&[]) } else { mask.at(index) };
        operands[if taken.bits() != 0 { 1 } else { 2 }].at(index)
    })
}

pub(crate) fn eval_convert(operands: &[&Tensor], ty: &Type) -> Tensor {
    Tensor::from_fn(ty, |index| cast(operands[0].at(index), ty.dtype))
}

/// Applies `f` to the elements at each position; the first trap in row-major order wins.
fn elementwise(
    operands: &[&Tensor],
    ty: &Type,
    f: impl Fn(&[Scalar]) -> Result<Scalar, Trap>,
) -> Result<Tensor, Trap> {
    let mut trap = None;
    let result = Tensor::from_fn(ty, |index| {
        let elements: Vec<Scalar> = operands.iter().map(|operand| operand.at(index)).collect();
        f(&elements).unwrap_or_else(|error| {
            trap.get_or_insert(error);
            Scalar::zero(ty.dtype)
        })
    });
    trap.map_or(Ok(result), Err)
}
