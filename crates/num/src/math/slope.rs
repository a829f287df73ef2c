//! Slopes of math functions as small expressions, so that every use of a slope (reverse, forward, evaluation in
//! tests, documentation) reads one formula.

use std::fmt;

use super::MathFn;
use crate::{BinOp, DType, Overflow, UnOp};
use crate::{CmpOp, Scalar, binary, compare, unary};

/// A slope, as an expression over the function's arguments and its result.
#[derive(Clone, Copy, Debug)]
pub enum SlopeExpr {
    /// The first argument.
    X0,
    /// The second argument.
    X1,
    /// The function's result.
    Y,
    /// A constant.
    Const(f64),
    /// The negative.
    Neg(&'static SlopeExpr),
    /// Sum.
    Add(&'static SlopeExpr, &'static SlopeExpr),
    /// Difference.
    Sub(&'static SlopeExpr, &'static SlopeExpr),
    /// Product.
    Mul(&'static SlopeExpr, &'static SlopeExpr),
    /// Quotient.
    Div(&'static SlopeExpr, &'static SlopeExpr),
    /// A function of the table.
    Call(MathFn, &'static [SlopeExpr]),
    /// `then` where `lhs op rhs` holds, else `otherwise`.
    Select {
        /// The comparison.
        op: CmpOp,
        /// Its left side.
        lhs: &'static SlopeExpr,
        /// Its right side.
        rhs: &'static SlopeExpr,
        /// The value where it holds.
        then: &'static SlopeExpr,
        /// The value elsewhere.
        otherwise: &'static SlopeExpr,
    },
}

/// Where a slope is infinite at a point at which the function itself is finite. There the contribution is zero when
/// the incoming adjoint is exactly zero; only the adjoint's value is masked, never its tangent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnboundedSlope {
    /// Nowhere.
    Never,
    /// At zero.
    AtZero,
    /// At one and minus one.
    AtOne,
    /// At zero when the exponent (the second argument) is below one.
    AtZeroBelowExponentOne,
}

/// The slope by one argument.
#[derive(Clone, Copy, Debug)]
pub struct Partial {
    /// The slope. The form `Div(Const(1.0), d)` means that a contribution is the adjoint divided by `d`, rounded once.
    pub slope: SlopeExpr,
    /// Where it is infinite.
    pub unbounded: UnboundedSlope,
}

impl Partial {
    /// Whether the function is flat wherever it has a slope: then nothing depends on the argument, and a derivative
    /// has no contribution by it.
    pub fn is_flat(&self) -> bool {
        matches!(self.slope, SlopeExpr::Const(0.0))
    }
}

impl SlopeExpr {
    /// The value at `arguments` with result `y`; `None` when the types do not fit. What generated derivatives compute
    /// op by op.
    pub fn eval(&self, arguments: &[Scalar], y: Scalar) -> Option<Scalar> {
        let of = |expr: &SlopeExpr| expr.eval(arguments, y);
        let two =
            |op, a: &SlopeExpr, b: &SlopeExpr| binary(op, of(a)?, of(b)?, Overflow::Wrap).ok();
        let dtype: DType = y.dtype();
        match self {
            SlopeExpr::X0 => arguments.first().copied(),
            SlopeExpr::X1 => arguments.get(1).copied(),
            SlopeExpr::Y => Some(y),
            SlopeExpr::Const(value) => Scalar::float(dtype, *value),
            SlopeExpr::Neg(a) => unary(UnOp::Neg, of(a)?, Overflow::Wrap).ok(),
            SlopeExpr::Add(a, b) => two(BinOp::Add, a, b),
            SlopeExpr::Sub(a, b) => two(BinOp::Sub, a, b),
            SlopeExpr::Mul(a, b) => two(BinOp::Mul, a, b),
            SlopeExpr::Div(a, b) => two(BinOp::Div, a, b),
            SlopeExpr::Call(function, inner) => {
                let inner: Option<Vec<Scalar>> = inner.iter().map(of).collect();
                function.eval(&inner?)
            }
            SlopeExpr::Select { op, lhs, rhs, then, otherwise } => {
                of(if compare(*op, of(lhs)?, of(rhs)?)? { then } else { otherwise })
            }
        }
    }
}

/// The formula in mathematical notation: `x` and `p` are the arguments, `y` the result.
impl fmt::Display for SlopeExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlopeExpr::X0 => f.write_str("x"),
            SlopeExpr::X1 => f.write_str("p"),
            SlopeExpr::Y => f.write_str("y"),
            SlopeExpr::Const(value) => write!(f, "{value}"),
            SlopeExpr::Neg(a) => write!(f, "-{}", Factor(a)),
            SlopeExpr::Add(a, b) => write!(f, "{a} + {b}"),
            SlopeExpr::Sub(a, b) => write!(f, "{a} - {}", Factor(b)),
            SlopeExpr::Mul(a, b) => write!(f, "{} * {}", Factor(a), Factor(b)),
            SlopeExpr::Div(a, b) => write!(f, "{} / {}", Factor(a), Factor(b)),
            SlopeExpr::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(SlopeExpr::to_string).collect();
                write!(f, "{}({})", function.name(), arguments.join(", "))
            }
            SlopeExpr::Select { op, lhs, rhs, then, otherwise } => {
                let op = match op {
                    CmpOp::Eq => "=",
                    CmpOp::Ne => "≠",
                    CmpOp::Lt => "<",
                    CmpOp::Le => "≤",
                    CmpOp::Gt => ">",
                    CmpOp::Ge => "≥",
                };
                write!(f, "{then} where {lhs} {op} {rhs}, else {otherwise}")
            }
        }
    }
}

/// An expression as a factor: in parentheses unless it is one word or a call.
struct Factor<'a>(&'a SlopeExpr);

impl fmt::Display for Factor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SlopeExpr::X0
            | SlopeExpr::X1
            | SlopeExpr::Y
            | SlopeExpr::Const(_)
            | SlopeExpr::Call(..) => self.0.fmt(f),
            SlopeExpr::Neg(_)
            | SlopeExpr::Add(..)
            | SlopeExpr::Sub(..)
            | SlopeExpr::Mul(..)
            | SlopeExpr::Div(..)
            | SlopeExpr::Select { .. } => write!(f, "({})", self.0),
        }
    }
}
