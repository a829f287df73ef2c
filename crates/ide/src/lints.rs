//! Lints: what is accepted, yet hardly meant, and who decides what is said of it.
//!
//! A lint speaks by its own name. `@allow(name)` in front of a function silences it there; else the project
//! decides ([`Project::level`]); else it warns. A function with errors has no lints.

mod casts;
mod results;
mod unreachable;
mod unused;
mod while_true;

use neuro_db::codes::{self, Code};
use neuro_db::{Db, Diagnostic, Severity, SourceFile};
use neuro_hir::{AttrValue, Const, Function, signature};

use crate::project::{Level, Project};

/// What the lints find in a function.
#[salsa::tracked(returns(deref))]
pub(crate) fn lints<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let mut found = while_true::check(db, function);
    found.extend(casts::check(db, function));
    found.extend(unused::check(db, function));
    found.extend(results::check(db, function));
    found.extend(unreachable::check(db, function));
    found
}

/// What the lints find in a file as a whole.
#[salsa::tracked(returns(deref))]
pub(crate) fn file_lints(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    unused::check_file(db, file)
}

/// What the lints find in the value of a constant.
#[salsa::tracked(returns(deref))]
pub(crate) fn const_lints<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Diagnostic> {
    casts::check_const(db, constant)
}

/// The lints that a function silences.
pub(crate) fn allowed<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Code> {
    let attrs = signature(db, function).attrs.iter().filter(|attr| attr.name == "allow");
    let names =
        attrs.flat_map(|attr| &attr.args).filter_map(|arg| match (&arg.label, &arg.value) {
            (None, AttrValue::Name(name)) => Some(name),
            _ => None,
        });
    names.filter_map(|name| codes::find_lint(name)).map(|info| info.code).collect()
}

/// A finding at the level that it has in the project; none where its lint is silenced. What is no lint is
/// always said.
pub(crate) fn at_level(
    mut diagnostic: Diagnostic,
    allowed: &[Code],
    project: Option<&Project>,
) -> Option<Diagnostic> {
    if codes::lint_name(diagnostic.code).is_none() {
        return Some(diagnostic);
    }
    if allowed.contains(&diagnostic.code) {
        return None;
    }
    match project.and_then(|project| project.level(diagnostic.code)) {
        Some(Level::Allow) => return None,
        Some(Level::Warn) => diagnostic.severity = Severity::Warning,
        Some(Level::Deny) => diagnostic.severity = Severity::Error,
        None => {}
    }
    Some(diagnostic)
}

#[cfg(test)]
mod tests;
