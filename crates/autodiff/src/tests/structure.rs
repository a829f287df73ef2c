//! What the generated functions look like, and what is refused.

use expect_test::expect;
use neuro_num::DType;

use super::harness::function;
use crate::{reverse, value_and_grad};

const FIT: &str =
    "func @fit(%0 \"w\": tensor<2x1xT>, %1 \"b\": tensor<1xT>, %2 \"x\": tensor<3x2xT>,
                              %3 \"y\": tensor<3x1xT>) -> tensor<T> {
   %4 = matmul %2, %0 : tensor<3x1xT> loc(1)
   %5 = broadcast %1 {axes = [1]} : tensor<3x1xT> loc(2)
   %6 = add %4, %5 : tensor<3x1xT> loc(2)
   %7 = sub %6, %3 : tensor<3x1xT> loc(3)
   %8 = mul %7, %7 : tensor<3x1xT> loc(4)
   %9 = sum %8 {axes = [0, 1]} : tensor<T> loc(5)
   %10 = const 3.0 : tensor<T> loc(5)
   %11 = div %9, %10 : tensor<T> loc(5)
   return %11
 }";

#[test]
fn the_sweeps_of_a_fit() {
    let sweeps = reverse(&function(FIT, DType::F64), &[0, 1]).expect("differentiable");
    expect![[r#"
        func @fit(%0 "w": tensor<2x1xf64>, %1 "b": tensor<1xf64>, %2 "x": tensor<3x2xf64>, %3 "y": tensor<3x1xf64>) -> (tensor<f64>, tensor<3x1xf64>) {
          %4 = matmul %2, %0 : tensor<3x1xf64> loc(1)
          %5 = broadcast %1 {axes = [1]} : tensor<3x1xf64> loc(2)
          %6 = add %4, %5 : tensor<3x1xf64> loc(2)
          %7 = sub %6, %3 : tensor<3x1xf64> loc(3)
          %8 = mul %7, %7 : tensor<3x1xf64> loc(4)
          %9 = sum %8 {axes = [0, 1]} : tensor<f64> loc(5)
          %10 = const 3.0 : tensor<f64> loc(5)
          %11 = div %9, %10 : tensor<f64> loc(5)
          return %11, %7
        }

        func @fit.reverse(%0 "w": tensor<2x1xf64>, %1 "b": tensor<1xf64>, %2 "x": tensor<3x2xf64>, %3 "y": tensor<3x1xf64>, %4 "residual.0": tensor<3x1xf64>) -> (tensor<2x1xf64>, tensor<1xf64>) {
          %5 = const 0.3333333333333333 : tensor<f64> loc(5)
          %6 = broadcast %5 {axes = []} : tensor<3x1xf64> loc(5)
          %7 = mul %6, %4 : tensor<3x1xf64> loc(4)
          %8 = add %7, %7 : tensor<3x1xf64> loc(4)
          %9 = sum %8 {axes = [0]} : tensor<1xf64> loc(2)
          %10 = matmul %2, %8 {transpose_lhs} : tensor<2x1xf64> loc(1)
          return %10, %9
        }
    "#]].assert_eq(&format!("{}\n{}", sweeps.forward, sweeps.reverse));
    assert_eq!(sweeps.reads, [false, false, true, false]);
    assert_eq!(sweeps.reached, [true, true]);
}

#[test]
fn value_and_gradient_in_one() {
    let joined = value_and_grad(&function(FIT, DType::F64), &[0]).expect("differentiable");
    expect![[r#"
        func @fit(%0 "w": tensor<2x1xf64>, %1 "b": tensor<1xf64>, %2 "x": tensor<3x2xf64>, %3 "y": tensor<3x1xf64>) -> (tensor<f64>, tensor<2x1xf64>) {
          %4 = matmul %2, %0 : tensor<3x1xf64> loc(1)
          %5 = broadcast %1 {axes = [1]} : tensor<3x1xf64> loc(2)
          %6 = add %4, %5 : tensor<3x1xf64> loc(2)
          %7 = sub %6, %3 : tensor<3x1xf64> loc(3)
          %8 = mul %7, %7 : tensor<3x1xf64> loc(4)
          %9 = sum %8 {axes = [0, 1]} : tensor<f64> loc(5)
          %10 = const 3.0 : tensor<f64> loc(5)
          %11 = div %9, %10 : tensor<f64> loc(5)
          %12 = const 0.3333333333333333 : tensor<f64> loc(5)
          %13 = broadcast %12 {axes = []} : tensor<3x1xf64> loc(5)
          %14 = mul %13, %7 : tensor<3x1xf64> loc(4)
          %15 = add %14, %14 : tensor<3x1xf64> loc(4)
          %16 = matmul %2, %15 {transpose_lhs} : tensor<2x1xf64> loc(1)
          return %11, %16
        }
    "#]].assert_eq(&joined.to_string());
}

#[test]
fn constants_cost_nothing_and_unreached_parameters_are_said() {
    let text = "func @f(%0 \"x\": tensor<2xT>, %1 \"unused\": tensor<3xT>, %2 \"c\": tensor<2xT>) -> tensor<T> {
       %3 = exp %2 : tensor<2xT>
       %4 = mul %3, %0 : tensor<2xT>
       %5 = sum %4 {axes = [0]} : tensor<T>
       return %5
     }";
    let sweeps = reverse(&function(text, DType::F64), &[0, 1]).expect("differentiable");
    expect![[r#"
        func @f.reverse(%0 "x": tensor<2xf64>, %1 "unused": tensor<3xf64>, %2 "c": tensor<2xf64>, %3 "residual.0": tensor<2xf64>) -> (tensor<2xf64>, tensor<3xf64>) {
          %4 = const 0.0 : tensor<f64>
          %5 = broadcast %4 {axes = []} : tensor<3xf64>
          return %3, %5
        }
    "#]].assert_eq(&sweeps.reverse.to_string());
    assert_eq!(sweeps.reached, [true, false]);
    assert_eq!(sweeps.reads, [false, false, false]);
}

/// Contributions are added in reverse program order: `exp`'s is stored first, though `a * c` comes earlier.
#[test]
fn contributions_come_in_reverse_program_order() {
    let text = "func @f(%0 \"a\": tensor<T>, %1 \"c\": tensor<T>) -> tensor<T> {
       %2 = mul %0, %1 : tensor<T> loc(1)
       %3 = exp %0 : tensor<T> loc(2)
       %4 = add %2, %3 : tensor<T> loc(3)
       return %4
     }";
    let sweeps = reverse(&function(text, DType::F32), &[0]).expect("differentiable");
    expect![[r#"
        func @f.reverse(%0 "a": tensor<f32>, %1 "c": tensor<f32>, %2 "residual.0": tensor<f32>) -> tensor<f32> {
          %3 = add %2, %1 : tensor<f32> loc(1)
          return %3
        }
    "#]].assert_eq(&sweeps.reverse.to_string());
}

#[test]
fn refusals_and_what_nothing_reaches() {
    let loss = function(FIT, DType::F64);
    let refused = |wrt: &[usize]| reverse(&loss, wrt).expect_err("refused").to_string();
    assert_eq!(refused(&[9]), "there is no parameter 9");
    assert_eq!(refused(&[1, 1]), "`b` is listed twice");
    let matrix =
        function("func @f(%0 \"x\": tensor<2xT>) -> tensor<2xT> { return %0 }", DType::F64);
    assert_eq!(
        reverse(&matrix, &[0]).expect_err("no loss").to_string(),
        "a loss is a float scalar, not tensor<2xf64>"
    );
    let integer = function(
        "func @f(%0 \"n\": tensor<i32>, %1 \"x\": tensor<T>) -> tensor<T> { return %1 }",
        DType::F64,
    );
    assert_eq!(reverse(&integer, &[0]).expect_err("an integer").to_string(), "`n` is no float");
    let repeated = function(
        "func @f(%0 \"x\": tensor<T>, %1 \"c\": tensor<T>) -> tensor<T> {
           while %0 : tensor<T> loc(6)
           test(%2: tensor<T>) {
             %3 = lt %2, %1 : tensor<bool>
             yield %3
           }
           do(%4: tensor<T>) {
             %5 = exp %4 : tensor<T>
             yield %5
           }
           gives %6
           return %6
         }",
        DType::F64,
    );
    assert_eq!(reverse(&repeated, &[1]).map(|sweeps| sweeps.reached), Ok(vec![false]));
}

/// An arm's residual leaves the forward sweep's branch as a result, and only the arm that made it reads it.
#[test]
fn the_sweeps_of_a_branch() {
    let text =
        "func @f(%0 \"x\": tensor<T>, %1 \"y\": tensor<T>, %2 \"c\": tensor<bool>) -> tensor<T> {
       if %2 : tensor<T> loc(1)
       then() {
         %3 = exp %0 : tensor<T> loc(2)
         %4 = mul %3, %1 : tensor<T> loc(3)
         yield %4
       }
       else() { yield %0 }
       gives %5
       return %5
     }";
    let sweeps = reverse(&function(text, DType::F64), &[0, 1]).expect("differentiable");
    expect![[r#"
        func @f(%0 "x": tensor<f64>, %1 "y": tensor<f64>, %2 "c": tensor<bool>) -> (tensor<f64>, tensor<f64>) {
          if %2 : tensor<f64>, tensor<f64> loc(1)
          then() {
            %3 = exp %0 : tensor<f64> loc(2)
            %4 = mul %3, %1 : tensor<f64> loc(3)
            yield %4, %3
          }
          else() {
            %5 = const 0.0 : tensor<f64>
            yield %0, %5
          }
          gives %6, %7
          return %6, %7
        }

        func @f.reverse(%0 "x": tensor<f64>, %1 "y": tensor<f64>, %2 "c": tensor<bool>, %3 "residual.0": tensor<f64>) -> (tensor<f64>, tensor<f64>) {
          %4 = const 1.0 : tensor<f64>
          if %2 : tensor<f64>, tensor<f64> loc(1)
          then() {
            %5 = mul %1, %3 : tensor<f64> loc(2)
            yield %5, %3
          }
          else() {
            %6 = const 0.0 : tensor<f64>
            yield %4, %6
          }
          gives %7, %8
          return %7, %8
        }
    "#]].assert_eq(&format!("{}\n{}", sweeps.forward, sweeps.reverse));
}
