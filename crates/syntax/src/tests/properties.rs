//! Properties of every text: nothing is lost, nothing panics, nothing takes long.

use super::{PROGRAMS, checked, full_sweeps};
use crate::{Parse, SyntaxKind, parse};
use proptest::prelude::*;

#[test]
fn programs_have_no_mistakes() {
    for program in PROGRAMS {
        assert_eq!(checked(program).errors, []);
        let root = checked(program).syntax_node();
        assert!(root.descendants().all(|node| node.kind() != SyntaxKind::ERROR));
    }
}

#[test]
fn programs_with_other_line_ends_have_no_mistakes() {
    for program in PROGRAMS {
        assert_eq!(checked(&program.replace('\n', "\r\n")).errors, []);
    }
}

/// A function with a mistake leaves its neighbours as they are.
#[test]
fn a_mistake_stays_in_its_function() {
    let first = "func first() -> i32 {\n    1\n}\n\n";
    let last = "\nfunc last(n: i32) -> i32 {\n    n\n}\n";
    let bodies = [
        "val x = ",
        "foo(1, ",
        "val a = [1, 2",
        "if a {",
        "match x { 1 => }",
        "x.",
        "val s = \"abc",
        "while",
        "}",
        ")",
        "a b c",
        "for i in",
        "val y = |k",
        "\"{x\"",
        "\"{f(\"a\")}\"",
        "@grad",
        "P { x: 1",
    ];
    let whole = parse(&format!("{first}{last}"));
    let wanted: Vec<String> =
        whole.syntax_node().children().map(|n| n.text().to_string()).collect();
    for body in bodies {
        let text = format!("{first}func broken() {{\n    {body}\n}}\n{last}");
        let parse = checked(&text);
        assert_eq!(parse.errors.len(), 1, "{text}\n{:#?}", parse.errors);
        let items: Vec<String> =
            parse.syntax_node().children().map(|n| n.text().to_string()).collect();
        assert_eq!(items.first(), wanted.first(), "{text}");
        assert_eq!(items.last(), wanted.last(), "{text}");
    }
}

#[test]
fn a_comment_between_functions_changes_no_function() {
    let with = |comment: &str| {
        checked(&format!("func a() {{ }}\n{comment}\n\n/// Doc.\nfunc b() {{ }}\n")).syntax_node()
    };
    let greens = |comment: &str| -> Vec<_> {
        with(comment).children().map(|node| node.green().to_owned()).collect()
    };
    assert_eq!(greens("// one"), greens("/* another\n */ // more"));
    assert!(
        with("// one")
            .last_child()
            .is_some_and(|item| item.text().to_string().starts_with("/// Doc."))
    );
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> Parse {
    let text = format!(
        "func f() {{\n    val x = {}{middle}{}\n}}\nfunc g() {{ }}\n",
        open.repeat(depth),
        close.repeat(depth)
    );
    checked(&text)
}

#[test]
fn deep_nesting_is_reported_once() {
    let pairs = [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("-", "1", ""),
        ("f(", "1", ")"),
        ("{ ", "1", " }"),
        ("if a { ", "1", " }"),
        ("|a| ", "1", ""),
        ("&", "x", ""),
        ("a[", "1", "]"),
        ("a::<[b; 1], ", "", ""),
        ("match a { _ => ", "1", " }"),
        ("P { a: ", "1", " }"),
        ("(1 + ", "1", ")"),
        ("return ", "", ""),
        ("x as &", "i32", ""),
        ("if ", "a", " { }"),
        ("while { ", "a", " } { }"),
        ("f(|x: i32| ", "1", ")"),
        ("{\nfor i in xs ", "{ }", "\n}"),
        ("{\npool ", "{ }", "\n}"),
    ];
    for (open, middle, close) in pairs {
        let depth = if open == "(" { 100_000 } else { 10_000 };
        let parse = nested(open, middle, close, depth);
        let deep = parse.errors.iter().filter(|e| e.message.contains("maximum nesting depth"));
        let count = deep.count();
        assert!(count <= 1, "{open}: {count}");
        assert!(
            count == 1 || open.starts_with("a::") || open == "x as &",
            "{open}: {:?}",
            parse.errors.first()
        );
        assert!(parse.errors.len() <= 1, "{open}: {:#?}", &parse.errors[..2]);
    }
    for (open, middle, close) in pairs {
        if middle == "1" {
            assert_eq!(nested(open, middle, close, 120).errors, [], "{open}");
        }
    }
}

/// Runs on a stack as small as that of the threads that answer an editor.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

#[test]
fn long_chains_are_read() {
    let links = [
        " + a",
        ".b",
        "(1)",
        "[0]",
        " ?? a",
        "?",
        " as i64",
        "\n        |> f",
        " && a",
        " || f(a, b)",
        ".m(1)",
        " >> f",
    ];
    on_small_stack(move || {
        for link in links {
            let text =
                |length: usize| format!("func f() {{\n    val x = a{}\n}}\n", link.repeat(length));
            assert_eq!(checked(&text(16_000)).errors, [], "{link}");
            // The first operator past the limit is reported, and what follows the expression is read.
            let long = checked(&format!("{}func g() {{ }}\n", text(17_000)));
            assert_eq!(long.errors.len(), 1, "{link}: {:#?}", &long.errors[..2]);
            assert!(long.errors[0].message.contains("too long"), "{:?}", long.errors[0]);
            assert_eq!(long.syntax_node().children().count(), 2);
        }
        let sum = |last: char| {
            format!("func f() {{\n    val x = a{} + {last}\n}}\n", " + a".repeat(16_000))
        };
        assert!(parse(&sum('a')) == parse(&sum('a')));
        assert!(parse(&sum('a')) != parse(&sum('b')));
        let chain = |length: usize| {
            format!("func f() {{\n    if a {{ }}{}\n}}\n", " else if a { }".repeat(length))
        };
        assert_eq!(checked(&chain(16_000)).errors, []);
        assert_eq!(checked(&chain(17_000)).errors.len(), 1);
    });
}

/// Operators that do not exist chain like others, and are no way around the limit.
#[test]
fn long_chains_of_foreign_operators_are_read() {
    for link in [" >> 1", " ** a", " and a", " < a", " is a", " === a"] {
        let text = format!("func f() {{\n    val x = a{}\n}}\n", link.repeat(20_000));
        on_small_stack(move || {
            checked(&text);
        });
    }
}

/// Texts that would take forever if any part of the parser were quadratic.
#[test]
fn hostile_texts_take_linear_time() {
    let lines = [
        "\"{",
        "\"{\"",
        "'",
        "if ) ",
        "if ; ",
        "{",
        "}",
        "(",
        ")",
        "f::<[",
        "a < b > ",
        "@",
        "/*",
        "val ",
        "func ",
        "x: ",
        "\"\"\"{",
        "if a { } ",
        "} {",
        "= ",
        "let x ",
        "match a { ",
        "|",
        "&&",
        "import a::{",
        "`",
        "0x",
        "\"{a:",
        "\"{a:1e}\" ",
        "impl ",
        "export ",
        "( } ",
        "[ ) ",
        "1 2 ",
    ];
    // The limit is far beyond what a linear parser takes on a busy machine, and what a quadratic one takes
    // on the long texts is far beyond the limit.
    let bytes = if full_sweeps() { 200_000 } else { 15_000 };
    for line in lines {
        let text = line.repeat(bytes / line.len());
        let start = std::time::Instant::now();
        checked(&text);
        checked(&format!("func f() {{ {text}"));
        checked(&format!("func f() {{\n    {}", text.replace(' ', "\n    ")));
        assert!(start.elapsed().as_secs() < 60, "{line}: {:?}", start.elapsed());
    }
}

pub(super) const SOUP: &[&str] = &[
    "func",
    "val",
    "mut",
    "const",
    "if",
    "else",
    "while",
    "for",
    "in",
    "loop",
    "break",
    "return",
    "match",
    "struct",
    "enum",
    "impl",
    "trait",
    "type",
    "import",
    "export",
    "module",
    "self",
    "Self",
    "where",
    "as",
    "dyn",
    "move",
    "unsafe",
    "pool",
    "true",
    "x",
    "Tensor",
    "let",
    "fn",
    "1",
    "2.5",
    "'c'",
    "'a",
    "\"s\"",
    "\"{x:.2}\"",
    "\"{",
    "\"\"\"",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "::",
    ";",
    ".",
    "..",
    "..=",
    "->",
    "=>",
    "=",
    "==",
    "<",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "@",
    "+=",
    "&",
    "&&",
    "|",
    "||",
    "|>",
    "?",
    "??",
    "_",
    "!",
    "\n",
    "\n",
    " ",
    "// c\n",
    "/// d\n",
    "/* b */",
    "é",
    "#",
    "\\",
    "\0",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: if full_sweeps() { 50_000 } else { 400 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_is_kept(words in prop::collection::vec(prop::sample::select(SOUP), 0..60), spaced in any::<bool>()) {
        let text = words.join(if spaced { " " } else { "" });
        checked(&text);
        checked(&format!("func f() {{ {text} }}"));
    }

    #[test]
    fn any_text_is_kept(text in "\\PC{0,80}") {
        checked(&text);
    }

    #[test]
    fn cut_programs_are_kept(program in prop::sample::select(PROGRAMS), a in 0..4_000usize, b in 0..60usize, word in prop::sample::select(SOUP)) {
        let boundary = |at: usize| (0..=at.min(program.len())).rev().find(|at| program.is_char_boundary(*at)).unwrap_or(0);
        let (start, end) = (boundary(a), boundary(a + b));
        checked(&format!("{}{word}{}", &program[..start], &program[end..]));
    }
}
