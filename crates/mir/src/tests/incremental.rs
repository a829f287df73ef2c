//! What an edit runs again.

use std::sync::{Arc, Mutex, PoisonError};

use neuro_db::RootDatabase;

use super::functions;
use crate::diagnostics;

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
                let mut log = events.lock().unwrap_or_else(PoisonError::into_inner);
                log.push(format!("{database_key:?}"));
            }
        });
        Self { db, log }
    }

    /// Checks a text; how many functions were analysed.
    fn check(&mut self, text: &str) -> usize {
        let file = self.db.set_text("main.nr", text);
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clear();
        for function in functions(&self.db, file) {
            diagnostics(&self.db, function);
        }
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().filter(|entry| entry.starts_with("analysis(")).count()
    }
}

const PROGRAM: &str = "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func step(w: &mut Tensor<f32, [2]>) {
    val l = loss(w)
    l.backward()
    w -= w.grad()
}
func other(n: i32) -> i32 { n + 1 }
";

#[test]
fn an_edit_in_a_body_analyses_it_alone() {
    let mut logged = Logged::new();
    assert_eq!(logged.check(PROGRAM), 3);
    assert_eq!(logged.check(&PROGRAM.replace("n + 1", "n + 2")), 1);
    assert_eq!(logged.check(&PROGRAM.replace("w.sum()", "w.mean()")), 2, "and back again");
}

#[test]
fn comments_and_blank_lines_analyse_nothing() {
    let mut logged = Logged::new();
    logged.check(PROGRAM);
    assert_eq!(logged.check(&format!("// above\n\n{PROGRAM}")), 0);
    let inside = PROGRAM.replace("    l.backward()", "\n    // now\n    l . backward()");
    assert_eq!(logged.check(&inside), 0);
}

#[test]
fn grad_on_a_callee_analyses_its_callers() {
    let mut logged = Logged::new();
    logged.check(PROGRAM);
    let changed = logged.check(&PROGRAM.replace("@grad\n", ""));
    assert!((1..=2).contains(&changed), "`step`, and at most `loss` itself: {changed}");
}
