//! Tests of the protocol of gradient slots.

use expect_test::expect;

use super::{findings, fixed};

const LOSS: &str = "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
";

fn check(body: &str) -> String {
    findings(&format!("{LOSS}{body}"))
}

#[test]
fn the_pair_may_stand_in_any_block() {
    let text = check(
        "func f(w: &mut Tensor<f32, [2]>, n: i32) {
    for i in 0..n {
        if i % 2 == 0 {
            pool {
                val l = loss(w)
                l.backward()
            }
        }
    }
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn the_receiver_is_a_val_bound_to_the_call() {
    expect![[r#"
        | func plain(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
               ^^^^^ - `plain` is declared here, without `@grad`
        | func f(w: &mut Tensor<f32, [2]>, given: Tensor<f32, []>) {
                                           ^^^^^ - `given` is declared here
        |     loss(w).backward()
                      ^^^^^^^^ E0510: bind the call of `loss` before `.backward()` | note: `val l = ..` and then `l.backward()`: the derivative is compiled into this pair
              ^^^^^^^ - the arguments are borrowed from here on
        |     (l * 2.0).backward()
                        ^^^^^^^^ E0510: `.backward()` runs on what a `@grad` call gave, not on what is computed from it | note: make it part of the `@grad` function, so that it is differentiated too
               ^^^^^^^ - this is computed
        |     mut m = loss(w)
                  ^ - `m` is declared here
        |     m.backward()
                ^^^^^^^^ E0510: `m` is declared with `mut`; `.backward()` needs a `val` | fix: declare `m` with `val`
        |     val n = m + 1.0
                      ^^^^^^^ - `n` is bound to this
        |     n.backward()
                ^^^^^^^^ E0510: `n` is not bound directly to a call of a `@grad` function
        |     given.backward()
                    ^^^^^^^^ E0510: `given` is a parameter, not a `val` bound to a `@grad` call | note: call `.backward()` where the `@grad` function is called
        |     val p = plain(w)
                      ^^^^^^^^ - `p` is bound to this call
        |     p.backward()
                ^^^^^^^^ E0510: `plain` has no `@grad`, so its value has no `.backward()` | fix: differentiate `plain`: add `@grad`
    "#]].assert_eq(&check(
        "func plain(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f(w: &mut Tensor<f32, [2]>, given: Tensor<f32, []>) {
    loss(w).backward()
    val l = loss(w)
    (l * 2.0).backward()
    mut m = loss(w)
    m.backward()
    val n = m + 1.0
    n.backward()
    given.backward()
    val p = plain(w)
    p.backward()
}
",
    ));
}

#[test]
fn call_and_backward_share_a_block_and_it_runs_once() {
    expect![[r#"
        |     val l = loss(w)
                      ^^^^^^^ - the call is here, in another block
        |     if deep { l.backward() }
                          ^^^^^^^^ E0510: `l.backward()` must stand in the block of the call that `l` is bound to
        |     m.backward()
                ^^^^^^^^ - it runs here
        |     m.backward()
                ^^^^^^^^ E0510: `m.backward()` runs once | note: the values that the derivative needs are released by the first `.backward()`; call the function again for another
        |     val k = loss(w)
                      ^^^^^^^ - the call is here, in another block
        |         k.backward()
                    ^^^^^^^^ E0510: `k.backward()` must stand in the block of the call that `k` is bound to
    "#]].assert_eq(&check(
        "func f(w: &mut Tensor<f32, [2]>, deep: bool) {
    val l = loss(w)
    if deep { l.backward() }
    val m = loss(w)
    m.backward()
    m.backward()
    val k = loss(w)
    for i in 0..2 {
        k.backward()
    }
}
",
    ));
}

#[test]
fn a_derivative_does_not_run_derivatives() {
    expect![[r#"
        |     l.backward()
                ^^^^^^^^ E0510: `.backward()` cannot run inside a `@grad` function | note: the derivative of a gradient is made by `@grad(order: 2)` on the function itself
    "#]].assert_eq(&check(
        "@grad
func outer(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> {
    val l = loss(w)
    l.backward()
    Tensor::scalar(w.sum())
}
",
    ));
}

#[test]
fn a_differentiated_argument_is_a_name() {
    let text = format!(
        "{LOSS}func f(w: &mut Tensor<f32, [2]>) {{
    val l = loss(&mut *w)
    l.backward()
}}
"
    );
    expect![[r#"
        |     val l = loss(&mut *w)
                           ^^^^^^^ E0511: `w` is differentiated and needs `&mut name` | fix: pass `w` on
        |     l.backward()
                ^^^^^^^^ - the gradient is written here, beside that tensor
    "#]].assert_eq(&findings(&text));
    assert_eq!(findings(&fixed(&text)), "");
}

#[test]
fn a_fix_adds_grad_to_the_function() {
    let text = "func plain(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f(w: &mut Tensor<f32, [2]>) {
    val l = plain(w)
    l.backward()
}
";
    expect![[r#"
        @grad
        func plain(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
        func f(w: &mut Tensor<f32, [2]>) {
            val l = plain(w)
            l.backward()
        }
    "#]]
    .assert_eq(&fixed(text));
    assert_eq!(findings(&fixed(text)), "");
}
