//! Branches and loops.

use neuro_ir::eval;
use neuro_num::DType;

use super::harness::{check, function, gradients, inputs};
use crate::forward;

/// Both arms of branches nested in one another, with residuals inside, values from around, and an adjoint that goes through
/// one arm untouched.
#[test]
fn nested_branches() {
    let text = "func @f(%0 \"x\": tensor<2xT>, %1 \"w\": tensor<2x2xT>, %2 \"c\": tensor<bool>,
                        %3 \"d\": tensor<bool>) -> tensor<T> {
       %4 = sin %0 : tensor<2xT>
       if %2 : tensor<2xT>, tensor<T>
       then() {
         %5 = reshape %4 : tensor<2x1xT>
         %6 = matmul %1, %5 : tensor<2x1xT>
         %7 = reshape %6 : tensor<2xT>
         if %3 : tensor<2xT>
         then() {
           %8 = exp %7 : tensor<2xT>
           %9 = mul %8, %4 : tensor<2xT>
           yield %9
         }
         else() { yield %7 }
         gives %10
         %11 = mul %10, %7 : tensor<2xT>
         %12 = sum %11 {axes = [0]} : tensor<T>
         yield %10, %12
       }
       else() {
         %13 = mul %4, %0 : tensor<2xT>
         %14 = sum %13 {axes = [0]} : tensor<T>
         yield %4, %14
       }
       gives %15, %16
       %17 = mul %15, %15 : tensor<2xT>
       %18 = sum %17 {axes = [0]} : tensor<T>
       %19 = mul %18, %16 : tensor<T>
       return %19
     }";
    for (c, d) in [(1.0, 1.0), (1.0, 0.0)] {
        check(text, &[0, 1], &[&[0.4, 1.1], &[0.3, -0.8, 0.5, 0.9], &[c], &[d]]);
    }
    check(text, &[0], &[&[0.4, 1.1], &[0.3, -0.8, 0.5, 0.9], &[0.0], &[0.0]]);
}

fn gradient(text: &str, point: &[&[f64]]) -> Vec<f64> {
    let function = function(text, DType::F64);
    gradients(&function, &[0], &inputs(&function, point)).remove(0)
}

#[test]
fn the_arm_not_taken_is_absent() {
    let inside = "func @f(%0 \"x\": tensor<T>, %1 \"one\": tensor<T>) -> tensor<T> {
       %2 = lt %0, %1 : tensor<bool>
       if %2 : tensor<T>
       then() { yield %0 }
       else() {
         %3 = sqrt %0 : tensor<T>
         %4 = mul %3, %3 : tensor<T>
         yield %4
       }
       gives %5
       return %5
     }";
    assert_eq!(gradient(inside, &[&[0.0], &[1.0]]), [1.0]);
    assert_eq!(gradient(inside, &[&[4.0], &[1.0]]), [1.0]);
    // Computed before the branch and read in the other arm only: no zero times infinity either.
    for op in ["log %0", "div %1, %0"] {
        let before = format!(
            "func @f(%0 \"x\": tensor<2xT>, %1 \"one\": tensor<2xT>, %2 \"c\": tensor<bool>) -> tensor<T> {{
               %3 = {op} : tensor<2xT>
               %4 = sum %3 {{axes = [0]}} : tensor<T>
               %5 = sum %0 {{axes = [0]}} : tensor<T>
               if %2 : tensor<T>
               then() {{ yield %5 }}
               else() {{ yield %4 }}
               gives %6
               return %6
             }}"
        );
        let point: [&[f64]; 2] = [&[0.0, 2.0], &[1.0, 1.0]];
        assert_eq!(gradient(&before, &[point[0], point[1], &[1.0]]), [1.0, 1.0], "{op}");
        assert!(!gradient(&before, &[point[0], point[1], &[0.0]])[0].is_finite(), "{op}");
    }
}

#[test]
fn ties_take_the_arm_that_the_primal_takes() {
    let text = "func @f(%0 \"x\": tensor<T>, %1 \"zero\": tensor<T>) -> tensor<T> {
       %2 = gt %0, %1 : tensor<bool>
       if %2 : tensor<T>
       then() { yield %0 }
       else() { yield %1 }
       gives %3
       if %2 : tensor<T>
       then() { yield %1 }
       else() { yield %0 }
       gives %4
       %5 = add %3, %4 : tensor<T>
       return %5
     }";
    for x in [-1.0, 0.0, 1.0] {
        assert_eq!(gradient(text, &[&[x], &[0.0]]), [1.0], "max(x, 0) + min(x, 0) at {x}");
    }
}

/// Forward mode through a loop: the third power by a loop that multiplies, `acc = acc * x`.
#[test]
fn forward_through_a_loop() {
    let power = function(
        "func @power(%0 \"x\": tensor<T>, %1 \"n\": tensor<i32>) -> tensor<T> {
           %2 = const 1.0 : tensor<T>
           %3 = const 1 : tensor<i32>
           while %2, %1 : tensor<T>, tensor<i32>
           test(%4: tensor<T>, %5: tensor<i32>) {
             %6 = const 0 : tensor<i32>
             %7 = gt %5, %6 : tensor<bool>
             yield %7
           }
           do(%8: tensor<T>, %9: tensor<i32>) {
             %10 = mul %8, %0 : tensor<T>
             %11 = sub %9, %3 : tensor<i32>
             yield %10, %11
           }
           gives %12, %13
           return %12
         }",
        DType::F64,
    );
    let tangent = forward(&power, &[0]).expect("differentiable");
    for (n, x, slope) in [(2.0, 0.5, 1.0), (3.0, 0.5, 0.75), (0.0, 0.5, 0.0)] {
        let at = inputs(&tangent, &[&[x], &[n], &[1.0]]);
        assert_eq!(eval(&tangent, &at).expect("no trap")[1].to_f64s(), [slope], "{n}");
    }
}
