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

const MODEL: &str = "struct M { k: f32, export w: Tensor<f32, [2]> }
impl M {
    @grad
    func plain(&self, w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum() * self.k) }
    @grad(wrt: [w: self.w])
    func own(&mut self, x: &Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar((&self.w * x).sum()) }
}
@grad(wrt: [m.w])
func by_path(m: &mut M) -> Tensor<f32, []> { Tensor::scalar(m.w.sum()) }
@grad(order: 2)
func twice(w: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * b).sum())
}
func made() -> M { M { k: 1.0, w: Tensor::ones() } }
func eat(m: M) { }
";

fn model(body: &str) -> String {
    findings(&format!("{MODEL}{body}"))
}

#[test]
fn a_method_holds_what_it_differentiates() {
    expect![[r#"
        |     val a = m.plain(w)
                              ^ - this call of `plain` borrows `w`, for its gradient
        |     w += 1.0
              ^ E0502: cannot change `w`, which is mutably borrowed until `a.backward()`
        |     a.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
                ^^^^^^^^ - it runs here
        |     a.backward()
                ^^^^^^^^ E0510: `a.backward()` runs once | note: the values that the derivative needs are released by the first `.backward()`; call the function again for another
        |     val b = M::plain(m, w)
                                  ^ - this call of `plain` borrows `w`, for its gradient
        |     val s = w.sum()
                      ^ E0502: cannot use `w`, which is mutably borrowed until `b.backward()`
        |     b.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
        |     mut c = m.plain(w)
                  ^ - `c` is declared here
        |     c.backward()
                ^^^^^^^^ E0510: `c` is declared with `mut`; `.backward()` needs a `val` | fix: declare `c` with `val`
        |     val d = m.plain(w)
                      ^^^^^^^^^^ - the call is here, in another block
        |     if s > 0.0 { d.backward() }
                             ^^^^^^^^ E0510: `d.backward()` must stand in the block of the call that `d` is bound to
        |     m.plain(w).backward()
                         ^^^^^^^^ E0510: bind the call of `plain` before `.backward()` | note: `val l = ..` and then `l.backward()`: the derivative is compiled into this pair
              ^^^^^^^^^^ - the arguments are borrowed from here on
        |     val e = m.own(x)
                      ^ - this call of `own` borrows `m`, for its gradient
        |     m.w -= 1.0
              ^^^ E0502: cannot change `m.w`, which is mutably borrowed until `e.backward()`
        |     e.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
        |     val g = made().own(x)
                      ^^^^^^ E0511: the receiver is differentiated, and this value ends with the call | note: bind it to a name first
    "#]]
    .assert_eq(&model(
        "func f(m: &mut M, w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) {
    val a = m.plain(w)
    w += 1.0
    a.backward()
    a.backward()
    val b = M::plain(m, w)
    val s = w.sum()
    b.backward()
    mut c = m.plain(w)
    c.backward()
    val d = m.plain(w)
    if s > 0.0 { d.backward() }
    m.plain(w).backward()
    val e = m.own(x)
    m.w -= 1.0
    e.backward()
    val g = made().own(x)
    g.backward()
}
",
    ));
    // What is not differentiated is lent for the call alone.
    let near = "func f(m: &mut M, w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) {
    val a = m.plain(w)
    m.k = 2.0
    val s = m.w.sum()
    a.backward()
    w -= w.grad()
    val e = m.own(x)
    val t = x.sum()
    e.backward()
    m.w -= m.w.grad() * (s + t)
    m.w.zero_grad()
}
";
    assert_eq!(model(near), "");
}

#[test]
fn what_a_path_leads_through_is_held() {
    expect![[r#"
        |     val a = by_path(&mut m)
                              ^^^^^^ - this call of `by_path` borrows `m`, for its gradient
        |     val k = m.k
                      ^^^ E0502: cannot use `m.k`, which is mutably borrowed until `a.backward()`
        |     a.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
        |     val b = by_path(&mut n)
                              ^^^^^^ - this call of `by_path` borrows `n`, for its gradient
        |     eat(n)
                  ^ E0502: cannot move `n`, which is mutably borrowed until `b.backward()`
        |     b.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
    "#]]
    .assert_eq(&model(
        "func f() {
    mut m = made()
    val a = by_path(&mut m)
    val k = m.k
    a.backward()
    mut n = made()
    val b = by_path(&mut n)
    eat(n)
    b.backward()
}
",
    ));
    let near = "func f() {
    mut m = made()
    val a = by_path(&mut m)
    a.backward()
    val k = m.k
    val b = by_path(&mut m)
    eat(m)
}
";
    assert_eq!(model(near), "");
}

#[test]
fn through_dyn_no_derivative_is_known() {
    let of_trait = "trait T {
    @grad
    func f(&self, w: &mut Tensor<f32, [2]>) -> Tensor<f32, []>
}
";
    expect![[r#"
        |     val l = t.f(w)
                      ^^^^^^ - `l` is bound to this call
        |     l.backward()
                ^^^^^^^^ E0510: `l` comes from a call through `dyn T`, and which `f` ran is not known here | note: call it on a value whose type is known; a plain call through `dyn` needs no derivative
    "#]]
    .assert_eq(&findings(&format!(
        "{of_trait}func g(t: &dyn T, w: &mut Tensor<f32, [2]>) {{
    val l = t.f(w)
    l.backward()
}}
"
    )));
    let near = "func g<S: T>(t: &S, w: &mut Tensor<f32, [2]>) {
    val l = t.f(w)
    l.backward()
}
func h(t: &dyn T, w: &mut Tensor<f32, [2]>) -> f32 { t.f(w).item() }
";
    assert_eq!(findings(&format!("{of_trait}{near}")), "");
}

#[test]
fn directions_keep_the_arguments_as_they_were() {
    expect![[r#"
        |     val l = twice(w, b)
                      ^^^^^^^^^^^ - `w` is borrowed here
        |     w += 1.0
              ^ E0502: cannot change `w` while it is borrowed
        |     val p = l.hvp(w: v)
                      ^^^^^^^^^^^ - the borrow is used here
        |     k.backward()
              ^^^^^^^^^^^^ - `b` is borrowed here
        |     b -= b.grad()
              ^ E0502: cannot change `b` while it is borrowed
        |         val q = k.forward(w: v)
                          ^^^^^^^^^^^^^^^ - the borrow is used here
        |     val n = twice(w, b)
                            ^ - this call of `twice` borrows `w`, for its gradient
        |     val s = w.sum()
                      ^ E0502: cannot use `w`, which is mutably borrowed until `n.backward()`
        |     n.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
    "#]]
    .assert_eq(&model(
        "func f(w: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>, v: &Tensor<f32, [2]>) {
    val l = twice(w, b)
    w += 1.0
    val p = l.hvp(w: v)
    val k = twice(w, b)
    k.backward()
    b -= b.grad()
    for i in 0..3 {
        val q = k.forward(w: v)
    }
    val n = twice(w, b)
    val s = w.sum()
    val o = n.hvp(b: v)
    n.backward()
}
",
    ));
    let near = "func f(w: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>, v: &Tensor<f32, [2]>) {
    val l = twice(w, b)
    val s = w.sum()
    val p = l.hvp(w: v)
    w += 1.0
    val k = twice(w, b)
    k.backward()
    for i in 0..3 {
        val q = k.hvp(w: v) + w.grad()
    }
    w -= w.grad() * s
}
";
    assert_eq!(model(near), "");
}

#[test]
fn a_hessian_is_a_borrow_of_its_slot() {
    expect![[r#"
        |     val h = w.hessian()
                      ^^^^^^^^^^^ - the Hessian of `w` is borrowed here
        |     val g = l.hessian(b)
                      ^^^^^^^^^^^^ - the Hessian of `b` is borrowed here
        |     w.zero_grad()
              ^ E0502: cannot empty the gradient of `w` while its Hessian is borrowed
        |     b.zero_grad()
              ^ E0502: cannot empty the gradient of `b` while its Hessian is borrowed
        |     h[0, 0] + g[0, 0]
              ^^^^^^^ - the borrow is used here
                        ^^^^^^^ - the borrow is used here
    "#]]
    .assert_eq(&model(
        "func f(w: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>) -> f32 {
    val l = twice(w, b)
    l.backward()
    val h = w.hessian()
    val g = l.hessian(b)
    w.zero_grad()
    b.zero_grad()
    h[0, 0] + g[0, 0]
}
",
    ));
    let near = "func f(w: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>) -> f32 {
    val l = twice(w, b)
    l.backward()
    val h = w.hessian()
    val mixed = l.hessian(w, b)
    b.zero_grad()
    val s = h[0, 0]
    w.zero_grad()
    s + mixed[0, 0]
}
";
    assert_eq!(model(near), "");
}

#[test]
fn a_derivative_is_made_for_a_function_that_is_written_at_the_call() {
    let of_function = "@grad(wrt: [w])
func bent(w: &mut Tensor<f32, [2]>, bend: (f32) -> f32) -> Tensor<f32, []> { Tensor::scalar(bend(w[0])) }
func square(x: f32) -> f32 { x * x }
func same(x: f32) -> f32 { x }
";
    expect![[r#"
        |     val a = bent(w, chosen)
                              ^^^^^^ E0511: the derivative of `bent` is made for the function that is given here, and `chosen` is chosen when the program runs | note: write a closure or the name of a function at the call; a choice becomes an `if` around two calls
        |     val b = bent(w, given)
                              ^^^^^ E0511: the derivative of `bent` is made for the function that is given here, and `given` is only known when the program runs | note: write a closure or the name of a function at the call; a choice becomes an `if` around two calls
        |     val d = bent(w, keeps)
                              ^^^^^ E0511: the derivative of `bent` is made for the function that is given here, and `keeps` keeps `k`: write the closure itself here | note: write a closure or the name of a function at the call; a choice becomes an `if` around two calls
        |     val e = bent(w, turned)
                              ^^^^^^ E0511: the derivative of `bent` is made for the function that is given here, and `turned` is declared with `mut` | note: write a closure or the name of a function at the call; a choice becomes an `if` around two calls
    "#]]
    .assert_eq(&findings(&format!(
        "{of_function}func f(w: &mut Tensor<f32, [2]>, given: (f32) -> f32, c: bool) {{
    val chosen = if c {{ square }} else {{ same }}
    val a = bent(w, chosen)
    a.backward()
    val b = bent(w, given)
    b.backward()
    val k: f32 = 2.0
    val keeps = |x: f32| x * k
    val d = bent(w, keeps)
    d.backward()
    mut turned = square
    for i in 0..2 {{ turned = same }}
    val e = bent(w, turned)
    e.backward()
}}
"
    )));
    let near = "func f(w: &mut Tensor<f32, [2]>, given: (f32) -> f32, k: f32) -> f32 {
    val plain = |x: f32| x * 2.0
    val both = square >> same
    val a = bent(w, plain)
    a.backward()
    val b = bent(w, both)
    b.backward()
    val c = bent(w, |x: f32| x * k)
    c.backward()
    val d = bent(w, square)
    d.backward()
    bent(w, given).item()
}
";
    assert_eq!(findings(&format!("{of_function}{near}")), "");
}
