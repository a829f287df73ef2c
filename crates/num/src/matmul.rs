//! Matrix products whose bits are specified: every element starts at zero and adds its products one at a time in
//! increasing contracted index, without fused multiply-add.
//!
//! The kernel keeps a block of results in registers and walks the contracted axis in order, so the specified order
//! costs no speed.

/// An element type of a product.
pub trait Element: Copy {
    /// Zero.
    const ZERO: Self;
    /// `sum + a * b`, rounded (or wrapped) after each of the two operations.
    fn accumulate(sum: Self, a: Self, b: Self) -> Self;
}

impl Element for f32 {
    const ZERO: Self = 0.0;
    #[inline(always)]
    fn accumulate(sum: Self, a: Self, b: Self) -> Self {
        sum + a * b
    }
}

impl Element for f64 {
    const ZERO: Self = 0.0;
    #[inline(always)]
    fn accumulate(sum: Self, a: Self, b: Self) -> Self {
        sum + a * b
    }
}

macro_rules! integer_element {
    ($($int:ty)*) => {$(
        impl Element for $int {
            const ZERO: Self = 0;
            #[inline(always)]
            fn accumulate(sum: Self, a: Self, b: Self) -> Self {
                sum.wrapping_add(a.wrapping_mul(b))
            }
        }
    )*};
}
integer_element!(i8 i16 i32 i64 u8 u16 u32 u64);

/// The shape of a product `c[rows, columns] = a @ b` and how its operands lie in memory (all row-major).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatMulShape {
    /// Rows of the result.
    pub rows: usize,
    /// Extent of the contracted axis.
    pub inner: usize,
    /// Columns of the result.
    pub columns: usize,
    /// `a` is stored as `[inner, rows]`.
    pub transpose_lhs: bool,
    /// `b` is stored as `[columns, inner]`.
    pub transpose_rhs: bool,
}

impl MatMulShape {
    fn lhs_index(&self, row: usize, inner: usize) -> usize {
        if self.transpose_lhs { inner * self.rows + row } else { row * self.inner + inner }
    }

    fn rhs_index(&self, inner: usize, column: usize) -> usize {
        if self.transpose_rhs { column * self.inner + inner } else { inner * self.columns + column }
    }
}

const BLOCK_ROWS: usize = 4;
const BLOCK_COLUMNS: usize = 8;

/// `c = a @ b`.
///
/// # Panics
/// When a slice is shorter than `shape` says.
pub fn matmul<T: Element>(c: &mut [T], a: &[T], b: &[T], shape: MatMulShape) {
    // One panel of `b`, `BLOCK_COLUMNS` wide and padded with zeros, contiguous along the contracted axis.
    let mut panel = vec![T::ZERO; shape.inner * BLOCK_COLUMNS];
    let mut column = 0;
    while column < shape.columns {
        let width = BLOCK_COLUMNS.min(shape.columns - column);
        for inner in 0..shape.inner {
            for offset in 0..width {
                panel[inner * BLOCK_COLUMNS + offset] = b[shape.rhs_index(inner, column + offset)];
            }
        }
        let mut row = 0;
        while row + BLOCK_ROWS <= shape.rows {
            block::<T, BLOCK_ROWS>(c, a, &panel, shape, (row, column), width);
            row += BLOCK_ROWS;
        }
        while row < shape.rows {
            block::<T, 1>(c, a, &panel, shape, (row, column), width);
            row += 1;
        }
        column += width;
    }
}

/// `ROWS` rows by one panel of results at `at`.
fn block<T: Element, const ROWS: usize>(
    c: &mut [T],
    a: &[T],
    panel: &[T],
    shape: MatMulShape,
    at: (usize, usize),
    width: usize,
) {
    let mut sums = [[T::ZERO; BLOCK_COLUMNS]; ROWS];
    for (inner, b) in panel.chunks_exact(BLOCK_COLUMNS).enumerate() {
        for (offset, sums) in sums.iter_mut().enumerate() {
            let a = a[shape.lhs_index(at.0 + offset, inner)];
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = T::accumulate(*sum, a, *b);
            }
        }
    }
    for (offset, sums) in sums.iter().enumerate() {
        let start = (at.0 + offset) * shape.columns + at.1;
        c[start..start + width].copy_from_slice(&sums[..width]);
    }
}

/// An integer product that stops at the first overflow, in row-major order of the results.
///
/// `step` is `sum + a * b`, `None` on overflow.
///
/// # Panics
/// When a slice is shorter than `shape` says.
pub fn matmul_checked<T: Copy, E>(
    c: &mut [T],
    a: &[T],
    b: &[T],
    shape: MatMulShape,
    zero: T,
    mut step: impl FnMut(T, T, T) -> Result<T, E>,
) -> Result<(), E> {
    for row in 0..shape.rows {
        for column in 0..shape.columns {
            let mut sum = zero;
            for inner in 0..shape.inner {
                let (a, b) = (a[shape.lhs_index(row, inner)], b[shape.rhs_index(inner, column)]);
                sum = step(sum, a, b)?;
            }
            c[row * shape.columns + column] = sum;
        }
    }
    Ok(())
}
