//! A diagnostic as a JSON object on a line.

use neuro_db::{Db, Diagnostic, Edit, Fix, Related, SourceFile, Span};
use serde::Serialize;
use text_size::TextSize;

use super::Position;

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    related: Vec<JsonRelated<'a>>,
    notes: &'a [String],
    fixes: Vec<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    range: JsonRange,
}

#[derive(Serialize)]
struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Serialize)]
struct JsonPosition {
    line: usize,
    column: usize,
    offset: usize,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    text: &'a str,
}

impl<'a> JsonRelated<'a> {
    fn new(db: &'a dyn Db, Related { message, span }: &'a Related) -> Self {
        Self { message, place: place(db, span) }
    }
}

impl<'a> JsonFix<'a> {
    fn new(db: &'a dyn Db, Fix { title, edits }: &'a Fix) -> Self {
        let edit = |Edit { span, text }: &'a Edit| JsonEdit { place: place(db, span), text };
        Self { title, edits: edits.iter().map(edit).collect() }
    }
}

/// The line of a diagnostic.
pub(crate) fn render(db: &dyn Db, diagnostic: &Diagnostic) -> String {
    let json = JsonDiagnostic {
        code: diagnostic.code.as_str(),
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        place: place(db, &diagnostic.span),
        related: diagnostic.related.iter().map(|related| JsonRelated::new(db, related)).collect(),
        notes: &diagnostic.notes,
        fixes: diagnostic.fixes.iter().map(|fix| JsonFix::new(db, fix)).collect(),
    };
    // Texts and numbers always have a form in JSON.
    serde_json::to_string(&json).unwrap_or_default() + "\n"
}

fn place<'db>(db: &'db dyn Db, span: &Span) -> JsonPlace<'db> {
    let range = span.absolute(db);
    let (start, end) =
        (position(db, span.file, range.start()), position(db, span.file, range.end()));
    JsonPlace { file: span.file.path(db), range: JsonRange { start, end } }
}

fn position(db: &dyn Db, file: SourceFile, offset: TextSize) -> JsonPosition {
    let Position { line, column } = Position::new(db, file, offset);
    JsonPosition { line, column, offset: usize::from(offset) }
}
