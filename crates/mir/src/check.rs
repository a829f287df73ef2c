//! The checks of who may use what when.
//!
//! `protocol` reads the body as written; the others read its control-flow graph: `moves` and `borrows`
//! with the flow of control, `pools` without. Each gives findings about the function alone, its closures included.

mod scene;
mod access;
mod paths;
mod protocol;
mod moves;
mod liveness;
mod borrows;
mod pools;

use neuro_db::Db;
use neuro_hir::{Expr, Function, is_lowered};
use neuro_types::{Finding, infer};

use protocol::Written;
use scene::Scene;

/// What the checks found.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub(crate) struct Analysis<'db> {
    pub(crate) findings: Vec<Finding>,
    /// Functions that would need `@grad`, by the index of the finding that says so.
    pub(crate) ungraded: Vec<(usize, Function<'db>)>,
}

/// What is wrong with moves, borrows, pools and gradient slots in a function. Nothing is said while
/// its types are wrong or unknown, or while it has no graph.
pub fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db Vec<Finding> {
    &analysis(db, function).findings
}

#[salsa::tracked]
pub(crate) fn analysis<'db>(db: &'db dyn Db, function: Function<'db>) -> Analysis<'db> {
    let types = infer(db, function);
    let mut analysis = Analysis::default();
    if !types.findings.is_empty() || types.unclear || !is_lowered(db, function) {
        return analysis;
    }
    let hir = neuro_hir::body(db, function);
    protocol::check(&Written { db, function, hir, types }, &mut analysis);
    let Some(body) = crate::lower::for_checks(db, function) else { return analysis };
    let closures = hir.exprs.iter().filter(|(_, what)| matches!(what, Expr::Closure(_)));
    let closures = closures.map(|(expr, _)| crate::lower::closure_for_checks(db, function, expr));
    for body in std::iter::once(body).chain(closures) {
        let scene = Scene::new(db, function, hir, types, body);
        moves::check(&scene, &mut analysis.findings);
        borrows::check(&scene, &mut analysis.findings);
        pools::check(&scene, &mut analysis.findings);
    }
    analysis
}
