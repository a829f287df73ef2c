//! Values of the evaluator.

use neuro_num::{DType, Scalar};

use crate::Type;

/// A tensor with its elements in row-major order.
///
/// Equality is on the bits, so not-a-number equals itself and the two zeros differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    ty: Type,
    data: Vec<Scalar>,
}

impl Tensor {
    /// A tensor; `None` when the number or type of the elements does not fit.
    pub fn new(ty: Type, data: Vec<Scalar>) -> Option<Tensor> {
        let fits = data.len() == ty.elements() && data.iter().all(|v| v.dtype() == ty.dtype);
        fits.then_some(Tensor { ty, data })
    }

    /// A scalar.
    pub fn scalar(value: Scalar) -> Tensor {
        Tensor { ty: Type::scalar(value.dtype()), data: vec![value] }
    }

    /// All elements the same.
    pub fn splat(ty: Type, value: Scalar) -> Option<Tensor> {
        let data = vec![value; ty.elements()];
        Tensor::new(ty, data)
    }

    /// A float tensor from numbers, rounded to the type's elements; `None` when the number does not fit.
    pub fn from_f64s(ty: Type, values: &[f64]) -> Option<Tensor> {
        let data: Option<Vec<Scalar>> =
            values.iter().map(|value| Scalar::float(ty.dtype, *value)).collect();
        Tensor::new(ty, data?)
    }

    /// The elements as numbers, rounded where `f64` cannot hold them.
    pub fn to_f64s(&self) -> Vec<f64> {
        self.data.iter().map(|value| value.to_f64()).collect()
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The elements in row-major order.
    pub fn data(&self) -> &[Scalar] {
        &self.data
    }

    /// The value of a tensor with one element.
    pub fn item(&self) -> Option<Scalar> {
        match self.data.as_slice() {
            [value] => Some(*value),
            _ => None,
        }
    }

    /// A tensor of type `ty` whose element at each index tuple is given by `element`.
    pub(crate) fn from_fn(ty: &Type, mut element: impl FnMut(&[usize]) -> Scalar) -> Tensor {
        let mut data = Vec::with_capacity(ty.elements());
        for_each_index(&ty.dims, |index| data.push(element(index)));
        debug_assert!(data.iter().all(|value| value.dtype() == ty.dtype));
        Tensor { ty: ty.clone(), data }
    }

    /// The element at an index tuple that is in bounds.
    pub(crate) fn at(&self, index: &[usize]) -> Scalar {
        self.data[flat(&self.ty.dims, index)]
    }

    /// Replaces the element at an index tuple that is in bounds by one of the same type.
    pub(crate) fn put(&mut self, index: &[usize], value: Scalar) {
        let place = flat(&self.ty.dims, index);
        self.data[place] = value;
    }

    /// The zero of `dtype` where there is no element; for results whose element type the caller has checked.
    pub(crate) fn zeros(ty: &Type) -> Tensor {
        let zero = Scalar::zero(ty.dtype);
        Tensor { ty: ty.clone(), data: vec![zero; ty.elements()] }
    }

    /// The same elements under another shape of as many.
    pub(crate) fn reshaped(&self, ty: &Type) -> Tensor {
        Tensor { ty: ty.clone(), data: self.data.clone() }
    }

    /// The elements as machine floats; `None` when they are of another type.
    pub(crate) fn to_f32s(&self) -> Option<Vec<f32>> {
        (self.ty.dtype == DType::F32)
            .then(|| self.data.iter().map(|v| f32::from_bits(v.bits() as u32)).collect())
    }
}

/// Calls `each` with every index tuple of a shape in row-major order.
pub(crate) fn for_each_index(dims: &[usize], mut each: impl FnMut(&[usize])) {
    if dims.contains(&0) {
        return;
    }
    let mut index = vec![0; dims.len()];
    loop {
        each(&index);
        let Some(axis) = (0..dims.len()).rev().find(|axis| index[*axis] + 1 < dims[*axis]) else {
            return;
        };
        index[axis] += 1;
        index[axis + 1..].fill(0);
    }
}

/// The row-major position of an index tuple.
pub(crate) fn flat(dims: &[usize], index: &[usize]) -> usize {
    dims.iter().zip(index).fold(0, |position, (dim, index)| position * dim + index)
}
