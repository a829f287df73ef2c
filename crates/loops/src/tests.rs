//! Programs compute what the graph's evaluator computes, bit for bit, in memory as planned.

mod graphs;
mod machine;

use expect_test::{Expect, expect};
use neuro_ir::{Function, FunctionBuilder, Loc, OpKind, Type};
use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar};
use proptest::prelude::*;

use crate::{lower, may_write_in_place};

fn check_text(function: &Function, expected: Expect) {
    expected.assert_eq(&lower(function).to_string());
}

fn f32s(dims: &[usize]) -> Type {
    Type::new(DType::F32, dims.iter().copied())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_and_graphs_agree(genes in graphs::genes()) {
        let function = graphs::function(&genes);
        machine::check(&function, &graphs::inputs(&function, &genes));
    }
}

#[test]
fn long_sums_use_lanes() {
    for (dims, axes) in [(&[5000][..], &[0][..]), (&[2, 3000, 3], &[0, 1]), (&[2, 4100], &[1])] {
        let mut builder = FunctionBuilder::new("f");
        let x = builder.param("x", f32s(dims));
        let product = builder.mul(x, x, None).unwrap();
        let sum = builder.sum(product, axes, None).unwrap();
        let function = builder.finish([sum]);
        machine::check(&function, &graphs::inputs(&function, &[[7, 1, 2, 3]]));
    }
}

#[test]
fn elementwise_chains_become_one_nest() {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", f32s(&[4, 3]));
    let w = b.param("w", f32s(&[3]));
    let w = b.stretch(w, &[4, 3], None).unwrap();
    let y = b.mul(x, w, None).unwrap();
    let y = b.math(MathFn::Exp, &[y], None).unwrap();
    let z = b.add(y, y, None).unwrap();
    let loss = b.sum(z, &[0, 1], None).unwrap();
    let function = b.finish([loss]);
    check_text(
        &function,
        expect![[r#"
        param 0: b0 4x3xf32
        param 1: b1 3xf32
        result 0: r5 f32
        workspace of 0 bytes
        for i0 < 4 i1 < 3 {
          r0 f32 = b0[3*i0 + i1]
          r1 f32 = b1[i1]
          r2 f32 = mul r0, r1
          r3 f32 = exp r2
          r4 f32 = add r3, r3
          r5 = sum of r4 over the innermost 2
        }
    "#]],
    );
}

#[test]
fn costly_values_with_two_readers_are_computed_once() {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", f32s(&[8]));
    let y = b.math(MathFn::Exp, &[x], None).unwrap();
    let cheap = b.add(x, x, None).unwrap();
    let first = b.mul(y, cheap, None).unwrap();
    let sum = b.sum(y, &[0], None).unwrap();
    let total = b.sum(cheap, &[0], None).unwrap();
    let function = b.finish([first, sum, total]);
    check_text(
        &function,
        expect![[r#"
        param 0: b0 8xf32
        result 0: b1 8xf32
        result 1: r7 f32
        result 2: r10 f32
        workspace b2 8xf32 at 0..32
        workspace of 64 bytes
        for i0 < 8 {
          r0 f32 = b0[i0]
          r1 f32 = exp r0
          b2[i0] = r1
        }
        for i0 < 8 {
          r2 f32 = b2[i0]
          r3 f32 = b0[i0]
          r4 f32 = add r3, r3
          r5 f32 = mul r2, r4
          b1[i0] = r5
        }
        for i0 < 8 {
          r6 f32 = b2[i0]
          r7 = sum of r6 over the innermost 1
        }
        for i0 < 8 {
          r8 f32 = b0[i0]
          r9 f32 = add r8, r8
          r10 = sum of r9 over the innermost 1
        }
    "#]],
    );
}

#[test]
fn buffers_that_are_dead_give_their_place() {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", f32s(&[20, 20]));
    let y = b.matmul(x, x, None).unwrap();
    let y = b.matmul(y, x, None).unwrap();
    let y = b.matmul(y, x, None).unwrap();
    let y = b.transpose(y, &[1, 0], None).unwrap();
    let y = b.matmul(y, x, None).unwrap();
    let function = b.finish([y]);
    check_text(
        &function,
        expect![[r#"
        param 0: b0 20x20xf32
        result 0: b1 20x20xf32
        workspace b2 20x20xf32 at 0..1600
        workspace b3 20x20xf32 at 1600..3200
        workspace b4 20x20xf32 at 0..1600
        workspace of 3200 bytes
        b2 = b0 @ b0 (20 x 20 x 20)
        b3 = b2 @ b0 (20 x 20 x 20)
        b4 = b3 @ b0 (20 x 20 x 20)
        b1 = b4^T @ b0 (20 x 20 x 20)
    "#]],
    );
}

#[test]
fn traps_keep_their_order() {
    let ints = Type::new(DType::I32, [4]);
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", ints.clone());
    let y = b.param("y", ints);
    let product = b.binary(BinOp::Mul, Overflow::Trap, x, y, Some(Loc(1))).unwrap();
    let quotient = b.binary(BinOp::Div, Overflow::Trap, product, y, Some(Loc(2))).unwrap();
    let _dropped = b.binary(BinOp::Add, Overflow::Trap, x, x, Some(Loc(3))).unwrap();
    let function = b.finish([quotient]);
    check_text(
        &function,
        expect![[r#"
        param 0: b0 4xi32
        param 1: b1 4xi32
        result 0: b2 4xi32
        workspace b3 4xi32 at 0..16
        workspace b4 4xi32 at 0..16
        workspace of 64 bytes
        for i0 < 4 {
          r0 i32 = b0[i0]
          r1 i32 = b1[i0]
          r2 i32 = mul r0, r1 checked loc(1)
          b3[i0] = r2
        }
        for i0 < 4 {
          r3 i32 = b3[i0]
          r4 i32 = b1[i0]
          r5 i32 = div r3, r4 checked loc(2)
          b2[i0] = r5
        }
        for i0 < 4 {
          r6 i32 = b0[i0]
          r7 i32 = add r6, r6 checked loc(3)
          b4[i0] = r7
        }
    "#]],
    );
}

#[test]
fn loops_and_branches() {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", f32s(&[3]));
    let n = b.param("n", Type::scalar(DType::I64));
    let zero = b.constant(Scalar::wrap(DType::I64, 0));
    let types = [Type::scalar(DType::I64), f32s(&[3])];
    let carried = b.begin_region(&types);
    let test = b.compare(CmpOp::Lt, carried[0], n, None).unwrap();
    let test = b.end_region([test]);
    let carried = b.begin_region(&types);
    let one = b.constant(Scalar::one(DType::I64));
    let next = b.add(carried[0], one, None).unwrap();
    let doubled = b.add(carried[1], carried[1], None).unwrap();
    let body = b.end_region([next, doubled]);
    let repeated = b.control(OpKind::While, &[zero, x], &[test, body], None).unwrap();
    let results = b.results(repeated).to_vec();
    let function = b.finish(results);
    check_text(
        &function,
        expect![[r#"
            param 0: b0 3xf32
            param 1: r0 i64
            result 0: r2 i64
            result 1: b1 3xf32
            workspace of 0 bytes
            r1 i64 = 0
            for i0 < 3 {
              r3 f32 = b0[i0]
              b1[i0] = r3
            }
            loop r2 = r1 while {
              r4 bool = lt r2, r0
              give r4
            } do {
              r5 i64 = 1
              r6 i64 = add r2, r5
              for i0 < 3 {
                r7 f32 = b1[i0]
                r8 f32 = add r7, r7
                b1[i0] = r8
              }
              give r6
            }
        "#]],
    );
}

#[test]
fn a_result_may_take_the_place_of_what_it_is_computed_from() {
    let build = |kind: &str| {
        let mut b = FunctionBuilder::new("f");
        let x = b.param("x", f32s(&[4, 4]));
        let y = b.param("y", f32s(&[4]));
        let y = b.stretch(y, &[4, 4], None).unwrap();
        let other = match kind {
            "elementwise" => b.math(MathFn::Exp, &[x], None).unwrap(),
            "transposed" => b.transpose(x, &[1, 0], None).unwrap(),
            _ => b.matmul(x, x, None).unwrap(),
        };
        let result = b.sub(x, other, None).unwrap();
        let result = b.mul(result, y, None).unwrap();
        b.finish([result])
    };
    let may = |kind| may_write_in_place(&lower(&build(kind)), 0);
    assert_eq!(
        (may("elementwise"), may("transposed"), may("product")),
        (true, false, true),
        "the product is complete before the result is written"
    );
    assert!(!may_write_in_place(&lower(&build("elementwise")), 1), "of other extents");
}

#[test]
fn tensors_that_fit_into_no_memory_have_programs_too() {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", f32s(&[1 << 40, 1 << 40]));
    let turned = b.transpose(x, &[1, 0], None).unwrap();
    let product = b.matmul(turned, x, None).unwrap();
    let product = b.math(MathFn::Exp, &[product], None).unwrap();
    let sum = b.sum(product, &[0, 1], None).unwrap();
    let program = lower(&b.finish([product, sum]));
    assert!(program.to_string().contains("1099511627776"), "{program}");
    assert_eq!(program.workspace_bytes, u64::MAX);
}

/// Frames of nested loops, of a branch in one, with scalars and tensors: pushed, and popped in the opposite order.
#[test]
fn frames_of_loops() {
    let text =
        "func @f(%0 \"x\": tensor<3xf64>, %1 \"n\": tensor<i64>) -> (tensor<3xf64>, tensor<f64>) {
       %2 = const 0 : tensor<i64>
       %3 = const 1 : tensor<i64>
       %4 = const 0.0 : tensor<f64>
       while %0, %2 : tensor<3xf64>, tensor<i64> loc(1)
       test(%5: tensor<3xf64>, %6: tensor<i64>) {
         %7 = lt %6, %1 : tensor<bool>
         yield %7
       }
       do(%8: tensor<3xf64>, %9: tensor<i64>) {
         while %2 : tensor<i64> loc(2)
         test(%10: tensor<i64>) {
           %11 = lt %10, %9 : tensor<bool>
           yield %11
         }
         do(%12: tensor<i64>) {
           %13 = convert %12 : tensor<f64>
           push %13 {frame = [0]} loc(3)
           %14 = add %12, %3 : tensor<i64>
           yield %14
         }
         gives %15
         %16 = exp %8 : tensor<3xf64>
         %17 = sin %16 : tensor<3xf64>
         push %8, %16, %15 {frame = [1]} loc(4)
         %18 = add %9, %3 : tensor<i64>
         yield %17, %18
       }
       gives %19, %20
       while %19, %4, %1 : tensor<3xf64>, tensor<f64>, tensor<i64> loc(1)
       test(%21: tensor<3xf64>, %22: tensor<f64>, %23: tensor<i64>) {
         %24 = gt %23, %2 : tensor<bool>
         yield %24
       }
       do(%25: tensor<3xf64>, %26: tensor<f64>, %27: tensor<i64>) {
         %28, %29, %30 = pop {frame = [1]} : tensor<3xf64>, tensor<3xf64>, tensor<i64>
         %31 = mul %25, %29 : tensor<3xf64>
         %32 = add %31, %28 : tensor<3xf64>
         while %26, %30 : tensor<f64>, tensor<i64> loc(2)
         test(%33: tensor<f64>, %34: tensor<i64>) {
           %35 = gt %34, %2 : tensor<bool>
           yield %35
         }
         do(%36: tensor<f64>, %37: tensor<i64>) {
           %38 = pop {frame = [0]} : tensor<f64>
           %39 = add %36, %36 : tensor<f64>
           %40 = add %39, %38 : tensor<f64>
           %41 = sub %37, %3 : tensor<i64>
           yield %40, %41
         }
         gives %42, %43
         %44 = sub %27, %3 : tensor<i64>
         yield %32, %42, %44
       }
       gives %45, %46, %47
       return %45, %46
     }";
    let function = neuro_ir::parse(text).expect("a function");
    assert_eq!(neuro_ir::parse(&function.to_string()).as_ref(), Ok(&function));
    let x = neuro_ir::Tensor::from_f64s(Type::new(DType::F64, [3]), &[0.1, -0.4, 0.7]);
    for n in [0, 1, 5] {
        let n = neuro_ir::Tensor::scalar(Scalar::wrap(DType::I64, n));
        machine::check(&function, &[x.clone().expect("fits"), n]);
    }
}

/// A changed element of a carried tensor is changed in place; the frame is computed where it is kept.
#[test]
fn what_dies_is_overwritten() {
    let text = "func @f(%0 \"x\": tensor<8xf64>, %1 \"n\": tensor<i64>) -> tensor<8xf64> {
       %2 = const 0 : tensor<i64>
       %3 = const 1 : tensor<i64>
       while %0, %2 : tensor<8xf64>, tensor<i64> loc(1)
       test(%4: tensor<8xf64>, %5: tensor<i64>) {
         %6 = lt %5, %1 : tensor<bool>
         yield %6
       }
       do(%7: tensor<8xf64>, %8: tensor<i64>) {
         %9 = element %7, %8 : tensor<f64> loc(2)
         %10 = add %9, %9 : tensor<f64>
         %11 = update %7, %10, %8 : tensor<8xf64> loc(3)
         %12 = accumulate %11, %10, %2 : tensor<8xf64> loc(4)
         %13 = exp %12 : tensor<8xf64>
         push %13 {frame = [0]} loc(5)
         %14 = add %8, %3 : tensor<i64>
         yield %12, %14
       }
       gives %15, %16
       return %15
     }";
    check_text(
        &neuro_ir::parse(text).expect("a function"),
        expect![[r#"
        param 0: b0 8xf64
        param 1: r0 i64
        result 0: b1 8xf64
        frame b5 8xf64 at r6 + 0
        workspace of 0 bytes
        r1 i64 = 0
        r2 i64 = 1
        for i0 < 8 {
          r3 f64 = b0[i0]
          b1[i0] = r3
        }
        loop r4 = r1 while {
          r5 bool = lt r4, r0
          give r5
        } do {
          r6 = push frame of 64 bytes loc(5)
          r7 f64 = b1[r4] loc(2)
          r8 f64 = add r7, r7
          b1[r4] = r8 loc(3)
          b1[r1] += r8 loc(4)
          for i0 < 8 {
            r11 f64 = b1[i0]
            r12 f64 = exp r11
            b5[i0] = r12
          }
          r14 i64 = add r4, r2
          give r14
        }
    "#]],
    );
}
