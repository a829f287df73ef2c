//! Matrix products and sums on raw memory, in the order that the language fixes.
//!
//! Matrices and runs are given by address, extents and strides in elements. The order is `neuro-num`'s.

use neuro_num::{ArithError, DType, MatMulShape, fold_sum, matmul, matmul_checked};

/// Bit of `layout`: the left operand is stored transposed.
pub const TRANSPOSE_LHS: u32 = 1;
/// Bit of `layout`: the right operand is stored transposed.
pub const TRANSPOSE_RHS: u32 = 2;

fn shape(rows: u64, inner: u64, columns: u64, layout: u32) -> MatMulShape {
    MatMulShape {
        rows: rows as usize,
        inner: inner as usize,
        columns: columns as usize,
        transpose_lhs: layout & TRANSPOSE_LHS != 0,
        transpose_rhs: layout & TRANSPOSE_RHS != 0,
    }
}

/// # Safety
/// The pointers are those of matrices of the shape; the result overlaps neither operand.
unsafe fn slices<'a, T>(
    c: *mut T,
    a: *const T,
    b: *const T,
    shape: MatMulShape,
) -> (&'a mut [T], &'a [T], &'a [T]) {
    // SAFETY: the caller promises it.
    unsafe {
        (
            std::slice::from_raw_parts_mut(c, shape.rows * shape.columns),
            std::slice::from_raw_parts(a, shape.rows * shape.inner),
            std::slice::from_raw_parts(b, shape.inner * shape.columns),
        )
    }
}

/// `c = a @ b`; integers wrap.
///
/// # Safety
/// As for [`slices`].
unsafe extern "C" fn product<T: neuro_num::Element>(
    c: *mut T,
    a: *const T,
    b: *const T,
    rows: u64,
    inner: u64,
    columns: u64,
    layout: u32,
) {
    let shape = shape(rows, inner, columns, layout);
    // SAFETY: the caller promises it.
    let (c, a, b) = unsafe { slices(c, a, b, shape) };
    matmul(c, a, b, shape);
}

/// An integer type whose product can be checked.
trait Checked: Copy {
    const ZERO: Self;
    fn step(sum: Self, a: Self, b: Self) -> Result<Self, ArithError>;
}

/// `c = a @ b`; 1 when a product or a sum does not fit, otherwise 0.
///
/// # Safety
/// As for [`slices`].
unsafe extern "C" fn product_checked<T: Checked>(
    c: *mut T,
    a: *const T,
    b: *const T,
    rows: u64,
    inner: u64,
    columns: u64,
    layout: u32,
) -> u32 {
    let shape = shape(rows, inner, columns, layout);
    // SAFETY: the caller promises it.
    let (c, a, b) = unsafe { slices(c, a, b, shape) };
    u32::from(matmul_checked(c, a, b, shape, T::ZERO, T::step).is_err())
}

/// The sum of `length` floats at `values`, `values + stride`, ...
///
/// # Safety
/// All of them are readable.
unsafe extern "C" fn sum<T: Copy + Default + std::ops::Add<Output = T>>(
    values: *const T,
    length: u64,
    stride: i64,
) -> T {
    let stride = stride as isize;
    // SAFETY: the caller promises every position.
    fold_sum(T::default(), length as usize, |i| unsafe { *values.offset(i as isize * stride) })
}

macro_rules! checked_integers {
    ($($int:ty)*) => {$(
        impl Checked for $int {
            const ZERO: Self = 0;
            fn step(sum: Self, a: Self, b: Self) -> Result<Self, ArithError> {
                let product = a.checked_mul(b).ok_or(ArithError::Overflow)?;
                sum.checked_add(product).ok_or(ArithError::Overflow)
            }
        }
    )*};
}
checked_integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// The name under which generated code calls the product of matrices of `dtype`: of `(c, a, b, rows, inner,
/// columns, layout)`. The checked one exists for integers only and gives 1 when something does not fit.
pub fn product_symbol(dtype: DType, checked: bool) -> Option<&'static str> {
    let (plain, check) = match dtype {
        DType::I8 => ("neuro_product_i8", Some("neuro_product_checked_i8")),
        DType::I16 => ("neuro_product_i16", Some("neuro_product_checked_i16")),
        DType::I32 => ("neuro_product_i32", Some("neuro_product_checked_i32")),
        DType::I64 => ("neuro_product_i64", Some("neuro_product_checked_i64")),
        DType::U8 => ("neuro_product_u8", Some("neuro_product_checked_u8")),
        DType::U16 => ("neuro_product_u16", Some("neuro_product_checked_u16")),
        DType::U32 => ("neuro_product_u32", Some("neuro_product_checked_u32")),
        DType::U64 => ("neuro_product_u64", Some("neuro_product_checked_u64")),
        DType::F32 => ("neuro_product_f32", None),
        DType::F64 => ("neuro_product_f64", None),
        DType::Bool => return None,
    };
    if checked { check } else { Some(plain) }
}

/// The name under which generated code calls the sum of a run of `dtype`: of `(values, length, stride)`.
/// Integers have none: their sum is a plain loop, which may have to check.
pub fn sum_symbol(dtype: DType) -> Option<&'static str> {
    match dtype {
        DType::F32 => Some("neuro_sum_f32"),
        DType::F64 => Some("neuro_sum_f64"),
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
pub(crate) fn symbols() -> Vec<(&'static str, *const u8)> {
    let mut all: Vec<(&'static str, *const u8)> = vec![
        ("neuro_sum_f32", sum::<f32> as *const u8),
        ("neuro_sum_f64", sum::<f64> as *const u8),
        ("neuro_product_f32", product::<f32> as *const u8),
        ("neuro_product_f64", product::<f64> as *const u8),
    ];
    let mut integer = |dtype, plain: *const u8, checked: *const u8| {
        all.extend(product_symbol(dtype, false).map(|name| (name, plain)));
        all.extend(product_symbol(dtype, true).map(|name| (name, checked)));
    };
    integer(DType::I8, product::<i8> as *const u8, product_checked::<i8> as *const u8);
    integer(DType::I16, product::<i16> as *const u8, product_checked::<i16> as *const u8);
    integer(DType::I32, product::<i32> as *const u8, product_checked::<i32> as *const u8);
    integer(DType::I64, product::<i64> as *const u8, product_checked::<i64> as *const u8);
    integer(DType::U8, product::<u8> as *const u8, product_checked::<u8> as *const u8);
    integer(DType::U16, product::<u16> as *const u8, product_checked::<u16> as *const u8);
    integer(DType::U32, product::<u32> as *const u8, product_checked::<u32> as *const u8);
    integer(DType::U64, product::<u64> as *const u8, product_checked::<u64> as *const u8);
    all
}
