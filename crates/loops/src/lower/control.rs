//! Branches and loops: regions become blocks, what they give becomes scalars and copies.

use neuro_ir::{Op as GraphOp, RegionId, ValueId};

use super::Lowering;
use crate::demand::Place;
use crate::program::{Block, BufferKind, Carried, Step};

impl Lowering<'_> {
    /// Lowers a region into a block; `values` are added to it by the caller.
    fn block(&mut self, lower: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.steps);
        lower(self);
        Block { steps: std::mem::replace(&mut self.steps, outer), values: Vec::new() }
    }

    pub(super) fn branch(&mut self, op: &GraphOp) {
        let function = self.function;
        let condition = self.scalar(op.operands[0]);
        let [then, otherwise] = op.regions.as_slice() else { return };
        let wanted: Vec<usize> = (0..op.results.len())
            .filter(|number| self.demand.place(op.results[*number]) != Place::Unused)
            .collect();
        for number in &wanted {
            if self.demand.place(op.results[*number]) == Place::Buffer {
                self.new_buffer(op.results[*number]);
            }
        }
        let mut arm = |region: RegionId| {
            let results = &function.region(region).results;
            let mut copies = Vec::new();
            for number in &wanted {
                if let Some(buffer) = self.buffers.get(&op.results[*number]).copied()
                    && !self.claim(results[*number], buffer, region)
                {
                    copies.push((results[*number], buffer));
                }
            }
            let mut block = self.block(|this| {
                this.region(region);
                copies.into_iter().for_each(|(value, buffer)| this.copy(value, buffer));
            });
            for number in &wanted {
                if self.demand.place(op.results[*number]) == Place::Scalar {
                    block.values.push(self.scalar(results[*number]));
                }
            }
            block
        };
        let (then, otherwise) = (arm(*then), arm(*otherwise));
        let scalar = |number: &usize| {
            let result = op.results[*number];
            (self.demand.place(result) == Place::Scalar).then_some(result)
        };
        let results: Vec<ValueId> = wanted.iter().filter_map(scalar).collect();
        let results = results.into_iter().map(|result| self.define_scalar(result)).collect();
        self.steps.push(Step::If { condition, then, otherwise, results });
    }

    /// A carried tensor has one buffer, which its first value is copied into; each iteration's next values are complete
    /// before they are copied there.
    pub(super) fn repetition(&mut self, op: &GraphOp) {
        let function = self.function;
        let [condition, body] = op.regions.as_slice() else { return };
        let (test, step) = (function.region(*condition), function.region(*body));
        let mut carried = Vec::new();
        for (number, (first, result)) in op.operands.iter().zip(&op.results).enumerate() {
            let same = [test.params[number], step.params[number]];
            if function.ty(*first).rank() == 0 {
                let first = self.scalar(*first);
                let current = self.define_scalar(*result);
                same.iter().for_each(|param| _ = self.scalars.insert(*param, current));
                carried.push(Carried { first, current });
            } else {
                let buffer = self.new_buffer(*result);
                self.copy(*first, buffer);
                same.iter().for_each(|param| _ = self.buffers.insert(*param, buffer));
            }
        }
        let mut condition = self.block(|this| this.region(*condition));
        condition.values = vec![self.scalar(test.results[0])];
        let mut body = self.block(|this| {
            this.push_early(*body);
            this.region(*body);
            this.next_tensors(op, &step.params, &step.results);
        });
        let scalars = step.results.iter().filter(|value| function.ty(**value).rank() == 0);
        body.values = scalars.map(|value| self.scalar(*value)).collect();
        self.steps.push(Step::While { carried, condition, body });
    }

    fn next_tensors(&mut self, op: &GraphOp, params: &[ValueId], next: &[ValueId]) {
        let mut moves = Vec::new();
        for (number, (value, result)) in next.iter().zip(&op.results).enumerate() {
            let Some(to) = self.buffers.get(result).copied() else { continue };
            let storage = self.demand.storage(*value);
            if storage == params[number] {
                continue;
            }
            if params.contains(&storage) {
                // Another carried tensor's buffer is overwritten as well: keep its value first.
                let kept = self.buffer_like(*value, BufferKind::Workspace(0));
                self.copy(*value, kept);
                moves.push((kept, to, *value));
            } else {
                moves.push((self.buffer(*value), to, *value));
            }
        }
        for (from, to, value) in moves {
            self.copy_buffer(from, to, value);
        }
    }
}
