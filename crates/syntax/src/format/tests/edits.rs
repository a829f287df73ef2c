//! Formatting as edits, of a whole text and of a part.

use super::corpus::programs;
use crate::format::{FormatEdit, format, format_edits, format_range};
use crate::{TextRange, TextSize};
use expect_test::{Expect, expect};

pub(super) fn apply(text: &str, edits: &[FormatEdit]) -> String {
    let mut out = text.to_owned();
    let mut end = out.len();
    for edit in edits.iter().rev() {
        let range = std::ops::Range::<usize>::from(edit.range);
        assert!(range.end <= end, "edits overlap or are out of order: {edits:#?}");
        end = range.start;
        out.replace_range(range, &edit.text);
    }
    out
}

#[test]
fn edits_make_the_formatted_text() {
    for (_, text) in programs() {
        let messy = text.replace("    ", " ").replace(" + ", "+").replace(", ", " ,");
        let edits = format_edits(&messy).expect("edits");
        assert_eq!(Ok(apply(&messy, &edits)), format(&messy));
    }
}

/// Formats what the selection between two `$` touches.
fn check(text: &str, expected: &Expect) {
    let start = text.find('$').expect("a selection");
    let end = text.rfind('$').expect("a selection").max(start + 1) - 1;
    let text = text.replace('$', "");
    let size = |at: usize| TextSize::try_from(at).expect("small");
    let range = TextRange::new(size(start), size(end.min(text.len())));
    expected.assert_eq(&apply(&text, &format_range(&text, range).expect("edits")));
}

const MESSY: &str =
    "func  a( ) {\n  val x=1\n   val y  =2 // y\n  val z=  3\n}\n\n\n\nfunc  b( ) {}\n";

#[test]
fn a_selected_statement_alone_is_formatted() {
    check(
        &MESSY.replace("y  =", "y$  =$"),
        &expect![[r#"
            func  a( ) {
              val x=1
                val y = 2 // y
              val z=  3
            }



            func  b( ) {}
        "#]],
    );
}

#[test]
fn an_item_is_formatted_whole_when_more_than_its_inside_is_selected() {
    check(
        &MESSY.replace("func  a", "fu$nc$  a"),
        &expect![[r#"
            func a() {
                val x = 1
                val y = 2 // y
                val z = 3
            }



            func  b( ) {}
        "#]],
    );
}

#[test]
fn what_stands_between_selected_items_is_formatted() {
    check(
        &MESSY.replace("func  a", "fu$nc  a").replace("b( )", "b($ )"),
        &expect![[r#"
            func a() {
                val x = 1
                val y = 2 // y
                val z = 3
            }

            func b() {}
        "#]],
    );
}

#[test]
fn a_selection_of_nothing_changes_nothing() {
    check(
        &MESSY.replace("}\n\n\n\n", "}\n\n$\n$\n"),
        &expect![[r#"
        func  a( ) {
          val x=1
           val y  =2 // y
          val z=  3
        }



        func  b( ) {}
    "#]],
    );
}
