//! Adjoints of single elements.

use neuro_ir::{Built, Dims, Op, ValueId};
use neuro_num::{DType, Scalar};

use super::{Adjoint, Sweep};

impl Sweep<'_> {
    /// `y = a[i, ..]`: zeros with the adjoint at that place.
    pub(super) fn element_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let a = op.operands[0];
        let dims = self.primal.ty(a).dims.clone();
        let positions = self.positions(op, 1)?;
        let guard = self.whole_guard(adjoint);
        let Some(sum) = self.adjoints[a.index()].filter(|_| !dims.is_empty()) else {
            let placed = self.builder.scatter(adjoint.value, &positions, &dims, op.loc)?;
            return self.contribute(a, placed, guard, op.loc);
        };
        // Added where it belongs: zeros of the tensor's size for one element would make a loop over them quadratic.
        let value = self.builder.accumulate(sum.value, adjoint.value, &positions, op.loc)?;
        let guard = if sum.guard == guard { guard } else { None };
        self.adjoints[a.index()] = Some(Adjoint { value, guard });
        Ok(())
    }

    /// `y = a` with `x` at a place: to `x` the adjoint's element there, to `a` everything else; to an element that `x`
    /// is added to, all of it.
    pub(super) fn update_adjoint(&mut self, add: bool, op: &Op, adjoint: Adjoint) -> Built<()> {
        let (a, x) = (op.operands[0], op.operands[1]);
        let positions = self.positions(op, 2)?;
        if self.active(x) {
            let element = self.builder.element(adjoint.value, &positions, op.loc)?;
            self.contribute(x, element, self.whole_guard(adjoint), op.loc)?;
        }
        if !self.active(a) {
            return Ok(());
        }
        if add {
            return self.contribute(a, adjoint.value, adjoint.guard, op.loc);
        }
        let zero = Scalar::zero(self.primal.ty(x).dtype);
        let zero = self.builder.constant(zero);
        let rest = self.builder.update(adjoint.value, zero, &positions, op.loc)?;
        self.contribute(a, rest, self.whole_guard(adjoint), op.loc)
    }

    /// `y = ` zeros with `a` at a place: the adjoint's element there.
    pub(super) fn scatter_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let positions = self.positions(op, 1)?;
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

    /// The positions among the operands, from the operand number `first` on.
    fn positions(&mut self, op: &Op, first: usize) -> Built<Vec<ValueId>> {
        op.operands.iter().skip(first).map(|position| self.primal(*position)).collect()
    }
}
