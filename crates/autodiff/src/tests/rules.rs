//! Each op's rule on small functions.

use neuro_num::MathFn;

use super::harness::check;

/// Every function of the table on a matrix, times a constant matrix so that the adjoints differ.
#[test]
fn math_functions() {
    for function in MathFn::all() {
        let name = function.name();
        let flat = function.row().partials.iter().all(|partial| partial.is_flat());
        // Within the domain.
        let points = match function {
            MathFn::Asin | MathFn::Acos => [0.4, -0.3, 0.9, 0.7],
            _ => [0.4, 1.3, 2.0, 0.7],
        };
        if function.arity() == 1 && !flat {
            check(
                &format!(
                    "func @f(%0 \"x\": tensor<2x2xT>, %1 \"c\": tensor<2x2xT>) -> tensor<T> {{
                       %2 = {name} %0 : tensor<2x2xT> loc(1)
                       %3 = mul %2, %1 : tensor<2x2xT>
                       %4 = sum %3 {{axes = [0, 1]}} : tensor<T>
                       return %4
                     }}"
                ),
                &[0],
                &[&points, &[1.0, -2.0, 0.5, 3.0]],
            );
            check(
                &format!(
                    "func @f(%0 \"x\": tensor<T>) -> tensor<T> {{
                       %1 = {name} %0 : tensor<T> loc(1)
                       %2 = mul %1, %1 : tensor<T>
                       return %2
                     }}"
                ),
                &[0],
                &[&[0.6]],
            );
        }
    }
}

/// Both arguments active, and one.
#[test]
fn math_functions_of_two_arguments() {
    for function in MathFn::all().filter(|function| function.arity() == 2) {
        for wrt in [&[0, 1][..], &[0], &[1]] {
            if wrt.iter().any(|index| function.row().partials[*index].is_flat()) {
                continue;
            }
            check(
                &format!(
                    "func @f(%0 \"x\": tensor<3xT>, %1 \"p\": tensor<3xT>, %2 \"c\": tensor<3xT>) -> tensor<T> {{
                       %3 = {function} %0, %1 : tensor<3xT>
                       %4 = mul %3, %2 : tensor<3xT>
                       %5 = sum %4 {{axes = [0]}} : tensor<T>
                       return %5
                     }}"
                ),
                wrt,
                &[&[0.4, 1.3, 2.0], &[1.7, 0.6, 1.1], &[1.0, -2.0, 0.5]],
            );
        }
    }
}

/// What is flat contributes nothing.
#[test]
fn steps() {
    for name in ["floor", "ceil", "round", "trunc"] {
        check(
            &format!(
                "func @f(%0 \"x\": tensor<3xT>) -> tensor<T> {{
                   %1 = {name} %0 : tensor<3xT>
                   %2 = mul %1, %0 : tensor<3xT>
                   %3 = sum %2 {{axes = [0]}} : tensor<T>
                   return %3
                 }}"
            ),
            &[0],
            &[&[1.4, -2.3, 2.7]],
        );
    }
}

#[test]
fn powers() {
    // Base and exponent active, the exponent stretched.
    check(
        "func @f(%0 \"x\": tensor<3xT>, %1 \"p\": tensor<T>, %2 \"c\": tensor<3xT>) -> tensor<T> {
           %3 = broadcast %1 {axes = []} : tensor<3xT>
           %4 = pow %0, %3 : tensor<3xT>
           %5 = mul %4, %2 : tensor<3xT>
           %6 = sum %5 {axes = [0]} : tensor<T>
           return %6
         }",
        &[0, 1],
        &[&[0.4, 1.3, 2.0], &[1.7], &[1.0, -2.0, 0.5]],
    );
    for power in ["3.0", "2.0", "0.5", "-1.0", "1.0"] {
        check(
            &format!(
                "func @f(%0 \"x\": tensor<T>) -> tensor<T> {{
                   %1 = const {power} : tensor<T>
                   %2 = pow %0, %1 : tensor<T>
                   %3 = mul %2, %0 : tensor<T>
                   %4 = exp %3 : tensor<T>
                   return %4
                 }}"
            ),
            &[0],
            &[&[0.8]],
        );
    }
}

/// Each arithmetic operation on every pair of shapes that broadcasting gives it.
#[test]
fn arithmetic_broadcast_and_not() {
    for op in ["add", "sub", "mul", "div", "rem"] {
        for (left, left_axes, right, right_axes) in [
            ("2x3x", "", "2x3x", ""),
            ("2x3x", "", "3x", "[1]"),
            ("", "[]", "2x3x", ""),
            ("2x1x", "[0, 1]", "1x3x", "[0, 1]"),
            ("2x1x", "[0, 1]", "2x3x", ""),
        ] {
            let stretch = |number: u32, source: u32, axes: &str| {
                if axes.is_empty() {
                    return (String::new(), source);
                }
                let op = "broadcast";
                (format!("%{number} = {op} %{source} {{axes = {axes}}} : tensor<2x3xT>\n"), number)
            };
            let (first, a) = stretch(3, 0, left_axes);
            let (second, b) = stretch(4, 1, right_axes);
            let text = format!(
                "func @f(%0 \"a\": tensor<{left}T>, %1 \"b\": tensor<{right}T>,
                         %2 \"c\": tensor<2x3xT>) -> tensor<T> {{
                   {first}{second}
                   %5 = {op} %{a}, %{b} : tensor<2x3xT>
                   %6 = mul %5, %2 : tensor<2x3xT>
                   %7 = mul %6, %5 : tensor<2x3xT>
                   %8 = sum %7 {{axes = [0, 1]}} : tensor<T>
                   return %8
                 }}"
            );
            let values = |shape: &str, base: &[f64; 6]| {
                let count = shape.split('x').filter_map(|dim| dim.parse::<usize>().ok()).product();
                base[..count].to_vec()
            };
            let a = values(left, &[7.3, -4.1, 5.2, 9.9, -6.6, 3.1]);
            let b = values(right, &[1.4, 2.3, -1.1, 1.9, 0.8, -2.7]);
            check(&text, &[0, 1], &[&a, &b, &[1.0, -2.0, 0.5, 3.0, 0.25, -1.0]]);
        }
    }
}

#[test]
fn negation_selection_conversion() {
    check(
        "func @f(%0 \"x\": tensor<3xT>, %1 \"mask\": tensor<3xbool>, %2 \"c\": tensor<3xT>) -> tensor<T> {
           %3 = neg %0 : tensor<3xT>
           %4 = exp %3 : tensor<3xT>
           %5 = mul %0, %0 : tensor<3xT>
           %6 = select %1, %4, %5 : tensor<3xT>
           %7 = mul %6, %2 : tensor<3xT>
           %8 = sum %7 {axes = [0]} : tensor<T>
           return %8
         }",
        &[0],
        &[&[0.4, -1.3, 2.0], &[1.0, 0.0, 1.0], &[1.0, -2.0, 0.5]],
    );
    check(
        "func @f(%0 \"x\": tensor<2xT>) -> tensor<T> {
           %1 = convert %0 : tensor<2xf64>
           %2 = mul %1, %1 : tensor<2xf64>
           %3 = convert %2 : tensor<2xT>
           %4 = sum %3 {axes = [0]} : tensor<T>
           return %4
         }",
        &[0],
        &[&[0.5, -1.25]],
    );
}

#[test]
fn products_in_every_orientation() {
    for (ta, tb) in [(false, false), (false, true), (true, false), (true, true)] {
        let a = if ta { "3x2xT" } else { "2x3xT" };
        let b = if tb { "4x3xT" } else { "3x4xT" };
        let flags: Vec<&str> = [(ta, "transpose_lhs"), (tb, "transpose_rhs")]
            .iter()
            .filter(|f| f.0)
            .map(|f| f.1)
            .collect();
        let flags =
            if flags.is_empty() { String::new() } else { format!("{{{}}}", flags.join(", ")) };
        check(
            &format!(
                "func @f(%0 \"a\": tensor<{a}>, %1 \"b\": tensor<{b}>) -> tensor<T> {{
                   %2 = matmul %0, %1 {flags} : tensor<2x4xT>
                   %3 = sin %2 : tensor<2x4xT>
                   %4 = sum %3 {{axes = [0, 1]}} : tensor<T>
                   return %4
                 }}"
            ),
            &[0, 1],
            &[
                &[0.1, -0.2, 0.3, 0.4, 0.5, -0.6],
                &[0.9, 0.8, -0.7, 0.6, 0.5, 0.4, 0.3, -0.2, 0.1, 0.2, -0.3, 0.4],
            ],
        );
    }
}

#[test]
fn shapes_sums_and_means() {
    check(
        "func @f(%0 \"x\": tensor<2x3x2xT>) -> tensor<T> {
           %1 = transpose %0 {perm = [2, 0, 1]} : tensor<2x2x3xT>
           %2 = reshape %1 : tensor<4x3xT>
           %3 = sum %2 {axes = [0]} : tensor<3xT>
           %4 = const 4.0 : tensor<T>
           %5 = broadcast %4 {axes = []} : tensor<3xT>
           %6 = div %3, %5 : tensor<3xT>
           %7 = tanh %6 : tensor<3xT>
           %8 = broadcast %7 {axes = [1]} : tensor<2x3xT>
           %9 = sum %0 {axes = [2]} : tensor<2x3xT>
           %10 = mul %8, %9 : tensor<2x3xT>
           %11 = sum %10 {axes = [0, 1]} : tensor<T>
           return %11
         }",
        &[0],
        &[&[0.1, -0.2, 0.3, 0.4, 0.5, -0.6, 0.7, 0.8, -0.9, 1.0, 1.1, 0.2]],
    );
}

#[test]
fn elements_literals_and_places() {
    check(
        "func @f(%0 \"x\": tensor<2x2xT>, %1 \"i\": tensor<i32>) -> tensor<T> {
           %2 = const 1 : tensor<u64>
           %3 = element %0, %1, %2 : tensor<T> loc(1)
           %4 = element %0, %1, %1 : tensor<T> loc(2)
           %5 = mul %3, %4 : tensor<T>
           %6 = pack %3, %5, %4, %3 : tensor<4xT>
           %7 = exp %6 : tensor<4xT>
           %8 = scatter %5, %1 : tensor<4xT> loc(3)
           %9 = mul %7, %8 : tensor<4xT>
           %10 = add %9, %7 : tensor<4xT>
           %11 = sum %10 {axes = [0]} : tensor<T>
           return %11
         }",
        &[0],
        &[&[0.3, 0.7, 2.0, 9.0], &[0.0]],
    );
}

/// A loss as people write it, by closed form: `mean((x @ w - y)^2)` has the gradient `2 / n * xᵀ (x @ w - y)`.
#[test]
fn a_linear_fit() {
    let gradients = check(
        "func @loss(%0 \"w\": tensor<2x1xT>, %1 \"x\": tensor<3x2xT>, %2 \"y\": tensor<3x1xT>) -> tensor<T> {
           %3 = matmul %1, %0 : tensor<3x1xT>
           %4 = sub %3, %2 : tensor<3x1xT>
           %5 = mul %4, %4 : tensor<3x1xT>
           %6 = sum %5 {axes = [0, 1]} : tensor<T>
           %7 = const 3.0 : tensor<T>
           %8 = div %6, %7 : tensor<T>
           return %8
         }",
        &[0],
        &[&[0.5, -1.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1.0, 0.0, -1.0]],
    );
    // Residuals -2.5, -2.5, -2.5.
    let expected = [-2.5 * 9.0 * 2.0 / 3.0, -2.5 * 12.0 * 2.0 / 3.0];
    for (a, b) in gradients[0].iter().zip(expected) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}
