//! Rewriting that changes no bit of any result: constants folded, copies of one computation made one, rearrangements
//! merged, work without effect dropped.
//!
//! What is *not* done, since a bit could change: `0 * x` (not-a-number, sign of zero), `x + 0.0` (sign of zero),
//! reassociation, division by a constant as a multiplication. Not-a-number's payload and sign do not count as bits.
//!
//! Traps keep their order and their number, except that an op whose operands are constants and which does not trap on
//! them is folded.

mod dead;
mod rules;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    Built, Function, FunctionBuilder, Loc, OpId, OpKind, Operands, RegionId, Type, ValueId,
};

/// The function with all its parameters and the same results, simpler. Values are numbered in program order.
pub fn simplify(function: &Function) -> Function {
    // Building fails only for a function that the verifier rejects; such a one stays as it is.
    match Rewriter::run(function).and_then(|rewritten| dead::without_dead(&rewritten)) {
        Ok(simpler) => simpler,
        Err(error) => {
            debug_assert!(false, "simplifying @{}: {error}", function.name());
            function.clone()
        }
    }
}

/// Builds the function anew, each op simplified in terms of what is built already.
struct Rewriter<'f> {
    source: &'f Function,
    builder: FunctionBuilder,
    /// The new value of each old one.
    map: Vec<Option<ValueId>>,
    /// Pure ops built in each open region, innermost last.
    known: Vec<FxHashMap<(OpKind, Operands), ValueId>>,
}

impl<'f> Rewriter<'f> {
    fn run(source: &'f Function) -> Built<Function> {
        let mut rewriter = Rewriter {
            source,
            builder: FunctionBuilder::new(source.name()),
            map: vec![None; source.value_count()],
            known: vec![FxHashMap::default()],
        };
        for (index, param) in source.params().iter().enumerate() {
            let ty = source.ty(*param).clone();
            let new = rewriter.builder.param(source.param_name(index), ty);
            rewriter.map[param.index()] = Some(new);
        }
        rewriter.region(source.body())?;
        let results = rewriter.mapped(source.results());
        Ok(rewriter.builder.finish(results))
    }

    fn mapped(&self, old: &[ValueId]) -> SmallVec<[ValueId; 3]> {
        old.iter().filter_map(|id| self.map[id.index()]).collect()
    }

    fn region(&mut self, region: RegionId) -> Built<()> {
        let source = self.source;
        source.region(region).ops.iter().try_for_each(|op| self.op(*op))
    }

    fn op(&mut self, id: OpId) -> Built<()> {
        let op = self.source.op(id);
        let operands = self.mapped(&op.operands);
        if let ([result], true) = (op.results.as_slice(), op.regions.is_empty()) {
            let new = self.emit(op.kind.clone(), &operands, op.loc)?;
            self.map[result.index()] = Some(new);
            return Ok(());
        }
        let mut regions = Vec::new();
        for region in &op.regions {
            let old = self.source.region(*region);
            let types: Vec<Type> =
                old.params.iter().map(|id| self.source.ty(*id).clone()).collect();
            let params = self.builder.begin_region(&types);
            for (old, new) in old.params.iter().zip(params) {
                self.map[old.index()] = Some(new);
            }
            self.known.push(FxHashMap::default());
            self.region(*region)?;
            self.known.pop();
            let results = self.mapped(&old.results);
            regions.push(self.builder.end_region(results));
        }
        let new = self.builder.control(op.kind.clone(), &operands, &regions, op.loc)?;
        for (old, new) in op.results.iter().zip(self.builder.results(new).to_vec()) {
            self.map[old.index()] = Some(new);
        }
        Ok(())
    }

    /// A value equal to that of the op: an older one, or that of a new op.
    fn emit(&mut self, kind: OpKind, operands: &[ValueId], loc: Option<Loc>) -> Built {
        if let Some(value) = self.folded(&kind, operands, loc)? {
            return Ok(value);
        }
        if self.builder.so_far().would_trap(&kind, operands) {
            return self.builder.op(kind, operands, loc);
        }
        if let Some(value) = self.rewritten(&kind, operands, loc)? {
            return Ok(value);
        }
        let key = (kind, Operands::from_slice(operands));
        if let Some(value) = self.known.iter().rev().find_map(|scope| scope.get(&key)) {
            return Ok(*value);
        }
        let value = self.builder.op(key.0.clone(), operands, loc)?;
        if let Some(scope) = self.known.last_mut() {
            scope.insert(key, value);
        }
        Ok(value)
    }
}
