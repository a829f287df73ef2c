//! Graphs that run: ranges, evaluation order, and that nothing leaks on any path.

use neuro_db::RootDatabase;
use neuro_num::{DType, Scalar};

use super::machine::{End, Machine};
use super::{assert_typed, functions};
use crate::{body, diagnostics};

/// Runs the last function of a program.
fn run(text: &str, numbers: &[Scalar], seed: u64) -> (End, String) {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", text);
    let functions = functions(&db, file);
    let function = functions[functions.len() - 1];
    assert_typed(&db, function);
    let mut machine = Machine::new(body(&db, function), seed);
    let end = machine.run(numbers, 20_000);
    (end, machine.output)
}

/// What a range gives: the values of the walk, or a panic.
fn walked(start: i128, end: i128, inclusive: bool, reversed: bool, step: i128) -> Vec<i128> {
    let last = if inclusive { end } else { end - 1 };
    let mut all: Vec<i128> = (start..=last).collect();
    if reversed {
        all.reverse();
    }
    all.into_iter().step_by(step as usize).collect()
}

fn check_ranges(dtype: DType, values: &[i128], steps: &[i128]) {
    for (inclusive, reversed, stepped) in
        (0..8).map(|bits| (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4))
    {
        let dots = if inclusive { "..=" } else { ".." };
        let rev = if reversed { ".rev()" } else { "" };
        let step = if stepped { ".step(s)" } else { "" };
        let name = dtype.name();
        let text = format!(
            "func f(a: {name}, b: {name}, s: {name}) {{
    for i in (a{dots}b){rev}{step} {{ print(\"{{i}} \") }}
}}
"
        );
        let mut db = RootDatabase::default();
        let file = db.set_text("main.nr", &text);
        let function = functions(&db, file)[0];
        assert_typed(&db, function);
        let graph = body(&db, function);
        for (start, end) in
            values.iter().flat_map(|start| values.iter().map(move |end| (*start, *end)))
        {
            for step in if stepped { steps } else { &[1] } {
                let numbers: Vec<Scalar> =
                    [start, end, *step].iter().filter_map(|n| Scalar::int(dtype, *n)).collect();
                let mut machine = Machine::new(graph, 1);
                let ended = machine.run(&numbers, 20_000);
                let expected: Vec<String> = walked(start, end, inclusive, reversed, *step)
                    .iter()
                    .map(|value| format!("{value} "))
                    .collect();
                let what = format!("{start}{dots}{end}{rev}{step} of {name}");
                assert_eq!((ended, machine.output), (End::Returned, expected.concat()), "{what}");
            }
        }
    }
}

#[test]
fn ranges_never_pass_their_bounds() {
    check_ranges(DType::I8, &[-128, -127, -100, -1, 0, 1, 7, 126, 127], &[1, 2, 3, 100, 127]);
    check_ranges(DType::U8, &[0, 1, 2, 100, 254, 255], &[1, 2, 3, 100, 255]);
}

#[test]
fn a_stride_that_is_not_positive_panics() {
    let text = "func f(s: i32) { for i in (0..3).step(s) { print(\"{i}\") } }\n";
    for stride in [0, -1] {
        let given = Scalar::wrap(DType::I32, stride);
        let (end, output) = run(text, &[given], 1);
        assert_eq!(end, End::Panicked("range step must be positive".to_owned()));
        assert_eq!(output, "");
    }
}

#[test]
fn operands_and_arguments_are_evaluated_from_left_to_right() {
    let text = "func f() {
    mut x = 1
    val a = x + { x = 10
        x } * { x += 1
        x }
    println(\"{a} {x}\")
    val b = x > 5 || { x = 0
        true }
    val c = x < 5 && { x = 0
        true }
    println(\"{b} {c} {x}\")
    x = 7
    mut t = 0
    for i in 0..x { x = 2
        t += i }
    println(\"{t} {x}\")
    outer: while true {
        for i in 0..10 {
            if i == 2 { continue }
            if i == 4 { continue outer }
            t += 1
            if t > 30 { break outer }
        }
    }
    println(\"{t}\")
}
";
    let (end, output) = run(text, &[], 1);
    assert_eq!(end, End::Returned);
    assert_eq!(output, "111 11\ntrue false 11\n21 2\n31\n");
}

const OWNERS: &str = "@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>, k: f32) -> Tensor<f32, []> {
    val d = w * x - y
    Tensor::scalar(d.sum() * k)
}
func pass(t: Tensor<f32, [2]>) -> Tensor<f32, [2]> { t }
func choose(a: &Tensor<f32, [2]>, b: &Tensor<f32, [2]>) -> &Tensor<f32, [2]> { if a[0] > b[0] { a } else { b } }
func run(w: &mut Tensor<f32, [2]>, given: Tensor<f32, [2]>, n: i32) -> Tensor<f32, [2]> {
    mut x: Tensor<f32, [2]> = [1.0, 2.0]
    mut best = given
    mut s = 0.0f32
    outer: loop {
        val spare = &x + 1.0
        if s > 2.0 { return if s > 3.0 { spare } else { best } }
        pool {
            val l = loss(w, &x, spare.clone(), s)
            x = &x * 0.5
            val picked = choose(&x, &best)
            s += picked.sum() + l.item()
            l.backward()
            w -= 0.1 * w.grad()
            best = if s < 0.0 { pass(spare) } else { pass(&x * &x) }
        }
        for i in (0..n).rev() {
            val l = loss(w, &best, pass(x.clone()), s)
            if l.item() > 3.0 { continue outer }
            if l.item() < -3.0 { break }
            best = pass(best) + x.clone()
            if l.item() > 1.0 { break outer }
            l.backward()
        }
        s += pass(pass(x.clone()) + { val t = best.clone()
            t }).sum()
        if (x.clone() * best.clone()).sum() > 2.0 && pass(x.clone())[0] > 0.0 { break }
    }
    best = best * 2.0
    best
}
";

#[test]
fn nothing_leaks_on_any_path() {
    let mut db = RootDatabase::default();
    let file = db.set_text("main.nr", OWNERS);
    let functions = functions(&db, file);
    let function = functions[functions.len() - 1];
    assert_typed(&db, function);
    let found: Vec<&str> =
        diagnostics(&db, function).iter().map(|found| found.message.as_str()).collect();
    assert!(found.is_empty(), "{found:?}");
    let mut returned = 0;
    for seed in 0..500 {
        let mut machine = Machine::new(body(&db, function), seed * 7919 + 1);
        let count = Scalar::wrap(DType::I32, i128::from(seed % 4));
        returned += usize::from(machine.run(&[count], 20_000) == End::Returned);
    }
    assert!(returned > 450, "only {returned} runs returned");
}
