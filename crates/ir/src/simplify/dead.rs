//! Dropping what no result, trap or loop needs.

use crate::{
    Built, Function, FunctionBuilder, Op, OpId, OpKind, RegionId, ValueId,
    copy::{Copy, Keep},
};

/// The function without ops that nothing needs, and without those results of branches and carried values of loops
/// that nothing needs. Parameters stay.
pub(super) fn without_dead(function: &Function) -> Built<Function> {
    let mut live = Live {
        function,
        values: vec![false; function.value_count()],
        ops: vec![false; function.op_count()],
    };
    live.need(&function.region(function.body()).results);
    live.region(function.body());
    let mut builder = FunctionBuilder::new(function.name());
    let mut copy = Copy::new(function);
    for (index, param) in function.params().iter().enumerate() {
        let ty = function.ty(*param).clone();
        copy.set(*param, builder.param(function.param_name(index), ty));
    }
    copy.ops(&mut builder, function.body(), &live)?;
    let results = copy.mapped(function.results());
    Ok(builder.finish(results))
}

struct Live<'f> {
    function: &'f Function,
    values: Vec<bool>,
    ops: Vec<bool>,
}

impl Keep for Live<'_> {
    fn op(&self, _: &Function, op: OpId) -> bool {
        self.ops[op.index()]
    }

    fn result(&self, function: &Function, value: ValueId) -> bool {
        // What is popped must be what was pushed, read or not.
        self.values[value.index()]
            || function.def(value).is_some_and(|op| !matches!(op.kind, OpKind::If | OpKind::While))
    }
}

impl Live<'_> {
    /// Marks what the ops of a region need, from the last to the first; its results are marked already.
    fn region(&mut self, region: RegionId) {
        let function = self.function;
        for id in function.region(region).ops.iter().rev() {
            let op = function.op(*id);
            let needed = op.results.iter().any(|result| self.values[result.index()]);
            if !needed && !self.has_effect(*id) {
                continue;
            }
            self.ops[id.index()] = true;
            match op.kind {
                OpKind::If => {
                    self.need(&op.operands);
                    for region in &op.regions {
                        let results = &function.region(*region).results;
                        self.need_where(results, &op.results);
                        self.region(*region);
                    }
                }
                OpKind::While => self.repetition(op),
                _ => self.need(&op.operands),
            }
        }
    }

    /// A carried value is needed after the loop, by the test, or by what the body does with it; until nothing changes.
    fn repetition(&mut self, op: &Op) {
        let function = self.function;
        let [test, body] = op.regions.as_slice() else { return };
        self.need(&function.region(*test).results);
        self.region(*test);
        let body_region = function.region(*body);
        loop {
            self.need_where(&op.results, &function.region(*test).params);
            self.need_where(&body_region.results, &op.results);
            self.region(*body);
            let before = self.count(&op.results);
            self.need_where(&op.results, &body_region.params);
            if self.count(&op.results) == before {
                break;
            }
        }
        self.need_where(&op.operands, &op.results);
    }

    fn count(&self, values: &[ValueId]) -> usize {
        values.iter().filter(|value| self.values[value.index()]).count()
    }

    fn need(&mut self, values: &[ValueId]) {
        for value in values {
            self.values[value.index()] = true;
        }
    }

    /// Marks each of `values` whose counterpart is marked.
    fn need_where(&mut self, values: &[ValueId], counterparts: &[ValueId]) {
        for (value, counterpart) in values.iter().zip(counterparts) {
            self.values[value.index()] |= self.values[counterpart.index()];
        }
    }

    /// Whether the op, or one in its regions, can trap, run forever, or touches the history.
    fn has_effect(&self, id: OpId) -> bool {
        let op = self.function.op(id);
        matches!(op.kind, OpKind::While)
            || op.kind.is_history()
            || self.function.can_trap(op)
            || op
                .regions
                .iter()
                .flat_map(|region| &self.function.region(*region).ops)
                .any(|op| self.has_effect(*op))
    }
}
