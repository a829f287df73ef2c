//! Tests of diagnostics on a terminal.

use expect_test::expect;
use neuro_db::{RootDatabase, codes};
use text_size::{TextRange, TextSize};

use super::*;
use crate::render::{json, short};

fn span(file: SourceFile, text: &str, word: &str) -> Span {
    let start = TextSize::new(text.find(word).unwrap() as u32);
    Span::in_file(file, TextRange::at(start, TextSize::of(word)))
}

fn draw(db: &RootDatabase, diagnostic: &Diagnostic) -> String {
    Human::new(db, &Positions::new(db), false).render(diagnostic)
}

const TEXT: &str = "func f() {\n    val é = 1\n    é = x\n}\n";

fn example(db: &mut RootDatabase) -> Diagnostic {
    let file = db.set_text("dir/a.nr", TEXT);
    let other = db.set_text("b.nr", "const x = true\n");
    Diagnostic::new(codes::MISMATCH, span(file, TEXT, "x"), "expected `i32`, found `bool`")
        .related(span(file, TEXT, "1"), "`i32` because of this")
        .related(span(other, "const x = true\n", "true"), "declared here")
        .note("there is no implicit conversion")
        .fix("convert it", span(file, TEXT, "x"), "x as i32")
}

#[test]
fn a_diagnostic_for_people() {
    let mut db = RootDatabase::default();
    let diagnostic = example(&mut db);
    expect![[r#"
        error[E0301]: expected `i32`, found `bool`
         --> dir/a.nr:3:9
          |
        2 |     val é = 1
          |             - `i32` because of this
        3 |     é = x
          |         ^
          |
         ::: b.nr:1:11
          |
        1 | const x = true
          |           ---- declared here
          |
          = note: there is no implicit conversion
        help: convert it
          |
        3 |     é = x as i32
          |           ++++++

    "#]]
    .assert_eq(&draw(&db, &diagnostic));
    assert!(Human::new(&db, &Positions::new(&db), true).render(&diagnostic).contains('\u{1b}'));
}

#[test]
fn a_diagnostic_at_the_end_of_the_text() {
    let mut db = RootDatabase::default();
    let file = db.set_text("a.nr", "func f(");
    let end = Span::in_file(file, TextRange::empty(TextSize::new(7)));
    let diagnostic = Diagnostic::new(codes::SYNTAX, end, "expected a parameter");
    expect![[r#"
        error[E0101]: expected a parameter
         --> a.nr:1:8
          |
        1 | func f(
          |        ^

    "#]]
    .assert_eq(&draw(&db, &diagnostic));
}

#[test]
fn a_diagnostic_for_programs() {
    let mut db = RootDatabase::default();
    let diagnostic = example(&mut db);
    expect![[r#"
        dir/a.nr:3:9: error[E0301]: expected `i32`, found `bool`
    "#]]
    .assert_eq(&short::render(&db, &Positions::new(&db), &diagnostic));
    expect![[r#"
        {"code":"E0301","severity":"error","message":"expected `i32`, found `bool`","file":"dir/a.nr","range":{"start":{"line":3,"column":9,"offset":35},"end":{"line":3,"column":10,"offset":36}},"related":[{"message":"`i32` because of this","file":"dir/a.nr","range":{"start":{"line":2,"column":13,"offset":24},"end":{"line":2,"column":14,"offset":25}}},{"message":"declared here","file":"b.nr","range":{"start":{"line":1,"column":11,"offset":10},"end":{"line":1,"column":15,"offset":14}}}],"notes":["there is no implicit conversion"],"fixes":[{"title":"convert it","edits":[{"file":"dir/a.nr","range":{"start":{"line":3,"column":9,"offset":35},"end":{"line":3,"column":10,"offset":36}},"text":"x as i32"}]}]}
    "#]].assert_eq(&json::render(&db, &Positions::new(&db), &diagnostic));
}
