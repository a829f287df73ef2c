//! Adjoints of single elements.

use neuro_ir::{Built, Dims, Op, ValueId};
use neuro_num::{DType, Scalar};

use super::{Adjoint, Sweep};

impl Sweep<'_> {
    /// `y = a[i, ..]`: zeros with the adjoint at that place.
    pub(super) fn element_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let a = op.operands[0];
        let dims = self.primal.ty(a).dims.clone();
        let positions = self.positions(op)?;
        let placed = self.builder.scatter(adjoint.value, &positions, &dims, op.loc)?;
        self.contribute(a, placed, self.whole_guard(adjoint), op.loc)
    }

    /// `y = ` zeros with `a` at a place: the adjoint's element there.
    pub(super) fn scatter_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let positions = self.positions(op)?;
        let element = self.builder.element(adjoint.value, &positions, op.loc)?;
        self.contribute(op.operands[0], element, self.whole_guard(adjoint), op.loc)
    }

    /// `y = [a, b, ..]`: to each leaf its element of the adjoint.
    pub(super) fn pack_adjoint(&mut self, dims: &Dims, op: &Op, adjoint: Adjoint) -> Built<()> {
        for (place, leaf) in op.operands.iter().enumerate() {
            if !self.active(*leaf) {
                continue;
            }
            let mut rest = place;
            let mut positions: Vec<ValueId> = Vec::new();
            for dim in dims.iter().rev() {
                let position = Scalar::wrap(DType::U64, (rest % dim) as i128);
                positions.push(self.builder.constant(position));
                rest /= dim;
            }
            positions.reverse();
            let element = self.builder.element(adjoint.value, &positions, op.loc)?;
            self.contribute(*leaf, element, self.whole_guard(adjoint), op.loc)?;
        }
        Ok(())
    }

    fn positions(&mut self, op: &Op) -> Built<Vec<ValueId>> {
        op.operands.iter().skip(1).map(|position| self.primal(*position)).collect()
    }
}
