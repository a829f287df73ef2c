//! What a `for` does with each value of its walk: functions of the head change it or leave it out, then it is
//! counted and bound, and the body runs.

use neuro_db::Name;
use neuro_hir::{Adapter, ExprId, ForBinding, Head, LocalId as Source};
use neuro_num::{DType, Scalar};
use neuro_types::{Arithmetic, Ty};

use super::{LoopFrame, Lowering, gives_value};
use crate::{
    BlockId, DropReason, NumberOp, Operand, Operation, Place, Projection, Rvalue, StatementKind,
    Terminator,
};

/// The part of a `for` that comes behind its source.
pub(super) struct Round {
    label: Option<Name>,
    binding: ForBinding,
    stages: Vec<Stage>,
    /// Counts the values that the body is given, behind `.enumerate()`.
    count: Option<Place>,
    body: ExprId,
    /// The whole `for`.
    expr: ExprId,
}

/// A function of the head, evaluated before the loop.
struct Stage {
    kind: StageKind,
    /// Where the function value is.
    function: Place,
    /// What it gives.
    ret: Ty,
    /// What it takes.
    param: Ty,
}

#[derive(Clone, Copy)]
enum StageKind {
    Map,
    Filter,
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
        let mut stages = Vec::new();
        for adapter in &head.adapters {
            match adapter {
                Adapter::Rev | Adapter::Step(_) => {}
                Adapter::Map(function) => stages.extend(self.stage_of(StageKind::Map, *function)),
                Adapter::Filter(function) => {
                    stages.extend(self.stage_of(StageKind::Filter, *function));
                }
            }
        }
        let count = head.enumerate.then(|| {
            let count = Place::local(self.temporary(Ty::Scalar(DType::U64)));
            let zero = Operand::Const(Scalar::zero(DType::U64));
            self.assign(&count, Rvalue::Use(zero), expr);
            count
        });
        Round { label, binding, stages, count, body, expr }
    }

    fn stage_of(&mut self, kind: StageKind, function: ExprId) -> Option<Stage> {
        let Ty::Fn(ty) = self.types.ty(function).peeled() else { return None };
        let (param, ret) = (ty.params.first()?.clone(), ty.ret.clone());
        Some(Stage { kind, function: self.materialize(function), param, ret })
    }

    /// One round with a value: goes to `next` at its end and for `continue`, to `exit` for `break`.
    pub(super) fn run_round(
        &mut self,
        round: &Round,
        value: Rvalue,
        (next, exit): (BlockId, BlockId),
    ) {
        let expr = round.expr;
        // The variables belong to the round: `continue` and `break` drop them too.
        let depth = self.scopes.len();
        self.open_scope(DropReason::ScopeEnd, None);
        let value = self.run_stages(round, value, (depth, next));
        match (round.binding, &round.count) {
            (ForBinding::One(variable), _) => self.round_variable(variable, value, expr),
            (ForBinding::Pair(position, variable), Some(count)) => {
                let counted = Operand::Copy(count.clone());
                self.round_variable(position, Rvalue::Use(counted.clone()), expr);
                let one = Operand::Const(Scalar::one(DType::U64));
                let op = Operation::Number(NumberOp::Wrapping(Arithmetic::Add));
                self.operation(count, op, vec![counted, one], expr);
                self.round_variable(variable, value, expr);
            }
            (ForBinding::Pair(first, second), None) => {
                self.round_pair([first, second], value, expr);
            }
        }
        let label = round.label.clone();
        self.loops.push(LoopFrame { label, next, exit, depth, dest: None });
        self.block(round.body, None);
        self.loops.pop();
        self.close_scope(expr);
        self.terminate(Terminator::Goto(next));
    }

    /// What the functions of the head make of a value. One that they leave out ends the round.
    fn run_stages(
        &mut self,
        round: &Round,
        mut value: Rvalue,
        (depth, next): (usize, BlockId),
    ) -> Rvalue {
        let expr = round.expr;
        for stage in &round.stages {
            let item = self.round_item(value, expr);
            let result = Place::local(self.temporary(stage.ret.clone()));
            match stage.kind {
                StageKind::Map => {
                    let given = self.part(item, expr);
                    self.call_stage(stage, given, &result, expr);
                    self.own(result.local);
                    value = self.take(result);
                }
                StageKind::Filter => {
                    let lent = self.place_ty(&item).reference(false) == stage.param;
                    let shown = match lent {
                        true => self.lend(item.clone(), false, expr),
                        false => self.copy_of(&item, expr),
                    };
                    self.call_stage(stage, shown, &result, expr);
                    let branch = self.branch(Operand::Copy(result));
                    self.start(branch.otherwise);
                    self.leave_scopes(depth, expr);
                    self.terminate(Terminator::Goto(next));
                    let left = self.end_of_arm();
                    self.start(branch.then);
                    let kept = self.end_of_arm();
                    self.join(&branch, [kept, left]);
                    value = self.take(item);
                }
            }
        }
        value
    }

    /// A value of the walk in a place of its own, which the round drops.
    fn round_item(&mut self, value: Rvalue, expr: ExprId) -> Place {
        let item = Place::local(self.temporary(self.value_ty(&value)));
        self.assign(&item, value, expr);
        self.own(item.local);
        item
    }

    fn call_stage(&mut self, stage: &Stage, value: Operand, result: &Place, expr: ExprId) {
        let args = vec![value];
        self.give(&args);
        let callee = Operand::Copy(stage.function.clone());
        let dest = Some(result.clone());
        self.emit(StatementKind::CallValue { dest, callee, args }, expr);
    }

    /// A copy of what a place holds, where the place keeps it.
    fn copy_of(&mut self, place: &Place, expr: ExprId) -> Operand {
        let ty = self.place_ty(place);
        if !self.moves(&ty) {
            return Operand::Copy(place.clone());
        }
        let copy = Place::local(self.temporary(ty));
        self.assign(&copy, Rvalue::Use(Operand::Copy(place.clone())), expr);
        self.own(copy.local);
        Operand::Move(copy)
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
