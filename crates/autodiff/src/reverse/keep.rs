//! The forward sweep: the primal with more results. A residual that is defined in an arm of a branch leaves it as one more
//! result of the branch; the other arm gives zeros in its place, which nothing reads. What is kept of a loop's
//! iteration is pushed at its end.

use neuro_ir::{
    Built, Function, FunctionBuilder, Op, OpKind, PoppedFrame, RegionId, Type, ValueId,
};
use neuro_num::Scalar;
use rustc_hash::FxHashMap;

/// Where each value of a function is defined.
pub(super) struct Homes {
    regions: Vec<RegionId>,
    /// The body of the innermost loop around each value.
    bodies: Vec<Option<RegionId>>,
    /// The body of the innermost loop around that of each loop.
    around: FxHashMap<RegionId, Option<RegionId>>,
}

impl Homes {
    pub(super) fn new(function: &Function) -> Homes {
        let count = function.value_count();
        let mut homes = Homes {
            regions: vec![function.body(); count],
            bodies: vec![None; count],
            around: FxHashMap::default(),
        };
        homes.visit(function, function.body(), None);
        homes
    }

    fn visit(&mut self, function: &Function, id: RegionId, body: Option<RegionId>) {
        let region = function.region(id);
        let mut define = |value: ValueId| {
            self.regions[value.index()] = id;
            self.bodies[value.index()] = body;
        };
        region.params.iter().for_each(|param| define(*param));
        for op in &region.ops {
            function.op(*op).results.iter().for_each(|result| define(*result));
        }
        for op in &region.ops {
            let op = function.op(*op);
            for region in &op.regions {
                if matches!(op.kind, OpKind::While) {
                    self.around.insert(*region, body);
                    self.visit(function, *region, Some(*region));
                } else {
                    self.visit(function, *region, body);
                }
            }
        }
    }

    /// The region in which a value is defined.
    pub(super) fn region(&self, value: ValueId) -> RegionId {
        self.regions[value.index()]
    }

    /// The body of the innermost loop around a value's definition.
    pub(super) fn body(&self, value: ValueId) -> Option<RegionId> {
        self.bodies[value.index()]
    }

    /// The body of the innermost loop around the loop with this body.
    pub(super) fn around(&self, body: RegionId) -> Option<RegionId> {
        self.around.get(&body).copied().flatten()
    }
}

/// What is kept of each iteration of a loop.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The loop's body in the primal.
    pub(super) body: RegionId,
    /// The frame's number.
    pub(super) number: u32,
    /// The values, of the primal.
    pub(super) values: Vec<ValueId>,
}

impl Frame {
    /// The frame with what the reverse sweep reads of it; none when that is nothing.
    pub(super) fn narrowed(mut self, popped: &[PoppedFrame]) -> Option<Frame> {
        let popped = popped.iter().find(|popped| popped.frame == self.number)?;
        let mut read = popped.read.iter();
        self.values.retain(|_| read.next().copied().unwrap_or(false));
        (!self.values.is_empty()).then_some(self)
    }
}

/// The primal, with the values `kept` as further results and `frames` pushed in its loops.
pub(super) fn keeping(primal: &Function, kept: &[ValueId], frames: &[Frame]) -> Built<Function> {
    let mut builder = FunctionBuilder::new(primal.name());
    let mut map = vec![None; primal.value_count()];
    for (index, param) in primal.params().iter().enumerate() {
        let ty = primal.ty(*param).clone();
        map[param.index()] = Some(builder.param(primal.param_name(index), ty));
    }
    let mut is_kept = vec![false; primal.value_count()];
    for value in kept.iter().chain(frames.iter().flat_map(|frame| &frame.values)) {
        is_kept[value.index()] = true;
    }
    let mut keeper = Keeper { primal, is_kept, frames, builder, map };
    keeper.region(primal.body())?;
    let results: Vec<ValueId> = primal.results().iter().chain(kept).copied().collect();
    let results = keeper.mapped(&results);
    Ok(keeper.builder.finish(results))
}

struct Keeper<'f> {
    primal: &'f Function,
    is_kept: Vec<bool>,
    frames: &'f [Frame],
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
            if let Some(frame) = self.frames.iter().find(|frame| frame.body == *region) {
                let values = self.mapped(&frame.values);
                let kind = OpKind::Push { frame: frame.number };
                self.builder.control(kind, &values, &[], op.loc)?;
            }
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

    /// The kept values defined in a region or in a branch in it; a loop's own are in its frames.
    fn kept_in(&self, region: RegionId) -> Vec<ValueId> {
        let mut inside = Vec::new();
        let region = self.primal.region(region);
        inside.extend(region.params.iter().filter(|value| self.is_kept[value.index()]));
        for op in region.ops.iter().map(|op| self.primal.op(*op)) {
            if matches!(op.kind, OpKind::If) {
                inside.extend(op.regions.iter().flat_map(|region| self.kept_in(*region)));
            }
            inside.extend(op.results.iter().filter(|value| self.is_kept[value.index()]));
        }
        inside
    }

    fn mapped(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().filter_map(|id| self.map[id.index()]).collect()
    }
}
