//! Matrix products.

use neuro_num::{
    ArithError, BinOp, DType, MatMulShape, Overflow, Scalar, binary, matmul, matmul_checked,
};

use super::exactly;
use crate::{Tensor, Trap, Type};

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

pub(crate) fn eval(
    transpose_lhs: bool,
    transpose_rhs: bool,
    overflow: Overflow,
    operands: &[&Tensor],
    ty: &Type,
) -> Result<Tensor, Trap> {
    let [a, b] = [operands[0], operands[1]];
    let shape = extents(transpose_lhs, transpose_rhs, a.ty(), b.ty())
        .map_err(|_| Trap::Arith(ArithError::Undefined))?;
    // The kernel that compiled programs call; the other element types go one multiplication at a time.
    if let Some((a, b)) = a.to_f32s().zip(b.to_f32s()) {
        let mut c = vec![0.0; ty.elements()];
        matmul(&mut c, &a, &b, shape);
        return Ok(row_major(ty, c.into_iter().map(Scalar::f32)));
    }
    if ty.dtype == DType::F64 {
        let mut c = vec![0.0; ty.elements()];
        matmul(&mut c, &a.to_f64s(), &b.to_f64s(), shape);
        return Ok(row_major(ty, c.into_iter().map(Scalar::f64)));
    }
    let mut c = vec![Scalar::zero(ty.dtype); ty.elements()];
    matmul_checked(&mut c, a.data(), b.data(), shape, Scalar::zero(ty.dtype), |sum, a, b| {
        binary(BinOp::Add, sum, binary(BinOp::Mul, a, b, overflow)?, overflow)
    })?;
    Ok(row_major(ty, c.into_iter()))
}

fn row_major(ty: &Type, mut elements: impl Iterator<Item = Scalar>) -> Tensor {
    Tensor::from_fn(ty, |_| elements.next().unwrap_or(Scalar::zero(ty.dtype)))
}
