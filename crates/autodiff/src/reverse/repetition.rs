//! The adjoint of a loop: a loop of as many iterations, which undoes them newest first.
//!
//! It carries the adjoints of what the primal's loop carries, and the sums of what its iterations contribute to values
//! around it. Each iteration takes the frame of the primal's iteration from the history before anything else.

use neuro_ir::{Built, Op, OpId, OpKind, RegionId, Type, ValueDef, ValueId};
use neuro_num::{BinOp, CmpOp, DType, Overflow, Scalar};

use super::keep::Frame;
use super::{Adjoint, Sweep};
use crate::{AutodiffError, slope::constant};

/// A loop whose body is being walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenLoop<'f> {
    /// The primal's loop.
    op: &'f Op,
    /// Its body.
    pub(super) body: RegionId,
    /// The op that takes the iteration's frame.
    pub(super) pop: OpId,
    /// The number of the frame.
    pub(super) frame: usize,
    /// The number of the iteration that is undone, from 0.
    iteration: ValueId,
}

impl<'f> Sweep<'f> {
    /// `y.. = while`: undoes the iterations. Nothing flows through the condition.
    pub(super) fn loop_adjoint(&mut self, op: &'f Op) -> Result<(), AutodiffError> {
        let primal = self.primal;
        let ([_, body], Some(count)) = (op.regions.as_slice(), op.results.last()) else {
            return Err(super::no_rule(op));
        };
        let through: Vec<usize> =
            (0..op.results.len()).filter(|position| self.active(op.results[*position])).collect();
        let around = self.active_around(*body);
        let mut operands = vec![self.primal(*count)?];
        let passed = through.iter().map(|position| op.results[*position]);
        for value in passed.chain(around.iter().copied()).collect::<Vec<_>>() {
            operands.push(match self.adjoints[value.index()] {
                Some(adjoint) => adjoint.value,
                None => constant(&mut self.builder, 0.0, primal.ty(value)),
            });
        }
        let types: Vec<Type> = operands.iter().map(|id| self.builder.ty(*id).clone()).collect();
        let test = self.iterations_left(&types, op)?;

        let params = self.builder.begin_region(&types);
        let next = self.iteration(op, *body, (&through, &around), &params)?;
        let unchanged: Vec<bool> = params.iter().zip(&next).map(|(a, b)| a == b).collect();
        let region = self.builder.end_region(next);
        let new = self.builder.control(OpKind::While, &operands, &[test, region], op.loc)?;
        let results = self.builder.results(new).to_vec();

        let (passed, sums) = results[1..].split_at(through.len());
        for ((value, sum), unchanged) in
            around.iter().zip(sums).zip(&unchanged[1 + through.len()..])
        {
            if !unchanged {
                self.adjoints[value.index()] = Some(Adjoint { value: *sum, guard: None });
            }
        }
        for (position, adjoint) in through.iter().zip(passed) {
            let first = op.operands[*position];
            if self.active(first) {
                self.contribute(first, *adjoint, None, op.loc)?;
            }
        }
        Ok(())
    }

    /// The region that says whether an iteration is left to undo: the first carried value is their number.
    fn iterations_left(&mut self, types: &[Type], op: &Op) -> Built<RegionId> {
        let params = self.builder.begin_region(types);
        let none = self.builder.constant(Scalar::zero(DType::U64));
        let more = self.builder.compare(CmpOp::Ne, params[0], none, op.loc)?;
        Ok(self.builder.end_region([more]))
    }

    /// Undoes one iteration in the region that was begun with `params`: gives the next values of the carried ones.
    fn iteration(
        &mut self,
        op: &'f Op,
        body: RegionId,
        (through, around): (&[usize], &[ValueId]),
        params: &[ValueId],
    ) -> Result<Vec<ValueId>, AutodiffError> {
        let primal = self.primal;
        let frame = self.frames.len();
        let kind = OpKind::Pop { frame: frame as u32, types: Vec::new() };
        let pop = self.builder.control(kind, &[], &[], op.loc)?;
        self.frames.push(Frame { body, number: frame as u32, values: Vec::new() });
        let one = self.builder.constant(Scalar::one(DType::U64));
        let iteration = self.builder.sub(params[0], one, op.loc)?;
        self.loops.push(OpenLoop { op, body, pop, frame, iteration });

        let none = vec![None; self.adjoints.len()];
        let outside = std::mem::replace(&mut self.adjoints, none);
        let visible = self.recomputed.clone();
        let (passed, sums) = params[1..].split_at(through.len());
        for (value, sum) in around.iter().zip(sums) {
            self.adjoints[value.index()] = Some(Adjoint { value: *sum, guard: None });
        }
        let region = primal.region(body);
        for (position, adjoint) in through.iter().zip(passed) {
            let given = region.results[*position];
            if self.active(given) {
                self.contribute(given, *adjoint, None, op.loc)?;
            }
        }
        self.region(body)?;
        let starts = through.iter().map(|position| region.params[*position]);
        let mut next = vec![iteration];
        for value in starts.chain(around.iter().copied()) {
            next.push(match self.adjoints[value.index()] {
                Some(adjoint) => adjoint.value,
                None => constant(&mut self.builder, 0.0, primal.ty(value)),
            });
        }
        self.adjoints = outside;
        self.recomputed = visible;
        self.loops.pop();
        Ok(next)
    }

    /// The active values defined outside of a loop's body that are read in it.
    fn active_around(&self, body: RegionId) -> Vec<ValueId> {
        let mut found = Vec::new();
        let mut todo = vec![body];
        let mut inside = vec![body];
        while let Some(id) = todo.pop() {
            let region = self.primal.region(id);
            found.extend(&region.results);
            for op in &region.ops {
                let op = self.primal.op(*op);
                found.extend(&op.operands);
                todo.extend(&op.regions);
                inside.extend(&op.regions);
            }
        }
        found.retain(|value| self.active(*value) && !inside.contains(&self.homes.region(*value)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The frame that keeps a value, if the value changes in a loop.
    pub(super) fn frame_of(&self, value: ValueId) -> Option<OpenLoop<'f>> {
        let body = self.homes.body(value)?;
        self.loops.iter().rev().find(|open| open.body == body).copied()
    }

    /// A carried integer that grows by the same in each iteration follows from the number of the iteration.
    pub(super) fn counted(&mut self, value: ValueId) -> Built<Option<ValueId>> {
        let primal = self.primal;
        let ValueDef::Param { region, index } = primal.value(value).def else { return Ok(None) };
        let Some(open) = self.loops.iter().find(|open| open.body == region).copied() else {
            return Ok(None);
        };
        let ty = primal.ty(value);
        let next = primal.region(region).results[index as usize];
        let Some(Op { kind: OpKind::Binary { op, .. }, operands, .. }) = primal.def(next) else {
            return Ok(None);
        };
        let step = match (op, operands.as_slice()) {
            (BinOp::Add | BinOp::Sub, [a, step]) if *a == value => *step,
            (BinOp::Add, [step, a]) if *a == value => *step,
            _ => return Ok(None),
        };
        let same_everywhere = primal.constant(step).is_some()
            || (self.homes.body(step) != Some(region) && self.is_outside(step, region));
        if !ty.dtype.is_int() || !same_everywhere {
            return Ok(None);
        }
        let loc = open.op.loc;
        let first = self.primal(open.op.operands[index as usize])?;
        let step = self.primal(step)?;
        let times = self.builder.convert(open.iteration, ty.dtype, loc)?;
        let moved = self.builder.mul(times, step, loc)?;
        self.builder.binary(*op, Overflow::Wrap, first, moved, loc).map(Some)
    }

    /// Whether a value is defined outside of the body of a loop.
    fn is_outside(&self, value: ValueId, body: RegionId) -> bool {
        let mut home = self.homes.body(value);
        while let Some(region) = home {
            if region == body {
                return false;
            }
            home = self.homes.around(region);
        }
        true
    }
}
