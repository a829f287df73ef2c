//! What a statement does to places.

use neuro_hir::ExprId;
use smallvec::SmallVec;

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
    /// Which operand of the statement's expression it is, where operands are written in their order.
    pub(super) operand: Option<usize>,
    /// The expression that it is made for, where it is a part of the statement's.
    pub(super) part: Option<ExprId>,
}

impl<'a> Access<'a> {
    fn new(kind: AccessKind, place: &'a Place) -> Self {
        Self { kind, place, operand: None, part: None }
    }

    fn of(operand: &'a Operand) -> Option<Self> {
        match operand {
            Operand::Copy(place) => Some(Self::new(AccessKind::Read, place)),
            Operand::Move(place) => Some(Self::new(AccessKind::Move, place)),
            Operand::Const(_) => None,
        }
    }
}

/// Reads of operands that stand in this order in the expression, from the given one on.
fn ordered<'a>(operands: &'a [Operand], first: usize) -> impl Iterator<Item = Access<'a>> {
    operands.iter().enumerate().filter_map(move |(index, operand)| {
        Access::of(operand).map(|access| Access { operand: Some(first + index), ..access })
    })
}

fn printed(parts: &[PrintPart]) -> impl Iterator<Item = Access<'_>> {
    parts.iter().filter_map(|part| match part {
        PrintPart::Value { value, expr, .. } => {
            Access::of(value).map(|access| Access { part: Some(*expr), ..access })
        }
        PrintPart::Text(_) => None,
    })
}

/// What a statement does, in order.
pub(super) fn accesses<'a>(
    body: &'a Body<'_>,
    statement: &'a Statement<'_>,
) -> SmallVec<[Access<'a>; 4]> {
    let mut out = SmallVec::new();
    match &statement.kind {
        StatementKind::Assign { place, value } => {
            match value {
                Rvalue::Use(source) => out.extend(Access::of(source)),
                Rvalue::Ref { mutable, place } => {
                    out.push(Access::new(AccessKind::Borrow { mutable: *mutable }, place));
                }
                Rvalue::Gradient(place) => {
                    out.push(Access::new(AccessKind::BorrowGradient, place));
                }
                Rvalue::Operation { operands, .. } => out.extend(ordered(operands, 0)),
                Rvalue::Aggregate(parts) | Rvalue::Variant { parts, .. } => {
                    out.extend(parts.iter().filter_map(Access::of));
                }
                Rvalue::Tag(place) | Rvalue::Length(place) => {
                    out.push(Access::new(AccessKind::Read, place));
                }
                Rvalue::Empty => {}
                Rvalue::Object { mutable, place } => {
                    out.push(Access::new(AccessKind::Borrow { mutable: *mutable }, place));
                }
                Rvalue::Slice { mutable, place, range } => {
                    let bounds = range.iter().flat_map(|range| [&range.start, &range.end]);
                    out.extend(bounds.filter_map(Access::of));
                    out.push(Access::new(AccessKind::Borrow { mutable: *mutable }, place));
                }
                Rvalue::Text(parts) => out.extend(printed(parts)),
                Rvalue::TextOperation { operands, .. } => out.extend(ordered(operands, 0)),
            }
            out.push(Access::new(AccessKind::Assign, place));
        }
        StatementKind::InPlace { place, value, .. } => {
            out.extend(Access::of(value).map(|access| Access { operand: Some(1), ..access }));
            out.push(Access { operand: Some(0), ..Access::new(AccessKind::Change, place) });
        }
        StatementKind::Append { place, parts } => {
            out.extend(printed(parts));
            out.push(Access { operand: Some(0), ..Access::new(AccessKind::Change, place) });
        }
        StatementKind::SetElement { tensor, positions, value } => {
            out.extend(Access::of(value).map(|access| Access { operand: Some(1), ..access }));
            out.extend(positions.iter().filter_map(Access::of));
            out.push(Access { operand: Some(0), ..Access::new(AccessKind::Change, tensor) });
        }
        StatementKind::Bounds { position, length, of: _ } => {
            out.extend([position, length].into_iter().filter_map(Access::of));
        }
        StatementKind::Call { dest, args, .. } | StatementKind::CallDyn { dest, args, .. } => {
            out.extend(args.iter().filter_map(Access::of));
            out.extend(dest.iter().map(|place| Access::new(AccessKind::Assign, place)));
        }
        StatementKind::FunctionValue { dest, captures, .. } => {
            out.extend(captures.iter().map(|place| Access::new(AccessKind::Read, place)));
            out.push(Access::new(AccessKind::Assign, dest));
        }
        StatementKind::CallValue { dest, callee, args } => {
            out.extend(Access::of(callee));
            out.extend(args.iter().filter_map(Access::of));
            out.extend(dest.iter().map(|place| Access::new(AccessKind::Assign, place)));
        }
        StatementKind::Collection { dest, op, place, args } => {
            out.extend(args.iter().filter_map(Access::of));
            let kind = if op.changes() { AccessKind::Change } else { AccessKind::Read };
            out.push(Access { operand: Some(0), ..Access::new(kind, place) });
            out.extend(dest.iter().map(|place| Access::new(AccessKind::Assign, place)));
        }
        StatementKind::Forward(sweep) | StatementKind::Backward(sweep) => {
            out.extend(body.sweeps[*sweep].args.iter().filter_map(Access::of));
        }
        StatementKind::ClearText(place) => out.push(Access::new(AccessKind::Change, place)),
        StatementKind::ZeroGrad(place) => out.push(Access::new(AccessKind::Empty, place)),
        StatementKind::Drop { place, reason } => {
            let kind = match reason {
                DropReason::Consumed => AccessKind::Move,
                DropReason::Displaced => AccessKind::Assign,
                DropReason::ScopeEnd | DropReason::Temporary => AccessKind::End,
            };
            out.push(Access::new(kind, place));
        }
        StatementKind::Print { parts, .. } => out.extend(printed(parts)),
        StatementKind::PoolEnter(_) | StatementKind::PoolExit(_) => {}
    }
    out
}

/// What the end of a block reads.
pub(super) fn terminator_accesses(terminator: &Terminator) -> Vec<Access<'_>> {
    match terminator {
        Terminator::Branch { cond, .. } => Access::of(cond).into_iter().collect(),
        Terminator::Panic { message, .. } => printed(message).collect(),
        Terminator::Goto(_) | Terminator::Return | Terminator::Unreachable => Vec::new(),
    }
}
