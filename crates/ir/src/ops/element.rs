//! Single elements: reading one, placing one among zeros, a tensor from all of them.

use neuro_num::{BinOp, Overflow, Scalar, binary};

use super::scalar_integer;
use crate::{Dims, Tensor, Trap, Type, tensor::flat};

pub(crate) fn infer_element(operands: &[&Type]) -> Result<Type, String> {
    let [a, positions @ ..] = operands else { return Err("takes a tensor".to_owned()) };
    positions_fit(a.rank(), positions)?;
    Ok(Type::scalar(a.dtype))
}

pub(crate) fn infer_scatter(dims: &Dims, operands: &[&Type]) -> Result<Type, String> {
    let [value, positions @ ..] = operands else { return Err("takes a scalar".to_owned()) };
    if value.rank() != 0 {
        return Err(format!("places a scalar, not {value}"));
    }
    positions_fit(dims.len(), positions)?;
    Ok(value.with_dims(dims.clone()))
}

pub(crate) fn infer_update(operands: &[&Type]) -> Result<Type, String> {
    let [a, value, positions @ ..] = operands else {
        return Err("takes a tensor and a scalar".to_owned());
    };
    if value.rank() != 0 || value.dtype != a.dtype {
        return Err(format!("puts a scalar of its own type into {a}, not {value}"));
    }
    positions_fit(a.rank(), positions)?;
    Ok((*a).clone())
}

pub(crate) fn infer_pack(dims: &Dims, operands: &[&Type]) -> Result<Type, String> {
    let [first, ..] = operands else {
        return Err("needs at least one element".to_owned());
    };
    if let Some(other) = operands.iter().find(|ty| ty.rank() != 0 || ty.dtype != first.dtype) {
        return Err(format!("elements are scalars of one type, not {first} and {other}"));
    }
    let result = first.with_dims(dims.clone());
    if result.elements() != operands.len() {
        return Err(format!("{result} has {} elements, not {}", result.elements(), operands.len()));
    }
    Ok(result)
}

fn positions_fit(rank: usize, positions: &[&Type]) -> Result<(), String> {
    if positions.len() != rank {
        return Err(format!("needs {rank} positions, not {}", positions.len()));
    }
    positions.iter().try_for_each(|ty| scalar_integer(ty))
}

pub(crate) fn eval_element(operands: &[&Tensor]) -> Result<Tensor, Trap> {
    let a = operands[0];
    let index = in_bounds(&a.ty().dims, &operands[1..]).ok_or(Trap::OutOfBounds)?;
    Ok(Tensor::scalar(a.at(&index)))
}

pub(crate) fn eval_scatter(operands: &[&Tensor], ty: &Type) -> Tensor {
    match in_bounds(&ty.dims, &operands[1..]) {
        Some(place) => Tensor::from_fn(ty, |index| {
            if index == place.as_slice() { operands[0].at(&[]) } else { Scalar::zero(ty.dtype) }
        }),
        None => Tensor::zeros(ty),
    }
}

pub(crate) fn eval_update(add: bool, operands: &[&Tensor]) -> Result<Tensor, Trap> {
    let (a, value) = (operands[0], operands[1].at(&[]));
    let Some(place) = in_bounds(&a.ty().dims, &operands[2..]) else {
        return if add { Ok(a.clone()) } else { Err(Trap::OutOfBounds) };
    };
    let value = if add { binary(BinOp::Add, a.at(&place), value, Overflow::Wrap)? } else { value };
    let mut updated = a.clone();
    updated.put(&place, value);
    Ok(updated)
}

pub(crate) fn eval_pack(operands: &[&Tensor], ty: &Type) -> Tensor {
    Tensor::from_fn(ty, |index| operands[flat(&ty.dims, index)].at(&[]))
}

/// Positions as an index tuple; `None` when one is out of bounds.
fn in_bounds(dims: &[usize], positions: &[&Tensor]) -> Option<Dims> {
    dims.iter()
        .zip(positions)
        .map(|(dim, position)| {
            let position = usize::try_from(position.item()?.as_int()?).ok()?;
            (position < *dim).then_some(position)
        })
        .collect()
}
