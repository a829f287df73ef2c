//! One buffer for a value and the one that it is copied to, where the old value of the second is not needed any more.
//!
//! A loop gives each carried tensor one buffer and copies the next value there; a changed element starts from a copy of
//! its tensor. Most of these copies are of values that nothing else reads: they are computed in the target instead.

use crate::program::{BufferId, BufferKind, Op, Program, Sink, Step};

/// Programs with more steps keep their copies: finding out takes the square of their number.
const MAX_STEPS: usize = 4000;

/// Takes out the copies that can be done without, in programs with loops or changed elements.
pub(crate) fn coalesce(program: &mut Program) {
    let mut steps = 0;
    let mut changes = false;
    for_each(&program.steps, &mut |step| {
        steps += 1;
        changes |= matches!(step, Step::While { .. } | Step::StoreAt(_));
    });
    if !changes || steps > MAX_STEPS {
        return;
    }
    while let Some((from, to)) = find(program, &program.steps) {
        rename(&mut program.steps, from, to);
    }
}

/// A buffer that can be another one, in a block or in those nested in it.
fn find(program: &Program, steps: &[Step]) -> Option<(BufferId, BufferId)> {
    for (at, step) in steps.iter().enumerate() {
        let mut copies = Vec::new();
        copies_in(step, &mut copies);
        if let Some(pair) = copies.into_iter().find(|pair| may_share(program, steps, at, *pair)) {
            return Some(pair);
        }
        if let Some(found) = step.blocks().find_map(|block| find(program, &block.steps)) {
            return Some(found);
        }
    }
    None
}

/// Source and target of a step that copies, or of those in the arms of a branch.
fn copies_in(step: &Step, copies: &mut Vec<(BufferId, BufferId)>) {
    copies.extend(as_copy(step));
    if let Step::If { .. } = step {
        for step in step.blocks().flat_map(|block| &block.steps) {
            copies_in(step, copies);
        }
    }
}

/// Source and target of a step that only copies a whole buffer.
fn as_copy(step: &Step) -> Option<(BufferId, BufferId)> {
    let Step::Nest(nest) = step else { return None };
    let ([inst], Sink::Store { value, to }) = (nest.body.as_slice(), &nest.sink) else {
        return None;
    };
    match &inst.op {
        Op::Load(from) if inst.dest == *value && from.index == to.index => {
            Some((from.buffer, to.buffer))
        }
        _ => None,
    }
}

/// Whether `from` can be computed in `to`, into which the step `at`, or an arm of it, copies it.
fn may_share(
    program: &Program,
    steps: &[Step],
    at: usize,
    (from, to): (BufferId, BufferId),
) -> bool {
    let (source, target) = (program.buffer(from), program.buffer(to));
    let fits = from != to
        && matches!(source.kind, BufferKind::Workspace(_))
        && source.dtype == target.dtype
        && source.elements() == target.elements();
    // The source belongs to this block alone: it is written anew whenever the block runs.
    if !fits || touches(steps, from) != touches(&program.steps, from) {
        return false;
    }
    let Some(first) = steps[..at].iter().position(|step| touched(step, from) > 0) else {
        return false;
    };
    let (before, between, after) = (&steps[..first], &steps[first..at], &steps[at + 1..]);
    if let BufferKind::Frame { base, .. } = target.kind
        && !before.iter().any(|step| matches!(step, Step::Push { base: new, .. } if *new == base))
    {
        return false;
    }
    let read_later = after.iter().any(|step| reads(step, from));
    let changed_later = after.iter().any(|step| writes(step, from))
        || (read_later && after.iter().any(|step| writes(step, to)));
    !changed_later
        && between.iter().all(|step| !writes(step, to))
        && between[1..].iter().all(|step| !reads(step, to))
        && may_overwrite(&between[0], from, to)
        && (as_copy(&steps[at]).is_some() || (!read_later && becomes(&steps[at], from, to)))
}

/// Whether a branch writes `to` in every arm, and reads `from` at most before that: then both may be one.
fn becomes(step: &Step, from: BufferId, to: BufferId) -> bool {
    let Step::If { then, otherwise, .. } = step else {
        // The only write: it reads of the other at most the element that it writes.
        return writes(step, to) && !writes(step, from) && may_overwrite(step, to, from);
    };
    [then, otherwise].iter().all(|block| {
        block.steps.iter().position(|step| touched(step, to) > 0).is_some_and(|first| {
            becomes(&block.steps[first], from, to)
                && block.steps[first + 1..].iter().all(|step| touched(step, from) == 0)
        })
    })
}

/// Whether the first step that writes `from` could as well write `to`: it reads of the old value at most the element
/// that it writes.
fn may_overwrite(step: &Step, from: BufferId, to: BufferId) -> bool {
    if !reads(step, to) {
        return true;
    }
    match step {
        Step::Nest(nest) => {
            let Sink::Store { to: written, .. } = &nest.sink else { return false };
            written.buffer == from
                && nest.body.iter().all(|inst| match &inst.op {
                    Op::Load(access) => access.buffer != to || access.index == written.index,
                    op => op.buffer() != Some(to),
                })
        }
        Step::If { then, otherwise, .. } => [then, otherwise].iter().all(|block| {
            match block.steps.iter().position(|step| touched(step, from) > 0) {
                Some(first) => {
                    may_overwrite(&block.steps[first], from, to)
                        && block.steps[first + 1..].iter().all(|step| !reads(step, to))
                }
                None => true,
            }
        }),
        _ => false,
    }
}

fn rename(steps: &mut Vec<Step>, from: BufferId, to: BufferId) {
    for step in steps.iter_mut() {
        step.for_each_buffer_mut(|buffer| {
            if *buffer == from {
                *buffer = to;
            }
        });
        step.blocks_mut().for_each(|block| rename(&mut block.steps, from, to));
    }
    steps.retain(|step| as_copy(step).is_none_or(|(from, to)| from != to));
}

fn for_each(steps: &[Step], each: &mut impl FnMut(&Step)) {
    for step in steps {
        each(step);
        step.blocks().for_each(|block| for_each(&block.steps, each));
    }
}

/// How often the steps read or write a buffer.
fn touches(steps: &[Step], buffer: BufferId) -> usize {
    let mut count = 0;
    for_each(steps, &mut |step| {
        step.for_each_read(|other| count += usize::from(other == buffer));
        step.for_each_write(|other| count += usize::from(other == buffer));
    });
    count
}

fn touched(step: &Step, buffer: BufferId) -> usize {
    touches(std::slice::from_ref(step), buffer)
}

fn reads(step: &Step, buffer: BufferId) -> bool {
    let mut found = false;
    for_each(std::slice::from_ref(step), &mut |step| {
        step.for_each_read(|other| found |= other == buffer);
    });
    found
}

fn writes(step: &Step, buffer: BufferId) -> bool {
    let mut found = false;
    for_each(std::slice::from_ref(step), &mut |step| {
        step.for_each_write(|other| found |= other == buffer);
    });
    found
}
