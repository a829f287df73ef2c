//! Tests of the project file. `<>` in the expectation of a mistake surrounds what it is about.

use expect_test::{Expect, expect};
use neuro_db::RootDatabase;
use neuro_db::codes::WHILE_TRUE;

use super::*;

fn read(text: &str) -> (RootDatabase, SourceFile) {
    let mut db = RootDatabase::default();
    let file = db.set_text(PROJECT_FILE, text);
    (db, file)
}

/// The mistakes of a project file, a line each: the marked text, the message, fixes and notes.
fn check(text: &str, expected: Expect) {
    let (db, file) = read(text);
    let mut found = String::new();
    for diagnostic in &read_project(&db, file).diagnostics {
        let range = Range::<usize>::from(diagnostic.span.absolute(&db));
        found += &format!("<{}> {}\n", &text[range], diagnostic.message);
        for note in &diagnostic.notes {
            found += &format!("    note: {note}\n");
        }
        for fix in &diagnostic.fixes {
            found += &format!("    {} -> {}\n", fix.title, fix.edits[0].text);
        }
    }
    expected.assert_eq(&found);
}

#[test]
fn a_project_says_what_it_says() {
    let text = "\
# A comment.
[project]
roots = [\"src\", \"examples/fit.nr\"]
[lints]
prefer-loop-over-while-true = \"deny\"
[worker]
timeout_seconds = 1_000
memory_mib = 0x1000
";
    let (db, file) = read(text);
    let project = read_project(&db, file);
    assert_eq!(project.diagnostics, []);
    let roots: Vec<_> = project.roots.iter().map(|root| &*root.path).collect();
    assert_eq!(roots, ["src", "examples/fit.nr"]);
    assert_eq!(&text[Range::<usize>::from(project.roots[0].range)], "\"src\"");
    assert_eq!(project.level(WHILE_TRUE), Some(Level::Deny));
    assert_eq!((project.timeout_seconds, project.memory_mib), (Some(1000), Some(4096)));
}

#[test]
fn an_empty_project_has_no_mistakes() {
    for text in ["", "\n", "# nothing\n", "[project]\n[lints]\n[worker]\n", "\u{feff}[lints]\n"] {
        check(text, expect![""]);
    }
}

#[test]
fn unknown_words_are_told_where_they_stand() {
    check(
        "name = 1\n[lint]\n[project]\nroot = [\"src\"]\nversion = 2\n",
        expect![[r#"
            <name> there is no table `name` in `neuro.toml`
                note: known here: `project`, `lints`, `worker`
            <lint> there is no table `lint` in `neuro.toml`
                did you mean `lints`? -> lints
            <root> `[project]` has no key `root`
                did you mean `roots`? -> roots
            <version> `[project]` has no key `version`
                note: known here: `roots`
        "#]],
    );
    check(
        "[worker]\ntimeout-seconds = 3\nmemory = 1\n",
        expect![[r#"
            <timeout-seconds> `[worker]` has no key `timeout-seconds`
                did you mean `timeout_seconds`? -> timeout_seconds
            <memory> `[worker]` has no key `memory`
                note: known here: `timeout_seconds`, `memory_mib`
        "#]],
    );
    check(
        "[lints]\nprefer_lop_over_while_true = \"warn\"\nunused = \"warn\"\n",
        expect![[r#"
            <prefer_lop_over_while_true> there is no lint `prefer_lop_over_while_true`
                did you mean `prefer_loop_over_while_true`? -> prefer_loop_over_while_true
            <unused> there is no lint `unused`
                note: known here: `prefer_loop_over_while_true`, `unused_variables`, `unused_imports`, `unused_items`, `unused_results`, `float_cast_out_of_range`, `unreachable_arm`, `hiding_patterns`, `unreachable_code`
        "#]],
    );
}

#[test]
fn wrong_values_are_told_where_they_stand() {
    check(
        "project = 1\nlints = [\"a\"]\n[worker]\ntimeout_seconds = 0\nmemory_mib = \"much\"\n",
        expect![[r#"
            <1> `project` is a table: write `[project]` above its keys
            <["a"]> `lints` is a table: write `[lints]` above its keys
            <0> `timeout_seconds` is a whole number, 1 or more
            <"much"> `memory_mib` is a whole number, 1 or more
        "#]],
    );
    check(
        "[project]\nroots = \"src\"\n[worker]\ntimeout_seconds = -1\nmemory_mib = 99999999999999999999\n",
        expect![[r#"
            <"src"> `roots` is a list of folders, as in `["src"]`
            <-1> `timeout_seconds` is a whole number, 1 or more
            <99999999999999999999> `memory_mib` is a whole number, 1 or more
        "#]],
    );
    check(
        "[project]\nroots = []\n",
        expect![[r#"
        <[]> `roots` names no folder; without this key it is the project's own
    "#]],
    );
    check(
        "[project]\nroots = [1, \"\", \"src\"]\n",
        expect![[r#"
            <1> a root is the path of a folder or file, in quotes
            <""> a root is the path of a folder or file, in quotes
        "#]],
    );
}

#[test]
fn a_level_is_one_of_three() {
    check(
        "[lints]\nprefer_loop_over_while_true = \"denny\"\n",
        expect![[r#"
            <"denny"> the level of `prefer_loop_over_while_true` is "allow", "warn" or "deny"
                did you mean `deny`? -> "deny"
        "#]],
    );
    check(
        "[lints]\nprefer_loop_over_while_true = 2\n",
        expect![[r#"
            <2> the level of `prefer_loop_over_while_true` is "allow", "warn" or "deny"
        "#]],
    );
    check(
        "[lints]\nprefer_loop_over_while_true = \"deny\"\nprefer-loop-over-while-true = \"warn\"\n",
        expect![[r#"
            <prefer-loop-over-while-true> the level of `prefer-loop-over-while-true` is set twice
        "#]],
    );
}

#[test]
fn a_mistake_of_the_syntax_is_one_mistake() {
    check(
        "[project\nroots = 1\nunknown = 2\n",
        expect![[r#"
        <> unclosed table, expected `]`
    "#]],
    );
    check(
        "[lints]\na = \"warn\"\na = \"warn\"\n",
        expect![[r#"
        <a> duplicate key
    "#]],
    );
    check(
        "[lints]\na = ",
        expect![[r#"
        <> string values must be quoted, expected literal string
    "#]],
    );
}

#[test]
fn every_cut_of_a_project_is_read() {
    let text = "[project]\nroots = [\"é\", 'b']\n[lints]\nx = { y = \"\"\"z\n\"\"\" }\n[worker]\nm.n = 1\n";
    for (end, _) in text.char_indices() {
        let (db, file) = read(&text[..end]);
        for diagnostic in &read_project(&db, file).diagnostics {
            let range = Range::<usize>::from(diagnostic.span.absolute(&db));
            assert!(text[..end].get(range).is_some(), "{diagnostic:?}");
        }
    }
}
