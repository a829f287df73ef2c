//! Points where derivatives are often wrong.

use neuro_num::DType;

use super::harness::{check, function, gradients, inputs};

/// The f64 gradients, and that f32's are the same after rounding.
fn at(text: &str, wrt: &[usize], point: &[&[f64]]) -> Vec<Vec<f64>> {
    let double = function(text, DType::F64);
    let result = gradients(&double, wrt, &inputs(&double, point));
    let single = function(text, DType::F32);
    let rounded = gradients(&single, wrt, &inputs(&single, point));
    for (a, b) in result.iter().flatten().zip(rounded.iter().flatten()) {
        assert!((a.is_nan() && b.is_nan()) || f64::from(*a as f32) == *b, "{a} and in f32 {b}");
    }
    result
}

const NORM: &str = "func @f(%0 \"x\": tensor<2xT>) -> tensor<T> {
   %1 = mul %0, %0 : tensor<2xT>
   %2 = sum %1 {axes = [0]} : tensor<T>
   %3 = sqrt %2 : tensor<T>
   ";

#[test]
fn square_of_a_norm_at_the_origin() {
    let squared = format!("{NORM} %4 = mul %3, %3 : tensor<T>\nreturn %4 }}");
    assert_eq!(at(&squared, &[0], &[&[0.0, 0.0]]), [[0.0, 0.0]]);
    // The norm itself has no gradient there: a number would be a lie.
    let norm = format!("{NORM} return %3 }}");
    assert!(at(&norm, &[0], &[&[0.0, 0.0]])[0].iter().all(|x| x.is_nan()));
    assert_eq!(at(&norm, &[0], &[&[0.0, -2.0]]), [[0.0, -1.0]]);
}

const POWER: &str = "func @f(%0 \"a\": tensor<T>, %1 \"b\": tensor<T>) -> tensor<T> {
   %2 = pow %0, %1 : tensor<T>
   return %2
 }";

#[test]
fn powers_at_zero() {
    assert_eq!(at(POWER, &[0, 1], &[&[0.0], &[1.0]]), [[1.0], [0.0]]);
    assert_eq!(at(POWER, &[0], &[&[0.0], &[0.0]]), [[0.0]]);
    assert_eq!(at(POWER, &[0], &[&[0.0], &[2.0]]), [[0.0]]);
    assert_eq!(at(POWER, &[0], &[&[0.0], &[0.5]]), [[f64::INFINITY]]);
    let constant = |power: &str| {
        format!(
            "func @f(%0 \"x\": tensor<T>) -> tensor<T> {{
               %1 = const {power} : tensor<T>
               %2 = pow %0, %1 : tensor<T>
               return %2
             }}"
        )
    };
    for (power, slope) in [("1.0", 1.0), ("2.0", 0.0), ("3.0", 0.0), ("0.0", 0.0)] {
        assert_eq!(at(&constant(power), &[0], &[&[0.0]]), [[slope]], "power {power}");
    }
}

#[test]
fn magnitude_at_zero() {
    let text = "func @f(%0 \"x\": tensor<4xT>, %1 \"c\": tensor<4xT>) -> tensor<T> {
       %2 = abs %0 : tensor<4xT>
       %3 = mul %2, %1 : tensor<4xT>
       %4 = sum %3 {axes = [0]} : tensor<T>
       return %4
     }";
    let gradient = at(text, &[0], &[&[0.0, -0.0, -3.0, 2.0], &[5.0, 5.0, 5.0, 5.0]]);
    assert_eq!(gradient, [[0.0, 0.0, -5.0, 5.0]]);
}

#[test]
fn logarithm_of_a_sum_with_an_exponential() {
    let text = "func @f(%0 \"x\": tensor<3xT>, %1 \"c\": tensor<3xT>) -> tensor<T> {
       %2 = exp %0 : tensor<3xT>
       %3 = add %1, %2 : tensor<3xT>
       %4 = log %3 : tensor<3xT>
       %5 = sum %4 {axes = [0]} : tensor<T>
       return %5
     }";
    assert_eq!(at(text, &[0], &[&[1000.0, -1000.0, 0.0], &[1.0, 1.0, 1.0]]), [[1.0, 0.0, 0.5]]);
    assert_eq!(at(text, &[0, 1], &[&[1000.0, 0.0, 0.0], &[1.0, 1.0, 3.0]])[1], [0.0, 0.5, 0.25]);
    check(text, &[0, 1], &[&[0.3, -1.2, 2.0], &[1.0, 0.4, 2.0]]);
    // Its exponential is also used elsewhere.
    check(
        "func @f(%0 \"x\": tensor<T>) -> tensor<T> {
           %1 = exp %0 : tensor<T>
           %2 = const 1.0 : tensor<T>
           %3 = add %1, %2 : tensor<T>
           %4 = log %3 : tensor<T>
           %5 = mul %4, %1 : tensor<T>
           %6 = add %5, %3 : tensor<T>
           return %6
         }",
        &[0],
        &[&[0.3]],
    );
}

#[test]
fn logarithm_of_two_exponentials() {
    let text = "func @f(%0 \"x\": tensor<T>, %1 \"y\": tensor<T>) -> tensor<T> {
       %2 = exp %0 : tensor<T>
       %3 = exp %1 : tensor<T>
       %4 = add %2, %3 : tensor<T>
       %5 = log %4 : tensor<T>
       return %5
     }";
    assert_eq!(at(text, &[0, 1], &[&[1000.0], &[1000.0]]), [[0.5], [0.5]]);
    assert_eq!(at(text, &[0, 1], &[&[2000.0], &[-2000.0]]), [[1.0], [0.0]]);
    check(text, &[0, 1], &[&[0.3], &[-0.4]]);
}

#[test]
fn the_arm_not_chosen_is_absent() {
    // sqrt, log and a quotient are infinite at 0, where the other arm is taken.
    for op in ["sqrt %0", "log %0", "div %1, %0"] {
        let text = format!(
            "func @f(%0 \"x\": tensor<2xT>, %1 \"one\": tensor<2xT>) -> tensor<T> {{
               %2 = lt %0, %1 : tensor<2xbool>
               %3 = {op} : tensor<2xT>
               %4 = mul %3, %3 : tensor<2xT>
               %5 = select %2, %0, %4 : tensor<2xT>
               %6 = sum %5 {{axes = [0]}} : tensor<T>
               return %6
             }}"
        );
        let gradient = &at(&text, &[0], &[&[0.0, 4.0], &[1.0, 1.0]])[0];
        assert_eq!(gradient[0], 1.0, "{op}");
        assert!(gradient[1].is_finite() && gradient[1] != 0.0, "{op}");
    }
}

#[test]
fn the_adjoint_of_a_broadcast_is_a_sum() {
    let text = "func @f(%0 \"m\": tensor<2x1x4x1xT>, %1 \"ones\": tensor<2x1x4x3xT>) -> tensor<T> {
       %2 = broadcast %0 {axes = [0, 1, 2, 3]} : tensor<2x1x4x3xT>
       %3 = mul %1, %2 : tensor<2x1x4x3xT>
       %4 = sum %3 {axes = [0, 1, 2, 3]} : tensor<T>
       return %4
     }";
    assert_eq!(at(text, &[0], &[&[0.5; 8], &[1.0; 24]]), [[3.0; 8]]);
}

#[test]
fn a_way_through_integers_is_no_way() {
    let text = "func @f(%0 \"x\": tensor<T>) -> tensor<T> {
       %1 = convert %0 : tensor<i32>
       %2 = convert %1 : tensor<T>
       %3 = mul %2, %2 : tensor<T>
       return %3
     }";
    assert_eq!(at(text, &[0], &[&[2.5]]), [[0.0]]);
}

#[test]
fn nan_is_not_hidden() {
    let text = "func @f(%0 \"x\": tensor<T>, %1 \"zero\": tensor<T>) -> tensor<T> {
       %2 = mul %0, %1 : tensor<T>
       %3 = exp %2 : tensor<T>
       return %3
     }";
    assert!(at(text, &[0], &[&[f64::INFINITY], &[0.0]])[0][0].is_nan());
}

#[test]
fn nothing_flows_through_a_fence() {
    let text = "func @f(%0 \"x\": tensor<T>) -> tensor<T> {
       %1 = mul %0, %0 : tensor<T>
       %2 = detach %1 : tensor<T>
       %3 = mul %2, %0 : tensor<T>
       return %3
     }";
    assert_eq!(at(text, &[0], &[&[3.0]]), [[9.0]]);
}
