//! Code of loop programs: each step in its order, scalars in registers, loops with their addresses.

mod history;
mod long_sum;
mod nest;
mod place;
mod vector;
mod walk;

#[cfg(test)]
mod tests;

use cranelift_codegen::ir::{
    BlockArg, InstBuilder, MemFlagsData, Value, condcodes::IntCC, types::I32, types::I64,
};
use cranelift_frontend::FunctionBuilder;
use neuro_loops::{
    Block, BufferId, BufferKind, Carried, Inst, MatMul, Op, Port, Program, Reg, Step, StoreAt,
};
use neuro_num::{BinOp, DType, Overflow};
use neuro_runtime::PanicKind;
use neuro_runtime::kernels::{TRANSPOSE_LHS, TRANSPOSE_RHS, product_symbol};

use crate::graph::place::LocPlace;
use crate::imports::Imports;
use crate::scalar;

/// Emits a program at the end of the current block; what follows is emitted into the block that is current then.
///
/// `params`: for each parameter its scalar, or the address of its elements. `results`: for each result that is a tensor
/// the address where its elements go. `workspace`: the address of [`Program::workspace_bytes`] bytes, aligned to
/// [`neuro_loops::WORKSPACE_ALIGN`], if the program needs any. `history`: the address of the header of the history, if
/// the program pushes or pops. Gives for each result that is a scalar its value.
///
/// # Panics
/// When these are not what the program takes.
pub(crate) fn emit(
    builder: &mut FunctionBuilder<'_>,
    imports: &mut dyn Imports,
    program: &Program,
    params: &[Value],
    results: &[Option<Value>],
    (workspace, history): (Option<Value>, Option<Value>),
) -> Vec<Option<Value>> {
    let registers = vec![None; program.registers.len()];
    let mut emitter =
        Emitter { builder, imports, program, params, results, workspace, history, registers };
    for (port, value) in program.params.iter().zip(params) {
        if let Port::Scalar(reg) = port {
            emitter.set(*reg, *value);
        }
    }
    emitter.steps(&program.steps);
    let scalar = |port: &Port| match port {
        Port::Scalar(reg) => Some(emitter.get(*reg)),
        Port::Tensor(_) => None,
    };
    program.results.iter().map(scalar).collect()
}

/// What emission knows so far.
struct Emitter<'e, 'f> {
    builder: &'e mut FunctionBuilder<'f>,
    imports: &'e mut dyn Imports,
    program: &'e Program,
    params: &'e [Value],
    results: &'e [Option<Value>],
    workspace: Option<Value>,
    history: Option<Value>,
    /// The scalars that are known; those of a nest only while it is emitted.
    registers: Vec<Option<Value>>,
}

impl Emitter<'_, '_> {
    fn get(&self, reg: Reg) -> Value {
        match self.registers[reg.0 as usize] {
            Some(value) => value,
            None => unreachable!("{reg} is read before it is assigned"),
        }
    }

    fn set(&mut self, reg: Reg, value: Value) {
        self.registers[reg.0 as usize] = Some(value);
    }

    /// The address of a buffer's first element.
    fn address(&mut self, buffer: BufferId) -> Value {
        match &self.program.buffer(buffer).kind {
            BufferKind::Param(number) => self.params[*number as usize],
            BufferKind::Result(number) => match self.results[*number as usize] {
                Some(address) => address,
                None => unreachable!("a tensor result has an address"),
            },
            BufferKind::Workspace(offset) => match self.workspace {
                Some(workspace) => walk::moved(self.builder, workspace, *offset as i64),
                None => unreachable!("the program needs a workspace"),
            },
            BufferKind::Frame { base, offset } => {
                let base = self.get(*base);
                walk::moved(self.builder, base, *offset as i64)
            }
            BufferKind::Const(bytes) => {
                let data = self.imports.data(self.builder.func, bytes);
                self.builder.ins().symbol_value(I64, data)
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Scalar(inst) => self.scalar(inst),
            Step::Nest(nest) => nest::emit(self, nest),
            Step::MatMul(product) => self.product(product),
            Step::Store { value, buffer, position } => {
                let address = self.address(*buffer);
                let size = self.program.buffer(*buffer).dtype.size();
                let value = self.get(*value);
                let offset = (*position * size as u64) as i64;
                let address = walk::moved(self.builder, address, offset);
                self.builder.ins().store(MemFlagsData::trusted(), value, address, 0);
            }
            Step::StoreAt(store) => self.store_at(store),
            Step::Push { base, bytes, loc } => {
                let frame = history::push(self, *bytes, *loc);
                self.set(*base, frame);
            }
            Step::Pop { base, bytes } => {
                let frame = history::pop(self, *bytes);
                self.set(*base, frame);
            }
            Step::Assert { condition, message, loc } => {
                let holds = self.get(*condition);
                let next = place::split(self.builder, holds);
                if message.is_empty() {
                    self.imports.panic(self.builder, PanicKind::Assert, *loc);
                } else {
                    self.imports.panic_text(self.builder, message, *loc);
                }
                self.builder.switch_to_block(next);
            }
            Step::If { condition, then, otherwise, results } => {
                self.branch(*condition, then, otherwise, results);
            }
            Step::While { carried, condition, body } => self.repetition(carried, condition, body),
        }
    }

    /// An instruction outside of nests.
    fn scalar(&mut self, inst: &Inst) {
        let dtype = self.program.dtype(inst.dest);
        let value = match &inst.op {
            Op::Load(access) => {
                let address = self.address(access.buffer);
                let offset = access.index.offset * dtype.size() as i64;
                let address = walk::moved(self.builder, address, offset);
                let ty = scalar::register_type(dtype);
                self.builder.ins().load(ty, MemFlagsData::trusted(), address, 0)
            }
            Op::AtPosition(axes) => {
                let indices: Vec<Value> = axes
                    .iter()
                    .map(|(index, _)| self.builder.ins().iconst(I64, index.offset))
                    .collect();
                self.at_position(&inst.op, &indices)
            }
            Op::Element { .. } => self.element(&inst.op, dtype),
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_) => self.arithmetic(&inst.op, dtype),
        };
        self.set(inst.dest, value);
    }

    /// What is computed from scalars alone.
    fn arithmetic(&mut self, op: &Op, dtype: DType) -> Value {
        let operand = |reg: &Reg| (self.program.dtype(*reg), self.get(*reg));
        match op {
            Op::Const(scalar) => scalar::constant(self.builder, *scalar),
            Op::Math(function, operands) => {
                let operands: Vec<Value> = operands.iter().map(|reg| operand(reg).1).collect();
                let mut place = LocPlace { imports: self.imports, loc: None };
                scalar::math(self.builder, &mut place, *function, dtype, &operands)
            }
            Op::Unary { op, operand: reg, checks } => {
                let (_, value) = operand(reg);
                let mut place = LocPlace { imports: self.imports, loc: checks.loc };
                scalar::unary(self.builder, &mut place, *op, dtype, value, checks.overflow)
            }
            Op::Binary { op, lhs, rhs, checks } => {
                let operands = (operand(lhs).1, operand(rhs).1);
                let mut place = LocPlace { imports: self.imports, loc: checks.loc };
                scalar::binary(self.builder, &mut place, *op, dtype, operands, checks.overflow)
            }
            Op::Compare { op, lhs, rhs } => {
                let ((dtype, lhs), (_, rhs)) = (operand(lhs), operand(rhs));
                let mut place = LocPlace { imports: self.imports, loc: None };
                scalar::compare(self.builder, &mut place, *op, dtype, (lhs, rhs))
            }
            Op::Select { condition, then, otherwise } => {
                let condition = operand(condition).1;
                let (then, otherwise) = (operand(then).1, operand(otherwise).1);
                self.builder.ins().select(condition, then, otherwise)
            }
            Op::Convert(reg) => {
                let (from, value) = operand(reg);
                let mut place = LocPlace { imports: self.imports, loc: None };
                scalar::cast(self.builder, &mut place, from, dtype, value)
            }
            Op::Load(_) | Op::AtPosition(_) | Op::Element { .. } => {
                unreachable!("reads memory or counters")
            }
        }
    }

    /// Whether all of `indices`, the values of an [`Op::AtPosition`]'s counter expressions, are at its positions.
    fn at_position(&mut self, op: &Op, indices: &[Value]) -> Value {
        let Op::AtPosition(axes) = op else { unreachable!("an AtPosition") };
        let mut all = None;
        for ((_, reg), index) in axes.iter().zip(indices) {
            // No index is negative, so a great unsigned position is as unequal as a negative one.
            let value = self.get(*reg);
            let position = scalar::widen(self.builder, self.program.dtype(*reg), value);
            let equal = self.builder.ins().icmp(IntCC::Equal, *index, position);
            all = Some(match all {
                None => equal,
                Some(all) => self.builder.ins().band(all, equal),
            });
        }
        all.unwrap_or_else(|| scalar::constant(self.builder, neuro_num::Scalar::bool(true)))
    }

    fn element(&mut self, op: &Op, dtype: DType) -> Value {
        let Op::Element { buffer, dims, positions, loc } = op else { unreachable!("an Element") };
        let (inside, linear) = self.position(dims, positions);
        if let Some(inside) = inside {
            let next = place::split(self.builder, inside);
            self.imports.panic(self.builder, PanicKind::Index, *loc);
            self.builder.switch_to_block(next);
        }
        let address = self.element_address(*buffer, linear);
        let ty = scalar::register_type(dtype);
        self.builder.ins().load(ty, MemFlagsData::trusted(), address, 0)
    }

    fn store_at(&mut self, store: &StoreAt) {
        let dtype = self.program.buffer(store.buffer).dtype;
        let (inside, linear) = self.position(&store.dims, &store.positions);
        let mut done = None;
        match inside {
            Some(inside) if store.add => {
                let (here, next) = (self.builder.create_block(), self.builder.create_block());
                self.builder.ins().brif(inside, here, &[], next, &[]);
                self.builder.switch_to_block(here);
                done = Some(next);
            }
            Some(inside) => {
                let next = place::split(self.builder, inside);
                self.imports.panic(self.builder, PanicKind::Index, store.loc);
                self.builder.switch_to_block(next);
            }
            None => {}
        }
        let address = self.element_address(store.buffer, linear);
        let mut value = self.get(store.value);
        if store.add {
            let ty = scalar::register_type(dtype);
            let old = self.builder.ins().load(ty, MemFlagsData::trusted(), address, 0);
            let mut place = LocPlace { imports: self.imports, loc: store.loc };
            let operands = (old, value);
            let wrap = Overflow::Wrap;
            value = scalar::binary(self.builder, &mut place, BinOp::Add, dtype, operands, wrap);
        }
        self.builder.ins().store(MemFlagsData::trusted(), value, address, 0);
        if let Some(done) = done {
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(done);
        }
    }

    /// Whether positions are within extents, and the place in row-major order; nothing of either without axes.
    fn position(&mut self, dims: &[u64], positions: &[Reg]) -> (Option<Value>, Option<Value>) {
        let mut linear = None;
        let mut inside = None;
        for (extent, reg) in dims.iter().zip(positions) {
            let value = self.get(*reg);
            let position = scalar::widen(self.builder, self.program.dtype(*reg), value);
            let extent = self.builder.ins().iconst(I64, *extent as i64);
            // A negative position is a great one without its sign.
            let fits = self.builder.ins().icmp(IntCC::UnsignedLessThan, position, extent);
            inside = Some(match inside {
                None => fits,
                Some(all) => self.builder.ins().band(all, fits),
            });
            linear = Some(match linear {
                None => position,
                Some(outer) => {
                    let outer = self.builder.ins().imul(outer, extent);
                    self.builder.ins().iadd(outer, position)
                }
            });
        }
        (inside, linear)
    }

    fn element_address(&mut self, buffer: BufferId, linear: Option<Value>) -> Value {
        let address = self.address(buffer);
        let Some(linear) = linear else { return address };
        let size = self.program.buffer(buffer).dtype.size() as i64;
        let offset = walk::scaled(self.builder, linear, size);
        self.builder.ins().iadd(address, offset)
    }

    fn product(&mut self, product: &MatMul) {
        let dtype = self.program.buffer(product.out).dtype;
        let Some(symbol) = product_symbol(dtype) else { unreachable!("products are of numbers") };
        let mut layout = 0;
        if product.transpose_lhs {
            layout |= TRANSPOSE_LHS;
        }
        if product.transpose_rhs {
            layout |= TRANSPOSE_RHS;
        }
        let mut arguments =
            [product.out, product.lhs, product.rhs].map(|b| self.address(b)).to_vec();
        for extent in [product.rows, product.inner, product.columns] {
            arguments.push(self.builder.ins().iconst(I64, extent as i64));
        }
        arguments.push(self.builder.ins().iconst(I32, i64::from(layout)));
        let types = [I64, I64, I64, I64, I64, I64, I32];
        let callee = self.imports.function(self.builder.func, symbol, &types, &[]);
        self.builder.ins().call(callee, &arguments);
    }

    fn branch(&mut self, condition: Reg, then: &Block, otherwise: &Block, results: &[Reg]) {
        let condition = self.get(condition);
        let (yes, no) = (self.builder.create_block(), self.builder.create_block());
        let join = self.builder.create_block();
        self.builder.ins().brif(condition, yes, &[], no, &[]);
        for (start, block) in [(yes, then), (no, otherwise)] {
            self.builder.switch_to_block(start);
            let values = self.block(block);
            self.builder.ins().jump(join, &values);
        }
        for reg in results {
            let ty = scalar::register_type(self.program.dtype(*reg));
            let value = self.builder.append_block_param(join, ty);
            self.set(*reg, value);
        }
        self.builder.switch_to_block(join);
    }

    fn block(&mut self, block: &Block) -> Vec<BlockArg> {
        self.steps(&block.steps);
        block.values.iter().map(|reg| BlockArg::Value(self.get(*reg))).collect()
    }

    fn repetition(&mut self, carried: &[Carried], condition: &Block, body: &Block) {
        let header = self.builder.create_block();
        let (again, done) = (self.builder.create_block(), self.builder.create_block());
        let first: Vec<BlockArg> =
            carried.iter().map(|carried| BlockArg::Value(self.get(carried.first))).collect();
        self.builder.ins().jump(header, &first);
        for carried in carried {
            let ty = scalar::register_type(self.program.dtype(carried.current));
            let value = self.builder.append_block_param(header, ty);
            self.set(carried.current, value);
        }
        self.builder.switch_to_block(header);
        self.steps(&condition.steps);
        let test = self.get(condition.values[0]);
        self.builder.ins().brif(test, again, &[], done, &[]);
        self.builder.switch_to_block(again);
        let next = self.block(body);
        self.builder.ins().jump(header, &next);
        self.builder.switch_to_block(done);
    }
}
