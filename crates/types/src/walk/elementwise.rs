//! Operators on tensors: broadcasting, and the product of matrices.

use neuro_db::codes;
use neuro_hir::{BinaryOp, ExprId};
use neuro_num::DType;

use super::operator::{Operand, symbol};
use super::{Context, Type};
use crate::{Finding, Place, Remedy, Shape, TensorTy, Ty};

impl Context<'_> {
    pub(super) fn tensor_arithmetic(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: &TensorTy,
        right: &TensorTy,
    ) -> Type {
        if !self.same_elements(expr, symbol(op), left, right) {
            return Type::ERROR;
        }
        match broadcast(&left.shape, &right.shape) {
            Ok(shape) => Type::Known(Ty::Tensor(TensorTy { elem: left.elem, shape })),
            Err((left_axis, right_axis)) => self.refuse(self.no_broadcast(
                expr,
                symbol(op),
                left,
                right,
                (left_axis, right_axis),
            )),
        }
    }

    /// Whether two tensors have one element type, with arithmetic.
    pub(super) fn same_elements(
        &mut self,
        expr: ExprId,
        symbol: &str,
        left: &TensorTy,
        right: &TensorTy,
    ) -> bool {
        if left.elem != right.elem {
            self.report(Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!(
                    "`{symbol}` needs tensors of one element type, and these are `{left}` and `{right}`"
                ),
            ));
            return false;
        }
        if left.elem == DType::Bool {
            self.report(Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!("`bool` has no arithmetic: `{symbol}` does not exist on `{left}`"),
            ));
            return false;
        }
        true
    }

    pub(super) fn no_broadcast(
        &self,
        expr: ExprId,
        symbol: &str,
        left: &TensorTy,
        right: &TensorTy,
        (left_axis, right_axis): (usize, usize),
    ) -> Finding {
        let extent = |shape: &Shape, axis: usize| shape.0.get(axis).copied().unwrap_or_default();
        Finding::new(
            codes::SHAPE,
            Place::Head(expr),
            format!(
                "shapes {} and {} do not fit `{symbol}`: axis {left_axis} on the left is {}, axis {right_axis} on the right is {}",
                left.shape,
                right.shape,
                extent(&left.shape, left_axis),
                extent(&right.shape, right_axis),
            ),
        )
        .note("shapes are aligned at the last axis; extents must be equal, or 1, which stretches")
    }

    pub(super) fn tensor_scalar(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        tensor: &TensorTy,
        scalar: (ExprId, &Type),
    ) -> Type {
        if tensor.elem == DType::Bool {
            return self.refuse(Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!("`bool` has no arithmetic: `{}` does not exist on `{tensor}`", symbol(op)),
            ));
        }
        let fits = match self.operand(scalar.1) {
            Operand::Number(_) => self.literal_operand(scalar, tensor.elem),
            Operand::Scalar(dtype) if dtype == tensor.elem => true,
            Operand::Scalar(dtype) => {
                self.report(Finding::new(
                    codes::OPERATOR,
                    Place::Head(expr),
                    format!(
                        "`{}` needs a scalar of the element type `{}`, and this one is `{dtype}`",
                        symbol(op),
                        tensor.elem
                    ),
                ));
                false
            }
            Operand::Tensor(_) | Operand::Char | Operand::Other => false,
        };
        if fits { Type::Known(Ty::Tensor(tensor.clone())) } else { Type::ERROR }
    }

    pub(super) fn matmul(
        &mut self,
        expr: ExprId,
        (lhs, left): (ExprId, &Type),
        (rhs, right): (ExprId, &Type),
    ) -> Type {
        let (Operand::Tensor(a), Operand::Tensor(b)) = (self.operand(left), self.operand(right))
        else {
            return self.no_operator(expr, "@", left, right);
        };
        if !self.same_elements(expr, "@", &a, &b) {
            return Type::ERROR;
        }
        match (&*a.shape.0, &*b.shape.0) {
            ([rows, inner], [other, columns]) if inner == other => {
                Type::Known(Ty::tensor(a.elem, [*rows, *columns]))
            }
            ([_, inner], [other, _]) => {
                let finding = Finding::new(
                    codes::SHAPE,
                    Place::Head(expr),
                    format!(
                        "inner extents differ: {} @ {} needs the {inner} columns on the left and the {other} rows on the right to agree",
                        a.shape, b.shape
                    ),
                );
                let finding = self.transposed(finding, &a, &b, (lhs, left), (rhs, right));
                self.refuse(finding)
            }
            _ => {
                let odd = if a.shape.rank() == 2 { &b } else { &a };
                self.refuse(Finding::new(
                    codes::SHAPE,
                    Place::Head(expr),
                    format!(
                        "`@` takes two matrices (rank 2), and `{odd}` has rank {}",
                        odd.shape.rank()
                    ),
                ))
            }
        }
    }

    /// Suggests to transpose an operand where that makes the product fit.
    fn transposed(
        &self,
        mut finding: Finding,
        a: &TensorTy,
        b: &TensorTy,
        lhs: (ExprId, &Type),
        rhs: (ExprId, &Type),
    ) -> Finding {
        let ([rows, inner], [other, columns]) = (&*a.shape.0, &*b.shape.0) else { return finding };
        for (fits, (operand, ty), side) in
            [(inner == columns, rhs, "right"), (rows == other, lhs, "left")]
        {
            if !fits {
                continue;
            }
            let borrowed = matches!(self.resolved(ty), Type::Known(Ty::Ref { .. }));
            let text = if borrowed { ".clone().t()" } else { ".t()" };
            finding = finding.note(format!("with `{text}` on the {side} operand the shapes fit"));
            if self.is_postfix(operand) {
                finding = finding.remedy(Remedy::InsertAfter(
                    Place::Expr(operand),
                    format!("transpose the {side} operand"),
                    text.to_owned(),
                ));
            }
        }
        finding
    }
}

/// The shape that both stretch to, or the axis of each that does not fit.
pub(super) fn broadcast(left: &Shape, right: &Shape) -> Result<Shape, (usize, usize)> {
    let rank = left.rank().max(right.rank());
    // The extent at a position from the end, and the axis that it belongs to.
    let at = |shape: &Shape, from_end: usize| {
        let axis = shape.rank().checked_sub(from_end + 1)?;
        shape.0.get(axis).map(|extent| (axis, *extent))
    };
    let mut extents = (0..rank)
        .map(|from_end| match (at(left, from_end), at(right, from_end)) {
            (Some((_, 1)), Some((_, extent))) | (Some((_, extent)), Some((_, 1))) => Ok(extent),
            (Some((_, a)), Some((_, b))) if a == b => Ok(a),
            (Some((left_axis, _)), Some((right_axis, _))) => Err((left_axis, right_axis)),
            (Some((_, extent)), None) | (None, Some((_, extent))) => Ok(extent),
            (None, None) => Ok(1),
        })
        .collect::<Result<Vec<u64>, _>>()?;
    extents.reverse();
    Ok(Shape::new(extents))
}

/// The shape of the transpose of a matrix.
pub(super) fn transposed_shape(shape: &Shape) -> Option<Shape> {
    match *shape.0 {
        [rows, columns] => Some(Shape::new([columns, rows])),
        _ => None,
    }
}
