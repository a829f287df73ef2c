//! A diagnostic as a JSON object on a line.

use neuro_db::{Db, Diagnostic, Edit, Fix, Related, Span};
use serde::Serialize;

use super::positions::{Position, Positions};

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
    fn new(
        db: &'a dyn Db,
        positions: &Positions<'_>,
        Related { message, span }: &'a Related,
    ) -> Self {
        Self { message, place: place(db, positions, span) }
    }
}

impl<'a> JsonFix<'a> {
    fn new(db: &'a dyn Db, positions: &Positions<'_>, Fix { title, edits }: &'a Fix) -> Self {
        let edit =
            |Edit { span, text }: &'a Edit| JsonEdit { place: place(db, positions, span), text };
        Self { title, edits: edits.iter().map(edit).collect() }
    }
}

/// The line of a diagnostic.
pub(crate) fn render(db: &dyn Db, positions: &Positions<'_>, diagnostic: &Diagnostic) -> String {
    let json = JsonDiagnostic {
        code: diagnostic.code.as_str(),
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        place: place(db, positions, &diagnostic.span),
        related: diagnostic
            .related
            .iter()
            .map(|related| JsonRelated::new(db, positions, related))
            .collect(),
        notes: &diagnostic.notes,
        fixes: diagnostic.fixes.iter().map(|fix| JsonFix::new(db, positions, fix)).collect(),
    };
    // Texts and numbers always have a form in JSON.
    serde_json::to_string(&json).unwrap_or_default() + "\n"
}

fn place<'db>(db: &'db dyn Db, positions: &Positions<'_>, span: &Span) -> JsonPlace<'db> {
    let range = span.absolute(db);
    let (start, end) = positions.ends(span.file, range);
    let start = position(start, usize::from(range.start()));
    let end = position(end, usize::from(range.end()));
    JsonPlace { file: span.file.path(db), range: JsonRange { start, end } }
}

fn position(Position { line, column }: Position, offset: usize) -> JsonPosition {
    JsonPosition { line, column, offset }
}
