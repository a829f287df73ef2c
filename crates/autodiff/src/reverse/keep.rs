//! The forward sweep: the primal with more results. A residual that is defined in an arm of a branch leaves it as one more
//! result of the branch; the other arm gives zeros in its place, which nothing reads.

use neuro_ir::{Built, Function, FunctionBuilder, Op, OpKind, RegionId, Type, ValueId};
use neuro_num::Scalar;

/// The region in which each value is defined.
pub(super) fn homes(function: &Function) -> Vec<RegionId> {
    let mut homes = vec![function.body(); function.value_count()];
    visit(function, function.body(), &mut |region, value| homes[value.index()] = region);
    homes
}

/// Calls `each` with every value defined in a region or one nested in it, and the region it stands in.
fn visit(function: &Function, id: RegionId, each: &mut impl FnMut(RegionId, ValueId)) {
    let region = function.region(id);
    region.params.iter().for_each(|param| each(id, *param));
    for op in &region.ops {
        let op = function.op(*op);
        op.regions.iter().for_each(|region| visit(function, *region, each));
        op.results.iter().for_each(|result| each(id, *result));
    }
}

/// The primal, with the values `kept` as further results.
pub(super) fn keeping(primal: &Function, kept: &[ValueId]) -> Built<Function> {
    let mut builder = FunctionBuilder::new(primal.name());
    let mut map = vec![None; primal.value_count()];
    for (index, param) in primal.params().iter().enumerate() {
        let ty = primal.ty(*param).clone();
        map[param.index()] = Some(builder.param(primal.param_name(index), ty));
    }
    let mut is_kept = vec![false; primal.value_count()];
    for value in kept {
        is_kept[value.index()] = true;
    }
    let mut keeper = Keeper { primal, is_kept, builder, map };
    keeper.region(primal.body())?;
    let results: Vec<ValueId> = primal.results().iter().chain(kept).copied().collect();
    let results = keeper.mapped(&results);
    Ok(keeper.builder.finish(results))
}

struct Keeper<'f> {
    primal: &'f Function,
    is_kept: Vec<bool>,
    builder: FunctionBuilder,
    /// The new value of each old one; of a kept one in a finished branch, the branch's result that carries it.
    map: Vec<Option<ValueId>>,
}

impl Keeper<'_> {
    fn region(&mut self, region: RegionId) -> Built<()> {
        let primal = self.primal;
        primal.region(region).ops.iter().try_for_each(|op| self.op(primal.op(*op)))
    }

    fn op(&mut self, op: &Op) -> Built<()> {
        let carried: Vec<Vec<ValueId>> = match op.kind {
            OpKind::If => op.regions.iter().map(|region| self.kept_in(*region)).collect(),
            _ => vec![Vec::new(); op.regions.len()],
        };
        let mut regions = Vec::new();
        for (arm, region) in op.regions.iter().enumerate() {
            let old = self.primal.region(*region);
            let types: Vec<Type> =
                old.params.iter().map(|param| self.primal.ty(*param).clone()).collect();
            let params = self.builder.begin_region(&types);
            for (old, new) in old.params.iter().zip(params) {
                self.map[old.index()] = Some(new);
            }
            self.region(*region)?;
            let mut results = self.mapped(&old.results);
            for (other, values) in carried.iter().enumerate() {
                for value in values {
                    let ty = self.primal.ty(*value);
                    let here = if other == arm { self.map[value.index()] } else { None };
                    results.push(
                        here.unwrap_or_else(|| {
                            self.builder.splat(Scalar::zero(ty.dtype), &ty.dims)
                        }),
                    );
                }
            }
            regions.push(self.builder.end_region(results));
        }
        let operands = self.mapped(&op.operands);
        let new = self.builder.control(op.kind.clone(), &operands, &regions, op.loc)?;
        let old = op.results.iter().chain(carried.iter().flatten());
        for (old, new) in old.zip(self.builder.results(new).to_vec()) {
            self.map[old.index()] = Some(new);
        }
        Ok(())
    }

    /// The kept values defined in a region or one nested in it.
    fn kept_in(&self, region: RegionId) -> Vec<ValueId> {
        let mut inside = Vec::new();
        visit(self.primal, region, &mut |_, value| {
            if self.is_kept[value.index()] {
                inside.push(value);
            }
        });
        inside
    }

    fn mapped(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().filter_map(|id| self.map[id.index()]).collect()
    }
}
