//! Functions made from lists of numbers, so that a shrunk list is a smaller function.

use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};

use crate::{Dense, Dims, Function, FunctionBuilder, Loc, OpKind, Tensor, Type, ValueId};

/// A function of two float tensors, a float, an integer and a mask, and as many tries at an op as there are numbers. Ops
/// that do not suit their operands are left out.
pub(super) fn function(choices: &[u32]) -> Function {
    let mut builder = FunctionBuilder::new("m::f");
    let float = if choices.len().is_multiple_of(2) { DType::F64 } else { DType::F32 };
    let mut values = vec![
        builder.param("x", Type::new(float, [2, 3])),
        builder.param("y", Type::new(float, [3])),
        builder.param("s", Type::scalar(float)),
        builder.param("n \"quoted\"\\", Type::scalar(DType::I32)),
        builder.param("mask", Type::new(DType::Bool, [2, 3])),
    ];
    for choice in choices {
        try_op(&mut builder, &mut values, *choice);
    }
    let results = [values.len() - 1, values.len() / 2].map(|at| values[at]);
    builder.finish(results)
}

/// Inputs for [`function`], made from a number.
pub(super) fn inputs(function: &Function, seed: u32) -> Vec<Tensor> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let special = [0.0, -0.0, 1.0, f64::INFINITY, f64::NAN, -2.5];
    function
        .params()
        .iter()
        .map(|param| {
            let ty = function.ty(*param).clone();
            let data = (0..ty.elements()).map(|_| {
                let number = f64::from(next() % 200) / 16.0 - 6.0;
                let pick = next() % 24;
                let float = special.get(pick as usize).copied().unwrap_or(number);
                Scalar::float(ty.dtype, float)
                    .unwrap_or_else(|| Scalar::wrap(ty.dtype, i128::from(next() % 3)))
            });
            let data = data.collect();
            Tensor::new(ty, data).expect("as many elements as the type has")
        })
        .collect()
}

fn try_op(builder: &mut FunctionBuilder, values: &mut Vec<ValueId>, choice: u32) {
    let mut rest = choice as usize;
    let mut pick = |count: usize| {
        let picked = rest % count;
        rest /= count;
        picked
    };
    let which = pick(18);
    let mut operand = || values[pick(values.len())];
    let (a, b, c) = (operand(), operand(), operand());
    let small = pick(7);
    let ty = builder.ty(a).clone();
    let loc = Some(Loc(choice % 10));
    let overflow = if small % 2 == 0 { Overflow::Trap } else { Overflow::Wrap };
    let constant = Scalar::float(ty.dtype, [0.0, 1.0, -1.0, 2.0, 0.5, -0.0, f64::NAN][small])
        .unwrap_or_else(|| Scalar::wrap(ty.dtype, small as i128));
    let (kind, operands): (OpKind, Vec<ValueId>) = match which {
        0 => (OpKind::Const(constant), vec![]),
        1 => {
            let data: Vec<Scalar> = vec![constant; ty.elements()];
            (OpKind::Dense(Dense::new(ty, data).expect("fits")), vec![])
        }
        2 => (OpKind::Unary { op: UnOp::ALL[small % 2], overflow }, vec![a]),
        3..=5 => {
            let op = BinOp::ALL[pick(10)];
            let kind = OpKind::Binary { op, overflow };
            match builder.broadcasting(kind, &[a, b], loc) {
                Ok(value) => return values.push(value),
                Err(_) => return,
            }
        }
        6 | 7 => {
            let arity = which - 5;
            let functions: Vec<MathFn> =
                MathFn::all().filter(|function| function.arity() == arity).collect();
            let p = builder.splat(constant, &ty.dims);
            (OpKind::Math(functions[pick(functions.len())]), [a, p][..arity].to_vec())
        }
        8 => (OpKind::Compare(CmpOp::ALL[small % 6]), vec![a, b]),
        9 => (OpKind::Select, vec![a, b, c]),
        10 => (OpKind::Convert(DType::ALL[pick(11)]), vec![a]),
        11 => {
            let dims: Dims = std::iter::once(2).chain(ty.dims.iter().copied()).collect();
            (OpKind::Broadcast { dims, axes: (1..=ty.rank()).collect() }, vec![a])
        }
        12 => {
            let dims: Dims = if small % 2 == 0 {
                ty.dims.iter().rev().copied().collect()
            } else {
                std::iter::once(ty.elements()).collect()
            };
            (OpKind::Reshape { dims }, vec![a])
        }
        13 if small == 0 => (OpKind::Detach, vec![a]),
        13 => (OpKind::Transpose { perm: (0..ty.rank()).rev().collect() }, vec![a]),
        14 => (OpKind::Sum { axes: (0..ty.rank().min(small)).collect(), overflow }, vec![a]),
        15 => {
            let kind = OpKind::MatMul {
                transpose_lhs: small % 2 == 0,
                transpose_rhs: small % 3 == 0,
                overflow,
            };
            (kind, vec![a, b])
        }
        16 => {
            let position = builder.constant(Scalar::wrap(DType::U64, (small % 3) as i128));
            let at = if small % 2 == 0 { position } else { b };
            let positions = std::iter::repeat_n(at, ty.rank());
            (OpKind::Element, std::iter::once(a).chain(positions).collect())
        }
        _ => {
            let kind = if small % 2 == 0 {
                OpKind::Pack { dims: [2, 1].as_slice().into() }
            } else {
                OpKind::Scatter { dims: [3].as_slice().into() }
            };
            (kind, vec![a, b])
        }
    };
    // Keeps every value small enough to evaluate.
    if let Ok(value) = builder.op(kind, &operands, loc)
        && builder.ty(value).elements() <= 64
    {
        values.push(value);
    }
}
