//! Compiled graphs give the bits, and the traps, of the graph's evaluator.

#[path = "../../../loops/src/tests/graphs.rs"]
mod graphs;
mod machine;

use neuro_ir::{Dense, Function, FunctionBuilder, Loc, OpKind, Tensor, Type, ValueId};
use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};
use proptest::prelude::*;

use machine::check;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 250,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn code_and_graphs_agree(genes in graphs::genes()) {
        let function = graphs::function(&genes);
        check(&function, &[&graphs::inputs(&function, &genes)]);
    }
}

/// Checks the graph that `build` makes of parameters of these types, at two inputs.
fn check_graph(types: &[Type], build: impl FnOnce(&mut FunctionBuilder, &[ValueId]) -> ValueId) {
    let mut builder = FunctionBuilder::new("tested");
    let params: Vec<ValueId> = types.iter().map(|ty| builder.param("x", ty.clone())).collect();
    let result = build(&mut builder, &params);
    let function = builder.finish([result]);
    let seeds = [[1, 2, 3, 4], [8, 7, 6, 5]];
    let inputs = seeds.map(|seed| graphs::inputs(&function, &[seed]));
    check(&function, &[&inputs[0], &inputs[1]]);
}

fn tensor(dtype: DType, dims: &[usize]) -> Type {
    Type::new(dtype, dims.iter().copied())
}

/// Extents around the numbers of lanes of a vector and of vectors side by side.
const ODD: [&[usize]; 5] = [&[3], &[37], &[64], &[3, 37], &[5, 4, 7]];

#[test]
fn float_elementwise_ops_at_any_extent() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        for dims in ODD {
            let ty = tensor(dtype, dims);
            for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem] {
                check_graph(&[ty.clone(), ty.clone()], |b, p| {
                    b.binary(op, Overflow::Wrap, p[0], p[1], None).unwrap()
                });
            }
            for op in CmpOp::ALL {
                check_graph(&[ty.clone(), ty.clone()], |b, p| {
                    let near = b.mul(p[0], p[0], None).unwrap();
                    let root = b.math(MathFn::Sqrt, &[near], None).unwrap();
                    let mask = b.compare(op, p[0], root, None).unwrap();
                    let other = b.neg(p[1], None).unwrap();
                    b.select(mask, p[1], other, None).unwrap()
                });
            }
        }
        for function in MathFn::all() {
            let ty = tensor(dtype, &[2, 19]);
            check_graph(&[ty.clone(), ty], |b, p| {
                b.math(function, &p[..function.arity()], None).unwrap()
            });
        }
    }
}

#[test]
fn integer_elementwise_ops_of_every_type() {
    let numbers = DType::ALL.into_iter().filter(|dtype| dtype.is_int());
    for (dtype, overflow) in
        numbers.flat_map(|dtype| [Overflow::Wrap, Overflow::Trap].map(|overflow| (dtype, overflow)))
    {
        let data: Vec<Scalar> = [0, 1, 2, 3, 7, -1, -2, 100, i128::from(i64::MIN), i128::MAX]
            .map(|number| Scalar::wrap(dtype, number))
            .into_iter()
            .chain(dtype.int_range().map(|(min, _)| Scalar::wrap(dtype, min)))
            .collect();
        let every = |op: BinOp, lhs: Scalar, rhs: Scalar| {
            let mut b = FunctionBuilder::new("tested");
            let ty = tensor(dtype, &[1]);
            let (x, y) = (b.param("x", ty.clone()), b.param("y", ty.clone()));
            let result = b.binary(op, overflow, x, y, Some(Loc(3))).unwrap();
            let inputs = [lhs, rhs].map(|value| Tensor::new(ty.clone(), vec![value]).unwrap());
            (b.finish([result]), inputs.to_vec())
        };
        for op in BinOp::ALL {
            let pairs = data.iter().flat_map(|lhs| data.iter().map(move |rhs| (*lhs, *rhs)));
            let cases: Vec<(Function, Vec<Tensor>)> =
                pairs.map(|(lhs, rhs)| every(op, lhs, rhs)).collect();
            let inputs: Vec<&[Tensor]> = cases.iter().map(|(_, inputs)| &inputs[..]).collect();
            check(&cases[0].0, &inputs);
        }
        check_graph(&[tensor(dtype, &[6])], |b, p| {
            let not = b.unary(UnOp::Not, overflow, p[0], Some(Loc(1))).unwrap();
            b.unary(UnOp::Neg, overflow, not, Some(Loc(2))).unwrap()
        });
    }
}

/// Between two neighbours of `bf16`, and next to a value of `f64` in the middle of them.
const TIE: i128 = (1 << 60) + (1 << 52);
const MAX_INT: i128 = i64::MAX as i128;
const MAX_UINT: i128 = u64::MAX as i128;

#[test]
fn casts_between_all_types() {
    let values = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        1.5,
        -1.5,
        127.9,
        128.0,
        -129.0,
        255.5,
        256.0,
        3e4,
        7e4,
        -7e4,
        2.2e9,
        -2.2e9,
        4.3e9,
        1e10,
        9.3e18,
        -9.3e18,
        1.9e19,
        1e300,
        -1e300,
        f64::INFINITY,
        f64::NAN,
        16_777_217.0,
        9_007_199_254_740_993.0,
    ];
    let integers = [0, 1, -1, 127, 128, 255, 16_777_217, TIE + 1, -TIE - 1, TIE, MAX_INT, MAX_UINT];
    for from in DType::ALL {
        let data: Vec<Scalar> = if from.is_float() {
            values.iter().filter_map(|value| Scalar::float(from, *value)).collect()
        } else {
            integers.iter().map(|value| Scalar::wrap(from, *value)).collect()
        };
        let ty = tensor(from, &[data.len()]);
        for to in DType::ALL {
            let mut b = FunctionBuilder::new("tested");
            let x = b.param("x", ty.clone());
            let result = b.convert(x, to, None).unwrap();
            let function = b.finish([result]);
            check(&function, &[&[Tensor::new(ty.clone(), data.clone()).unwrap()]]);
        }
    }
}

#[test]
fn broadcasts_transposes_reshapes() {
    for dtype in [DType::F32, DType::F64, DType::I16] {
        for (dims, other) in [
            (&[5, 37][..], &[37][..]),
            (&[5, 37], &[5, 1]),
            (&[2, 5, 37], &[1, 1]),
            (&[2, 5, 37], &[5, 1]),
            (&[1, 37], &[5, 1]),
        ] {
            check_graph(&[tensor(dtype, dims), tensor(dtype, other)], |b, p| {
                let kind = OpKind::Binary { op: BinOp::Add, overflow: Overflow::Wrap };
                b.broadcasting(kind, p, None).unwrap()
            });
        }
        check_graph(&[tensor(dtype, &[5, 37]), tensor(dtype, &[37, 5])], |b, p| {
            let turned = b.transpose(p[1], &[1, 0], None).unwrap();
            let sum = b.add(p[0], turned, None).unwrap();
            let flat = b.reshape(sum, &[185], None).unwrap();
            let twice = b.add(flat, flat, None).unwrap();
            b.reshape(twice, &[37, 1, 5], None).unwrap()
        });
        check_graph(&[tensor(dtype, &[3, 4, 5])], |b, p| {
            let turned = b.transpose(p[0], &[2, 0, 1], None).unwrap();
            b.add(turned, turned, None).unwrap()
        });
        let data: Vec<Scalar> = (0..12).map(|number| Scalar::wrap(dtype, number)).collect();
        check_graph(&[tensor(dtype, &[3, 4])], |b, p| {
            let constant = b.dense(Dense::new(tensor(dtype, &[3, 4]), data).unwrap());
            b.sub(p[0], constant, None).unwrap()
        });
    }
}

#[test]
fn sums_short_and_long() {
    for dtype in [DType::F32, DType::F64, DType::I32] {
        for (dims, axes) in [
            (&[37][..], &[0][..]),
            (&[9, 37], &[0]),
            (&[9, 37], &[1]),
            (&[4, 9, 37], &[0, 2]),
            (&[4, 9, 37], &[1]),
            (&[2, 2], &[]),
            (&[4096], &[0]),
            (&[5000], &[0]),
            (&[2, 4100], &[1]),
            (&[4100, 2], &[0]),
            (&[2, 700, 9], &[0, 2]),
            (&[8193, 1], &[0]),
            (&[3, 0], &[1]),
        ] {
            check_graph(&[tensor(dtype, dims)], |b, p| {
                let product = b.mul(p[0], p[0], None).unwrap();
                b.sum(product, axes, None).unwrap()
            });
        }
        check_graph(&[tensor(dtype, &[70, 70])], |b, p| {
            let turned = b.transpose(p[0], &[1, 0], None).unwrap();
            let sum = b.add(turned, p[0], None).unwrap();
            b.sum(sum, &[0, 1], None).unwrap()
        });
    }
}

#[test]
fn products_small_and_large() {
    for dtype in [DType::F32, DType::F64, DType::I32, DType::U8] {
        for (rows, inner, columns) in [(3, 4, 5), (1, 7, 1), (20, 31, 18), (5, 1, 37), (2, 0, 3)] {
            for (transpose_lhs, transpose_rhs) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                let lhs = if transpose_lhs { [inner, rows] } else { [rows, inner] };
                let rhs = if transpose_rhs { [columns, inner] } else { [inner, columns] };
                check_graph(&[tensor(dtype, &lhs), tensor(dtype, &rhs)], |b, p| {
                    let overflow = Overflow::Wrap;
                    let kind = OpKind::MatMul { transpose_lhs, transpose_rhs, overflow };
                    let turned = b.transpose(p[0], &[1, 0], None).unwrap();
                    let same = b.transpose(turned, &[1, 0], None).unwrap();
                    b.op(kind, &[same, p[1]], None).unwrap()
                });
            }
        }
    }
}

#[test]
fn checked_integers_trap_where_the_evaluator_does() {
    let ty = tensor(DType::I8, &[2, 2]);
    check_graph(&[ty.clone(), ty], |b, p| {
        let kind =
            OpKind::MatMul { transpose_lhs: false, transpose_rhs: false, overflow: Overflow::Trap };
        let great = b.constant(Scalar::wrap(DType::I8, 100));
        let great = b.stretch(great, &[2, 2], None).unwrap();
        let x = b.binary(BinOp::Or, Overflow::Wrap, p[0], great, None).unwrap();
        b.op(kind, &[x, x], Some(Loc(5))).unwrap()
    });
    check_graph(&[tensor(DType::U8, &[300])], |b, p| {
        let kind = OpKind::Sum { axes: [0].into_iter().collect(), overflow: Overflow::Trap };
        let sum = b.op(kind, &[p[0]], Some(Loc(6))).unwrap();
        let zero = b.sub(sum, sum, None).unwrap();
        b.binary(BinOp::Div, Overflow::Trap, sum, zero, Some(Loc(7))).unwrap()
    });
}

#[test]
fn assertions_and_positions() {
    check_graph(&[tensor(DType::F32, &[3, 4]), Type::scalar(DType::I64)], |b, p| {
        let two = b.constant(Scalar::wrap(DType::U8, 2));
        let element = b.element(p[0], &[p[1], two], Some(Loc(9))).unwrap();
        let zero = b.constant(Scalar::f32(0.0));
        let holds = b.compare(CmpOp::Gt, element, zero, None).unwrap();
        b.assert(holds, "positive", Some(Loc(4))).unwrap();
        b.scatter(element, &[two, p[1]], &[3, 4], None).unwrap()
    });
}
