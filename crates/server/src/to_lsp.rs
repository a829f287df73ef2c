//! The compiler's data in the protocol's words.

use ::line_index::LineIndex;
use lsp_types as lsp;
use neuro_db::{Db, Diagnostic, Severity, SourceFile, Span, line_index};
use text_size::TextRange;

use crate::panics::Panic;
use crate::positions::{self, Encoding};

/// Converts ranges of one file.
pub(crate) struct FileConverter<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    lines: &'db LineIndex,
    encoding: Encoding,
}

impl<'db> FileConverter<'db> {
    pub(crate) fn new(db: &'db dyn Db, file: SourceFile, encoding: Encoding) -> Self {
        Self { db, file, lines: line_index(db, file), encoding }
    }

    /// A range of the file.
    pub(crate) fn range(&self, range: TextRange) -> lsp::Range {
        positions::range(self.lines, range, self.encoding)
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, position: lsp::Position) -> text_size::TextSize {
        positions::offset(self.lines, self.file.text(self.db), position, self.encoding)
    }

    /// The text range of a range.
    pub(crate) fn text_range(&self, range: lsp::Range) -> TextRange {
        positions::text_range(self.lines, self.file.text(self.db), range, self.encoding)
    }

    /// A panic in the file.
    pub(crate) fn panic(&self, panic: &Panic) -> lsp::Diagnostic {
        panic.diagnostic(self.file.text(self.db), self.lines, self.encoding)
    }

    /// A diagnostic of the file. Notes become lines of the message, since the protocol has no place for them.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) -> lsp::Diagnostic {
        let mut message = diagnostic.message.clone();
        for note in &diagnostic.notes {
            message.push_str("\nnote: ");
            message.push_str(note);
        }
        let related: Vec<_> = diagnostic
            .related
            .iter()
            .filter_map(|related| {
                let location = location(self.db, &related.span, self.encoding)?;
                Some(lsp::DiagnosticRelatedInformation {
                    location,
                    message: related.message.clone(),
                })
            })
            .collect();
        lsp::Diagnostic {
            range: self.range(diagnostic.span.absolute(self.db)),
            severity: Some(severity(diagnostic.severity)),
            code: Some(lsp::NumberOrString::String(diagnostic.code.as_str().to_owned())),
            source: Some("neurc".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..lsp::Diagnostic::default()
        }
    }
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Info => lsp::DiagnosticSeverity::INFORMATION,
    }
}

/// A place in some file; none when its address is none.
fn location(db: &dyn Db, span: &Span, encoding: Encoding) -> Option<lsp::Location> {
    let range = positions::range(line_index(db, span.file), span.absolute(db), encoding);
    Some(lsp::Location { uri: file_uri(span.file.path(db))?, range })
}

/// The address of a document by its key.
pub(crate) fn file_uri(path: &str) -> Option<lsp::Url> {
    lsp::Url::from_file_path(path).ok().or_else(|| lsp::Url::parse(path).ok())
}
