//! Matrix products on raw memory, in the order that the language fixes.
//!
//! Every element of the result starts at zero and adds its products in increasing contracted index, each
//! rounded by itself. How the work is cut into blocks and which instructions do it changes no bit, so the
//! widest vectors of the machine are used.

use neuro_num::{DType, Element, MatMulShape, matmul, matmul_blocked};

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
        | DType::Bool => None,
    }
}

/// Every kernel's name and address.
pub(crate) fn symbols() -> [(&'static str, *const u8); 2] {
    [(PRODUCT_F32, product::<f32> as *const u8), (PRODUCT_F64, product::<f64> as *const u8)]
}

/// # Safety
/// The pointers are those of matrices of the shape; the result overlaps neither operand.
pub(crate) unsafe extern "C" fn product<T: Float>(
    c: *mut T,
    a: *const T,
    b: *const T,
    rows: u64,
    inner: u64,
    columns: u64,
    layout: u32,
) {
    let shape = MatMulShape {
        rows: rows as usize,
        inner: inner as usize,
        columns: columns as usize,
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
    } else if shape.columns < T::LANES {
        matmul(c, a, b, shape);
    } else {
        T::wide(c, a, b, shape);
    }
}

/// One element after the other.
fn small<T: Element>(c: &mut [T], a: &[T], b: &[T], shape: MatMulShape) {
    let MatMulShape { rows, inner, columns, .. } = shape;
    let (row_step, a_step) = if shape.transpose_lhs { (1, rows) } else { (inner, 1) };
    let (b_step, column_step) = if shape.transpose_rhs { (1, inner) } else { (columns, 1) };
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = T::ZERO;
            for at in 0..inner {
                let a = a[row * row_step + at * a_step];
                sum = T::accumulate(sum, a, b[at * b_step + column * column_step]);
            }
            c[row * columns + column] = sum;
        }
    }
}

/// A float type and its product for the machine's widest vectors.
pub(crate) trait Float: Element {
    /// Elements of the narrowest vectors.
    const LANES: usize;
    /// The product of matrices that are at least [`Float::LANES`] wide.
    fn wide(c: &mut [Self], a: &[Self], b: &[Self], shape: MatMulShape);
}

/// Blocks of sums that fill the registers of each instruction set: rows, and columns of two vectors.
macro_rules! wide_products {
    ($($float:ty, $lanes:literal, $avx512:literal, $avx2:literal;)*) => {$(
        impl Float for $float {
            const LANES: usize = $lanes;

            #[cfg(target_arch = "x86_64")]
            fn wide(c: &mut [Self], a: &[Self], b: &[Self], shape: MatMulShape) {
                #[target_feature(enable = "avx512f")]
                fn avx512(c: &mut [$float], a: &[$float], b: &[$float], shape: MatMulShape) {
                    matmul_blocked::<$float, 8, $avx512>(c, a, b, shape);
                }
                #[target_feature(enable = "avx2")]
                fn avx2(c: &mut [$float], a: &[$float], b: &[$float], shape: MatMulShape) {
                    matmul_blocked::<$float, 4, $avx2>(c, a, b, shape);
                }
                if is_x86_feature_detected!("avx512f") && shape.columns >= $avx512 {
                    // SAFETY: the machine has the instructions.
                    unsafe { avx512(c, a, b, shape) }
                } else if is_x86_feature_detected!("avx2") {
                    // SAFETY: the machine has the instructions.
                    unsafe { avx2(c, a, b, shape) }
                } else {
                    matmul(c, a, b, shape);
                }
            }

            #[cfg(not(target_arch = "x86_64"))]
            fn wide(c: &mut [Self], a: &[Self], b: &[Self], shape: MatMulShape) {
                matmul(c, a, b, shape);
            }
        }
    )*};
}
wide_products! {
    f32, 4, 32, 16;
    f64, 2, 16, 8;
}
