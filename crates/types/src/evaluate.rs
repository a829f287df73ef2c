//! Values of expressions that are constant, computed as they are at run time with checks.

use neuro_hir::{BinaryOp, Body, CompareOp, Expr, ExprId, LogicOp, UnaryOp};
use neuro_num::{ArithError, BinOp, CmpOp, Overflow, Scalar, UnOp, binary, cast, compare, unary};

use crate::{Inference, Ty};

/// Why an expression has no constant value.
pub(crate) enum NotConstant {
    /// This part of it is known only at run time.
    Construct(ExprId),
    /// This operation has no value.
    Arithmetic(ExprId, ArithError),
    /// Something is wrong that is reported already.
    Reported,
}

/// The value of an expression made of literals, operators, casts and constants.
pub(crate) fn evaluate(
    body: &Body,
    inference: &Inference<'_>,
    expr: ExprId,
) -> Result<Scalar, NotConstant> {
    if *inference.ty(expr) == Ty::Error {
        return Err(NotConstant::Reported);
    }
    // Literals, negated literals and constants.
    if let Some(value) = inference.literals.get(expr) {
        return Ok(*value);
    }
    let arithmetic = |result: Result<Scalar, ArithError>| {
        result.map_err(|error| NotConstant::Arithmetic(expr, error))
    };
    match &body.exprs[expr] {
        Expr::Literal(neuro_hir::Literal::Char(_)) => Err(NotConstant::Construct(expr)),
        Expr::Literal(_) | Expr::Missing | Expr::Unsupported(_) => Err(NotConstant::Reported),
        // A constant without a value has reported why.
        Expr::Name(_) => Err(NotConstant::Reported),
        Expr::Unary { op, operand } => {
            let value = evaluate(body, inference, *operand)?;
            arithmetic(unary(
                match op {
                    UnaryOp::Neg => UnOp::Neg,
                    UnaryOp::Not | UnaryOp::BitNot => UnOp::Not,
                },
                value,
                Overflow::Trap,
            ))
        }
        Expr::Binary { .. } => evaluate_chain(body, inference, expr),
        Expr::Compare { op, lhs, rhs } => {
            let (a, b) = (evaluate(body, inference, *lhs)?, evaluate(body, inference, *rhs)?);
            let value = compare(comparison(*op), a, b).ok_or(ArithError::Undefined);
            arithmetic(value.map(Scalar::bool))
        }
        Expr::Logic { op, lhs, rhs } => {
            let decided = match op {
                LogicOp::And => false,
                LogicOp::Or => true,
            };
            let left = evaluate(body, inference, *lhs)?;
            if left.as_bool() == Some(decided) { Ok(left) } else { evaluate(body, inference, *rhs) }
        }
        Expr::Cast { operand, .. } => match inference.ty(expr) {
            Ty::Scalar(dtype) => Ok(cast(evaluate(body, inference, *operand)?, *dtype)),
            _ => Err(NotConstant::Reported),
        },
        _ => Err(NotConstant::Construct(expr)),
    }
}

/// A chain `a + b + c`, whose length must not be the depth of a recursion.
fn evaluate_chain(
    body: &Body,
    inference: &Inference<'_>,
    expr: ExprId,
) -> Result<Scalar, NotConstant> {
    let mut spine = Vec::new();
    let mut first = expr;
    while let Expr::Binary { op, lhs, rhs } = &body.exprs[first] {
        if *inference.ty(first) == Ty::Error {
            return Err(NotConstant::Reported);
        }
        spine.push((first, *op, *rhs));
        first = *lhs;
    }
    let mut value = evaluate(body, inference, first)?;
    for (expr, op, rhs) in spine.into_iter().rev() {
        let Some(op) = operation(op) else { return Err(NotConstant::Construct(expr)) };
        let right = evaluate(body, inference, rhs)?;
        value = binary(op, value, right, Overflow::Trap)
            .map_err(|error| NotConstant::Arithmetic(expr, error))?;
    }
    Ok(value)
}

fn operation(op: BinaryOp) -> Option<BinOp> {
    Some(match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::BitAnd => BinOp::And,
        BinaryOp::BitOr => BinOp::Or,
        BinaryOp::BitXor => BinOp::Xor,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::MatMul => return None,
    })
}

fn comparison(op: CompareOp) -> CmpOp {
    match op {
        CompareOp::Eq => CmpOp::Eq,
        CompareOp::Ne => CmpOp::Ne,
        CompareOp::Lt => CmpOp::Lt,
        CompareOp::Le => CmpOp::Le,
        CompareOp::Gt => CmpOp::Gt,
        CompareOp::Ge => CmpOp::Ge,
    }
}
