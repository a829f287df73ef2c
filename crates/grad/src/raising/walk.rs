//! The walk over a function's blocks: statements become ops, branches become `if` regions, calls are
//! continued in the callee.

use neuro_db::Db;
use neuro_hir::{Builtin, ExprId, Function};
use neuro_ir::{BuildError, FunctionBuilder, Loc, OpKind, ValueId};
use neuro_mir::{
    BlockId, BlockKind, Body, Instance, Operand, Operation, Place, Rvalue, Statement,
    StatementKind, Terminator, instance_body,
};
use neuro_types::Ty;
use rustc_hash::{FxHashMap, FxHashSet};

use super::frame::{Cell, Environment};
use super::{Checked, NotRaised, Raised, Site, ir_type, operation};

/// The longest chain of calls that is followed into one graph.
const MAX_CALLS: usize = 100;
/// The largest graph: every call site has its own copy of the callee.
const MAX_OPS: usize = 200_000;

/// Raises a function with this body.
pub(super) fn raise_function<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    body: &'db Body<'db>,
    checked: Checked,
) -> Result<Raised<'db>, NotRaised<'db>> {
    let mut walker = Walker {
        db,
        checked,
        builder: FunctionBuilder::new(function.name(db)),
        sites: Vec::new(),
        locs: FxHashMap::default(),
        calls: vec![function],
    };
    let mut environment = Environment::default();
    for local in &body.params {
        let declaration = &body.locals[*local];
        let Some(ty) = ir_type(&declaration.ty) else {
            let what = format!("a parameter of type `{}`", declaration.ty);
            return Err(NotRaised { site: None, what });
        };
        let name = declaration.name.clone().unwrap_or_default();
        let value = walker.builder.param(name, ty);
        environment.bind_parameter(*local, &declaration.ty, value);
    }
    let frame = Frame { function, body };
    let result = walker.result(frame, environment)?;
    Ok(Raised { graph: walker.builder.finish([result]), sites: walker.sites })
}

impl Environment {
    /// Gives a parameter its value; a reference parameter refers to a cell of its own.
    fn bind_parameter(&mut self, local: neuro_mir::LocalId, ty: &Ty, value: ValueId) {
        if let Ty::Ref { .. } = ty {
            self.refer(local, Cell::Referent(local));
            self.set(Cell::Referent(local), value);
        } else {
            self.set(Cell::Local(local), value);
        }
    }
}

struct Walker<'db> {
    db: &'db dyn Db,
    checked: Checked,
    builder: FunctionBuilder,
    sites: Vec<Site<'db>>,
    locs: FxHashMap<Site<'db>, Loc>,
    /// The functions being walked, outermost first.
    calls: Vec<Function<'db>>,
}

/// The function that is being walked.
#[derive(Clone, Copy)]
struct Frame<'db> {
    function: Function<'db>,
    body: &'db Body<'db>,
}

impl<'db> Frame<'db> {
    fn site(self, expr: ExprId) -> Site<'db> {
        Site { function: self.function, expr }
    }
}

/// How a walk ended.
enum Flow {
    /// At the block where it should stop.
    Stopped,
    /// At a return of this value.
    Returned(ValueId),
}

type Walked<'db, T> = Result<T, NotRaised<'db>>;

impl<'db> Walker<'db> {
    /// The value that a function returns.
    fn result(&mut self, frame: Frame<'db>, mut environment: Environment) -> Walked<'db, ValueId> {
        match self.walk(frame, frame.body.entry, None, &mut environment)? {
            Flow::Returned(value) => Ok(value),
            Flow::Stopped => {
                Err(NotRaised { site: None, what: "a body without an end".to_owned() })
            }
        }
    }

    /// Walks from `block` until `stop` or a return.
    fn walk(
        &mut self,
        frame: Frame<'db>,
        mut block: BlockId,
        stop: Option<BlockId>,
        environment: &mut Environment,
    ) -> Walked<'db, Flow> {
        loop {
            if Some(block) == stop {
                return Ok(Flow::Stopped);
            }
            let data = &frame.body.blocks[block];
            let last = data.statements.last().map(|statement| statement.expr);
            if let BlockKind::LoopHeader { .. } = data.kind {
                return Err(self.refuse_at(frame, first_expr(frame.body, block), "a loop"));
            }
            for statement in &data.statements {
                self.statement(frame, statement, environment)?;
            }
            match &data.terminator {
                Terminator::Goto(next) => block = *next,
                Terminator::Return => {
                    let value = frame.body.ret.and_then(|ret| environment.value(Cell::Local(ret)));
                    let what = "a function that returns nothing";
                    return value
                        .map(Flow::Returned)
                        .ok_or_else(|| self.refuse_at(frame, last, what));
                }
                Terminator::Branch { cond, then, otherwise, .. }
                    if let Some(expr) = assertion(frame.body, *otherwise) =>
                {
                    self.assert(frame, cond, expr, environment)?;
                    block = *then;
                }
                Terminator::Branch { cond, then, otherwise, join } => {
                    let branch = Branch { cond, arms: [*then, *otherwise], join: *join, at: last };
                    match self.branch(frame, &branch, environment)? {
                        Some(value) => return Ok(Flow::Returned(value)),
                        // Only a branch with a join goes on.
                        None => block = join.unwrap_or(*otherwise),
                    }
                }
                Terminator::Panic { expr, .. } => {
                    return Err(self.refuse(frame, *expr, "a panic"));
                }
                Terminator::Unreachable => {
                    return Err(self.refuse_at(frame, last, "a point that is never reached"));
                }
            }
        }
    }

    /// Raises `assert(..)`: a trap, which stays in its place among the others.
    fn assert(
        &mut self,
        frame: Frame<'db>,
        cond: &Operand,
        at: ExprId,
        environment: &Environment,
    ) -> Walked<'db, ()> {
        let cond = self.operand(frame, cond, environment, Some(at))?;
        let loc = self.loc(frame.site(at));
        let asserted = self.builder.assert(cond, "", Some(loc));
        asserted.map(|_| ()).map_err(|error| self.build_error(frame, Some(at), &error))
    }

    /// Raises a branch. Gives a value when both arms return; else the walk goes on at the join.
    fn branch(
        &mut self,
        frame: Frame<'db>,
        branch: &Branch<'_>,
        environment: &mut Environment,
    ) -> Walked<'db, Option<ValueId>> {
        let cond = self.operand(frame, branch.cond, environment, branch.at)?;
        let leaves = branch.arms.iter().any(|arm| may_return(frame.body, *arm, branch.join));
        let join = if leaves { None } else { branch.join };
        let merged = match join {
            Some(join) => merged_cells(frame.body, branch.arms, join, environment),
            None => Vec::new(),
        };
        let mut regions = Vec::with_capacity(2);
        for arm in branch.arms {
            self.builder.begin_region(&[]);
            let mut inside = environment.clone();
            let results = match self.walk(frame, arm, join, &mut inside)? {
                Flow::Returned(value) => vec![value],
                Flow::Stopped => {
                    let values: Option<Vec<ValueId>> =
                        merged.iter().map(|cell| inside.value(*cell)).collect();
                    let what = "a value that only one arm of an `if` gives";
                    values.ok_or_else(|| self.refuse_at(frame, branch.at, what))?
                }
            };
            regions.push(self.builder.end_region(results));
        }
        let loc = branch.at.map(|expr| self.loc(frame.site(expr)));
        let op = self
            .builder
            .control(OpKind::If, &[cond], &regions, loc)
            .map_err(|error| self.build_error(frame, branch.at, &error))?;
        let results = self.builder.results(op).to_vec();
        if join.is_none() {
            return Ok(results.first().copied());
        }
        for (cell, value) in merged.into_iter().zip(results) {
            environment.set(cell, value);
        }
        Ok(None)
    }

    fn statement(
        &mut self,
        frame: Frame<'db>,
        statement: &Statement<'db>,
        environment: &mut Environment,
    ) -> Walked<'db, ()> {
        let at = statement.expr;
        match &statement.kind {
            StatementKind::Assign { place, value } => {
                self.assign(frame, place, value, at, environment)
            }
            StatementKind::InPlace { place, op, value } => {
                let cell = self.writable(frame, place, at, environment)?;
                let operands = [Operand::Copy(place.clone()), value.clone()];
                let ty = frame.body.place_ty(place);
                let op = Operation::Binary(*op);
                let value = self.operation(frame, &op, &operands, &ty, at, environment)?;
                environment.set(cell, value);
                Ok(())
            }
            StatementKind::Call { dest, function, args } => {
                let Some(dest) = dest else {
                    return Err(self.refuse(frame, at, "a call that gives nothing"));
                };
                let value = self.call(frame, *function, args, at, environment)?;
                let cell = self.writable(frame, dest, at, environment)?;
                environment.set(cell, value);
                Ok(())
            }
            StatementKind::Drop { .. }
            | StatementKind::PoolEnter(_)
            | StatementKind::PoolExit(_) => Ok(()),
            StatementKind::SetElement { .. }
            | StatementKind::Forward(_)
            | StatementKind::Backward(_)
            | StatementKind::ZeroGrad(_)
            | StatementKind::Print { .. } => {
                let what = refused_statement(&statement.kind).unwrap_or("this");
                Err(self.refuse(frame, at, what))
            }
        }
    }

    fn assign(
        &mut self,
        frame: Frame<'db>,
        place: &Place,
        value: &Rvalue,
        at: ExprId,
        environment: &mut Environment,
    ) -> Walked<'db, ()> {
        let value = match value {
            Rvalue::Ref { place: referent, .. } => {
                let cell = self.cell(frame, referent, at, environment)?;
                environment.refer(place.local, cell);
                return Ok(());
            }
            Rvalue::Use(Operand::Copy(from) | Operand::Move(from))
                if matches!(frame.body.place_ty(from), Ty::Ref { .. }) =>
            {
                let cell = environment.referent(from.local).filter(|_| from.projections.is_empty());
                let what = "a reference that is not known";
                let cell = cell.ok_or_else(|| self.refuse(frame, at, what))?;
                environment.refer(place.local, cell);
                return Ok(());
            }
            Rvalue::Use(operand) => self.operand(frame, operand, environment, Some(at))?,
            Rvalue::Gradient(_) => return Err(self.refuse(frame, at, "a gradient slot")),
            Rvalue::Operation { op, operands } => {
                let ty = frame.body.place_ty(place);
                self.operation(frame, op, operands, &ty, at, environment)?
            }
        };
        let cell = self.writable(frame, place, at, environment)?;
        environment.set(cell, value);
        Ok(())
    }

    fn operation(
        &mut self,
        frame: Frame<'db>,
        op: &Operation,
        operands: &[Operand],
        result: &Ty,
        at: ExprId,
        environment: &Environment,
    ) -> Walked<'db, ValueId> {
        if self.builder.so_far().op_count() > MAX_OPS {
            return Err(self.refuse(frame, at, "a body of this size"));
        }
        let values = operands
            .iter()
            .map(|operand| self.operand(frame, operand, environment, Some(at)))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(result) = ir_type(result) else {
            return Err(self.refuse(frame, at, "a value that is neither number nor tensor"));
        };
        let loc = self.loc(frame.site(at));
        let overflow = self.checked.overflow();
        operation::emit(&mut self.builder, op, &values, &result, overflow, loc)
            .map_err(|error| self.build_error(frame, Some(at), &error))
    }

    /// Continues in the callee; what a `@no_grad` function gives is fenced.
    fn call(
        &mut self,
        frame: Frame<'db>,
        callee: Function<'db>,
        args: &[Operand],
        at: ExprId,
        environment: &Environment,
    ) -> Walked<'db, ValueId> {
        if self.calls.contains(&callee) {
            return Err(self.refuse(frame, at, "a recursive call"));
        }
        if self.calls.len() > MAX_CALLS {
            return Err(self.refuse(frame, at, "a chain of calls this long"));
        }
        let body = instance_body(self.db, Instance::new(self.db, callee));
        let mut inside = Environment::default();
        for (local, arg) in body.params.iter().zip(args) {
            let value = self.argument(frame, arg, environment, at)?;
            inside.bind_parameter(*local, &body.locals[*local].ty, value);
        }
        self.calls.push(callee);
        let result = self.result(Frame { function: callee, body }, inside);
        self.calls.pop();
        let value = result.map_err(|mut reason| {
            reason.site = reason.site.or(Some(frame.site(at)));
            reason
        })?;
        if !neuro_types::is_no_grad(self.db, callee) {
            return Ok(value);
        }
        let loc = self.loc(frame.site(at));
        self.builder
            .op(OpKind::Detach, &[value], Some(loc))
            .map_err(|error| self.build_error(frame, Some(at), &error))
    }

    /// The value of an argument; of a reference, what it refers to.
    fn argument(
        &mut self,
        frame: Frame<'db>,
        arg: &Operand,
        environment: &Environment,
        at: ExprId,
    ) -> Walked<'db, ValueId> {
        match arg {
            Operand::Copy(place) | Operand::Move(place)
                if matches!(frame.body.place_ty(place), Ty::Ref { .. }) =>
            {
                let cell =
                    environment.referent(place.local).filter(|_| place.projections.is_empty());
                cell.and_then(|cell| environment.value(cell))
                    .ok_or_else(|| self.refuse(frame, at, "a reference that is not known"))
            }
            Operand::Copy(_) | Operand::Move(_) | Operand::Const(_) => {
                self.operand(frame, arg, environment, Some(at))
            }
        }
    }

    fn operand(
        &mut self,
        frame: Frame<'db>,
        operand: &Operand,
        environment: &Environment,
        at: Option<ExprId>,
    ) -> Walked<'db, ValueId> {
        match operand {
            Operand::Const(scalar) => Ok(self.builder.constant(*scalar)),
            Operand::Copy(place) | Operand::Move(place) => {
                let value = environment.cell(place).and_then(|cell| environment.value(cell));
                value.ok_or_else(|| self.refuse_at(frame, at, "a place that is not known"))
            }
        }
    }

    fn cell(
        &self,
        frame: Frame<'db>,
        place: &Place,
        at: ExprId,
        environment: &Environment,
    ) -> Walked<'db, Cell> {
        environment
            .cell(place)
            .ok_or_else(|| self.refuse(frame, at, "a reference that is not known"))
    }

    /// The cell of a place that is written.
    fn writable(
        &self,
        frame: Frame<'db>,
        place: &Place,
        at: ExprId,
        environment: &Environment,
    ) -> Walked<'db, Cell> {
        match self.cell(frame, place, at, environment)? {
            Cell::Referent(_) => Err(self.refuse(frame, at, "a write through a `&mut` parameter")),
            cell @ Cell::Local(_) => Ok(cell),
        }
    }

    fn loc(&mut self, site: Site<'db>) -> Loc {
        let next = Loc(self.sites.len() as u32);
        let loc = *self.locs.entry(site).or_insert(next);
        if loc == next {
            self.sites.push(site);
        }
        loc
    }

    fn refuse(&self, frame: Frame<'db>, at: ExprId, what: &str) -> NotRaised<'db> {
        NotRaised { site: Some(frame.site(at)), what: what.to_owned() }
    }

    fn refuse_at(&self, frame: Frame<'db>, at: Option<ExprId>, what: &str) -> NotRaised<'db> {
        NotRaised { site: at.map(|expr| frame.site(expr)), what: what.to_owned() }
    }

    fn build_error(
        &self,
        frame: Frame<'db>,
        at: Option<ExprId>,
        error: &BuildError,
    ) -> NotRaised<'db> {
        self.refuse_at(frame, at, &format!("`{}`, which {}", error.op, error.reason))
    }
}

/// A branch of a body.
struct Branch<'a> {
    cond: &'a Operand,
    arms: [BlockId; 2],
    join: Option<BlockId>,
    at: Option<ExprId>,
}

/// What a derivative cannot go through, of statements; none for those that raise.
pub(crate) fn refused_statement(kind: &StatementKind<'_>) -> Option<&'static str> {
    match kind {
        StatementKind::SetElement { .. } => Some("an element store"),
        StatementKind::Forward(_) | StatementKind::Backward(_) => Some("a `.backward()`"),
        StatementKind::ZeroGrad(_) => Some("a gradient slot"),
        StatementKind::Print { .. } => Some("printing"),
        StatementKind::Assign { value: Rvalue::Gradient(_), .. } => Some("a gradient slot"),
        StatementKind::Assign { .. }
        | StatementKind::InPlace { .. }
        | StatementKind::Call { .. }
        | StatementKind::Drop { .. }
        | StatementKind::PoolEnter(_)
        | StatementKind::PoolExit(_) => None,
    }
}

/// The first expression of a block, or of the blocks that follow it.
pub(crate) fn first_expr(body: &Body<'_>, block: BlockId) -> Option<ExprId> {
    reachable(body, block, None)
        .into_iter()
        .find_map(|block| body.blocks[block].statements.first().map(|statement| statement.expr))
}

/// The assertion that fails in a block, if that is all that the block does.
fn assertion(body: &Body<'_>, block: BlockId) -> Option<ExprId> {
    let data = &body.blocks[block];
    match &data.terminator {
        Terminator::Panic { kind: Builtin::Assert, expr, .. } if data.statements.is_empty() => {
            Some(*expr)
        }
        _ => None,
    }
}

/// The blocks that are reached from `start` without passing `stop`, in the order of a walk.
fn reachable(body: &Body<'_>, start: BlockId, stop: Option<BlockId>) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![start];
    while let Some(block) = todo.pop() {
        if Some(block) == stop || !seen.insert(block) {
            continue;
        }
        order.push(block);
        match &body.blocks[block].terminator {
            Terminator::Goto(next) => todo.push(*next),
            Terminator::Branch { then, otherwise, .. } => todo.extend([*otherwise, *then]),
            Terminator::Return | Terminator::Panic { .. } | Terminator::Unreachable => {}
        }
    }
    order
}

/// Whether an arm can leave the function before the join.
fn may_return(body: &Body<'_>, arm: BlockId, join: Option<BlockId>) -> bool {
    reachable(body, arm, join)
        .into_iter()
        .any(|block| matches!(body.blocks[block].terminator, Terminator::Return))
}

/// The cells that the arms of a branch give to what follows: assigned in both, or in one and known before.
fn merged_cells(
    body: &Body<'_>,
    arms: [BlockId; 2],
    join: BlockId,
    before: &Environment,
) -> Vec<Cell> {
    let [mut then, otherwise] = arms.map(|arm| assigned_cells(body, arm, join, before));
    let both: FxHashSet<Cell> =
        then.iter().copied().filter(|cell| otherwise.contains(cell)).collect();
    then.extend(otherwise);
    let mut seen = FxHashSet::default();
    then.retain(|cell| {
        (both.contains(cell) || before.value(*cell).is_some()) && seen.insert(*cell)
    });
    then
}

/// The cells that an arm writes, directly or through a `&mut` that it takes.
fn assigned_cells(body: &Body<'_>, arm: BlockId, join: BlockId, before: &Environment) -> Vec<Cell> {
    let mut cells = Vec::new();
    for block in reachable(body, arm, Some(join)) {
        for statement in &body.blocks[block].statements {
            let place = match &statement.kind {
                StatementKind::Assign { value: Rvalue::Ref { mutable: true, place }, .. } => place,
                StatementKind::Assign { place, .. }
                | StatementKind::InPlace { place, .. }
                | StatementKind::SetElement { tensor: place, .. }
                | StatementKind::Call { dest: Some(place), .. } => place,
                StatementKind::Call { dest: None, .. }
                | StatementKind::Forward(_)
                | StatementKind::Backward(_)
                | StatementKind::ZeroGrad(_)
                | StatementKind::Drop { .. }
                | StatementKind::Print { .. }
                | StatementKind::PoolEnter(_)
                | StatementKind::PoolExit(_) => continue,
            };
            if matches!(body.place_ty(&Place::local(place.local)), Ty::Ref { .. })
                && place.projections.is_empty()
            {
                continue;
            }
            cells.extend(before.cell(place));
        }
    }
    cells
}
