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
                b#1[1] Sub= ((`HALF` Mul (a#0 as Name("f64"))) Add b#1.grad().sum());
                if ((a#0 Lt 1.0) And Not((a#0 Eq 0.5))) {
                    return Neg(a#0)
                } else if true {
                    `mix`(a#0, at: &mut *b#1)
                } else {
                    31u8
                }
            }
            make || {
                val t#0 = (<Tensor { elem: Name("f32"), dims: [DimRef { name: Some("rows"), extent: Known(2) }, DimRef { name: None, extent: Name("N") }] }>::zeros() MatMul Tensor::ones())
                t#0[0, 1].to_checked::[Name("i32")](axis: 3);
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
                val x#2 = (x#0 as Name("f32"))
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
