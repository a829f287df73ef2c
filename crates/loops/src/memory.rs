//! The workspace: a place for each buffer, shared by buffers that are never alive at the same time.

use crate::program::{
    Buffer, BufferId, BufferKind, Op, Port, Program, Sink, Step, WORKSPACE_ALIGN,
};

/// Gives every workspace buffer its offset, and the program its number of bytes.
pub(crate) fn plan(program: &mut Program) {
    let mut lives = Lives { spans: vec![None; program.buffers.len()], now: 0 };
    lives.steps(&program.steps);
    let mut order: Vec<(usize, Span)> = lives
        .spans
        .iter()
        .enumerate()
        .filter(|(id, _)| matches!(program.buffers[*id].kind, BufferKind::Workspace(_)))
        .filter_map(|(id, span)| Some((id, (*span)?)))
        .collect();
    order.sort_by_key(|(id, span)| (span.first, *id));
    let mut placed = Vec::new();
    for (id, span) in order {
        let bytes = reserved(&program.buffers[id]);
        let offset = first_fit(&mut placed, span, bytes);
        program.buffers[id].kind = BufferKind::Workspace(offset);
        program.workspace_bytes = program.workspace_bytes.max(offset.saturating_add(bytes));
    }
}

/// The steps between which a buffer must keep what it holds, both included.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    last: usize,
}

/// Bytes that are in use from `offset` on.
#[derive(Clone, Copy, Debug)]
struct Placed {
    offset: u64,
    bytes: u64,
    last: usize,
}

fn reserved(buffer: &Buffer) -> u64 {
    buffer.bytes().checked_next_multiple_of(WORKSPACE_ALIGN).unwrap_or(u64::MAX)
}

/// The lowest offset at which nothing alive is in the way. `placed` is sorted by offset.
fn first_fit(placed: &mut Vec<Placed>, span: Span, bytes: u64) -> u64 {
    placed.retain(|other| other.last >= span.first);
    let mut offset: u64 = 0;
    let mut position = placed.len();
    for (number, other) in placed.iter().enumerate() {
        if offset.saturating_add(bytes) <= other.offset {
            position = number;
            break;
        }
        offset = offset.max(other.offset.saturating_add(other.bytes));
    }
    placed.insert(position, Placed { offset, bytes, last: span.last });
    offset
}

/// Numbers steps in program order, nested ones included.
struct Lives {
    spans: Vec<Option<Span>>,
    now: usize,
}

impl Lives {
    fn touch(&mut self, buffer: BufferId) {
        let now = self.now;
        let span = self.spans[buffer.0 as usize].get_or_insert(Span { first: now, last: now });
        span.last = now;
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.now += 1;
            step.for_each_read(|buffer| self.touch(buffer));
            step.for_each_write(|buffer| self.touch(buffer));
            let start = self.now;
            step.blocks().for_each(|block| self.steps(&block.steps));
            if let Step::While { .. } = step {
                self.now += 1;
                self.outlast_loop(start);
            }
        }
    }

    /// What was there before a loop and is used in it is used again in the next iteration.
    fn outlast_loop(&mut self, start: usize) {
        for span in self.spans.iter_mut().flatten() {
            if span.first <= start && span.last > start {
                span.last = self.now;
            }
        }
    }
}

/// Whether the program gives the same results when result 0 is the memory of parameter `param`: when result 0 is
/// written, each element of the parameter is read at most for the same element, and nothing reads the parameter later.
pub fn may_write_in_place(program: &Program, param: usize) -> bool {
    let (Some(Port::Tensor(from)), Some(Port::Tensor(to))) =
        (program.params.get(param), program.results.first())
    else {
        return false;
    };
    let (from, to) = (*from, *to);
    let (source, target) = (program.buffer(from), program.buffer(to));
    if source.dtype != target.dtype || source.elements() != target.elements() {
        return false;
    }
    let mut written = false;
    for step in &program.steps {
        if written && reads(step, from) {
            return false;
        }
        if writes(step, to) {
            written = true;
            if reads(step, from) && !reads_only_what_it_writes(step, from) {
                return false;
            }
        }
    }
    written
}

fn reads(step: &Step, buffer: BufferId) -> bool {
    let mut found = false;
    step.for_each_read(|other| found |= other == buffer);
    found || step.blocks().any(|block| block.steps.iter().any(|step| reads(step, buffer)))
}

fn writes(step: &Step, buffer: BufferId) -> bool {
    let mut found = false;
    step.for_each_write(|other| found |= other == buffer);
    found || step.blocks().any(|block| block.steps.iter().any(|step| writes(step, buffer)))
}

fn reads_only_what_it_writes(step: &Step, buffer: BufferId) -> bool {
    let Step::Nest(nest) = step else { return false };
    let Sink::Store { to, .. } = &nest.sink else { return false };
    nest.body.iter().all(|inst| match &inst.op {
        Op::Load(access) => access.buffer != buffer || access.index == to.index,
        Op::Element { buffer: other, .. } => *other != buffer,
        Op::Const(_)
        | Op::Math(..)
        | Op::Unary { .. }
        | Op::Binary { .. }
        | Op::Compare { .. }
        | Op::Select { .. }
        | Op::Convert(_)
        | Op::AtPosition(_) => true,
    })
}
