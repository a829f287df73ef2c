//! Tests of pools.

use expect_test::expect;

use super::{findings, fixed};

#[test]
fn what_a_pool_allocated_stays_in_it() {
    let text = "func pass(t: Tensor<f32, [2]>) -> Tensor<f32, [2]> { t }
func keep(into: &mut Tensor<f32, [2]>, t: Tensor<f32, [2]>) { into = t }
func f(w: &Tensor<f32, [2]>) -> f32 {
    mut best: Tensor<f32, [2]> = [0.0, 0.0]
    pool step {
        val t = w + 1.0
        best = t
    }
    pool {
        val t = w + 1.0
        best = pass(t)
    }
    best.sum()
}
";
    let text = text.replace("{ into = t }", "{ *into = t }");
    expect![[r#"
        |     pool step {
              ^^^^ - what it allocates is released at its closing brace
        |         best = t
                         ^ E0520: `t` was allocated by the pool `step` and outlives it here | fix: store a copy, which is ordinary memory: `.clone()`
        |     pool {
              ^^^^ - what it allocates is released at its closing brace
        |         best = pass(t)
                              ^ E0520: `t` was allocated by the pool and outlives it here | fix: store a copy, which is ordinary memory: `.clone()`
    "#]].assert_eq(&findings(&text));
    expect![[r#"
        func pass(t: Tensor<f32, [2]>) -> Tensor<f32, [2]> { t }
        func keep(into: &mut Tensor<f32, [2]>, t: Tensor<f32, [2]>) { *into = t }
        func f(w: &Tensor<f32, [2]>) -> f32 {
            mut best: Tensor<f32, [2]> = [0.0, 0.0]
            pool step {
                val t = w + 1.0
                best = t.clone()
            }
            pool {
                val t = w + 1.0
                best = pass(t.clone())
            }
            best.sum()
        }
    "#]]
    .assert_eq(&fixed(&text));
}

#[test]
fn a_value_built_by_the_storing_statement_may_leave() {
    let text = findings(
        "func pass(t: Tensor<f32, [2]>) -> Tensor<f32, [2]> { t }
func f(w: &Tensor<f32, [2]>, n: i32) -> f32 {
    mut best: Tensor<f32, [2]> = [0.0, 0.0]
    mut most = 0.0f32
    pool {
        val t = w + 1.0
        best = &t * 2.0
        best = t.clone()
        best = if n > 1 { w * w } else { pass(w + w) }
        most = t.sum()
        pool {
            val inner = &t * 2.0
            val moved = inner
            most += moved.sum()
        }
    }
    best.sum() + most
}
",
    );
    assert_eq!(text, "");
}

#[test]
fn a_callee_may_not_keep_what_ends() {
    expect![[r#"
        |     pool {
              ^^^^ - what it allocates is released at its closing brace
              ^^^^ - what it allocates is released at its closing brace
        |         keep(&mut best, t)
                                  ^ E0520: `t` was allocated by the pool and outlives it if `keep` keeps it
        |         keep(w, v)
                          ^ E0520: `v` was allocated by the pool and outlives it if `keep` keeps it
    "#]].assert_eq(&findings(
        "func keep(into: &mut Tensor<f32, [2]>, t: Tensor<f32, [2]>) { *into = t }
func f(w: &mut Tensor<f32, [2]>) {
    mut best: Tensor<f32, [2]> = [0.0, 0.0]
    pool {
        val t = w + 1.0
        keep(&mut best, t)
        mut inside: Tensor<f32, [2]> = [0.0, 0.0]
        val u = w + 1.0
        keep(&mut inside, u)
        val v = w + 1.0
        keep(w, v)
    }
}
",
    ));
}

#[test]
fn control_leaves_a_pool_at_its_brace() {
    expect![[r#"
        |         pool one {
                  ^^^^ - a pool is left at its closing brace only
                  ^^^^ - a pool is left at its closing brace only
                  ^^^^ - a pool is left at its closing brace only
        |             if i == 3 { continue }
                                  ^^^^^^^^ E0520: `continue` may not leave the pool `one`
        |                 if j == 3 { break outer }
                                            ^^^^^ E0520: `break` may not leave the pool `one`
        |             return i
                      ^^^^^^ E0520: `return` may not leave the pool `one`
    "#]]
    .assert_eq(&findings(
        "func f(n: i32) -> i32 {
    outer: for i in 0..n {
        pool one {
            if i == 3 { continue }
            for j in 0..i {
                if j == 1 { continue }
                if j == 2 { break }
                if j == 3 { break outer }
            }
            return i
        }
    }
    0
}
",
    ));
}
