//! Many small programs that are nearly right, and what is said of each.

use expect_test::expect_file;

use super::findings;

#[test]
fn what_moved_is_used() {
    expect_file!["refused/moves.txt"].assert_eq(&findings(include_str!("refused/moves.nr")));
}

#[test]
fn what_is_lent_is_changed_or_gone() {
    expect_file!["refused/borrows.txt"].assert_eq(&findings(include_str!("refused/borrows.nr")));
}
