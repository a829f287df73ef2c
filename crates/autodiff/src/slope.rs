//! Slopes of the math table as ops.

use neuro_ir::{Built, FunctionBuilder, Loc, Type, ValueId};
use neuro_num::{BinOp, MathFn, Overflow, Scalar, math::SlopeExpr};

/// What a slope is an expression of, each asked for only when the slope reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlopeLeaf {
    /// The argument at this position.
    Argument(usize),
    /// The function's result.
    Result,
}

/// Builds slopes of one op.
pub(crate) struct SlopeBuilder<'b, F> {
    pub(crate) builder: &'b mut FunctionBuilder,
    /// The value of a leaf.
    pub(crate) leaf: F,
    /// The type of the op's arguments and result.
    pub(crate) ty: Type,
    pub(crate) loc: Option<Loc>,
}

impl<F: FnMut(&mut FunctionBuilder, SlopeLeaf) -> Built> SlopeBuilder<'_, F> {
    /// The value of a slope.
    pub(crate) fn build(&mut self, expr: &SlopeExpr) -> Built {
        let loc = self.loc;
        match expr {
            SlopeExpr::X0 => (self.leaf)(self.builder, SlopeLeaf::Argument(0)),
            SlopeExpr::X1 => (self.leaf)(self.builder, SlopeLeaf::Argument(1)),
            SlopeExpr::Y => (self.leaf)(self.builder, SlopeLeaf::Result),
            SlopeExpr::Const(value) => Ok(constant(self.builder, *value, &self.ty)),
            SlopeExpr::Neg(a) => {
                let a = self.build(a)?;
                self.builder.neg(a, loc)
            }
            SlopeExpr::Add(a, b) => self.binary(BinOp::Add, a, b),
            SlopeExpr::Sub(a, b) => self.binary(BinOp::Sub, a, b),
            SlopeExpr::Mul(a, b) => self.binary(BinOp::Mul, a, b),
            SlopeExpr::Div(a, b) => self.binary(BinOp::Div, a, b),
            SlopeExpr::Call(function, arguments) => self.call(*function, arguments),
            SlopeExpr::Select { op, lhs, rhs, then, otherwise } => {
                let (lhs, rhs) = (self.build(lhs)?, self.build(rhs)?);
                let mask = self.builder.compare(*op, lhs, rhs, loc)?;
                let (then, otherwise) = (self.build(then)?, self.build(otherwise)?);
                self.builder.select(mask, then, otherwise, loc)
            }
        }
    }

    fn binary(&mut self, op: BinOp, a: &SlopeExpr, b: &SlopeExpr) -> Built {
        let (a, b) = (self.build(a)?, self.build(b)?);
        self.builder.binary(op, Overflow::Wrap, a, b, self.loc)
    }

    fn call(&mut self, function: MathFn, arguments: &[SlopeExpr]) -> Built {
        let arguments: Built<Vec<ValueId>> =
            arguments.iter().map(|argument| self.build(argument)).collect();
        self.builder.math(function, &arguments?, self.loc)
    }
}

/// A constant of the float type `ty`, all elements the same.
pub(crate) fn constant(builder: &mut FunctionBuilder, value: f64, ty: &Type) -> ValueId {
    let value = Scalar::float(ty.dtype, value).unwrap_or(Scalar::zero(ty.dtype));
    builder.splat(value, &ty.dims)
}
