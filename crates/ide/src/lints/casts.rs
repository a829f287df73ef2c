//! Casts of constant floats to integers that cannot hold them.

use neuro_db::codes::FLOAT_CAST;
use neuro_db::{Db, Diagnostic, Span};
use neuro_hir::{
    BinaryOp, Body, Const, Expr, ExprId, Function, SourceMap, const_body, const_source_map,
    source_map,
};
use neuro_num::{BinOp, DType, Overflow, Scalar, binary, cast, default_text, fits_integer};
use neuro_syntax::TextRange;
use neuro_types::{Inference, Ty, const_inference, infer};

/// How deep an operand may be nested; deeper ones are not computed.
const DEPTH: usize = 64;

/// The casts of a function.
pub(super) fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let span = |range| Span::in_item(function.file(db), function.ast_id(db), range);
    let body = neuro_hir::body(db, function);
    casts(body, infer(db, function), || source_map(db, function), span)
}

/// The casts in the value of a constant.
pub(super) fn check_const<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Diagnostic> {
    let span = |range| Span::in_item(constant.file(db), constant.ast_id(db), range);
    let inference = const_inference(db, constant);
    casts(const_body(db, constant), inference, || const_source_map(db, constant), span)
}

fn casts<'m>(
    body: &Body,
    inference: &Inference<'_>,
    map: impl Fn() -> &'m SourceMap,
    span: impl Fn(TextRange) -> Span,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (expr, node) in body.exprs.iter() {
        let Expr::Cast { operand, .. } = node else { continue };
        let Ty::Scalar(to) = inference.ty(expr) else { continue };
        let Some((min, max)) = to.int_range() else { continue };
        let Some(value) = constant(body, inference, *operand, DEPTH) else { continue };
        if value.as_float().is_none_or(|float| fits_integer(float, *to)) {
            continue;
        }
        let given = default_text(cast(value, *to));
        let message = format!("`{}` does not fit `{}`", default_text(value), to.name());
        let note = format!("the cast gives {given}; `{}` holds {min} to {max}", to.name());
        found.push(Diagnostic::new(FLOAT_CAST, span(map().expr(expr)), message).note(note));
    }
    found
}

/// The value of an operand that is made of literals, constants, arithmetic and casts.
fn constant(body: &Body, inference: &Inference<'_>, expr: ExprId, depth: usize) -> Option<Scalar> {
    if let Some(value) = inference.literals.get(expr) {
        return Some(*value);
    }
    let below = |operand: ExprId| constant(body, inference, operand, depth.checked_sub(1)?);
    let node = &body.exprs[expr];
    if let Expr::Binary { op, lhs, rhs, .. } = node {
        return binary(arithmetic(*op)?, below(*lhs)?, below(*rhs)?, Overflow::Trap).ok();
    }
    if let Expr::Cast { operand, .. } = node {
        let Ty::Scalar(to) = inference.ty(expr) else { return None };
        return (*to != DType::Bool)
            .then(|| below(*operand))
            .flatten()
            .map(|value| cast(value, *to));
    }
    None
}

/// The operators that floats have.
fn arithmetic(op: BinaryOp) -> Option<BinOp> {
    match op {
        BinaryOp::Add => Some(BinOp::Add),
        BinaryOp::Sub => Some(BinOp::Sub),
        BinaryOp::Mul => Some(BinOp::Mul),
        BinaryOp::Div => Some(BinOp::Div),
        BinaryOp::Rem => Some(BinOp::Rem),
        BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Shl
        | BinaryOp::MatMul => None,
    }
}
