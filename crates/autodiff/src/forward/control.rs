//! Tangents of branches and loops: the same control, with the tangents of its results as further results.

use neuro_ir::{Built, Op, RegionId, Type, ValueId};

use super::Sweep;
use crate::{AutodiffError, slope::constant};

impl Sweep<'_> {
    /// Copies the ops of a region, with tangents.
    pub(super) fn region(&mut self, region: RegionId) -> Result<(), AutodiffError> {
        let primal = self.primal;
        primal.region(region).ops.iter().try_for_each(|op| self.op(primal.op(*op)))
    }

    /// Each arm gives its results and the tangents of those that vary, zeros where one is absent.
    pub(super) fn branch_tangent(&mut self, op: &Op) -> Result<(), AutodiffError> {
        let varied = self.varied(&op.results);
        let mut regions = Vec::new();
        for arm in &op.regions {
            self.builder.begin_region(&[]);
            self.region(*arm)?;
            let results = self.with_tangents(&self.primal.region(*arm).results, &varied)?;
            regions.push(self.builder.end_region(results));
        }
        let condition = self.value(op.operands[0])?;
        self.finish_control(op, &[condition], &regions, &varied)
    }

    /// The tangents of carried values that vary are carried too.
    pub(super) fn loop_tangent(&mut self, op: &Op) -> Result<(), AutodiffError> {
        let varied = self.varied(&op.results);
        let operands = self.with_tangents(&op.operands, &varied)?;
        let types: Vec<Type> = operands.iter().map(|id| self.builder.ty(*id).clone()).collect();
        let mut regions = Vec::new();
        for (nth, region) in op.regions.iter().enumerate() {
            let old = self.primal.region(*region);
            let params = self.builder.begin_region(&types);
            let (values, tangents) = params.split_at(old.params.len());
            self.define(&old.params, values, &varied, tangents);
            self.region(*region)?;
            let results = if nth == 0 {
                vec![self.value(old.results[0])?]
            } else {
                self.with_tangents(&old.results, &varied)?
            };
            regions.push(self.builder.end_region(results));
        }
        self.finish_control(op, &operands, &regions, &varied)
    }

    fn finish_control(
        &mut self,
        op: &Op,
        operands: &[ValueId],
        regions: &[RegionId],
        varied: &[usize],
    ) -> Result<(), AutodiffError> {
        let new = self.builder.control(op.kind.clone(), operands, regions, op.loc)?;
        let results = self.builder.results(new).to_vec();
        let (values, tangents) = results.split_at(op.results.len());
        self.define(&op.results, values, varied, tangents);
        Ok(())
    }

    /// Notes new values, and the tangents of those at the positions `varied`.
    fn define(&mut self, old: &[ValueId], new: &[ValueId], varied: &[usize], tangents: &[ValueId]) {
        for (old, new) in old.iter().zip(new) {
            self.values[old.index()] = Some(*new);
        }
        for (position, tangent) in varied.iter().zip(tangents) {
            self.tangents[old[*position].index()] = Some(*tangent);
        }
    }

    /// The positions of the results that vary.
    fn varied(&self, results: &[ValueId]) -> Vec<usize> {
        (0..results.len()).filter(|at| self.activity.varied(results[*at])).collect()
    }

    /// New values, then the tangents of those at the positions `varied`.
    fn with_tangents(&mut self, old: &[ValueId], varied: &[usize]) -> Built<Vec<ValueId>> {
        let mut all: Vec<ValueId> = Vec::new();
        for id in old {
            all.push(self.value(*id)?);
        }
        for position in varied {
            let id = old[*position];
            let ty = self.primal.ty(id);
            let tangent = self.tangents[id.index()];
            all.push(tangent.unwrap_or_else(|| constant(&mut self.builder, 0.0, ty)));
        }
        Ok(all)
    }
}
