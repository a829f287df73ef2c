//! Going through the expressions of a body without evaluating anything.

use neuro_hir::{Body, Expr, ExprId, IndexArg, LocalId, Stmt};
use neuro_types::{Inference, Ty};

/// Calls `visit` with each direct child of an expression, in the order of evaluation.
pub(crate) fn children(body: &Body, expr: ExprId, visit: &mut dyn FnMut(ExprId)) {
    body.exprs[expr].children(visit);
}

/// The positions among the arguments of an index.
pub(crate) fn index_positions(args: &[IndexArg]) -> impl Iterator<Item = ExprId> + '_ {
    args.iter().filter_map(|arg| match arg {
        IndexArg::At(position) => Some(*position),
        IndexArg::Range { .. } => None,
    })
}

/// The expressions of a block's statements and tail behind the statement at `index`; none when it is no block.
pub(crate) fn exprs_after(body: &Body, block: ExprId, index: usize) -> Vec<ExprId> {
    let Expr::Block { stmts, tail } = &body.exprs[block] else { return Vec::new() };
    stmts.iter().map(Stmt::value).chain(*tail).skip(index + 1).collect()
}

/// Whether `test` holds for an expression or for one inside it. Asks the outer ones first, and what is
/// evaluated first before the rest; long chains of operators take no depth.
pub(crate) fn any(body: &Body, expr: ExprId, test: &mut dyn FnMut(ExprId) -> bool) -> bool {
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        if test(expr) {
            return true;
        }
        let first = todo.len();
        children(body, expr, &mut |child| todo.push(child));
        todo[first..].reverse();
    }
    false
}

/// Whether a local is named in an expression.
pub(crate) fn mentions(body: &Body, expr: ExprId, local: LocalId) -> bool {
    any(body, expr, &mut |expr| matches!(&body.exprs[expr], Expr::Local(named) if *named == local))
}

/// The local from which a place goes on, if the expression is a place.
pub(crate) fn root(body: &Body, expr: ExprId) -> Option<LocalId> {
    match &body.exprs[expr] {
        Expr::Local(local) => Some(*local),
        Expr::Deref(inner) => root(body, *inner),
        Expr::Index { base, .. } | Expr::Field { base, .. } | Expr::TupleField { base, .. } => {
            root(body, *base)
        }
        _ => None,
    }
}

/// The local of which an expression names the whole or a field at any depth.
pub(crate) fn path(body: &Body, expr: ExprId) -> Option<LocalId> {
    match &body.exprs[expr] {
        Expr::Local(local) => Some(*local),
        Expr::Field { base, .. } | Expr::TupleField { base, .. } => path(body, *base),
        _ => None,
    }
}

/// The local that holds a place in itself: none where the place is behind a reference.
pub(crate) fn owner(body: &Body, types: &Inference<'_>, expr: ExprId) -> Option<LocalId> {
    match &body.exprs[expr] {
        Expr::Local(local) => Some(*local),
        Expr::Index { base, .. } | Expr::Field { base, .. } | Expr::TupleField { base, .. }
            if !matches!(types.ty(*base), Ty::Ref { .. }) =>
        {
            owner(body, types, *base)
        }
        _ => None,
    }
}
