//! A MIR body as machine code: blocks one to one, locals as registers, or as stack slots when a reference
//! to them is taken.
//!
//! Scalars are computed in line; an operation on tensors is a graph of its own. Tensor data never lies on
//! the stack.

mod call;
mod function_value;
mod object;
mod memory;
mod operation;
mod place;
mod print;
mod sequence;
mod vector;
mod map;
mod tensor;
mod text;

use cranelift_codegen::ir::{
    self as cl, BlockArg, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value,
    condcodes::IntCC, types::I64,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use la_arena::ArenaMap;
use neuro_db::Db;
use neuro_grad::{Checked, Site};
use neuro_hir::{Builtin, ExprId};
use neuro_mir::{
    Block, BlockId, BlockKind, Body, Instance, LocalId, LocalKind, Place, PoolId, Rvalue, Sequence,
    Statement, StatementKind, Terminator, is_too_deep, owns,
};
use neuro_runtime::PanicKind;
use neuro_runtime::symbols as rt;

use crate::abi::Target;
use crate::error::CompileError;
use crate::imports::{NEVER, StatementPlace, Unit};
use crate::layout::{self, Layout, Repr, is_pair};

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
enum Storage {
    /// It has no value.
    Nothing,
    /// In a register.
    Variable(Variable, Type),
    /// On the stack, because something refers to it.
    Slot(StackSlot, Type),
    /// An aggregate, on the stack.
    Memory(StackSlot, Layout),
    /// Two words in registers; nothing refers to them.
    Pair([Variable; 2]),
    /// The aggregate that is given back, where the caller wants it.
    Result(Variable, Layout),
}

/// The emission of one body. The builder stands in the entry block.
pub(crate) struct BodyEmitter<'a, 'f, 'db> {
    db: &'db dyn Db,
    target: Target<'db>,
    body: &'db Body<'db>,
    builder: &'a mut FunctionBuilder<'f>,
    unit: &'a mut Unit<'db>,
    /// Other code that this code calls.
    callees: &'a mut Vec<Target<'db>>,
    storage: ArenaMap<LocalId, Storage>,
    /// Where pairs that live in registers lie while they need an address.
    spills: ArenaMap<LocalId, StackSlot>,
    /// The number of each open pool.
    pools: ArenaMap<PoolId, Variable>,
    blocks: ArenaMap<BlockId, cl::Block>,
    /// The expression of the statement that is being emitted.
    at: Option<ExprId>,
    /// Where the pieces of a text are listed for the run-time library, and for how many bytes there is room.
    list: Option<(StackSlot, u32)>,
}

impl<'a, 'f, 'db> BodyEmitter<'a, 'f, 'db> {
    /// Emits the whole body. `params` are the parameters of the machine function.
    pub(crate) fn emit(
        db: &'db dyn Db,
        target: Target<'db>,
        body: &'db Body<'db>,
        (builder, unit, callees): (
            &'a mut FunctionBuilder<'f>,
            &'a mut Unit<'db>,
            &'a mut Vec<Target<'db>>,
        ),
        params: &[Value],
    ) -> Result<(), CompileError> {
        let mut emitter = BodyEmitter {
            db,
            target,
            body,
            builder,
            unit,
            callees,
            storage: ArenaMap::default(),
            spills: ArenaMap::default(),
            pools: ArenaMap::default(),
            blocks: ArenaMap::default(),
            at: None,
            list: None,
        };
        emitter.locals(params)?;
        emitter.blocks()
    }

    fn error(&self, reason: impl Into<String>) -> CompileError {
        CompileError::input(self.target.function(self.db).name(self.db).as_str(), reason)
    }

    /// Gives every local its storage: parameters their values, handles and the like nothing.
    fn locals(&mut self, params: &[Value]) -> Result<(), CompileError> {
        let referenced = referenced_locals(self.body);
        for (id, local) in self.body.locals.iter() {
            let repr = match local.kind {
                LocalKind::Residuals(_) | LocalKind::Kept => Repr::Register(I64),
                LocalKind::Param | LocalKind::Binding(_) | LocalKind::Temporary => {
                    layout::repr(self.db, &local.ty)
                }
            };
            let storage = match repr {
                Repr::Nothing => Storage::Nothing,
                Repr::Memory(layout) if self.body.ret == Some(id) => {
                    Storage::Result(self.builder.declare_var(I64), layout)
                }
                Repr::Memory(_) if is_pair(&local.ty) && referenced.get(id).is_none() => {
                    Storage::Pair([0, 1].map(|_: u8| self.builder.declare_var(I64)))
                }
                Repr::Memory(layout) => Storage::Memory(self.memory_slot(layout)?, layout),
                Repr::Register(ty) if referenced.get(id).is_some() => {
                    let size = ty.bytes();
                    let shift = size.trailing_zeros() as u8;
                    let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, shift);
                    Storage::Slot(self.builder.create_sized_stack_slot(data), ty)
                }
                Repr::Register(ty) => Storage::Variable(self.builder.declare_var(ty), ty),
            };
            self.storage.insert(id, storage);
        }
        let mut params = params.iter();
        for (id, local) in self.body.locals.iter() {
            match self.storage.get(id).copied() {
                Some(Storage::Variable(_, ty) | Storage::Slot(_, ty)) => {
                    let zero = self.zero(ty);
                    self.write_local(id, zero);
                }
                Some(Storage::Pair(variables)) => {
                    let zero = self.zero(I64);
                    for variable in variables {
                        self.builder.def_var(variable, zero);
                    }
                }
                Some(Storage::Memory(slot, layout)) => {
                    if owns(self.db, &local.ty) {
                        let address = self.builder.ins().stack_addr(I64, slot, 0);
                        self.clear(address, layout.size);
                    }
                }
                Some(Storage::Result(variable, layout)) => {
                    let address = params.next().copied();
                    let address = address.ok_or_else(|| self.error("no place for its result"))?;
                    self.builder.def_var(variable, address);
                    if owns(self.db, &local.ty) {
                        self.clear(address, layout.size);
                    }
                }
                Some(Storage::Nothing) | None => {}
            }
        }
        for id in &self.body.params {
            match self.storage.get(*id).copied() {
                Some(Storage::Variable(..) | Storage::Slot(..)) => {
                    if let Some(value) = params.next() {
                        self.write_local(*id, *value);
                    }
                }
                Some(Storage::Pair(_)) => {
                    if let Some(from) = params.next() {
                        let words = self.load_pair(*from);
                        self.write_pair(&Place::local(*id), words)?;
                    }
                }
                Some(Storage::Memory(slot, layout)) => {
                    if let Some(from) = params.next() {
                        let to = self.builder.ins().stack_addr(I64, slot, 0);
                        self.copy_memory(to, *from, layout.size);
                    }
                }
                Some(Storage::Nothing | Storage::Result(..)) | None => {}
            }
        }
        for (id, _) in self.body.pools.iter() {
            let variable = self.builder.declare_var(I64);
            let zero = self.zero(I64);
            self.builder.def_var(variable, zero);
            self.pools.insert(id, variable);
        }
        Ok(())
    }

    /// Room on the stack.
    fn memory_slot(&mut self, layout: Layout) -> Result<StackSlot, CompileError> {
        let size = u32::try_from(layout.size).ok().filter(|size| *size <= i32::MAX as u32);
        let size = size.ok_or_else(|| self.error("a value is too large"))?;
        let shift = layout.align.trailing_zeros() as u8;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size.max(1), shift);
        Ok(self.builder.create_sized_stack_slot(data))
    }

    fn zero(&mut self, ty: Type) -> Value {
        match ty {
            cl::types::F32 => self.builder.ins().f32const(0.0),
            cl::types::F64 => self.builder.ins().f64const(0.0),
            _ => self.builder.ins().iconst(ty, 0),
        }
    }

    fn blocks(&mut self) -> Result<(), CompileError> {
        for (id, _) in self.body.blocks.iter() {
            let block = self.builder.create_block();
            self.blocks.insert(id, block);
        }
        let entry = self.block(self.body.entry)?;
        self.builder.ins().jump(entry, &[]);
        let body = self.body;
        for (id, block) in body.blocks.iter() {
            let at = self.block(id)?;
            self.builder.switch_to_block(at);
            for statement in &block.statements {
                self.statement(statement)?;
            }
            match repeated_head(body, id, &block.terminator) {
                Some(head) => {
                    for statement in &head.statements {
                        self.statement(statement)?;
                    }
                    self.terminator(&head.terminator)?;
                }
                None => self.terminator(&block.terminator)?,
            }
        }
        Ok(())
    }

    fn block(&self, id: BlockId) -> Result<cl::Block, CompileError> {
        self.blocks.get(id).copied().ok_or_else(|| self.error("a block is missing"))
    }

    /// Where the current statement stands.
    fn site(&self) -> Result<Site<'db>, CompileError> {
        let at = self.at.or_else(|| neuro_hir::body(self.db, self.target.function(self.db)).root);
        let function = self.target.function(self.db);
        at.map(|expr| Site { function, expr }).ok_or_else(|| self.error("it has no body"))
    }

    /// Arithmetic of the current statement.
    fn here(
        &mut self,
    ) -> Result<(&mut FunctionBuilder<'f>, StatementPlace<'_, 'db>), CompileError> {
        let site = self.site()?;
        Ok((self.builder, StatementPlace { unit: self.unit, site }))
    }

    /// Goes on only if `holds`; otherwise panics at the current statement.
    fn require(&mut self, holds: Value, kind: PanicKind) -> Result<(), CompileError> {
        let site = self.site()?;
        let site = self.unit.site(site);
        self.unit.check(self.builder, holds, kind, site);
        Ok(())
    }

    fn statement(&mut self, statement: &Statement<'db>) -> Result<(), CompileError> {
        self.at = Some(statement.expr);
        match &statement.kind {
            StatementKind::Assign { place, value } => self.assign(place, value),
            StatementKind::InPlace { place, op, value } => self.in_place(place, *op, value),
            StatementKind::SetElement { tensor, positions, value } => {
                self.set_element(tensor, positions, value)
            }
            StatementKind::Bounds { position, length, of } => {
                let position = self.scalar_operand(position)?;
                let length = self.scalar_operand(length)?;
                let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, position, length);
                self.require(
                    inside,
                    match of {
                        Sequence::Array => PanicKind::ArrayIndex,
                        Sequence::Slice => PanicKind::SliceIndex,
                        Sequence::Vec => PanicKind::VecIndex,
                    },
                )
            }
            StatementKind::Collection { dest, op, place, args } => {
                self.collection(dest.as_ref(), *op, place, args)
            }
            StatementKind::Call { dest, function, generics, args } => {
                if is_too_deep(generics) {
                    let name = function.name(self.db);
                    let reason = format!("it calls `{name}` with types that are nested too deep");
                    return Err(self.error(reason));
                }
                let instance = Instance::new(self.db, *function, generics.clone());
                self.call(dest.as_ref(), instance, args)
            }
            StatementKind::FunctionValue { dest, code, captures, kept } => {
                self.function_value(dest, code, captures.as_ref(), *kept)
            }
            StatementKind::CallDyn { dest, function, args } => {
                self.call_dyn(dest.as_ref(), *function, args)
            }
            StatementKind::CallValue { dest, callee, args } => {
                self.call_value(dest.as_ref(), callee, args)
            }
            StatementKind::Forward(sweep) => self.forward(*sweep),
            StatementKind::Backward(sweep) => self.backward(*sweep),
            StatementKind::ZeroGrad(place) => {
                let handle = self.read_handle(place)?;
                self.unit.call(self.builder, rt::GRADIENT_CLEAR, &[handle]);
                Ok(())
            }
            StatementKind::Drop { place, .. } => self.drop_place(place),
            StatementKind::Append { place, parts } => self.append(place, parts),
            StatementKind::ClearText(place) => self.clear_text(place),
            StatementKind::Print { parts, newline } => {
                self.print(parts)?;
                if *newline {
                    self.unit.call(self.builder, rt::PRINT_NEWLINE, &[]);
                }
                Ok(())
            }
            StatementKind::PoolEnter(pool) => {
                let number = self.unit.call_value(self.builder, rt::POOL_ENTER, &[], I64);
                if let Some(variable) = self.pools.get(*pool) {
                    self.builder.def_var(*variable, number);
                }
                Ok(())
            }
            StatementKind::PoolExit(pool) => {
                if let Some(number) = self.pool(Some(*pool)) {
                    self.unit.call(self.builder, rt::POOL_EXIT, &[number]);
                }
                Ok(())
            }
        }
    }

    /// The number of a pool, while it is open.
    fn pool(&mut self, pool: Option<PoolId>) -> Option<Value> {
        let variable = *self.pools.get(pool?)?;
        Some(self.builder.use_var(variable))
    }

    fn terminator(&mut self, terminator: &Terminator) -> Result<(), CompileError> {
        let none: &[BlockArg] = &[];
        match terminator {
            Terminator::Goto(target) => {
                let target = self.block(*target)?;
                self.builder.ins().jump(target, none);
            }
            Terminator::Branch { cond, then, otherwise, .. } => {
                let cond = self.scalar_operand(cond)?;
                let (then, otherwise) = (self.block(*then)?, self.block(*otherwise)?);
                self.builder.ins().brif(cond, then, none, otherwise, none);
            }
            Terminator::Return => {
                let result = match self.body.ret {
                    Some(ret) => self.read_local(ret),
                    None => None,
                };
                self.builder.ins().return_(result.as_slice());
            }
            Terminator::Panic { kind, message, expr } => {
                self.at = Some(*expr);
                let site = self.site()?;
                let site = self.unit.site(site);
                match kind {
                    Builtin::Assert => self.unit.panic_at(self.builder, PanicKind::Assert, site),
                    Builtin::Unreachable => {
                        self.unit.panic_at(self.builder, PanicKind::Unreachable, site);
                    }
                    Builtin::Panic | Builtin::Print | Builtin::Println | Builtin::Einsum => {
                        self.unit.call(self.builder, rt::BEGIN_MESSAGE, &[]);
                        self.print(message)?;
                        self.unit.panic_message(self.builder, site);
                    }
                }
            }
            Terminator::Unreachable => {
                self.builder.ins().trap(NEVER);
            }
        }
        Ok(())
    }

    fn checked(&self) -> Checked {
        self.target.checked
    }
}

/// Heads of loops with more statements stay where they are.
const SHORT_HEAD: usize = 6;

/// The head of the loop that a block goes back to, if it decides whether the loop goes on and is short: it is then
/// emitted again in place of the jump, so that each turn of the loop jumps once.
fn repeated_head<'b, 'db>(
    body: &'b Body<'db>,
    from: BlockId,
    terminator: &Terminator,
) -> Option<&'b Block<'db>> {
    let Terminator::Goto(target) = terminator else { return None };
    let head = &body.blocks[*target];
    // A head comes before what is in its loop.
    let goes_back = target.into_raw() <= from.into_raw();
    let decides = matches!(head.terminator, Terminator::Branch { .. });
    let is_head = matches!(head.kind, BlockKind::LoopHeader { .. });
    (goes_back && decides && is_head && head.statements.len() <= SHORT_HEAD).then_some(head)
}

/// The locals that something refers to.
fn referenced_locals(body: &Body<'_>) -> ArenaMap<LocalId, ()> {
    let mut referenced = ArenaMap::default();
    for (_, block) in body.blocks.iter() {
        for statement in &block.statements {
            if let StatementKind::Assign {
                value: Rvalue::Ref { place, .. } | Rvalue::Object { place, .. },
                ..
            } = &statement.kind
                && place.projections.is_empty()
            {
                referenced.insert(place.local, ());
            }
        }
    }
    referenced
}
