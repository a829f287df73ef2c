//! The values of literals and the accessors that compute something.

use super::checked;
use crate::ast::{
    Align, AstNode as _, BinOp, Expr, FormatKind, FormatSpec, IntValue, Item, Literal, LiteralKind,
    Stmt, StringLit, StringPart,
};
use crate::{SyntaxKind, parse};

fn first<N: crate::AstNode>(expr: &str) -> N {
    let root = crate::ast::Node::root(parse(&format!("const C: T = {expr}\n")).green);
    root.descendants().find_map(N::cast).unwrap_or_else(|| panic!("nothing found in {expr}"))
}

fn int(text: &str) -> Option<IntValue> {
    match first::<Literal>(text).kind()? {
        LiteralKind::Int(int) => int.value().ok(),
        _ => None,
    }
}

#[test]
fn integers() {
    let value = |value, suffix| Some(IntValue { value, suffix });
    assert_eq!(int("0"), value(0, None));
    assert_eq!(int("1_000_i64"), value(1000, Some("i64")));
    assert_eq!(int("0xFFu8"), value(255, Some("u8")));
    assert_eq!(int("0o17"), value(15, None));
    assert_eq!(int("0b1010_1010u16"), value(170, Some("u16")));
    assert_eq!(int("18446744073709551615"), value(u64::MAX, None));
    assert_eq!(int("18446744073709551616"), None);
    assert_eq!(int("2f32"), None);
    assert_eq!(int("0x1f32"), value(0x1f32, None));
}

#[test]
fn floats() {
    let float = |text: &str| match first::<Literal>(text).kind() {
        Some(LiteralKind::Float(float)) => float.value().ok(),
        _ => None,
    };
    let value = |text: &str, suffix| Some((text.to_owned(), suffix));
    assert_eq!(float("1_0.5"), value("10.5", None));
    assert_eq!(float("2.5e-3f32"), value("2.5e-3", Some("f32")));
    assert_eq!(float("1e5bf16"), value("1e5", Some("bf16")));
    assert_eq!(float("1.5E+2"), value("1.5e+2", None));
    assert_eq!(float("1.5i32"), None);
}

#[test]
fn characters() {
    let char = |text: &str| match first::<Literal>(text).kind() {
        Some(LiteralKind::Char(char)) => char,
        _ => None,
    };
    assert_eq!(char("'a'"), Some('a'));
    assert_eq!(char("'\\''"), Some('\''));
    assert_eq!(char("'\\\\'"), Some('\\'));
    assert_eq!(char("'\\xe9'"), Some('é'));
    assert_eq!(char("'\\u{1F600}'"), Some('\u{1F600}'));
    assert_eq!(char("'ab'"), None);
}

#[test]
fn strings() {
    let string = |text: &str| first::<StringLit>(text).value();
    assert_eq!(string("\"\"").as_deref(), Some(""));
    assert_eq!(string("\"a\\tb\\\"\\{\\}\\x80\\u{e9}\\0\"").as_deref(), Some("a\tb\"{}\u{80}é\0"));
    assert_eq!(string("\"a{x}\""), None);
    assert!(first::<StringLit>("\"a{x}\"").has_holes());
}

#[test]
fn block_strings() {
    let string = |text: &str| {
        let crlf = first::<StringLit>(&text.replace('\n', "\r\n")).value();
        let value = first::<StringLit>(text).value();
        assert_eq!(value, crlf, "line ends matter in {text}");
        value.unwrap_or_default()
    };
    assert_eq!(string("\"\"\"\n    a\n      b\n\n    c\n    \"\"\""), "a\n  b\n\nc");
    assert_eq!(string("\"\"\"\n    a\n\n    \"\"\""), "a\n");
    assert_eq!(string("\"\"\"\n    \"\"\""), "");
    assert_eq!(string("\"\"\"head\n  a \\t \"q\" \n  \"\"\""), "head\na \t \"q\" ");
    assert_eq!(string("\"\"\"\na\n  \n\"\"\""), "a\n");
}

#[test]
fn parts_of_a_block_string_with_holes() {
    let string = first::<StringLit>("\"\"\"\n    {a}\n      b {c:.2}\n    {d} e\n    \"\"\"");
    let parts: Vec<String> = string
        .parts()
        .into_iter()
        .map(|part| match part {
            StringPart::Text { value, .. } => format!("{value:?}"),
            StringPart::Hole(hole) => {
                let expr = hole.expr().map(|expr| expr.syntax().text().to_string());
                format!("{}:{:?}", expr.unwrap_or_default(), hole.spec().and_then(|s| s.precision))
            }
        })
        .collect();
    assert_eq!(parts, ["a:None", "\"\\n  b \"", "c:Some(2)", "\"\\n\"", "d:None", "\" e\""]);
}

#[test]
fn formats() {
    let spec = FormatSpec::parse("^+08.3e").unwrap_or_default();
    assert_eq!(
        spec,
        FormatSpec {
            align: Some(Align::Center),
            plus: true,
            zero: true,
            width: Some(8),
            precision: Some(3),
            kind: Some(FormatKind::Exponent),
        }
    );
    assert_eq!(FormatSpec::parse("5d").map(|s| (s.width, s.zero)), Ok((Some(5), false)));
    assert_eq!(FormatSpec::parse("?").map(|s| s.kind), Ok(Some(FormatKind::Debug)));
    for bad in ["", "q", ".", "5.", "*>3", "99999999999", "3 d", "dd"] {
        assert!(FormatSpec::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_parts_of_a_function() {
    let text = "/// One.\n///  Two.\n@allow(a)\nexport func f(at x: i32, _ y: &mut T) -> f32 {\n    a + b\n    x.0.y\n}\n";
    let file = checked(text).tree().unwrap_or_else(|| panic!("no file"));
    let Some(Item::Func(func)) = file.items().next() else { panic!("no function") };
    assert_eq!(func.doc_comment().as_deref(), Some("One.\n Two."));
    assert_eq!(func.attrs().count(), 1);
    assert!(func.export_token().is_some());
    let params: Vec<_> = func.params().into_iter().flat_map(|list| list.params()).collect();
    assert_eq!(params[0].label().and_then(|label| label.text()).as_deref(), Some("at"));
    assert!(params[1].label().is_some_and(|label| label.is_positional()));
    assert_eq!(params[1].name().map(|name| name.text()).as_deref(), Some("y"));
    let body = func.body().unwrap_or_else(|| panic!("no body"));
    let Some(Stmt::Expr(statement)) = body.stmts().next() else { panic!("no statement") };
    let Some(Expr::Bin(sum)) = statement.expr() else { panic!("no sum") };
    assert_eq!(sum.op(), Some(BinOp::Add));
    assert_eq!(sum.rhs().map(|rhs| rhs.syntax().text().to_string()).as_deref(), Some("b"));
    let tail = body.tail().unwrap_or_else(|| panic!("no tail"));
    assert_eq!(tail.syntax().kind(), SyntaxKind::FIELD_EXPR);
}

#[test]
fn the_branches_of_an_if() {
    let Some(Expr::If(outer)) =
        Expr::cast(first::<Expr>("if a { 1 } else if b { 2 } else { 3 }").syntax().clone())
    else {
        panic!("no if")
    };
    let text = |expr: Option<Expr>| expr.map(|expr| expr.syntax().text().to_string());
    assert_eq!(text(outer.condition()).as_deref(), Some("a"));
    assert_eq!(
        outer.then_branch().map(|b| b.syntax().text().to_string()).as_deref(),
        Some("{ 1 }")
    );
    let Some(Expr::If(inner)) = outer.else_branch() else { panic!("no else if") };
    assert_eq!(text(inner.condition()).as_deref(), Some("b"));
    assert_eq!(text(inner.else_branch()).as_deref(), Some("{ 3 }"));
}
