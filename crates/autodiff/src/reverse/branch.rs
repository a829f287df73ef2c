//! The adjoint of a branch: a branch by the same condition, whose arms contribute to the values around it that the
//! primal's arms read.

use neuro_ir::{Op, OpKind, RegionId, ValueId};
use neuro_num::Scalar;

use super::{Adjoint, Guard, Sweep};
use crate::AutodiffError;

/// What one arm contributes to values around it, by value.
type Contributions = Vec<(ValueId, Adjoint)>;

impl<'f> Sweep<'f> {
    /// `y.. = if c { .. } else { .. }`: only the arm taken contributes. A value to which one arm alone contributes gets zeros
    /// from the other for want of an absent value, guarded by the condition.
    pub(super) fn branch_adjoint(&mut self, op: &'f Op) -> Result<(), AutodiffError> {
        let condition = self.primal(op.operands[0])?;
        let mut regions = Vec::new();
        let mut arms: Vec<Contributions> = Vec::new();
        for arm in &op.regions {
            let (region, contributions) = self.arm(op, *arm)?;
            regions.push(region);
            arms.push(contributions);
        }
        let mut targets: Vec<ValueId> = arms.iter().flatten().map(|(value, _)| *value).collect();
        targets.sort_unstable();
        targets.dedup();
        for (region, contributions) in regions.iter().zip(&arms) {
            self.complete(*region, contributions, &targets);
        }
        if targets.is_empty() {
            // The regions are dropped with the arms' dead work: nothing flows to anything around the branch.
            return Ok(());
        }
        let branch = self.builder.control(OpKind::If, &[condition], &regions, op.loc)?;
        let results = self.builder.results(branch).to_vec();
        for (target, result) in targets.into_iter().zip(results) {
            let by = |arm: &Contributions| arm.iter().any(|(value, _)| *value == target);
            let guard = match (by(&arms[0]), by(&arms[1])) {
                (true, true) | (false, false) => None,
                (present, _) => Some(Guard { mask: condition, present }),
            };
            self.contribute(target, result, guard, op.loc)?;
        }
        Ok(())
    }

    /// The reverse sweep of one arm, in a region of its own.
    fn arm(
        &mut self,
        op: &'f Op,
        arm: RegionId,
    ) -> Result<(RegionId, Contributions), AutodiffError> {
        let none = vec![None; self.adjoints.len()];
        let outside = std::mem::replace(&mut self.adjoints, none);
        let visible = self.recomputed.clone();
        self.builder.begin_region(&[]);
        let results = &self.primal.region(arm).results;
        for (result, given) in op.results.iter().zip(results) {
            if let Some(adjoint) = outside[result.index()]
                && self.active(*given)
            {
                self.contribute(*given, adjoint.value, adjoint.guard, op.loc)?;
            }
        }
        self.region(arm)?;
        let region = self.builder.end_region([]);
        self.recomputed = visible;
        let inside = std::mem::replace(&mut self.adjoints, outside);
        // What is still there of values defined in the arm has been passed on.
        let contributions = self.primal.value_ids().filter_map(|value| {
            let adjoint = inside[value.index()]?;
            (self.homes.region(value) != arm).then_some((value, adjoint))
        });
        Ok((region, contributions.collect()))
    }

    /// Ends an arm with a contribution to each target, in order: the arm's own, else zeros.
    fn complete(&mut self, region: RegionId, own: &Contributions, targets: &[ValueId]) {
        self.builder.reopen_region(region);
        let mut results = Vec::new();
        for target in targets {
            let found = own.iter().find(|(value, _)| value == target);
            results.push(match found {
                Some((_, adjoint)) => adjoint.value,
                None => {
                    let ty = self.primal.ty(*target);
                    self.builder.splat(Scalar::zero(ty.dtype), &ty.dims)
                }
            });
        }
        self.builder.end_region(results);
    }
}
