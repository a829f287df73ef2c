//! Constants.

use std::sync::Arc;

use neuro_num::Scalar;

use super::exactly;
use crate::{Tensor, Type, tensor::flat};

/// A tensor constant: its type and its elements in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dense {
    ty: Type,
    data: Arc<[Scalar]>,
}

impl Dense {
    /// A constant; `None` when the number or type of the elements does not fit.
    pub fn new(ty: Type, data: impl Into<Arc<[Scalar]>>) -> Option<Dense> {
        let data = data.into();
        let fits = data.len() == ty.elements() && data.iter().all(|v| v.dtype() == ty.dtype);
        fits.then_some(Dense { ty, data })
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The elements in row-major order.
    pub fn data(&self) -> &[Scalar] {
        &self.data
    }
}

pub(crate) fn infer_const(value: Scalar, operands: &[&Type]) -> Result<Type, String> {
    exactly::<0>(operands).map(|[]| Type::scalar(value.dtype()))
}

pub(crate) fn infer_dense(dense: &Dense, operands: &[&Type]) -> Result<Type, String> {
    exactly::<0>(operands).map(|[]| dense.ty.clone())
}

pub(crate) fn eval_dense(dense: &Dense) -> Tensor {
    Tensor::from_fn(&dense.ty, |index| dense.data[flat(&dense.ty.dims, index)])
}
