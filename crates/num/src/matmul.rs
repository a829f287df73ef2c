//! Matrix products whose bits are specified: every element starts at zero and adds its products one at a time in
//! increasing contracted index, without fused multiply-add.
//!
//! The kernel keeps a block of results in registers and walks the contracted axis in order: the sums of different results
//! run side by side, so the specified order of each costs no speed.

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

/// Columns of a block of results: a few vector registers wide.
const COLUMNS: usize = 8;

/// `c = a @ b`.
///
/// # Panics
/// When a slice is shorter than `shape` says.
pub fn matmul<T: Element>(c: &mut [T], a: &[T], b: &[T], shape: MatMulShape) {
    // As many sums as registers hold: blocks of wide elements are lower. With few columns vectors would be mostly
    // padding, so there the sums of several rows run side by side.
    if shape.columns < COLUMNS / 2 {
        blocked::<T, 8, 1>(c, a, b, shape);
    } else if size_of::<T>() <= 4 {
        blocked::<T, 4, COLUMNS>(c, a, b, shape);
    } else {
        blocked::<T, 2, COLUMNS>(c, a, b, shape);
    }
}

/// The product in blocks of `ROWS` by `COLUMNS` results. Both operands are packed first: each block reads them from front
/// to end along the contracted axis. Padding is zeros, whose results are dropped.
fn blocked<T: Element, const ROWS: usize, const COLUMNS: usize>(
    c: &mut [T],
    a: &[T],
    b: &[T],
    shape: MatMulShape,
) {
    let MatMulShape { rows, inner, columns, .. } = shape;
    let mut packed = vec![[T::ZERO; ROWS]; inner * rows.div_ceil(ROWS)];
    for (at, values) in packed.iter_mut().enumerate() {
        // With nothing to contract there is nothing to pack either.
        let (first, inner) = (at / inner * ROWS, at % inner);
        for (offset, value) in values.iter_mut().take(rows - first).enumerate() {
            *value = a[shape.lhs_index(first + offset, inner)];
        }
    }
    let mut panel = vec![[T::ZERO; COLUMNS]; inner];
    for column in (0..columns).step_by(COLUMNS) {
        let width = COLUMNS.min(columns - column);
        for (inner, values) in panel.iter_mut().enumerate() {
            for (offset, value) in values.iter_mut().take(width).enumerate() {
                *value = b[shape.rhs_index(inner, column + offset)];
            }
        }
        for row in (0..rows).step_by(ROWS) {
            let start = row / ROWS * inner;
            let sums = block(&packed[start..start + inner], &panel);
            for (offset, sums) in sums.iter().take(rows - row).enumerate() {
                let start = (row + offset) * columns + column;
                c[start..start + width].copy_from_slice(&sums[..width]);
            }
        }
    }
}

/// The sums of one block.
#[inline(always)]
fn block<T: Element, const ROWS: usize, const COLUMNS: usize>(
    a: &[[T; ROWS]],
    b: &[[T; COLUMNS]],
) -> [[T; COLUMNS]; ROWS] {
    let mut sums = [[T::ZERO; COLUMNS]; ROWS];
    for (a, b) in a.iter().zip(b) {
        for (sums, a) in sums.iter_mut().zip(a) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = T::accumulate(*sum, *a, *b);
            }
        }
    }
    sums
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
