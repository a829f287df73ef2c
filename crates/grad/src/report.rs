//! Refusals as diagnostics.

use neuro_db::{Db, Diagnostic, Span};
use neuro_hir::Function;

use crate::check;

/// What is said of the derivative that a function asks for. A diagnostic may stand in another function.
pub fn diagnostics<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db [Diagnostic] {
    if check(db, function).is_empty() { &[] } else { rendered(db, function) }
}

#[salsa::tracked(returns(deref))]
fn rendered<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for refusal in check(db, function) {
        for mut diagnostic in
            neuro_types::render(db, refusal.function, std::slice::from_ref(&refusal.finding))
        {
            if refusal.function != function {
                let name = neuro_hir::signature_ranges(db, function).name;
                let span = Span::in_item(function.file(db), function.ast_id(db), name);
                diagnostic = diagnostic
                    .related(span, format!("differentiated from `{}`", function.name(db)));
            }
            all.push(diagnostic);
        }
    }
    all
}
