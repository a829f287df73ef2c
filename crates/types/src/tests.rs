//! What users see of types: what is accepted, what is refused and where, what hover shows.

mod aggregates;
mod bindings;
mod arms;
mod blocks;
mod calls;
mod collections;
mod derivatives;
mod derived;
mod functions;
mod generics;
mod incremental;
mod language;
mod literals;
mod operators;
mod pages;
mod patterns;
mod robust;
mod shape_messages;
mod slips;
mod shapes;
mod tensor_methods;
mod tensors;
mod traits;
mod usefulness;
mod uses;

use std::fmt::Write;

use expect_test::Expect;
use neuro_db::codes::Code;
use neuro_db::{Db, Diagnostic, RootDatabase, SourceFile, Span};
use neuro_hir::{Body, Expr, Item, Literal, file_items};

use crate::{Inference, Ty, const_inference, infer, item_diagnostics};

fn file(text: &str) -> (RootDatabase, SourceFile) {
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    let errors = &neuro_db::parse(&db, file).errors;
    assert!(errors.is_empty(), "the fixture does not parse: {errors:#?}");
    (db, file)
}

fn all_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let items = file_items(db, file).items.iter();
    items.flat_map(|item| item_diagnostics(db, *item).to_vec()).collect()
}

/// Shows every diagnostic of a file, its range drawn under the code.
#[track_caller]
fn check(text: &str, expect: Expect) {
    let (db, file) = file(text);
    let mut shown = String::new();
    for diagnostic in all_diagnostics(&db, file) {
        draw(&db, text, &diagnostic, &mut shown);
    }
    expect.assert_eq(&shown);
}

/// A mistake, and the nearest program without it.
struct Case {
    /// The code of the one diagnostic.
    code: Code,
    /// Its message.
    says: &'static str,
    /// The words of the related places.
    at: &'static [&'static str],
    /// The program; the range of the diagnostic stands between `«` and `»`.
    wrong: &'static str,
    /// A program that is accepted.
    right: &'static str,
}

/// Everything that is found in a file, by names and by types.
fn found_in(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = neuro_hir::file_diagnostics(db, file).to_vec();
    for item in &file_items(db, file).items {
        found.extend_from_slice(neuro_hir::item_diagnostics(db, *item));
    }
    found.extend(all_diagnostics(db, file));
    found
}

/// Checks each mistake: there is one diagnostic, at its range, with its words and places; each of its fixes
/// leaves none; and the nearest program has none.
#[track_caller]
fn check_cases(cases: &[Case]) {
    let mut wrong = String::new();
    for case in cases {
        let problem = wrong_case(case);
        if !problem.is_empty() {
            let _ = writeln!(wrong, "{}\n{problem}", case.wrong);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn wrong_case(case: &Case) -> String {
    let mut out = String::new();
    let (head, rest) = case.wrong.split_once('«').expect("a case marks a range");
    let (range, tail) = rest.split_once('»').expect("a case ends its range");
    let text = format!("{head}{range}{tail}");
    let (db, file) = file(&text);
    let found = found_in(&db, file);
    let expected = head.len()..head.len() + range.len();
    let [diagnostic] = &found[..] else {
        found.iter().for_each(|diagnostic| draw(&db, &text, diagnostic, &mut out));
        let _ = writeln!(out, "{} diagnostics, not 1", found.len());
        return out;
    };
    let place = diagnostic.span.absolute(&db);
    let at: Vec<&str> = diagnostic
        .related
        .iter()
        .map(|it| &it.span.file.text(&db)[it.span.absolute(&db)])
        .collect();
    let range = usize::from(place.start())..usize::from(place.end());
    let same = range == expected
        && diagnostic.code == case.code
        && diagnostic.message == case.says
        && at == case.at;
    if !same {
        draw(&db, &text, diagnostic, &mut out);
        let _ = writeln!(out, "related: {at:?}");
    }
    for fix in &diagnostic.fixes {
        let mut fixed = text.clone();
        let mut edits: Vec<_> = fix.edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.absolute(&db).start()));
        for edit in edits {
            let range = edit.span.absolute(&db);
            fixed.replace_range(usize::from(range.start())..usize::from(range.end()), &edit.text);
        }
        complain(&fixed, &format!("with the fix \"{}\"", fix.title), &mut out);
    }
    complain(case.right, "the nearest program", &mut out);
    out
}

/// Says what is wrong with a program that should have nothing wrong.
fn complain(text: &str, what: &str, out: &mut String) {
    let mut db = RootDatabase::default();
    let file = db.set_text("test.nr", text);
    let found = found_in(&db, file);
    if !found.is_empty() {
        let _ = writeln!(out, "{what}:\n{text}");
        found.iter().for_each(|diagnostic| draw(&db, text, diagnostic, out));
    }
}

/// A body that is checked inside `func test() { .. }`.
#[track_caller]
fn check_body(body: &str, expect: Expect) {
    check(&format!("func test() {{\n{body}\n}}\n"), expect);
}

/// Nothing is wrong with the file.
#[track_caller]
fn accept(text: &str) {
    let (db, file) = file(text);
    let mut shown = String::new();
    for diagnostic in all_diagnostics(&db, file) {
        draw(&db, text, &diagnostic, &mut shown);
    }
    assert!(shown.is_empty(), "refused:\n{shown}");
    for function in file_items(&db, file).functions() {
        assert_complete(neuro_hir::body(&db, function), infer(&db, function));
    }
}

/// What the next stage relies on in a body without findings: every type and every literal is known.
#[track_caller]
fn assert_complete(body: &Body, inference: &Inference<'_>) {
    let mut callees = Vec::new();
    for (_, expr) in body.exprs.iter() {
        if let Expr::Call { callee, .. } | Expr::Pipeline { function: callee, .. } = expr {
            callees.push(*callee);
        }
    }
    for (id, expr) in body.exprs.iter() {
        let known = *inference.ty(id) != Ty::Error || callees.contains(&id);
        assert!(known, "no type: {expr:?}");
        let number = matches!(expr, Expr::Literal(literal) if !matches!(literal, Literal::Char(_)));
        assert!(!number || inference.literals.get(id).is_some(), "no value: {expr:?}");
        let called = matches!(expr, Expr::Call { .. } | Expr::MethodCall { .. });
        assert!(!called || inference.callees.get(id).is_some(), "no callee: {expr:?}");
    }
}

#[track_caller]
fn accept_body(body: &str) {
    accept(&format!("func test() {{\n{body}\n}}\n"));
}

fn draw(db: &dyn Db, text: &str, diagnostic: &Diagnostic, out: &mut String) {
    let range = diagnostic.span.absolute(db);
    let start = usize::from(range.start());
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    let width = usize::from(range.len()).min(line.len() - (start - line_start)).max(1);
    let _ = writeln!(out, "{:?}: {}", diagnostic.code, diagnostic.message);
    let _ = writeln!(out, "    {}", line.trim());
    let _ = writeln!(out, "    {}{}", " ".repeat(start - line_start - indent), "^".repeat(width));
    let word = |span: &Span| {
        let text = span.file.text(db);
        text[span.absolute(db)].lines().next().unwrap_or_default().to_owned()
    };
    for related in &diagnostic.related {
        let _ = writeln!(out, "  at `{}`: {}", word(&related.span), related.message);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    for fix in &diagnostic.fixes {
        for edit in &fix.edits {
            let range = edit.span.absolute(db);
            let mut line = text.to_owned();
            line.replace_range(usize::from(range.start())..usize::from(range.end()), &edit.text);
            let start = usize::from(range.start());
            let line_start = line[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let line = line[line_start..].lines().next().unwrap_or_default();
            let _ = writeln!(out, "  fix: {} => {}", fix.title, line.trim());
        }
    }
}

/// The type and value of each expression of each body, in the order of the text.
fn types_of(text: &str) -> String {
    let (db, file) = file(text);
    let mut rows = Vec::new();
    for item in &file_items(&db, file).items {
        let (body, inference, map, ast_id) = match *item {
            Item::Function(function) => (
                neuro_hir::body(&db, function),
                infer(&db, function),
                neuro_hir::source_map(&db, function),
                function.ast_id(&db),
            ),
            Item::Const(constant) => (
                neuro_hir::const_body(&db, constant),
                const_inference(&db, constant),
                neuro_hir::const_source_map(&db, constant),
                constant.ast_id(&db),
            ),
            _ => continue,
        };
        for (local, declared) in body.locals.iter() {
            let range = Span::in_item(file, ast_id, map.local(local)).absolute(&db);
            let row = format!("{}: {}", declared.name, inference.local_ty(local));
            rows.push((range.start(), std::cmp::Reverse(range.end()), row));
        }
        for (expr, _) in body.exprs.iter() {
            let range = Span::in_item(file, ast_id, map.expr(expr)).absolute(&db);
            let mut row = text[range].split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(row, ": {}", inference.ty(expr));
            if let Some(value) = inference.literals.get(expr) {
                let _ = write!(row, " = {value}");
            }
            rows.push((range.start(), std::cmp::Reverse(range.end()), row));
        }
    }
    rows.sort();
    rows.into_iter().map(|(_, _, row)| row + "\n").collect()
}

#[track_caller]
fn check_types(text: &str, expect: Expect) {
    expect.assert_eq(&types_of(text));
}
