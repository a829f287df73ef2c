//! Types: an element type and an extent for each axis.

use std::fmt;

use neuro_num::DType;
use smallvec::SmallVec;

/// Extents, outermost axis first. Empty for a scalar.
pub type Dims = SmallVec<[usize; 4]>;

/// Positions of axes, from 0 at the outermost.
pub type Axes = SmallVec<[usize; 4]>;

/// The type of a value; a scalar has rank 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The type of every element.
    pub dtype: DType,
    /// The extents.
    pub dims: Dims,
}

impl Type {
    /// A tensor.
    pub fn new(dtype: DType, dims: impl IntoIterator<Item = usize>) -> Type {
        Type { dtype, dims: dims.into_iter().collect() }
    }

    /// A scalar.
    pub fn scalar(dtype: DType) -> Type {
        Type { dtype, dims: Dims::new() }
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Number of elements; 1 for a scalar. Saturates.
    pub fn elements(&self) -> usize {
        self.dims.iter().fold(1, |count: usize, dim| count.saturating_mul(*dim))
    }

    /// Bytes of the elements, row-major and dense. Saturates.
    pub fn bytes(&self) -> usize {
        self.elements().saturating_mul(self.dtype.size())
    }

    /// The type with the same extents and another element type.
    pub fn with_dtype(&self, dtype: DType) -> Type {
        Type { dtype, dims: self.dims.clone() }
    }

    /// The type with the same element type and other extents.
    pub fn with_dims(&self, dims: Dims) -> Type {
        Type { dtype: self.dtype, dims }
    }
}

/// `tensor<2x1xf64>`; `tensor<f64>` for a scalar.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for dim in &self.dims {
            write!(f, "{dim}x")?;
        }
        write!(f, "{}>", self.dtype)
    }
}

/// Two shapes that cannot be broadcast together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    /// The left shape.
    pub lhs: Dims,
    /// The right shape.
    pub rhs: Dims,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shapes {:?} and {:?} do not broadcast", self.lhs.as_slice(), self.rhs.as_slice())
    }
}

impl std::error::Error for ShapeError {}

/// The shape of an elementwise result: shapes are aligned at the last axis, an extent of 1 stretches, missing
/// leading axes repeat.
pub fn broadcast_shapes(lhs: &[usize], rhs: &[usize]) -> Result<Dims, ShapeError> {
    let rank = lhs.len().max(rhs.len());
    let extent = |dims: &[usize], axis: usize| {
        (axis + dims.len()).checked_sub(rank).map_or(1, |position| dims[position])
    };
    (0..rank)
        .map(|axis| match (extent(lhs, axis), extent(rhs, axis)) {
            (l, r) if l == r => Some(l),
            (1, r) => Some(r),
            (l, 1) => Some(l),
            _ => None,
        })
        .collect::<Option<Dims>>()
        .ok_or_else(|| ShapeError { lhs: lhs.into(), rhs: rhs.into() })
}

/// Where the axes of an operand of rank `from` lie in a result of rank `to` under broadcasting: at its end.
pub fn broadcast_axes(from: usize, to: usize) -> Axes {
    (to.saturating_sub(from)..to).collect()
}
