//! Sums over axes.

use neuro_num::{DType, Overflow, Scalar, sum_checked};

use super::exactly;
use crate::{Axes, Dims, Tensor, Trap, Type, tensor::for_each_index};

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

pub(crate) fn eval(
    axes: &Axes,
    overflow: Overflow,
    operands: &[&Tensor],
    ty: &Type,
) -> Result<Tensor, Trap> {
    let a = operands[0];
    let run_dims: Dims = axes.iter().map(|axis| a.ty().dims[*axis]).collect();
    let mut sums = Vec::with_capacity(ty.elements());
    for_each_index(&ty.dims, |outer| {
        let mut run = Vec::new();
        for_each_index(&run_dims, |inner| run.push(a.at(&merge(axes, outer, inner))));
        sums.push(sum_checked(ty.dtype, &run, overflow));
    });
    let sums: Result<Vec<Scalar>, _> = sums.into_iter().collect();
    let sums = sums?;
    let mut next = sums.into_iter();
    Ok(Tensor::from_fn(ty, |_| next.next().unwrap_or(Scalar::zero(ty.dtype))))
}

/// The operand's index tuple from that of the result and that along the summed axes.
fn merge(axes: &Axes, outer: &[usize], inner: &[usize]) -> Dims {
    let (mut outer, mut inner) = (outer.iter(), inner.iter());
    let rank = outer.len() + inner.len();
    (0..rank)
        .filter_map(|axis| if axes.contains(&axis) { inner.next() } else { outer.next() })
        .copied()
        .collect()
}
