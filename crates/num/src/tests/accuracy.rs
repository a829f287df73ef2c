//! The error bounds that the table states, against values of arbitrary precision.

use crate::{DType, MathFn, Scalar};

const VALUES: &str = include_str!("math_values.txt");

/// The units in the last place that a row's error text allows.
fn allowed(error: &str) -> f64 {
    match error.split_once(" ulp") {
        Some((units, _)) => units.parse().expect("a number of units"),
        None => {
            assert!(error.starts_with("exact"), "{error}");
            0.5
        }
    }
}

/// The distance of a result from the true value, in units in the last place of the result's type. The true value is
/// known to the nearest `f64`, so an `f64` result counts as half a unit nearer than it may seem.
fn error(dtype: DType, result: f64, truth: f64) -> f64 {
    if result == truth {
        return 0.0;
    }
    let unit = match dtype {
        DType::F32 => {
            let nearest = (truth as f32).abs();
            f64::from(nearest.next_up() - nearest)
        }
        _ => truth.abs().next_up() - truth.abs(),
    };
    let distance = (result - truth).abs() / unit;
    if dtype == DType::F64 { distance - 0.5 } else { distance }
}

#[test]
fn the_table_keeps_its_error_bounds() {
    let mut checked = 0;
    for line in VALUES.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, dtype, arguments @ .., truth] = words.as_slice() else { panic!("{line}") };
        let function = MathFn::from_name(name).expect("a function of the table");
        let dtype = DType::from_name(dtype).expect("a type");
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let arguments: Vec<Scalar> = arguments
            .iter()
            .map(|argument| Scalar::float(dtype, number(argument)).expect("a float"))
            .collect();
        let result = function.eval(&arguments).and_then(Scalar::as_float).expect("a value");
        let error = error(dtype, result, number(truth));
        let bound = allowed(function.row().error);
        assert!(error <= bound, "{line}: {result} is {error:.2} units off, {bound} are allowed");
        checked += 1;
    }
    assert!(checked > 1000);
}
