//! Matrix products on raw memory, in the order that the language fixes.
//!
//! Every element of the result starts at zero and adds its products in increasing contracted index, each
//! rounded by itself. How the work is cut into blocks and which instructions do it changes no bit, so the
//! widest vectors of the machine are used.

mod packed;
mod vector;

use neuro_num::{DType, Element, MatMulShape, matmul};

/// Bit of `layout`: the left operand is stored transposed.
pub const TRANSPOSE_LHS: u32 = 1;
/// Bit of `layout`: the right operand is stored transposed.
pub const TRANSPOSE_RHS: u32 = 2;

/// Products of at most so many multiplications are not worth packing their operands.
const SMALL: usize = 2048;

const PRODUCT_F32: &str = "neuro_product_f32";
const PRODUCT_F64: &str = "neuro_product_f64";

/// The name under which generated code calls the product of matrices of a float type: of `(c, a, b, rows,
/// inner, columns, layout)`, for `c = a @ b`. Integers have none: theirs is a plain loop, which may have to
/// check.
pub fn product_symbol(dtype: DType) -> Option<&'static str> {
    match dtype {
        DType::F32 => Some(PRODUCT_F32),
        DType::F64 => Some(PRODUCT_F64),
        DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::Bool
        | DType::F16
        | DType::BF16 => None,
    }
}

/// Every kernel's name and address.
pub(crate) fn symbols() -> [(&'static str, *const u8); 2] {
    [(PRODUCT_F32, product_f32 as *const u8), (PRODUCT_F64, product_f64 as *const u8)]
}

/// # Safety
/// As for [`product`].
#[unsafe(export_name = "neuro_product_f32")]
unsafe extern "C" fn product_f32(
    c: *mut f32,
    a: *const f32,
    b: *const f32,
    rows: u64,
    inner: u64,
    columns: u64,
    layout: u32,
) {
    // SAFETY: the caller promises it.
    unsafe { product(c, a, b, [rows, inner, columns], layout) }
}

/// # Safety
/// As for [`product`].
#[unsafe(export_name = "neuro_product_f64")]
unsafe extern "C" fn product_f64(
    c: *mut f64,
    a: *const f64,
    b: *const f64,
    rows: u64,
    inner: u64,
    columns: u64,
    layout: u32,
) {
    // SAFETY: the caller promises it.
    unsafe { product(c, a, b, [rows, inner, columns], layout) }
}

/// A float type and its product for the machine's widest vectors.
pub(crate) trait Float: Element {
    /// `c = a @ b` if the machine has vectors and the result is wide enough for them; tells whether it was
    /// done.
    fn with_vectors(c: &mut [Self], a: &[Self], b: &[Self], shape: MatMulShape) -> bool;
}

/// # Safety
/// The pointers are those of matrices of the shape; the result overlaps neither operand.
pub(crate) unsafe fn product<T: Float>(
    c: *mut T,
    a: *const T,
    b: *const T,
    extents: [u64; 3],
    layout: u32,
) {
    let [rows, inner, columns] = extents.map(|extent| extent as usize);
    let shape = MatMulShape {
        rows,
        inner,
        columns,
        transpose_lhs: layout & TRANSPOSE_LHS != 0,
        transpose_rhs: layout & TRANSPOSE_RHS != 0,
    };
    // SAFETY: the caller promises it.
    let (c, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(c, shape.rows * shape.columns),
            std::slice::from_raw_parts(a, shape.rows * shape.inner),
            std::slice::from_raw_parts(b, shape.inner * shape.columns),
        )
    };
    if shape.rows * shape.inner * shape.columns <= SMALL {
        small(c, a, b, shape);
    } else if !T::with_vectors(c, a, b, shape) {
        matmul(c, a, b, shape);
    }
}

/// Elements between neighbours along rows and along columns of an operand.
#[derive(Clone, Copy)]
struct Steps {
    row: usize,
    column: usize,
}

/// The steps of both operands.
fn steps(shape: MatMulShape) -> [Steps; 2] {
    let MatMulShape { rows, inner, columns, transpose_lhs, transpose_rhs } = shape;
    let stored = |transposed, rows, columns| {
        if transposed { Steps { row: 1, column: rows } } else { Steps { row: columns, column: 1 } }
    };
    [stored(transpose_lhs, rows, inner), stored(transpose_rhs, inner, columns)]
}

/// One element after the other.
fn small<T: Element>(c: &mut [T], a: &[T], b: &[T], shape: MatMulShape) {
    let MatMulShape { rows, inner, columns, .. } = shape;
    let [a_steps, b_steps] = steps(shape);
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = T::ZERO;
            for at in 0..inner {
                let left = a[row * a_steps.row + at * a_steps.column];
                let right = b[at * b_steps.row + column * b_steps.column];
                sum = T::accumulate(sum, left, right);
            }
            c[row * columns + column] = sum;
        }
    }
}
