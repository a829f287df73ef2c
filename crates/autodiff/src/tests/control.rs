//! Branches and loops.

use expect_test::expect;
use neuro_ir::eval;
use neuro_num::DType;

use super::harness::{check, function, gradients, inputs};
use crate::{forward, reverse};

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

/// The third power by a loop that multiplies, `acc = acc * x`: the slope of each iteration depends on the variable.
#[test]
fn powers_by_a_loop() {
    let power = function(
        "func @power(%0 \"x\": tensor<T>, %1 \"n\": tensor<i32>) -> tensor<T> {
           %2 = const 1.0 : tensor<T>
           %3 = const 1 : tensor<i32>
           while %2, %1 : tensor<T>, tensor<i32> loc(1)
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
        assert_eq!(gradients(&power, &[0], &at[..2]), [[slope]], "{n}");
    }
    let sweeps = reverse(&power, &[0]).expect("differentiable");
    expect![[r#"
        func @power(%0 "x": tensor<f64>, %1 "n": tensor<i32>) -> (tensor<f64>, tensor<u64>) {
          %2 = const 1.0 : tensor<f64>
          %3 = const 1 : tensor<i32>
          %4 = const 0 : tensor<u64>
          while %2, %1, %4 : tensor<f64>, tensor<i32>, tensor<u64> loc(1)
          test(%5: tensor<f64>, %6: tensor<i32>, %7: tensor<u64>) {
            %8 = const 0 : tensor<i32>
            %9 = gt %6, %8 : tensor<bool>
            yield %9
          }
          do(%10: tensor<f64>, %11: tensor<i32>, %12: tensor<u64>) {
            %13 = mul %10, %0 : tensor<f64>
            %14 = sub %11, %3 : tensor<i32>
            %15 = const 1 : tensor<u64>
            %16 = add %12, %15 : tensor<u64> loc(1)
            push %10 {frame = [0]} loc(1)
            yield %13, %14, %16
          }
          gives %17, %18, %19
          return %17, %19
        }
        func @power.reverse(%0 "x": tensor<f64>, %1 "n": tensor<i32>, %2 "residual.0": tensor<u64>) -> tensor<f64> {
          %3 = const 1.0 : tensor<f64>
          %4 = const 0.0 : tensor<f64>
          %5 = const 0 : tensor<u64>
          %6 = const 1 : tensor<u64>
          while %2, %3, %4 : tensor<u64>, tensor<f64>, tensor<f64> loc(1)
          test(%7: tensor<u64>, %8: tensor<f64>, %9: tensor<f64>) {
            %10 = ne %7, %5 : tensor<bool> loc(1)
            yield %10
          }
          do(%11: tensor<u64>, %12: tensor<f64>, %13: tensor<f64>) {
            %14 = pop {frame = [0]} : tensor<f64> loc(1)
            %15 = sub %11, %6 : tensor<u64> loc(1)
            %16 = mul %12, %0 : tensor<f64>
            %17 = mul %12, %14 : tensor<f64>
            %18 = add %13, %17 : tensor<f64>
            yield %15, %16, %18
          }
          gives %19, %20, %21
          return %21
        }
    "#]].assert_eq(&format!("{}{}", sweeps.forward, sweeps.reverse));
}

/// Carried tensors, a value from around, one that does not change, a branch and a loop inside, element reads at positions
/// that the loop counts, a store.
#[test]
fn nested_loops() {
    let text = "func @f(%0 \"x\": tensor<2xT>, %1 \"w\": tensor<2x2xT>, %2 \"n\": tensor<i32>) -> tensor<T> {
       %3 = const 0 : tensor<i32>
       %4 = const 1 : tensor<i32>
       %5 = const 0.25 : tensor<T>
       while %0, %5, %3 : tensor<2xT>, tensor<T>, tensor<i32> loc(1)
       test(%6: tensor<2xT>, %7: tensor<T>, %8: tensor<i32>) {
         %9 = lt %8, %2 : tensor<bool>
         yield %9
       }
       do(%10: tensor<2xT>, %11: tensor<T>, %12: tensor<i32>) {
         %13 = sin %1 : tensor<2x2xT>
         %14 = reshape %10 : tensor<2x1xT>
         %15 = matmul %13, %14 : tensor<2x1xT>
         %16 = reshape %15 : tensor<2xT>
         %17 = exp %11 : tensor<T>
         while %17, %3 : tensor<T>, tensor<i32> loc(2)
         test(%18: tensor<T>, %19: tensor<i32>) {
           %20 = lt %19, %12 : tensor<bool>
           yield %20
         }
         do(%21: tensor<T>, %22: tensor<i32>) {
           %23 = rem %22, %4 : tensor<i32> loc(3)
           %24 = element %16, %23 : tensor<T> loc(4)
           %25 = mul %24, %17 : tensor<T>
           %26 = cos %21 : tensor<T>
           %27 = add %25, %26 : tensor<T>
           %28 = add %22, %4 : tensor<i32>
           yield %27, %28
         }
         gives %29, %30
         %31 = gt %29, %5 : tensor<bool>
         if %31 : tensor<2xT>
         then() {
           %32 = const 1 : tensor<i32>
           %33 = mul %29, %29 : tensor<T>
           %34 = update %16, %33, %32 : tensor<2xT> loc(5)
           yield %34
         }
         else() {
           %35 = mul %10, %16 : tensor<2xT>
           yield %35
         }
         gives %36
         %37 = mul %11, %29 : tensor<T>
         %38 = add %12, %4 : tensor<i32>
         yield %36, %37, %38
       }
       gives %39, %40, %41
       %42 = sum %39 {axes = [0]} : tensor<T>
       %43 = mul %42, %40 : tensor<T>
       return %43
     }";
    for n in [1.0, 2.0, 5.0] {
        check(text, &[0, 1], &[&[0.4, 1.1], &[0.3, -0.8, 0.5, 0.9], &[n]]);
    }
    check(text, &[0], &[&[0.4, 1.1], &[0.3, -0.8, 0.5, 0.9], &[0.0]]);
}

/// What no frame needs: counters, what is had from carried values by little, what does not change.
#[test]
fn what_a_loop_keeps() {
    let text =
        "func @f(%0 \"x\": tensor<T>, %1 \"r\": tensor<T>, %2 \"n\": tensor<u64>) -> tensor<T> {
       %3 = const 0 : tensor<u64>
       %4 = const 1 : tensor<u64>
       %5 = const 1.0 : tensor<T>
       while %0, %3 : tensor<T>, tensor<u64> loc(1)
       test(%6: tensor<T>, %7: tensor<u64>) {
         %8 = lt %7, %2 : tensor<bool>
         yield %8
       }
       do(%9: tensor<T>, %10: tensor<u64>) {
         %11 = exp %1 : tensor<T>
         %12 = mul %11, %9 : tensor<T>
         %13 = sub %5, %9 : tensor<T>
         %14 = mul %12, %13 : tensor<T>
         %15 = add %10, %4 : tensor<u64>
         %16 = convert %15 : tensor<T>
         %17 = mul %14, %16 : tensor<T>
         yield %17, %15
       }
       gives %18, %19
       return %18
     }";
    check(text, &[0, 1], &[&[0.3], &[0.1], &[1.0]]);
    check(text, &[0, 1], &[&[0.3], &[0.1], &[6.0]]);
    let primal = neuro_ir::simplify(&function(text, DType::F64));
    let sweeps = reverse(&primal, &[0, 1]).expect("differentiable");
    assert_eq!(sweeps.frame_bytes, [8], "only `x` of each iteration");
    assert_eq!(sweeps.residuals.len(), 2, "the number of iterations and `exp(r)`");
}
