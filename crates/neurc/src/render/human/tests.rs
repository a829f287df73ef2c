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
    Human::new(db, &Positions::new(db), Look::default()).render(diagnostic)
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
    let colours = Look { colours: true, columns: None };
    let coloured = Human::new(&db, &Positions::new(&db), colours).render(&diagnostic);
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn a_narrow_terminal_gets_narrow_drawings() {
    let mut db = RootDatabase::default();
    let text = format!("val x = {}here\n", "a + ".repeat(25));
    let file = db.set_text("a.nr", &text);
    let diagnostic = Diagnostic::new(codes::MISMATCH, span(file, &text, "here"), "not so");
    let narrow = Look { colours: false, columns: Some(60) };
    let drawn = Human::new(&db, &Positions::new(&db), narrow).render(&diagnostic);
    assert!(drawn.contains("here") && drawn.contains("a.nr:1:109"), "{drawn}");
    assert!(drawn.lines().all(|line| line.len() <= 60), "{drawn}");
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

/// Draws a mistake at each word of a text, the first one the main place.
fn check_drawn(text: &str, words: &[&str], expected: expect_test::Expect) {
    let mut db = RootDatabase::default();
    let file = db.set_text("a.nr", text);
    let mut diagnostic = Diagnostic::new(codes::MISMATCH, span(file, text, words[0]), "not so");
    for word in &words[1..] {
        diagnostic = diagnostic.related(span(file, text, word), "because of this");
    }
    expected.assert_eq(&draw(&db, &diagnostic));
}

#[test]
fn a_long_line_is_shortened() {
    let gap = "a + é + ".repeat(500);
    let text = format!("val x = {gap}here + {gap}there + {gap}\nlast\n");
    check_drawn(
        &text,
        &["here"],
        expect![[r#"
            error[E0301]: not so
             --> a.nr:1:4009
              |
            1 | ... é + a + é + a + é + a + é + a + é + a + é + a + é + here + a + é + a + é + a + é + a + é + a + é + a + é + a +...
              |                                                         ^^^^

        "#]],
    );
    check_drawn(
        &text,
        &["last", "there"],
        expect![[r#"
            error[E0301]: not so
             --> a.nr:2:1
              |
            1 | ... é + a + é + a + é + a + é + a + é + a + é + a + é + there + a + é + a + é + a + é + a + é + a + é + a + é + a +...
              |                                                         ----- because of this
            2 | last
              | ^^^^

        "#]],
    );
    check_drawn(
        &text,
        &["here", "there"],
        expect![[r#"
            error[E0301]: not so
             --> a.nr:1:4009
              |
            1 | ... é + here + a + é + a + é + a + é + a + é + a + é + a + é + a +... é + a + é + a + é + a + é + a + é + a + é + a + é + there + a +...
              |         ^^^^                                                                                                              ----- because of this

        "#]],
    );
}

#[test]
fn a_fix_in_a_long_line_is_shortened() {
    let gap = "a + é + ".repeat(500);
    let text = format!("val x = {gap}here + {gap}\n");
    let mut db = RootDatabase::default();
    let file = db.set_text("a.nr", &text);
    let here = span(file, &text, "here");
    let diagnostic =
        Diagnostic::new(codes::MISMATCH, here, "not so").fix("say `there`", here, "there");
    expect![[r#"
        error[E0301]: not so
         --> a.nr:1:4009
          |
        1 | ... é + a + é + a + é + a + é + a + é + a + é + a + é + here + a + é + a + é + a + é + a + é + a + é + a + é + a +...
          |                                                         ^^^^
          |
        help: say `there`
          |
        1 | ... é + a + é + a + é + a + é + a + é + a + é + a + é + there + a + é + a + é + a + é + a + é + a + é + a + é + a +...
          |                                                         +

    "#]].assert_eq(&draw(&db, &diagnostic));
}

#[test]
fn places_that_are_far_apart_are_drawn_apart() {
    let text = format!("first\nsecond\n{}main\nnear\n{}last\n", "\n".repeat(500), "\n".repeat(500));
    check_drawn(
        &text,
        &["main", "second", "near", "last"],
        expect![[r#"
        error[E0301]: not so
            --> a.nr:503:1
             |
         503 | main
             | ^^^^
         504 | near
             | ---- because of this
             |
            ::: a.nr:2:1
             |
           2 | second
             | ------ because of this
             |
            ::: a.nr:1005:1
             |
        1005 | last
             | ---- because of this

    "#]],
    );
}

#[test]
fn every_end_of_line_and_character_is_drawn() {
    check_drawn(
        "one\r\n  two three\r\nfour\r\n",
        &["three", "one"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:2:7
          |
        1 | one
          | --- because of this
        2 |   two three
          |       ^^^^^

    "#]],
    );
    check_drawn(
        "\tval\tx = y\n",
        &["y"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:10
          |
        1 |     val    x = y
          |                ^

    "#]],
    );
    check_drawn(
        "val 世界 = \"🙂\" + y + é\n",
        &["y", "é"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:16
          |
        1 | val 世界 = "🙂" + y + é
          |                   ^   - because of this

    "#]],
    );
    check_drawn(
        "val x = \u{202e}\u{7}y\n",
        &["y"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:11
          |
        1 | val x = �␇y
          |           ^

    "#]],
    );
    check_drawn(
        "a\rb y\n",
        &["y"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:5
          |
        1 | a␍b y
          |     ^

    "#]],
    );
    check_drawn(
        "\u{feff}val x = y\n",
        &["y"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:10
          |
        1 | ﻿val x = y
          |         ^

    "#]],
    );
}

#[test]
fn a_place_of_several_lines_is_drawn() {
    check_drawn(
        "val x = f(1,\n    2,\n    3)\nlast\n",
        &["f(1,\n    2,\n    3)"],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:9
          |
        1 |   val x = f(1,
          |  _________^
        2 | |     2,
        3 | |     3)
          | |______^

    "#]],
    );
    let text = format!("val x = f({}1)\nlast\n", "1,\n".repeat(500));
    check_drawn(
        &text,
        &[text.strip_suffix("\nlast\n").unwrap()],
        expect![[r#"
        error[E0301]: not so
         --> a.nr:1:1
          |
        1 | val x = f(1,
          | ^^^^^^^^^^^^

    "#]],
    );
}

#[test]
fn the_end_of_a_text_is_drawn() {
    let mut db = RootDatabase::default();
    for (text, expected) in [
        (
            "",
            expect![[r#"
            error[E0101]: expected more
             --> a.nr:1:1
              |
            1 |
              | ^

        "#]],
        ),
        (
            "one\n",
            expect![[r#"
            error[E0101]: expected more
             --> a.nr:2:1
              |
            2 |
              | ^

        "#]],
        ),
        (
            "one\r\n\r\n",
            expect![[r#"
            error[E0101]: expected more
             --> a.nr:3:1
              |
            3 |
              | ^

        "#]],
        ),
    ] {
        let file = db.set_text("a.nr", text);
        let end = Span::in_file(file, TextRange::empty(TextSize::of(text)));
        let diagnostic = Diagnostic::new(codes::SYNTAX, end, "expected more");
        expected.assert_eq(&draw(&db, &diagnostic));
    }
}
