//! Tests of the table of math functions.

use crate::{DType, MathFn, Scalar, math::MathCode};

#[test]
fn rows_stand_at_their_functions() {
    for function in MathFn::all() {
        let row = function.row();
        assert_eq!(row.function, function);
        assert_eq!(MathFn::from_name(row.name), Some(function));
        assert_eq!(row.partials.len(), function.arity());
        for (dtype, symbol) in [(DType::F32, row.symbol_f32), (DType::F64, row.symbol_f64)] {
            assert_eq!(symbol, format!("neuro_{}_{dtype}", row.name));
            assert_eq!(function.symbol(dtype).map(|(name, _)| name), Some(symbol));
        }
    }
}

/// Values computed with 40 digits.
#[test]
fn values() {
    let unary: [(MathFn, f64, f64); 8] = [
        (MathFn::Exp, 1.5, 4.481_689_070_338_064_8),
        (MathFn::Log, 3.0, 1.098_612_288_668_109_8),
        (MathFn::Sqrt, 3.0, 1.732_050_807_568_877_2),
        (MathFn::Sin, 2.0, 0.909_297_426_825_681_7),
        (MathFn::Cos, 2.0, -0.416_146_836_547_142_4),
        (MathFn::Tanh, 0.5, 0.462_117_157_260_009_8),
        (MathFn::Tanh, -40.0, -1.0),
        (MathFn::Abs, -3.25, 3.25),
    ];
    for (function, x, y) in unary {
        let double = function.eval(&[Scalar::f64(x)]).map(Scalar::to_f64).expect("one float");
        assert!((double - y).abs() <= y.abs() * 2.0 * f64::EPSILON, "{function}({x}) = {double}");
        let single =
            function.eval(&[Scalar::f32(x as f32)]).map(Scalar::to_f64).expect("one float");
        assert!((single - y).abs() <= y.abs() * 2.0 * f64::from(f32::EPSILON), "{function}({x})");
    }
}

#[test]
fn small_powers_are_single_operations() {
    let pow = |x: f64, p: f64| MathFn::Pow.eval(&[Scalar::f64(x), Scalar::f64(p)]);
    for x in [0.1, -7.3, 1e-200, 1e200, 0.0, -0.0, f64::INFINITY] {
        assert_eq!(pow(x, 2.0), Some(Scalar::f64(x * x)));
        assert_eq!(pow(x, 1.0), Some(Scalar::f64(x)));
        assert_eq!(pow(x, -1.0), Some(Scalar::f64(1.0 / x)));
        assert_eq!(pow(x, 0.0), Some(Scalar::f64(1.0)));
    }
    assert_eq!(pow(f64::NAN, 0.0), Some(Scalar::f64(1.0)));
    assert!(pow(-8.0, 1.0 / 3.0).map(Scalar::to_f64).is_some_and(f64::is_nan));
}

#[test]
fn values_at_special_points() {
    let unary = |function: MathFn, x: f64| {
        function.eval(&[Scalar::f64(x)]).map(Scalar::to_f64).expect("one float")
    };
    let binary = |function: MathFn, x: f64, p: f64| {
        function.eval(&[Scalar::f64(x), Scalar::f64(p)]).map(Scalar::to_f64).expect("two floats")
    };
    assert_eq!([-2.5, -0.5, 0.5, 2.5].map(|x| unary(MathFn::Round, x)), [-3.0, -1.0, 1.0, 3.0]);
    assert_eq!(unary(MathFn::Floor, -0.5), -1.0);
    assert!(unary(MathFn::Ceil, -0.5).is_sign_negative());
    assert_eq!(unary(MathFn::Log1p, -1.0), f64::NEG_INFINITY);
    assert_eq!(unary(MathFn::Log1p, 1e-300), 1e-300);
    assert_eq!(unary(MathFn::Expm1, f64::NEG_INFINITY), -1.0);
    assert!(unary(MathFn::Asin, 1.5).is_nan());
    assert_eq!(unary(MathFn::Erf, f64::INFINITY), 1.0);
    assert_eq!(binary(MathFn::Max, f64::NAN, 1.0), 1.0);
    assert_eq!(binary(MathFn::Min, 1.0, f64::NAN), 1.0);
    assert!((binary(MathFn::Hypot, 3e200, 4e200) / 5e200 - 1.0).abs() <= f64::EPSILON);
    assert_eq!(binary(MathFn::Atan2, 0.0, -1.0), std::f64::consts::PI);
    assert_eq!(binary(MathFn::Copysign, 2.0, -0.0), -2.0);
}

#[test]
fn slopes_agree_with_differences() {
    for function in MathFn::all() {
        // Within the domain of every function, and beside no step.
        for x in [0.3, 0.8, -0.6, 1.7] {
            let inverse = matches!(function, MathFn::Asin | MathFn::Acos);
            let negative = matches!(
                function,
                MathFn::Log | MathFn::Log2 | MathFn::Sqrt | MathFn::Pow | MathFn::Copysign
            );
            if inverse && x > 1.0 || negative && x < 0.0 {
                continue;
            }
            let arguments: Vec<f64> = match function.row().code {
                MathCode::Unary { .. } => vec![x],
                MathCode::Binary { .. } => vec![x, 1.3 - x],
            };
            let value = |arguments: &[f64]| {
                let arguments: Vec<Scalar> = arguments.iter().copied().map(Scalar::f64).collect();
                function.eval(&arguments).map(Scalar::to_f64).expect("floats")
            };
            for index in 0..arguments.len() {
                let h = 1e-6;
                let moved = |by: f64| {
                    let mut arguments = arguments.clone();
                    arguments[index] += by;
                    value(&arguments)
                };
                let difference = (moved(h) - moved(-h)) / (2.0 * h);
                let slope = slope_at(function, index, &arguments);
                assert!((slope - difference).abs() < 1e-8, "{function} {arguments:?}: {slope}");
                let one_sided = matches!(function, MathFn::Min | MathFn::Max);
                let flat = function.row().partials[index].is_flat();
                assert_eq!(slope == 0.0, flat || one_sided && slope == 0.0, "{function}");
            }
        }
    }
}

fn slope_at(function: MathFn, index: usize, arguments: &[f64]) -> f64 {
    let arguments: Vec<Scalar> = arguments.iter().copied().map(Scalar::f64).collect();
    let y = function.eval(&arguments).expect("floats");
    let slope = function.row().partials[index].slope.eval(&arguments, y);
    slope.expect("floats").to_f64()
}

#[test]
fn slopes_at_special_points() {
    assert_eq!(slope_at(MathFn::Abs, 0, &[0.0]), 0.0);
    assert_eq!(slope_at(MathFn::Abs, 0, &[-2.0]), -1.0);
    assert!(slope_at(MathFn::Abs, 0, &[f64::NAN]).is_nan());
    assert_eq!(slope_at(MathFn::Sqrt, 0, &[0.0]), f64::INFINITY);
    // aᵇ at (0, 1), x¹ and x⁰ at 0, the exponent's slope on a flat stretch.
    assert_eq!(slope_at(MathFn::Pow, 0, &[0.0, 1.0]), 1.0);
    assert_eq!(slope_at(MathFn::Pow, 1, &[0.0, 1.0]), 0.0);
    assert_eq!(slope_at(MathFn::Pow, 0, &[0.0, 0.0]), 0.0);
    assert_eq!(slope_at(MathFn::Pow, 0, &[0.0, 2.0]), 0.0);
    assert_eq!(slope_at(MathFn::Pow, 0, &[3.0, 0.0]), 0.0);
    assert_eq!(slope_at(MathFn::Pow, 0, &[0.0, 0.5]), f64::INFINITY);
    assert_eq!(slope_at(MathFn::Tanh, 0, &[1e-300]), 1.0);
    assert_eq!(slope_at(MathFn::Asin, 0, &[1.0]), f64::INFINITY);
    assert_eq!(slope_at(MathFn::Acos, 0, &[-1.0]), f64::NEG_INFINITY);
    assert_eq!(slope_at(MathFn::Expm1, 0, &[-50.0]), (-50.0f64).exp());
    // Of equal ones the first; not-a-number never wins.
    assert_eq!([0, 1].map(|index| slope_at(MathFn::Max, index, &[2.0, 2.0])), [1.0, 0.0]);
    assert_eq!([0, 1].map(|index| slope_at(MathFn::Min, index, &[f64::NAN, 2.0])), [0.0, 1.0]);
    assert_eq!(slope_at(MathFn::Copysign, 0, &[0.0, -1.0]), 0.0);
    assert_eq!(slope_at(MathFn::Copysign, 0, &[-3.0, -1.0]), 1.0);
    assert!(slope_at(MathFn::Hypot, 0, &[0.0, 0.0]).is_nan());
    // Squares that overflow, or vanish, spoil nothing.
    assert_eq!(slope_at(MathFn::Atan2, 0, &[0.0, 1e200]), 1e-200);
    assert_eq!(slope_at(MathFn::Atan2, 1, &[1e-200, 0.0]), -1e200);
}
