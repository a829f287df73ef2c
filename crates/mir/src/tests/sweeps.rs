//! Tests of the pairs of calls and `.backward()`.

use expect_test::expect;

use super::graph;

/// A loss with a constant of each kind.
const LOSS: &str = "@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>, k: f32) -> Tensor<f32, []> {
    val d = w * x - y
    Tensor::scalar(d.sum() * k)
}
";

fn step(body: &str) -> String {
    graph(&format!("{LOSS}{body}"))
}

#[test]
fn untouched_constants_are_read_in_place() {
    let text = step(
        "func step(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>) {
    val z: Tensor<f32, [2]> = [1.0, 2.0]
    val l = loss(w, x, y, 0.5)
    l.backward()
    val m = loss(w, &z, z.clone(), l.item())
    println(\"{z[0]} {m.item()}\")
    m.backward()
}
",
    );
    expect![[r#"
        fn(_0, _1, _2)
          let _0: &mut Tensor<f32, [2]> = w
          let _1: &Tensor<f32, [2]> = x
          let _2: Tensor<f32, [2]> = y
          let _3: Tensor<f32, [2]> = z
          let _4: &mut Tensor<f32, [2]>
          let _5: &Tensor<f32, [2]>
          let _6: Tensor<f32, [2]>
          let _7: Tensor<f32, []> = l
          let _8: residuals of sweep0
          let _9: &mut Tensor<f32, [2]>
          let _10: &Tensor<f32, [2]>
          let _11: Tensor<f32, [2]>
          let _12: f32
          let _13: Tensor<f32, []> = m
          let _14: residuals of sweep1
          let _15: f32
          let _16: f32
          sweep0: _7 = loss(_4, _5, _6, 0.5f32), _8
          sweep1: _13 = loss(_9, _10, _11, _12), _14
        bb0:
          _3 = pack(1.0f32, 2.0f32)
          _4 = &mut *_0
          _5 = &*_1
          _6 = move _2
          forward sweep0
          backward sweep0
          _9 = &mut *_0
          _10 = &_3
          _11 = clone(_3)
          _12 = item(_7)
          forward sweep1
          _15 = element(_3, 0i32)
          _16 = item(_13)
          println _15 " " _16
          backward sweep1
          drop _13 (scope ends)
          drop _11 (scope ends)
          drop _7 (scope ends)
          drop _6 (scope ends)
          drop _3 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn constants_that_are_changed_before_the_backward_are_copied() {
    let text = step(
        "func step(n: i32) -> f32 {
    mut w: Tensor<f32, [2]> = [1.0, 2.0]
    mut x: Tensor<f32, [2]> = [3.0, 4.0]
    mut k = 2.0f32
    val l = loss(&mut w, &x, x.clone(), k)
    x[0] = 9.0
    k += 1.0
    l.backward()
    w.grad()[0] + x[0] + k
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: i32 = n
          let _1: f32
          let _2: Tensor<f32, [2]> = w
          let _3: Tensor<f32, [2]> = x
          let _4: f32 = k
          let _5: &mut Tensor<f32, [2]>
          let _6: Tensor<f32, [2]>
          let _7: &Tensor<f32, [2]>
          let _8: Tensor<f32, [2]>
          let _9: f32
          let _10: Tensor<f32, []> = l
          let _11: residuals of sweep0
          let _12: f32
          let _13: &Tensor<f32, [2]>
          let _14: f32
          let _15: f32
          sweep0: _10 = loss(_5, _7, _8, _9), _11
        bb0:
          _2 = pack(1.0f32, 2.0f32)
          _3 = pack(3.0f32, 4.0f32)
          _4 = 2.0f32
          _5 = &mut _2
          _6 = clone(_3)
          _7 = &_6
          _8 = clone(_3)
          _9 = _4
          forward sweep0
          _3[0i32] = 9.0f32
          _4 = add(_4, 1.0f32)
          backward sweep0
          _13 = grad _2
          _12 = element(*_13, 0i32)
          _14 = element(_3, 0i32)
          _15 = add(_12, _14)
          _1 = add(_15, _4)
          drop _10 (scope ends)
          drop _8 (scope ends)
          drop _6 (scope ends)
          drop _3 (scope ends)
          drop _2 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn constants_that_are_given_away_before_the_backward_are_copied() {
    let text = step(
        "func keep(t: Tensor<f32, [2]>) -> f32 { t.sum() }
func step(w: &mut Tensor<f32, [2]>) -> f32 {
    val x: Tensor<f32, [2]> = [3.0, 4.0]
    val l = loss(w, &x, Tensor::ones(), 1.0)
    val given = keep(x)
    l.backward()
    given
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: &mut Tensor<f32, [2]> = w
          let _1: f32
          let _2: Tensor<f32, [2]> = x
          let _3: &mut Tensor<f32, [2]>
          let _4: Tensor<f32, [2]>
          let _5: &Tensor<f32, [2]>
          let _6: Tensor<f32, [2]>
          let _7: Tensor<f32, []> = l
          let _8: residuals of sweep0
          let _9: f32 = given
          let _10: Tensor<f32, [2]>
          sweep0: _7 = loss(_3, _5, _6, 1.0f32), _8
        bb0:
          _2 = pack(3.0f32, 4.0f32)
          _3 = &mut *_0
          _4 = clone(_2)
          _5 = &_4
          _6 = fill(1.0f32)
          forward sweep0
          _10 = move _2
          _9 = call keep(move _10)
          backward sweep0
          _1 = _9
          drop _7 (scope ends)
          drop _6 (scope ends)
          drop _4 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_constant_behind_a_name_is_copied_when_anything_like_it_changes() {
    let text = step(
        "func step(w: &mut Tensor<f32, [2]>) {
    mut x: Tensor<f32, [2]> = [3.0, 4.0]
    val r = &x
    val l = loss(w, r, Tensor::zeros(), 1.0)
    x *= 2.0
    l.backward()
}
",
    );
    expect![[r#"
        fn(_0)
          let _0: &mut Tensor<f32, [2]> = w
          let _1: Tensor<f32, [2]> = x
          let _2: &Tensor<f32, [2]> = r
          let _3: &mut Tensor<f32, [2]>
          let _4: Tensor<f32, [2]>
          let _5: &Tensor<f32, [2]>
          let _6: Tensor<f32, [2]>
          let _7: Tensor<f32, []> = l
          let _8: residuals of sweep0
          sweep0: _7 = loss(_3, _5, _6, 1.0f32), _8
        bb0:
          _1 = pack(3.0f32, 4.0f32)
          _2 = &_1
          _3 = &mut *_0
          _4 = clone(*_2)
          _5 = &_4
          _6 = fill(0.0f32)
          forward sweep0
          _1 *= 2.0f32
          backward sweep0
          drop _7 (scope ends)
          drop _6 (scope ends)
          drop _4 (scope ends)
          drop _1 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_path_that_never_gets_to_the_backward_releases_the_residuals() {
    let text = step(
        "func step(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> f32 {
    mut i = 0
    while i < 3 {
        val l = loss(w, x, Tensor::zeros(), 1.0)
        if l.item() > 100.0 { return 0.0 }
        l.backward()
        w -= 0.1 * w.grad()
        i += 1
    }
    1.0
}
",
    );
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: &mut Tensor<f32, [2]> = w
          let _1: &Tensor<f32, [2]> = x
          let _2: f32
          let _3: i32 = i
          let _4: bool
          let _5: &mut Tensor<f32, [2]>
          let _6: &Tensor<f32, [2]>
          let _7: Tensor<f32, [2]>
          let _8: Tensor<f32, []> = l
          let _9: residuals of sweep0
          let _10: bool
          let _11: f32
          let _12: Tensor<f32, [2]>
          let _13: &Tensor<f32, [2]>
          sweep0: _8 = loss(_5, _6, _7, 1.0f32), _9
        bb0:
          _3 = 0i32
          goto bb1
        bb1: loop, exit bb2
          _4 = lt(_3, 3i32)
          if _4 goto bb3 else bb2
        bb2:
          _2 = 1.0f32
          return
        bb3:
          _5 = &mut *_0
          _6 = &*_1
          _7 = fill(0.0f32)
          forward sweep0
          _11 = item(_8)
          _10 = gt(_11, 100.0f32)
          if _10 goto bb4 else bb5
        bb4:
          _2 = 0.0f32
          drop _9 (scope ends)
          drop _8 (scope ends)
          drop _7 (scope ends)
          return
        bb5:
          backward sweep0
          _13 = grad *_0
          _12 = mul(0.1f32, *_13)
          *_0 -= _12
          drop _12 (temporary)
          _3 = add(_3, 1i32)
          drop _8 (scope ends)
          drop _7 (scope ends)
          goto bb1
    "#]]
    .assert_eq(&text);
}

#[test]
fn without_a_backward_it_is_a_call() {
    let text = step(
        "func value(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> f32 {
    val l = loss(w, x, x.clone(), 1.0)
    l.item() + loss(w, x, Tensor::ones(), 2.0).item()
}
",
    );
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: &mut Tensor<f32, [2]> = w
          let _1: &Tensor<f32, [2]> = x
          let _2: f32
          let _3: Tensor<f32, []> = l
          let _4: &mut Tensor<f32, [2]>
          let _5: Tensor<f32, [2]>
          let _6: f32
          let _7: f32
          let _8: Tensor<f32, []>
          let _9: &mut Tensor<f32, [2]>
          let _10: Tensor<f32, [2]>
        bb0:
          _4 = &mut *_0
          _5 = clone(*_1)
          _3 = call loss(_4, _1, move _5, 1.0f32)
          _6 = item(_3)
          _9 = &mut *_0
          _10 = fill(1.0f32)
          _8 = call loss(_9, _1, move _10, 2.0f32)
          _7 = item(_8)
          drop _8 (temporary)
          _2 = add(_6, _7)
          drop _3 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}
