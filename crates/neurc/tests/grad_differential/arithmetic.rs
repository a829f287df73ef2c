//! Operators, broadcast and not.

use crate::harness::{Case, check};

/// Sums `terms`, each an index into `n` sums.
fn scatter(n: usize, terms: impl IntoIterator<Item = (usize, f64)>) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    for (index, term) in terms {
        sums[index] += term;
    }
    sums
}

#[test]
fn sum_of_equal_shapes() {
    check(&Case {
        program: "@grad(wrt: [a, b])
func loss(a: &mut Tensor<T, [2, 3]>, b: &mut Tensor<T, [2, 3]>, c: &Tensor<T, [2, 3]>) -> Tensor<T, []> {
    val total = (a + b) * c
    Tensor::scalar(total.sum())
}",
        inputs: &[(&[2, 3], -1.0, 1.0), (&[2, 3], -1.0, 1.0), (&[2, 3], -1.0, 1.0)],
        rule: |x| vec![x[2].clone(), x[2].clone()],
    });
}

#[test]
fn sum_with_a_row() {
    check(&Case {
        program: "@grad(wrt: [a, b])
func loss(a: &mut Tensor<T, [2, 3]>, b: &mut Tensor<T, [3]>, c: &Tensor<T, [2, 3]>) -> Tensor<T, []> {
    val total = (b + a) * c
    Tensor::scalar(total.sum())
}",
        inputs: &[(&[2, 3], -1.0, 1.0), (&[3], -1.0, 1.0), (&[2, 3], -1.0, 1.0)],
        rule: |x| vec![x[2].clone(), scatter(3, (0..6).map(|i| (i % 3, x[2][i])))],
    });
}

#[test]
fn difference_of_equal_shapes() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [4]>, b: &mut Tensor<T, [4]>) -> Tensor<T, []> {
    val gap = a - b
    Tensor::scalar((&gap * &gap).sum())
}",
        inputs: &[(&[4], -1.0, 1.0), (&[4], -1.0, 1.0)],
        rule: |x| {
            let gap: Vec<f64> = (0..4).map(|i| 2.0 * (x[0][i] - x[1][i])).collect();
            vec![gap.clone(), gap.iter().map(|entry| -entry).collect()]
        },
    });
}

#[test]
fn difference_with_a_column() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 3]>, b: &mut Tensor<T, [2, 1]>) -> Tensor<T, []> {
    val gap = b - a
    Tensor::scalar((&gap * &gap).sum())
}",
        inputs: &[(&[2, 3], -1.0, 1.0), (&[2, 1], -1.0, 1.0)],
        rule: |x| {
            let gap = |i: usize| 2.0 * (x[1][i / 3] - x[0][i]);
            vec![(0..6).map(|i| -gap(i)).collect(), scatter(2, (0..6).map(|i| (i / 3, gap(i))))]
        },
    });
}

#[test]
fn product_of_equal_shapes() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 2]>, b: &mut Tensor<T, [2, 2]>) -> Tensor<T, []> {
    Tensor::scalar((a * b * a).sum())
}",
        inputs: &[(&[2, 2], -1.0, 1.0), (&[2, 2], -1.0, 1.0)],
        rule: |x| {
            let (a, b) = (&x[0], &x[1]);
            vec![(0..4).map(|i| 2.0 * a[i] * b[i]).collect(), (0..4).map(|i| a[i] * a[i]).collect()]
        },
    });
}

#[test]
fn product_where_both_stretch() {
    check(&Case {
        program: "@grad(wrt: [a, b])
func loss(a: &mut Tensor<T, [2, 1]>, b: &mut Tensor<T, [1, 3]>, c: &Tensor<T, [2, 3]>) -> Tensor<T, []> {
    Tensor::scalar((a * b * c).sum())
}",
        inputs: &[(&[2, 1], -1.0, 1.0), (&[1, 3], -1.0, 1.0), (&[2, 3], -1.0, 1.0)],
        rule: |x| {
            let at = |i: usize| (i / 3, i % 3);
            vec![
                scatter(2, (0..6).map(|i| (at(i).0, x[1][at(i).1] * x[2][i]))),
                scatter(3, (0..6).map(|i| (at(i).1, x[0][at(i).0] * x[2][i]))),
            ]
        },
    });
}

#[test]
fn quotient_of_equal_shapes() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>, b: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    Tensor::scalar((a / b).sum())
}",
        inputs: &[(&[3], -1.0, 1.0), (&[3], 0.5, 1.5)],
        rule: |x| {
            let (a, b) = (&x[0], &x[1]);
            vec![
                (0..3).map(|i| 1.0 / b[i]).collect(),
                (0..3).map(|i| -a[i] / (b[i] * b[i])).collect(),
            ]
        },
    });
}

#[test]
fn quotient_with_a_row_above() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>, b: &mut Tensor<T, [2, 3]>) -> Tensor<T, []> {
    Tensor::scalar((a / b).sum())
}",
        inputs: &[(&[3], -1.0, 1.0), (&[2, 3], 0.5, 1.5)],
        rule: |x| {
            let (a, b) = (&x[0], &x[1]);
            vec![
                scatter(3, (0..6).map(|i| (i % 3, 1.0 / b[i]))),
                (0..6).map(|i| -a[i % 3] / (b[i] * b[i])).collect(),
            ]
        },
    });
}

#[test]
fn constants_on_both_sides_of_every_operator() {
    check(&Case {
        program: "const HALF: T = 0.5
@grad
func loss(a: &mut Tensor<T, [3]>, k: T) -> Tensor<T, []> {
    val left = 2.0 - k * (1.0 + a)
    val right = HALF / (a - 3.0) + a / 4.0
    Tensor::scalar((left * right).sum())
}",
        inputs: &[(&[3], -1.0, 1.0), (&[], 0.5, 1.5)],
        rule: |x| {
            let k = x[1][0];
            let slope = |a: f64| {
                let (left, right) = (2.0 - k * (1.0 + a), 0.5 / (a - 3.0) + a / 4.0);
                -k * right + left * (0.25 - 0.5 / ((a - 3.0) * (a - 3.0)))
            };
            vec![x[0].iter().map(|a| slope(*a)).collect()]
        },
    });
}

#[test]
fn an_active_scalar_beside_a_tensor() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 2]>, s: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val scaled = a * s[0] - s[1]
    val turned = s[1] / (a + 3.0)
    Tensor::scalar((scaled * turned).sum())
}",
        inputs: &[(&[2, 2], -1.0, 1.0), (&[2], 0.5, 1.5)],
        rule: |x| {
            let (a, s) = (&x[0], &x[1]);
            let mut gradient = [vec![0.0; 4], vec![0.0; 2]];
            for i in 0..4 {
                let (scaled, turned) = (a[i] * s[0] - s[1], s[1] / (a[i] + 3.0));
                gradient[0][i] = s[0] * turned - scaled * turned / (a[i] + 3.0);
                gradient[1][0] += a[i] * turned;
                gradient[1][1] += -turned + scaled / (a[i] + 3.0);
            }
            gradient.into()
        },
    });
}

#[test]
fn negated_scalars() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val turned = -a[0]
    Tensor::scalar(turned * turned * -(a[1]))
}",
        inputs: &[(&[2], 0.5, 1.5)],
        rule: |x| vec![vec![-2.0 * x[0][0] * x[0][1], -x[0][0] * x[0][0]]],
    });
}

#[test]
fn remainder() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>, b: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    val rest = a % b
    Tensor::scalar((&rest * &rest).sum())
}",
        // Quotients between 3.4 and 3.7: no step of the differences reaches a jump.
        inputs: &[(&[3], 3.0, 3.1), (&[3], 0.84, 0.88)],
        rule: |x| {
            let rest = |i: usize| x[0][i] % x[1][i];
            vec![
                (0..3).map(|i| 2.0 * rest(i)).collect(),
                (0..3).map(|i| -2.0 * rest(i) * (x[0][i] / x[1][i]).trunc()).collect(),
            ]
        },
    });
}

/// The gradient of the squared entries of `a @ b`, both matrices row-major.
fn product_rule(a: &[f64], b: &[f64], [m, k, n]: [usize; 3]) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum::<f64>();
    let mut gradients = vec![vec![0.0; m * k], vec![0.0; k * n]];
    for i in 0..m {
        for j in 0..n {
            let adjoint = 2.0 * entry(i, j);
            for l in 0..k {
                gradients[0][i * k + l] += adjoint * b[l * n + j];
                gradients[1][l * n + j] += adjoint * a[i * k + l];
            }
        }
    }
    gradients
}

#[test]
fn matrix_product() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 3]>, b: &mut Tensor<T, [3, 4]>) -> Tensor<T, []> {
    val product = a @ b
    Tensor::scalar((&product * &product).sum())
}",
        inputs: &[(&[2, 3], -1.0, 1.0), (&[3, 4], -1.0, 1.0)],
        rule: |x| product_rule(&x[0], &x[1], [2, 3, 4]),
    });
}

#[test]
fn matrix_product_of_a_transpose() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3, 2]>, b: &mut Tensor<T, [3, 4]>) -> Tensor<T, []> {
    val product = a.clone().t() @ b
    Tensor::scalar((&product * &product).sum())
}",
        inputs: &[(&[3, 2], -1.0, 1.0), (&[3, 4], -1.0, 1.0)],
        rule: |x| {
            let turned: Vec<f64> = (0..6).map(|i| x[0][(i % 3) * 2 + i / 3]).collect();
            let gradients = product_rule(&turned, &x[1], [2, 3, 4]);
            let back = (0..6).map(|i| gradients[0][(i % 2) * 3 + i / 2]).collect();
            vec![back, gradients[1].clone()]
        },
    });
}
