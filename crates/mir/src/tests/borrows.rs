//! Tests of borrows.

use expect_test::expect;

use super::{findings, fixed};

#[test]
fn a_borrow_ends_with_its_last_use() {
    let text = findings(
        "func f() -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &a
    val s = r.sum()
    a[0] = s
    val m = &mut a
    m += 1.0
    a.sum()
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn nothing_happens_to_a_place_that_is_borrowed() {
    expect![[r#"
        |     val r = &a
                      ^^ - `a` is borrowed here
                      ^^ - `a` is borrowed here
                      ^^ - `a` is borrowed here
                      ^^ - `a` is borrowed here
        |     a += 1.0
              ^ E0502: cannot change `a` while it is borrowed
        |     a[0] = 3.0
              ^ E0502: cannot change `a` while it is borrowed
        |     a = [0.0, 0.0]
              ^ E0502: cannot assign to `a` while it is borrowed
        |     val k = keep(a)
                           ^ E0502: cannot move `a` while it is borrowed | fix: move a copy: `.clone()`
        |     r.sum()
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
        |     val r = &mut a
                      ^^^^^^ - `a` is mutably borrowed here
        |     val s = a.sum()
                      ^ E0502: cannot use `a` while it is mutably borrowed
        |     r += 1.0
              ^^^^^^^^ - the borrow is used here
    "#]].assert_eq(&findings(
        "func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
func f() -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &a
    a += 1.0
    a[0] = 3.0
    a = [0.0, 0.0]
    val k = keep(a)
    r.sum()
}
func g() -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &mut a
    val s = a.sum()
    r += 1.0
    s
}
",
    ));
}

#[test]
fn the_arguments_of_one_call_exclude_each_other() {
    expect![[r#"
        |     mix(&mut x, &mut x)
                          ^^^^^^ E0502: cannot mutably borrow `x` while it is mutably borrowed
                  ^^^^^^ - `x` is mutably borrowed here
        |     look(&mut x, &x)
                           ^^ E0502: cannot borrow `x` while it is mutably borrowed
                   ^^^^^^ - `x` is mutably borrowed here
        |     mix(w, w)
                     ^ E0502: cannot mutably borrow `w` while it is mutably borrowed
                  ^ - `w` is mutably borrowed here
    "#]]
    .assert_eq(&findings(
        "func mix(a: &mut Tensor<f32, [2]>, b: &mut Tensor<f32, [2]>) { a += 1.0 }
func look(a: &mut Tensor<f32, [2]>, b: &Tensor<f32, [2]>) { a += b }
func see(a: &Tensor<f32, [2]>, b: &Tensor<f32, [2]>) -> f32 { a.sum() + b.sum() }
func f(w: &mut Tensor<f32, [2]>) -> f32 {
    mut x: Tensor<f32, [2]> = [1.0, 2.0]
    mix(&mut x, &mut x)
    look(&mut x, &x)
    mix(w, w)
    look(&mut x, w)
    see(&x, &x) + see(w, w)
}
",
    ));
}

#[test]
fn a_mutable_borrow_needs_mut() {
    let text = "func bump(a: &mut Tensor<f32, [2]>) { a += 1.0 }
func f(x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>) {
    val a: Tensor<f32, [2]> = [1.0, 2.0]
    bump(&mut a)
    a.zero_grad()
    bump(&mut y)
    bump(&mut *x)
}
";
    expect![[r#"
        | func f(x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>) {
                    ^^^^^^^^^^^^^^^^^ - `x` is a shared reference
        |     val a: Tensor<f32, [2]> = [1.0, 2.0]
                  ^ - `a` is declared here
                  ^ - `a` is declared here
        |     bump(&mut a)
                        ^ E0503: `a` is not declared with `mut` and cannot be borrowed by `&mut` | fix: declare `a` with `mut`
        |     a.zero_grad()
              ^ E0503: `a` is not declared with `mut` and cannot be changed by `.zero_grad()` | fix: declare `a` with `mut`
        |     bump(&mut *x)
                        ^^ E0503: what `x` refers to is behind `&` and cannot be borrowed by `&mut` | fix: take `x` by `&mut`
    "#]].assert_eq(&findings(text));
}

#[test]
fn a_fix_makes_the_binding_mutable() {
    let text = "func bump(a: &mut Tensor<f32, [2]>) { a += 1.0 }
func f() {
    val a: Tensor<f32, [2]> = [1.0, 2.0]
    bump(&mut a)
}
";
    assert_eq!(findings(&fixed(text)), "");
}

#[test]
fn a_gradient_is_borrowed_while_it_is_read() {
    expect![[r#"
        |     val g = w.grad()
                      ^^^^^^^^ - the gradient of `w` is borrowed here
                      ^^^^^^^^ - the gradient of `w` is borrowed here
        |     w.zero_grad()
              ^ E0502: cannot empty the gradient of `w` while it is borrowed
        |     val l = loss(w)
                           ^ E0502: cannot mutably borrow `w` while its gradient is borrowed
        |     g.sum()
              ^^^^^^^ - the borrow is used here
              ^^^^^^^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f(w: &mut Tensor<f32, [2]>) -> f32 {
    val g = w.grad()
    w.zero_grad()
    val l = loss(w)
    l.backward()
    w -= 0.1 * w.grad()
    g.sum()
}
",
    ));
}

#[test]
fn differentiated_arguments_are_borrowed_until_the_backward() {
    expect![[r#"
        |     val l = loss(&mut w, &x)
                           ^^^^^^ - this call of `loss` borrows `w`, for its gradient
                           ^^^^^^ - this call of `loss` borrows `w`, for its gradient
        |     val s = w.sum()
                      ^ E0502: cannot use `w`, which is mutably borrowed until `l.backward()`
        |     w -= 0.5
              ^ E0502: cannot change `w`, which is mutably borrowed until `l.backward()`
        |     l.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
                ^^^^^^^^ - the borrow ends here, where the gradient is written
    "#]].assert_eq(&findings(
        "@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar((w * x).sum()) }
func f() -> f32 {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    mut x: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(&mut w, &x)
    val s = w.sum()
    x += 1.0
    w -= 0.5
    l.backward()
    w -= 0.5
    s
}
",
    ));
}

#[test]
fn a_call_without_backward_borrows_for_the_call() {
    let text = findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f() -> f32 {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(&mut w)
    w += 1.0
    val m = loss(&mut w)
    l.item() + m.item() + w.sum()
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn two_pairs_on_one_tensor_exclude_each_other() {
    expect![[r#"
        |     val l = loss(&mut w)
                           ^^^^^^ - this call of `loss` borrows `w`, for its gradient
        |     val m = loss(&mut w)
                           ^^^^^^ E0502: cannot mutably borrow `w`, which is mutably borrowed until `l.backward()`
        |     l.backward()
                ^^^^^^^^ - the borrow ends here, where the gradient is written
    "#]].assert_eq(&findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f() {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(&mut w)
    val m = loss(&mut w)
    l.backward()
    m.backward()
}
",
    ));
}

#[test]
fn a_reference_to_a_local_does_not_leave() {
    expect![[r#"
        |     val r = &t
                      ^^ - `t` is borrowed here
                      ^^ - `t` is borrowed here
        |     if t[0] > 0.5 { return first(x, r) }
                                     ^^^^^^^^^^^ E0505: cannot return a reference to `t`, which ends with `f` | note: return the tensor itself, which moves it to the caller
        |     r
              ^ E0505: cannot return a reference to `t`, which ends with `f` | note: return the tensor itself, which moves it to the caller
        | func g(x: Tensor<f32, [2]>) -> &Tensor<f32, [2]> { &x }
                                                             ^^ E0505: cannot return a reference to the parameter `x`, which ends with `g` | note: return the tensor itself, which moves it to the caller
        |         val inner: Tensor<f32, [2]> = [1.0, 2.0]
                      ^^^^^ - `inner` is declared here and ends with its block
        |         r = &inner
                      ^^^^^^ E0505: `inner` does not live long enough for this reference to it
        |     r.sum()
              ^^^^^^^ - the reference is used here
    "#]].assert_eq(&findings(
        "func first(a: &Tensor<f32, [2]>, b: &Tensor<f32, [2]>) -> &Tensor<f32, [2]> { a }
func f(x: &Tensor<f32, [2]>) -> &Tensor<f32, [2]> {
    val t: Tensor<f32, [2]> = [1.0, 2.0]
    val r = &t
    if t[0] > 1.0 { return x }
    if t[0] > 0.5 { return first(x, r) }
    r
}
func g(x: Tensor<f32, [2]>) -> &Tensor<f32, [2]> { &x }
func h(n: i32) -> f32 {
    val outer: Tensor<f32, [2]> = [1.0, 2.0]
    mut r = &outer
    for i in 0..n {
        val inner: Tensor<f32, [2]> = [1.0, 2.0]
        r = &inner
    }
    r.sum()
}
",
    ));
}

#[test]
fn borrows_in_loops() {
    expect![[r#"
        |         a += 1.0
                  ^ E0502: cannot change `a` while it is borrowed
        |         s += r.sum()
                       ^^^^^^^ - the borrow is used here
        |         r = &a
                      ^^ - `a` is borrowed here
    "#]]
    .assert_eq(&findings(
        "func f(n: i32) -> f32 {
    mut a: Tensor<f32, [2]> = [1.0, 2.0]
    val b: Tensor<f32, [2]> = [1.0, 2.0]
    mut r = &b
    mut s = 0.0f32
    for i in 0..n {
        a += 1.0
        s += r.sum()
        r = &a
    }
    s
}
",
    ));
}

#[test]
fn a_value_is_complete_before_its_target_is_written() {
    let text = findings(
        "func f(w: &mut Tensor<f32, [2]>) -> Tensor<f32, [2]> {
    mut p: Tensor<f32, [2]> = [1.0, 2.0]
    p = &p * 0.5
    p += &p
    p[0] = p[1]
    p[1] += p[0]
    w -= w.grad()
    w -= w.grad() * w
    p
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn an_assignment_is_refused_at_its_place() {
    expect![[r#"
        |     val r = &n
                      ^^ - `n` is borrowed here
                      ^^ - `n` is borrowed here
        |     n = 2
              ^ E0502: cannot assign to `n` while it is borrowed
        |     n = if c { 4 } else { 5 }
              ^ E0502: cannot assign to `n` while it is borrowed
        |     *r
              ^^ - the borrow is used here
              ^^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "func f(c: bool) -> i32 {
    mut n = 3
    val r = &n
    n = 2
    n = if c { 4 } else { 5 }
    *r
}",
    ));
}

#[test]
fn a_hole_that_uses_a_borrow_is_marked_itself() {
    expect![[r#"
        |     val r = &n
                      ^^ - `n` is borrowed here
        |     n = 2
              ^ E0502: cannot assign to `n` while it is borrowed
        |     println("one {n} two {r} three")
                                    ^ - the borrow is used here
    "#]]
    .assert_eq(&findings(
        "func f() {
    mut n = 1
    val r = &n
    n = 2
    println(\"one {n} two {r} three\")
}
",
    ));
}
