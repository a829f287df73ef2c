//! Sums over axes.

use neuro_num::DType;

use super::exactly;
use crate::{Axes, Type};

pub(crate) fn infer(axes: &Axes, operands: &[&Type]) -> Result<Type, String> {
    let [a] = exactly(operands)?;
    if a.dtype == DType::Bool {
        return Err("is not defined on bool".to_owned());
    }
    if !axes.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(format!("axes {:?} do not ascend", axes.as_slice()));
    }
    if let Some(axis) = axes.iter().find(|axis| **axis >= a.rank()) {
        return Err(format!("axis {axis} does not exist in {a}"));
    }
    Ok(a.with_dims(kept(axes, a).collect()))
}

/// The extents of the axes that are not summed.
fn kept(axes: &Axes, a: &Type) -> impl Iterator<Item = usize> {
    a.dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, dim)| *dim)
}
