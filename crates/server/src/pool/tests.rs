//! Questions on the threads of the pool.

use std::fmt::Write;

use neuro_db::RootDatabase;

use super::*;
use crate::documents::Documents;
use crate::job::question;
use crate::panics::Panics;

/// A constant that needs the next one, and so on.
fn chain(length: usize) -> String {
    let mut text = String::new();
    for index in 0..length {
        writeln!(text, "const A{index}: i64 = A{} + 1", index + 1).unwrap();
    }
    writeln!(text, "const A{length}: i64 = 0").unwrap();
    text
}

#[test]
fn a_long_chain_of_constants_is_analysed() {
    let mut db = RootDatabase::default();
    let file = db.set_text("chain.nr", &chain(2000));
    let (main_loop, _again) = unbounded();
    let pool = Pool::start(&main_loop);
    let (job, answer, _guard) =
        question(move |snapshot| neuro_ide::diagnostics(&snapshot.db, file).len());
    let snapshot = Snapshot { db, documents: Documents::default(), panics: Panics::default() };
    pool.send(Task { job, snapshot, attempt: 0 });
    assert_eq!(answer.blocking_recv().unwrap(), Ok(0));
}
