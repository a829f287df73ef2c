//! Tests of the graphs that lowering makes.

use expect_test::expect;

use super::graph;

#[test]
fn operands_are_read_and_the_owned_ones_taken() {
    let text = graph(
        "func blend(a: Tensor<f32, [2]>, b: &Tensor<f32, [2]>, k: f32) -> Tensor<f32, [2]> {
    val scaled = a * k
    val shifted = scaled - b
    &shifted * &shifted
}
",
    );
    expect![[r#"
        fn(_0, _1, _2) -> _3
          let _0: Tensor<f32, [2]> = a
          let _1: &Tensor<f32, [2]> = b
          let _2: f32 = k
          let _3: Tensor<f32, [2]>
          let _4: Tensor<f32, [2]> = scaled
          let _5: Tensor<f32, [2]> = shifted
        bb0:
          _4 = mul(_0, _2)
          drop _0 (consumed)
          _5 = sub(_4, *_1)
          drop _4 (consumed)
          _3 = mul(_5, _5)
          drop _5 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn branches_meet_and_early_returns_do_not() {
    let text = graph(
        "func pick(n: i32, limit: i32) -> i32 {
    if n < 0 && limit > n {
        return 0
    }
    val rest = if n > limit { limit } else { n + 1 }
    rest * 2
}
",
    );
    expect![[r#"
        fn(_0, _1) -> _2
          let _0: i32 = n
          let _1: i32 = limit
          let _2: i32
          let _3: bool
          let _4: bool
          let _5: i32 = rest
          let _6: bool
        bb0:
          _4 = lt(_0, 0i32)
          if _4 goto bb1 else bb2, join bb3
        bb1:
          _3 = gt(_1, _0)
          goto bb3
        bb2:
          _3 = false
          goto bb3
        bb3:
          if _3 goto bb4 else bb5
        bb4:
          _2 = 0i32
          return
        bb5:
          _6 = gt(_0, _1)
          if _6 goto bb6 else bb7, join bb8
        bb6:
          _5 = _1
          goto bb8
        bb7:
          _5 = add(_0, 1i32)
          goto bb8
        bb8:
          _2 = mul(_5, 2i32)
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn loops_have_headers_and_drop_what_they_own() {
    let text = graph(
        "func shrink(start: Tensor<f64, [3]>) -> f64 {
    mut t = start
    mut rounds = 0
    outer: loop {
        val half = &t * 0.5
        if half.sum() < 1.0 {
            break outer
        }
        t = half
        rounds += 1
        if rounds == 7 { continue outer }
    }
    t.sum()
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: Tensor<f64, [3]> = start
          let _1: f64
          let _2: Tensor<f64, [3]> = t
          let _3: i32 = rounds
          let _4: Tensor<f64, [3]> = half
          let _5: bool
          let _6: f64
          let _7: Tensor<f64, [3]>
          let _8: bool
        bb0:
          _2 = move _0
          _3 = 0i32
          goto bb1
        bb1: loop, exit bb2
          _4 = mul(_2, 0.5f64)
          _6 = sum(_4)
          _5 = lt(_6, 1.0f64)
          if _5 goto bb3 else bb4
        bb2:
          _1 = sum(_2)
          drop _2 (scope ends)
          return
        bb3:
          drop _4 (scope ends)
          goto bb2
        bb4:
          _7 = move _4
          drop _2 (displaced)
          _2 = move _7
          _3 = add(_3, 1i32)
          _8 = eq(_3, 7i32)
          if _8 goto bb5 else bb6
        bb5:
          goto bb1
        bb6:
          goto bb1
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_counted_loop() {
    let text = graph(
        "func triangle(n: i32) -> i32 {
    mut total = 0
    for i in 0..n { total += i }
    total
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: i32 = n
          let _1: i32
          let _2: i32 = total
          let _3: i32
          let _4: bool
          let _5: i32 = i
        bb0:
          _2 = 0i32
          _3 = 0i32
          goto bb1
        bb1: loop, exit bb2, _5 in 0i32.._0 by 1i32
          _4 = lt(_3, _0)
          if _4 goto bb3 else bb2
        bb2:
          _1 = _2
          return
        bb3:
          _5 = _3
          _2 = add(_2, _5)
          goto bb4
        bb4:
          _3 = add(_3, 1i32)
          goto bb1
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_walk_backwards_in_steps_never_passes_its_bound() {
    let text = graph(
        "func walk(from: i8, to: i8, stride: i8) {
    for i in (from..=to).rev().step(stride) { println(\"{i:>4}\") }
}
",
    );
    expect![[r#"
        fn(_0, _1, _2)
          let _0: i8 = from
          let _1: i8 = to
          let _2: i8 = stride
          let _3: i8
          let _4: bool
          let _5: bool
          let _6: i8 = i
          let _7: bool
          let _8: i8
          let _9: i8
        bb0:
          _4 = gt(_2, 0i8)
          if _4 goto bb1 else bb2
        bb1:
          _5 = le(_0, _1)
          _3 = _1
          goto bb3
        bb2:
          panic "range step must be positive"
        bb3: loop, exit bb4, _6 in _0..=_1 reversed by _2
          if _5 goto bb5 else bb4
        bb4:
          return
        bb5:
          _6 = _3
          println _6
          goto bb6
        bb6:
          _7 = ge(_0, 0i8)
          if _7 goto bb7 else bb8, join bb9
        bb7:
          _8 = sub(_3, _0)
          _5 = ge(_8, _2)
          goto bb9
        bb8:
          _9 = add(_0, _2)
          _5 = le(_9, _3)
          goto bb9
        bb9:
          if _5 goto bb10 else bb11, join bb12
        bb10:
          _3 = sub(_3, _2)
          goto bb12
        bb11:
          goto bb12
        bb12:
          goto bb3
    "#]]
    .assert_eq(&text);
}

#[test]
fn stores_and_compound_assignment_evaluate_the_value_first() {
    let text = graph(
        "func adjust(w: &mut Tensor<f32, [2, 2]>, rate: f32) {
    w[0, 1] = rate
    w[1, 1] += 2.0
    w -= rate * w.grad()
    w.zero_grad()
}
",
    );
    expect![[r#"
        fn(_0, _1)
          let _0: &mut Tensor<f32, [2, 2]> = w
          let _1: f32 = rate
          let _2: f32
          let _3: f32
          let _4: Tensor<f32, [2, 2]>
          let _5: &Tensor<f32, [2, 2]>
        bb0:
          *_0[0i32, 1i32] = _1
          _2 = element(*_0, 1i32, 1i32)
          _3 = add(_2, 2.0f32)
          *_0[1i32, 1i32] = _3
          _5 = grad *_0
          _4 = mul(_1, *_5)
          *_0 -= _4
          drop _4 (temporary)
          zero_grad *_0
          return
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_new_value_is_complete_before_the_old_one_is_dropped() {
    let text = graph(
        "func settle(n: i32) -> Tensor<f32, [2]> {
    mut t: Tensor<f32, [2]> = [1.0, 2.0]
    mut i = n
    while i > 0 {
        t = &t + Tensor::<f32, [2]>::ones()
        i -= 1
    }
    t
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: i32 = n
          let _1: Tensor<f32, [2]>
          let _2: Tensor<f32, [2]> = t
          let _3: i32 = i
          let _4: bool
          let _5: Tensor<f32, [2]>
          let _6: Tensor<f32, [2]>
        bb0:
          _2 = pack(1.0f32, 2.0f32)
          _3 = _0
          goto bb1
        bb1: loop, exit bb2
          _4 = gt(_3, 0i32)
          if _4 goto bb3 else bb2
        bb2:
          _1 = move _2
          return
        bb3:
          _6 = fill(1.0f32)
          _5 = add(_2, _6)
          drop _6 (temporary)
          drop _2 (displaced)
          _2 = move _5
          _3 = sub(_3, 1i32)
          goto bb1
    "#]]
    .assert_eq(&text);
}

#[test]
fn calls_take_values_and_lend_references() {
    let text = graph(
        "func add(to total: &mut Tensor<f32, [2]>, part: Tensor<f32, [2]>, times: i32) {
    for i in 0..times { total += &part }
}
func run(w: &mut Tensor<f32, [2]>) -> f32 {
    val part: Tensor<f32, [2]> = [0.5, 0.25]
    add(times: 2, to: w, part: part)
    add(to: w, part: &w + 1.0, times: 1)
    assert(w[0] > 0.0)
    w.mean().sqrt()
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: &mut Tensor<f32, [2]> = w
          let _1: f32
          let _2: Tensor<f32, [2]> = part
          let _3: &mut Tensor<f32, [2]>
          let _4: Tensor<f32, [2]>
          let _5: &mut Tensor<f32, [2]>
          let _6: Tensor<f32, [2]>
          let _7: bool
          let _8: f32
          let _9: f32
        bb0:
          _2 = pack(0.5f32, 0.25f32)
          _3 = &mut *_0
          _4 = move _2
          call add(_3, move _4, 2i32)
          _5 = &mut *_0
          _6 = add(*_0, 1.0f32)
          call add(_5, move _6, 1i32)
          _8 = element(*_0, 0i32)
          _7 = gt(_8, 0.0f32)
          if _7 goto bb1 else bb2
        bb1:
          _9 = mean(*_0)
          _1 = sqrt(_9)
          return
        bb2:
          panic 
    "#]]
    .assert_eq(&text);
}

#[test]
fn pools_are_left_after_their_locals_are_dropped() {
    let text = graph(
        "func best(t: &Tensor<f32, [2]>) -> f32 {
    mut most = 0.0f32
    mut kept: Tensor<f32, [2]> = [0.0, 0.0]
    pool step {
        val d = t * t
        kept = &d + &d
        most = d.sum()
    }
    most + kept.sum()
}
",
    );
    expect![[r#"
        fn(_0) -> _1
          let _0: &Tensor<f32, [2]> = t
          let _1: f32
          let _2: f32 = most
          let _3: Tensor<f32, [2]> = kept
          let _4: Tensor<f32, [2]> = d in pool0
          let _5: Tensor<f32, [2]>
          let _6: f32
        bb0:
          _2 = 0.0f32
          _3 = pack(0.0f32, 0.0f32)
          enter pool0
          _4 = mul(*_0, *_0)
          _5 = add(_4, _4)
          drop _3 (displaced)
          _3 = move _5
          _2 = sum(_4)
          drop _4 (scope ends)
          exit pool0
          _6 = sum(_3)
          _1 = add(_2, _6)
          drop _3 (scope ends)
          return
    "#]]
    .assert_eq(&text);
}
