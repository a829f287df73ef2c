//! A text that is read again after an edit has the tree that it has when it is read for the first time.

use super::properties::SOUP;
use super::{PROGRAMS, parse};
use crate::{Parse, reparse};
use proptest::prelude::*;

/// An edit of the text at bytes that are moved to the next character; gives whether only a part was read again.
fn edit(text: &mut String, tree: &mut Parse, at: usize, length: usize, new: &str) -> bool {
    let boundary = |text: &str, mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let start = boundary(text, at);
    let end = boundary(text, start + length);
    let mut edited = text.clone();
    edited.replace_range(start..end, new);
    let again = reparse(tree, text, &edited);
    let fresh = parse(&edited);
    if let Some(again) = &again {
        assert_eq!(again, &fresh, "an edit at {start}..{end} by {new:?} of\n{text}");
    }
    // As the database does it: what has mistakes is forgotten.
    if fresh.errors.is_empty() {
        (*text, *tree) = (edited, fresh);
    }
    again.is_some()
}

fn check(text: &str, before: &str, length: usize, new: &str, partly: bool) {
    let at = text.find(before).expect("the words are there") + before.len();
    let (mut text, mut tree) = (text.to_owned(), parse(text));
    assert_eq!(edit(&mut text, &mut tree, at, length, new), partly, "{before:?} {new:?}");
}

const ITEMS: &str = "@no_prelude\n\nimport a::b\n\nconst A: i32 = 1\n\n/// Doc.\nfunc f() -> i32 {\n    val s = \"a {A} b\"\n    A\n}\n\n@grad\nfunc g(x: f64) -> f64 { x }\n\n// End.\n";

#[test]
fn an_edit_reads_the_items_around_it() {
    for (before, length, new) in [
        ("    A", 0, " + 1"),
        ("\"a", 0, " /* "),
        ("\"a {A", 0, " + 1"),
        ("    ", 0, "// A comment.\n    "),
        ("= 1", 0, "\n\nconst B: i32 = 2"),
        ("= 1", 0, "2"),
        ("/// Doc.", 0, "\n/// More."),
        ("-> f64 { x", 0, " * x"),
        ("// End", 0, "ing"),
        ("import a::", 1, "c"),
    ] {
        check(ITEMS, before, length, new, true);
    }
}

/// A string that ends at the one of the next item, a comment without an end, an operator that takes an attribute, two
/// items on a line: whether they are read in part or as a whole, the tree is the same, and so are the mistakes.
#[test]
fn what_reaches_further_is_read_whole() {
    for (before, length, new) in [
        ("\"a ", 0, "\""),
        ("    A", 0, " /* "),
        ("    A\n}", 0, "}"),
        ("= 1", 0, " +"),
        ("-> f64 { x }", 0, " func h() {}"),
    ] {
        check(ITEMS, before, length, new, false);
    }
    let (mut text, mut tree) = (ITEMS.to_owned(), parse(ITEMS));
    edit(&mut text, &mut tree, 0, 11, "");
    let broken = format!("{ITEMS}func h( {{ }}\n");
    assert!(reparse(&parse(&broken), &broken, ITEMS).is_none());
}

#[test]
fn most_edits_of_a_program_read_a_part() {
    let program = PROGRAMS[0];
    let mut partly = 0;
    let places: Vec<usize> = program.match_indices(char::is_alphanumeric).map(|at| at.0).collect();
    for at in &places {
        let (mut text, mut tree) = (program.to_owned(), parse(program));
        partly += usize::from(edit(&mut text, &mut tree, *at, 0, "x"));
    }
    assert!(partly * 2 > places.len(), "{partly} of {}", places.len());
}

proptest! {
    #[test]
    fn edits_give_the_tree_of_the_text(
        program in prop::sample::select(PROGRAMS),
        edits in prop::collection::vec(
            (0..6_000usize, 0..40usize, prop::sample::select(SOUP), any::<bool>(), 0..4u8), 1..12,
        ),
    ) {
        let (mut text, mut tree) = (program.to_owned(), parse(program));
        for (at, length, word, spaced, kind) in edits {
            let length = if kind == 0 { length } else { 0 };
            let word = match kind {
                1 => ["\n", "// x\n", "/* x */", "\"", "/*", "*/", "}", "{", "\n\nfunc q() {}\n\n", "///", "'"][at % 11].to_owned(),
                2 => (at % 10).to_string(),
                _ if spaced => format!(" {word} "),
                _ => word.to_owned(),
            };
            let at = at % (text.len() + 1);
            edit(&mut text, &mut tree, at, length, &word);
        }
    }
}
