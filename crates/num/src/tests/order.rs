//! Tests of the order in which sums and products add.

use crate::{FOLD_LANES, MatMulShape, fold_sum, matmul, sum_f32, sum_f32_strided};

/// Numbers of very different sizes, so that any other order of adding gives other bits.
fn rough(len: usize) -> Vec<f32> {
    let mut state = 1u32;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let sign = if state & 1 == 0 { 1.0 } else { -1.0 };
            sign * f32::from_bits(0x3f80_0000 | (state >> 9)) * 2f32.powi((state >> 5) as i32 % 20)
        })
        .collect()
}

#[test]
fn short_sums_go_left_to_right() {
    let values = rough(FOLD_LANES);
    assert_eq!(sum_f32(&values), values.iter().fold(0.0, |sum, value| sum + value));
    assert_ne!(sum_f32(&values), values.iter().rev().fold(0.0, |sum, value| sum + value));
}

#[test]
fn long_sums_go_in_lanes() {
    let len = 2 * FOLD_LANES + 17;
    let values = rough(len);
    let lanes: Vec<f32> = (0..FOLD_LANES)
        .map(|lane| values.iter().skip(lane).step_by(FOLD_LANES).fold(0.0, |sum, v| sum + v))
        .collect();
    let expected = lanes.iter().fold(0.0, |sum: f32, lane| sum + lane);
    assert_eq!(sum_f32(&values), expected);
    assert_eq!(fold_sum(0.0, len, |at| values[at]), expected);
    let spread: Vec<f32> = values.iter().flat_map(|value| [9.0, *value, 9.0]).collect();
    assert_eq!(sum_f32_strided(&spread, 1, 3, len), expected);
    assert_ne!(expected, values.iter().fold(0.0, |sum, value| sum + value));
}

#[test]
fn products_add_in_increasing_contracted_index() {
    // Extents around the kernel's block sizes.
    for (rows, inner, columns) in [(1, 1, 1), (4, 3, 8), (5, 7, 9), (3, 0, 2), (9, 33, 17)] {
        let a = rough(rows * inner);
        let b = rough(inner * columns);
        let plain: Vec<f32> = (0..rows * columns)
            .map(|at| {
                let (row, column) = (at / columns, at % columns);
                (0..inner).fold(0.0, |sum, k| sum + a[row * inner + k] * b[k * columns + column])
            })
            .collect();
        let transposed = |m: &[f32], rows: usize, columns: usize| -> Vec<f32> {
            (0..m.len()).map(|at| m[(at % rows) * columns + at / rows]).collect()
        };
        for (transpose_lhs, transpose_rhs) in
            [(false, false), (false, true), (true, false), (true, true)]
        {
            let a = if transpose_lhs { transposed(&a, rows, inner) } else { a.clone() };
            let b = if transpose_rhs { transposed(&b, inner, columns) } else { b.clone() };
            let shape = MatMulShape { rows, inner, columns, transpose_lhs, transpose_rhs };
            let mut c = vec![f32::NAN; rows * columns];
            matmul(&mut c, &a, &b, shape);
            assert_eq!(c, plain, "{shape:?}");
        }
    }
}
