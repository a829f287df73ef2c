//! Adjoints of ops that rearrange elements, and of sums, which are the adjoints of stretching.

use neuro_ir::{Axes, Built, Op};

use super::{Adjoint, Sweep};

impl Sweep<'_> {
    /// `y = broadcast(a)`: summed back over every axis that repeats, in the language's order of folds.
    pub(super) fn broadcast_adjoint(
        &mut self,
        axes: &Axes,
        op: &Op,
        adjoint: Adjoint,
    ) -> Built<()> {
        let a = op.operands[0];
        let from = self.primal.ty(a).dims.clone();
        let to = &self.primal.ty(op.results[0]).dims;
        // An extent that is 1 on both sides does not repeat, and neither does a new axis of extent 1: dropping such an
        // axis is a matter of shape, not of sums.
        let repeats = |axis: &usize| {
            to[*axis] != 1 && axes.iter().position(|to| to == axis).is_none_or(|at| from[at] == 1)
        };
        let summed: Axes = (0..to.len()).filter(repeats).collect();
        let mut value = adjoint.value;
        if !summed.is_empty() {
            value = self.builder.sum(value, &summed, op.loc)?;
        }
        if self.builder.ty(value).dims != from {
            value = self.builder.reshape(value, &from, op.loc)?;
        }
        self.contribute(a, value, self.whole_guard(adjoint), op.loc)
    }

    /// `y = reshape(a)`
    pub(super) fn reshape_adjoint(&mut self, op: &Op, adjoint: Adjoint) -> Built<()> {
        let a = op.operands[0];
        let dims = self.primal.ty(a).dims.clone();
        let back = self.builder.reshape(adjoint.value, &dims, op.loc)?;
        self.contribute(a, back, self.whole_guard(adjoint), op.loc)
    }

    /// `y = transpose(a)`
    pub(super) fn transpose_adjoint(
        &mut self,
        perm: &Axes,
        op: &Op,
        adjoint: Adjoint,
    ) -> Built<()> {
        let mut inverse = Axes::from_elem(0, perm.len());
        for (axis, from) in perm.iter().enumerate() {
            inverse[*from] = axis;
        }
        let back = self.builder.transpose(adjoint.value, &inverse, op.loc)?;
        self.contribute(op.operands[0], back, self.whole_guard(adjoint), op.loc)
    }

    /// `y = sum(a)`: the adjoint along every summed axis.
    pub(super) fn sum_adjoint(&mut self, axes: &Axes, op: &Op, adjoint: Adjoint) -> Built<()> {
        let a = op.operands[0];
        let dims = self.primal.ty(a).dims.clone();
        let kept: Axes = (0..dims.len()).filter(|axis| !axes.contains(axis)).collect();
        let stretched = self.builder.broadcast(adjoint.value, &dims, &kept, op.loc)?;
        self.contribute(a, stretched, self.whole_guard(adjoint), op.loc)
    }
}
