//! Gradients of compiled functions against central differences of their plain calls.

use neuro_db::run::Value;

use super::harness::{CHECKED, WRAPPING, database, function};
use crate::{Compiler, GradientEntry};

fn tensor(shape: &[u64], data: &[f64]) -> Value {
    Value { shape: shape.to_vec(), dtype: "f64".to_owned(), data: data.to_vec() }
}

fn compiled(text: &str, check: impl Fn(&GradientEntry)) {
    let (db, file) = database(text);
    for options in [CHECKED, WRAPPING] {
        let mut compiler = Compiler::new().expect("a compiler");
        let entry = compiler.compile_gradient(&db, function(&db, file, "f"), options);
        let before = neuro_runtime::live_blocks();
        check(&entry.expect("an entry"));
        assert_eq!(neuro_runtime::live_blocks(), before, "blocks are left");
    }
}

/// Every entry of every gradient within `1e-6` of the difference quotient, and the loss bit for bit the
/// plain call's.
fn agrees(entry: &GradientEntry, inputs: &[Value]) {
    let run = entry.run(inputs).expect("a gradient");
    assert_eq!(run.loss.to_bits(), entry.value(inputs).expect("a value").to_bits());
    assert_eq!(run.gradients.len(), entry.wrt().len());
    let mut largest = 0.0f64;
    for (parameter, gradient) in entry.wrt().iter().zip(&run.gradients) {
        assert_eq!(gradient.shape, inputs[*parameter].shape);
        for (at, derivative) in gradient.data.iter().enumerate() {
            let moved = |by: f64| {
                let mut inputs = inputs.to_vec();
                inputs[*parameter].data[at] += by;
                entry.value(&inputs).expect("a value")
            };
            let step = 1e-5;
            let difference = (moved(step) - moved(-step)) / (2.0 * step);
            let scale = derivative.abs().max(difference.abs()).max(1.0);
            let error = (derivative - difference).abs() / scale;
            assert!(error < 1e-6, "parameter {parameter}, entry {at}: {derivative} {difference}");
            largest = largest.max(derivative.abs());
        }
    }
    assert!(largest > 1e-3, "a gradient that is all zeros shows nothing");
}

#[test]
fn arithmetic_with_broadcasting() {
    let text = r#"
@grad(wrt: [a, b])
func f(a: &mut Tensor<f64, [2, 3]>, b: &mut Tensor<f64, [3]>, c: Tensor<f64, [2, 1]>, k: f64) -> Tensor<f64, []> {
    val t = (a + b) * k - a / &c
    Tensor::scalar((&t * b).sum() + t.mean())
}
"#;
    compiled(text, |entry| {
        let inputs = [
            tensor(&[2, 3], &[0.5, -1.0, 2.0, 1.5, 0.25, -0.75]),
            tensor(&[3], &[1.0, -2.0, 0.5]),
            tensor(&[2, 1], &[2.0, -4.0]),
            Value { shape: vec![], dtype: "f64".to_owned(), data: vec![0.7] },
        ];
        agrees(entry, &inputs);
        assert!(entry.run(&inputs[..3]).is_err());
        let mut wrong = inputs.to_vec();
        wrong[1].shape = vec![4];
        assert!(entry.run(&wrong).is_err());
    });
}

#[test]
fn products_and_functions() {
    let text = r#"
@grad
func f(x: &mut Tensor<f64, [2, 3]>, w: &mut Tensor<f64, [3, 2]>) -> Tensor<f64, []> {
    val h = (x @ w).tanh()
    val g = (&h * &h + 1.0).log() + h.sin() * h.cos() + (&h + 2.0).pow(1.5) + (0.5 * &h).exp()
    Tensor::scalar((g.t() @ h.abs()).sum() + (&h + 3.0).sqrt().sum())
}
"#;
    compiled(text, |entry| {
        let x = tensor(&[2, 3], &[0.1, -0.2, 0.3, 0.4, 0.5, -0.6]);
        let w = tensor(&[3, 2], &[1.0, -0.5, 0.25, 0.75, -1.0, 0.5]);
        agrees(entry, &[x, w]);
    });
}

#[test]
fn calls_and_elements() {
    let text = r#"
func shifted(t: &Tensor<f64, [2]>, by: f64) -> Tensor<f64, [2]> { t * t + by }

@grad(wrt: [x])
func f(x: &mut Tensor<f64, [2]>, at: u8) -> Tensor<f64, []> {
    val y = shifted(x, 1.0) * x
    Tensor::scalar(y.sum() * x[at] + y[0])
}
"#;
    compiled(text, |entry| {
        for at in [0.0, 1.0] {
            let at = Value { shape: vec![], dtype: "u8".to_owned(), data: vec![at] };
            agrees(entry, &[tensor(&[2], &[1.25, -0.5]), at]);
        }
    });
}

#[test]
fn branches() {
    let text = r#"
func shifted(t: &Tensor<f64, [2]>, by: f64) -> Tensor<f64, [2]> { t * t + by }

@grad(wrt: [x])
func f(x: &mut Tensor<f64, [2]>, positive: bool) -> Tensor<f64, []> {
    val y = if positive { shifted(x, 1.0) } else { x * 3.0 }
    Tensor::scalar((y * x).sum() * x[1])
}
"#;
    compiled(text, |entry| {
        for positive in [0.0, 1.0] {
            let flag = Value { shape: vec![], dtype: "bool".to_owned(), data: vec![positive] };
            agrees(entry, &[tensor(&[2], &[1.25, -0.5]), flag]);
        }
    });
}
