//! Operators on tensors: broadcasting, and the product of matrices.

use neuro_db::codes;
use neuro_hir::{BinaryOp, Expr, ExprId};
use neuro_num::DType;

use super::Context;
use super::operator::{Operand, symbol};
use crate::{Dim, Extent, Finding, Place, Remedy, Shape, TensorTy, Ty};

impl Context<'_> {
    pub(super) fn tensor_arithmetic(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        left: &TensorTy,
        right: &TensorTy,
    ) -> Ty {
        if !self.same_elements(expr, symbol(op), left, right) {
            return Ty::Error;
        }
        let what = format!("`{}`", symbol(op));
        if self.dynamic_axis(Place::Head(expr), &what, left)
            || self.dynamic_axis(Place::Head(expr), &what, right)
        {
            return Ty::Error;
        }
        match broadcast(&left.shape, &right.shape) {
            Ok(shape) => Ty::Tensor(TensorTy { elem: left.elem, shape }),
            Err((left_axis, right_axis)) => self.refuse(self.no_broadcast(
                expr,
                symbol(op),
                left,
                right,
                (left_axis, right_axis),
            )),
        }
    }

    /// Whether a tensor has an axis whose extent is known at run time only; says so, since `what` needs
    /// to know it.
    pub(super) fn dynamic_axis(&mut self, place: Place, what: &str, tensor: &TensorTy) -> bool {
        let dims = tensor.shape.dims();
        let Some(axis) = dims.iter().position(|dim| dim.extent == Extent::Dynamic) else {
            return false;
        };
        self.report(Finding::new(
            codes::SHAPE,
            place,
            format!("{what} needs every extent, and axis {axis} of `{tensor}` is `?`"),
        ));
        true
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
            let finding = Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!(
                    "`{symbol}` needs tensors of one element type, and these are `{left}` and `{right}`"
                ),
            );
            self.report(
                self.operands_of(finding, expr)
                    .note(format!("`.map` converts the elements: `t.map(|x| x as {})`", left.elem)),
            );
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

    /// Adds where the operands of an operation come from, and their types.
    pub(super) fn operands_of(&self, finding: Finding, expr: ExprId) -> Finding {
        let (first, second) = match self.expr(expr) {
            Expr::Binary { lhs, rhs, .. } => (*lhs, *rhs),
            Expr::Assign { place, value, .. } => (*place, *value),
            _ => return finding,
        };
        [first, second].into_iter().fold(finding, |finding, operand| {
            let (place, subject) = match self.expr(operand) {
                Expr::Local(local) => (Place::LocalType(*local), self.subject(operand)),
                Expr::Borrow { operand, .. } => match self.expr(*operand) {
                    Expr::Local(local) => (Place::LocalType(*local), self.subject(*operand)),
                    _ => (Place::Expr(*operand), "this".to_owned()),
                },
                _ => (Place::Expr(operand), "this".to_owned()),
            };
            let ty = self.type_of(operand);
            match ty.as_tensor() {
                Some(tensor) => finding.related(place, format!("{subject} is `{tensor}`")),
                None => finding,
            }
        })
    }

    pub(super) fn no_broadcast(
        &self,
        expr: ExprId,
        symbol: &str,
        left: &TensorTy,
        right: &TensorTy,
        (left_axis, right_axis): (usize, usize),
    ) -> Finding {
        let words = |shape: &Shape, axis: usize| {
            let dim = shape.dims().get(axis);
            let extent = dim.map(|dim| dim.extent.to_string()).unwrap_or_default();
            match dim.and_then(|dim| dim.name.as_ref()) {
                Some(name) => (format!("axis {axis} (`{name}`)"), extent),
                None => (format!("axis {axis}"), extent),
            }
        };
        let (left_words, left_extent) = words(&left.shape, left_axis);
        let (right_words, right_extent) = words(&right.shape, right_axis);
        let shown = |shape: &Shape, axis: usize| marked(shape, |index| index == axis);
        let names =
            |shape: &Shape, axis: usize| shape.dims().get(axis).and_then(|dim| dim.name.clone());
        let (left_name, right_name) =
            (names(&left.shape, left_axis), names(&right.shape, right_axis));
        let message = match (left_name, right_name) {
            (Some(left_name), Some(right_name)) if left_name != right_name => format!(
                "shapes {} and {} do not fit `{symbol}`: axis {left_axis} on the left is called `{left_name}`, axis {right_axis} on the right `{right_name}`",
                left.shape, right.shape,
            ),
            _ => format!(
                "shapes {} and {} do not fit `{symbol}`: {left_words} on the left is {left_extent}, {right_words} on the right is {right_extent}",
                left.shape, right.shape,
            ),
        };
        self.operands_of(Finding::new(codes::SHAPE, Place::Head(expr), message), expr)
            .note(format!(
                "{} on the left, {} on the right",
                shown(&left.shape, left_axis),
                shown(&right.shape, right_axis)
            ))
            .note(
                "shapes are aligned at the last axis; extents must be equal, or 1, which stretches",
            )
    }

    pub(super) fn tensor_scalar(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        tensor: &TensorTy,
        scalar: (ExprId, &Ty),
    ) -> Ty {
        if tensor.elem == DType::Bool {
            return self.refuse(Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!("`bool` has no arithmetic: `{}` does not exist on `{tensor}`", symbol(op)),
            ));
        }
        if self.dynamic_axis(Place::Head(expr), &format!("`{}`", symbol(op)), tensor) {
            self.give_up(scalar.1);
            return Ty::Error;
        }
        let fits = match self.operand(scalar.1) {
            Operand::Number(_) => self.literal_operand(scalar, tensor.elem),
            Operand::Scalar(dtype) if dtype == tensor.elem => true,
            Operand::Scalar(dtype) => {
                let finding = self.other_scalar(symbol(op), tensor, scalar.0, dtype);
                self.report(finding);
                false
            }
            Operand::Tensor(_) | Operand::Char | Operand::Text | Operand::Other => false,
        };
        if fits { Ty::Tensor(tensor.clone()) } else { Ty::Error }
    }

    /// A scalar beside a tensor of other elements.
    pub(super) fn other_scalar(
        &self,
        symbol: &str,
        tensor: &TensorTy,
        scalar: ExprId,
        found: DType,
    ) -> Finding {
        let elem = tensor.elem;
        let finding = Finding::new(
            codes::OPERATOR,
            Place::Expr(scalar),
            format!(
                "`{symbol}` needs a scalar of the element type `{elem}`, and this one is `{found}`"
            ),
        );
        match self.type_of(scalar) {
            Ty::Ref { .. } => finding,
            _ => self.cast(finding, scalar, found, elem),
        }
    }

    pub(super) fn matmul(
        &mut self,
        expr: ExprId,
        (lhs, left): (ExprId, &Ty),
        (rhs, right): (ExprId, &Ty),
    ) -> Ty {
        let (Operand::Tensor(a), Operand::Tensor(b)) = (self.operand(left), self.operand(right))
        else {
            return match self.operator_method(expr, BinaryOp::MatMul, (lhs, left), (rhs, right)) {
                Some(ty) => ty,
                None => self.no_operator(expr, "@", left, right),
            };
        };
        if !self.same_elements(expr, "@", &a, &b) {
            return Ty::Error;
        }
        if self.dynamic_axis(Place::Head(expr), "`@`", &a)
            || self.dynamic_axis(Place::Head(expr), "`@`", &b)
        {
            return Ty::Error;
        }
        match (a.shape.dims(), b.shape.dims()) {
            ([rows, inner], [other, columns])
                if self.table.unify_extents(&inner.extent, &other.extent) =>
            {
                let shape = Shape::of([rows.clone(), columns.clone()]);
                Ty::Tensor(TensorTy { elem: a.elem, shape })
            }
            ([_, inner], [other, _]) => {
                let (inner, other) = (&inner.extent, &other.extent);
                let finding = Finding::new(
                    codes::SHAPE,
                    Place::Head(expr),
                    format!(
                        "inner extents differ: {} @ {} needs the {inner} columns on the left and the {other} rows on the right to agree",
                        a.shape, b.shape
                    ),
                );
                let finding = self.operands_of(finding, expr).note(format!(
                    "{} on the left, {} on the right",
                    marked(&a.shape, |axis| axis == 1),
                    marked(&b.shape, |axis| axis == 0)
                ));
                let finding = self.transposed(finding, &a, &b, (lhs, left), (rhs, right));
                self.refuse(finding)
            }
            _ => {
                let (odd, form) = match a.shape.rank() {
                    2 => (&b, "[{}, 1]"),
                    _ => (&a, "[1, {}]"),
                };
                let finding = Finding::new(
                    codes::SHAPE,
                    Place::Head(expr),
                    format!(
                        "`@` takes two matrices (rank 2), and `{odd}` has rank {}",
                        odd.shape.rank()
                    ),
                );
                let finding = self.operands_of(finding, expr);
                self.refuse(match odd.shape.dims() {
                    [only] => {
                        let shape = form.replace("{}", &only.extent.to_string());
                        finding.note(format!("a vector is a matrix by `.reshape({shape})`"))
                    }
                    _ => finding,
                })
            }
        }
    }

    /// Suggests to transpose an operand where that makes the product fit.
    fn transposed(
        &self,
        mut finding: Finding,
        a: &TensorTy,
        b: &TensorTy,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Finding {
        let ([rows, inner], [other, columns]) = (a.shape.dims(), b.shape.dims()) else {
            return finding;
        };
        for (fits, (operand, ty), side) in [
            (inner.extent == columns.extent, rhs, "right"),
            (rows.extent == other.extent, lhs, "left"),
        ] {
            if !fits {
                continue;
            }
            let borrowed = matches!(self.resolved(ty), Ty::Ref { .. });
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
    // An axis by its position from the end.
    fn at(shape: &Shape, from_end: usize) -> Option<(usize, &Dim)> {
        let axis = shape.rank().checked_sub(from_end + 1)?;
        shape.dims().get(axis).map(|dim| (axis, dim))
    }
    let mut dims = (0..rank)
        .map(|from_end| match (at(left, from_end), at(right, from_end)) {
            (Some((left_axis, a)), Some((right_axis, b))) => {
                stretched(a, b).ok_or((left_axis, right_axis))
            }
            (Some((_, dim)), None) | (None, Some((_, dim))) => Ok(dim.clone()),
            (None, None) => Ok(Dim::new(Extent::Known(1))),
        })
        .collect::<Result<Vec<Dim>, _>>()?;
    dims.reverse();
    Ok(Shape::of(dims))
}

/// A shape with some of its axes marked.
pub(super) fn marked(shape: &Shape, mark: impl Fn(usize) -> bool) -> String {
    let dims: Vec<String> = shape
        .dims()
        .iter()
        .enumerate()
        .map(|(axis, dim)| if mark(axis) { format!("»{dim}«") } else { dim.to_string() })
        .collect();
    format!("[{}]", dims.join(", "))
}

/// Whether two shapes have the same extents; names aside.
pub(super) fn same_extents(a: &Shape, b: &Shape) -> bool {
    a.rank() == b.rank() && a.dims().iter().zip(b.dims()).all(|(a, b)| a.extent == b.extent)
}

/// The axis that two aligned axes make: extents are equal, or one of them is the number 1; a name that
/// only one of them has stays.
fn stretched(a: &Dim, b: &Dim) -> Option<Dim> {
    let extent = match (&a.extent, &b.extent) {
        (Extent::Known(1), extent) | (extent, Extent::Known(1)) => extent.clone(),
        (a, b) if a == b => a.clone(),
        _ => return None,
    };
    let name = match (&a.name, &b.name) {
        (Some(a), Some(b)) if a != b => return None,
        (Some(name), _) | (None, Some(name)) => Some(name.clone()),
        (None, None) => None,
    };
    Some(Dim { name, extent })
}

/// The shape of the transpose of a matrix.
pub(super) fn transposed_shape(shape: &Shape) -> Option<Shape> {
    match shape.dims() {
        [rows, columns] => Some(Shape::of([columns.clone(), rows.clone()])),
        _ => None,
    }
}
