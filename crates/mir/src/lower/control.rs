//! Branches and loops.

use neuro_db::Name;
use neuro_hir::{ExprId, LogicOp};
use neuro_num::Scalar;

use super::read::Reading;
use super::{LoopFrame, Lowering};
use crate::{BlockId, BlockKind, DropReason, Operand, Place, Rvalue, Terminator};

impl Lowering<'_, '_> {
    /// Evaluates a condition; its temporaries are gone before the branch.
    pub(super) fn condition(&mut self, expr: ExprId) -> Operand {
        self.open_scope(DropReason::Temporary, None);
        let read = self.read(expr, Reading::Looking, &[]);
        let operand = match &read.operand {
            Operand::Copy(place) if !place.projections.is_empty() => {
                self.fix(read.operand.clone(), expr)
            }
            operand => operand.clone(),
        };
        self.close_scope(expr);
        operand
    }

    /// `if`; the value is put in `dest`.
    pub(super) fn if_else(
        &mut self,
        cond: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
        dest: Option<&Place>,
    ) {
        let cond = self.condition(cond);
        let branch = self.branch(cond);
        self.start(branch.then);
        self.arm(then, dest);
        let then_end = self.end_of_arm();
        self.start(branch.otherwise);
        if let Some(otherwise) = otherwise {
            self.arm(otherwise, dest);
        }
        let otherwise_end = self.end_of_arm();
        self.join(&branch, [then_end, otherwise_end]);
    }

    pub(super) fn arm(&mut self, expr: ExprId, dest: Option<&Place>) {
        self.open_scope(DropReason::Temporary, None);
        self.value_or_effect(expr, dest);
        self.close_scope(expr);
    }

    /// `lhs && rhs`, `lhs || rhs`.
    pub(super) fn logic(
        &mut self,
        op: LogicOp,
        lhs: ExprId,
        rhs: ExprId,
        dest: &Place,
        expr: ExprId,
    ) {
        let cond = self.condition(lhs);
        let branch = self.branch(cond);
        let (evaluated, decided, value) = match op {
            LogicOp::And => (branch.then, branch.otherwise, false),
            LogicOp::Or => (branch.otherwise, branch.then, true),
        };
        self.start(evaluated);
        self.arm(rhs, Some(dest));
        let evaluated_end = self.end_of_arm();
        self.start(decided);
        self.assign(dest, Rvalue::Use(Operand::Const(Scalar::bool(value))), expr);
        let decided_end = self.end_of_arm();
        self.join(&branch, [evaluated_end, decided_end]);
    }

    /// Opens a loop: goes to its header. Gives header and exit.
    pub(super) fn loop_header(&mut self) -> (BlockId, BlockId) {
        let header = self.new_block();
        let exit = self.new_block();
        self.blocks[header].kind = BlockKind::LoopHeader { exit };
        self.terminate(Terminator::Goto(header));
        self.start(header);
        (header, exit)
    }

    /// Lowers the body of a loop whose `continue` goes to `next`.
    pub(super) fn loop_body(
        &mut self,
        label: Option<Name>,
        (next, exit): (BlockId, BlockId),
        body: ExprId,
        dest: Option<&Place>,
    ) {
        let depth = self.scopes.len();
        self.loops.push(LoopFrame { label, next, exit, depth, dest: dest.cloned() });
        self.block(body, None);
        self.loops.pop();
        self.terminate(Terminator::Goto(next));
    }

    pub(super) fn while_loop(&mut self, label: Option<Name>, cond: ExprId, body: ExprId) {
        let (header, exit) = self.loop_header();
        let cond = self.condition(cond);
        let inside = self.leave_unless(cond, exit);
        self.start(inside);
        self.loop_body(label, (header, exit), body, None);
        self.start(exit);
    }

    /// Ends the current block with the exit of a loop; gives the block inside it.
    pub(super) fn leave_unless(&mut self, cond: Operand, exit: BlockId) -> BlockId {
        let inside = self.new_block();
        self.terminate(Terminator::Branch { cond, then: inside, otherwise: exit, join: None });
        inside
    }

    /// `loop`; what a `break` gives is put in `dest`.
    pub(super) fn endless_loop(&mut self, label: Option<Name>, body: ExprId, dest: Option<&Place>) {
        let (header, exit) = self.loop_header();
        self.loop_body(label, (header, exit), body, dest);
        self.start(exit);
    }

    /// Puts the value of a `break` where its loop wants it.
    pub(super) fn break_value(&mut self, label: Option<&Name>, value: ExprId) {
        let frame =
            self.loops.iter().rev().find(|frame| label.is_none() || frame.label.as_ref() == label);
        let dest = frame.and_then(|frame| frame.dest.clone());
        self.arm(value, dest.as_ref());
    }

    /// `break`, `continue`.
    pub(super) fn jump(&mut self, label: Option<&Name>, leaves: bool, expr: ExprId) {
        let frame =
            self.loops.iter().rev().find(|frame| label.is_none() || frame.label.as_ref() == label);
        let Some(frame) = frame else { return };
        let (depth, target) = (frame.depth, if leaves { frame.exit } else { frame.next });
        self.leave_scopes(depth, expr);
        self.terminate(Terminator::Goto(target));
    }
}
