//! A diagnostic as a line.

use neuro_db::{Db, Diagnostic};

use super::Position;

/// `file:line:column: severity[code]: message`.
pub(crate) fn render(db: &dyn Db, diagnostic: &Diagnostic) -> String {
    let file = diagnostic.span.file;
    let start = diagnostic.span.absolute(db).start();
    let Position { line, column } = Position::new(db, file, start);
    let (path, severity) = (file.path(db), diagnostic.severity.name());
    let code = diagnostic.code.as_str();
    format!("{path}:{line}:{column}: {severity}[{code}]: {}\n", diagnostic.message)
}
