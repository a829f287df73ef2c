//! Loops: counted up and down, in steps, as long as the data say; left early, nested, in helpers; with carried
//! tensors, elements read and stored inside.

use crate::harness::{Case, Compiled, Float, Tolerance, check, check_program, first_difference};

/// A case for each way to write the head of a loop: the loop variables that it gives, by the bound `n`.
type Head = (&'static str, fn(i64) -> Vec<i64>);

#[test]
fn ranges_of_every_form() {
    let heads: [Head; 10] = [
        ("0..4", |_| (0..4).collect()),
        ("0..n", |n| (0..n).collect()),
        ("1..=n", |n| (1..=n).collect()),
        ("(0..n).rev()", |n| (0..n).rev().collect()),
        ("(-2..=n).rev()", |n| (-2..=n).rev().collect()),
        ("(0..n).step(2)", |n| (0..n).step_by(2).collect()),
        ("(-3..=n).step(3)", |n| (-3..=n).step_by(3).collect()),
        ("(0..n).rev().step(2)", |n| (0..n).rev().step_by(2).collect()),
        ("(0..n).step(k)", |n| (0..n).step_by(2).collect()),
        ("n..3", |n| (n..3).collect()),
    ];
    for (head, variables) in heads {
        for n in [5, 1] {
            let program = format!(
                "@grad
func loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {{
    val n: i64 = {n}
    val k: i64 = 2
    mut carried = x[0]
    mut sum = x[1] * x[1]
    for i in {head} {{
        carried = carried * x[1] + (i as T) * 0.1
        sum += carried * carried * ((i + 4) as T)
    }}
    Tensor::scalar(sum + carried)
}}"
            );
            let rule = move |x: &[Vec<f64>]| {
                let (a, b) = (x[0][0], x[0][1]);
                // The carried value with its slopes by `a` and `b`.
                let (mut c, mut ca, mut cb) = (a, 1.0, 0.0);
                let (mut by_a, mut by_b) = (0.0, 2.0 * b);
                for i in variables(n) {
                    cb = cb * b + c;
                    ca *= b;
                    c = c * b + i as f64 * 0.1;
                    by_a += 2.0 * c * ca * (i + 4) as f64;
                    by_b += 2.0 * c * cb * (i + 4) as f64;
                }
                vec![vec![by_a + ca, by_b + cb]]
            };
            for float in [Float::F32, Float::F64] {
                check_program(&program, &[(&[2], 0.4, 0.9)], &rule, float);
            }
        }
    }
}

#[test]
fn the_number_of_iterations_is_data() {
    for bound in ["3.0", "0.0", "17.0"] {
        let program = format!(
            "@grad
func loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {{
    mut y = x[0]
    mut steps = 0
    while y * y < {bound} && steps < 6 {{
        y = y * x[1] + 0.25
        steps += 1
    }}
    Tensor::scalar(y.sin() + y)
}}"
        );
        let bound: f64 = bound.parse().expect("a number");
        let rule = move |x: &[Vec<f64>]| {
            let (mut y, mut ya, mut yb, mut steps) = (x[0][0], 1.0, 0.0, 0);
            while y * y < bound && steps < 6 {
                (y, ya, yb) = (y * x[0][1] + 0.25, ya * x[0][1], yb * x[0][1] + y);
                steps += 1;
            }
            let slope = y.cos() + 1.0;
            vec![vec![slope * ya, slope * yb]]
        };
        for float in [Float::F32, Float::F64] {
            check_program(&program, &[(&[2], 1.1, 1.3)], &rule, float);
        }
    }
}

/// `break`, `continue` and `return` from every depth, each taken in one of the runs and not in another.
#[test]
fn loops_that_are_left_early() {
    let bodies = [
        "if i == LIMIT { break }
        y = y * x[0]",
        "if i == LIMIT { continue }
        y = y * x[0]",
        "if y > 1.0 && i > LIMIT { return Tensor::scalar(y * x[1]) }
        y = y * x[0]",
        "y = y * x[0]
        if i < LIMIT { continue }
        if i == 4 { break }
        y = y + x[1]",
        "if i < LIMIT {
            if i == 1 { continue }
            y = y + x[1]
        } else {
            y = y * x[1]
            if i == 4 { return Tensor::scalar(y) }
        }
        y = y * x[0]",
        "mut k = 0
        loop {
            k += 1
            if k > 3 { break }
            if k == LIMIT { continue }
            if k == 2 && i == LIMIT { break }
            y = y * x[0] + x[1] * 0.01
        }",
        "for k in 0..3 {
            if k == 1 && i == LIMIT { continue outer }
            if k == 2 && i == LIMIT + 1 { break outer }
            if k == 2 && i == LIMIT + 2 { return Tensor::scalar(y.sin()) }
            y = y * x[0] + x[1] * 0.01
        }
        y = y + x[1]",
        "while true {
            y = y * x[0]
            if y > 0.3 { break } else { y = y + x[1] }
            if i == LIMIT { return Tensor::scalar(y * y) }
        }",
    ];
    for body in bodies {
        for limit in [0, 1, 2, 9] {
            let program = format!(
                "@grad
func loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {{
    mut y = x[0] * 0.5
    outer: for i in 0..6 {{
        {}
    }}
    Tensor::scalar(y * x[0])
}}",
                body.replace("LIMIT", &limit.to_string())
            );
            against_differences(&program, &[(vec![2], vec![1.3, 0.7])]);
        }
    }
}

/// Gradients against central differences of the plain call, whose loss must be the same to the bit.
fn against_differences(program: &str, inputs: &[(Vec<u64>, Vec<f64>)]) -> Vec<Vec<f64>> {
    let shapes = inputs.iter().map(|(shape, _)| shape.clone()).collect();
    let inputs: Vec<Vec<f64>> = inputs.iter().map(|(_, data)| data.clone()).collect();
    let compiled = Compiled::new(program, Float::F64, shapes);
    let (loss, gradients) = compiled.gradients(&inputs);
    assert_eq!(loss.to_bits(), compiled.value(&inputs).to_bits(), "the losses differ\n{program}");
    let tolerance = Tolerance { relative: 1e-6, absolute: 1e-7 };
    let difference = first_difference(&gradients, &compiled.differences(&inputs), tolerance);
    assert_eq!(difference, None, "{program}");
    gradients
}

#[test]
fn endless_loops_left_by_break() {
    check(&Case {
        program: "@grad
func loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    mut power = x[0]
    mut rounds = 0
    loop {
        power *= x[1]
        rounds += 1
        if rounds == 3 { break }
    }
    Tensor::scalar(power)
}",
        inputs: &[(&[2], 0.5, 1.5)],
        rule: |x| {
            let (a, b) = (x[0][0], x[0][1]);
            vec![vec![b * b * b, 3.0 * a * b * b]]
        },
    });
}

#[test]
fn carried_tensors_with_products() {
    check(&Case {
        program: "@grad
func loss(w: &mut Tensor<T, [2, 2]>, x: &mut Tensor<T, [2, 1]>) -> Tensor<T, []> {
    mut state = x.clone()
    mut energy = 0.0 as T
    for _ in 0..3 {
        state = w @ &state
        energy += (&state * &state).sum()
    }
    Tensor::scalar(energy)
}",
        inputs: &[(&[2, 2], -1.0, 1.0), (&[2, 1], 0.5, 1.5)],
        rule: |x| {
            let (w, start) = (&x[0], &x[1]);
            let apply = |v: &[f64]| vec![w[0] * v[0] + w[1] * v[1], w[2] * v[0] + w[3] * v[1]];
            let mut states = vec![start.clone()];
            for _ in 0..3 {
                states.push(apply(&states[states.len() - 1]));
            }
            let mut adjoint = vec![0.0; 2];
            let mut by_w = vec![0.0; 4];
            for round in (1..4).rev() {
                let whole: Vec<f64> = (0..2).map(|i| adjoint[i] + 2.0 * states[round][i]).collect();
                for i in 0..2 {
                    for j in 0..2 {
                        by_w[2 * i + j] += whole[i] * states[round - 1][j];
                    }
                }
                adjoint = (0..2).map(|j| w[j] * whole[0] + w[2 + j] * whole[1]).collect();
            }
            vec![by_w, adjoint]
        },
    });
}

#[test]
fn updates_in_place_and_values_that_change_places() {
    let program = "@grad
func loss(x: &mut Tensor<T, [3]>, y: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    mut a = x.clone()
    mut b = y * 2.0
    for i in 0..5 {
        val next = &a * &b + 0.1
        a = b.clone()
        b = next
        b *= 0.9
        a += y
        if i == 3 { a = a.sin() }
    }
    Tensor::scalar((&a * &b).sum())
}";
    let inputs = [(vec![3], vec![0.3, -0.8, 0.5]), (vec![3], vec![0.9, 0.2, -0.4])];
    against_differences(program, &inputs);
}

/// Large enough that products are calls of a kernel, and sums have lanes.
#[test]
fn a_recurrent_network() {
    let program = "@grad
func loss(w: &mut Tensor<T, [16, 16]>, u: &mut Tensor<T, [16, 16]>, n: T) -> Tensor<T, []> {
    mut state = Tensor::<T, [16, 16]>::ones() * 0.1
    mut sum = 0.0 as T
    for t in 0..(n as i64) {
        state = (w @ &state + u * (t as T)).tanh()
        sum += state.mean()
    }
    Tensor::scalar(sum)
}";
    let entries = |seed: usize| -> Vec<f64> {
        (0..256).map(|i| ((i * 37 + seed) % 101) as f64 / 250.0 - 0.2).collect()
    };
    for n in [0.0, 1.0, 7.0] {
        let inputs = [(vec![16, 16], entries(3)), (vec![16, 16], entries(50)), (vec![], vec![n])];
        let gradients = against_differences(program, &inputs);
        assert_eq!(n == 0.0, gradients[0].iter().all(|entry| *entry == 0.0));
    }
}

#[test]
fn elements_read_and_stored() {
    check(&Case {
        program: "@grad
func loss(w: &mut Tensor<T, [2, 2]>, x: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    mut y = Tensor::<T, [2]>::zeros()
    for i in 0..2 {
        mut sum = 0.0 as T
        for k in 0..2 {
            sum += w[i, k] * x[k]
        }
        y[i] = sum
    }
    Tensor::scalar((&y * &y).sum())
}",
        inputs: &[(&[2, 2], -1.0, 1.0), (&[2], 0.5, 1.5)],
        rule: |x| {
            let (w, x) = (&x[0], &x[1]);
            let y = [w[0] * x[0] + w[1] * x[1], w[2] * x[0] + w[3] * x[1]];
            vec![
                (0..4).map(|at| 2.0 * y[at / 2] * x[at % 2]).collect(),
                (0..2).map(|k| 2.0 * (y[0] * w[k] + y[1] * w[2 + k])).collect(),
            ]
        },
    });
}

#[test]
fn a_recurrence_in_a_tensor() {
    let program = "@grad
func loss(x: &mut Tensor<T, [8]>) -> Tensor<T, []> {
    mut r = x.clone()
    for i in 2..8 {
        r[i] = r[i - 1] * r[i - 2] + r[i]
        if i == 5 { r[0] = r[i] }
        r[1] += r[i] * x[0]
    }
    val kept = r.clone()
    r[7] = 0.0
    Tensor::scalar((&r * &kept).sum() + r[1])
}";
    let entries = (0..8).map(|i| 0.9 - 0.15 * f64::from(i)).collect();
    against_differences(program, &[(vec![8], entries)]);
}

#[test]
fn helpers_with_loops_called_from_loops() {
    let program = "func power(x: T, n: i64) -> T {
    mut result = 1.0 as T
    for _ in 0..n { result *= x }
    result
}
func first_above(x: &Tensor<T, [4]>, limit: T) -> T {
    for i in 0..4 {
        if x[i] > limit { return x[i] * x[i] }
    }
    limit
}
func smoothed(x: &Tensor<T, [4]>, rounds: i64) -> Tensor<T, [4]> {
    mut out = x.clone()
    for _ in 0..rounds {
        mut next = out.clone()
        for i in 1..3 { next[i] = (out[i - 1] + out[i] + out[i + 1]) / 3.0 }
        out = next
    }
    out
}
@grad
func loss(x: &mut Tensor<T, [4]>) -> Tensor<T, []> {
    mut sum = 0.0 as T
    for n in 0i64..4 {
        val smooth = smoothed(x, n)
        sum += power(smooth[n], n) + first_above(&smooth, 0.55 * (n as T)).sin()
    }
    Tensor::scalar(sum)
}";
    against_differences(program, &[(vec![4], vec![0.3, 0.9, -0.5, 1.4])]);
}

#[test]
fn names_that_are_used_again() {
    check(&Case {
        program: "@grad
func loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val y = x[0]
    mut sum = 0.0 as T
    for i in 0..3 {
        val y = y * x[1] + (i as T)
        {
            val y = y * y
            sum += y
        }
        for i in 0..2 { sum += y * (i as T) }
    }
    Tensor::scalar(sum * y)
}",
        inputs: &[(&[2], 0.5, 1.5)],
        rule: |x| {
            let (a, b) = (x[0][0], x[0][1]);
            let (mut sum, mut by) = (0.0, 0.0);
            for i in 0..3 {
                let y = a * b + f64::from(i);
                sum += y * y + y;
                by += 2.0 * y + 1.0;
            }
            vec![vec![by * b * a + sum, by * a * a]]
        },
    });
}

/// The value was computed with 60 digits: gradients of a long chain of products.
#[test]
fn the_logistic_map() {
    let program = "@grad
func loss(p: &mut Tensor<T, [2]>, n: T) -> Tensor<T, []> {
    val r = p[0]
    mut x = p[1]
    mut sum = 0.0 as T
    for _ in 0..(n as i64) {
        x = r * x * (1.0 - x)
        sum += x * x
    }
    Tensor::scalar(sum / n)
}";
    let references: serde_json::Value =
        serde_json::from_str(include_str!("references/logistic.json")).expect("JSON");
    let compiled = Compiled::new(program, Float::F64, vec![vec![2], vec![]]);
    let tolerance = Tolerance { relative: 1e-11, absolute: 0.0 };
    for reference in references["results"].as_array().expect("a list") {
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        let steps = number(&reference["T"]);
        let (loss, gradients) = compiled.gradients(&[vec![3.2, 0.3], vec![steps]]);
        assert!(tolerance.holds(loss, number(&reference["value"])), "{loss} after {steps}");
        let expected = vec![number(&reference["grad"][0]), number(&reference["grad"][1])];
        assert_eq!(first_difference(&gradients, &[expected], tolerance), None, "{steps}");
    }
}

#[test]
fn a_pendulum_by_runge_kutta() {
    let program = "func slope(s: &Tensor<T, [2]>, p: &Tensor<T, [2]>) -> Tensor<T, [2]> {
    [s[1], -p[0] * s[1] - p[1] * s[0].sin()]
}
@grad
func loss(start: &mut Tensor<T, [2]>, p: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val h = 0.01 as T
    mut s = start.clone()
    mut sum = 0.0 as T
    for _ in 0..50 {
        val a = slope(&s, p)
        val second = &s + &a * (h / 2.0)
        val b = slope(&second, p)
        val third = &s + &b * (h / 2.0)
        val c = slope(&third, p)
        val fourth = &s + &c * h
        val d = slope(&fourth, p)
        s += (a + b * 2.0 + c * 2.0 + d) * (h / 6.0)
        sum += s[0] * s[0]
    }
    Tensor::scalar(sum * h)
}";
    let inputs = [(vec![2], vec![1.0, 0.0]), (vec![2], vec![0.05, 2.0])];
    against_differences(program, &inputs);
}

#[test]
fn special_points() {
    let cases: [(&str, Vec<f64>, Vec<f64>); 6] = [
        // A store that is overwritten gets nothing.
        (
            "mut y = Tensor::<T, [2]>::zeros()
    y[0] = x[0]
    y[0] = x[1]
    Tensor::scalar(3.0 * y[0] + 5.0 * y[1])",
            vec![1.0, 2.0],
            vec![0.0, 3.0],
        ),
        // The slope of an iteration depends on the variable.
        (
            "mut power = 1.0 as T
    for _ in 0..2 { power *= x[0] }
    Tensor::scalar(power + x[1])",
            vec![0.5, 0.0],
            vec![1.0, 1.0],
        ),
        (
            "mut power = 1.0 as T
    for _ in 0..3 { power *= x[0] }
    Tensor::scalar(power + x[1])",
            vec![0.5, 0.0],
            vec![0.75, 1.0],
        ),
        // A loop that never runs.
        (
            "mut power = x[1]
    for _ in 0..0 { power = power / x[0] }
    Tensor::scalar(power + x[0])",
            vec![0.0, 3.0],
            vec![1.0, 1.0],
        ),
        // The arm that an iteration does not take is absent.
        (
            "mut sum = 0.0 as T
    for i in 0..3 {
        sum += if x[0] < 1.0 { x[0] } else { (x[0] - x[0]).sqrt() }
    }
    Tensor::scalar(sum + x[1])",
            vec![0.0, 0.0],
            vec![3.0, 1.0],
        ),
        // A running product with a zero in it.
        (
            "mut product = 1.0 as T
    mut sum = 0.0 as T
    for i in 0..2 {
        product *= x[i]
        sum += product
    }
    Tensor::scalar(sum)",
            vec![0.0, 2.0],
            vec![3.0, 0.0],
        ),
    ];
    for (body, at, expected) in cases {
        let program =
            format!("@grad\nfunc loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {{\n    {body}\n}}");
        let compiled = Compiled::new(&program, Float::F64, vec![vec![2]]);
        assert_eq!(compiled.gradients(&[at]).1, [expected], "{program}");
    }
    // Replays use the index of their iteration.
    let program = "@grad
func loss(x: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val a = x.sum()
    mut state = Tensor::<T, [4]>::ones() * a
    mut sum = 0.0 as T
    for t in 1..=20 {
        state = &state * a + 0.1
        sum += (t as T) * state.sum()
    }
    Tensor::scalar(sum)
}";
    let compiled = Compiled::new(program, Float::F64, vec![vec![2]]);
    let (_, gradients) = compiled.gradients(&[vec![0.2, 0.3]]);
    let tolerance = Tolerance { relative: 1e-11, absolute: 0.0 };
    let expected = vec![vec![355.198_837_282_8; 2]];
    assert_eq!(first_difference(&gradients, &expected, tolerance), None);
}

/// One element changed in each iteration must not copy the tensor: the work grows with the number of elements only.
#[test]
fn a_row_at_a_time() {
    let program = |n: u64| {
        format!(
            "@grad
func loss(x: &mut Tensor<T, [10]>) -> Tensor<T, []> {{
    mut p = Tensor::<T, [{n}, 10]>::zeros()
    for k in 0..10 {{ p[0, k] = x[k] }}
    for i in 1..{n} {{
        for k in 0..10 {{ p[i, k] = p[i - 1, k] * 1.0 }}
    }}
    mut sum = 0.0 as T
    for k in 0..10 {{ sum += p[{n} - 1, k] * p[{n} - 1, k] }}
    Tensor::scalar(sum)
}}"
        )
    };
    let x: Vec<f64> = (0..10).map(|i| f64::from(i) / 7.0).collect();
    let time = |n: u64| {
        let compiled = Compiled::new(&program(n), Float::F64, vec![vec![10]]);
        let expected: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        let run = || {
            let start = std::time::Instant::now();
            let (_, gradients) = compiled.gradients(std::slice::from_ref(&x));
            assert_eq!(gradients, std::slice::from_ref(&expected));
            start.elapsed()
        };
        (0..5).map(|_| run()).min().expect("five runs")
    };
    let (short, long) = (time(2_000), time(16_000));
    assert!(long < short * 8 * 4, "{short:?} for 2000 rows, {long:?} for 16000");
}
