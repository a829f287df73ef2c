//! The adjoint of a matrix product.

use neuro_ir::{Built, Op, OpKind, ValueId};
use neuro_num::Overflow;

use super::{Adjoint, Sweep};

impl Sweep<'_> {
    /// `y = a @ b`: `ȳ @ bᵀ` and `aᵀ @ ȳ`; a side that is stored transposed takes the transpose of that.
    pub(super) fn matmul_adjoint(
        &mut self,
        transposed: (bool, bool),
        op: &Op,
        adjoint: Adjoint,
    ) -> Built<()> {
        let (a, b) = (op.operands[0], op.operands[1]);
        let (ta, tb) = transposed;
        let c = adjoint.value;
        if self.active(a) {
            let other = self.primal(b)?;
            let product = if ta {
                self.product((other, tb), (c, true), op)?
            } else {
                self.product((c, false), (other, !tb), op)?
            };
            self.contribute_masked(a, product, self.whole_guard(adjoint), op.loc)?;
        }
        if self.active(b) {
            let other = self.primal(a)?;
            let product = if tb {
                self.product((c, true), (other, ta), op)?
            } else {
                self.product((other, !ta), (c, false), op)?
            };
            self.contribute_masked(b, product, self.whole_guard(adjoint), op.loc)?;
        }
        Ok(())
    }

    /// A product of two matrices, each with whether it is transposed first.
    fn product(&mut self, a: (ValueId, bool), b: (ValueId, bool), op: &Op) -> Built {
        let kind =
            OpKind::MatMul { transpose_lhs: a.1, transpose_rhs: b.1, overflow: Overflow::Wrap };
        self.builder.op(kind, &[a.0, b.0], op.loc)
    }
}
