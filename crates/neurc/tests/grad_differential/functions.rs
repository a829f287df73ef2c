//! The functions of the table, elementwise and on scalars.

use crate::harness::{Case, Float, check};

/// A function, the range it is tried on, and its slope.
struct Row {
    name: &'static str,
    range: (f64, f64),
    slope: fn(f64) -> f64,
}

const ROWS: &[Row] = &[
    Row { name: "exp", range: (-1.0, 1.0), slope: f64::exp },
    Row { name: "log", range: (0.5, 2.0), slope: |x| 1.0 / x },
    Row { name: "sqrt", range: (0.5, 2.0), slope: |x| 0.5 / x.sqrt() },
    Row { name: "sin", range: (-2.0, 2.0), slope: f64::cos },
    Row { name: "cos", range: (-2.0, 2.0), slope: |x| -x.sin() },
    Row { name: "tanh", range: (-2.0, 2.0), slope: |x| 1.0 - x.tanh() * x.tanh() },
    Row { name: "abs", range: (-2.0, 2.0), slope: f64::signum },
];

#[test]
fn every_function_of_one_argument_is_tried() {
    let tried: Vec<_> = ROWS.iter().map(|row| row.name).chain(["pow"]).collect();
    let all: Vec<_> = neuro_num::MathFn::all().map(neuro_num::MathFn::name).collect();
    assert_eq!(tried, all);
}

#[test]
fn functions_on_tensors_and_scalars() {
    for row in ROWS {
        // Weights 1, 2 for the tensor, 3 for the scalar, so that a mixed-up entry shows.
        let program = format!(
            "@grad
func loss(a: &mut Tensor<T, [2]>, s: &mut Tensor<T, []>) -> Tensor<T, []> {{
    val weights: Tensor<T, [2]> = [1.0, 2.0]
    val all = a.{0}() * weights
    val one = s.item().{0}()
    Tensor::scalar(all.sum() + one * 3.0)
}}",
            row.name
        );
        for float in [Float::F32, Float::F64] {
            crate::harness::check_program(
                &program,
                &[(&[2], row.range.0, row.range.1), (&[], row.range.0, row.range.1)],
                &|x| {
                    let slope = row.slope;
                    vec![vec![slope(x[0][0]), 2.0 * slope(x[0][1])], vec![3.0 * slope(x[1][0])]]
                },
                float,
            );
        }
    }
}

#[test]
fn powers_with_constant_exponents() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    val sum = a.pow(2.0) + a.pow(3.5) - a.pow(-1.0)
    Tensor::scalar(sum.sum() + a[0].pow(0.5))
}",
        inputs: &[(&[3], 0.5, 1.5)],
        rule: |x| {
            let slope = |a: f64| 2.0 * a + 3.5 * a.powf(2.5) + 1.0 / (a * a);
            let mut gradient: Vec<f64> = x[0].iter().map(|a| slope(*a)).collect();
            gradient[0] += 0.5 / x[0][0].sqrt();
            vec![gradient]
        },
    });
}

#[test]
fn powers_with_an_active_exponent() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>, p: &mut Tensor<T, []>) -> Tensor<T, []> {
    Tensor::scalar(a.pow(p.item()).sum())
}",
        inputs: &[(&[3], 0.5, 1.5), (&[], 1.2, 1.8)],
        rule: |x| {
            let p = x[1][0];
            vec![
                x[0].iter().map(|a| p * a.powf(p - 1.0)).collect(),
                vec![x[0].iter().map(|a| a.ln() * a.powf(p)).sum()],
            ]
        },
    });
}

#[test]
fn a_logistic_written_out_does_not_overflow() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    val soft = ((a * 700.0).exp() + 1.0).log()
    Tensor::scalar(soft.sum() / 700.0)
}",
        inputs: &[(&[3], 0.05, 0.06)],
        rule: |x| vec![x[0].iter().map(|a| 1.0 / (1.0 + (-700.0 * a).exp())).collect()],
    });
}

#[test]
fn chains_of_functions() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [4]>) -> Tensor<T, []> {
    val wave = (a.sin() * 2.0).exp()
    val damped = (wave + 1.0).sqrt().tanh()
    Tensor::scalar(damped.mean())
}",
        inputs: &[(&[4], -1.0, 1.0)],
        rule: |x| {
            let slope = |a: f64| {
                let wave = (2.0 * a.sin()).exp();
                let root = (wave + 1.0).sqrt();
                let flat = 1.0 - root.tanh() * root.tanh();
                0.25 * flat * 0.5 / root * wave * 2.0 * a.cos()
            };
            vec![x[0].iter().map(|a| slope(*a)).collect()]
        },
    });
}
