//! Everything that is no arithmetic: elements, literals, calls, fences, updates, branches.

use crate::harness::{Case, check};

#[test]
fn mean_and_sum_together() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 3]>) -> Tensor<T, []> {
    Tensor::scalar(a.sum() * a.mean())
}",
        inputs: &[(&[2, 3], 0.5, 1.5)],
        rule: |x| vec![vec![x[0].iter().sum::<f64>() / 3.0; 6]],
    });
}

#[test]
fn element_reads_add_up() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 2]>) -> Tensor<T, []> {
    val last = 3 - 2
    Tensor::scalar(a[0, 1] * a[1, 0] + a[0, last] * a[last - 1, 1])
}",
        inputs: &[(&[2, 2], -1.0, 1.0)],
        rule: |x| vec![vec![0.0, x[0][2] + 2.0 * x[0][1], x[0][1], 0.0]],
    });
}

#[test]
fn rank_zero_tensors() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, []>) -> Tensor<T, []> {
    val cube = a * a * a
    Tensor::scalar(cube.item() + Tensor::scalar(a.item()).item())
}",
        inputs: &[(&[], 0.5, 1.5)],
        rule: |x| vec![vec![3.0 * x[0][0] * x[0][0] + 1.0]],
    });
}

#[test]
fn literals_with_computed_leaves() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val built: Tensor<T, [2, 2]> = [[a[0], 2.0], [a[0] * a[1], a[1]]]
    val filled = Tensor::<T, [2, 2]>::ones() * a[1]
    Tensor::scalar((built @ filled).sum())
}",
        inputs: &[(&[2], 0.5, 1.5)],
        rule: |x| {
            // The sum of the product is 2 a1 times the sum of the built entries.
            let (a, b) = (x[0][0], x[0][1]);
            let entries = a + 2.0 + a * b + b;
            vec![vec![2.0 * b * (1.0 + b), 2.0 * entries + 2.0 * b * (a + 1.0)]]
        },
    });
}

#[test]
fn clones_and_reuse() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    val copy = a.clone()
    val squares = &copy * a
    val cubes = &squares * &copy
    Tensor::scalar((cubes + squares).sum())
}",
        inputs: &[(&[3], -1.0, 1.0)],
        rule: |x| vec![x[0].iter().map(|a| 3.0 * a * a + 2.0 * a).collect()],
    });
}

#[test]
fn casts_between_floats_carry_and_through_integers_do_not() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val wide = a[0] as f64
    val whole = (a[1] as i32) as T
    Tensor::scalar((wide * wide) as T + whole * a[1])
}",
        inputs: &[(&[2], 2.1, 2.9)],
        rule: |x| vec![vec![2.0 * x[0][0], x[0][1].trunc()]],
    });
}

#[test]
fn updates_of_locals() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2, 2]>, b: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    mut state = a * 2.0
    state += b
    state *= a
    state = &state - 0.5
    mut sum = state.sum()
    sum *= b[0]
    sum += 1.0
    Tensor::scalar(sum)
}",
        inputs: &[(&[2, 2], -1.0, 1.0), (&[2], 0.5, 1.5)],
        rule: |x| {
            let (a, b) = (&x[0], &x[1]);
            let state = |i: usize| (2.0 * a[i] + b[i % 2]) * a[i] - 0.5;
            let sum: f64 = (0..4).map(state).sum();
            vec![
                (0..4).map(|i| b[0] * (4.0 * a[i] + b[i % 2])).collect(),
                vec![b[0] * (a[0] + a[2]) + sum, b[0] * (a[1] + a[3])],
            ]
        },
    });
}

#[test]
fn calls_of_helpers() {
    check(&Case {
        program: "func energy(x: &Tensor<T, [3]>, k: T) -> T {
    val scaled = x * k
    (&scaled * &scaled).sum()
}
func doubled(x: Tensor<T, [3]>) -> Tensor<T, [3]> {
    x * 2.0
}
@grad
func loss(x: &mut Tensor<T, [3]>, y: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    val both = doubled(x + y)
    Tensor::scalar(energy(&both, 0.5) + energy(y, 3.0))
}",
        inputs: &[(&[3], -1.0, 1.0), (&[3], -1.0, 1.0)],
        rule: |x| {
            let both = |i: usize| 2.0 * (x[0][i] + x[1][i]);
            vec![(0..3).map(both).collect(), (0..3).map(|i| both(i) + 18.0 * x[1][i]).collect()]
        },
    });
}

#[test]
fn an_unread_parameter_has_a_gradient_of_zeros() {
    check(&Case {
        program: "@grad
func loss(a: &mut Tensor<T, [2]>, unused: &mut Tensor<T, [3]>) -> Tensor<T, []> {
    Tensor::scalar((a * a).sum())
}",
        inputs: &[(&[2], 0.5, 1.5), (&[3], 0.5, 1.5)],
        rule: |x| vec![x[0].iter().map(|a| 2.0 * a).collect(), vec![0.0; 3]],
    });
}

#[test]
fn parameters_left_out_of_wrt_are_constants() {
    check(&Case {
        program: "@grad(wrt: [b])
func loss(a: Tensor<T, [2]>, b: &mut Tensor<T, [2]>, c: &Tensor<T, [2]>) -> Tensor<T, []> {
    Tensor::scalar((a * b * c).sum())
}",
        inputs: &[(&[2], 0.5, 1.5), (&[2], 0.5, 1.5), (&[2], 0.5, 1.5)],
        rule: |x| vec![(0..2).map(|i| x[0][i] * x[2][i]).collect()],
    });
}

#[test]
fn both_arms_of_a_branch() {
    for (limit, taken) in [(-10.0, false), (10.0, true)] {
        let program = format!(
            "@grad
func loss(a: &mut Tensor<T, [3]>) -> Tensor<T, []> {{
    val error = (a * a).sum()
    mut scale = a[0]
    if error < {limit:?} {{
        scale *= 3.0
    }} else if error == 0.0 {{
        return Tensor::scalar(error)
    }} else {{
        scale = scale * a[1]
    }}
    val clipped = if error < {limit:?} && scale < 100.0 {{ error }} else {{ 2.0 + error.sqrt() }}
    Tensor::scalar(clipped * scale)
}}"
        );
        let rule = move |x: &[Vec<f64>]| {
            let a = &x[0];
            let error: f64 = a.iter().map(|a| a * a).sum();
            let (scale, clipped, slope) = match taken {
                true => (3.0 * a[0], error, 1.0),
                false => (a[0] * a[1], 2.0 + error.sqrt(), 0.5 / error.sqrt()),
            };
            let mut gradient: Vec<f64> = a.iter().map(|a| scale * slope * 2.0 * a).collect();
            match taken {
                true => gradient[0] += 3.0 * clipped,
                false => {
                    gradient[0] += clipped * a[1];
                    gradient[1] += clipped * a[0];
                }
            }
            vec![gradient]
        };
        for float in [crate::harness::Float::F32, crate::harness::Float::F64] {
            crate::harness::check_program(&program, &[(&[3], 0.5, 1.5)], &rule, float);
        }
    }
}

#[test]
fn a_branch_not_taken_is_absent() {
    // The slope of the other arm is infinite here: were it multiplied by zero, the gradient would be no number.
    let program = "@grad
func loss(a: &mut Tensor<T, [2]>) -> Tensor<T, []> {
    val x = a[0]
    val value = if x < 1.0 { x } else { (x - x).sqrt() }
    Tensor::scalar(value + a[1])
}";
    let compiled =
        crate::harness::Compiled::new(program, crate::harness::Float::F64, vec![vec![2]]);
    assert_eq!(compiled.gradients(&[vec![0.0, 0.0]]).1, [[1.0, 1.0]]);
}

#[test]
fn slopes_at_special_points() {
    for (body, at, expected) in [
        // Kinks and infinite slopes whose adjoint is zero.
        ("a[0].abs() + a[1].abs()", [0.0, -2.0], [0.0, -1.0]),
        ("(a * a).sum().sqrt() * 0.0 + a[0]", [0.0, 0.0], [1.0, 0.0]),
        ("a[0].pow(a[1])", [0.0, 1.0], [1.0, 0.0]),
        ("a[0].pow(2.0) + a[1]", [0.0, 0.0], [0.0, 1.0]),
        ("(a[0].exp() + 1.0).log() + a[1]", [1000.0, 0.0], [1.0, 1.0]),
    ] {
        let program = format!(
            "@grad
func loss(a: &mut Tensor<T, [2]>) -> Tensor<T, []> {{
    Tensor::scalar({body})
}}"
        );
        let compiled =
            crate::harness::Compiled::new(&program, crate::harness::Float::F64, vec![vec![2]]);
        assert_eq!(compiled.gradients(&[at.to_vec()]).1, [expected], "{body} at {at:?}");
    }
}

/// The gradient is that of the function with the fenced values frozen: differences of the whole would not agree.
#[test]
fn fenced_values_are_constants() {
    for fence in ["val target = (a * a + 1.0).detach()", "val target = bootstrap(a)"] {
        let program = format!(
            "@no_grad
func bootstrap(a: &Tensor<T, [2]>) -> Tensor<T, [2]> {{
    a * a + 1.0
}}
@grad
func loss(a: &mut Tensor<T, [2]>) -> Tensor<T, []> {{
    {fence}
    val gap = a * 3.0 - target
    Tensor::scalar((&gap * &gap).sum())
}}"
        );
        let compiled =
            crate::harness::Compiled::new(&program, crate::harness::Float::F64, vec![vec![2]]);
        let at = vec![0.5, -1.5];
        let expected: Vec<f64> = at.iter().map(|a| 6.0 * (3.0 * a - (a * a + 1.0))).collect();
        let (loss, gradients) = compiled.gradients(std::slice::from_ref(&at));
        assert_eq!(gradients, [expected], "{fence}");
        assert_eq!(loss.to_bits(), compiled.value(&[at]).to_bits());
    }
}
