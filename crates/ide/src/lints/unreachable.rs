//! Statements behind one that never lets them run.

use neuro_db::codes::UNREACHABLE_CODE;
use neuro_db::{Db, Diagnostic, Span};
use neuro_hir::{Builtin, Expr, ExprId, Function, SourceMap, Stmt, body, source_map};
use neuro_syntax::TextRange;
use neuro_types::{Ty, infer};

/// The first statement of each block that is not reached, while the block is.
pub(super) fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let body = body(db, function);
    let types = infer(db, function);
    let leaves = |expr: &ExprId| *types.ty(*expr) == Ty::Never;
    // That it is reached by mistake is what it says.
    let says_so = |expr: ExprId| {
        matches!(body.exprs[expr], Expr::BuiltinCall { builtin: Builtin::Unreachable, .. })
    };
    let mut found = Vec::new();
    let mut hidden: Vec<TextRange> = Vec::new();
    let blocks = body.exprs.iter().filter_map(|(_, expr)| match expr {
        Expr::Block { stmts, tail } => Some((stmts, *tail)),
        _ => None,
    });
    let mut unreached = Vec::new();
    for (stmts, tail) in blocks {
        let left = stmts.iter().position(|stmt| match stmt {
            Stmt::Expr(expr) => leaves(expr),
            Stmt::Let { .. } | Stmt::LetElse { .. } | Stmt::Const { .. } => false,
        });
        let Some((left, Stmt::Expr(leaving))) =
            left.and_then(|left| Some((left, stmts.get(left)?)))
        else {
            continue;
        };
        let next = match stmts.get(left + 1) {
            Some(next) => Next::Stmt(next),
            None => match tail {
                Some(tail) if !says_so(tail) => Next::Tail(tail),
                Some(_) | None => continue,
            },
        };
        if matches!(next, Next::Stmt(Stmt::Expr(expr)) if says_so(*expr)) {
            continue;
        }
        unreached.push((next, *leaving));
    }
    if unreached.is_empty() {
        return found;
    }
    let map = source_map(db, function);
    let span = |range| Span::in_item(function.file(db), function.ast_id(db), range);
    let mut placed: Vec<(TextRange, ExprId)> =
        unreached.iter().map(|(next, leaving)| (next.range(map), *leaving)).collect();
    placed.sort_by_key(|(range, _)| (range.start(), std::cmp::Reverse(range.end())));
    for (range, leaving) in placed {
        // What stands in it is not reached either.
        if hidden.iter().any(|outer| outer.contains_range(range)) {
            continue;
        }
        hidden.push(range);
        found.push(
            Diagnostic::new(UNREACHABLE_CODE, span(range), "this is never reached")
                .related(span(map.expr(leaving)), "this always leaves"),
        );
    }
    found
}

/// What stands behind a statement.
enum Next<'b> {
    Stmt(&'b Stmt),
    Tail(ExprId),
}

impl Next<'_> {
    fn range(&self, map: &SourceMap) -> TextRange {
        match self {
            Next::Stmt(Stmt::Expr(expr)) | Next::Tail(expr) => map.expr(*expr),
            Next::Stmt(Stmt::Let { pat, init, .. } | Stmt::LetElse { pat, init, .. }) => {
                map.pat(*pat).cover(map.expr(*init))
            }
            Next::Stmt(Stmt::Const { local, value, .. }) => {
                map.local(*local).cover(map.expr(*value))
            }
        }
    }
}
