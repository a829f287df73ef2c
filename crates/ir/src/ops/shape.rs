//! Ops that only rearrange elements.

use super::exactly;
use crate::{Axes, Dims, Tensor, Type};

pub(crate) fn infer_broadcast(
    dims: &Dims,
    axes: &Axes,
    operands: &[&Type],
) -> Result<Type, String> {
    let [a] = exactly(operands)?;
    if axes.len() != a.rank() {
        return Err(format!("maps {} axes of {a}, which has {}", axes.len(), a.rank()));
    }
    if !axes.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(format!("axes {:?} do not ascend", axes.as_slice()));
    }
    for (axis, (target, extent)) in axes.iter().zip(&a.dims).enumerate() {
        match dims.get(*target) {
            None => return Err(format!("axis {target} does not exist in {:?}", dims.as_slice())),
            Some(to) if extent != to && *extent != 1 => {
                return Err(format!("axis {axis} of {a} does not stretch to {to}"));
            }
            Some(_) => {}
        }
    }
    Ok(a.with_dims(dims.clone()))
}

pub(crate) fn infer_reshape(dims: &Dims, operands: &[&Type]) -> Result<Type, String> {
    let [a] = exactly(operands)?;
    let result = a.with_dims(dims.clone());
    if result.elements() != a.elements() {
        return Err(format!(
            "{a} has {} elements, {result} has {}",
            a.elements(),
            result.elements()
        ));
    }
    Ok(result)
}

/// A fence changes nothing of the value.
pub(crate) fn infer_detach(operands: &[&Type]) -> Result<Type, String> {
    exactly::<1>(operands).map(|[a]| a.clone())
}

pub(crate) fn infer_transpose(perm: &Axes, operands: &[&Type]) -> Result<Type, String> {
    let [a] = exactly(operands)?;
    let mut sorted = perm.clone();
    sorted.sort_unstable();
    if sorted.len() != a.rank() || sorted.iter().enumerate().any(|(want, axis)| want != *axis) {
        return Err(format!("{:?} is no order of the axes of {a}", perm.as_slice()));
    }
    Ok(a.with_dims(perm.iter().map(|axis| a.dims[*axis]).collect()))
}

pub(crate) fn eval_broadcast(axes: &Axes, operands: &[&Tensor], ty: &Type) -> Tensor {
    let a = operands[0];
    Tensor::from_fn(ty, |index| {
        let source: Dims = axes
            .iter()
            .zip(&a.ty().dims)
            .map(|(target, extent)| if *extent == 1 { 0 } else { index[*target] })
            .collect();
        a.at(&source)
    })
}

pub(crate) fn eval_transpose(perm: &Axes, operands: &[&Tensor], ty: &Type) -> Tensor {
    Tensor::from_fn(ty, |index| {
        let mut source = Dims::from_elem(0, perm.len());
        for (axis, index) in perm.iter().zip(index) {
            source[*axis] = *index;
        }
        operands[0].at(&source)
    })
}
