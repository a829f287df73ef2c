//! All diagnostics of a file.

use neuro_db::{Db, Diagnostic, Severity, SourceFile};
use neuro_hir::{Function, Item, file_items};
use rustc_hash::FxHashSet;

/// The diagnostics of a file, in the order of the text. Each stage is asked; a later stage says nothing
/// of a function in which an earlier one found an error, so that one mistake is reported once.
pub fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut all = neuro_hir::file_diagnostics(db, file).to_vec();
    for item in &file_items(db, file).items {
        match item {
            Item::Function(function) => function_diagnostics(db, *function, &mut all),
            item => {
                all.extend_from_slice(neuro_hir::item_diagnostics(db, *item));
                all.extend_from_slice(neuro_types::item_diagnostics(db, *item));
            }
        }
    }
    let mut seen = FxHashSet::default();
    all.retain(|diagnostic| {
        diagnostic.span.file == file
            && seen.insert((diagnostic.code, diagnostic.span, diagnostic.message.clone()))
    });
    all.sort_by_key(|diagnostic| {
        let range = diagnostic.span.absolute(db);
        (range.start(), range.end(), diagnostic.code)
    });
    all
}

fn function_diagnostics<'db>(db: &'db dyn Db, function: Function<'db>, all: &mut Vec<Diagnostic>) {
    let names = neuro_hir::diagnostics(db, function);
    all.extend_from_slice(names);
    let types = neuro_types::diagnostics(db, function);
    all.extend_from_slice(types);
    if has_errors(names) || has_errors(types) {
        return;
    }
    all.extend_from_slice(neuro_mir::diagnostics(db, function));
    all.extend_from_slice(neuro_grad::diagnostics(db, function));
}

/// Whether a program with these diagnostics is refused.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
