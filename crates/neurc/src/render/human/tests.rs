use expect_test::expect;
use neuro_db::{RootDatabase, codes};
use text_size::{TextRange, TextSize};

use super::*;
use crate::render::{json, short};

fn span(file: SourceFile, text: &str, word: &str) -> Span {
    let start = TextSize::new(text.find(word).unwrap() as u32);
    Span::in_file(file, TextRange::at(start, TextSize::of(word)))
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
    expect![[""]].assert_eq(&Human::new(&db, false).render(&diagnostic));
    assert!(Human::new(&db, true).render(&diagnostic).contains('\u{1b}'));
}

#[test]
fn a_diagnostic_at_the_end_of_the_text() {
    let mut db = RootDatabase::default();
    let file = db.set_text("a.nr", "func f(");
    let end = Span::in_file(file, TextRange::empty(TextSize::new(7)));
    let diagnostic = Diagnostic::new(codes::SYNTAX, end, "expected a parameter");
    expect![[""]].assert_eq(&Human::new(&db, false).render(&diagnostic));
}

#[test]
fn a_diagnostic_for_programs() {
    let mut db = RootDatabase::default();
    let diagnostic = example(&mut db);
    expect![[""]].assert_eq(&short::render(&db, &diagnostic));
    expect![[""]].assert_eq(&json::render(&db, &diagnostic));
}
