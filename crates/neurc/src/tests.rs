//! The stack of commands.

use std::fmt::Write;

use neuro_db::RootDatabase;

use crate::on_deep_stack;

#[test]
fn commands_analyse_long_chains() {
    let mut text = "const A2000: i64 = 0\n".to_owned();
    for index in 0..2000 {
        writeln!(text, "const A{index}: i64 = A{} + 1", index + 1).unwrap();
    }
    let found = on_deep_stack(move || {
        let mut db = RootDatabase::default();
        let file = db.set_text("chain.nr", &text);
        neuro_ide::diagnostics(&db, file).len()
    });
    assert_eq!(found.unwrap(), 0);
}
