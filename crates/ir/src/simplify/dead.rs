//! Dropping what no result, trap or loop needs.

use crate::{Built, Function, FunctionBuilder, OpId, OpKind, RegionId, ValueId, copy::Copy};

/// The function without ops that nothing needs. Parameters stay.
pub(super) fn without_dead(function: &Function) -> Built<Function> {
    let mut live = Live {
        function,
        values: vec![false; function.value_count()],
        ops: vec![false; function.op_count()],
    };
    live.region(function.body());
    let mut builder = FunctionBuilder::new(function.name());
    let mut copy = Copy::new(function);
    for (index, param) in function.params().iter().enumerate() {
        let ty = function.ty(*param).clone();
        copy.set(*param, builder.param(function.param_name(index), ty));
    }
    copy.ops(&mut builder, function.body(), &|op: OpId| live.ops[op.index()])?;
    let results = copy.mapped(function.results());
    Ok(builder.finish(results))
}

struct Live<'f> {
    function: &'f Function,
    values: Vec<bool>,
    ops: Vec<bool>,
}

impl Live<'_> {
    fn region(&mut self, region: RegionId) {
        let region = self.function.region(region);
        self.need(&region.results);
        for id in region.ops.iter().rev() {
            let op = self.function.op(*id);
            let needed = op.results.iter().any(|result| self.values[result.index()]);
            if needed || self.has_effect(*id) {
                self.ops[id.index()] = true;
                self.need(&op.operands);
                op.regions.iter().for_each(|region| self.region(*region));
            }
        }
    }

    fn need(&mut self, values: &[ValueId]) {
        for value in values {
            self.values[value.index()] = true;
        }
    }

    /// Whether the op, or one in its regions, can trap or run forever.
    fn has_effect(&self, id: OpId) -> bool {
        let op = self.function.op(id);
        matches!(op.kind, OpKind::While)
            || self.function.can_trap(op)
            || op
                .regions
                .iter()
                .flat_map(|region| &self.function.region(*region).ops)
                .any(|op| self.has_effect(*op))
    }
}
