//! Copying ops from one function into another.

use crate::{BuildError, Built, Function, FunctionBuilder, OpId, OpKind, RegionId, Type, ValueId};

/// Adds the ops of `function` to `builder` as if its parameters were `arguments`, and gives its results.
///
/// # Errors
/// When number or types of the arguments do not fit.
pub fn inline(
    builder: &mut FunctionBuilder,
    function: &Function,
    arguments: &[ValueId],
) -> Built<Vec<ValueId>> {
    let params = function.params();
    let fit = params.len() == arguments.len()
        && params.iter().zip(arguments).all(|(p, a)| function.ty(*p) == builder.ty(*a));
    if !fit {
        let reason = format!("the arguments do not fit @{}", function.name());
        return Err(BuildError { op: "inline", reason, loc: None });
    }
    let mut copy = Copy::new(function);
    for (param, argument) in params.iter().zip(arguments) {
        copy.set(*param, *argument);
    }
    copy.ops(builder, function.body(), &Everything)?;
    Ok(copy.mapped(function.results()))
}

/// A frame that a function pops, and which of its values the function reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoppedFrame {
    /// Its number.
    pub frame: u32,
    /// For each of its values whether it is read.
    pub read: Vec<bool>,
}

/// The function without the values of frames that it pops and does not read, and without frames of which
/// nothing is left; and what it read of each frame. Whoever pushes the frames must push what is left.
///
/// # Errors
/// When the function is one that the verifier rejects.
pub fn without_unread_pops(function: &Function) -> Built<(Function, Vec<PoppedFrame>)> {
    let mut read = vec![false; function.value_count()];
    let operands = function.ops.iter().flat_map(|op| &op.operands);
    for value in operands.chain(function.regions.iter().flat_map(|region| &region.results)) {
        read[value.index()] = true;
    }
    let mut builder = FunctionBuilder::new(function.name());
    let mut copy = Copy::new(function);
    for (index, param) in function.params().iter().enumerate() {
        let ty = function.ty(*param).clone();
        copy.set(*param, builder.param(function.param_name(index), ty));
    }
    copy.ops(&mut builder, function.body(), &ReadPops(&read))?;
    let results = copy.mapped(function.results());
    let frames = function.ops.iter().filter_map(|op| match op.kind {
        OpKind::Pop { frame, .. } => {
            let read = op.results.iter().map(|result| read[result.index()]).collect();
            Some(PoppedFrame { frame, read })
        }
        _ => None,
    });
    Ok((builder.finish(results), frames.collect()))
}

/// What a copy keeps.
pub(crate) trait Keep {
    /// Whether an op stays.
    fn op(&self, function: &Function, op: OpId) -> bool;

    /// Whether a result of an op that stays does: of a branch, a frame, or, with what is carried there, a loop.
    fn result(&self, function: &Function, value: ValueId) -> bool;
}

struct Everything;

impl Keep for Everything {
    fn op(&self, _: &Function, _: OpId) -> bool {
        true
    }

    fn result(&self, _: &Function, _: ValueId) -> bool {
        true
    }
}

/// All but what is popped and not read.
struct ReadPops<'r>(&'r [bool]);

impl Keep for ReadPops<'_> {
    fn op(&self, function: &Function, op: OpId) -> bool {
        let op = function.op(op);
        !matches!(op.kind, OpKind::Pop { .. })
            || op.results.iter().any(|result| self.0[result.index()])
    }

    fn result(&self, function: &Function, value: ValueId) -> bool {
        let popped = function.def(value).is_some_and(|op| matches!(op.kind, OpKind::Pop { .. }));
        !popped || self.0[value.index()]
    }
}

/// A copy of some of a function's ops in progress.
pub(crate) struct Copy<'f> {
    function: &'f Function,
    /// The new value of each old one.
    map: Vec<Option<ValueId>>,
}

impl<'f> Copy<'f> {
    pub(crate) fn new(function: &'f Function) -> Copy<'f> {
        Copy { function, map: vec![None; function.value_count()] }
    }

    pub(crate) fn set(&mut self, old: ValueId, new: ValueId) {
        self.map[old.index()] = Some(new);
    }

    /// The new values of old ones that have one.
    pub(crate) fn mapped(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().filter_map(|id| self.map[id.index()]).collect()
    }

    /// Copies the ops of a region that `keep` names, nested ones included.
    pub(crate) fn ops(
        &mut self,
        builder: &mut FunctionBuilder,
        region: RegionId,
        keep: &dyn Keep,
    ) -> Built<()> {
        for id in &self.function.region(region).ops {
            if keep.op(self.function, *id) {
                self.op(builder, *id, keep)?;
            }
        }
        Ok(())
    }

    fn op(&mut self, builder: &mut FunctionBuilder, id: OpId, keep: &dyn Keep) -> Built<()> {
        let function = self.function;
        let op = function.op(id);
        let kept: Vec<usize> = (0..op.results.len())
            .filter(|position| keep.result(function, op.results[*position]))
            .collect();
        let some = |values: &[ValueId]| -> Vec<ValueId> {
            kept.iter().filter_map(|position| values.get(*position).copied()).collect()
        };
        let mut regions = Vec::new();
        for (nth, region) in op.regions.iter().enumerate() {
            let old = function.region(*region);
            let (params, results) = match op.kind {
                OpKind::While if nth == 0 => (some(&old.params), old.results.clone()),
                _ => (some(&old.params), some(&old.results)),
            };
            let types: Vec<Type> = params.iter().map(|id| function.ty(*id).clone()).collect();
            for (old, new) in params.iter().zip(builder.begin_region(&types)) {
                self.set(*old, new);
            }
            self.ops(builder, *region, keep)?;
            regions.push(builder.end_region(self.mapped(&results)));
        }
        let operands = match op.kind {
            OpKind::While => self.mapped(&some(&op.operands)),
            _ => self.mapped(&op.operands),
        };
        let kind = match &op.kind {
            OpKind::Pop { frame, types } => OpKind::Pop {
                frame: *frame,
                types: kept.iter().map(|position| types[*position].clone()).collect(),
            },
            kind => kind.clone(),
        };
        let new = builder.control(kind, &operands, &regions, op.loc)?;
        let results = builder.results(new).to_vec();
        for (position, new) in kept.iter().zip(results) {
            self.set(op.results[*position], new);
        }
        Ok(())
    }
}
