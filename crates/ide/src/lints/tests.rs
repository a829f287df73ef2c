//! Tests of lints and their levels.

use neuro_db::codes::{FLOAT_CAST, MISMATCH, SYNTAX, UNUSED_IMPORT, WHILE_TRUE};
use neuro_db::{RootDatabase, SourceFile, Span};

use super::*;
use crate::{diagnostics, find_function};

const PROGRAM: &str = "func f() -> i64 {\n    mut n = 0i64\n    while true {\n        n += 1\n        if n > 9 { break }\n    }\n    n\n}\n";

fn database(text: &str) -> (RootDatabase, SourceFile) {
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    (db, file)
}

fn codes_and_severities(db: &RootDatabase, file: SourceFile) -> Vec<(Code, Severity)> {
    diagnostics(db, file).iter().map(|found| (found.code, found.severity)).collect()
}

#[test]
fn while_true_is_a_loop() {
    let (db, file) = database(PROGRAM);
    let [found] = &diagnostics(&db, file)[..] else { panic!("one finding") };
    assert_eq!((found.code, found.severity), (WHILE_TRUE, Severity::Warning));
    let edit = &found.fixes[0].edits[0];
    let mut text = PROGRAM.to_owned();
    text.replace_range(std::ops::Range::<usize>::from(edit.span.absolute(&db)), &edit.text);
    assert!(text.contains("    loop {"), "{text}");
    let (db, file) = database(&text);
    assert_eq!(diagnostics(&db, file), []);
}

#[test]
fn other_conditions_are_left_alone() {
    for condition in ["(true)", "n < 9", "!false"] {
        let (db, file) = database(&PROGRAM.replace("while true", &format!("while {condition}")));
        assert_eq!(diagnostics(&db, file), [], "{condition}");
    }
}

#[test]
fn a_project_sets_the_level() {
    let (mut db, file) = database(PROGRAM);
    for (level, expected) in [
        ("", vec![(WHILE_TRUE, Severity::Warning)]),
        ("prefer_loop_over_while_true = \"warn\"", vec![(WHILE_TRUE, Severity::Warning)]),
        ("prefer_loop_over_while_true = \"deny\"", vec![(WHILE_TRUE, Severity::Error)]),
        ("prefer-loop-over-while-true = \"allow\"", vec![]),
    ] {
        let toml = db.set_text("neuro.toml", &format!("[lints]\n{level}\n"));
        db.set_project(file, Some(toml));
        assert_eq!(codes_and_severities(&db, file), expected, "{level}");
    }
    db.set_project(file, None);
    assert_eq!(codes_and_severities(&db, file), [(WHILE_TRUE, Severity::Warning)]);
}

#[test]
fn an_attribute_silences_a_lint_in_its_function() {
    let second = PROGRAM.replace("f()", "g()");
    let text = format!("@allow(prefer_loop_over_while_true)\n{PROGRAM}{second}");
    let (db, file) = database(&text);
    let silenced = |name| allowed(&db, find_function(&db, file, name).expect("a function"));
    assert_eq!((silenced("f"), silenced("g")), (vec![WHILE_TRUE], vec![]));
    let lines: Vec<_> = diagnostics(&db, file)
        .iter()
        .filter(|found| found.code == WHILE_TRUE)
        .map(|found| usize::from(found.span.absolute(&db).start()))
        .collect();
    assert_eq!(lines, [text.rfind("while").expect("the second loop")]);
}

#[test]
fn an_attribute_wins_over_the_project() {
    let (mut db, file) = database("");
    let toml = db.set_text("neuro.toml", "[lints]\nprefer_loop_over_while_true = \"deny\"\n");
    let settings = crate::read_project(&db, toml);
    let found = |code| Diagnostic::new(code, Span::in_file(file, Default::default()), "so it is");
    let denied = at_level(found(WHILE_TRUE), &[], Some(settings)).map(|found| found.severity);
    assert_eq!(denied, Some(Severity::Error));
    assert_eq!(at_level(found(WHILE_TRUE), &[WHILE_TRUE], Some(settings)), None);
    // An error is no lint: nothing silences it.
    assert!(at_level(found(MISMATCH), &[MISMATCH], Some(settings)).is_some());
}

#[test]
fn a_function_with_errors_has_no_lints() {
    let second = PROGRAM.replace("f()", "g()").replace("    n\n", "    true\n");
    let (db, file) = database(&format!("{PROGRAM}{second}"));
    let found = codes_and_severities(&db, file);
    assert_eq!(found, [(WHILE_TRUE, Severity::Warning), (MISMATCH, Severity::Error)]);
    let third = PROGRAM.replace("f()", "g()").replace("n += 1", "n += 1)");
    let (db, file) = database(&format!("{PROGRAM}{third}"));
    let found = codes_and_severities(&db, file);
    assert_eq!(found, [(WHILE_TRUE, Severity::Warning), (SYNTAX, Severity::Error)]);
}

#[test]
fn the_lints_that_can_be_allowed_are_those_that_exist() {
    let allow = neuro_syntax::attribute("allow").expect("an attribute");
    let neuro_syntax::AttributeValue::Names(names) = allow.args[0].value else { panic!("names") };
    let mut known: Vec<_> = codes::lint_names().collect();
    let mut names = names.to_vec();
    known.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, known);
}

#[test]
fn the_page_of_a_lint_shows_it_and_its_remedy() {
    for info in codes::all().filter(|info| info.lint.is_some()) {
        let programs = info.page.split("```neuro\n").skip(1);
        let programs = programs.filter_map(|rest| rest.split("```").next());
        let found = programs.map(|program| {
            let (db, file) = database(program);
            codes_and_severities(&db, file)
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found, [vec![(info.code, Severity::Warning)], vec![]], "{:?}", info.code);
    }
}

/// What the lint of casts says of a value and a type.
fn cast(value: &str, to: &str) -> Option<(String, Vec<String>)> {
    let text = format!("const BIG: f64 = 1e20\nfunc f() -> {to} {{\n    {value} as {to}\n}}\n");
    let (db, file) = database(&text);
    let mut found = diagnostics(&db, file);
    assert!(found.iter().all(|found| found.code == FLOAT_CAST), "{text}: {found:?}");
    found.pop().map(|found| (found.message, found.notes))
}

#[test]
fn a_constant_float_is_cast_to_what_holds_it() {
    let (message, notes) = cast("300.5", "u8").expect("a finding");
    assert_eq!(message, "`300.5` does not fit `u8`");
    assert_eq!(notes, ["the cast gives 255; `u8` holds 0 to 255"]);
    for (value, to) in [
        ("-1.0", "u32"),
        ("BIG", "i64"),
        ("(BIG * 2.0 - 1.0)", "i32"),
        ("1e10f32", "i32"),
        ("(0.0 / 0.0)", "i32"),
        ("128.0", "i8"),
    ] {
        assert!(cast(value, to).is_some(), "{value} as {to}");
    }
    for (value, to) in [
        ("255.9", "u8"),
        ("-0.9", "u8"),
        ("127.9", "i8"),
        ("BIG", "f32"),
        ("(BIG / 1e15)", "i32"),
        ("300", "u8"),
    ] {
        assert_eq!(cast(value, to), None, "{value} as {to}");
    }
    let (db, file) = database("const N: i32 = -3e9 as i32\n");
    assert_eq!(codes_and_severities(&db, file), [(FLOAT_CAST, Severity::Warning)]);
}

/// The lints of a program: the words that each marks.
fn marked(text: &str) -> Vec<(&'static str, String)> {
    let (db, file) = database(text);
    let words = |found: &Diagnostic| {
        assert_eq!(found.severity, Severity::Warning, "{}", found.message);
        let range = std::ops::Range::<usize>::from(found.span.absolute(&db));
        (found.code.as_str(), text.get(range).unwrap_or_default().to_owned())
    };
    diagnostics(&db, file).iter().map(words).collect()
}

#[test]
fn what_nothing_reads_is_marked_where_it_is_declared() {
    let text = "func main() -> i32 {\n    val a = 1\n    mut b = 2\n    b = 3\n    mut c = 4\n    c += 1\n    \
        val _d = 5\n    val _ = 6\n    val a = a\n    for i in 0..3 { val x = i }\n    \
        for j in 0..3 {}\n    0\n}\n";
    let expected = ["b", "a", "x"].map(|name| ("W0201", name.to_owned()));
    assert_eq!(marked(text), expected);
}

#[test]
fn parameters_need_not_be_used() {
    assert_eq!(marked("func f(a: i32, to b: i32) -> i32 { 1 }\n"), []);
}

#[test]
fn imports_and_items_are_used_by_name() {
    let text = "module m {\n    export const A: i32 = 1\n    export const B: i32 = 2\n    export func f() -> i32 { g() }\n    \
        func g() -> i32 { 1 }\n    func h() -> i32 { 1 }\n}\n\
        import m::{A, B as C}\nimport m\nfunc main() -> i32 { A + m::f() }\n\
        func first() -> i32 { second() }\nfunc second() -> i32 { first() }\nfunc _meant() {}\n";
    let expected = [("W0203", "h"), ("W0202", "C"), ("W0203", "first"), ("W0203", "second")];
    assert_eq!(marked(text), expected.map(|(code, name)| (code, name.to_owned())));
}

#[test]
fn a_file_without_a_beginning_has_no_unused_items() {
    assert_eq!(marked("func first() {}\nconst N: i32 = 1\n"), []);
    let text = "export func first() {}\nconst N: i32 = 1\n";
    assert_eq!(marked(text), [("W0203", "N".to_owned())]);
}

#[test]
fn what_is_unused_can_be_allowed() {
    let text = "@allow(unused_variables)\nfunc main() -> i32 {\n    val a = 1\n    0\n}\n\
        @allow(unused_items)\nfunc later() {}\n";
    assert_eq!(marked(text), []);
}

#[test]
fn the_fix_of_an_unused_variable_silences_it() {
    let text = "func main() -> i32 {\n    val a = 1\n    0\n}\n";
    let (db, file) = database(text);
    let [found] = &diagnostics(&db, file)[..] else { panic!("one finding") };
    let edit = &found.fixes[0].edits[0];
    let mut fixed = text.to_owned();
    fixed.replace_range(std::ops::Range::<usize>::from(edit.span.absolute(&db)), &edit.text);
    assert_eq!(marked(&fixed), []);
}

#[test]
fn the_fix_of_an_unused_import_takes_it_away() {
    const MAIN: &str = "func main() -> i32 { B + D }\n";
    for (imports, left) in [
        ("import m::A\n", ""),
        ("import m::A as C\n", ""),
        ("import m::{A}\n", ""),
        ("import m::A // never\n", " // never\n"),
        ("// first\nimport m::A\nimport m::B\n", "// first\nimport m::B\n"),
        ("import m::{A, B}\n", "import m::{B}\n"),
        ("import m::{B, A}\n", "import m::{B}\n"),
        ("import m::{\n    B,\n    A,\n}\n", "import m::{\n    B,\n}\n"),
        ("import m::{B, A as C, D}\n", "import m::{B, D}\n"),
    ] {
        let mut text = format!("{imports}{MAIN}");
        let (db, file) = database(&text);
        let span = neuro_hir::import_removal(&db, file, neuro_hir::unused_imports(&db, file)[0]);
        let range = span.expect("there is the import").absolute(&db);
        text.replace_range(std::ops::Range::<usize>::from(range), "");
        assert_eq!(text, format!("{left}{MAIN}"));
    }
    let mut db = RootDatabase::default();
    db.set_text("m.nr", "export const A: i32 = 1\n");
    let file = db.set_text("main.nr", "import m::A\nfunc main() -> i32 { 0 }\n");
    let [found] = &diagnostics(&db, file)[..] else { panic!("one finding") };
    assert_eq!((found.code, found.fixes[0].title.as_str()), (UNUSED_IMPORT, "remove it"));
}

/// The lints of a program with one function of this body, and helpers that have none.
fn marked_in(body: &str) -> Vec<(&'static str, String)> {
    const HELPERS: &str = "\
export func twice(n: i32) -> i32 { n * 2 }
export func shown(n: i32) -> i32 {
    println(\"{n}\")
    n
}
export func grown(v: &mut Vec<i32>) -> u64 {
    v.push(1)
    v.len()
}
export func half(n: i32) -> Result<i32, string> {
    if n % 2 == 0 { Ok(n / 2) } else { Err(\"odd\") }
}
";
    marked(&format!("{HELPERS}export func f(a: i32, v: &mut Vec<i32>) {{\n{body}\n}}\n"))
}

#[test]
fn values_that_nothing_uses() {
    for (body, unused) in [
        ("    mut n = a\n    n == 2\n    n += 1", &["n == 2"][..]),
        ("    mut n = a\n    n = 2\n    n += 1", &[]),
        ("    if a > 1 { a + 1 }", &["a + 1"]),
        ("    while a > 3 { -a }", &["-a"]),
        ("    for i in 0..3 { if i > 1 { i == 2 } else { v.push(i) } }", &["i == 2"]),
        ("    match a { 1 => a == 2, _ => true }\n    v.push(1)", &["a == 2", "true"]),
        ("    twice(a)\n    v.push(1)", &["twice(a)"]),
        ("    val _ = twice(a)", &[]),
        ("    shown(a)\n    v.push(1)", &[]),
        ("    grown(v)\n    v.push(1)", &[]),
        ("    half(a)\n    v.push(1)", &["half(a)"]),
        ("    v.len()\n    v.push(1)", &["v.len()"]),
        ("    v.pop()\n    v.push(1)", &[]),
        ("    a |> twice\n    v.push(1)", &["a |> twice"]),
        ("    a > 1 && shown(a) > 1\n    v.push(1)", &[]),
        ("    a > 1 && twice(a) > 1\n    v.push(1)", &["a > 1 && twice(a) > 1"]),
    ] {
        let unused: Vec<_> = unused.iter().map(|text| ("W0204", (*text).to_owned())).collect();
        assert_eq!(marked_in(body), unused, "{body}");
    }
}

#[test]
fn a_value_that_ends_may_be_made_for_that() {
    for (drop, unused) in
        [("impl Drop for S { func drop(&mut self) { println(\"end\") } }", 0), ("", 2)]
    {
        let text = format!(
            "export struct S {{ n: i32 }}\n{drop}\nfunc make(n: i32) -> S {{ S {{ n: n }} }}\n\
             func inside(n: i32) -> i32 {{\n    val s = make(n)\n    n\n}}\n\
             export func f() {{\n    make(1)\n    inside(2)\n    println(\"f\")\n}}\n"
        );
        let mut found = marked(&text);
        found.retain(|(code, _)| *code == "W0204");
        assert_eq!(found.len(), unused, "{found:?}");
    }
}

#[test]
fn the_fixes_of_a_value_that_nothing_uses_mend_it() {
    let text = "export func f() -> i32 {\n    mut n = 1\n    n + 1\n    n == 3\n    n\n}\n";
    let (db, file) = database(text);
    let found = diagnostics(&db, file);
    let mut mended = Vec::new();
    for fix in found.iter().flat_map(|found| &found.fixes) {
        let edit = &fix.edits[0];
        let mut fixed = text.to_owned();
        fixed.replace_range(std::ops::Range::<usize>::from(edit.span.absolute(&db)), &edit.text);
        let left = marked(&fixed);
        assert_eq!(left.len() + 1, found.len(), "{fixed}");
        mended.push(fix.title.as_str());
    }
    let unused = "say that it is meant to be unused";
    assert_eq!(mended, ["write `+=`", unused, "write `=`", unused]);
}

#[test]
fn statements_that_are_never_reached() {
    for (body, unreached) in [
        ("    return\n    v.push(1)", &["v.push(1)"][..]),
        ("    v.push(1)\n    return", &[]),
        ("    loop {\n        break\n        v.push(1)\n    }", &["v.push(1)"]),
        ("    for i in 0..a {\n        if i > 2 { continue }\n        v.push(i)\n    }", &[]),
        ("    panic(\"no\")\n    val b = 1\n    v.push(b)", &["b = 1"]),
        ("    if a > 1 { return } else { return }\n    v.push(1)", &["v.push(1)"]),
        (
            "    loop { v.push(1) }\n    if a > 1 {\n        return\n        v.push(2)\n    }",
            &["if a > 1 {\n        return\n        v.push(2)\n    }"],
        ),
        ("    loop { v.push(1) }\n    unreachable()", &[]),
    ] {
        let unreached: Vec<_> =
            unreached.iter().map(|text| ("W0304", (*text).to_owned())).collect();
        assert_eq!(marked_in(body), unreached, "{body}");
    }
}

#[test]
fn an_imported_trait_is_used_by_its_methods() {
    let traits = "export trait Area { func area(&self) -> i32 }\nimpl Area for i32 { func area(&self) -> i32 { 1 } }\n";
    for (main, unused) in [("3.area()", 0), ("3", 1)] {
        let mut db = RootDatabase::default();
        db.set_text("m.nr", traits);
        let text = format!("import m::Area\nfunc main() -> i32 {{ {main} }}\n");
        let file = db.set_text("main.nr", &text);
        assert_eq!(neuro_hir::unused_imports(&db, file).len(), unused, "{main}");
    }
}

#[test]
fn new_lints_can_be_allowed() {
    let text = "@allow(unused_results, unreachable_code, hiding_patterns)\n\
        export func f(e: E) -> i32 {\n    1 == 2\n    match e { A => 1, _ => 3 }\n    return 1\n    2\n}\n\
        export enum E { A, B }\n";
    assert_eq!(marked(text), []);
}
