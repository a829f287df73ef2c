//! The walk over a function's blocks: statements become ops, branches become `if` regions, loops become `while`
//! regions, calls are continued in the callee.

use neuro_db::Db;
use neuro_hir::{Builtin, ExprId, Function};
use neuro_ir::{BuildError, FunctionBuilder, Loc, OpKind, ValueId};
use neuro_mir::{
    BlockId, BlockKind, Body, Instance, Operand, Operation, Place, PrintPart, Projection, Rvalue,
    Statement, StatementKind, Terminator, instance_body,
};
use neuro_num::Scalar;
use neuro_types::Ty;
use rustc_hash::FxHashMap;

use super::flow::{End, Outcome, Step};
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

pub(super) struct Walker<'db> {
    db: &'db dyn Db,
    checked: Checked,
    pub(super) builder: FunctionBuilder,
    sites: Vec<Site<'db>>,
    locs: FxHashMap<Site<'db>, Loc>,
    /// The functions being walked, outermost first.
    calls: Vec<Function<'db>>,
}

/// The function that is being walked.
#[derive(Clone, Copy)]
pub(super) struct Frame<'db> {
    function: Function<'db>,
    pub(super) body: &'db Body<'db>,
}

impl<'db> Frame<'db> {
    pub(super) fn site(self, expr: ExprId) -> Site<'db> {
        Site { function: self.function, expr }
    }
}

pub(super) type Walked<'db, T> = Result<T, NotRaised<'db>>;

impl<'db> Walker<'db> {
    /// The value that a function returns.
    fn result(&mut self, frame: Frame<'db>, mut environment: Environment) -> Walked<'db, ValueId> {
        let outcome = self.walk(frame, frame.body.entry, &[], &mut environment)?;
        let value = frame.body.ret.and_then(|ret| environment.value(Cell::Local(ret)));
        match value {
            Some(value) if outcome.ends == [End::Return] => Ok(value),
            _ => Err(NotRaised { site: None, what: "a function that returns nothing".to_owned() }),
        }
    }

    /// Walks from `block` until one of `stops` or a return.
    pub(super) fn walk(
        &mut self,
        frame: Frame<'db>,
        mut block: BlockId,
        stops: &[BlockId],
        environment: &mut Environment,
    ) -> Walked<'db, Outcome> {
        loop {
            if stops.contains(&block) {
                return Ok(Outcome::at(block));
            }
            let step = match frame.body.blocks[block].kind {
                BlockKind::LoopHeader { exit } => {
                    let outcome = self.repetition(frame, (block, exit), stops, environment)?;
                    self.go_on(frame, outcome, exit, stops, environment)?
                }
                BlockKind::Plain => self.block(frame, block, stops, environment)?,
            };
            match step {
                Step::Next(next) => block = next,
                Step::Done(outcome) => return Ok(outcome),
            }
        }
    }

    /// Raises one block.
    pub(super) fn block(
        &mut self,
        frame: Frame<'db>,
        block: BlockId,
        stops: &[BlockId],
        environment: &mut Environment,
    ) -> Walked<'db, Step> {
        let data = &frame.body.blocks[block];
        let last = data.statements.last().map(|statement| statement.expr);
        for statement in &data.statements {
            self.statement(frame, statement, environment)?;
        }
        match &data.terminator {
            Terminator::Goto(next) => Ok(Step::Next(*next)),
            Terminator::Return => Ok(Step::Done(Outcome { ends: vec![End::Return], which: None })),
            Terminator::Branch { cond, then, otherwise, .. }
                if let Some(expr) = assertion(frame.body, *otherwise) =>
            {
                let cond = self.operand(frame, cond, environment, Some(expr))?;
                self.panic(frame, *otherwise, cond)?;
                Ok(Step::Next(*then))
            }
            Terminator::Branch { cond, then, otherwise, join } => {
                let cond = self.operand(frame, cond, environment, last)?;
                let with_join: Vec<BlockId> = join.iter().chain(stops).copied().collect();
                let outcome = self.two_arms(
                    frame,
                    (cond, last),
                    environment,
                    |this, inside| this.walk(frame, *then, &with_join, inside),
                    |this, inside| this.walk(frame, *otherwise, &with_join, inside),
                )?;
                match join {
                    Some(join) => self.go_on(frame, outcome, *join, stops, environment),
                    None => Ok(Step::Done(outcome)),
                }
            }
            Terminator::Panic { .. } => {
                let never = self.builder.constant(Scalar::bool(false));
                self.panic(frame, block, never)?;
                Ok(Step::Done(Outcome { ends: Vec::new(), which: None }))
            }
            Terminator::Unreachable => {
                Err(self.refuse_at(frame, last, "a point that is never reached"))
            }
        }
    }

    /// Raises the panic that ends a block as a trap, unless `holds`; it stays in its place among the others.
    fn panic(&mut self, frame: Frame<'db>, block: BlockId, holds: ValueId) -> Walked<'db, ()> {
        let Terminator::Panic { kind, message, expr } = &frame.body.blocks[block].terminator else {
            return Ok(());
        };
        let mut text = String::new();
        match kind {
            Builtin::Assert => {}
            Builtin::Unreachable => return Err(self.refuse(frame, *expr, "`unreachable()`")),
            Builtin::Panic | Builtin::Print | Builtin::Println | Builtin::Einsum => {
                for part in message {
                    match part {
                        PrintPart::Text(part) => text.push_str(part),
                        PrintPart::Value { .. } => {
                            return Err(self.refuse(frame, *expr, "a panic that prints values"));
                        }
                    }
                }
            }
        }
        let loc = self.loc(frame.site(*expr));
        let asserted = self.builder.assert(holds, text, Some(loc));
        asserted.map(|_| ()).map_err(|error| self.build_error(frame, Some(*expr), &error))
    }

    pub(super) fn statement(
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
            StatementKind::Call { dest, function, generics, args } => {
                let Some(dest) = dest else {
                    return Err(self.refuse(frame, at, "a call that gives nothing"));
                };
                let value = self.call(
                    frame,
                    Instance::new(self.db, *function, generics.clone()),
                    args,
                    at,
                    environment,
                )?;
                let cell = self.writable(frame, dest, at, environment)?;
                environment.set(cell, value);
                Ok(())
            }
            StatementKind::Drop { .. }
            | StatementKind::PoolEnter(_)
            | StatementKind::PoolExit(_) => Ok(()),
            StatementKind::SetElement { tensor, positions, value } => {
                let cell = self.writable(frame, tensor, at, environment)?;
                let positions = positions
                    .iter()
                    .map(|position| self.operand(frame, position, environment, Some(at)))
                    .collect::<Result<Vec<_>, _>>()?;
                let tensor = Operand::Copy(tensor.clone());
                let tensor = self.operand(frame, &tensor, environment, Some(at))?;
                let value = self.operand(frame, value, environment, Some(at))?;
                let loc = self.loc(frame.site(at));
                let updated = self
                    .builder
                    .update(tensor, value, &positions, Some(loc))
                    .map_err(|error| self.build_error(frame, Some(at), &error))?;
                environment.set(cell, updated);
                Ok(())
            }
            StatementKind::Bounds { .. } => Err(self.refuse(frame, at, "an element of an array")),
            StatementKind::Collection { .. } => Err(self.refuse(frame, at, "a collection")),
            StatementKind::Forward(_)
            | StatementKind::Backward(_)
            | StatementKind::ZeroGrad(_)
            | StatementKind::Append { .. }
            | StatementKind::ClearText(_)
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
        if let Some(what) = aggregate(frame.body, place, value) {
            return Err(self.refuse(frame, at, what));
        }
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
            Rvalue::Aggregate(_) => return Err(self.refuse(frame, at, "a value of several parts")),
            Rvalue::Variant { .. } | Rvalue::Tag(_) => {
                return Err(self.refuse(frame, at, "a variant of an enum"));
            }
            Rvalue::Text(_) | Rvalue::TextOperation { .. } => {
                return Err(self.refuse(frame, at, "text"));
            }
            Rvalue::Empty => return Err(self.refuse(frame, at, "a collection")),
            Rvalue::Length(_) => return Err(self.refuse(frame, at, "a length")),
            Rvalue::Slice { .. } => return Err(self.refuse(frame, at, "a slice")),
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
        instance: Instance<'db>,
        args: &[Operand],
        at: ExprId,
        environment: &Environment,
    ) -> Walked<'db, ValueId> {
        let callee = instance.function(self.db);
        if self.calls.contains(&callee) {
            return Err(self.refuse(frame, at, "a recursive call"));
        }
        if self.calls.len() > MAX_CALLS {
            return Err(self.refuse(frame, at, "a chain of calls this long"));
        }
        let body = instance_body(self.db, instance);
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

    pub(super) fn operand(
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

    pub(super) fn loc(&mut self, site: Site<'db>) -> Loc {
        let next = Loc(self.sites.len() as u32);
        let loc = *self.locs.entry(site).or_insert(next);
        if loc == next {
            self.sites.push(site);
        }
        loc
    }

    pub(super) fn refuse(&self, frame: Frame<'db>, at: ExprId, what: &str) -> NotRaised<'db> {
        NotRaised { site: Some(frame.site(at)), what: what.to_owned() }
    }

    pub(super) fn refuse_at(
        &self,
        frame: Frame<'db>,
        at: Option<ExprId>,
        what: &str,
    ) -> NotRaised<'db> {
        NotRaised { site: at.map(|expr| frame.site(expr)), what: what.to_owned() }
    }

    pub(super) fn build_error(
        &self,
        frame: Frame<'db>,
        at: Option<ExprId>,
        error: &BuildError,
    ) -> NotRaised<'db> {
        self.refuse_at(frame, at, &format!("`{}`, which {}", error.op, error.reason))
    }
}

/// What a derivative cannot go through, of statements; none for those that raise.
pub(crate) fn refused_statement(kind: &StatementKind<'_>) -> Option<&'static str> {
    match kind {
        StatementKind::Forward(_) | StatementKind::Backward(_) => Some("a `.backward()`"),
        StatementKind::ZeroGrad(_) => Some("a gradient slot"),
        StatementKind::Print { .. } => Some("printing"),
        StatementKind::Append { .. }
        | StatementKind::ClearText(_)
        | StatementKind::Assign { value: Rvalue::Text(_) | Rvalue::TextOperation { .. }, .. } => {
            Some("text")
        }
        StatementKind::Assign { value: Rvalue::Gradient(_), .. } => Some("a gradient slot"),
        StatementKind::Assign { .. }
        | StatementKind::InPlace { .. }
        | StatementKind::SetElement { .. }
        | StatementKind::Bounds { .. }
        | StatementKind::Collection { .. }
        | StatementKind::Call { .. }
        | StatementKind::Drop { .. }
        | StatementKind::PoolEnter(_)
        | StatementKind::PoolExit(_) => None,
    }
}

/// What an assignment is called if a part of an aggregate is assigned or read by it, or refers to one.
fn aggregate(body: &Body<'_>, place: &Place, value: &Rvalue) -> Option<&'static str> {
    let is_part = |place: &Place| place.projections.iter().any(|step| *step != Projection::Deref);
    let read = match value {
        Rvalue::Use(Operand::Copy(from) | Operand::Move(from))
        | Rvalue::Ref { place: from, .. } => Some(from),
        Rvalue::Use(Operand::Const(_))
        | Rvalue::Gradient(_)
        | Rvalue::Aggregate(_)
        | Rvalue::Variant { .. }
        | Rvalue::Tag(_)
        | Rvalue::Text(_)
        | Rvalue::TextOperation { .. }
        | Rvalue::Empty
        | Rvalue::Length(_)
        | Rvalue::Slice { .. }
        | Rvalue::Operation { .. } => None,
    };
    if read.into_iter().chain([place]).any(is_part) {
        return Some("a part of a value");
    }
    read.is_some_and(|from| ir_type(&body.place_ty(from)).is_none() && !is_char(body, from))
        .then_some("a value of several parts")
}

fn is_char(body: &Body<'_>, place: &Place) -> bool {
    *body.place_ty(place).peeled() == Ty::Char
}

/// The assertion that fails in a block, if that is all that the block does.
fn assertion(body: &Body<'_>, block: BlockId) -> Option<ExprId> {
    let data = &body.blocks[block];
    match &data.terminator {
        Terminator::Panic { expr, .. } if data.statements.is_empty() => Some(*expr),
        _ => None,
    }
}
