//! Loops: what a loop assigns is carried through a `while` region.
//!
//! Where the head of a loop only decides whether there is a next iteration, it is the region's test. Otherwise, and
//! where the loop can also be left from inside, a carried number says where the last iteration ended: a loop that is to
//! go on ended at its own head.

use neuro_ir::{OpKind, RegionId, Type, ValueId};
use neuro_mir::{
    BlockId, BlockKind, Body, LocalId, LocalKind, Operand, Place, Rvalue, Statement, StatementKind,
    Terminator, successors,
};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;
use rustc_hash::FxHashSet;

use super::flow::{End, Outcome, Step};
use super::frame::{Cell, Environment};
use super::ir_type;
use super::walk::{Frame, Walked, Walker};

/// What is known of a loop before it is raised.
struct Loop<'b> {
    header: BlockId,
    exit: BlockId,
    /// All blocks of an iteration.
    blocks: Vec<BlockId>,
    /// The head, where it only decides.
    test: Option<Test<'b>>,
    /// Where `continue` leads to, if that is not the head.
    latch: Option<BlockId>,
    /// Whether it can be left other than by the test.
    leaves: bool,
}

/// The head of a loop that is left by a condition.
struct Test<'b> {
    /// Its blocks.
    blocks: Vec<BlockId>,
    /// The one that decides.
    last: BlockId,
    cond: &'b Operand,
    /// The first block of the iteration.
    inside: BlockId,
}

impl<'db> Walker<'db> {
    /// Raises the loop with this header and exit. Afterwards the environment holds the values of the last iteration.
    pub(super) fn repetition(
        &mut self,
        frame: Frame<'db>,
        (header, exit): (BlockId, BlockId),
        stops: &[BlockId],
        environment: &mut Environment,
    ) -> Walked<'db, Outcome> {
        let around: Vec<BlockId> = std::iter::once(exit).chain(stops.iter().copied()).collect();
        let found = Loop::new(frame.body, header, &around);
        let at = found.blocks.iter().find_map(|block| {
            frame.body.blocks[*block].statements.first().map(|statement| statement.expr)
        });
        let cells = self.carried(frame, &found, environment)?;
        for local in references(frame.body, &found.blocks) {
            environment.forget(local);
        }
        let mut operands: Vec<ValueId> = Vec::with_capacity(cells.len() + 1);
        for (cell, ty) in &cells {
            operands.push(match environment.value(*cell) {
                Some(value) => value,
                None => self.builder.splat(Scalar::zero(ty.dtype), &ty.dims),
            });
        }
        let mut types: Vec<Type> = cells.iter().map(|(_, ty)| ty.clone()).collect();
        if found.leaves {
            operands.push(self.builder.constant(End::At(header).code()));
            types.push(Type::scalar(DType::U32));
        }
        let cells: Vec<Cell> = cells.into_iter().map(|(cell, _)| cell).collect();
        let test = self.test(frame, &found, (&cells, &types), environment)?;
        let (body, ends) = self.iteration(frame, &found, (&cells, &types), &around, environment)?;
        let loc = at.map(|expr| self.loc(frame.site(expr)));
        let op = self
            .builder
            .control(OpKind::While, &operands, &[test, body], loc)
            .map_err(|error| self.build_error(frame, at, &error))?;
        let results = self.builder.results(op).to_vec();
        for (cell, value) in cells.iter().zip(&results) {
            environment.set(*cell, *value);
        }
        self.left(frame, &found, ends, results.last().copied())
    }

    /// Where a loop is left to, from the ends of its iterations and the code of the last one.
    fn left(
        &mut self,
        frame: Frame<'db>,
        found: &Loop<'_>,
        mut ends: Vec<End>,
        state: Option<ValueId>,
    ) -> Walked<'db, Outcome> {
        let (header, exit) = (End::At(found.header), End::At(found.exit));
        ends.retain(|end| *end != header);
        if found.test.is_some() && !ends.contains(&exit) {
            ends.push(exit);
        }
        let (1, Some(mut which), true) = (usize::from(ends.len() > 1), state, found.leaves) else {
            return Ok(Outcome { ends, which: None });
        };
        if found.test.is_some() {
            // Left by the test: the last iteration ended at the head.
            let tested = self.is_end(frame, which, header)?;
            let code = self.builder.constant(exit.code());
            which = self
                .builder
                .select(tested, code, which, None)
                .map_err(|error| self.build_error(frame, None, &error))?;
        }
        Ok(Outcome { ends, which: Some(which) })
    }

    /// The cells that a loop carries, with their types: what it assigns that is known before, and what may be read
    /// after it was left from inside.
    fn carried(
        &self,
        frame: Frame<'db>,
        found: &Loop<'_>,
        before: &Environment,
    ) -> Walked<'db, Vec<(Cell, Type)>> {
        let body = frame.body;
        let mut carried = Vec::new();
        let heads = found.test.as_ref().map_or(&[][..], |test| &test.blocks);
        let assigned: Vec<BlockId> =
            found.blocks.iter().filter(|block| !heads.contains(block)).copied().collect();
        for cell in assigned_cells(body, &assigned, before) {
            if let Some(value) = before.value(cell) {
                carried.push((cell, self.builder.ty(value).clone()));
                continue;
            }
            let Cell::Local(local) = cell else { continue };
            let read = Some(local) == body.ret || is_mentioned(body, local, &found.blocks);
            if found.leaves && read {
                let Some(ty) = ir_type(&body.locals[local].ty) else { continue };
                carried.push((cell, ty));
            }
        }
        Ok(carried)
    }

    /// The region that says whether there is a next iteration.
    fn test(
        &mut self,
        frame: Frame<'db>,
        found: &Loop<'_>,
        (cells, types): (&[Cell], &[Type]),
        environment: &Environment,
    ) -> Walked<'db, RegionId> {
        let params = self.builder.begin_region(types);
        let mut inside = environment.clone();
        for (cell, param) in cells.iter().zip(&params) {
            inside.set(*cell, *param);
        }
        let goes_on = match params.last() {
            Some(state) if found.leaves => {
                Some(self.is_end(frame, *state, End::At(found.header))?)
            }
            _ => None,
        };
        let result = match (&found.test, goes_on) {
            (None, Some(goes_on)) => goes_on,
            (None, None) => self.builder.constant(Scalar::bool(true)),
            (Some(test), None) => self.decided(frame, found, test, &mut inside)?,
            (Some(test), Some(goes_on)) => {
                // After the loop was left from inside its condition is not asked again.
                self.builder.begin_region(&[]);
                let decided = self.decided(frame, found, test, &mut inside)?;
                let asked = self.builder.end_region([decided]);
                self.builder.begin_region(&[]);
                let no = self.builder.constant(Scalar::bool(false));
                let left = self.builder.end_region([no]);
                let op = self
                    .builder
                    .control(OpKind::If, &[goes_on], &[asked, left], None)
                    .map_err(|error| self.build_error(frame, None, &error))?;
                self.builder.results(op)[0]
            }
        };
        Ok(self.builder.end_region([result]))
    }

    /// The condition of a loop's head.
    fn decided(
        &mut self,
        frame: Frame<'db>,
        found: &Loop<'_>,
        test: &Test<'_>,
        environment: &mut Environment,
    ) -> Walked<'db, ValueId> {
        if test.last != found.header {
            let stops = [test.last];
            let mut step = self.block(frame, found.header, &stops, environment)?;
            while let Step::Next(block) = step {
                if block == test.last {
                    break;
                }
                step = self.block(frame, block, &stops, environment)?;
            }
        }
        for statement in &frame.body.blocks[test.last].statements {
            self.statement(frame, statement, environment)?;
        }
        self.operand(frame, test.cond, environment, None)
    }

    /// The region that makes the next values, and where an iteration ends.
    fn iteration(
        &mut self,
        frame: Frame<'db>,
        found: &Loop<'_>,
        (cells, types): (&[Cell], &[Type]),
        around: &[BlockId],
        environment: &Environment,
    ) -> Walked<'db, (RegionId, Vec<End>)> {
        let params = self.builder.begin_region(types);
        let mut inside = environment.clone();
        for (cell, param) in cells.iter().zip(&params) {
            inside.set(*cell, *param);
        }
        let stops: Vec<BlockId> =
            std::iter::once(found.header).chain(around.iter().copied()).collect();
        let to_latch: Vec<BlockId> = found.latch.iter().chain(&stops).copied().collect();
        let mut outcome = match &found.test {
            Some(test) => self.walk(frame, test.inside, &to_latch, &mut inside)?,
            None => match self.block(frame, found.header, &to_latch, &mut inside)? {
                Step::Next(next) => self.walk(frame, next, &to_latch, &mut inside)?,
                Step::Done(outcome) => outcome,
            },
        };
        if let Some(latch) = found.latch {
            outcome = match self.go_on(frame, outcome, latch, &stops, &mut inside)? {
                Step::Next(latch) => self.walk(frame, latch, &stops, &mut inside)?,
                Step::Done(outcome) => outcome,
            };
        }
        let mut results: Vec<ValueId> = Vec::with_capacity(types.len());
        for (cell, param) in cells.iter().zip(&params) {
            results.push(inside.value(*cell).unwrap_or(*param));
        }
        if found.leaves {
            let end = outcome.ends.first().copied().unwrap_or(End::Return);
            results.push(match outcome.which {
                Some(which) => which,
                None => self.builder.constant(end.code()),
            });
        }
        Ok((self.builder.end_region(results), outcome.ends))
    }
}

impl<'b> Loop<'b> {
    /// `around`: the exit, then the blocks at which the walk around the loop stops.
    fn new(body: &'b Body<'_>, header: BlockId, around: &[BlockId]) -> Loop<'b> {
        let exit = around[0];
        let blocks = reachable(body, header, around);
        let test = Test::find(body, (header, exit), &blocks);
        let decides = test.as_ref().map(|test| test.last);
        let leaves = test.is_none()
            || blocks.iter().filter(|block| Some(**block) != decides).any(|block| {
                let terminator = &body.blocks[*block].terminator;
                matches!(terminator, Terminator::Return)
                    || successors(terminator).any(|next| around.contains(&next))
            });
        let latch = latch(body, header, &blocks);
        Loop { header, exit, blocks, test, latch, leaves }
    }
}

impl<'b> Test<'b> {
    fn find(
        body: &'b Body<'_>,
        (header, exit): (BlockId, BlockId),
        all: &[BlockId],
    ) -> Option<Test<'b>> {
        let mut blocks = Vec::new();
        let mut block = header;
        let (last, cond, inside) = loop {
            let plain = matches!(body.blocks[block].kind, BlockKind::Plain) || block == header;
            if blocks.contains(&block) || !all.contains(&block) || !plain {
                return None;
            }
            blocks.push(block);
            match &body.blocks[block].terminator {
                Terminator::Branch { cond, then, otherwise, join: None } if *otherwise == exit => {
                    break (block, cond, *then);
                }
                Terminator::Branch { then, otherwise, join: Some(join), .. } => {
                    for arm in [then, otherwise] {
                        blocks.extend(reachable(body, *arm, &[*join]));
                    }
                    block = *join;
                }
                Terminator::Goto(next) => block = *next,
                Terminator::Branch { .. }
                | Terminator::Return
                | Terminator::Panic { .. }
                | Terminator::Unreachable => return None,
            }
        };
        let statements = || blocks.iter().flat_map(|block| &body.blocks[*block].statements);
        let only_decides = statements().all(|statement| match &statement.kind {
            StatementKind::Assign { place, .. } | StatementKind::Call { dest: Some(place), .. } => {
                place.projections.is_empty()
                    && body.locals[place.local].kind == LocalKind::Temporary
                    && !is_mentioned(body, place.local, &blocks)
            }
            StatementKind::Drop { .. } => true,
            _ => false,
        });
        let inner = blocks
            .iter()
            .all(|block| *block == header || matches!(body.blocks[*block].kind, BlockKind::Plain));
        (only_decides && inner).then_some(Test { blocks, last, cond, inside })
    }
}

/// The block that every `continue` of a loop leads to, if several do and it is not the head.
fn latch(body: &Body<'_>, header: BlockId, blocks: &[BlockId]) -> Option<BlockId> {
    let mut known: FxHashSet<BlockId> = FxHashSet::default();
    known.insert(header);
    for block in blocks {
        if let BlockKind::LoopHeader { exit } = body.blocks[*block].kind {
            known.extend([*block, exit]);
        }
        if let Terminator::Branch { join: Some(join), .. } = &body.blocks[*block].terminator {
            known.insert(*join);
        }
    }
    let entries = |target: BlockId| {
        let into = |block: &&BlockId| {
            successors(&body.blocks[**block].terminator).any(|next| next == target)
        };
        blocks.iter().filter(into).count()
    };
    blocks.iter().copied().find(|block| !known.contains(block) && entries(*block) > 1).filter(
        |latch| {
            // Every way back to the head goes through it.
            let without = reachable(body, header, &[*latch]);
            without
                .iter()
                .all(|block| successors(&body.blocks[*block].terminator).all(|next| next != header))
        },
    )
}

/// The blocks that are reached from `start` without passing one of `stops`, in the order of a walk.
fn reachable(body: &Body<'_>, start: BlockId, stops: &[BlockId]) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![start];
    while let Some(block) = todo.pop() {
        if stops.contains(&block) || !seen.insert(block) {
            continue;
        }
        order.push(block);
        let next: Vec<BlockId> = successors(&body.blocks[block].terminator).collect();
        todo.extend(next.into_iter().rev());
    }
    order
}

/// The cells that blocks write, directly or through a `&mut` that they take.
fn assigned_cells(body: &Body<'_>, blocks: &[BlockId], before: &Environment) -> Vec<Cell> {
    let mut cells = Vec::new();
    for statement in blocks.iter().flat_map(|block| &body.blocks[*block].statements) {
        let place = match &statement.kind {
            StatementKind::Assign { value: Rvalue::Ref { mutable: true, place }, .. } => place,
            StatementKind::Assign { place, .. }
            | StatementKind::InPlace { place, .. }
            | StatementKind::Append { place, .. }
            | StatementKind::ClearText(place)
            | StatementKind::SetElement { tensor: place, .. }
            | StatementKind::Call { dest: Some(place), .. } => place,
            StatementKind::Call { dest: None, .. }
            | StatementKind::Collection { .. }
            | StatementKind::Forward(_)
            | StatementKind::Backward(_)
            | StatementKind::ZeroGrad(_)
            | StatementKind::Bounds { .. }
            | StatementKind::Drop { .. }
            | StatementKind::Print { .. }
            | StatementKind::PoolEnter(_)
            | StatementKind::PoolExit(_) => continue,
        };
        let reference = matches!(body.locals[place.local].ty, Ty::Ref { .. });
        if !(reference && place.projections.is_empty()) {
            cells.extend(before.cell(place));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The locals of reference type that blocks give a new referent.
fn references(body: &Body<'_>, blocks: &[BlockId]) -> Vec<LocalId> {
    let statements = blocks.iter().flat_map(|block| &body.blocks[*block].statements);
    statements
        .filter_map(|statement| match &statement.kind {
            StatementKind::Assign { place, .. } if place.projections.is_empty() => {
                let local = place.local;
                matches!(body.locals[local].ty, Ty::Ref { .. }).then_some(local)
            }
            _ => None,
        })
        .collect()
}

/// Whether a local is named in a block that is not one of `except`.
fn is_mentioned(body: &Body<'_>, local: LocalId, except: &[BlockId]) -> bool {
    body.blocks.iter().filter(|(block, _)| !except.contains(block)).any(|(_, block)| {
        let cond = match &block.terminator {
            Terminator::Branch { cond, .. } => names(cond, local),
            _ => false,
        };
        cond || block.statements.iter().any(|statement| mentions(body, statement, local))
    })
}

fn names(operand: &Operand, local: LocalId) -> bool {
    match operand {
        Operand::Copy(place) | Operand::Move(place) => place.local == local,
        Operand::Const(_) => false,
    }
}

fn mentions(body: &Body<'_>, statement: &Statement<'_>, local: LocalId) -> bool {
    let is = |place: &Place| place.local == local;
    let any = |operands: &[Operand]| operands.iter().any(|operand| names(operand, local));
    match &statement.kind {
        StatementKind::Assign { place, value } => {
            is(place)
                || match value {
                    Rvalue::Use(operand) => names(operand, local),
                    Rvalue::Empty => false,
                    Rvalue::Slice { place, range, .. } => {
                        let bounds = range.iter().flat_map(|range| [&range.start, &range.end]);
                        is(place) || bounds.into_iter().any(|bound| names(bound, local))
                    }
                    // Nothing that is raised has text.
                    Rvalue::Text(_) => true,
                    Rvalue::Ref { place, .. }
                    | Rvalue::Gradient(place)
                    | Rvalue::Length(place)
                    | Rvalue::Tag(place) => is(place),
                    Rvalue::Operation { operands, .. }
                    | Rvalue::TextOperation { operands, .. }
                    | Rvalue::Aggregate(operands)
                    | Rvalue::Variant { parts: operands, .. } => any(operands),
                }
        }
        StatementKind::Bounds { position, length, of: _ } => {
            names(position, local) || names(length, local)
        }
        StatementKind::InPlace { place, value, .. } => is(place) || names(value, local),
        // Nothing that is raised has text.
        StatementKind::Append { .. } | StatementKind::ClearText(_) => true,
        StatementKind::SetElement { tensor, positions, value } => {
            is(tensor) || any(positions) || names(value, local)
        }
        StatementKind::Collection { dest, place, args, .. } => {
            dest.as_ref().is_some_and(is) || is(place) || any(args)
        }
        StatementKind::Call { dest, args, .. } => dest.as_ref().is_some_and(is) || any(args),
        StatementKind::Forward(sweep) | StatementKind::Backward(sweep) => {
            any(&body.sweeps[*sweep].args)
        }
        StatementKind::ZeroGrad(place) => is(place),
        // A drop of what nothing reads does not count.
        StatementKind::Drop { .. } | StatementKind::Print { .. } => false,
        StatementKind::PoolEnter(_) | StatementKind::PoolExit(_) => false,
    }
}
