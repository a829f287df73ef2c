//! Tests of printing and parsing.

use expect_test::expect;
use neuro_num::{CmpOp, DType, MathFn, Overflow, Scalar};
use proptest::prelude::*;

use super::random;
use crate::{FunctionBuilder, Loc, OpKind, Type, parse, verify};

proptest! {
    #[test]
    fn parse_reads_what_print_writes(choices in prop::collection::vec(any::<u32>(), 0..40)) {
        let function = random::function(&choices);
        prop_assert_eq!(verify(&function), Ok(()));
        let text = function.to_string();
        let again = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&again, &function, "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    /// Any text is read or refused, never a panic.
    #[test]
    fn broken_text_is_refused(
        choices in prop::collection::vec(any::<u32>(), 0..12),
        at in any::<prop::sample::Index>(),
        insert in "[ -~\n]{0,3}",
    ) {
        let text = random::function(&choices).to_string();
        let text = text.trim_end();
        let at = at.index(text.len());
        prop_assert!(parse(&text[..at]).is_err());
        let _ = parse(&format!("{}{insert}{}", &text[..at], &text[at..]));
    }
}

#[test]
fn a_small_function() {
    let mut b = FunctionBuilder::new("fit::loss");
    let w = b.param("w", Type::new(DType::F64, [2, 1]));
    let x = b.param("x", Type::new(DType::F64, [3, 2]));
    let y = b.matmul(x, w, Some(Loc(1))).expect("fits");
    let y = b.math(MathFn::Tanh, &[y], Some(Loc(2))).expect("fits");
    let mean = b.mean(y, &[0, 1], Some(Loc(3))).expect("fits");
    let function = b.finish([mean]);
    expect![[r#"
        func @fit::loss(%0 "w": tensor<2x1xf64>, %1 "x": tensor<3x2xf64>) -> tensor<f64> {
          %2 = matmul %1, %0 : tensor<3x1xf64> loc(1)
          %3 = tanh %2 : tensor<3x1xf64> loc(2)
          %4 = sum %3 {axes = [0, 1]} : tensor<f64> loc(3)
          %5 = const 3.0 : tensor<f64>
          %6 = div %4, %5 : tensor<f64> loc(3)
          return %6
        }
    "#]]
    .assert_eq(&function.to_string());
}

#[test]
fn regions() {
    let mut b = FunctionBuilder::new("count");
    let start = b.param("start", Type::scalar(DType::I32));
    let ty = Type::scalar(DType::I32);
    let carried = b.begin_region(std::slice::from_ref(&ty));
    let limit = b.constant(Scalar::wrap(DType::I32, 10));
    let below = b.compare(CmpOp::Lt, carried[0], limit, None).expect("fits");
    let test = b.end_region([below]);
    let carried = b.begin_region(&[ty]);
    let next = b
        .binary(neuro_num::BinOp::Add, Overflow::Trap, carried[0], start, Some(Loc(7)))
        .expect("fits");
    let body = b.end_region([next]);
    let last = b.control(OpKind::While, &[start], &[test, body], None).expect("fits");
    let last = b.results(last)[0];
    let positive = b.compare(CmpOp::Gt, last, start, None).expect("fits");
    b.assert(positive, "no\nprogress", Some(Loc(8))).expect("fits");
    let function = b.finish([last]);
    expect![[r#"
        func @count(%0 "start": tensor<i32>) -> tensor<i32> {
          while %0 : tensor<i32>
          test(%1: tensor<i32>) {
            %2 = const 10 : tensor<i32>
            %3 = lt %1, %2 : tensor<bool>
            yield %3
          }
          do(%4: tensor<i32>) {
            %5 = add %4, %0 {trap} : tensor<i32> loc(7)
            yield %5
          }
          gives %6
          %7 = gt %6, %0 : tensor<bool>
          assert %7 {message = "no\nprogress"} loc(8)
          return %6
        }
    "#]]
    .assert_eq(&function.to_string());
    assert_eq!(parse(&function.to_string()).as_ref(), Ok(&function));
    assert_eq!(verify(&function), Ok(()));
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let values = [
        Scalar::f64(0.1),
        Scalar::f64(-0.0),
        Scalar::f64(5e-324),
        Scalar::f64(f64::NEG_INFINITY),
        Scalar::f64(f64::NAN),
        Scalar::from_bits(DType::F64, 0xfff8_0000_0000_0001),
        Scalar::f32(16_777_216.0),
        Scalar::from_bits(DType::F32, 0x7fa0_0000),
        Scalar::wrap(DType::U64, i128::from(u64::MAX)),
        Scalar::wrap(DType::I8, -128),
        Scalar::bool(true),
    ];
    for value in values {
        let mut b = FunctionBuilder::new("f");
        let constant = b.constant(value);
        let function = b.finish([constant]);
        assert_eq!(parse(&function.to_string()).as_ref(), Ok(&function), "{function}");
    }
}

#[test]
fn refusals_name_line_and_reason() {
    let refused = |text: &str| parse(text).expect_err("no function").to_string();
    let func =
        |body: &str| format!("func @f(%0 \"x\": tensor<2xf64>) -> tensor<f64> {{\n{body}\n}}");
    assert_eq!(refused(&func("return %9")), "line 2: %9 is not defined here");
    assert_eq!(
        refused(&func("%1 = frob %0 : tensor<f64>\nreturn %1")),
        "line 2: there is no op `frob`"
    );
    assert_eq!(
        refused(&func("%1 = sum %0 {axes = [4]} : tensor<f64>\nreturn %1")),
        "line 2: sum: axis 4 does not exist in tensor<2xf64>"
    );
    assert_eq!(
        refused(&func("%1 = exp %0 {axes = [0]} : tensor<2xf64>\nreturn %1")),
        "line 2: exp has no attribute `axes`"
    );
    assert_eq!(
        refused(&func("%1 = exp %0 : tensor<3xf64>\nreturn %1")),
        "line 2: the results of exp have other types or another number"
    );
    assert_eq!(
        refused(&func("return %0")),
        "line 3: the results have other types than the function says"
    );
}
