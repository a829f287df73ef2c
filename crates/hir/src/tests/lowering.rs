//! Bodies as they are lowered.

use expect_test::{Expect, expect};
use text_size::TextSize;

use super::{database, function, print::print};
use crate::{Expr, body, const_body, file_items, function_at, resolve, source_map};

fn check(text: &str, expected: Expect) {
    let (db, file) = database(text);
    let mut out = String::new();
    for function in file_items(&db, file).functions() {
        out += &format!("{} {}", function.name(&db), print(body(&db, function)));
    }
    for constant in file_items(&db, file).consts() {
        out += &format!("{} {}", constant.name(&db), print(const_body(&db, constant)));
    }
    expected.assert_eq(&out);
}

#[test]
fn expressions() {
    check(
        r#"
const HALF: f32 = -(1.5e1_0f32 + 2.0)
func mix(a: f64, at b: &mut Tensor<f64, [2]>) -> f64 {
    b[1] -= HALF * a as f64 + b.grad().sum()
    if a < 1.0 && !(a == 0.5) { return -a } else if true { mix(a, at: &mut *b) } else { 0x1F_u8 }
}
func make() {
    val t = Tensor::<f32, [rows: 2, N]>::zeros() @ Tensor::ones()
    t[0, 1].to_checked::<i32>(axis: 3)
    println("a\t{t[0, 0] + 1.0:.3} of \{{'x'}\}")
}
"#,
        expect![[r#"
            mix |a#0, b#1| {
                b#1[1] Sub= ((`HALF` Mul (a#0 as f64)) Add b#1.grad().sum());
                if ((a#0 Lt 1.0) And Not((a#0 Eq 0.5))) {
                    return Neg(a#0)
                } else if true {
                    `mix`(a#0, at: &mut *b#1)
                } else {
                    31u8
                }
            }
            make || {
                val t#0 = (`Tensor<f32, [rows: 2, N]>::zeros`() MatMul `Tensor::ones`())
                t#0[0, 1].to_checked::<i32>(axis: 3);
                println!(text("a\t", (t#0[0, 0] Add 1.0) formatted .3, " of {", 'x', "}"))
            }
            HALF || Neg((1.5e10f32 Add 2.0))
        "#]],
    );
}

#[test]
fn later_names_shadow_earlier_ones() {
    check(
        r#"
func shadow(x: i32) -> i32 {
    val y = x
    val x = x as f32
    val z = {
        val x = x
        x + y
    }
    for x in 0..x { print("{x}") }
    val _ = x
    x + z + late
}
"#,
        expect![[r#"
            shadow |x#0| {
                val y#1 = x#0
                val x#2 = (x#0 as f32)
                val z#4 = {
                    val x#3 = x#2
                    (x#3 Add y#1)
                }
                for x#5 in 0..x#2 {
                    print!(text(x#5))
                };
                val _#6 = x#2
                ((x#2 Add z#4) Add `late`)
            }
        "#]],
    );
}

#[test]
fn own_functions_come_before_those_of_the_language() {
    check(
        r#"
func print(x: i32) { assert(x > 0) }
func use_both(panic: i32) { print(1)
    println(panic)
    panic(2)
}
"#,
        expect![[r#"
            print |x#0| {
                assert!((x#0 Gt 0))
            }
            use_both |panic#0| {
                `print`(1);
                println!(panic#0);
                panic#0(2)
            }
        "#]],
    );
}

#[test]
fn loops() {
    check(
        r#"
func walk(n: u64) {
    outer: for i in (0..=n).rev().step(2) {
        mut k = i
        while k > 0 { k = k - 1
            if k == 3 { continue outer }
        }
        again: loop { break again }
    }
    for _ in 0..n { pool scratch { walk(n) } }
}
"#,
        expect![[r#"
            walk |n#0| {
                outer: for i#1 in 0..=n#0 reversed step 2 {
                    mut k#2 = i#1
                    while (k#2 Gt 0) {
                        k#2 = (k#2 Sub 1);
                        if (k#2 Eq 3) {
                            continue outer
                        }
                    };
                    again: loop {
                        break again
                    }
                };
                for _#3 in 0..n#0 {
                    pool scratch: {
                        `walk`(n#0)
                    };
                }
            }
        "#]],
    );
}

#[test]
fn what_is_cut_off_is_missing() {
    check(
        "func cut(x: i32) -> i32 {\n    val y = x +\n    val = 3\n    if x < {\n",
        expect![[r#"
            cut |x#0| {
                val y#1 = (x#0 Add <missing>)
                val #2 = 3
                if (x#0 Lt <missing>) {
                }
            }
        "#]],
    );
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let mut text = String::from("func long() -> i32 {\n    1");
    text += &" + 1".repeat(4_000);
    text += "\n}\n";
    let (db, file) = database(&text);
    let long = function(&db, file, "long");
    let sums = body(&db, long).exprs.iter().filter(|(_, e)| matches!(e, Expr::Binary { .. }));
    assert_eq!(sums.count(), 4_000);
}

#[test]
fn places_lead_to_expressions_and_back() {
    let text = "\n// note\nfunc first() {}\n\nfunc second(w: &Tensor<f32, [2]>) -> f32 {\n    val twice = w.sum() * 2.0\n    helper(twice)[0]\n}\n";
    let (db, file) = database(text);
    let at = |needle: &str| {
        let offset = TextSize::try_from(text.find(needle).unwrap_or_default()).unwrap_or_default();
        let (function, inside) = function_at(&db, file, offset).expect("inside a function");
        let map = source_map(&db, function);
        let start = offset - inside;
        let words = |range: text_size::TextRange| &text[range + start];
        match (map.local_at(inside), map.expr_at(inside)) {
            (Some(local), _) => {
                format!("{} : {}", words(map.local(local)), words(map.local_type(local)))
            }
            (None, Some(expr)) => format!("{} / {}", words(map.head(expr)), words(map.expr(expr))),
            (None, None) => String::new(),
        }
    };
    assert_eq!(at("w: &"), "w : &Tensor<f32, [2]>");
    assert_eq!(at("twice ="), "twice : twice");
    assert_eq!(at("w.sum"), "w / w");
    assert_eq!(at(".sum"), "sum / w.sum()");
    assert_eq!(at("sum"), "sum / w.sum()");
    assert_eq!(at("* 2.0"), "* / w.sum() * 2.0");
    assert_eq!(at("helper"), "helper / helper");
    assert_eq!(at("[0]"), "[0] / helper(twice)[0]");
    assert!(function_at(&db, file, TextSize::new(0)).is_none());
    assert!(resolve(&db, file, "third").is_none());
}

#[test]
fn patterns_bind_where_they_stand() {
    check(
        r#"
func take(pair: (i32, (bool, f64)), xs: [i32; 4], p: Point) -> i32 {
    val (a, (_, b)) = pair
    mut [first, second, ..rest] = xs
    val Point { x, y: [_, depth] } = p
    val _ = b
    val Some(n) = find(a) else |why| {
        val n = a
        return n
    }
    val E::Empty = kind(n) else { return 0 }
    match n {
        0 | 1 => first
        -3..=-1 | 'a' => { second }
        m if m > a => m
        Shape::Line(from, _) => from
        Shape::Dot { at, .. } => at
        Shape::None => return 1
        true => break
        2.5 => 0
        _ => n
    }
}
"#,
        expect![[r#"
            take |pair#0, xs#1, p#2| {
                val (a#3, (_, b#4)) = pair#0
                val [first#5, second#6, ..rest#7] = xs#1
                val Point { x: x#8, y: [_, depth#9] } = p#2
                val _#10 = b#4
                val Some(n#11) = `find`(a#3) else |why#12| {
                    val n#13 = a#3
                    return n#13
                }
                val `E::Empty` = `kind`(n#11) else {
                    return 0
                }
                match n#11 {
                    0 | 1 => first#5
                    -3..=-1 | 'a' => {
                        second#6
                    }
                    m#14 if (m#14 Gt a#3) => m#14
                    Shape::Line(from#15, _) => from#15
                    Shape::Dot { at: at#16, .. } => at#16
                    `Shape::None` => return 1
                    true => break
                    2.5 => 0
                    _ => n#11
                }
            }
        "#]],
    );
}

#[test]
fn closures_capture_what_stands_outside() {
    check(
        r#"
func adders(k: i32, xs: [i32; 2]) -> i32 {
    const BASE: i32 = 3
    mut sum = 0
    val add = move |a: i32, _: bool| -> i32 { a + k + BASE }
    val nested = |a| {
        val inner = sum
        (|b: i32| a + b + inner + k)(1)
    }
    val none = || 0
    for x in xs.map(|v: i32| v * k).filter(|v: i32| v > x).enumerate() { sum += x }
    xs |> add |> p.go |> (|v: i32| v) ?? none() ?? (first >> second >> third)(1)
}
"#,
        expect![[r#"
            adders |k#0, xs#1| {
                const BASE#2: i32 = 3
                mut sum#3 = 0
                val add#6 = move [k#0] |a#4: i32, _#5: bool| -> i32 {
                    ((a#4 Add k#0) Add BASE#2)
                }
                val nested#10 = [k#0, sum#3] |a#7| {
                    val inner#8 = sum#3
                    [k#0, a#7, inner#8] |b#9: i32| (((a#7 Add b#9) Add inner#8) Add k#0)(1)
                }
                val none#11 = [] || 0
                for x#14 in xs#1 map [k#0] |v#12: i32| (v#12 Mul k#0) filter [] |v#13: i32| (v#13 Gt `x`) counted {
                    sum#3 Add= x#14;
                };
                (((xs#1 |> add#6) |> `p`.go) |> ([] |v#15: i32| v#15 ?? (none#11() ?? ((`first` >> `second`) >> `third`)(1))))
            }
        "#]],
    );
}

#[test]
fn every_other_construct_keeps_its_parts() {
    check(
        r#"
func parts(n: u64) -> i32 {
    const N: u64 = 2
    val t: Tensor<f32, [N, M]> = make::<N, M, -3, [N, rows: 4, ?], &[i32]>()
    val p = Point { x: 1, y, ..other::Point { x: 2 }.with(y: 3) }
    val q = Map::<i32, (i32) -> bool>::new().get(0)?.0.value as u8
    val s = t[1..2, .., ..=n, [0, 2]].slice(a..b)
    for (i, c) in text.char_indices() { }
    for (i, x) in (0..n).rev().step(2).map(f).enumerate() { }
    for x in list.walk().step(2) { }
    val top = search: loop { break search (1, 2) }
    outside: while true { break outside }
    unsafe { f(dyn_value as &dyn Shape<Item = i32>) }
}
"#,
        expect![[r#"
            parts |n#0| {
                const N#1: u64 = 2
                val t#2: Tensor<f32, [#1, M]> = `make<#1, M, -3, [#1, rows: 4, ?], &[i32]>`()
                val p#3 = `Point` { x: 1, y: `y`, ..`other::Point` { x: 2 }.with(y: 3) }
                val q#4 = (`Map<i32, (i32) -> bool>::new`().get(0)?.0.value as u8)
                val s#5 = t#2[1..2, .., ..=n#0, [0, 2]].slice((`a`..`b`))
                for (i#6, c#7) in `text`.char_indices() {
                };
                for (i#8, x#9) in 0..n#0 reversed step 2 map `f` counted {
                };
                for x#10 in `list`.walk().step(2) {
                };
                val top#11 = search: loop {
                    break search (1, 2)
                }
                outside: while true {
                    break outside
                };
                {
                    `f`((`dyn_value` as &dyn Shape<Item = i32>))
                }
            }
        "#]],
    );
}
