//! What a statement does to places.

use crate::{
    Body, DropReason, Operand, Place, PrintPart, Rvalue, Statement, StatementKind, Terminator,
};

/// How a place is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AccessKind {
    /// It is looked at.
    Read,
    /// What it holds is taken.
    Move,
    /// It is borrowed.
    Borrow {
        /// Whether by `&mut`.
        mutable: bool,
    },
    /// Its gradient slot is borrowed.
    BorrowGradient,
    /// Its slots are emptied.
    Empty,
    /// It is given a new value, by a statement that has read its operands.
    Assign,
    /// What it holds is changed, by a statement that has read its operands.
    Change,
    /// Its scope ends.
    End,
}

impl AccessKind {
    /// Whether other borrows of the place exclude this.
    pub(super) fn is_write(self) -> bool {
        match self {
            AccessKind::Read
            | AccessKind::Borrow { mutable: false }
            | AccessKind::BorrowGradient => false,
            AccessKind::Move
            | AccessKind::Borrow { mutable: true }
            | AccessKind::Empty
            | AccessKind::Assign
            | AccessKind::Change
            | AccessKind::End => true,
        }
    }

    /// Whether the statement's operands were read before.
    pub(super) fn is_after_operands(self) -> bool {
        matches!(self, AccessKind::Assign | AccessKind::Change)
    }
}

/// A use of a place.
#[derive(Clone, Debug)]
pub(super) struct Access<'a> {
    pub(super) kind: AccessKind,
    pub(super) place: &'a Place,
}

fn operand<'a>(operand: &'a Operand, out: &mut Vec<Access<'a>>) {
    match operand {
        Operand::Copy(place) => out.push(Access { kind: AccessKind::Read, place }),
        Operand::Move(place) => out.push(Access { kind: AccessKind::Move, place }),
        Operand::Const(_) => {}
    }
}

fn parts<'a>(parts: &'a [PrintPart], out: &mut Vec<Access<'a>>) {
    for part in parts {
        if let PrintPart::Value { value, .. } = part {
            operand(value, out);
        }
    }
}

/// What a statement does, in order.
pub(super) fn accesses<'a>(body: &'a Body<'_>, statement: &'a Statement<'_>) -> Vec<Access<'a>> {
    let mut out = Vec::new();
    let mut push = |kind, place| out.push(Access { kind, place });
    match &statement.kind {
        StatementKind::Assign { place, value } => {
            match value {
                Rvalue::Use(source) => operand(source, &mut out),
                Rvalue::Ref { mutable, place } => {
                    push(AccessKind::Borrow { mutable: *mutable }, place);
                }
                Rvalue::Gradient(place) => push(AccessKind::BorrowGradient, place),
                Rvalue::Operation { operands, .. } => {
                    operands.iter().for_each(|source| operand(source, &mut out));
                }
            }
            out.push(Access { kind: AccessKind::Assign, place });
        }
        StatementKind::InPlace { place, value, .. } => {
            operand(value, &mut out);
            out.push(Access { kind: AccessKind::Change, place });
        }
        StatementKind::SetElement { tensor, positions, value } => {
            operand(value, &mut out);
            positions.iter().for_each(|position| operand(position, &mut out));
            out.push(Access { kind: AccessKind::Change, place: tensor });
        }
        StatementKind::Call { dest, args, .. } => {
            args.iter().for_each(|arg| operand(arg, &mut out));
            out.extend(dest.iter().map(|place| Access { kind: AccessKind::Assign, place }));
        }
        StatementKind::Forward(sweep) | StatementKind::Backward(sweep) => {
            body.sweeps[*sweep].args.iter().for_each(|arg| operand(arg, &mut out));
        }
        StatementKind::ZeroGrad(place) => push(AccessKind::Empty, place),
        StatementKind::Drop { place, reason } => {
            let kind = match reason {
                DropReason::Consumed => AccessKind::Move,
                DropReason::Displaced => AccessKind::Assign,
                DropReason::ScopeEnd | DropReason::Temporary => AccessKind::End,
            };
            push(kind, place);
        }
        StatementKind::Print { parts: pieces, .. } => parts(pieces, &mut out),
        StatementKind::PoolEnter(_) | StatementKind::PoolExit(_) => {}
    }
    out
}

/// What the end of a block reads.
pub(super) fn terminator_accesses<'a>(terminator: &'a Terminator) -> Vec<Access<'a>> {
    let mut out = Vec::new();
    match terminator {
        Terminator::Branch { cond, .. } => operand(cond, &mut out),
        Terminator::Panic { message, .. } => parts(message, &mut out),
        Terminator::Goto(_) | Terminator::Return | Terminator::Unreachable => {}
    }
    out
}
