//! Programs and what becomes of them: graphs as text, findings drawn under the code.

mod graphs;
mod aggregates;
mod sweeps;
mod moves;
mod borrows;
mod protocol;
mod pools;
mod robust;
mod refused;
mod unsupported;
mod machine;
mod execution;
mod incremental;

use std::fmt::Write;

use neuro_db::{Diagnostic, RootDatabase, SourceFile};
use neuro_hir::{Function, file_items};

use crate::{body, diagnostics, print};

fn functions(db: &RootDatabase, file: SourceFile) -> Vec<Function<'_>> {
    file_items(db, file).functions().collect()
}

/// What earlier stages say of a program; a fixture must be free of it.
fn assert_typed(db: &RootDatabase, function: Function<'_>) {
    let mut all = neuro_hir::diagnostics(db, function).to_vec();
    all.extend_from_slice(neuro_types::diagnostics(db, function));
    let messages: Vec<String> = all.into_iter().map(|diagnostic| diagnostic.message).collect();
    assert!(messages.is_empty(), "the fixture has other findings: {messages:?}");
}

/// The graph of the last function of a program.
fn graph(text: &str) -> String {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let functions = functions(&db, file);
    for function in &functions {
        assert_typed(&db, *function);
    }
    functions.last().map(|function| print(&db, body(&db, *function))).unwrap_or_default()
}

/// The program's lines with findings under their words.
fn findings(text: &str) -> String {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let mut all = Vec::new();
    for function in functions(&db, file) {
        assert_typed(&db, function);
        all.extend_from_slice(diagnostics(&db, function));
    }
    draw(&db, text, &all)
}

fn draw(db: &RootDatabase, text: &str, all: &[Diagnostic]) -> String {
    let mut notes: Vec<(usize, usize, String)> = Vec::new();
    for diagnostic in all {
        let range = diagnostic.span.absolute(db);
        let mut message = format!("{:?}: {}", diagnostic.code, diagnostic.message);
        for note in &diagnostic.notes {
            let _ = write!(message, " | note: {note}");
        }
        for fix in &diagnostic.fixes {
            let _ = write!(message, " | fix: {}", fix.title);
        }
        notes.push((range.start().into(), range.end().into(), message));
        for related in &diagnostic.related {
            let range = related.span.absolute(db);
            notes.push((
                range.start().into(),
                range.end().into(),
                format!("- {}", related.message),
            ));
        }
    }
    let mut out = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let here: Vec<_> = notes.iter().filter(|(from, ..)| (start..end).contains(from)).collect();
        if !here.is_empty() {
            let _ = writeln!(out, "| {}", line.trim_end());
        }
        for (from, to, message) in here {
            let width = (*to).min(end) - from;
            let _ = writeln!(
                out,
                "  {}{} {message}",
                " ".repeat(from - start),
                "^".repeat(width.max(1))
            );
        }
        start = end;
    }
    out
}

/// The text after the fixes of all findings, each its first.
fn fixed(text: &str) -> String {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let mut edits = Vec::new();
    for function in functions(&db, file) {
        for diagnostic in diagnostics(&db, function) {
            edits.extend(diagnostic.fixes.iter().take(1).flat_map(|fix| fix.edits.iter().cloned()));
        }
    }
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.absolute(&db).start()));
    let mut text = text.to_owned();
    for edit in edits {
        let range = edit.span.absolute(&db);
        text.replace_range(usize::from(range.start())..usize::from(range.end()), &edit.text);
    }
    text
}
