//! What an edit makes the compiler do again, seen by the log of its queries.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use neuro_db::RootDatabase;

const PROGRAM: &str = "\
export const RATE: f64 = 0.5

/// Squares.
func square(x: f64) -> f64 { x * x }

@grad
func loss(w: &mut Tensor<f64, [2]>) -> Tensor<f64, []> {
    Tensor::scalar(square(w[0]) + square(w[1]))
}

export func step(w: &mut Tensor<f64, [2]>) -> f64 {
    val l = loss(w)
    l.backward()
    w -= RATE * w.grad()
    l.item()
}

export func count(n: i32) -> i32 {
    mut sum = 0
    for i in 0..n { sum += i }
    sum
}
";

/// The queries that look into a body: types, the graph of moves and borrows with its check, what a derivative
/// refuses.
const BODY_QUERIES: &[&str] = &["infer", "analysis", "refusals"];

/// A database that counts the queries it executes.
struct Counted {
    db: RootDatabase,
    log: Arc<Mutex<Vec<String>>>,
}

impl Counted {
    fn new() -> Self {
        let log = Arc::<Mutex<Vec<String>>>::default();
        let events = Arc::clone(&log);
        let db = RootDatabase::with_events(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                let query = format!("{database_key:?}");
                let name = query.split('(').next().unwrap_or_default().to_owned();
                events.lock().expect("no test panics with it").push(name);
            }
        });
        Self { db, log }
    }

    /// Asks for all diagnostics of a text: there are none. Gives how often each query was executed.
    fn check(&mut self, text: &str) -> BTreeMap<String, usize> {
        self.check_all(&[("main.nr", text)])
    }

    /// The same for a program of several files.
    fn check_all(&mut self, texts: &[(&str, &str)]) -> BTreeMap<String, usize> {
        let files: Vec<_> = texts.iter().map(|(path, text)| self.db.set_text(path, text)).collect();
        self.log.lock().expect("no test panics with it").clear();
        for file in files {
            assert_eq!(neuro_ide::diagnostics(&self.db, file), []);
        }
        let mut counts = BTreeMap::new();
        for query in self.log.lock().expect("no test panics with it").drain(..) {
            *counts.entry(query).or_default() += 1;
        }
        counts
    }
}

/// How often the queries that look into a body were executed.
fn of_bodies(counts: &BTreeMap<String, usize>) -> Vec<(&'static str, usize)> {
    let count = |name: &&'static str| (*name, counts.get(*name).copied().unwrap_or(0));
    BODY_QUERIES.iter().map(count).collect()
}

#[test]
fn each_function_is_checked_once() {
    let counts = Counted::new().check(PROGRAM);
    let functions = PROGRAM.matches("func ").count();
    assert_eq!(of_bodies(&counts)[..2], [("infer", functions), ("analysis", functions)]);
    assert_eq!(counts["refusals"], 1, "of the differentiated function");
    assert_eq!(counts["parse"], 2, "the file and the prelude");
}

#[test]
fn an_edit_in_a_body_checks_that_function_alone() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    let counts = counted.check(&PROGRAM.replace("sum += i", "sum += 2 * i"));
    assert_eq!(of_bodies(&counts)[..2], [("infer", 1), ("analysis", 1)], "{counts:?}");
    assert!(counts.get("refusals").copied().unwrap_or(0) <= 1, "{counts:?}");

    let counts = counted.check(&PROGRAM.replace("l.item()", "l.item() + 1.0"));
    assert_eq!(
        of_bodies(&counts)[0],
        ("infer", 2),
        "it, and the one that is as before: {counts:?}"
    );
}

#[test]
fn an_edit_in_a_callee_checks_the_derivative_but_no_types() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    let counts = counted.check(&PROGRAM.replace("x * x", "x * x * 0.5"));
    assert_eq!(of_bodies(&counts)[..2], [("infer", 1), ("analysis", 1)], "{counts:?}");
    assert_eq!(counts["refusals"], 1, "what is differentiated through it: {counts:?}");
}

#[test]
fn comments_and_blank_lines_check_nothing() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    let nothing = [("infer", 0), ("analysis", 0), ("refusals", 0)];
    let above = format!("// é𝒳\n\n/* two */\n{PROGRAM}");
    let counts = counted.check(&above);
    assert_eq!(of_bodies(&counts), nothing, "{counts:?}");
    let inside = above.replace("    l.backward()", "    // now\n\n    l . backward() // then");
    let counts = counted.check(&inside);
    assert_eq!(of_bodies(&counts), nothing, "{counts:?}");
    let between = inside.replace("\nexport func count", "\n// between\n\nexport func count");
    let counts = counted.check(&between);
    assert_eq!(of_bodies(&counts), nothing, "{counts:?}");
}

#[test]
fn the_same_text_asks_nothing() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    assert_eq!(counted.check(PROGRAM), BTreeMap::new());
}

#[test]
fn a_new_function_above_checks_itself_alone() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    let counts = counted.check(&format!("export func first() -> i32 {{ 1 }}\n{PROGRAM}"));
    assert_eq!(of_bodies(&counts)[..2], [("infer", 1), ("analysis", 1)], "{counts:?}");
}

#[test]
fn a_signature_checks_its_callers() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    let counts = counted.check(
        &PROGRAM.replace("square(x: f64)", "square(y: f64)").replace("{ x * x }", "{ y * y }"),
    );
    let infer = counts["infer"];
    assert!((1..=2).contains(&infer), "`square` and at most its caller: {counts:?}");
}

#[test]
fn a_body_shows_its_mistake_and_its_repair() {
    let mut counted = Counted::new();
    counted.check(PROGRAM);
    let broken = PROGRAM.replace("sum += i", "sum += j");
    let file = counted.db.set_text("main.nr", &broken);
    assert_eq!(neuro_ide::diagnostics(&counted.db, file).len(), 1);
    let counts = counted.check(PROGRAM);
    assert_eq!(of_bodies(&counts)[0], ("infer", 1), "{counts:?}");
}

const USER: &str = "\
import shapes::{area, Square, Kind}

const SCALE: i32 = 2

export func use_area(s: &Square) -> f64 { area(s) }
export func scaled(n: i32) -> i32 { n * SCALE }
export func named(kind: Kind) -> i32 { match kind { Kind::Small => 1, Kind::Large(n) => n } }
";

const SHAPES: &str = "\
export struct Square { export side: f64 }

export enum Kind { Small, Large(i32) }

export trait Sized { func size(&self) -> f64 }

impl Square { func double(&self) -> f64 { self.side * 2.0 } }

impl Sized for Square { func size(&self) -> f64 { self.side } }

export func area(s: &Square) -> f64 { s.side * s.double() }
export func largest<T: Sized>(a: &T, b: &T) -> f64 { if a.size() > b.size() { a.size() } else { b.size() } }
export func other(n: i32) -> i32 { n }
";

/// How many bodies are typed again when one of the two files is edited.
fn typed(user: impl Fn(&str) -> String, shapes: impl Fn(&str) -> String) -> usize {
    let mut counted = Counted::new();
    counted.check_all(&[("main.nr", USER), ("shapes.nr", SHAPES)]);
    let (new_user, new_shapes) = (user(USER), shapes(SHAPES));
    assert!(new_user != USER || new_shapes != SHAPES, "something is edited");
    let counts = counted.check_all(&[("main.nr", &new_user), ("shapes.nr", &new_shapes)]);
    counts.get("infer").copied().unwrap_or(0)
}

#[test]
fn a_body_of_another_file_is_typed_alone() {
    let edit = |text: &str| text.replace("self.side * 2.0", "self.side * 3.0");
    assert_eq!(typed(str::to_owned, edit), 1);
    let edit = |text: &str| text.replace("{ n }", "{ n + 1 }");
    assert_eq!(typed(str::to_owned, edit), 1);
}

#[test]
fn a_signature_of_another_file_is_read_by_its_callers() {
    let edit = |text: &str| {
        text.replace(
            "area(s: &Square) -> f64 { s.side * s.double() }",
            "area(t: &Square) -> f64 { t.side * t.double() }",
        )
    };
    assert_eq!(typed(str::to_owned, edit), 2, "`area` and `use_area`");
    let edit = |text: &str| text.replace("other(n: i32) -> i32", "other(n: i64) -> i64");
    assert_eq!(typed(str::to_owned, edit), 1, "nobody calls it");
}

#[test]
fn an_import_types_nobody_who_does_not_use_it() {
    let edit = |text: &str| format!("export import shapes::other\n{text}");
    assert_eq!(typed(edit, str::to_owned), 0);
}

#[test]
fn a_constant_types_its_users() {
    assert_eq!(typed(|text| text.replace("SCALE: i32 = 2", "SCALE: i32 = 3"), str::to_owned), 1);
    assert_eq!(
        typed(|text| text.replace("= 2\n", "= 1 + 1\n"), str::to_owned),
        0,
        "the value is the same"
    );
}

#[test]
fn a_block_types_itself_and_who_asks_for_methods_of_its_type() {
    let edit = |text: &str| {
        text.replace(
            "impl Square {",
            "impl Square {\n    func third(&self) -> f64 { self.side }\n   ",
        )
    };
    assert_eq!(typed(str::to_owned, edit), 2, "the new method, and `area`, which calls another");
    let edit = |text: &str| text.replace("{ self.side }", "{ self.side + 0.0 }");
    assert_eq!(typed(str::to_owned, edit), 1, "the method of the trait's block");
}

#[test]
fn a_variant_types_who_matches_the_enum() {
    let edit = |text: &str| text.replace("Small,", "Small, Medium,");
    let user = |text: &str| text.replace("Kind::Small =>", "Kind::Small | Kind::Medium =>");
    assert_eq!(typed(user, edit), 1);
}

#[test]
fn comments_of_another_file_type_nobody() {
    let edit = |text: &str| text.replace("\n\n", "\n// told\n\n");
    assert_eq!(typed(edit, edit), 0);
}
