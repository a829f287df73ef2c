//! Adjoints of the functions of the math table.

use neuro_ir::{Built, FunctionBuilder, Loc, Op, OpKind, ValueId};
use neuro_num::{
    BinOp, CmpOp, MathFn, Scalar,
    math::{SlopeExpr, UnboundedSlope},
};

use super::{Adjoint, Sweep};
use crate::slope::{SlopeBuilder, SlopeLeaf, constant};

impl Sweep<'_> {
    /// `y = f(x..)`: by each argument the adjoint times the slope.
    pub(super) fn math_adjoint(
        &mut self,
        function: MathFn,
        op: &Op,
        adjoint: Adjoint,
    ) -> Built<()> {
        if function == MathFn::Log
            && let Some(sum) = self.sum_with_exp(op.operands[0])
        {
            return self.log_sum_exp_adjoint(sum, op, adjoint);
        }
        for (index, partial) in function.row().partials.iter().enumerate() {
            let argument = op.operands[index];
            if !self.active(argument) || partial.is_flat() {
                continue;
            }
            let product = self.times_slope(adjoint.value, &partial.slope, op)?;
            let product = if self.may_be_infinite(partial.unbounded, op) {
                self.unless_zero(adjoint.value, product, op.loc)?
            } else {
                product
            };
            self.contribute_masked(argument, product, adjoint.guard, op.loc)?;
        }
        Ok(())
    }

    /// The adjoint times a slope; a slope `1 / d` divides, which rounds once.
    fn times_slope(&mut self, adjoint: ValueId, slope: &SlopeExpr, op: &Op) -> Built {
        if let SlopeExpr::Div(SlopeExpr::Const(1.0), divisor) = slope {
            let divisor = self.slope(divisor, op)?;
            return self.builder.div(adjoint, divisor, op.loc);
        }
        let slope = self.slope(slope, op)?;
        self.builder.mul(adjoint, slope, op.loc)
    }

    fn slope(&mut self, slope: &SlopeExpr, op: &Op) -> Built {
        // Leaves may add residual parameters, so they are made before the slope's ops borrow the builder.
        let mut leaves = Leaves::default();
        leaves.collect(slope);
        let mut arguments = Vec::new();
        for (index, operand) in op.operands.iter().enumerate() {
            let read = leaves.arguments.get(index).copied().unwrap_or(false);
            arguments.push(if read { Some(self.primal(*operand)?) } else { None });
        }
        let result = if leaves.result { Some(self.primal(op.results[0])?) } else { None };
        let ty = self.primal.ty(op.results[0]).clone();
        let zero_ty = ty.clone();
        let leaf = move |builder: &mut FunctionBuilder, leaf: SlopeLeaf| {
            let value = match leaf {
                SlopeLeaf::Argument(index) => arguments.get(index).copied().flatten(),
                SlopeLeaf::Result => result,
            };
            Ok(value.unwrap_or_else(|| constant(builder, f64::NAN, &zero_ty)))
        };
        SlopeBuilder { builder: &mut self.builder, leaf, ty, loc: op.loc }.build(slope)
    }

    /// Whether a slope can be infinite, given what is known of the arguments.
    fn may_be_infinite(&self, unbounded: UnboundedSlope, op: &Op) -> bool {
        match unbounded {
            UnboundedSlope::Never => false,
            UnboundedSlope::AtZero | UnboundedSlope::AtOne => true,
            UnboundedSlope::AtZeroBelowExponentOne => op
                .operands
                .get(1)
                .and_then(|exponent| self.primal.splat(*exponent))
                .and_then(Scalar::as_float)
                .is_none_or(|exponent| exponent < 1.0),
        }
    }

    /// Zero where the adjoint is exactly zero, else the contribution.
    fn unless_zero(&mut self, adjoint: ValueId, product: ValueId, loc: Option<Loc>) -> Built {
        let ty = self.builder.ty(adjoint).clone();
        let zero = constant(&mut self.builder, 0.0, &ty);
        let is_zero = self.builder.compare(CmpOp::Eq, adjoint, zero, loc)?;
        self.builder.select(is_zero, zero, product, loc)
    }

    /// The two sides of `u = a + b` when an active one is `exp(..)`.
    fn sum_with_exp(&self, u: ValueId) -> Option<[Side; 2]> {
        let op = self.primal.def(u)?;
        if !matches!(op.kind, OpKind::Binary { op: BinOp::Add, .. }) {
            return None;
        }
        let side = |value: ValueId| {
            let exponent = self.primal.def(value).and_then(|op| match op.kind {
                OpKind::Math(MathFn::Exp) => op.operands.first().copied(),
                _ => None,
            });
            Side { value, exponent }
        };
        let sides = [side(op.operands[0]), side(op.operands[1])];
        let usable = sides.iter().any(|side| side.exponent.is_some() && self.active(side.value));
        usable.then_some(sides)
    }

    /// `y = log(a + b)` where one side is `exp(v)` or both are. By `v` the slope is a logistic, between 0 and 1, also
    /// where `exp(v)` overflows; so the adjoint goes to `v` directly, past the exponential.
    fn log_sum_exp_adjoint(&mut self, sides: [Side; 2], op: &Op, adjoint: Adjoint) -> Built<()> {
        let loc = op.loc;
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if !self.active(side.value) {
                continue;
            }
            let (target, contribution) = match (side.exponent, other.exponent) {
                (None, _) => {
                    let sum = self.primal(op.operands[0])?;
                    (side.value, self.builder.div(adjoint.value, sum, loc)?)
                }
                (Some(v), Some(w)) => {
                    let slope = self.logistic(v, w, loc)?;
                    (v, self.builder.mul(adjoint.value, slope, loc)?)
                }
                (Some(v), None) => {
                    let slope = self.share(side.value, op.operands[0], loc)?;
                    (v, self.builder.mul(adjoint.value, slope, loc)?)
                }
            };
            self.contribute_masked(target, contribution, adjoint.guard, loc)?;
        }
        Ok(())
    }

    /// `1 / (1 + exp(w - v))`
    fn logistic(&mut self, v: ValueId, w: ValueId, loc: Option<Loc>) -> Built {
        let (v, w) = (self.primal(v)?, self.primal(w)?);
        let ty = self.builder.ty(v).clone();
        let one = constant(&mut self.builder, 1.0, &ty);
        let difference = self.builder.sub(w, v, loc)?;
        let ratio = self.builder.math(MathFn::Exp, &[difference], loc)?;
        let sum = self.builder.add(one, ratio, loc)?;
        self.builder.div(one, sum, loc)
    }

    /// `part / whole`, and 1 where the part has overflowed.
    fn share(&mut self, part: ValueId, whole: ValueId, loc: Option<Loc>) -> Built {
        let (part, whole) = (self.primal(part)?, self.primal(whole)?);
        let ty = self.builder.ty(part).clone();
        let one = constant(&mut self.builder, 1.0, &ty);
        let infinity = constant(&mut self.builder, f64::INFINITY, &ty);
        let overflowed = self.builder.compare(CmpOp::Eq, part, infinity, loc)?;
        let share = self.builder.div(part, whole, loc)?;
        self.builder.select(overflowed, one, share, loc)
    }
}

/// One side of a sum under a logarithm.
#[derive(Clone, Copy)]
struct Side {
    value: ValueId,
    /// `v` when the side is `exp(v)`.
    exponent: Option<ValueId>,
}

/// Which leaves a slope reads.
#[derive(Default)]
struct Leaves {
    arguments: [bool; 2],
    result: bool,
}

impl Leaves {
    fn collect(&mut self, expr: &SlopeExpr) {
        match expr {
            SlopeExpr::X0 => self.arguments[0] = true,
            SlopeExpr::X1 => self.arguments[1] = true,
            SlopeExpr::Y => self.result = true,
            SlopeExpr::Const(_) => {}
            SlopeExpr::Neg(a) => self.collect(a),
            SlopeExpr::Add(a, b)
            | SlopeExpr::Sub(a, b)
            | SlopeExpr::Mul(a, b)
            | SlopeExpr::Div(a, b) => {
                self.collect(a);
                self.collect(b);
            }
            SlopeExpr::Call(_, arguments) => {
                arguments.iter().for_each(|argument| self.collect(argument));
            }
            SlopeExpr::Select { lhs, rhs, then, otherwise, .. } => {
                [lhs, rhs, then, otherwise].into_iter().for_each(|part| self.collect(part));
            }
        }
    }
}
