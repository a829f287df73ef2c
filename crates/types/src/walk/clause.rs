//! Conditions of `where` clauses as people write them.

use neuro_hir::{BinaryOp, Body, Expr, ExprId, Literal, LogicOp, UnaryOp};

use super::operator::{comparison, symbol};

/// How tightly an expression holds together; more is tighter.
fn binding(expr: &Expr) -> u8 {
    match expr {
        Expr::Logic { op: LogicOp::Or, .. } => 1,
        Expr::Logic { op: LogicOp::And, .. } => 2,
        Expr::Compare { .. } => 3,
        Expr::Binary { op, .. } => match op {
            BinaryOp::BitOr => 4,
            BinaryOp::BitXor => 5,
            BinaryOp::BitAnd => 6,
            BinaryOp::Shl => 7,
            BinaryOp::Add | BinaryOp::Sub => 8,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 9,
            BinaryOp::MatMul => 10,
        },
        _ => 11,
    }
}

/// A condition in words; what conditions are not made of is left out.
pub(crate) fn shown(body: &Body, expr: ExprId) -> String {
    let part = |inner: ExprId, tighter: bool| {
        let text = shown(body, inner);
        let (outer, inner) = (binding(&body.exprs[expr]), binding(&body.exprs[inner]));
        if inner < outer || (tighter && inner == outer) { format!("({text})") } else { text }
    };
    let joined = |lhs: ExprId, symbol: &str, rhs: ExprId| {
        format!("{} {symbol} {}", part(lhs, false), part(rhs, true))
    };
    match &body.exprs[expr] {
        Expr::Literal(Literal::Int(value, _)) => value.to_string(),
        Expr::Literal(Literal::Float(digits, _)) => digits.to_string(),
        Expr::Literal(Literal::Bool(value)) => value.to_string(),
        Expr::Literal(Literal::Char(c)) => format!("{c:?}"),
        Expr::Path(path) => path.to_string(),
        Expr::Unary { op, operand } => {
            let symbol = match op {
                UnaryOp::Neg => "-",
                UnaryOp::Not => "!",
                UnaryOp::BitNot => "~",
            };
            format!("{symbol}{}", part(*operand, true))
        }
        Expr::Binary { op, lhs, rhs } => joined(*lhs, symbol(*op), *rhs),
        Expr::Compare { op, lhs, rhs } => joined(*lhs, comparison(*op), *rhs),
        Expr::Logic { op: LogicOp::And, lhs, rhs } => joined(*lhs, "&&", *rhs),
        Expr::Logic { op: LogicOp::Or, lhs, rhs } => joined(*lhs, "||", *rhs),
        _ => "..".to_owned(),
    }
}
