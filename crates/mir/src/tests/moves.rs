//! Tests of moves.

use expect_test::expect;

use super::{findings, fixed};

#[test]
fn an_operand_that_is_owned_is_moved() {
    let text = "func square(a: Tensor<f32, [2]>) -> Tensor<f32, [2]> {
    a * a
}
";
    expect![[r#"
        |     a * a
                  ^ E0501: use of moved value: `a` | fix: read `a` without moving it: `&a * &a`
              ^ - `a` is moved here
    "#]]
    .assert_eq(&findings(text));
    expect![[r#"
        func square(a: Tensor<f32, [2]>) -> Tensor<f32, [2]> {
            &a * &a
        }
    "#]]
    .assert_eq(&fixed(text));
    assert_eq!(findings(&fixed(text)), "");
}

#[test]
fn a_later_use_is_reported_once_with_where_it_went() {
    let text = "func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
func main() -> i32 {
    val a: Tensor<f32, [2]> = [1.0, 2.0]
    val b = a
    val c = keep(a)
    val d = a.sum()
    val e = b + 1.0
    val f = b.sum()
    0
}
";
    expect![[r#"
        |     val b = a
                      ^ - `a` is moved here
        |     val c = keep(a)
                           ^ E0501: use of moved value: `a` | fix: move a copy: `.clone()`
                           ^ - `a` is moved here
        |     val d = a.sum()
                      ^ E0501: use of moved value: `a` | fix: move a copy: `.clone()`
        |     val e = b + 1.0
                      ^ - `b` is moved here
        |     val f = b.sum()
                      ^ E0501: use of moved value: `b` | fix: read it without moving it: `&`
    "#]]
    .assert_eq(&findings(text));
    expect![[r#"
        func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
        func main() -> i32 {
            val a: Tensor<f32, [2]> = [1.0, 2.0]
            val b = a.clone()
            val c = keep(a.clone())
            val d = a.sum()
            val e = &b + 1.0
            val f = b.sum()
            0
        }
    "#]]
    .assert_eq(&fixed(text));
}

#[test]
fn a_move_on_any_branch_counts_unless_the_branch_leaves() {
    expect![[r#"
        |     if n > 0 { keep(t) }
                              ^ - `t` is moved here
        |     t.sum() + u.sum()
              ^ E0501: use of moved value: `t` | fix: move a copy: `.clone()`
    "#]]
    .assert_eq(&findings(
        "func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
func f(t: Tensor<f32, [2]>, u: Tensor<f32, [2]>, n: i32) -> f32 {
    if n > 0 { keep(t) }
    if n > 1 { return keep(u) }
    t.sum() + u.sum()
}
",
    ));
}

#[test]
fn a_move_in_a_loop_meets_itself() {
    expect![[r#"
        |     for i in 0..n { s += keep(t) }
                                        ^ E0501: use of moved value: `t` | note: it was moved in an earlier iteration of the loop | fix: move a copy: `.clone()`
    "#]].assert_eq(&findings(
        "func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
func f(t: Tensor<f32, [2]>, n: i32) -> f32 {
    mut s = 0.0f32
    for i in 0..n { s += keep(t) }
    s
}
func g(start: Tensor<f32, [2]>, n: i32) -> f32 {
    mut t = start
    mut s = 0.0f32
    for i in 0..n {
        s += keep(t)
        t = [1.0, 2.0]
    }
    loop {
        s += keep(t)
        break
    }
    s
}
",
    ));
}

#[test]
fn arguments_are_evaluated_in_order() {
    expect![[r#"
        |     both(a, &b, a.sum()) + both(c: b.sum(), b: &c, a: b)
                          ^ E0501: use of moved value: `a` | fix: move a copy: `.clone()`
                   ^ - `a` is moved here
    "#]].assert_eq(&findings(
        "func both(a: Tensor<f32, [2]>, b: &Tensor<f32, [2]>, c: f32) -> f32 { a.sum() + b.sum() + c }
func f(a: Tensor<f32, [2]>, b: Tensor<f32, [2]>, c: Tensor<f32, [2]>) -> f32 {
    both(a, &b, a.sum()) + both(c: b.sum(), b: &c, a: b)
}
",
    ));
}

#[test]
fn nothing_moves_out_of_a_borrow() {
    let text = "func f(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, [2]> {
    val a = *x
    val b = *w * 2.0
    b + w * w + x
}
";
    expect![[r#"
        |     val a = *x
                      ^^ E0504: cannot move out of `x`, which is only borrowed | fix: take a copy: `x.clone()`
        |     val b = *w * 2.0
                      ^^ E0504: cannot move out of `w`, which is only borrowed | fix: read through `w`
    "#]].assert_eq(&findings(text));
    expect![[r#"
        func f(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, [2]> {
            val a = x.clone()
            val b = w * 2.0
            b + w * w + x
        }
    "#]]
    .assert_eq(&fixed(text));
}

#[test]
fn a_loss_that_was_given_away_has_no_backward() {
    expect![[r#"
        |     val other = l
                          ^ - `l` is moved here
        |     l.backward()
              ^ E0501: use of moved value: `l` | fix: move a copy: `.clone()`
    "#]]
    .assert_eq(&findings(
        "@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
func f(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> {
    val l = loss(w)
    val other = l
    l.backward()
    other
}
",
    ));
}

#[test]
fn a_type_inside_of_itself_moves_if_what_is_in_it_moves() {
    expect![[r#"
        |     eat(s)
                  ^ - `s` is moved here
        |     eat(s)
                  ^ E0501: use of moved value: `s`
        |     keep(k)
                   ^ - `k` is moved here
        |     keep(k)
                   ^ E0501: use of moved value: `k`
    "#]]
    .assert_eq(&findings(
        "func eat(s: Option<Option<string>>) { }
func keep(s: Option<(i32, Option<string>)>) { }
func count(n: Option<Option<i32>>) { }
func f(s: Option<Option<string>>, k: Option<(i32, Option<string>)>, n: Option<Option<i32>>) {
    eat(s)
    eat(s)
    keep(k)
    keep(k)
    count(n)
    count(n)
}
",
    ));
}
