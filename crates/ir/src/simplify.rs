//! Rewriting that changes no bit of any result: constants folded, copies of one computation made one, rearrangements
//! merged, work without effect dropped, what does not change in a loop computed before it.
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
    Built, Function, FunctionBuilder, Loc, Op, OpId, OpKind, Operands, RegionId, Type, ValueId,
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
    /// The open regions, innermost last.
    open: Vec<Scope>,
    /// The number of open regions at the definition of each new value, by its number.
    depths: Vec<usize>,
}

/// A region that is being built.
#[derive(Default)]
struct Scope {
    /// Pure ops built in it.
    known: FxHashMap<(OpKind, Operands), ValueId>,
    /// Whether it belongs to a loop: what does not change in it is computed before it.
    repeats: bool,
}

impl<'f> Rewriter<'f> {
    fn run(source: &'f Function) -> Built<Function> {
        let mut rewriter = Rewriter {
            source,
            builder: FunctionBuilder::new(source.name()),
            map: vec![None; source.value_count()],
            open: vec![Scope::default()],
            depths: Vec::new(),
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
        let pure = op.regions.is_empty() && !op.kind.is_history();
        if let ([result], true) = (op.results.as_slice(), pure) {
            let new = self.emit(op.kind.clone(), &operands, op.loc)?;
            self.map[result.index()] = Some(new);
            return Ok(());
        }
        // A carried value that stays what it is, is no carried value.
        let stays = |position: usize| {
            matches!(op.kind, OpKind::While) && {
                let body = self.source.region(op.regions[1]);
                body.results[position] == body.params[position]
            }
        };
        let (kept, same): (Vec<usize>, Vec<usize>) =
            (0..op.results.len()).partition(|position| !stays(*position));
        for position in same {
            let regions = op.regions.iter().map(|region| self.source.region(*region));
            let params = regions.map(|region| region.params[position]);
            for old in params.chain([op.results[position]]) {
                self.map[old.index()] = Some(operands[position]);
            }
        }
        let mut regions = Vec::new();
        for (nth, region) in op.regions.iter().enumerate() {
            regions.push(self.nested(op, nth, *region, &kept)?);
        }
        let operands: Operands = match op.kind {
            OpKind::While => kept.iter().map(|position| operands[*position]).collect(),
            _ => operands,
        };
        let new = self.builder.control(op.kind.clone(), &operands, &regions, op.loc)?;
        for (position, new) in kept.iter().zip(self.builder.results(new).to_vec()) {
            self.map[op.results[*position].index()] = Some(new);
        }
        Ok(())
    }

    /// Rewrites a region of an op; of a loop's, with the carried values at the positions `kept`.
    fn nested(&mut self, op: &Op, nth: usize, id: RegionId, kept: &[usize]) -> Built<RegionId> {
        let old = self.source.region(id);
        let repeats = matches!(op.kind, OpKind::While);
        let some = |values: &[ValueId]| -> Vec<ValueId> {
            if repeats {
                kept.iter().map(|position| values[*position]).collect()
            } else {
                values.to_vec()
            }
        };
        self.note_depths();
        let params = some(&old.params);
        let types: Vec<Type> = params.iter().map(|id| self.source.ty(*id).clone()).collect();
        for (old, new) in params.iter().zip(self.builder.begin_region(&types)) {
            self.map[old.index()] = Some(new);
        }
        self.open.push(Scope { known: FxHashMap::default(), repeats });
        self.note_depths();
        self.region(id)?;
        self.note_depths();
        self.open.pop();
        let results = if repeats && nth == 0 { old.results.clone() } else { some(&old.results) };
        let results = self.mapped(&results);
        Ok(self.builder.end_region(results))
    }

    /// Notes that all values not noted yet are defined in the innermost open region.
    fn note_depths(&mut self) {
        let count = self.builder.so_far().value_count();
        self.depths.resize(count, self.open.len());
    }

    /// The number of open regions in which an op on these operands is built: it leaves the loops in which none of
    /// them changes.
    fn depth_for(&mut self, operands: &[ValueId]) -> usize {
        self.note_depths();
        let least = operands.iter().map(|id| self.depths[id.index()]).max().unwrap_or(1);
        let mut depth = self.open.len();
        while depth > least && self.open[depth - 1].repeats {
            depth -= 1;
        }
        depth
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
        if let Some(value) = self.open.iter().rev().find_map(|scope| scope.known.get(&key)) {
            return Ok(*value);
        }
        let depth = self.depth_for(operands);
        let value =
            self.builder.outside(depth, |builder| builder.op(key.0.clone(), operands, loc))?;
        self.depths.resize(self.builder.so_far().value_count(), depth);
        self.open[depth - 1].known.insert(key, value);
        Ok(value)
    }
}
