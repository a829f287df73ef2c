//! Pairs of a `@grad` call and its `.backward()`: found once, read by lowering and by the checks.

use neuro_db::Db;
use neuro_hir::{Body, Expr, ExprId, Function, LocalId, Stmt};
use neuro_types::{Callee, DiffSpec, Inference, Method, diff_spec};
use rustc_hash::FxHashMap;

use crate::walk;

/// A call of a `@grad` function whose value is bound and asked for its derivative.
#[derive(Clone, Debug)]
pub(crate) struct Pair<'db> {
    /// The differentiated function.
    pub(crate) function: Function<'db>,
    /// What its signature says.
    pub(crate) spec: &'db DiffSpec,
    /// The call.
    pub(crate) call: ExprId,
    /// The `.backward()`.
    pub(crate) backward: ExprId,
    /// The expressions of the statements between both.
    pub(crate) between: Vec<ExprId>,
}

/// The pairs of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs<'db> {
    /// By the call.
    pub(crate) by_call: FxHashMap<ExprId, Pair<'db>>,
}

/// A binding and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BindingSite {
    /// The block.
    pub(crate) block: ExprId,
    /// Its index among the block's statements.
    pub(crate) index: usize,
    /// The initial value.
    pub(crate) init: ExprId,
}

/// The binding statements of a body, by their local.
pub(crate) fn binding_sites(body: &Body) -> FxHashMap<LocalId, BindingSite> {
    let mut sites = FxHashMap::default();
    for (block, expr) in body.exprs.iter() {
        let Expr::Block { stmts, .. } = expr else { continue };
        for (index, stmt) in stmts.iter().enumerate() {
            if let Stmt::Let { pat, init, .. } = stmt
                && let Some(local) = body.bound(*pat)
            {
                sites.insert(local, BindingSite { block, index, init: *init });
            }
        }
    }
    sites
}

/// The function that a call names, if the expression is a call of a function.
pub(crate) fn called<'db>(
    body: &Body,
    types: &Inference<'db>,
    call: ExprId,
) -> Option<Function<'db>> {
    let Expr::Call { callee, .. } = &body.exprs[call] else { return None };
    match types.callees.get(call).or_else(|| types.callees.get(*callee)) {
        Some(Callee::Function(function)) => Some(*function),
        _ => None,
    }
}

/// The method that a method call stands for.
pub(crate) fn method(types: &Inference<'_>, expr: ExprId) -> Option<Method> {
    match types.callees.get(expr) {
        Some(Callee::Method(method)) => Some(*method),
        _ => None,
    }
}

/// The local whose `.backward()` this is.
fn backward_of(body: &Body, types: &Inference<'_>, expr: ExprId) -> Option<LocalId> {
    let Expr::MethodCall { receiver, .. } = &body.exprs[expr] else { return None };
    match (method(types, expr), &body.exprs[*receiver]) {
        (Some(Method::Backward), Expr::Local(local)) => Some(*local),
        _ => None,
    }
}

/// Finds the pairs of a body: a `val` bound to the call itself, and one `.backward()` on it, a later
/// statement of the same block.
pub(crate) fn pairs<'db>(db: &'db dyn Db, body: &Body, types: &Inference<'db>) -> Pairs<'db> {
    let mut backwards: FxHashMap<LocalId, Vec<ExprId>> = FxHashMap::default();
    for (expr, _) in body.exprs.iter() {
        if let Some(local) = backward_of(body, types, expr) {
            backwards.entry(local).or_default().push(expr);
        }
    }
    let mut pairs = Pairs::default();
    for (local, site) in binding_sites(body) {
        let Some([backward]) = backwards.get(&local).map(Vec::as_slice) else { continue };
        let Some(function) = called(body, types, site.init) else { continue };
        let Some(spec) = &diff_spec(db, function).spec else { continue };
        if body.locals[local].mutable {
            continue;
        }
        let later = walk::exprs_after(body, site.block, site.index);
        let Some(end) = later.iter().position(|expr| expr == backward) else { continue };
        let between = later.into_iter().take(end).collect();
        let pair = Pair { function, spec, call: site.init, backward: *backward, between };
        pairs.by_call.insert(site.init, pair);
    }
    pairs
}
