//! Against values that other tools computed.

use serde_json::Value;

use crate::harness::{Compiled, Float, Random, Tolerance, first_difference};

fn reference(text: &str) -> Value {
    serde_json::from_str(text).expect("a reference file is JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    let entries = value.as_array().expect("a list of numbers");
    entries.iter().map(|entry| entry.as_f64().expect("a number")).collect()
}

#[test]
fn a_chain_of_functions_over_64_entries() {
    let reference = reference(include_str!("references/elementwise_64.json"));
    let program = "@grad
func loss(x: &mut Tensor<T, [64]>) -> Tensor<T, []> {
    val wave = x.sin() * (x * -0.5).exp()
    val bent = (x * x + 1.0).log()
    Tensor::scalar((wave + bent).tanh().sum())
}";
    for (float, at, expected, tolerance) in [
        (Float::F64, "x", "grad", Tolerance { relative: 1e-13, absolute: 1e-14 }),
        (Float::F32, "x_f32", "grad_at_f32", Tolerance { relative: 2e-6, absolute: 1e-6 }),
    ] {
        let compiled = Compiled::new(program, float, vec![vec![64]]);
        let (loss, gradients) = compiled.gradients(&[numbers(&reference[at])]);
        let expected = vec![numbers(&reference[expected])];
        assert_eq!(first_difference(&gradients, &expected, tolerance), None, "{float:?}");
        if float == Float::F64 {
            assert!(tolerance.holds(loss, reference["value"].as_f64().expect("a value")), "{loss}");
        }
    }
}

#[test]
fn a_network_of_two_hidden_layers() {
    let reference = reference(include_str!("references/mlp_8x32.json"));
    let program = "@grad(wrt: [w1, b1, w2, b2, w3, b3])
func loss(x: &Tensor<T, [8, 32]>, t: &Tensor<T, [8, 1]>, w1: &mut Tensor<T, [32, 32]>, b1: &mut Tensor<T, [32]>, w2: &mut Tensor<T, [32, 32]>, b2: &mut Tensor<T, [32]>, w3: &mut Tensor<T, [32, 1]>, b3: &mut Tensor<T, [1]>) -> Tensor<T, []> {
    val first = (x @ w1 + b1).tanh()
    val second = (first @ w2 + b2).tanh()
    val gap = second @ w3 + b3 - t
    Tensor::scalar((&gap * &gap).mean())
}";
    let draw = |seed: u64, count: u64, scale: f64| {
        let entries = Random(seed).tensor(count, -1.0, 1.0).into_iter();
        entries.map(|entry| scale * entry).collect::<Vec<f64>>()
    };
    let scale = 1.0 / 32f64.sqrt();
    let inputs = [
        draw(1, 256, 1.0),
        draw(8, 8, 1.0),
        draw(2, 1024, scale),
        draw(5, 32, 0.1),
        draw(3, 1024, scale),
        draw(6, 32, 0.1),
        draw(4, 32, scale),
        draw(7, 1, 0.1),
    ];
    let shapes = [&[8, 32][..], &[8, 1], &[32, 32], &[32], &[32, 32], &[32], &[32, 1], &[1]];
    let expected: Vec<Vec<f64>> = ["W1", "b1", "W2", "b2", "W3", "b3"]
        .iter()
        .map(|name| numbers(&reference["grad"][name]))
        .collect();
    for (float, tolerance) in [
        (Float::F64, Tolerance { relative: 1e-11, absolute: 1e-13 }),
        (Float::F32, Tolerance { relative: 1e-4, absolute: 1e-6 }),
    ] {
        let compiled =
            Compiled::new(program, float, shapes.iter().map(|shape| shape.to_vec()).collect());
        let (loss, gradients) = compiled.gradients(&inputs);
        assert!(tolerance.holds(loss, reference["loss"].as_f64().expect("a loss")), "{loss}");
        assert_eq!(first_difference(&gradients, &expected, tolerance), None, "{float:?}");
    }
}
