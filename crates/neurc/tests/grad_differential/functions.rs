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
    Row { name: "exp2", range: (-2.0, 2.0), slope: |x| x.exp2() * std::f64::consts::LN_2 },
    Row { name: "expm1", range: (-1.0, 1.0), slope: f64::exp },
    Row { name: "log", range: (0.5, 2.0), slope: |x| 1.0 / x },
    Row { name: "log2", range: (0.5, 2.0), slope: |x| std::f64::consts::LOG2_E / x },
    Row { name: "log1p", range: (-0.5, 1.0), slope: |x| 1.0 / (1.0 + x) },
    Row { name: "sqrt", range: (0.5, 2.0), slope: |x| 0.5 / x.sqrt() },
    Row { name: "sin", range: (-2.0, 2.0), slope: f64::cos },
    Row { name: "cos", range: (-2.0, 2.0), slope: |x| -x.sin() },
    Row { name: "tan", range: (-1.0, 1.0), slope: |x| 1.0 / (x.cos() * x.cos()) },
    Row { name: "asin", range: (-0.8, 0.8), slope: |x| 1.0 / (1.0 - x * x).sqrt() },
    Row { name: "acos", range: (-0.8, 0.8), slope: |x| -1.0 / (1.0 - x * x).sqrt() },
    Row { name: "atan", range: (-2.0, 2.0), slope: |x| 1.0 / (1.0 + x * x) },
    Row { name: "sinh", range: (-2.0, 2.0), slope: f64::cosh },
    Row { name: "cosh", range: (-2.0, 2.0), slope: f64::sinh },
    Row { name: "tanh", range: (-2.0, 2.0), slope: |x| 1.0 - x.tanh() * x.tanh() },
    Row {
        name: "erf",
        range: (-1.5, 1.5),
        slope: |x| std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp(),
    },
    Row { name: "abs", range: (-2.0, 2.0), slope: f64::signum },
];

/// Those whose slope is 0 wherever they have one.
const STEPS: [&str; 4] = ["floor", "ceil", "round", "trunc"];

/// A function of two arguments and its slopes.
struct Pair {
    name: &'static str,
    slopes: fn(f64, f64) -> (f64, f64),
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "atan2",
        slopes: |y, x| {
            let square = x * x + y * y;
            (x / square, -y / square)
        },
    },
    Pair { name: "pow", slopes: |x, p| (p * x.powf(p - 1.0), x.ln() * x.powf(p)) },
    Pair { name: "min", slopes: |x, p| if x <= p { (1.0, 0.0) } else { (0.0, 1.0) } },
    Pair { name: "max", slopes: |x, p| if x >= p { (1.0, 0.0) } else { (0.0, 1.0) } },
    Pair { name: "copysign", slopes: |_, _| (1.0, 0.0) },
    Pair { name: "hypot", slopes: |x, p| (x / x.hypot(p), p / x.hypot(p)) },
];

#[test]
fn every_function_is_tried() {
    let pairs = PAIRS.iter().map(|pair| pair.name);
    let tried: Vec<_> = ROWS.iter().map(|row| row.name).chain(STEPS).chain(pairs).collect();
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

/// A step is flat, so the other factor alone has a slope.
#[test]
fn steps() {
    for name in STEPS {
        let program = format!(
            "@grad
func loss(a: &mut Tensor<T, [2]>, s: &mut Tensor<T, []>) -> Tensor<T, []> {{
    val weights: Tensor<T, [2]> = [1.0, 2.0]
    val all = a.{name}() * a * weights
    Tensor::scalar(all.sum() + s.item().{name}() * s.item() * 3.0)
}}"
        );
        let step = |x: f64| match name {
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "round" => x.round(),
            _ => x.trunc(),
        };
        for float in [Float::F32, Float::F64] {
            crate::harness::check_program(
                &program,
                &[(&[2], 1.55, 1.95), (&[], -2.95, -2.55)],
                &|x| vec![vec![step(x[0][0]), 2.0 * step(x[0][1])], vec![3.0 * step(x[1][0])]],
                float,
            );
        }
    }
}

/// On two tensors, one of which stretches; on a tensor and a number; on two numbers.
#[test]
fn functions_of_two_arguments() {
    for pair in PAIRS {
        let program = format!(
            "@grad
func loss(a: &mut Tensor<T, [2]>, b: &mut Tensor<T, [2]>, s: &mut Tensor<T, []>) -> Tensor<T, []> {{
    val weights: Tensor<T, [2]> = [1.0, 2.0]
    val both = a.{0}(b) * &weights
    val first = a.{0}(s) * &weights
    val second = a.{0}(s.item()) * &weights
    val numbers = a[0].{0}(b[1])
    Tensor::scalar(both.sum() + first.sum() + second.sum() + numbers * 3.0)
}}",
            pair.name
        );
        for float in [Float::F32, Float::F64] {
            crate::harness::check_program(
                &program,
                &[(&[2], 0.5, 1.5), (&[2], 0.5, 1.5), (&[], 0.6, 1.4)],
                &|x| {
                    let slopes = pair.slopes;
                    let (a, b, s) = (&x[0], &x[1], x[2][0]);
                    let (both, with) = (|i: usize| slopes(a[i], b[i]), |i: usize| slopes(a[i], s));
                    let numbers = slopes(a[0], b[1]);
                    vec![
                        vec![
                            both(0).0 + 2.0 * with(0).0 + 3.0 * numbers.0,
                            2.0 * (both(1).0 + 2.0 * with(1).0),
                        ],
                        vec![both(0).1, 2.0 * both(1).1 + 3.0 * numbers.1],
                        vec![2.0 * with(0).1 + 4.0 * with(1).1],
                    ]
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
