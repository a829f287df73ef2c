//! Single elements: reading one, placing one among zeros, a tensor from all of them.

use super::scalar_integer;
use crate::{Dims, Type};

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
