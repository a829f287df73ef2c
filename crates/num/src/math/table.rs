//! The rows. Each function's code stands beside its row.

use super::{
    MathCode, MathFn, MathRow, Partial, SlopeExpr,
    SlopeExpr::{Add, Call, Const, Div, Mul, Neg, Select, Sub, X0, X1, Y},
    UnboundedSlope,
};
use crate::CmpOp;

const ZERO: SlopeExpr = Const(0.0);
const ONE: SlopeExpr = Const(1.0);

const fn bounded(slope: SlopeExpr) -> Partial {
    Partial { slope, unbounded: UnboundedSlope::Never }
}

/// In the order of [`MathFn`]; a test compares.
pub(super) static TABLE: [MathRow; 8] = [
    MathRow {
        function: MathFn::Exp,
        name: "exp",
        doc: "e raised to the value",
        symbol_f32: "neuro_exp_f32",
        symbol_f64: "neuro_exp_f64",
        code: MathCode::Unary { f32: exp_f32, f64: exp_f64 },
        partials: &[bounded(Y)],
        error: "1 ulp",
        special: "overflows to inf, underflows to 0",
    },
    MathRow {
        function: MathFn::Log,
        name: "log",
        doc: "natural logarithm",
        symbol_f32: "neuro_log_f32",
        symbol_f64: "neuro_log_f64",
        code: MathCode::Unary { f32: log_f32, f64: log_f64 },
        partials: &[bounded(Div(&ONE, &X0))],
        error: "1 ulp",
        special: "-inf at 0, nan below; `(c + v.exp()).log()` has a slope of its own that does not overflow",
    },
    MathRow {
        function: MathFn::Sqrt,
        name: "sqrt",
        doc: "square root",
        symbol_f32: "neuro_sqrt_f32",
        symbol_f64: "neuro_sqrt_f64",
        code: MathCode::Unary { f32: sqrt_f32, f64: sqrt_f64 },
        partials: &[Partial { slope: Div(&ONE, &Add(&Y, &Y)), unbounded: UnboundedSlope::AtZero }],
        error: "exact (correctly rounded)",
        special: "nan below 0; the slope at 0 is inf, its contribution to a zero adjoint is 0",
    },
    MathRow {
        function: MathFn::Sin,
        name: "sin",
        doc: "sine of an angle in radians",
        symbol_f32: "neuro_sin_f32",
        symbol_f64: "neuro_sin_f64",
        code: MathCode::Unary { f32: sin_f32, f64: sin_f64 },
        partials: &[bounded(Call(MathFn::Cos, &[X0]))],
        error: "1 ulp",
        special: "nan at inf",
    },
    MathRow {
        function: MathFn::Cos,
        name: "cos",
        doc: "cosine of an angle in radians",
        symbol_f32: "neuro_cos_f32",
        symbol_f64: "neuro_cos_f64",
        code: MathCode::Unary { f32: cos_f32, f64: cos_f64 },
        partials: &[bounded(Neg(&Call(MathFn::Sin, &[X0])))],
        error: "1 ulp",
        special: "nan at inf",
    },
    MathRow {
        function: MathFn::Tanh,
        name: "tanh",
        doc: "hyperbolic tangent",
        symbol_f32: "neuro_tanh_f32",
        symbol_f64: "neuro_tanh_f64",
        code: MathCode::Unary { f32: tanh_f32, f64: tanh_f64 },
        // Not (1 - y)(1 + y): its own slope would cancel to 0 for tiny y.
        partials: &[bounded(Sub(&ONE, &Mul(&Y, &Y)))],
        error: "2 ulp",
        special: "saturates at -1 and 1",
    },
    MathRow {
        function: MathFn::Abs,
        name: "abs",
        doc: "magnitude",
        symbol_f32: "neuro_abs_f32",
        symbol_f64: "neuro_abs_f64",
        code: MathCode::Unary { f32: abs_f32, f64: abs_f64 },
        partials: &[bounded(Select {
            op: CmpOp::Gt,
            lhs: &X0,
            rhs: &ZERO,
            then: &ONE,
            otherwise: &Select {
                op: CmpOp::Lt,
                lhs: &X0,
                rhs: &ZERO,
                then: &Const(-1.0),
                // 0 at 0, and not-a-number stays.
                otherwise: &Mul(&ZERO, &X0),
            },
        })],
        error: "exact",
        special: "slope and curvature are 0 at 0",
    },
    MathRow {
        function: MathFn::Pow,
        name: "pow",
        doc: "the value raised to a power",
        symbol_f32: "neuro_pow_f32",
        symbol_f64: "neuro_pow_f64",
        code: MathCode::Binary { f32: pow_f32, f64: pow_f64 },
        partials: &[
            Partial { slope: POW_BY_BASE, unbounded: UnboundedSlope::AtZeroBelowExponentOne },
            bounded(POW_BY_EXPONENT),
        ],
        error: "1 ulp; exact for the exponents 0, 1, 2 and -1",
        special: "pow(x, 0) is 1 for every x; at base 0 the slope by a zero exponent's base and by an exponent of at least 0 is 0",
    },
];

/// `p * x^(p - 1)`; at x = 0 and p = 0 the power is infinite and the function flat, so there the power counts as 0.
const POW_BY_BASE: SlopeExpr = Mul(
    &X1,
    &Select {
        op: CmpOp::Eq,
        lhs: &X1,
        rhs: &ZERO,
        then: &Select {
            op: CmpOp::Eq,
            lhs: &X0,
            rhs: &ZERO,
            then: &ZERO,
            otherwise: &Call(MathFn::Pow, &[X0, Sub(&X1, &ONE)]),
        },
        otherwise: &Call(MathFn::Pow, &[X0, Sub(&X1, &ONE)]),
    },
);

/// `y * log(x)`; at x = 0 and p >= 0 the function is flat in p, and the logarithm counts as 0.
const POW_BY_EXPONENT: SlopeExpr = Mul(
    &Y,
    &Select {
        op: CmpOp::Eq,
        lhs: &X0,
        rhs: &ZERO,
        then: &Select {
            op: CmpOp::Ge,
            lhs: &X1,
            rhs: &ZERO,
            then: &ZERO,
            otherwise: &Call(MathFn::Log, &[X0]),
        },
        otherwise: &Call(MathFn::Log, &[X0]),
    },
);

#[unsafe(export_name = "neuro_exp_f32")]
extern "C" fn exp_f32(x: f32) -> f32 {
    libm::expf(x)
}
#[unsafe(export_name = "neuro_exp_f64")]
extern "C" fn exp_f64(x: f64) -> f64 {
    libm::exp(x)
}
#[unsafe(export_name = "neuro_log_f32")]
extern "C" fn log_f32(x: f32) -> f32 {
    libm::logf(x)
}
#[unsafe(export_name = "neuro_log_f64")]
extern "C" fn log_f64(x: f64) -> f64 {
    libm::log(x)
}
#[unsafe(export_name = "neuro_sqrt_f32")]
extern "C" fn sqrt_f32(x: f32) -> f32 {
    x.sqrt()
}
#[unsafe(export_name = "neuro_sqrt_f64")]
extern "C" fn sqrt_f64(x: f64) -> f64 {
    x.sqrt()
}
#[unsafe(export_name = "neuro_sin_f32")]
extern "C" fn sin_f32(x: f32) -> f32 {
    libm::sinf(x)
}
#[unsafe(export_name = "neuro_sin_f64")]
extern "C" fn sin_f64(x: f64) -> f64 {
    libm::sin(x)
}
#[unsafe(export_name = "neuro_cos_f32")]
extern "C" fn cos_f32(x: f32) -> f32 {
    libm::cosf(x)
}
#[unsafe(export_name = "neuro_cos_f64")]
extern "C" fn cos_f64(x: f64) -> f64 {
    libm::cos(x)
}
#[unsafe(export_name = "neuro_tanh_f32")]
extern "C" fn tanh_f32(x: f32) -> f32 {
    libm::tanhf(x)
}
#[unsafe(export_name = "neuro_tanh_f64")]
extern "C" fn tanh_f64(x: f64) -> f64 {
    libm::tanh(x)
}
#[unsafe(export_name = "neuro_abs_f32")]
extern "C" fn abs_f32(x: f32) -> f32 {
    x.abs()
}
#[unsafe(export_name = "neuro_abs_f64")]
extern "C" fn abs_f64(x: f64) -> f64 {
    x.abs()
}
#[unsafe(export_name = "neuro_pow_f32")]
extern "C" fn pow_f32(x: f32, p: f32) -> f32 {
    // The common small powers are one correctly rounded operation, so that folding them changes no bit.
    if p == 2.0 {
        x * x
    } else if p == 1.0 {
        x
    } else if p == -1.0 {
        1.0 / x
    } else {
        libm::powf(x, p)
    }
}
#[unsafe(export_name = "neuro_pow_f64")]
extern "C" fn pow_f64(x: f64, p: f64) -> f64 {
    if p == 2.0 {
        x * x
    } else if p == 1.0 {
        x
    } else if p == -1.0 {
        1.0 / x
    } else {
        libm::pow(x, p)
    }
}
