//! What type checks and has no graph yet.

use neuro_db::RootDatabase;

use super::functions;
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
fn nothing_is_lowered_or_checked_of_it() {
    let text = "func f(t: Tensor<f32, [?]>) -> Tensor<f32, [?]> { val u = t\n t }\n";
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let function = functions(&db, file)[0];
    assert_eq!(body(&db, function).blocks.len(), 1);
    assert!(check(&db, function).is_empty());
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
