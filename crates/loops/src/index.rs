//! Index arithmetic: how a position in one tensor follows from the loop counters, through broadcasts, transposes and
//! reshapes.
//!
//! It wraps: tensors that are too large for it are too large for memory, and their loops are never run.

use neuro_ir::{Axes, Dims};
use smallvec::SmallVec;

use crate::program::Index;

/// A position in a tensor: an [`Index`] for each axis.
pub(crate) type Position = SmallVec<[Index; 4]>;

impl Index {
    /// Always `offset`, in a nest of `loops` loops.
    pub(crate) fn constant(offset: i64, loops: usize) -> Index {
        Index { offset, strides: SmallVec::from_elem(0, loops) }
    }

    /// The counter of loop `number`, in a nest of `loops` loops.
    pub(crate) fn counter(number: usize, loops: usize) -> Index {
        let mut index = Index::constant(0, loops);
        index.strides[number] = 1;
        index
    }

    /// `self += factor * other`.
    fn add_scaled(&mut self, factor: i64, other: &Index) {
        self.offset = self.offset.wrapping_add(factor.wrapping_mul(other.offset));
        for (stride, other) in self.strides.iter_mut().zip(&other.strides) {
            *stride = stride.wrapping_add(factor.wrapping_mul(*other));
        }
    }

    /// The number of loops, from the outermost, up to the innermost on which the index depends.
    pub(crate) fn depth(&self) -> u32 {
        self.strides.iter().rposition(|stride| *stride != 0).map_or(0, |k| k as u32 + 1)
    }
}

/// Elements between neighbours along each axis of a row-major tensor.
pub(crate) fn row_major_strides(dims: &[usize]) -> SmallVec<[i64; 4]> {
    let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(1, dims.len());
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis].wrapping_mul(dims[axis] as i64);
    }
    strides
}

/// The place of a position in row-major order.
pub(crate) fn linear(position: &[Index], dims: &[usize], loops: usize) -> Index {
    let mut index = Index::constant(0, loops);
    for (stride, along) in row_major_strides(dims).iter().zip(position) {
        index.add_scaled(*stride, along);
    }
    index
}

/// The operand's position from the result's, through a broadcast of an operand with extents `from`.
pub(crate) fn through_broadcast(
    position: &[Index],
    from: &[usize],
    axes: &Axes,
    loops: usize,
) -> Position {
    from.iter()
        .zip(axes)
        .map(|(extent, axis)| match extent {
            1 => Index::constant(0, loops),
            _ => position[*axis].clone(),
        })
        .collect()
}

/// The operand's position from the result's, through a transpose.
pub(crate) fn through_transpose(position: &[Index], perm: &Axes) -> Position {
    let mut operand: Position = position.iter().cloned().collect();
    for (index, axis) in position.iter().zip(perm) {
        operand[*axis] = index.clone();
    }
    operand
}

/// The operand's position from the result's, through a reshape from `from` to `to`; `None` when it would need a
/// division, that is, when an axis of the result spans several of the operand's.
pub(crate) fn through_reshape(
    position: &[Index],
    from: &Dims,
    to: &Dims,
    loops: usize,
) -> Option<Position> {
    let mut result = to.iter().zip(position).filter(|(extent, _)| **extent != 1);
    from.iter()
        .map(|extent| {
            let mut index = Index::constant(0, loops);
            let mut covered = 1;
            while covered < *extent {
                let (along, next) = result.next()?;
                covered = usize::saturating_mul(covered, *along);
                let outer = std::mem::replace(&mut index, next.clone());
                index.add_scaled(*along as i64, &outer);
            }
            (covered == *extent).then_some(index)
        })
        .collect()
}
