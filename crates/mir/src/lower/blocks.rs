//! Putting statements into blocks and joining blocks.

use neuro_hir::ExprId;

use super::Lowering;
use crate::{
    Block, BlockId, BlockKind, DropReason, Operand, Operation, Place, Rvalue, Statement,
    StatementKind, Terminator,
};

/// A block that nothing was put into.
pub(super) fn empty_block<'db>() -> Block<'db> {
    Block { kind: BlockKind::Plain, statements: Vec::new(), terminator: Terminator::Unreachable }
}

/// A branch whose arms are being lowered.
pub(super) struct OpenBranch {
    /// The block that ends with the branch.
    from: BlockId,
    /// The first block of the arm that is taken when the condition holds.
    pub(super) then: BlockId,
    /// The first block of the other arm.
    pub(super) otherwise: BlockId,
}

impl<'db> Lowering<'_, 'db> {
    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.alloc(empty_block())
    }

    /// Goes on in `block`.
    pub(super) fn start(&mut self, block: BlockId) {
        self.current = block;
        self.live = self.reached.contains(&block);
    }

    pub(super) fn emit(&mut self, kind: StatementKind<'db>, expr: ExprId) {
        if self.live {
            self.blocks[self.current].statements.push(Statement { kind, expr });
        }
    }

    pub(super) fn assign(&mut self, place: &Place, value: Rvalue, expr: ExprId) {
        self.emit(StatementKind::Assign { place: place.clone(), value }, expr);
    }

    pub(super) fn operation(
        &mut self,
        place: &Place,
        op: Operation,
        operands: Vec<Operand>,
        expr: ExprId,
    ) {
        self.assign(place, Rvalue::Operation { op, operands }, expr);
    }

    pub(super) fn drop_place(&mut self, place: Place, reason: DropReason, expr: ExprId) {
        self.emit(StatementKind::Drop { place, reason }, expr);
    }

    /// Ends the current block. What follows is dead until a block is started.
    pub(super) fn terminate(&mut self, terminator: Terminator) {
        if self.live {
            self.reached.extend(crate::successors(&terminator));
            self.blocks[self.current].terminator = terminator;
        }
        self.live = false;
    }

    /// Ends the current block with a branch. Both arms are to be lowered and given to [`Self::join`].
    pub(super) fn branch(&mut self, cond: Operand) -> OpenBranch {
        let then = self.new_block();
        let otherwise = self.new_block();
        let from = self.current;
        self.terminate(Terminator::Branch { cond, then, otherwise, join: None });
        OpenBranch { from, then, otherwise }
    }

    /// The current point, to be given to [`Self::join`].
    pub(super) fn end_of_arm(&self) -> (BlockId, bool) {
        (self.current, self.live)
    }

    /// Goes on where the arms of a branch meet; after the only arm that goes on, if the other leaves.
    pub(super) fn join(&mut self, branch: &OpenBranch, ends: [(BlockId, bool); 2]) {
        match ends {
            [(then, true), (otherwise, true)] => {
                let meeting = self.new_block();
                for end in [then, otherwise] {
                    self.current = end;
                    self.live = true;
                    self.terminate(Terminator::Goto(meeting));
                }
                if let Terminator::Branch { join, .. } = &mut self.blocks[branch.from].terminator {
                    *join = Some(meeting);
                }
                self.start(meeting);
            }
            [(end, true), _] | [_, (end, true)] => {
                self.current = end;
                self.live = true;
            }
            [_, (end, _)] => {
                self.current = end;
                self.live = false;
            }
        }
    }
}
