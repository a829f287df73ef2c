//! Types.

use std::fmt;
use std::sync::Arc;

use neuro_num::DType;

/// A type. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ty {
    /// The type of what is wrong; it agrees with everything, so that one mistake is reported once.
    #[default]
    Error,
    /// The type of what never gives a value: `return`, `panic(..)`.
    Never,
    /// The type of what gives nothing.
    Void,
    /// A number or truth value.
    Scalar(DType),
    /// `char`.
    Char,
    /// `string`; so far only as the text that is printed.
    Text,
    /// `Tensor<E, [..]>`.
    Tensor(TensorTy),
    /// `&T` or `&mut T`.
    Ref {
        /// Whether it is `&mut`.
        mutable: bool,
        /// The referent.
        inner: Arc<Ty>,
    },
}

/// A tensor's type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorTy {
    /// The element type.
    pub elem: DType,
    /// The extents.
    pub shape: Shape,
}

/// A shape: one extent an axis; none for rank 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape(pub Arc<[u64]>);

impl Shape {
    /// A shape from its extents.
    pub fn new(dims: impl Into<Arc<[u64]>>) -> Self {
        Self(dims.into())
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The number of elements; none when it does not fit 64 bits.
    pub fn elements(&self) -> Option<u64> {
        self.0.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (axis, extent) in self.0.iter().enumerate() {
            let separator = if axis == 0 { "" } else { ", " };
            write!(f, "{separator}{extent}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for TensorTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor<{}, {}>", self.elem.name(), self.shape)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Error => f.write_str("{unknown}"),
            Ty::Never => f.write_str("never"),
            Ty::Void => f.write_str("void"),
            Ty::Scalar(dtype) => f.write_str(dtype.name()),
            Ty::Char => f.write_str("char"),
            Ty::Text => f.write_str("string"),
            Ty::Tensor(tensor) => tensor.fmt(f),
            Ty::Ref { mutable: true, inner } => write!(f, "&mut {inner}"),
            Ty::Ref { mutable: false, inner } => write!(f, "&{inner}"),
        }
    }
}

impl Ty {
    /// A tensor type.
    pub fn tensor(elem: DType, dims: impl Into<Arc<[u64]>>) -> Self {
        Ty::Tensor(TensorTy { elem, shape: Shape::new(dims) })
    }

    /// A reference to this type.
    pub fn reference(self, mutable: bool) -> Self {
        Ty::Ref { mutable, inner: Arc::new(self) }
    }

    /// The type behind every reference.
    pub fn peeled(&self) -> &Ty {
        match self {
            Ty::Ref { inner, .. } => inner.peeled(),
            other => other,
        }
    }

    /// The tensor type behind every reference.
    pub fn as_tensor(&self) -> Option<&TensorTy> {
        match self.peeled() {
            Ty::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The scalar type behind every reference.
    pub fn as_scalar(&self) -> Option<DType> {
        match self.peeled() {
            Ty::Scalar(dtype) => Some(*dtype),
            _ => None,
        }
    }

    /// Whether a use copies the value; everything else moves. `&mut` moves, except where it is reborrowed.
    pub fn is_copy(&self) -> bool {
        match self {
            Ty::Tensor(_) | Ty::Text | Ty::Ref { mutable: true, .. } => false,
            Ty::Error
            | Ty::Never
            | Ty::Void
            | Ty::Scalar(_)
            | Ty::Char
            | Ty::Ref { mutable: false, .. } => true,
        }
    }
}
