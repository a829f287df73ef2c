//! Tests of scalars, casts and number text.

use crate::{
    Align, ArithError, BinOp, CmpOp, DType, FormatKind, FormatSpec, Overflow, Scalar, UnOp, binary,
    cast, compare, default_text, fits_integer, unary,
};

fn i(dtype: DType, value: i128) -> Scalar {
    Scalar::int(dtype, value).expect("fits")
}

fn number(spec: FormatSpec, value: Scalar) -> String {
    let mut out = String::new();
    spec.write_number(&mut out, value).expect("a text takes all");
    out
}

fn text(spec: FormatSpec, text: &str) -> String {
    let mut out = String::new();
    spec.write_text(&mut out, text).expect("a text takes all");
    out
}

#[test]
fn names_and_sizes() {
    for dtype in DType::ALL {
        assert_eq!(DType::from_name(dtype.name()), Some(dtype));
        assert_eq!(Scalar::one(dtype).to_le_bytes().len(), dtype.size());
        assert_eq!(
            Scalar::from_le_bytes(dtype, &Scalar::one(dtype).to_le_bytes()),
            Some(Scalar::one(dtype))
        );
    }
    assert_eq!(DType::from_name("i128"), None);
}

#[test]
fn integers_wrap_or_trap() {
    let (min, max) = (i(DType::I32, i128::from(i32::MIN)), i(DType::I32, i128::from(i32::MAX)));
    let (one, minus_one) = (i(DType::I32, 1), i(DType::I32, -1));
    assert_eq!(binary(BinOp::Add, max, one, Overflow::Wrap), Ok(min));
    assert_eq!(binary(BinOp::Add, max, one, Overflow::Trap), Err(ArithError::Overflow));
    assert_eq!(binary(BinOp::Div, min, minus_one, Overflow::Wrap), Ok(min));
    assert_eq!(binary(BinOp::Div, min, minus_one, Overflow::Trap), Err(ArithError::Overflow));
    assert_eq!(binary(BinOp::Rem, min, minus_one, Overflow::Wrap), Ok(i(DType::I32, 0)));
    assert_eq!(binary(BinOp::Rem, min, minus_one, Overflow::Trap), Err(ArithError::Overflow));
    assert_eq!(unary(UnOp::Neg, min, Overflow::Wrap), Ok(min));
    assert_eq!(unary(UnOp::Neg, i(DType::U8, 1), Overflow::Trap), Err(ArithError::Overflow));
    let huge = i(DType::U64, i128::from(u64::MAX));
    assert_eq!(binary(BinOp::Mul, huge, huge, Overflow::Wrap), Ok(i(DType::U64, 1)));
    assert_eq!(binary(BinOp::Mul, huge, huge, Overflow::Trap), Err(ArithError::Overflow));
}

#[test]
fn division_truncates_and_zero_divisors_always_trap() {
    let (a, b, zero) = (i(DType::I16, -7), i(DType::I16, 2), i(DType::I16, 0));
    assert_eq!(binary(BinOp::Div, a, b, Overflow::Wrap), Ok(i(DType::I16, -3)));
    assert_eq!(binary(BinOp::Rem, a, b, Overflow::Wrap), Ok(i(DType::I16, -1)));
    assert_eq!(binary(BinOp::Div, a, zero, Overflow::Wrap), Err(ArithError::DivisionByZero));
    assert_eq!(binary(BinOp::Rem, a, zero, Overflow::Wrap), Err(ArithError::RemainderByZero));
    let (x, y) = (Scalar::f64(-7.5), Scalar::f64(2.0));
    assert_eq!(binary(BinOp::Rem, x, y, Overflow::Trap), Ok(Scalar::f64(-1.5)));
}

#[test]
fn shifts() {
    let shift = |op, a, n, overflow| binary(op, i(DType::I8, a), i(DType::I8, n), overflow);
    assert_eq!(shift(BinOp::Shl, 3, 6, Overflow::Trap), Ok(i(DType::I8, -64)));
    assert_eq!(shift(BinOp::Shr, -64, 6, Overflow::Trap), Ok(i(DType::I8, -1)));
    assert_eq!(shift(BinOp::Shl, 1, 8, Overflow::Trap), Err(ArithError::Shift));
    assert_eq!(shift(BinOp::Shl, 1, -1, Overflow::Trap), Err(ArithError::Shift));
    assert_eq!(shift(BinOp::Shl, 1, 9, Overflow::Wrap), Ok(i(DType::I8, 2)));
    let logical = binary(BinOp::Shr, i(DType::U8, 255), i(DType::U8, 4), Overflow::Trap);
    assert_eq!(logical, Ok(i(DType::U8, 15)));
}

#[test]
fn every_comparison_with_nan_is_false() {
    for op in CmpOp::ALL {
        assert_eq!(
            compare(op, Scalar::f32(f32::NAN), Scalar::f32(f32::NAN)),
            Some(false),
            "{op:?}"
        );
    }
    assert_eq!(compare(CmpOp::Ne, Scalar::f64(1.0), Scalar::f64(2.0)), Some(true));
    assert_eq!(compare(CmpOp::Lt, i(DType::I64, -1), i(DType::I64, 0)), Some(true));
    assert_eq!(compare(CmpOp::Eq, i(DType::I64, 1), i(DType::I32, 1)), None);
}

#[test]
fn casts_keep_low_bits_and_saturate_from_floats() {
    assert_eq!(cast(i(DType::I32, -1), DType::U8), i(DType::U8, 255));
    assert_eq!(cast(i(DType::U8, 200), DType::I32), i(DType::I32, 200));
    assert_eq!(cast(Scalar::f64(300.9), DType::U8), i(DType::U8, 255));
    assert_eq!(cast(Scalar::f64(-0.9), DType::U8), i(DType::U8, 0));
    assert_eq!(cast(Scalar::f64(f64::NAN), DType::I64), i(DType::I64, 0));
    assert_eq!(cast(Scalar::f64(1e300), DType::I64), i(DType::I64, i128::from(i64::MAX)));
    assert_eq!(cast(Scalar::f64(-1e300), DType::I64), i(DType::I64, i128::from(i64::MIN)));
    assert_eq!(cast(Scalar::bool(true), DType::F32), Scalar::f32(1.0));
    // By way of f64 this would round twice, to 2^60.
    let odd = (1i128 << 60) + (1 << 36) + 1;
    assert_eq!(
        cast(i(DType::I64, odd), DType::F32),
        Scalar::f32(((1i128 << 60) + (1 << 37)) as f32)
    );
}

#[test]
fn a_cast_that_would_clamp_does_not_fit() {
    assert!(fits_integer(255.9, DType::U8) && !fits_integer(256.0, DType::U8));
    assert!(fits_integer(-0.5, DType::U8) && !fits_integer(-1.0, DType::U8));
    assert!(!fits_integer(f64::NAN, DType::I32));
    assert!(!fits_integer(9_223_372_036_854_775_808.0, DType::I64));
    assert!(fits_integer(-9_223_372_036_854_775_808.0, DType::I64));
}

#[test]
fn default_float_text_has_sixteen_digits() {
    let cases: [(f64, &str); 14] = [
        (2.0, "2.0"),
        (51.45, "51.45"),
        (f64::from(2.718_281_7_f32), "2.718281745910645"),
        (1e-10, "1e-10"),
        (0.000_123_456_789_012_345_67, "0.0001234567890123457"),
        (0.1 + 0.2, "0.3"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (9_999_999_999_999_998.0, "9999999999999998.0"),
        (1.5e-5, "1.5e-05"),
        (-0.0, "-0.0"),
        (f64::NEG_INFINITY, "-inf"),
        (f64::NAN, "nan"),
        (-1.25e300, "-1.25e+300"),
    ];
    for (value, text) in cases {
        assert_eq!(default_text(Scalar::f64(value)), text);
    }
}

#[test]
fn format_specs() {
    let spec = FormatSpec::default();
    let with = |kind| FormatSpec { kind: Some(kind), ..spec };
    assert_eq!(number(with(FormatKind::LowerHex), i(DType::I16, -2)), "fffe");
    assert_eq!(number(with(FormatKind::UpperHex), i(DType::U8, 171)), "AB");
    assert_eq!(number(with(FormatKind::Binary), i(DType::U8, 5)), "101");
    assert_eq!(number(with(FormatKind::Exponent), Scalar::f64(0.001)), "1e-3");
    assert_eq!(number(with(FormatKind::Exponent), Scalar::f32(1.1)), "1.1e0");
    let two = FormatSpec { precision: Some(2), ..spec };
    assert_eq!(number(two, Scalar::f64(0.875)), "0.88");
    assert_eq!(
        number(FormatSpec { kind: Some(FormatKind::Exponent), ..two }, Scalar::f64(271.8)),
        "2.72e2"
    );
    let field = FormatSpec { plus: true, zero: true, width: Some(5), ..spec };
    assert_eq!(number(field, i(DType::I16, -2)), "-0002");
    assert_eq!(number(field, i(DType::I16, 0)), "+0000");
    assert_eq!(number(FormatSpec { width: Some(5), ..spec }, i(DType::I32, 42)), "   42");
    let center = FormatSpec { width: Some(6), align: Some(Align::Center), ..spec };
    assert_eq!(number(center, i(DType::I32, 123)), " 123  ");
    assert_eq!(text(FormatSpec { width: Some(4), ..spec }, "éa"), "éa  ");
    assert_eq!(text(FormatSpec { width: Some(1), ..spec }, "long"), "long");
    let zeros = FormatSpec { zero: true, width: Some(8), precision: Some(1), ..spec };
    assert_eq!(number(zeros, Scalar::f64(-1.25)), "-00001.2");
    assert_eq!(number(zeros, Scalar::f64(f64::NEG_INFINITY)), "    -inf");
    assert_eq!(number(FormatSpec { plus: true, ..spec }, Scalar::f64(-0.0)), "-0.0");
}

#[test]
fn quoted_text() {
    let spec = FormatSpec { kind: Some(FormatKind::Debug), ..FormatSpec::default() };
    assert_eq!(text(spec, "it's {é} \"\\\n\t\r\0\u{7f}"), r#""it's {é} \"\\\n\t\r\0\u{7f}""#);
    assert_eq!(text(FormatSpec { width: Some(5), ..spec }, "a"), "\"a\"  ");
    let character = |c| {
        let mut out = String::new();
        spec.write_char(&mut out, c).expect("a text takes all");
        out
    };
    assert_eq!(character('"'), "'\"'");
    assert_eq!(character('\''), r"'\''");
}
