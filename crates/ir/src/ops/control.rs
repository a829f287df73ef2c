//! Control: assertions, branches, loops, the history of loops.

use neuro_num::DType;
use smallvec::{SmallVec, smallvec};

use super::exactly;
use crate::{RegionType, Type};

type Inferred = Result<SmallVec<[Type; 1]>, String>;

pub(crate) fn infer_assert(operands: &[&Type]) -> Inferred {
    let [condition] = exactly(operands)?;
    scalar_bool(condition)?;
    Ok(smallvec![])
}

pub(crate) fn infer_if(operands: &[&Type], regions: &[RegionType]) -> Inferred {
    let [condition] = exactly(operands)?;
    scalar_bool(condition)?;
    let [then, otherwise] = regions else {
        return Err(format!("takes 2 regions, not {}", regions.len()));
    };
    if !then.params.is_empty() || !otherwise.params.is_empty() {
        return Err("its regions take no parameters".to_owned());
    }
    if then.results != otherwise.results {
        return Err("its regions give different types".to_owned());
    }
    Ok(then.results.iter().cloned().collect())
}

pub(crate) fn infer_while(operands: &[&Type], regions: &[RegionType]) -> Inferred {
    let [condition, body] = regions else {
        return Err(format!("takes 2 regions, not {}", regions.len()));
    };
    let carried = |types: &[Type]| types.iter().eq(operands.iter().copied());
    if !carried(&condition.params) || !carried(&body.params) || !carried(&body.results) {
        return Err("carried values change their types".to_owned());
    }
    let [test] = condition.results.as_slice() else {
        return Err("its condition gives one value".to_owned());
    };
    scalar_bool(test)?;
    Ok(operands.iter().map(|ty| (*ty).clone()).collect())
}

pub(crate) fn infer_push(operands: &[&Type]) -> Inferred {
    if operands.is_empty() {
        return Err("keeps at least one value".to_owned());
    }
    Ok(smallvec![])
}

pub(crate) fn infer_pop(types: &[Type], operands: &[&Type]) -> Inferred {
    exactly::<0>(operands)?;
    Ok(types.iter().cloned().collect())
}

fn scalar_bool(ty: &Type) -> Result<(), String> {
    if ty.rank() == 0 && ty.dtype == DType::Bool {
        Ok(())
    } else {
        Err(format!("the condition is a scalar bool, not {ty}"))
    }
}
