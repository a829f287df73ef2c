//! Frames of the history: what a loop's iteration keeps for the reverse sweep.
//!
//! A frame is a place for each of its values in order. Where every frame holds scalars only, places have 8 bytes; else
//! they and the frames are aligned as the workspace is, in the whole function, so that both sweeps agree.

use neuro_ir::{Op as GraphOp, OpKind, RegionId, ValueId};
use neuro_num::DType;

use super::Lowering;
use crate::program::{Access, BufferId, BufferKind, Index, Op, Reg, Step, WORKSPACE_ALIGN};

impl Lowering<'_> {
    /// Pushes the frame of a loop's body at its start, where nothing else is pushed before the frame is complete: then
    /// its values may be computed in place.
    pub(super) fn push_early(&mut self, body: RegionId) {
        let function = self.function;
        let mut own = None;
        for op in function.region(body).ops.iter().map(|op| function.op(*op)) {
            if matches!(op.kind, OpKind::Push { .. }) {
                own = Some(op);
            }
            if op.regions.iter().any(|region| self.pushes(*region)) {
                return;
            }
        }
        if let Some(op) = own {
            let base = self.push_frame(op);
            self.open_frame = Some(base);
        }
    }

    fn pushes(&self, region: RegionId) -> bool {
        self.function.region(region).ops.iter().any(|op| {
            let op = self.function.op(*op);
            matches!(op.kind, OpKind::Push { .. })
                || op.regions.iter().any(|region| self.pushes(*region))
        })
    }

    fn push_frame(&mut self, op: &GraphOp) -> Reg {
        let base = self.register(DType::U64);
        let bytes = self.frame_bytes(&op.operands);
        self.steps.push(Step::Push { base, bytes, loc: op.loc });
        base
    }

    pub(super) fn push(&mut self, op: &GraphOp) {
        let base = match self.open_frame.take() {
            Some(base) => base,
            None => self.push_frame(op),
        };
        for (value, buffer) in op.operands.iter().zip(self.places(&op.operands, base)) {
            if self.function.ty(*value).rank() == 0 {
                let value = self.scalar(*value);
                self.steps.push(Step::Store { value, buffer, position: 0 });
            } else {
                self.copy(*value, buffer);
            }
        }
    }

    /// Popped tensors are read where they are.
    pub(super) fn pop(&mut self, op: &GraphOp) {
        let base = self.register(DType::U64);
        let bytes = self.frame_bytes(&op.results);
        self.steps.push(Step::Pop { base, bytes });
        for (value, buffer) in op.results.iter().zip(self.places(&op.results, base)) {
            if self.function.ty(*value).rank() == 0 {
                let access = Access { buffer, index: Index::constant(0, 0) };
                self.scalar_step(*value, Op::Load(access));
            } else {
                self.buffers.insert(*value, buffer);
            }
        }
    }

    /// A buffer for each value of a frame.
    fn places(&mut self, values: &[ValueId], base: Reg) -> Vec<BufferId> {
        let align = self.frame_align();
        let mut offset = 0;
        let mut buffers = Vec::with_capacity(values.len());
        for value in values {
            buffers.push(self.buffer_like(*value, BufferKind::Frame { base, offset }));
            offset = offset.saturating_add(self.place_bytes(*value, align));
        }
        buffers
    }

    fn frame_bytes(&self, values: &[ValueId]) -> u64 {
        let align = self.frame_align();
        values.iter().fold(0, |sum: u64, value| sum.saturating_add(self.place_bytes(*value, align)))
    }

    fn place_bytes(&self, value: ValueId, align: u64) -> u64 {
        let bytes = self.function.ty(value).bytes() as u64;
        bytes.checked_next_multiple_of(align).unwrap_or(u64::MAX)
    }

    fn frame_align(&self) -> u64 {
        if self.has_tensors(self.function.body()) { WORKSPACE_ALIGN } else { 8 }
    }

    fn has_tensors(&self, region: RegionId) -> bool {
        let function = self.function;
        function.region(region).ops.iter().map(|op| function.op(*op)).any(|op| {
            let framed = match op.kind {
                OpKind::Push { .. } => op.operands.as_slice(),
                OpKind::Pop { .. } => op.results.as_slice(),
                _ => &[],
            };
            framed.iter().any(|value| function.ty(*value).rank() != 0)
                || op.regions.iter().any(|region| self.has_tensors(*region))
        })
    }
}
