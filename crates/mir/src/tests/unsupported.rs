//! What type checks and has no graph yet.

use expect_test::expect;
use neuro_db::RootDatabase;

use super::{findings, functions};
use crate::{body, check, does_not_run, unsupported};

/// What keeps the last function of a program from running, as it is told.
fn reason(text: &str) -> Option<String> {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let function = *functions(&db, file).last()?;
    assert!(neuro_types::diagnostics(&db, function).is_empty());
    let found = does_not_run(&db, function)?;
    let word = &text[found.span.absolute(&db)];
    Some(format!("{} at `{word}`", found.message))
}

#[test]
fn what_has_no_graph_is_named_where_it_stands() {
    assert_eq!(reason("func f(x: f32) -> f32 { x }\n"), None);
    assert_eq!(
        reason("func f(t: &Tensor<f32, [?]>) { }\n").as_deref(),
        Some("does not run yet: a value of type `Tensor<f32, [?]>` at `&Tensor<f32, [?]>`")
    );
}

#[test]
fn what_is_called_counts() {
    let text = "func g(t: &Tensor<f32, [2]>) { f(t) }\nfunc f(t: &Tensor<f32, [?]>) { }\nfunc h(t: &Tensor<f32, [2]>) { g(t) }\n";
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let functions = functions(&db, file);
    let runs: Vec<bool> =
        functions.iter().map(|function| does_not_run(&db, *function).is_none()).collect();
    assert_eq!(runs, [false, false, false]);
    let own: Vec<bool> =
        functions.iter().map(|function| unsupported(&db, *function).is_none()).collect();
    assert_eq!(own, [true, false, true]);
}

#[test]
fn it_is_checked_though_it_has_no_graph() {
    let text = "func f(t: Tensor<f32, [?]>) -> Tensor<f32, [?]> { val u = t\n t }\n";
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let function = functions(&db, file)[0];
    assert_eq!(body(&db, function).blocks.len(), 1);
    assert_eq!(check(&db, function).len(), 1);
    expect![[r#"
        | func f(t: Tensor<f32, [?]>) -> Tensor<f32, [?]> { val u = t
                                                                    ^ - `t` is moved here
        |  t }
           ^ E0501: use of moved value: `t`
    "#]]
    .assert_eq(&findings(text));
}

/// What is said of a function that moves `k`, and then does something that does not run yet.
fn after_a_move(text: &str) -> String {
    findings(&format!(
        "func f(q: &Tensor<f32, [2]>, k: Tensor<f32, [2]>) {{\n    val c = k\n    val d = {text}\n}}\n"
    ))
}

#[test]
fn what_does_not_run_yet_looks_at_its_operands_or_takes_them() {
    for text in [
        "k.max()",
        "k.sum(axis: 0)",
        "k[0..1]",
        "k.topk(k: 1)",
        "k.reshape([2, 1])",
        "q.zip(&k, |x: f32, y: f32| x + y)",
        "q.map(|x: f32| x + k[0])",
        "einsum(\"i,i->\", q, k)",
        "Tensor::<f32, [2]>::from_fn(|i| k[i])",
    ] {
        let found = after_a_move(text);
        assert!(found.contains("E0501: use of moved value: `k`"), "{text}: {found}");
        let near = after_a_move(&text.replace('k', "c").replace("topc(c:", "topk(k:"));
        assert_eq!(near, "", "{text}");
    }
    let twice = "func f(k: Tensor<f32, [2]>) {
    val a = k.flatten()
    val b = k.max()
}
";
    expect![[r#"
        |     val a = k.flatten()
                      ^ - `k` is moved here
        |     val b = k.max()
                      ^ E0501: use of moved value: `k` | fix: move a copy: `.clone()`
    "#]]
    .assert_eq(&findings(twice));
}

#[test]
fn a_closure_that_runs_for_each_element_only_looks() {
    let text = "func first(t: &mut Tensor<f32, [2]>) -> f32 { t[0] }
func eat(t: Tensor<f32, [2]>) -> f32 { t[0] }
func f(a: &Tensor<f32, [2]>) {
    mut k: Tensor<f32, [2]> = Tensor::ones()
    val b = a.map(|x: f32| x + first(&mut k))
    val c = a.map(|x: f32| {
        k.zero_grad()
        x
    })
    val d = a.map(|x: f32| x + eat(k))
    val e = a.map(|x: f32| {
        mut own: Tensor<f32, [2]> = Tensor::ones()
        x + first(&mut own) + k[0] + eat(k.clone())
    })
}
";
    expect![[r#"
        |     val b = a.map(|x: f32| x + first(&mut k))
                                                    ^ E0503: `k` is only looked at by this closure and cannot be borrowed by `&mut`
                            ^ - the closure runs once for each element
        |     val c = a.map(|x: f32| {
                            ^ - the closure runs once for each element
        |         k.zero_grad()
                  ^ E0503: `k` is only looked at by this closure and cannot be changed by `.zero_grad()`
        |     val d = a.map(|x: f32| x + eat(k))
                                             ^ E0504: cannot move out of `k`, which is only borrowed | fix: take a copy: `.clone()`
    "#]]
    .assert_eq(&findings(text));
}

#[test]
fn tensors_and_derivatives_that_have_no_graph_are_named() {
    let body =
        |text: &str| reason(&format!("func f(t: &Tensor<f32, [2, 3]>) -> f32 {{ {text} }}\n"));
    assert_eq!(body("t.sum()"), None);
    for (text, expected) in [
        ("t.sum(axis: 0)[1]", "does not run yet: `.sum(..)` with arguments at `t.sum(axis: 0)`"),
        ("t.max()", "does not run yet: `.max()` at `t.max()`"),
        ("t.map(|x| x)[0, 0]", "does not run yet: `.map()` at `t.map(|x| x)`"),
        ("t[0, ..][1]", "does not run yet: a slice of a tensor at `t[0, ..]`"),
        ("einsum(\"ij->\", t)", "does not run yet: `einsum` at `einsum(\"ij->\", t)`"),
    ] {
        assert_eq!(body(text).as_deref(), Some(expected), "{text}");
    }
    let derivative = |attribute: &str, ret: &str| {
        reason(&format!(
            "{attribute}\nfunc f(w: &mut Tensor<f64, [2]>) -> {ret} {{ panic(\"\") }}\n"
        ))
    };
    assert_eq!(derivative("@grad", "Tensor<f64, []>"), None);
    assert_eq!(
        derivative("@grad(order: 2)", "Tensor<f64, []>").as_deref(),
        Some("does not run yet: a derivative of order 2 at `f`")
    );
    assert_eq!(
        derivative("@jacobian", "Tensor<f64, [3]>").as_deref(),
        Some("does not run yet: a Jacobian at `f`")
    );
    let method = "struct M { scale: f64 }\nimpl M {\n    @grad\n    func loss(&self, w: &mut Tensor<f64, [2]>) -> Tensor<f64, []> { Tensor::scalar(w.sum() * self.scale) }\n}\nfunc f(m: &M, w: &mut Tensor<f64, [2]>) {\n    val l = m.loss(w)\n    l.backward()\n}\n";
    assert_eq!(
        reason(method).as_deref(),
        Some("does not run yet: a derivative of a method at `l.backward()`")
    );
}

#[test]
fn what_a_generic_function_is_applied_to_counts() {
    let text = "func none<T>(item: T) -> Option<[T; 2000000]> { None }
func main() -> i32 { match none(1) { Some(_) => 1, None => 0 } }
";
    assert_eq!(
        reason(text).as_deref(),
        Some("does not run yet: an array of this size, `[i32; 2000000]` at `none(1)`")
    );
}

#[test]
fn a_call_through_a_trait_is_named_where_no_block_gives_its_function() {
    let text = "trait Area { func area(&self) -> f64 }
func total<T: Area>(item: &T) -> f64 { item.area() }
";
    assert_eq!(reason(text), None);
}

#[test]
fn a_struct_that_shows_too_much_is_named() {
    // Each shows twice as much as the one before it, the last one two to the power of 40 numbers.
    let mut text = "@derive(Debug)\nstruct S0 { x: f64 }\n".to_owned();
    for n in 1..=40 {
        let inner = n - 1;
        text += &format!("@derive(Debug)\nstruct S{n} {{ a: &S{inner}, b: &S{inner} }}\n");
    }
    assert_eq!(reason(&format!("{text}func f(s: &S5) {{ println(\"{{s:?}}\") }}\n")), None);
    assert_eq!(
        reason(&format!("{text}func f(s: &S40) {{ println(\"{{s:?}}\") }}\n")).as_deref(),
        Some("does not run yet: the fields of so large a struct in a text at `\"{s:?}\"`")
    );
    let endless = "@derive(Debug)\nstruct Node { next: &Node }\n";
    let text = format!("{endless}func f(n: &Node) -> string {{ \"{{n:?}}\" }}\n");
    assert_eq!(
        reason(&text).as_deref(),
        Some("does not run yet: the fields of so large a struct in a text at `\"{n:?}\"`")
    );
}

#[test]
fn a_struct_with_too_many_parts_to_compare_or_clone_is_named() {
    let mut text = "@derive(PartialEq, Clone)\nstruct S0 { x: string }\n".to_owned();
    for n in 1..=40 {
        let inner = n - 1;
        text += &format!("@derive(PartialEq, Clone)\nstruct S{n} {{ a: S{inner}, b: S{inner} }}\n");
    }
    let of = |function: &str| reason(&format!("{text}{function}\n"));
    assert_eq!(of("func f(s: &S5) -> bool { *s != *s }"), None);
    assert_eq!(of("func f(s: &S5) -> S5 { s.clone() }"), None);
    assert_eq!(
        of("func f(s: &S40) -> bool { *s != *s }").as_deref(),
        Some("does not run yet: a comparison of so large a struct at `*s != *s`")
    );
    assert_eq!(
        of("func f(s: &S40) -> S40 { s.clone() }").as_deref(),
        Some("does not run yet: a copy of so large a struct at `s.clone()`")
    );
    let endless = "@derive(PartialEq)\nstruct Node { next: &Node }\n";
    assert_eq!(
        reason(&format!("{endless}func f(n: &Node) -> bool {{ *n == *n }}\n")).as_deref(),
        Some("does not run yet: a comparison of so large a struct at `*n == *n`")
    );
}

/// The checks go around such an operation.
#[test]
fn a_struct_with_too_many_parts_is_checked() {
    let mut text = "@derive(PartialEq)\nstruct S0 { x: string }\n".to_owned();
    for n in 1..=40 {
        let inner = n - 1;
        text += &format!("@derive(PartialEq)\nstruct S{n} {{ a: S{inner}, b: S{inner} }}\n");
    }
    text += "func eat(s: S40) { }\nfunc f(s: S40, t: &S40) -> bool {\n    eat(s)\n    s == *t\n}\n";
    assert_eq!(super::findings(&text).matches("E0501").count(), 1);
}
