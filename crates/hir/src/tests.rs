//! What users see of this stage: scopes, refusals, names, and what an edit runs again.

mod incremental;
mod items;
mod lowering;
mod modules;
mod print;
mod reports;

use neuro_db::{Db, Diagnostic, RootDatabase, SourceFile};

use crate::{Function, Item, file_items, resolve};

/// A database with one file.
fn database(text: &str) -> (RootDatabase, SourceFile) {
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    (db, file)
}

fn function<'db>(db: &'db dyn Db, file: SourceFile, name: &str) -> Function<'db> {
    match resolve(db, file, name) {
        Some(Item::Function(function)) => function,
        other => panic!("`{name}` is {other:?}"),
    }
}

/// Every diagnostic of this stage: code, the words that it marks, message; then related places and fixes.
fn reports(text: &str) -> String {
    let (db, file) = database(text);
    let mut all = crate::file_diagnostics(&db, file).to_vec();
    for item in &file_items(&db, file).items {
        all.extend_from_slice(crate::item_diagnostics(&db, *item));
    }
    all.iter().map(|diagnostic| report(&db, diagnostic)).collect()
}

fn report(db: &dyn Db, diagnostic: &Diagnostic) -> String {
    let words = |span: &neuro_db::Span| {
        let text = span.file.text(db);
        let range = span.absolute(db);
        let line = text[..range.start().into()].matches('\n').count() + 1;
        format!("{line} `{}`", &text[range])
    };
    let mut out =
        format!("{:?} {}: {}\n", diagnostic.code, words(&diagnostic.span), diagnostic.message);
    for related in &diagnostic.related {
        out += &format!("    {}: {}\n", words(&related.span), related.message);
    }
    for fix in &diagnostic.fixes {
        for edit in &fix.edits {
            out += &format!("    {} -> `{}`: {}\n", words(&edit.span), edit.text, fix.title);
        }
    }
    out
}
