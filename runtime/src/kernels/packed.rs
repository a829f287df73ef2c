//! Products in blocks whose sums stay in vector registers.
//!
//! Both operands are packed so that a block reads them from front to end. The contracted axis is not cut:
//! each sum runs through it in one go, in order.

use neuro_num::{Element, MatMulShape};

use super::steps;
use super::vector::Vector;

/// Vectors side by side in a block.
const WIDTH: usize = 2;

/// `c = a @ b` in blocks of `ROWS` rows and two vectors. Inlined into a function that has the instructions.
///
/// # Safety
/// The machine has the instructions of `V`. The slices are those of the shape.
#[inline(always)]
pub(super) unsafe fn packed<T: Element, V: Vector<T>, const ROWS: usize>(
    c: &mut [T],
    a: &[T],
    b: &[T],
    shape: MatMulShape,
) {
    let MatMulShape { rows, inner, columns, .. } = shape;
    let [a_steps, b_steps] = steps(shape);
    let lanes = WIDTH * V::LANES;
    // Rows and columns beyond the matrix are zeros, whose sums are dropped.
    let mut left = vec![T::ZERO; rows.next_multiple_of(ROWS) * inner];
    for row in 0..rows {
        let block = row / ROWS * ROWS * inner + row % ROWS;
        for at in 0..inner {
            left[block + at * ROWS] = a[row * a_steps.row + at * a_steps.column];
        }
    }
    let mut right = vec![T::ZERO; lanes * inner];
    let mut sums = vec![T::ZERO; ROWS * lanes];
    for column in (0..columns).step_by(lanes) {
        let width = lanes.min(columns - column);
        for (at, packed) in right.chunks_exact_mut(lanes).enumerate() {
            let start = at * b_steps.row + column * b_steps.column;
            if b_steps.column == 1 {
                packed[..width].copy_from_slice(&b[start..start + width]);
            } else {
                for (offset, value) in packed[..width].iter_mut().enumerate() {
                    *value = b[start + offset * b_steps.column];
                }
            }
        }
        for row in (0..rows).step_by(ROWS) {
            let left = &left[row * inner..(row + ROWS) * inner];
            // SAFETY: `left` holds `ROWS` elements and `right` two vectors for each of `inner` steps, and
            // `sums` has room for the block.
            unsafe {
                block::<T, V, ROWS>(left.as_ptr(), right.as_ptr(), inner, sums.as_mut_ptr());
            }
            for (offset, sums) in sums.chunks_exact(lanes).take(rows - row).enumerate() {
                let start = (row + offset) * columns + column;
                c[start..start + width].copy_from_slice(&sums[..width]);
            }
        }
    }
}

/// The sums of one block.
///
/// # Safety
/// The machine has the instructions of `V`; the pointers are those of packed operands with `inner` steps and
/// of `ROWS` times two vectors.
#[inline(always)]
unsafe fn block<T: Element, V: Vector<T>, const ROWS: usize>(
    mut left: *const T,
    mut right: *const T,
    inner: usize,
    out: *mut T,
) {
    // SAFETY: the caller promises it.
    unsafe {
        let mut sums = [[V::splat(T::ZERO); WIDTH]; ROWS];
        for _ in 0..inner {
            let first = V::load(right);
            let second = V::load(right.add(V::LANES));
            for (row, sums) in sums.iter_mut().enumerate() {
                let factor = V::splat(*left.add(row));
                sums[0] = sums[0].add(factor.mul(first));
                sums[1] = sums[1].add(factor.mul(second));
            }
            left = left.add(ROWS);
            right = right.add(WIDTH * V::LANES);
        }
        for (row, sums) in sums.iter().enumerate() {
            sums[0].store(out.add(row * WIDTH * V::LANES));
            sums[1].store(out.add((row * WIDTH + 1) * V::LANES));
        }
    }
}
