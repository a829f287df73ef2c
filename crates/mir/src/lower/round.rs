//! What a `for` does with each value of its walk: it counts it, binds it and runs the body.

use neuro_db::Name;
use neuro_hir::{ExprId, ForBinding, Head, LocalId as Source};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::{LoopFrame, Lowering, gives_value};
use crate::{BlockId, DropReason, Operand, Operation, Place, Projection, Rvalue, Terminator};

/// The part of a `for` that comes behind its source.
pub(super) struct Round {
    label: Option<Name>,
    binding: ForBinding,
    /// Counts the values that the body is given, behind `.enumerate()`.
    count: Option<Place>,
    body: ExprId,
    /// The whole `for`.
    expr: ExprId,
}

impl Lowering<'_, '_> {
    /// Prepares what all rounds share; in front of the loop.
    pub(super) fn round(
        &mut self,
        head: &Head,
        binding: ForBinding,
        label: Option<Name>,
        body: ExprId,
        expr: ExprId,
    ) -> Round {
        let count = head.enumerate.then(|| {
            let count = Place::local(self.temporary(Ty::Scalar(DType::U64)));
            let zero = Operand::Const(Scalar::zero(DType::U64));
            self.assign(&count, Rvalue::Use(zero), expr);
            count
        });
        Round { label, binding, count, body, expr }
    }

    /// One round with a value: goes to `next` at its end and for `continue`, to `exit` for `break`.
    pub(super) fn run_round(
        &mut self,
        round: &Round,
        value: Rvalue,
        (next, exit): (BlockId, BlockId),
    ) {
        let Round { label, binding, count, body, expr } = round;
        // The variables belong to the round: `continue` and `break` drop them too.
        let depth = self.scopes.len();
        self.open_scope(DropReason::ScopeEnd, None);
        match (*binding, count) {
            (ForBinding::One(variable), _) => self.round_variable(variable, value, *expr),
            (ForBinding::Pair(position, variable), Some(count)) => {
                let counted = Operand::Copy(count.clone());
                self.round_variable(position, Rvalue::Use(counted.clone()), *expr);
                let one = Operand::Const(Scalar::one(DType::U64));
                let op = Operation::Number(crate::NumberOp::Wrapping(neuro_types::Arithmetic::Add));
                self.operation(count, op, vec![counted, one], *expr);
                self.round_variable(variable, value, *expr);
            }
            (ForBinding::Pair(first, second), None) => {
                self.round_pair([first, second], value, *expr);
            }
        }
        self.loops.push(LoopFrame { label: label.clone(), next, exit, depth, dest: None });
        self.block(*body, None);
        self.loops.pop();
        self.close_scope(*expr);
        self.terminate(Terminator::Goto(next));
    }

    /// A pair that is a value is taken apart.
    fn round_pair(&mut self, variables: [Source; 2], value: Rvalue, expr: ExprId) {
        let parts = variables.map(|variable| self.types.local_ty(variable).clone());
        let pair = self.temporary(Ty::Tuple(parts.clone().into()));
        self.assign(&Place::local(pair), value, expr);
        self.own(pair);
        for (index, (variable, ty)) in variables.into_iter().zip(parts).enumerate() {
            let part = Place::local(pair).part(Projection::Field { index: index as u32, ty });
            let value = self.take(part);
            self.round_variable(variable, value, expr);
        }
    }

    /// Gives a variable of the loop its value of this round; the end of the round drops it.
    fn round_variable(&mut self, variable: Source, value: Rvalue, expr: ExprId) {
        if !gives_value(self.types.local_ty(variable)) {
            return;
        }
        let local = self.declare(variable);
        self.assign(&Place::local(local), value, expr);
        self.bind(variable, local);
    }
}
