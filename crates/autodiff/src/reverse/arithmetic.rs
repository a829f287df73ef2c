//! Adjoints of elementwise arithmetic.

use neuro_ir::{Built, Op};

use super::{Adjoint, Guard, Sweep};

impl Sweep<'_> {
    /// `y = -a`
    pub(super) fn neg_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let negative = self.builder.neg(adjoint.value, op.loc)?;
        self.contribute(op.operands[0], negative, adjoint.guard, op.loc)
    }

    /// `y = a + b`
    pub(super) fn add_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        for operand in &op.operands {
            if self.active(*operand) {
                self.contribute(*operand, adjoint.value, adjoint.guard, op.loc)?;
            }
        }
        Ok(())
    }

    /// `y = a - b`
    pub(super) fn sub_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let (a, b) = (op.operands[0], op.operands[1]);
        if self.active(a) {
            self.contribute(a, adjoint.value, adjoint.guard, op.loc)?;
        }
        if self.active(b) {
            let negative = self.builder.neg(adjoint.value, op.loc)?;
            self.contribute(b, negative, adjoint.guard, op.loc)?;
        }
        Ok(())
    }

    /// `y = a * b`
    pub(super) fn mul_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let (a, b) = (op.operands[0], op.operands[1]);
        for (operand, other) in [(a, b), (b, a)] {
            if self.active(operand) {
                let other = self.primal(other)?;
                let product = self.builder.mul(adjoint.value, other, op.loc)?;
                self.contribute_masked(operand, product, adjoint.guard, op.loc)?;
            }
        }
        Ok(())
    }

    /// `y = a / b`: by `a` the adjoint over `b`, by `b` minus that times `y`.
    pub(super) fn div_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let (a, b) = (op.operands[0], op.operands[1]);
        let divisor = self.primal(b)?;
        let share = self.builder.div(adjoint.value, divisor, op.loc)?;
        if self.active(a) {
            self.contribute_masked(a, share, adjoint.guard, op.loc)?;
        }
        if self.active(b) {
            let quotient = self.primal(op.results[0])?;
            let product = self.builder.mul(share, quotient, op.loc)?;
            let negative = self.builder.neg(product, op.loc)?;
            self.contribute_masked(b, negative, adjoint.guard, op.loc)?;
        }
        Ok(())
    }

    /// `y = a % b`: by `a` 1, by `b` minus the whole quotient, which is `(a - y) / b`.
    pub(super) fn rem_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let (a, b) = (op.operands[0], op.operands[1]);
        if self.active(a) {
            self.contribute(a, adjoint.value, adjoint.guard, op.loc)?;
        }
        if self.active(b) {
            let (dividend, divisor) = (self.primal(a)?, self.primal(b)?);
            let remainder = self.primal(op.results[0])?;
            let whole = self.builder.sub(dividend, remainder, op.loc)?;
            let quotient = self.builder.div(whole, divisor, op.loc)?;
            let product = self.builder.mul(adjoint.value, quotient, op.loc)?;
            let negative = self.builder.neg(product, op.loc)?;
            self.contribute_masked(b, negative, adjoint.guard, op.loc)?;
        }
        Ok(())
    }

    /// `y = mask ? a : b`: the adjoint goes to the chosen operand only and is absent for the other.
    pub(super) fn select_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let mask = self.primal(op.operands[0])?;
        for (operand, present) in [(op.operands[1], true), (op.operands[2], false)] {
            if self.active(operand) {
                let guard = Guard { mask, present };
                let chosen = self.masked(adjoint.value, guard, op.loc)?;
                self.contribute(operand, chosen, Some(guard), op.loc)?;
            }
        }
        Ok(())
    }

    /// `y = a as` another float type. Between floats only: an integer on either side ends activity.
    pub(super) fn convert_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let a = op.operands[0];
        if self.active(a) {
            let dtype = self.primal.ty(a).dtype;
            let back = self.builder.convert(adjoint.value, dtype, op.loc)?;
            self.contribute(a, back, adjoint.guard, op.loc)?;
        }
        Ok(())
    }
}
