//! Values of expressions that are constant, computed as they are at run time with checks.

use neuro_hir::{BinaryOp, Body, CompareOp, Expr, ExprId, FormatPart, Literal, LogicOp, UnaryOp};
use neuro_num::{
    ArithError, BinOp, CmpOp, DType, Overflow, Scalar, UnOp, binary, cast, compare, unary,
};

use crate::{Callee, Inference, Ty};

/// Why an expression has no constant value.
pub(crate) enum NotConstant {
    /// This part of it is known only at run time.
    Construct(ExprId),
    /// This operation has no value.
    Arithmetic(ExprId, ArithError),
    /// Something is wrong that is reported already.
    Reported,
}

/// No constant parameter has a value.
pub(crate) fn no_params(_: u32) -> Option<Scalar> {
    None
}

/// The value of an expression made of literals, operators, casts, constants and constant
/// parameters, whose values `params` gives.
pub(crate) fn evaluate(
    body: &Body,
    inference: &Inference<'_>,
    expr: ExprId,
    params: &dyn Fn(u32) -> Option<Scalar>,
) -> Result<Scalar, NotConstant> {
    // A chain `a + b + c` is walked from its first operand: its length must not become the depth of a
    // recursion.
    let mut chain = Vec::new();
    let mut first = expr;
    let mut value = loop {
        if *inference.ty(first) == Ty::Error {
            return Err(NotConstant::Reported);
        }
        // Literals, negated literals and constants.
        if let Some(value) = inference.literals.get(first) {
            break *value;
        }
        if let Expr::Literal(Literal::Char(c)) = &body.exprs[first] {
            break Scalar::wrap(DType::U32, i128::from(u32::from(*c)));
        }
        if let Some(Callee::ConstParam(index)) = inference.callees.get(first) {
            break params(*index).ok_or(NotConstant::Construct(first))?;
        }
        match &body.exprs[first] {
            Expr::Unary { operand: inner, .. }
            | Expr::Cast { operand: inner, .. }
            | Expr::Binary { lhs: inner, .. }
            | Expr::Compare { lhs: inner, .. }
            | Expr::Logic { lhs: inner, .. } => {
                chain.push(first);
                first = *inner;
            }
            // A constant without a value has reported why.
            Expr::Path(_) | Expr::Missing
                if !matches!(inference.callees.get(first), Some(Callee::Function(_))) =>
            {
                return Err(NotConstant::Reported);
            }
            _ => return Err(NotConstant::Construct(first)),
        }
    };
    for outer in chain.into_iter().rev() {
        value = apply(body, inference, outer, value, params)?;
    }
    Ok(value)
}

/// The text that an expression is made of literals, `+` and constants.
pub(crate) fn evaluate_text(
    body: &Body,
    inference: &Inference<'_>,
    expr: ExprId,
) -> Result<String, NotConstant> {
    let mut text = String::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        if *inference.ty(expr) == Ty::Error {
            return Err(NotConstant::Reported);
        }
        if let Some(known) = inference.texts.get(expr) {
            text.push_str(known);
            continue;
        }
        match &body.exprs[expr] {
            Expr::Text(parts) => {
                for part in parts {
                    match part {
                        FormatPart::Text(part) => text.push_str(part),
                        FormatPart::Hole { .. } => return Err(NotConstant::Construct(expr)),
                    }
                }
            }
            Expr::Binary { op: BinaryOp::Add, lhs, rhs } => todo.extend([*rhs, *lhs]),
            // A constant without a text has reported why.
            Expr::Path(_) | Expr::Local(_) | Expr::Missing
                if !matches!(inference.callees.get(expr), Some(Callee::Function(_))) =>
            {
                return Err(NotConstant::Reported);
            }
            _ => return Err(NotConstant::Construct(expr)),
        }
    }
    Ok(text)
}

/// The character of a number, as its code point; U+FFFD where there is none.
fn character(number: Scalar) -> Scalar {
    let code = number.as_int().and_then(|number| u32::try_from(number).ok());
    let character = code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    Scalar::wrap(DType::U32, i128::from(u32::from(character)))
}

/// The value of an operation whose first operand has the value `left`.
fn apply(
    body: &Body,
    inference: &Inference<'_>,
    expr: ExprId,
    left: Scalar,
    params: &dyn Fn(u32) -> Option<Scalar>,
) -> Result<Scalar, NotConstant> {
    let result = match &body.exprs[expr] {
        Expr::Unary { op, .. } => {
            let op = match op {
                UnaryOp::Neg => UnOp::Neg,
                UnaryOp::Not | UnaryOp::BitNot => UnOp::Not,
            };
            unary(op, left, Overflow::Trap)
        }
        Expr::Cast { .. } => match inference.ty(expr) {
            Ty::Scalar(dtype) => Ok(cast(left, *dtype)),
            Ty::Char => Ok(character(left)),
            _ => return Err(NotConstant::Reported),
        },
        Expr::Binary { op, rhs, .. } => {
            let Some(op) = operation(*op) else { return Err(NotConstant::Construct(expr)) };
            binary(op, left, evaluate(body, inference, *rhs, params)?, Overflow::Trap)
        }
        Expr::Compare { op, rhs, .. } => {
            compare(comparison(*op), left, evaluate(body, inference, *rhs, params)?)
                .map(Scalar::bool)
                .ok_or(ArithError::Undefined)
        }
        Expr::Logic { op, rhs, .. } => {
            let decided = match op {
                LogicOp::And => false,
                LogicOp::Or => true,
            };
            if left.as_bool() == Some(decided) {
                Ok(left)
            } else {
                return evaluate(body, inference, *rhs, params);
            }
        }
        _ => return Err(NotConstant::Construct(expr)),
    };
    result.map_err(|error| NotConstant::Arithmetic(expr, error))
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
