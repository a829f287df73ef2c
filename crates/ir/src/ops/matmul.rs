//! Matrix products.

use neuro_num::{DType, MatMulShape};

use super::exactly;
use crate::Type;

pub(crate) fn infer(
    transpose_lhs: bool,
    transpose_rhs: bool,
    operands: &[&Type],
) -> Result<Type, String> {
    let [a, b] = exactly(operands)?;
    if a.dtype != b.dtype || a.dtype == DType::Bool {
        return Err(format!("needs two number tensors of one element type, not {a} and {b}"));
    }
    let shape = extents(transpose_lhs, transpose_rhs, a, b)?;
    Ok(Type::new(a.dtype, [shape.rows, shape.columns]))
}

/// The product's extents; an error when ranks or inner extents do not suit.
pub(crate) fn extents(
    transpose_lhs: bool,
    transpose_rhs: bool,
    a: &Type,
    b: &Type,
) -> Result<MatMulShape, String> {
    let ([a0, a1], [b0, b1]) = (a.dims.as_slice(), b.dims.as_slice()) else {
        return Err(format!("needs two matrices, not {a} and {b}"));
    };
    let (rows, inner) = if transpose_lhs { (*a1, *a0) } else { (*a0, *a1) };
    let (other_inner, columns) = if transpose_rhs { (*b1, *b0) } else { (*b0, *b1) };
    if inner != other_inner {
        return Err(format!("inner extents {inner} and {other_inner} differ in {a} and {b}"));
    }
    Ok(MatMulShape { rows, inner, columns, transpose_lhs, transpose_rhs })
}
