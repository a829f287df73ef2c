//! Tests of the simplifier.

use expect_test::{Expect, expect};
use neuro_num::Scalar;
use proptest::prelude::*;

use super::random;
use crate::{Function, Tensor, eval, parse, simplify, verify};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Same results to the bit (not-a-number's payload aside), same trap at the same place, at inputs with zeros of both
    /// signs, infinities and not-a-numbers.
    #[test]
    fn no_bit_changes(
        choices in prop::collection::vec(any::<u32>(), 0..40),
        seed in any::<u32>(),
    ) {
        let function = random::function(&choices);
        let simpler = simplify(&function);
        prop_assert_eq!(verify(&simpler), Ok(()), "{}", simpler);
        prop_assert_eq!(simplify(&simpler).to_string(), simpler.to_string(), "done in one go");
        let inputs = random::inputs(&function, seed);
        let bits = |function: &Function| eval(function, &inputs).map(|results| {
            results.iter().map(without_payload).collect::<Vec<_>>()
        });
        prop_assert_eq!(bits(&function), bits(&simpler), "{}\n{}", function, simpler);
    }
}

fn without_payload(tensor: &Tensor) -> Vec<Scalar> {
    let plain = |value: &Scalar| match value.as_float() {
        Some(float) if float.is_nan() => Scalar::float(value.dtype(), f64::NAN).unwrap_or(*value),
        _ => *value,
    };
    tensor.data().iter().map(plain).collect()
}

fn check(text: &str, expected: &Expect) {
    let function = parse(text).expect("a function");
    verify(&function).expect("sound");
    expected.assert_eq(&simplify(&function).to_string());
}

#[test]
fn a_seed_of_one_folds_away() {
    check(
        "func @f(%0 \"x\": tensor<3xf64>) -> tensor<3xf64> {
           %1 = const 1.0 : tensor<f64>
           %2 = broadcast %1 {axes = []} : tensor<3xf64>
           %3 = mul %2, %0 : tensor<3xf64>
           %4 = mul %2, %2 : tensor<3xf64>
           %5 = div %3, %4 : tensor<3xf64>
           return %5
         }",
        &expect![[r#"
            func @f(%0 "x": tensor<3xf64>) -> tensor<3xf64> {
              return %0
            }
        "#]],
    );
}

#[test]
fn zero_times_stays() {
    check(
        "func @f(%0 \"x\": tensor<f64>) -> (tensor<f64>, tensor<f64>) {
           %1 = const 0.0 : tensor<f64>
           %2 = mul %1, %0 : tensor<f64>
           %3 = add %0, %1 : tensor<f64>
           return %2, %3
         }",
        &expect![[r#"
            func @f(%0 "x": tensor<f64>) -> (tensor<f64>, tensor<f64>) {
              %1 = const 0.0 : tensor<f64>
              %2 = mul %1, %0 : tensor<f64>
              %3 = add %0, %1 : tensor<f64>
              return %2, %3
            }
        "#]],
    );
}

#[test]
fn rearrangements_merge_and_products_take_transposes() {
    check(
        "func @f(%0 \"a\": tensor<2x3xf64>, %1 \"b\": tensor<f64>) -> tensor<3x3xf64> {
           %2 = transpose %0 {perm = [1, 0]} : tensor<3x2xf64>
           %3 = matmul %2, %0 : tensor<3x3xf64>
           %4 = transpose %3 {perm = [1, 0]} : tensor<3x3xf64>
           %5 = transpose %4 {perm = [1, 0]} : tensor<3x3xf64>
           %6 = broadcast %1 {axes = []} : tensor<3xf64>
           %7 = broadcast %6 {axes = [1]} : tensor<3x3xf64>
           %8 = add %5, %7 : tensor<3x3xf64>
           return %8
         }",
        &expect![[r#"
            func @f(%0 "a": tensor<2x3xf64>, %1 "b": tensor<f64>) -> tensor<3x3xf64> {
              %2 = matmul %0, %0 {transpose_lhs} : tensor<3x3xf64>
              %3 = broadcast %1 {axes = []} : tensor<3x3xf64>
              %4 = add %2, %3 : tensor<3x3xf64>
              return %4
            }
        "#]],
    );
}

#[test]
fn traps_stay_even_when_nothing_needs_them() {
    check(
        "func @f(%0 \"n\": tensor<i32>, %1 \"x\": tensor<2xf64>) -> tensor<i32> {
           %2 = add %0, %0 {trap} : tensor<i32> loc(1)
           %3 = div %0, %0 : tensor<i32> loc(2)
           %4 = element %1, %0 : tensor<f64> loc(3)
           %5 = element %1, %0 : tensor<f64> loc(4)
           %6 = const 1 : tensor<i32>
           %7 = element %1, %6 : tensor<f64> loc(5)
           %8 = const 3 : tensor<i32>
           %9 = div %0, %8 : tensor<i32> loc(6)
           %10 = add %8, %6 {trap} : tensor<i32> loc(7)
           return %10
         }",
        &expect![[r#"
            func @f(%0 "n": tensor<i32>, %1 "x": tensor<2xf64>) -> tensor<i32> {
              %2 = add %0, %0 {trap} : tensor<i32> loc(1)
              %3 = div %0, %0 : tensor<i32> loc(2)
              %4 = element %1, %0 : tensor<f64> loc(3)
              %5 = element %1, %0 : tensor<f64> loc(4)
              %6 = const 4 : tensor<i32> loc(7)
              return %6
            }
        "#]],
    );
}

#[test]
fn elements_of_literals_are_their_leaves() {
    check(
        "func @f(%0 \"a\": tensor<f64>, %1 \"b\": tensor<f64>) -> tensor<f64> {
           %2 = pack %0, %1 : tensor<2xf64>
           %3 = reshape %2 : tensor<2x1xf64>
           %4 = const 1 : tensor<i32>
           %5 = const 0 : tensor<i32>
           %6 = element %3, %4, %5 : tensor<f64> loc(1)
           %7 = element %6 : tensor<f64>
           return %7
         }",
        &expect![[r#"
            func @f(%0 "a": tensor<f64>, %1 "b": tensor<f64>) -> tensor<f64> {
              return %1
            }
        "#]],
    );
}

/// What does not change in a loop is computed before it; what is carried for nothing is not carried; what traps stays.
#[test]
fn loops_do_only_what_changes() {
    check(
        "func @f(%0 \"x\": tensor<f64>, %1 \"n\": tensor<i32>) -> tensor<f64> {
           %2 = const 1.0 : tensor<f64>
           while %2, %0, %2, %1 : tensor<f64>, tensor<f64>, tensor<f64>, tensor<i32>
           test(%3: tensor<f64>, %4: tensor<f64>, %5: tensor<f64>, %6: tensor<i32>) {
             %7 = const 0 : tensor<i32>
             %8 = gt %6, %7 : tensor<bool>
             yield %8
           }
           do(%9: tensor<f64>, %10: tensor<f64>, %11: tensor<f64>, %12: tensor<i32>) {
             %13 = exp %10 : tensor<f64>
             %14 = mul %9, %13 : tensor<f64>
             %15 = add %11, %9 : tensor<f64>
             %16 = const 1 : tensor<i32>
             %17 = sub %12, %16 {trap} : tensor<i32> loc(1)
             yield %14, %10, %15, %17
           }
           gives %18, %19, %20, %21
           return %18
         }",
        &expect![[r#"
            func @f(%0 "x": tensor<f64>, %1 "n": tensor<i32>) -> tensor<f64> {
              %2 = const 1.0 : tensor<f64>
              %3 = const 0 : tensor<i32>
              %4 = exp %0 : tensor<f64>
              %5 = const 1 : tensor<i32>
              while %2, %1 : tensor<f64>, tensor<i32>
              test(%6: tensor<f64>, %7: tensor<i32>) {
                %8 = gt %7, %3 : tensor<bool>
                yield %8
              }
              do(%9: tensor<f64>, %10: tensor<i32>) {
                %11 = mul %9, %4 : tensor<f64>
                %12 = sub %10, %5 {trap} : tensor<i32> loc(1)
                yield %11, %12
              }
              gives %13, %14
              return %13
            }
        "#]],
    );
}
