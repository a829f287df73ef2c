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

/// What runs again in the bodies of one file when another file becomes `edited`.
fn after_elsewhere(edited: &str) -> Vec<String> {
    const USER: &str = "import stats::{mean, LIMIT}\n\
        func one() -> i32 { match mean() { LIMIT => 1, Some => 2 } }\nfunc two() { stats::other() }\n";
    const USED: &str = "export const LIMIT: i32 = 1\nexport func mean() -> i32 { 1 }\n\
        export func other() {}\nfunc hidden() {}\n";
    let (mut db, log) = database();
    let user = db.set_text("main.nr", USER);
    db.set_text("stats.nr", USED);
    ask(&db, user);
    log.take();
    db.set_text("stats.nr", &edited.replace("{USED}", USED));
    ask(&db, user);
    let mut ran = log.take();
    ran.retain(|name| !matches!(name.as_str(), "parse" | "file_items"));
    ran
}

#[test]
fn an_edit_of_another_file_runs_what_asks_for_its_names() {
    let nothing: &[&str] = &[];
    // A body, a comment, an item that nobody asks for: no query about the user's names gives anything else.
    assert_eq!(after_elsewhere("// note\n{USED}"), nothing);
    let ran = after_elsewhere("{USED}func more() {}\n");
    let lookups = ["declared", "named_items"];
    assert!(ran.iter().all(|name| lookups.contains(&name.as_str())), "{ran:?}");
    // What is private is found as before; the import is wrong now, and the bodies see it.
    let ran = after_elsewhere(
        "const LIMIT: i32 = 1\nexport func mean() -> i32 { 1 }\nexport func other() {}\n",
    );
    assert!(ran.iter().any(|name| name == "resolved_import"), "{ran:?}");
    assert!(ran.iter().any(|name| name == "file_diagnostics"), "{ran:?}");
}

#[test]
fn a_file_that_comes_runs_what_looked_for_it() {
    let (mut db, log) = database();
    let file =
        db.set_text("main.nr", "import stats::mean\nfunc one() { mean() }\nfunc two() { 1 }\n");
    ask(&db, file);
    assert_eq!(file_diagnostics(&db, file).len(), 1);
    log.take();
    db.set_text("stats.nr", "export func mean() {}\n");
    ask(&db, file);
    assert!(file_diagnostics(&db, file).is_empty());
    let ran = log.take();
    let bodies = ran.iter().filter(|name| *name == "body").count();
    assert_eq!(bodies, 0, "what a called name stands for is no part of a body: {ran:?}");
}

#[test]
fn a_new_import_runs_bodies_only_where_patterns_ask_for_its_name() {
    let text = "enum Light { Red, Green }\nfunc one(l: Light) { match l { Red => 1, _ => 2 } }\nfunc two() { 1 }\n";
    let (mut db, log) = database();
    let file = db.set_text("test.nr", text);
    ask(&db, file);
    log.take();
    db.set_text("test.nr", &format!("import Light::Red\n{text}"));
    ask(&db, file);
    let ran = log.take();
    let bodies = ran.iter().filter(|name| *name == "body").count();
    assert_eq!(bodies, 1, "{ran:?}");
}

#[test]
fn an_edit_of_a_signature_or_a_constant_runs_no_other_body() {
    for edited in [
        TEXT.replace("one(x: i32)", "one(x: i64)"),
        format!("const N: i32 = 1\n{TEXT}"),
        TEXT.replace("func three() {}", "func three(a: i32) {}"),
    ] {
        let ran = after(&edited);
        let bodies = ran.iter().filter(|name| *name == "body").count();
        assert!(bodies <= 1, "{ran:?}");
    }
}

/// What runs once for each edit of a file.
const PER_FILE: [&str; 3] = ["file_diagnostics", "file_items", "parse"];

fn with_file(per_function: &[&str]) -> Vec<String> {
    let mut names: Vec<String> =
        PER_FILE.iter().chain(per_function).map(|name| (*name).to_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_edit_in_a_body_runs_that_function_again() {
    let ran = after(&TEXT.replace("one(2)", "one(30) + 1"));
    assert_eq!(ran, with_file(&["body", "diagnostics", "signature"]));
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
