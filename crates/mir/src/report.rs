//! Findings as diagnostics with places.

use neuro_db::codes::{BACKWARD, UNSUPPORTED};
use neuro_db::{Db, Diagnostic, Related};
use neuro_hir::Function;
use neuro_types::{Finding, Place, Remedy, render};

use crate::check::analysis;

/// What is wrong with moves, borrows, pools and gradient slots in a function.
#[salsa::tracked(returns(deref))]
pub fn diagnostics<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let analysis = analysis(db, function);
    let mut all = render(db, function, &analysis.findings);
    all.extend(render(db, function, crate::conditions::wrong_instances(db, function)));
    for (index, callee) in &analysis.ungraded {
        if let Some(diagnostic) = all.get_mut(*index) {
            add_declaration(db, *callee, diagnostic);
        }
    }
    all.sort_by_key(|diagnostic| diagnostic.span.range.start());
    all
}

/// Why a function cannot be run, differentiated or shown as a graph though nothing is wrong with it: a
/// construct of its own, or of one that it calls.
pub fn does_not_run<'db>(db: &'db dyn Db, root: Function<'db>) -> Option<Diagnostic> {
    let (function, found) = crate::unsupported_in(db, root)?;
    let message = format!("does not run yet: {}", found.construct);
    let finding = Finding::new(UNSUPPORTED, found.place, message);
    render(db, function, &[finding]).pop()
}

/// Adds the declaration of a function that would need `@grad`, and the edit that gives it one.
fn add_declaration<'db>(db: &'db dyn Db, callee: Function<'db>, diagnostic: &mut Diagnostic) {
    let name = callee.name(db);
    let message = format!("`{name}` is declared here, without `@grad`");
    let title = format!("differentiate `{name}`: add `@grad`");
    let declaration = Finding::new(BACKWARD, Place::FunctionName, message)
        .remedy(Remedy::InsertBefore(Place::Header, title, "@grad\n".to_owned()));
    for shown in render(db, callee, &[declaration]) {
        diagnostic.related.push(Related { message: shown.message, span: shown.span });
        diagnostic.fixes.extend(shown.fixes);
    }
}
