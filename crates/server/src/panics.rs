//! Panics of programs as diagnostics at their lines, until the next run.

use std::sync::Arc;

use ::line_index::LineIndex;
use dashmap::DashMap;
use lsp_types as lsp;

use crate::positions::{self, Encoding};

/// Where a program panicked, as its message says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Panic {
    /// The file.
    pub(crate) path: String,
    /// The line, from 1.
    line: u32,
    /// The column in characters, from 1.
    column: u32,
    /// What happened.
    message: String,
}

/// The last panic of each document.
pub(crate) type Panics = Arc<DashMap<String, Panic>>;

impl Panic {
    /// The panic that ended a program with this standard error: its last line, `<what> at <file>:<line>:<column>`.
    pub(crate) fn parse(errors: &str) -> Option<Self> {
        let line = errors.lines().rfind(|line| !line.is_empty())?;
        let (message, place) = line.rsplit_once(" at ")?;
        let (rest, column) = place.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        Some(Self {
            path: path.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
            message: message.to_owned(),
        })
    }

    /// The diagnostic in a text, which may have changed since the run: the rest of the panic's line.
    pub(crate) fn diagnostic(
        &self,
        text: &str,
        lines: &LineIndex,
        encoding: Encoding,
    ) -> lsp::Diagnostic {
        // The column counts characters, whatever the client counts in.
        let start = lsp::Position::new(self.line.saturating_sub(1), self.column.saturating_sub(1));
        let end = lsp::Position::new(start.line, u32::MAX);
        let range =
            positions::text_range(lines, text, lsp::Range::new(start, end), Encoding::Utf32);
        lsp::Diagnostic {
            range: positions::range(lines, range, encoding),
            severity: Some(lsp::DiagnosticSeverity::WARNING),
            code: Some(lsp::NumberOrString::String("panic".to_owned())),
            source: Some("neurc run".to_owned()),
            message: format!("the last run ended here: {}", self.message),
            ..lsp::Diagnostic::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_tells_where() {
        let errors = "a warning at the start\npanic: division by zero at /a b/c.nr:3:15\n";
        let panic = Panic::parse(errors).expect("a panic");
        assert_eq!((panic.path.as_str(), panic.line, panic.column), ("/a b/c.nr", 3, 15));
        assert_eq!(panic.message, "panic: division by zero");
        assert_eq!(Panic::parse("stack overflow\n"), None);
        assert_eq!(Panic::parse(""), None);
    }

    #[test]
    fn the_mark_covers_the_rest_of_the_line() {
        let panic = Panic::parse("assertion failed at f.nr:2:4").expect("a panic");
        let text = "x\né𝒳 assert(a)\n";
        let mark = panic.diagnostic(text, &LineIndex::new(text), Encoding::Utf16).range;
        assert_eq!((mark.start, mark.end), (lsp::Position::new(1, 4), lsp::Position::new(1, 13)));
    }
}
