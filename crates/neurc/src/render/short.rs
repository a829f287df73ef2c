//! A diagnostic as a line.

use neuro_db::{Db, Diagnostic};

use super::positions::{Position, Positions};

/// `file:line:column: severity[code]: message`.
pub(crate) fn render(db: &dyn Db, positions: &Positions<'_>, diagnostic: &Diagnostic) -> String {
    let file = diagnostic.span.file;
    let start = diagnostic.span.absolute(db).start();
    let Position { line, column } = positions.position(file, start);
    let (path, severity) = (file.path(db), diagnostic.severity.name());
    let code = diagnostic.code.as_str();
    // The format promises a line: a message of several keeps to one.
    let message = diagnostic.message.replace(['\r', '\n'], " ");
    format!("{path}:{line}:{column}: {severity}[{code}]: {message}\n")
}
