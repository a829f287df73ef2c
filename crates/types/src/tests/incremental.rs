//! What an edit runs again.

use std::sync::{Arc, Mutex};

use neuro_db::RootDatabase;

use super::all_diagnostics;

/// A database that notes the queries that run, by name.
struct Logged {
    db: RootDatabase,
    log: Arc<Mutex<Vec<String>>>,
}

impl Logged {
    fn new() -> Self {
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let events = Arc::clone(&log);
        let db = RootDatabase::with_events(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                let mut log = events.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                log.push(format!("{database_key:?}"));
            }
        });
        Self { db, log }
    }

    /// Checks a text; how often each of this crate's costly queries ran.
    fn check(&mut self, text: &str) -> [usize; 3] {
        self.run(text);
        ["infer(", "fn_sig(", "const_value("].map(|query| self.count(query))
    }

    fn run(&mut self, text: &str) {
        let file = self.db.set_text("test.nr", text);
        self.log.lock().expect("the log is never held by a panic").clear();
        all_diagnostics(&self.db, file);
    }

    /// How often a query ran since the last edit.
    fn count(&self, query: &str) -> usize {
        let log = self.log.lock().expect("the log is never held by a panic");
        log.iter().filter(|entry| entry.starts_with(query)).count()
    }
}

const PROGRAM: &str = "const RATE: f32 = 0.5\nfunc scale(x: f32) -> f32 { x * RATE }\nfunc twice(x: f32) -> f32 { scale(x) + scale(x) }\nfunc other(n: i32) -> i32 { n + 1 }\n";

#[test]
fn a_body_is_inferred_alone() {
    let mut logged = Logged::new();
    assert_eq!(logged.check(PROGRAM), [3, 3, 1]);
    assert_eq!(logged.check(&PROGRAM.replace("n + 1", "n + 2")), [1, 0, 0]);
}

#[test]
fn comments_and_blank_lines_infer_nothing() {
    let mut logged = Logged::new();
    logged.check(PROGRAM);
    assert_eq!(logged.check(&format!("// above\n\n{PROGRAM}")), [0, 0, 0]);
    let inside = PROGRAM.replace("{ x * RATE }", "{\n    // inside\n    x   * RATE\n}");
    assert_eq!(logged.check(&inside)[0], 0);
}

#[test]
fn a_header_infers_its_callers_only() {
    let mut logged = Logged::new();
    logged.check(PROGRAM);
    let edited = PROGRAM
        .replace("scale(x: f32) -> f32", "scale(y: f32) -> f32")
        .replace("x * RATE", "y * RATE");
    assert_eq!(logged.check(&edited)[0], 2, "`scale` itself and `twice`");
}

#[test]
fn a_constant_infers_its_users_only() {
    let mut logged = Logged::new();
    logged.check(PROGRAM);
    assert_eq!(logged.check(&PROGRAM.replace("0.5", "0.25")), [1, 0, 1]);
    assert_eq!(logged.check(&PROGRAM.replace("0.5", "0.25 + 0.0"))[0], 0, "the value is the same");
}

const TRAITS: &str = "\
trait Area { func area(&self) -> f64 }
trait Name { func name(&self) -> string }
struct Square { side: f64 }
struct Disc { radius: f64 }
impl Area for Square { func area(&self) -> f64 { self.side * self.side } }
impl Area for Disc { func area(&self) -> f64 { self.radius } }
impl Disc { func double(&self) -> f64 { self.radius * 2.0 } }
func square(s: &Square) -> f64 { s.area() }
func disc(d: &Disc) -> f64 { d.area() + d.double() }
func twice<A: Area>(a: &A) -> f64 { a.area() * 2.0 }
func both(s: &Square, d: &Disc) -> f64 { twice(s) + twice(d) }
func none(n: i32) -> i32 { n + 1 }
";

#[test]
fn a_body_in_a_block_is_inferred_alone() {
    let mut logged = Logged::new();
    logged.check(TRAITS);
    let edited = TRAITS.replace("self.side * self.side", "self.side * 1.0");
    assert_eq!(logged.check(&edited), [1, 0, 0]);
    let edited =
        edited.replace("impl Area for Square {", "impl Area for Square {\n    // told\n   ");
    assert_eq!(logged.check(&edited), [0, 0, 0], "a comment in a block");
}

#[test]
fn a_block_infers_who_asks_for_its_type() {
    let mut logged = Logged::new();
    logged.check(TRAITS);
    // A block about one type: the bodies that look for functions of another type keep their types.
    let added =
        format!("{TRAITS}impl Name for Square {{ func name(&self) -> string {{ \"s\" }} }}\n");
    let runs = logged.check(&added);
    assert_eq!(runs[0], 2, "the new method, and `square`, whose call could be another now");
    // Taking it away again.
    assert_eq!(logged.check(TRAITS)[0], 1, "`square`");
}

#[test]
fn a_signature_in_a_block_infers_its_callers() {
    let mut logged = Logged::new();
    logged.check(TRAITS);
    let edited = TRAITS.replace(
        "func double(&self) -> f64 { self.radius * 2.0 }",
        "func double(&self) -> f32 { 2.0 }",
    );
    assert_eq!(logged.check(&edited), [2, 1, 0], "`double` itself and `disc`");
}

#[test]
fn a_header_of_a_trait_checks_its_blocks() {
    let mut logged = Logged::new();
    logged.check(TRAITS);
    let edited = TRAITS.replace(
        "trait Area { func area(&self) -> f64 }",
        "trait Area { func area(&self) -> f32 }",
    );
    let runs = logged.check(&edited);
    assert_eq!(runs[0], 2, "the declaration, and `twice`, which alone calls it");
}

const DATA: &str = "\
struct A { b: B }
struct B { c: C }
struct C { n: i32 }
func f(a: &A) -> i32 { a.b.c.n }
";

#[test]
fn circles_are_looked_for_once() {
    let mut logged = Logged::new();
    logged.run(DATA);
    assert_eq!(logged.count("circles("), 1, "for all three");
    logged.run(&DATA.replace("a.b.c.n }", "a.b.c.n + 1 }"));
    assert_eq!(logged.count("circles("), 0, "after an edit in a body");
    logged.run(&DATA.replace("n: i32", "n: A"));
    assert_eq!(logged.count("circles("), 1, "after an edit of a field");
}
