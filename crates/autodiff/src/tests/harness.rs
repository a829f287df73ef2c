//! Every way to a derivative, compared: reverse in two sweeps and in one function, forward, central differences of the
//! evaluator, f32 against f64.

use neuro_ir::{Function, History, Tensor, Type, eval, eval_with_history, parse, verify};
use neuro_num::{DType, Scalar};

use crate::{forward, reverse, value_and_grad};

/// A function from text in which the one float type is written `T`.
pub(super) fn function(text: &str, dtype: DType) -> Function {
    let function = parse(&text.replace("T>", &format!("{dtype}>"))).expect("a function");
    verify(&function).expect("sound");
    function
}

/// Tensors for the parameters from flat lists of numbers.
pub(super) fn inputs(function: &Function, values: &[&[f64]]) -> Vec<Tensor> {
    let tensor = |(param, values): (_, &&[f64])| {
        let ty: &Type = function.ty(param);
        let data = values.iter().map(|value| {
            Scalar::float(ty.dtype, *value)
                .unwrap_or_else(|| Scalar::wrap(ty.dtype, *value as i128))
        });
        Tensor::new(ty.clone(), data.collect()).expect("as many numbers as elements")
    };
    function.params().iter().copied().zip(values).map(tensor).collect()
}

/// The loss and the gradients by `wrt`, all ways of reverse mode agreeing to the bit.
pub(super) fn gradients(function: &Function, wrt: &[usize], inputs: &[Tensor]) -> Vec<Vec<f64>> {
    let primal = eval(function, inputs).expect("no trap");
    let joined = value_and_grad(function, wrt).expect("differentiable");
    verify(&joined).expect("sound");
    let joined = eval(&joined, inputs).expect("no trap");
    assert_eq!(joined[0], primal[0], "the loss is the plain call's, bit for bit");

    let sweeps = reverse(function, wrt).expect("differentiable");
    verify(&sweeps.forward).expect("sound");
    verify(&sweeps.reverse).expect("sound");
    let mut history = History::default();
    let kept = eval_with_history(&sweeps.forward, inputs, &mut history).expect("no trap");
    assert_eq!(kept[0], primal[0]);
    assert_eq!(kept.len(), 1 + sweeps.residuals.len());
    let arguments: Vec<Tensor> = inputs.iter().chain(&kept[1..]).cloned().collect();
    let frames = history.clone();
    let parts = eval_with_history(&sweeps.reverse, &arguments, &mut history).expect("no trap");
    assert!(history.is_empty(), "the reverse sweep takes every frame");
    assert_eq!(parts, joined[1..], "two sweeps and one function differ");

    // Parameters that the reverse sweep says it does not read may be anything by then.
    let spoiled: Vec<Tensor> = arguments
        .iter()
        .enumerate()
        .map(|(index, argument)| match sweeps.reads.get(index) {
            Some(false) => {
                let ty = argument.ty().clone();
                let value = Scalar::float(ty.dtype, f64::NAN).unwrap_or(Scalar::zero(ty.dtype));
                Tensor::splat(ty, value).expect("fits")
            }
            Some(true) | None => argument.clone(),
        })
        .collect();
    let again = eval_with_history(&sweeps.reverse, &spoiled, &mut frames.clone());
    assert_eq!(again.expect("no trap"), parts);
    parts.iter().map(Tensor::to_f64s).collect()
}

/// Checks a smooth function at a point, by the parameters `wrt`: f64 against central differences and forward mode, f32
/// against f64. Gives the f64 gradients.
pub(super) fn check(text: &str, wrt: &[usize], point: &[&[f64]]) -> Vec<Vec<f64>> {
    let double = function(text, DType::F64);
    let at = inputs(&double, point);
    let gradients = self::gradients(&double, wrt, &at);
    for (index, gradient) in wrt.iter().zip(&gradients) {
        let differences = differences(&double, *index, &at);
        for (a, b) in gradient.iter().zip(&differences) {
            assert!(close(*a, *b, 2e-7), "{a} against difference {b}\n{double}");
        }
        assert!(gradient.iter().any(|x| *x != 0.0), "an all-zero gradient shows nothing\n{double}");
    }
    duality(&double, wrt, &at, &gradients);

    let single = function(text, DType::F32);
    let at = inputs(&single, point);
    for (single, double) in self::gradients(&single, wrt, &at).iter().zip(&gradients) {
        for (a, b) in single.iter().zip(double) {
            assert!(close(*a, *b, 3e-5), "f32 {a} against f64 {b}\n{double:?}");
        }
    }
    gradients
}

/// Forward mode along a direction against the gradient's product with it.
fn duality(function: &Function, wrt: &[usize], at: &[Tensor], gradients: &[Vec<f64>]) {
    let tangent = forward(function, wrt).expect("differentiable");
    verify(&tangent).expect("sound");
    let direction: Vec<Tensor> = wrt
        .iter()
        .enumerate()
        .map(|(nth, index)| {
            let ty = at[*index].ty().clone();
            let values: Vec<f64> =
                (0..ty.elements()).map(|i| ((i * 7 + nth * 3) % 5) as f64 - 1.75).collect();
            Tensor::from_f64s(ty, &values).expect("fits")
        })
        .collect();
    let arguments: Vec<Tensor> = at.iter().chain(&direction).cloned().collect();
    let results = eval(&tangent, &arguments).expect("no trap");
    assert_eq!(results[0], eval(function, at).expect("no trap")[0]);
    let product: f64 = gradients
        .iter()
        .zip(&direction)
        .flat_map(|(gradient, direction)| gradient.iter().zip(direction.to_f64s()))
        .map(|(gradient, direction)| gradient * direction)
        .sum();
    let along = results[1].to_f64s()[0];
    assert!(close(along, product, 1e-12), "forward {along}, reverse {product}\n{function}");
}

/// Central differences by every element of one parameter.
fn differences(function: &Function, index: usize, at: &[Tensor]) -> Vec<f64> {
    let point = at[index].to_f64s();
    let loss = |place: usize, by: f64| {
        let mut values = point.clone();
        values[place] += by;
        let mut inputs = at.to_vec();
        inputs[index] = Tensor::from_f64s(at[index].ty().clone(), &values).expect("fits");
        eval(function, &inputs).expect("no trap")[0].to_f64s()[0]
    };
    (0..point.len())
        .map(|place| {
            let h = 6e-6 * point[place].abs().max(1.0);
            (loss(place, h) - loss(place, -h)) / (2.0 * h)
        })
        .collect()
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}
