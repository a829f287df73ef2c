//! All diagnostics of a file.

use neuro_db::{Db, Diagnostic, Severity, SourceFile, Span, codes};
use neuro_hir::{Function, Item, file_items};
use neuro_syntax::{Damage, Found, Parse};
use rustc_hash::FxHashSet;
use text_size::TextRange;

use crate::lints::{allowed, at_level, const_lints, file_lints, lints};
use crate::project::{is_project_file, read_project};

/// The diagnostics of a file, in the order of the text. Each stage is asked; a later stage says nothing
/// of a function in which an earlier one found an error, so that one mistake is reported once.
///
/// Lints have the levels that the file's project and the attributes of their function give them. Those of a
/// `neuro.toml` are the mistakes in it.
pub fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    if is_project_file(file.path(db)) {
        return read_project(db, file).diagnostics.clone();
    }
    let settings = file.project(db).map(|toml| read_project(db, toml));
    let parse = neuro_db::parse(db, file);
    let mut all = neuro_hir::file_diagnostics(db, file).to_vec();
    let broken: Vec<_> = all
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .map(|found| found.span.absolute(db))
        .collect();
    for item in &file_items(db, file).items {
        match item {
            Item::Function(function) => {
                let whole = TextRange::up_to(function.source(db).0.text_len());
                let whole = Span::in_item(file, function.ast_id(db), whole).absolute(db);
                let broken = broken.iter().any(|error| whole.intersect(*error).is_some());
                let own = function_diagnostics(db, *function, broken);
                let silenced = allowed(db, *function);
                all.extend(
                    own.into_iter().filter_map(|found| at_level(found, &silenced, settings)),
                );
            }
            item => {
                let mut own = neuro_hir::item_diagnostics(db, *item).to_vec();
                own.extend_from_slice(neuro_types::item_diagnostics(db, *item));
                if let Item::Const(constant) = item
                    && !has_errors(&own)
                {
                    own.extend_from_slice(const_lints(db, *constant));
                }
                all.extend(own.into_iter().filter_map(|found| at_level(found, &[], settings)));
            }
        }
    }
    if !parse.errors.is_empty() {
        drop_consequences(db, parse, &mut all);
    }
    let wrong = |found: &Diagnostic| {
        found.severity == Severity::Error && codes::lint_name(found.code).is_none()
    };
    // What a misspelled name means is not known, so nothing is known to be unused.
    if !all.iter().any(wrong) {
        all.extend(file_lints(db, file).iter().cloned().filter_map(|found| {
            let silenced = silenced_at(db, file, &found);
            at_level(found, &silenced, settings)
        }));
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

/// Takes back what is found only because of a mistake in the syntax, of which the first findings tell.
fn drop_consequences(db: &dyn Db, parse: &Parse, all: &mut Vec<Diagnostic>) {
    let damage = Damage::of(parse);
    let mut index = 0;
    all.retain(|found| {
        index += 1;
        let kind = match found.code {
            codes::UNDECLARED => Found::UnknownName,
            codes::MISSING_RETURN => Found::NoValue,
            _ => Found::Other,
        };
        index <= parse.errors.len() || !damage.explains(found.span.absolute(db), kind)
    });
}

/// The lints that the function silences which a finding about the file points at.
fn silenced_at(db: &dyn Db, file: SourceFile, found: &Diagnostic) -> Vec<codes::Code> {
    let functions = file_items(db, file).functions();
    let mut at = functions.filter(|function| Some(function.ast_id(db)) == found.span.item);
    at.next().map_or(Vec::new(), |function| allowed(db, function))
}

/// What is found in a function. Lints say nothing of one that has errors, or is `broken` by one of its file.
fn function_diagnostics<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    broken: bool,
) -> Vec<Diagnostic> {
    let mut own = neuro_hir::diagnostics(db, function).to_vec();
    own.extend_from_slice(neuro_types::diagnostics(db, function));
    if !has_errors(&own) {
        own.extend_from_slice(neuro_mir::diagnostics(db, function));
        own.extend_from_slice(neuro_grad::diagnostics(db, function));
    }
    if broken || has_errors(&own) {
        own.retain(|diagnostic| codes::lint_name(diagnostic.code).is_none());
    } else {
        own.extend_from_slice(lints(db, function));
    }
    own
}

/// Whether a program with these diagnostics is refused.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
