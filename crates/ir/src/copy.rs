//! Copying ops from one function into another.

use crate::{BuildError, Built, Function, FunctionBuilder, OpId, RegionId, Type, ValueId};

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
    copy.ops(builder, function.body(), &|_| true)?;
    Ok(copy.mapped(function.results()))
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
        keep: &dyn Fn(OpId) -> bool,
    ) -> Built<()> {
        for id in &self.function.region(region).ops {
            if keep(*id) {
                self.op(builder, *id, keep)?;
            }
        }
        Ok(())
    }

    fn op(
        &mut self,
        builder: &mut FunctionBuilder,
        id: OpId,
        keep: &dyn Fn(OpId) -> bool,
    ) -> Built<()> {
        let op = self.function.op(id);
        let mut regions = Vec::new();
        for region in &op.regions {
            let old = self.function.region(*region);
            let types: Vec<Type> =
                old.params.iter().map(|id| self.function.ty(*id).clone()).collect();
            let params = builder.begin_region(&types);
            for (old, new) in old.params.iter().zip(params) {
                self.set(*old, new);
            }
            self.ops(builder, *region, keep)?;
            regions.push(builder.end_region(self.mapped(&old.results)));
        }
        let operands = self.mapped(&op.operands);
        let new = builder.control(op.kind.clone(), &operands, &regions, op.loc)?;
        let results = builder.results(new).to_vec();
        for (old, new) in op.results.iter().zip(results) {
            self.set(*old, new);
        }
        Ok(())
    }
}
