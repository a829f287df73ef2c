//! `for` over a range: a `while` over a counter that never steps past the bounds, so that a range that
//! ends at its type's limit terminates and checked arithmetic never overflows.

use neuro_hir::{BinaryOp, Builtin, CompareOp, Expr, ExprId, ForBinding, PlainRange, RangeEnd};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::Lowering;
use super::read::Reading;
use super::round::Round;
use crate::{
    BlockId, DropReason, Operand, Operation, Place, PrintPart, RangeLoop, Rvalue, Terminator,
};

/// The values of a range's head, all read once.
struct Range {
    /// The counter's type.
    dtype: DType,
    start: Operand,
    end: Operand,
    inclusive: bool,
    reversed: bool,
    /// The stride, if it is not one.
    step: Option<Operand>,
    /// The counter: the value of the current iteration, or the one that the next is made of.
    counter: Place,
    /// The whole `for`.
    expr: ExprId,
    round: Round,
}

impl Lowering<'_, '_> {
    pub(super) fn for_range(&mut self, expr: ExprId) {
        let hir = self.hir;
        let Expr::For { label, binding, head, body } = &hir.exprs[expr] else { return };
        let Some(range) = head.as_range() else { return };
        let PlainRange { start, end, end_kind, reversed, step } = range;
        let dtype = Self::element(self.types.ty(start));
        let counter = Place::local(self.temporary(Ty::Scalar(dtype)));
        let mut bounds = vec![start, end];
        bounds.extend(step);
        self.open_scope(DropReason::Temporary, None);
        let mut values = Vec::with_capacity(bounds.len());
        for (index, bound) in bounds.iter().enumerate() {
            values.push(self.bound(*bound, &bounds[index + 1..]));
        }
        self.close_scope(expr);
        let one = Operand::Const(Scalar::one(dtype));
        let step_value = values.get(2).cloned().unwrap_or_else(|| one.clone());
        if let Some(step) = step {
            self.check_step(&step_value, dtype, step);
        }
        let round = self.round(head, *binding, label.clone(), *body, expr);
        let range = Range {
            dtype,
            start: values[0].clone(),
            end: values[1].clone(),
            inclusive: end_kind == RangeEnd::Inclusive,
            reversed,
            step: Some(step_value.clone()).filter(|step| *step != one),
            counter,
            expr,
            round,
        };
        let header = if range.step.is_none() && !range.inclusive {
            self.unit_range(&range)
        } else {
            self.general_range(&range)
        };
        if head.as_plain_range().is_some()
            && let ForBinding::One(var) = binding
            && let Some(var) = self.bindings.get(*var).copied()
        {
            let facts = RangeLoop {
                var,
                start: range.start,
                end: range.end,
                inclusive: range.inclusive,
                reversed: range.reversed,
                step: step_value,
            };
            self.ranges.insert(header, facts);
        }
    }

    /// A bound that stays what it is while the loop runs.
    fn bound(&mut self, expr: ExprId, rest: &[ExprId]) -> Operand {
        let operand = self.read(expr, Reading::Looking, rest).operand;
        match &self.hir.exprs[expr] {
            Expr::Local(local) if !self.hir.locals[*local].mutable => {
                let stays = !matches!(self.types.local_ty(*local), Ty::Ref { .. });
                if stays { operand } else { self.fix(operand, expr) }
            }
            Expr::Local(_) | Expr::Deref(_) | Expr::Borrow { .. } => self.fix(operand, expr),
            _ => operand,
        }
    }

    /// Panics unless a stride that is known only at run time is positive.
    fn check_step(&mut self, step: &Operand, dtype: DType, expr: ExprId) {
        if matches!(step, Operand::Const(_)) {
            return;
        }
        let zero = Operand::Const(Scalar::zero(dtype));
        let positive = self.compare(CompareOp::Gt, step.clone(), zero, expr);
        let message = vec![PrintPart::Text("range step must be positive".to_owned())];
        self.require(positive, Terminator::Panic { kind: Builtin::Panic, message, expr });
    }

    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        left: Operand,
        right: Operand,
        expr: ExprId,
    ) -> Operand {
        let result = Place::local(self.temporary(Ty::Scalar(DType::Bool)));
        self.operation(&result, Operation::Compare(op), vec![left, right], expr);
        Operand::Copy(result)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        operands: [Operand; 2],
        dtype: DType,
        expr: ExprId,
    ) -> Operand {
        let result = Place::local(self.temporary(Ty::Scalar(dtype)));
        self.operation(&result, Operation::Binary(op), operands.to_vec(), expr);
        Operand::Copy(result)
    }

    /// `a..b` in steps of one: the counter may reach the bound that is left out.
    fn unit_range(&mut self, range: &Range) -> BlockId {
        let counter = Operand::Copy(range.counter.clone());
        let expr = range.expr;
        let first = if range.reversed { &range.end } else { &range.start };
        self.assign(&range.counter, Rvalue::Use(first.clone()), expr);
        let (header, exit) = self.loop_header();
        let go = if range.reversed {
            self.compare(CompareOp::Gt, counter.clone(), range.start.clone(), expr)
        } else {
            self.compare(CompareOp::Lt, counter.clone(), range.end.clone(), expr)
        };
        let inside = self.leave_unless(go, exit);
        self.start(inside);
        let one = Operand::Const(Scalar::one(range.dtype));
        if range.reversed {
            let op = Operation::Binary(BinaryOp::Sub);
            self.operation(&range.counter, op, vec![counter.clone(), one], expr);
            self.run_round(&range.round, Rvalue::Use(counter), (header, exit));
        } else {
            let latch = self.new_block();
            self.run_round(&range.round, Rvalue::Use(counter.clone()), (latch, exit));
            self.start(latch);
            let op = Operation::Binary(BinaryOp::Add);
            self.operation(&range.counter, op, vec![counter, one], expr);
            self.terminate(Terminator::Goto(header));
        }
        self.start(exit);
        header
    }

    /// Any other range: whether there is a next value is known before it is computed.
    fn general_range(&mut self, range: &Range) -> BlockId {
        let expr = range.expr;
        let counter = Operand::Copy(range.counter.clone());
        let go = Place::local(self.temporary(Ty::Scalar(DType::Bool)));
        let op = if range.inclusive { CompareOp::Le } else { CompareOp::Lt };
        let bounds = vec![range.start.clone(), range.end.clone()];
        self.operation(&go, Operation::Compare(op), bounds, expr);
        self.first_value(range, &go);
        let (header, exit) = self.loop_header();
        let inside = self.leave_unless(Operand::Copy(go.clone()), exit);
        self.start(inside);
        let latch = self.new_block();
        self.run_round(&range.round, Rvalue::Use(counter.clone()), (latch, exit));
        self.start(latch);
        self.has_next(range, &go);
        let branch = self.branch(Operand::Copy(go));
        self.start(branch.then);
        let step = match &range.step {
            Some(step) => step.clone(),
            None => Operand::Const(Scalar::one(range.dtype)),
        };
        let op = if range.reversed { BinaryOp::Sub } else { BinaryOp::Add };
        self.operation(&range.counter, Operation::Binary(op), vec![counter, step], expr);
        let then = self.end_of_arm();
        self.start(branch.otherwise);
        let otherwise = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
        self.terminate(Terminator::Goto(header));
        self.start(exit);
        header
    }

    /// Sets the counter to the first value of the walk; to something if there is none.
    fn first_value(&mut self, range: &Range, go: &Place) {
        if !range.reversed {
            return self.assign(&range.counter, Rvalue::Use(range.start.clone()), range.expr);
        }
        self.assign(&range.counter, Rvalue::Use(range.end.clone()), range.expr);
        if range.inclusive {
            return;
        }
        // Only a range that is not empty has a value before its end.
        let branch = self.branch(Operand::Copy(go.clone()));
        self.start(branch.then);
        let one = Operand::Const(Scalar::one(range.dtype));
        let op = Operation::Binary(BinaryOp::Sub);
        let counter = Operand::Copy(range.counter.clone());
        self.operation(&range.counter, op, vec![counter, one], range.expr);
        let then = self.end_of_arm();
        self.start(branch.otherwise);
        let otherwise = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
    }

    /// Sets `go` to whether the walk has a value after the counter's.
    ///
    /// The distance to the bound, which the counter has not passed, may not fit a signed type. It does
    /// when both have the same sign; when they do not, the bound moved by the stride does.
    fn has_next(&mut self, range: &Range, go: &Place) {
        let expr = range.expr;
        let counter = Operand::Copy(range.counter.clone());
        let bound = if range.reversed { range.start.clone() } else { range.end.clone() };
        // Backwards the first bound is always part of the range.
        let reaches = range.inclusive || range.reversed;
        let Some(step) = range.step.clone() else {
            let op = if range.reversed { CompareOp::Gt } else { CompareOp::Lt };
            return self.operation(go, Operation::Compare(op), vec![counter, bound], expr);
        };
        let far_enough = Operation::Compare(if reaches { CompareOp::Ge } else { CompareOp::Gt });
        let [low, high] = if range.reversed {
            [bound.clone(), counter.clone()]
        } else {
            [counter.clone(), bound.clone()]
        };
        if !range.dtype.is_signed() {
            let distance = self.binary(BinaryOp::Sub, [high, low], range.dtype, expr);
            return self.operation(go, far_enough, vec![distance, step], expr);
        }
        // Same side: both below zero, or both not. Forwards the bound decides, as the counter is below
        // it; backwards likewise with the signs exchanged.
        let zero = Operand::Const(Scalar::zero(range.dtype));
        let (side, moved_op, test) = if range.reversed {
            (CompareOp::Ge, BinaryOp::Add, if reaches { CompareOp::Le } else { CompareOp::Lt })
        } else {
            (CompareOp::Lt, BinaryOp::Sub, if reaches { CompareOp::Ge } else { CompareOp::Gt })
        };
        let same_side = self.compare(side, bound.clone(), zero, expr);
        let branch = self.branch(same_side);
        self.start(branch.then);
        let distance = self.binary(BinaryOp::Sub, [high, low], range.dtype, expr);
        self.operation(go, far_enough, vec![distance, step.clone()], expr);
        let then = self.end_of_arm();
        self.start(branch.otherwise);
        let moved = self.binary(moved_op, [bound, step], range.dtype, expr);
        self.operation(go, Operation::Compare(test), vec![moved, counter], expr);
        let otherwise = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
    }
}
