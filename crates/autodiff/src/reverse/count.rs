//! The primal with the number of iterations of each loop: the reverse sweep runs as many.

use neuro_ir::{Built, Function, FunctionBuilder, Op, OpKind, RegionId, Type, ValueId};
use neuro_num::{DType, Scalar};

/// The function with one more carried value in each loop, the last one: the number of iterations so far.
pub(super) fn counted(function: &Function) -> Built<Function> {
    let mut builder = FunctionBuilder::new(function.name());
    let mut map = vec![None; function.value_count()];
    for (index, param) in function.params().iter().enumerate() {
        let ty = function.ty(*param).clone();
        map[param.index()] = Some(builder.param(function.param_name(index), ty));
    }
    let mut counter = Counter { function, builder, map };
    counter.region(function.body())?;
    let results = counter.mapped(function.results());
    Ok(counter.builder.finish(results))
}

struct Counter<'f> {
    function: &'f Function,
    builder: FunctionBuilder,
    /// The new value of each old one.
    map: Vec<Option<ValueId>>,
}

impl Counter<'_> {
    fn region(&mut self, region: RegionId) -> Built<()> {
        let function = self.function;
        function.region(region).ops.iter().try_for_each(|op| self.op(function.op(*op)))
    }

    fn op(&mut self, op: &Op) -> Built<()> {
        let function = self.function;
        let counts = matches!(op.kind, OpKind::While);
        let mut operands = self.mapped(&op.operands);
        if counts {
            operands.push(self.builder.constant(Scalar::zero(DType::U64)));
        }
        let mut regions = Vec::new();
        for (nth, region) in op.regions.iter().enumerate() {
            let old = function.region(*region);
            let mut types: Vec<Type> =
                old.params.iter().map(|id| function.ty(*id).clone()).collect();
            if counts {
                types.push(Type::scalar(DType::U64));
            }
            let params = self.builder.begin_region(&types);
            for (old, new) in old.params.iter().zip(&params) {
                self.map[old.index()] = Some(*new);
            }
            self.region(*region)?;
            let mut results = self.mapped(&old.results);
            if let (true, 1, Some(count)) = (counts, nth, params.last()) {
                let one = self.builder.constant(Scalar::one(DType::U64));
                results.push(self.builder.add(*count, one, op.loc)?);
            }
            regions.push(self.builder.end_region(results));
        }
        let new = self.builder.control(op.kind.clone(), &operands, &regions, op.loc)?;
        for (old, new) in op.results.iter().zip(self.builder.results(new).to_vec()) {
            self.map[old.index()] = Some(new);
        }
        Ok(())
    }

    fn mapped(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().filter_map(|id| self.map[id.index()]).collect()
    }
}
