//! What an edit runs again.

use std::sync::{Arc, Mutex};

use neuro_db::{Db, RootDatabase, SourceFile};

use crate::{Item, body, diagnostics, file_diagnostics, file_items, resolve, signature};

/// The queries that ran since the last call, by name, sorted.
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn take(&self) -> Vec<String> {
        let mut ran = std::mem::take(&mut *self.0.lock().expect("not poisoned"));
        ran.sort();
        ran
    }
}

fn database() -> (RootDatabase, Log) {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let log = Log(Arc::clone(&ran));
    let db = RootDatabase::with_events(move |event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            let key = format!("{database_key:?}");
            let name = key.split('(').next().unwrap_or_default().to_owned();
            ran.lock().expect("not poisoned").push(name);
        }
    });
    (db, log)
}

/// Asks for everything of a file.
fn ask(db: &dyn Db, file: SourceFile) {
    file_diagnostics(db, file);
    for item in &file_items(db, file).items {
        if let Item::Function(function) = item {
            signature(db, *function);
            body(db, *function);
            diagnostics(db, *function);
            resolve(db, file, function.name(db));
        }
    }
}

const TEXT: &str = "func one(x: i32) -> i32 { print(\"{x}\")\n    x }\nfunc two() -> i32 { one(2) }\nfunc three() {}\n";

/// What runs again when `TEXT` becomes `edited`.
fn after(edited: &str) -> Vec<String> {
    let (mut db, log) = database();
    let file = db.set_text("test.nr", TEXT);
    ask(&db, file);
    log.take();
    db.set_text("test.nr", edited);
    ask(&db, file);
    log.take()
}

/// What runs once for each edit of a file.
const PER_FILE: [&str; 4] = ["file_diagnostics", "file_items", "has_prelude", "parse"];

fn with_file(per_function: &[&str]) -> Vec<String> {
    let mut names: Vec<String> =
        PER_FILE.iter().chain(per_function).map(|name| (*name).to_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_edit_in_a_body_runs_that_function_again() {
    let ran = after(&TEXT.replace("one(2)", "one(30) + 1"));
    assert_eq!(ran, with_file(&["body", "diagnostics", "function_with_source_map", "signature"]));
}

#[test]
fn a_comment_above_runs_nothing_per_function() {
    let ran = after(&format!("// note\n\n{TEXT}"));
    assert_eq!(ran, with_file(&[]));
}

#[test]
fn an_equal_text_runs_nothing() {
    assert_eq!(after(TEXT), Vec::<String>::new());
}

#[test]
fn white_space_in_a_body_leaves_the_body_equal() {
    let (mut db, _) = database();
    let file = db.set_text("test.nr", TEXT);
    let before: Vec<_> =
        file_items(&db, file).functions().map(|function| body(&db, function).clone()).collect();
    db.set_text("test.nr", &TEXT.replace("one(2)", "one( /* two */ 2 )"));
    let after: Vec<_> =
        file_items(&db, file).functions().map(|function| body(&db, function).clone()).collect();
    assert_eq!(before, after);
}

#[test]
fn a_new_item_runs_no_body_again() {
    let ran = after(&TEXT.replace("func three() {}\n", "func three() {}\nfunc four() {}\n"));
    let runs = |name: &str| ran.iter().filter(|ran| *ran == name).count();
    assert_eq!((runs("body"), runs("signature")), (1, 1), "{ran:?}");
}
