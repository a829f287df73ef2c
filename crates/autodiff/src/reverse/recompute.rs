//! Where the reverse sweep has the primal's values from.

use neuro_ir::{Built, Function, Op, OpKind, RegionId, ValueDef, ValueId};
use neuro_num::{BinOp, Overflow, UnOp};

use super::Sweep;

/// The longest computation that is done again in a loop, in ops, rather than keeping its value for each iteration.
const MAX_OPS: usize = 12;

impl Sweep<'_> {
    /// A value of the primal, in the reverse sweep.
    pub(super) fn primal(&mut self, value: ValueId) -> Built {
        let index = value.index();
        if let Some(known) = self.given[index].or(self.recomputed[index]) {
            return Ok(known);
        }
        if let Some(here) = self.counted(value)? {
            self.recomputed[index] = Some(here);
            return Ok(here);
        }
        if let ValueDef::Result { op, .. } = self.primal.value(value).def
            && self.is_recomputed(value, self.primal.op(op))
        {
            let op = self.primal.op(op);
            let operands: Built<Vec<ValueId>> =
                op.operands.iter().map(|operand| self.primal(*operand)).collect();
            let here = self.builder.op(untrapped(&op.kind), &operands?, op.loc)?;
            self.recomputed[index] = Some(here);
            return Ok(here);
        }
        let here = match self.frame_of(value) {
            Some(open) => {
                self.frames[open.frame].values.push(value);
                let ty = self.primal.ty(value).clone();
                self.builder.add_popped(open.pop, ty)
            }
            None => {
                let name = format!("residual.{}", self.residuals.len());
                self.residuals.push(value);
                self.builder.param(name, self.primal.ty(value).clone())
            }
        };
        self.given[index] = Some(here);
        Ok(here)
    }

    fn is_recomputed(&self, value: ValueId, op: &Op) -> bool {
        if costs_nothing(self.primal, op) {
            return true;
        }
        let body = self.homes.body(value);
        body.is_some_and(|body| self.is_cheap(value, body, &mut MAX_OPS.clone()))
    }

    /// Whether the value, which changes in the loop with this body, is had from what is kept anyway by a few ops without
    /// a transcendental function or a division among them.
    fn is_cheap(&self, value: ValueId, body: RegionId, ops: &mut usize) -> bool {
        let index = value.index();
        if self.given[index].or(self.recomputed[index]).is_some() {
            return true;
        }
        if self.homes.body(value) != Some(body) {
            // It does not change in this loop.
            return true;
        }
        let op = match self.primal.value(value).def {
            ValueDef::Param { .. } => return true,
            ValueDef::Result { op, .. } => self.primal.op(op),
        };
        let cheap = match &op.kind {
            OpKind::Const(_)
            | OpKind::Dense(_)
            | OpKind::Unary { .. }
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. } => true,
            OpKind::Binary { op, .. } => !matches!(op, BinOp::Div | BinOp::Rem),
            // Of a tensor that the loop does not change: the read was in bounds.
            OpKind::Element => self.homes.body(op.operands[0]) != Some(body),
            OpKind::Math(_)
            | OpKind::Sum { .. }
            | OpKind::MatMul { .. }
            | OpKind::Scatter { .. }
            | OpKind::Update { .. }
            | OpKind::Pack { .. }
            | OpKind::Assert { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => false,
        };
        if !cheap || *ops == 0 {
            return false;
        }
        *ops -= 1;
        op.operands.iter().all(|operand| self.is_cheap(*operand, body, ops))
    }
}

/// Whether a value costs no arithmetic worth keeping it for. Never an op that traps: a trap happens once.
fn costs_nothing(primal: &Function, op: &Op) -> bool {
    let cheap = match &op.kind {
        OpKind::Const(_)
        | OpKind::Dense(_)
        | OpKind::Unary { .. }
        | OpKind::Convert(_)
        | OpKind::Broadcast { .. }
        | OpKind::Reshape { .. }
        | OpKind::Detach
        | OpKind::Transpose { .. } => true,
        OpKind::Binary { .. }
        | OpKind::Math(_)
        | OpKind::Compare(_)
        | OpKind::Select
        | OpKind::Sum { .. }
        | OpKind::MatMul { .. }
        | OpKind::Element
        | OpKind::Scatter { .. }
        | OpKind::Update { .. }
        | OpKind::Pack { .. }
        | OpKind::Assert { .. }
        | OpKind::Push { .. }
        | OpKind::Pop { .. }
        | OpKind::If
        | OpKind::While => false,
    };
    cheap && !primal.can_trap(op)
}

/// The op for operands on which it did not trap.
fn untrapped(kind: &OpKind) -> OpKind {
    let overflow = Overflow::Wrap;
    match kind {
        OpKind::Unary { op: UnOp::Neg, .. } => OpKind::Unary { op: UnOp::Neg, overflow },
        OpKind::Binary { op, .. } => OpKind::Binary { op: *op, overflow },
        kind => kind.clone(),
    }
}
