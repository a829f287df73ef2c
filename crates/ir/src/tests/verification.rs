//! Tests of the verifier.

use neuro_num::{BinOp, DType, Overflow};

use crate::{Function, FunctionBuilder, Loc, OpId, Type, ValueDef, ValueId, verify};

/// `a + b` twice, then a trapping integer sum.
fn sound() -> Function {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", Type::new(DType::F64, [2]));
    let n = b.param("n", Type::scalar(DType::I32));
    let y = b.add(x, x, None).expect("fits");
    let z = b.add(y, x, None).expect("fits");
    let m = b.binary(BinOp::Add, Overflow::Trap, n, n, Some(Loc(1))).expect("fits");
    b.finish([z, m])
}

fn refused(change: impl FnOnce(&mut Function)) -> String {
    let mut function = sound();
    assert_eq!(verify(&function), Ok(()));
    change(&mut function);
    verify(&function).expect_err("broken").to_string()
}

#[test]
fn every_rule_can_fail() {
    assert_eq!(
        refused(|f| f.ops[0].operands[0] = ValueId(99)),
        "%2 (add), rule 1: %99 does not exist"
    );
    assert_eq!(
        refused(|f| {
            let twice = f.regions[0].ops[0];
            f.regions[0].ops.push(twice);
        }),
        "%2 (add), rule 2: the op stands in two places"
    );
    assert_eq!(
        refused(|f| {
            f.regions[0].ops.remove(2);
            f.regions[0].results.pop();
        }),
        "@f (func), rule 2: an op stands in no region"
    );
    assert_eq!(
        refused(|f| f.values[2].def = ValueDef::Result { op: OpId(1), index: 0 }),
        "%2 (add), rule 3: %2 says that it is defined elsewhere"
    );
    assert_eq!(
        refused(|f| f.regions[0].ops.swap(0, 1)),
        "%3 (add), rule 4: %2 is used before its definition"
    );
    assert_eq!(
        refused(|f| f.ops[0].operands[1] = ValueId(1)),
        "%2 (add), rule 5: operands have different types, tensor<2xf64> and tensor<i32>"
    );
    assert_eq!(
        refused(|f| f.values[3].ty = Type::scalar(DType::F64)),
        "%3 (add), rule 5: its results are tensor<2xf64>"
    );
    assert_eq!(
        refused(|f| f.ops[2].loc = None),
        "%4 (add), rule 6: it can trap and has no location"
    );
    assert_eq!(
        refused(|f| f.values[0].ty = Type::new(DType::F64, [1 << 40, 1 << 40])),
        "@f (func), rule 7: tensor<1099511627776x1099511627776xf64> does not fit the address space"
    );
    assert_eq!(
        refused(|f| {
            f.param_names.pop();
        }),
        "@f (func), rule 8: parameters and names differ in number"
    );
}

#[test]
fn the_builder_refuses_what_does_not_suit() {
    let mut b = FunctionBuilder::new("f");
    let x = b.param("x", Type::new(DType::F64, [2, 3]));
    let y = b.param("y", Type::new(DType::F64, [2]));
    let n = b.param("n", Type::scalar(DType::I32));
    let at = Some(Loc(5));
    let reasons = [
        b.add(x, y, at).expect_err("differ"),
        b.broadcasting(crate::OpKind::Select, &[x, y], at).expect_err("do not broadcast"),
        b.matmul(x, x, at).expect_err("inner extents"),
        b.math(neuro_num::MathFn::Exp, &[n], at).expect_err("no float"),
        b.reshape(x, &[4], at).expect_err("count"),
        b.transpose(x, &[1, 1], at).expect_err("no order"),
        b.element(x, &[n], at).expect_err("one position short"),
        b.select(x, x, x, at).expect_err("no mask"),
        b.broadcast(y, &[3, 2], &[0], at).expect_err("does not stretch"),
    ]
    .map(|error| error.to_string());
    expect_test::expect![[r#"
        add: operands have different types, tensor<2x3xf64> and tensor<2xf64> at loc(5)
        select: shapes [2, 3] and [2] do not broadcast at loc(5)
        matmul: inner extents 3 and 2 differ in tensor<2x3xf64> and tensor<2x3xf64> at loc(5)
        exp: is defined on floats, not on i32 at loc(5)
        reshape: tensor<2x3xf64> has 6 elements, tensor<4xf64> has 4 at loc(5)
        transpose: [1, 1] is no order of the axes of tensor<2x3xf64> at loc(5)
        element: needs 2 positions, not 1 at loc(5)
        select: the mask is bool, not tensor<2x3xf64> at loc(5)
        broadcast: axis 0 of tensor<2xf64> does not stretch to 3 at loc(5)"#]]
    .assert_eq(&reasons.join("\n"));
}
