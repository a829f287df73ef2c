//! Loop nests.
//!
//! Each instruction is emitted as soon as the loops on which it depends are entered. Where a plan for [`Parallel`] exists,
//! its loop is emitted up to three times: several vectors at once, one vector, and one element for the rest.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types::I64};
use neuro_loops::{Checks, Inst, Nest, Op, Reg, Sink, SumOrder, SumPlace};
use neuro_num::{BinOp, DType, Scalar};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::Emitter;
use super::place::LocPlace;
use super::vector::{self, Parallel, vector_type};
use super::walk::{self, Walk};
use crate::scalar;

/// Emits a nest.
pub(super) fn emit(emitter: &mut Emitter<'_, '_>, nest: &Nest) {
    let (loops, run) = match &nest.sink {
        Sink::Store { .. } => (nest.extents.len(), 0),
        Sink::Sum { run, .. } => (nest.extents.len() - run, *run),
    };
    let (kept, inner) = nest.extents.split_at(loops);
    if kept.contains(&0) {
        return;
    }
    if run > 0 && inner.contains(&0) {
        return empty_sums(emitter, nest, loops);
    }
    let parallel = vector::plan(emitter.program, nest);
    let mut nest = NestEmitter::new(emitter, nest, loops, parallel);
    nest.instructions(0);
    nest.kept(0);
}

/// Sums of runs without elements: the body never runs.
fn empty_sums(emitter: &mut Emitter<'_, '_>, nest: &Nest, loops: usize) {
    let Sink::Sum { value, checks, to, .. } = &nest.sink else { return };
    let dtype = emitter.program.dtype(*value);
    let zero = Inst { dest: *value, op: Op::Const(Scalar::zero(dtype)), depth: 0 };
    let to = match to {
        SumPlace::Scalar(reg) => SumPlace::Scalar(*reg),
        SumPlace::Element(access) => {
            let mut access = access.clone();
            access.index.strides.truncate(loops);
            SumPlace::Element(access)
        }
    };
    let order = SumOrder::Sequential;
    let sink = Sink::Sum { value: *value, run: 0, order, checks: *checks, to };
    let extents = nest.extents[..loops].iter().copied().collect();
    emit(emitter, &Nest { extents, body: vec![zero], sink });
}

/// How many iterations of the loop of [`Parallel`] the code at hand computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// One.
    Single,
    /// The lanes of this many vectors side by side.
    Vectors(usize),
}

/// A value of the body: one, or one for each vector side by side.
pub(super) type Values = SmallVec<[Value; 4]>;

/// Emits one nest.
pub(super) struct NestEmitter<'n, 'e, 'f> {
    pub(super) emitter: &'n mut Emitter<'e, 'f>,
    pub(super) nest: &'n Nest,
    /// The number of loops that are not in the run of a sum.
    pub(super) outer: usize,
    parallel: Option<Parallel>,
    pub(super) mode: Mode,
    /// Vectors of the body in the current mode.
    vectors: FxHashMap<Reg, Values>,
    /// Of each load its address, of each comparison of positions its counter expressions, and the address of the sink.
    pub(super) walks: Vec<Walk<'n>>,
    /// The first walk of each instruction that has any, by its destination.
    first_walk: FxHashMap<Reg, usize>,
    /// The walk of the sink, if it is in memory.
    sink_walk: Option<usize>,
}

impl<'n, 'e, 'f> NestEmitter<'n, 'e, 'f> {
    fn new(
        emitter: &'n mut Emitter<'e, 'f>,
        nest: &'n Nest,
        outer: usize,
        parallel: Option<Parallel>,
    ) -> NestEmitter<'n, 'e, 'f> {
        let mut walks = Vec::new();
        let mut first_walk = FxHashMap::default();
        for inst in &nest.body {
            match &inst.op {
                Op::Load(access) => {
                    first_walk.insert(inst.dest, walks.len());
                    let size = emitter.program.buffer(access.buffer).dtype.size() as i64;
                    let start = emitter.address(access.buffer);
                    walks.push(Walk::new(emitter.builder, start, &access.index, size));
                }
                Op::AtPosition(axes) => {
                    first_walk.insert(inst.dest, walks.len());
                    for (index, _) in axes {
                        let start = emitter.builder.ins().iconst(I64, 0);
                        walks.push(Walk::new(emitter.builder, start, index, 1));
                    }
                }
                Op::Const(_)
                | Op::Math(..)
                | Op::Unary { .. }
                | Op::Binary { .. }
                | Op::Compare { .. }
                | Op::Select { .. }
                | Op::Convert(_)
                | Op::Element { .. } => {}
            }
        }
        let sink_walk = match &nest.sink {
            Sink::Store { to, .. } | Sink::Sum { to: SumPlace::Element(to), .. } => {
                let size = emitter.program.buffer(to.buffer).dtype.size() as i64;
                let start = emitter.address(to.buffer);
                walks.push(Walk::new(emitter.builder, start, &to.index, size));
                Some(walks.len() - 1)
            }
            Sink::Sum { to: SumPlace::Scalar(_), .. } => None,
        };
        NestEmitter {
            emitter,
            nest,
            outer,
            parallel,
            mode: Mode::Single,
            vectors: FxHashMap::default(),
            walks,
            first_walk,
            sink_walk,
        }
    }

    /// The loops from `number` on, up to the run of a sum.
    fn kept(&mut self, number: usize) {
        if number == self.outer {
            return self.sink();
        }
        let extent = self.nest.extents[number];
        self.in_parts(number, extent, |this, start, end, step| {
            this.counted(number, (start, end, step), Values::new(), |this, _| {
                this.kept(number + 1);
                Values::new()
            });
        });
    }

    /// Splits `0..extent` of loop `number` among the modes; `emit` gets a part and its step.
    pub(super) fn in_parts(
        &mut self,
        number: usize,
        extent: u64,
        mut emit: impl FnMut(&mut Self, u64, u64, u64),
    ) {
        let mut start = 0;
        if let Some(plan) = self.parallel.as_ref().filter(|plan| plan.number == number) {
            let width = vector_type(plan.dtype).1;
            let mut counts = vec![plan.unroll, 1];
            counts.dedup();
            for count in counts {
                let step = (count * width) as u64;
                let end = extent - (extent - start) % step;
                if end > start {
                    self.mode = Mode::Vectors(count);
                    emit(self, start, end, step);
                    start = end;
                }
            }
            self.mode = Mode::Single;
        }
        if extent > start {
            emit(self, start, extent, 1);
        }
    }

    /// A loop from `start` up to `end`, which it reaches exactly, in which the walks move and the instructions that need
    /// no deeper loop are emitted. `carry` goes through the iterations and comes out.
    pub(super) fn counted(
        &mut self,
        number: usize,
        (start, end, step): (u64, u64, u64),
        carry: Values,
        body: impl FnOnce(&mut Self, Values) -> Values,
    ) -> Values {
        let outside: Vec<Value> = self.walks.iter().map(|walk| walk.current).collect();
        let counter = self.emitter.builder.ins().iconst(I64, start as i64);
        let result = if start + step == end {
            self.enter(number, counter);
            body(self, carry)
        } else {
            self.repeat(counter, (end, step), carry, |this, counter, carry| {
                this.enter(number, counter);
                body(this, carry)
            })
        };
        for (walk, current) in self.walks.iter_mut().zip(outside) {
            walk.current = current;
        }
        result
    }

    pub(super) fn enter(&mut self, number: usize, counter: Value) {
        walk::advance(self.emitter.builder, &mut self.walks, number, counter);
        self.instructions(number as u32 + 1);
    }

    /// Runs `body` for `counter`, then at each further `step` below `end`; at least once.
    pub(super) fn repeat(
        &mut self,
        counter: Value,
        (end, step): (u64, u64),
        carry: Values,
        body: impl FnOnce(&mut Self, Value, Values) -> Values,
    ) -> Values {
        let (header, exit) = {
            let builder = &mut self.emitter.builder;
            (builder.create_block(), builder.create_block())
        };
        let arguments = |first: Option<Value>, rest: &[Value]| -> Vec<BlockArg> {
            first.into_iter().chain(rest.iter().copied()).map(BlockArg::Value).collect()
        };
        let builder = &mut self.emitter.builder;
        builder.ins().jump(header, &arguments(Some(counter), &carry));
        let counter = builder.append_block_param(header, I64);
        let types: Vec<_> = carry.iter().map(|v| builder.func.dfg.value_type(*v)).collect();
        let inside = types.iter().map(|ty| builder.append_block_param(header, *ty)).collect();
        let result = types.iter().map(|ty| builder.append_block_param(exit, *ty)).collect();
        builder.switch_to_block(header);
        let carry = body(self, counter, inside);
        let builder = &mut self.emitter.builder;
        let next = builder.ins().iadd_imm_s(counter, step as i64);
        let end = builder.ins().iconst(I64, end as i64);
        let more = builder.ins().icmp(IntCC::UnsignedLessThan, next, end);
        builder.ins().brif(
            more,
            header,
            &arguments(Some(next), &carry),
            exit,
            &arguments(None, &carry),
        );
        builder.switch_to_block(exit);
        result
    }

    /// The instructions that need `depth` loops.
    fn instructions(&mut self, depth: u32) {
        let nest = self.nest;
        for inst in nest.body.iter().filter(|inst| inst.depth == depth) {
            match self.mode {
                Mode::Vectors(count) if self.varies(inst.dest) => self.vector(inst, count),
                Mode::Vectors(_) | Mode::Single => self.single(inst),
            }
        }
    }

    fn varies(&self, reg: Reg) -> bool {
        self.parallel.as_ref().is_some_and(|plan| plan.varying.contains(&reg))
    }

    fn single(&mut self, inst: &Inst) {
        let dtype = self.emitter.program.dtype(inst.dest);
        let first = self.first_walk.get(&inst.dest).copied().unwrap_or(0);
        let value = match &inst.op {
            Op::Load(_) => {
                let ty = scalar::register_type(dtype);
                let address = self.walks[first].current;
                self.emitter.builder.ins().load(ty, MemFlagsData::trusted(), address, 0)
            }
            Op::AtPosition(axes) => {
                let walks = &self.walks[first..first + axes.len()];
                let indices: Vec<Value> = walks.iter().map(|walk| walk.current).collect();
                self.emitter.at_position(&inst.op, &indices)
            }
            Op::Element { .. } => self.emitter.element(&inst.op, dtype),
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_) => self.emitter.arithmetic(&inst.op, dtype),
        };
        self.emitter.set(inst.dest, value);
    }

    fn vector(&mut self, inst: &Inst, count: usize) {
        let dtype = self.parallel.as_ref().map_or(DType::F32, |plan| plan.dtype);
        let values: Values = match &inst.op {
            Op::Load(_) => {
                let first = self.first_walk.get(&inst.dest).copied().unwrap_or(0);
                let address = self.walks[first].current;
                (0..count).map(|number| self.load_vector(dtype, address, number)).collect()
            }
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::AtPosition(_)
            | Op::Element { .. } => {
                let mut operands: FxHashMap<Reg, Values> = FxHashMap::default();
                inst.op.for_each_operand(|reg| {
                    operands.insert(reg, self.values(reg, count));
                });
                (0..count)
                    .map(|number| {
                        vector::arithmetic(self.emitter.builder, &inst.op, dtype, |_, reg| {
                            operands[&reg][number]
                        })
                    })
                    .collect()
            }
        };
        self.vectors.insert(inst.dest, values);
    }

    /// The vectors of a scalar of the body, whether it varies or not.
    fn values(&mut self, reg: Reg, count: usize) -> Values {
        if self.varies(reg) {
            return self.vectors[&reg].clone();
        }
        let value = self.emitter.get(reg);
        let ty = vector_type(self.emitter.program.dtype(reg)).0;
        let splat = self.emitter.builder.ins().splat(ty, value);
        SmallVec::from_elem(splat, count)
    }

    /// The value of the body in the current mode.
    pub(super) fn result(&mut self, reg: Reg) -> Values {
        match self.mode {
            Mode::Single => smallvec![self.emitter.get(reg)],
            Mode::Vectors(count) => self.values(reg, count),
        }
    }

    pub(super) fn load_vector(&mut self, dtype: DType, address: Value, number: usize) -> Value {
        let flags = MemFlagsData::new().with_notrap();
        let ty = vector_type(dtype).0;
        self.emitter.builder.ins().load(ty, flags, address, number as i32 * 16)
    }

    /// Stores the values of the current mode side by side.
    pub(super) fn store(&mut self, values: &[Value], address: Value) {
        let flags = match self.mode {
            Mode::Single => MemFlagsData::trusted(),
            Mode::Vectors(_) => MemFlagsData::new().with_notrap(),
        };
        for (number, value) in values.iter().enumerate() {
            self.emitter.builder.ins().store(flags, *value, address, number as i32 * 16);
        }
    }

    fn sink(&mut self) {
        let nest = self.nest;
        match &nest.sink {
            Sink::Store { value, .. } => {
                let values = self.result(*value);
                self.put(&values);
            }
            Sink::Sum { value, order, checks, to, .. } => {
                let sum = match order {
                    SumOrder::Sequential => {
                        let zero = self.zero(self.emitter.program.dtype(*value));
                        self.run(self.outer, zero, *value, *checks)
                    }
                    SumOrder::Lanes { lanes } => {
                        let lanes = self.emitter.address(*lanes);
                        smallvec![self.run_in_lanes(lanes, *value)]
                    }
                };
                match to {
                    SumPlace::Scalar(reg) => self.emitter.set(*reg, sum[0]),
                    SumPlace::Element(_) => self.put(&sum),
                }
            }
        }
    }

    fn put(&mut self, values: &[Value]) {
        if let Some(walk) = self.sink_walk {
            let address = self.walks[walk].current;
            self.store(values, address);
        }
    }

    fn zero(&mut self, dtype: DType) -> Values {
        let zero = scalar::constant(self.emitter.builder, Scalar::zero(dtype));
        match self.mode {
            Mode::Single => smallvec![zero],
            Mode::Vectors(count) => {
                let splat = self.emitter.builder.ins().splat(vector_type(dtype).0, zero);
                SmallVec::from_elem(splat, count)
            }
        }
    }

    /// `sum` with the terms of the loops from `number` on added one after the other.
    fn run(&mut self, number: usize, sum: Values, value: Reg, checks: Checks) -> Values {
        if number == self.nest.extents.len() {
            return self.add(sum, value, checks);
        }
        let extent = self.nest.extents[number];
        self.counted(number, (0, extent, 1), sum, |this, sum| {
            this.run(number + 1, sum, value, checks)
        })
    }

    fn add(&mut self, sum: Values, value: Reg, checks: Checks) -> Values {
        let dtype = self.emitter.program.dtype(value);
        let terms = self.result(value);
        sum.into_iter()
            .zip(terms)
            .map(|(sum, term)| match self.mode {
                Mode::Vectors(_) => self.emitter.builder.ins().fadd(sum, term),
                Mode::Single => {
                    let emitter = &mut *self.emitter;
                    let mut place = LocPlace { imports: emitter.imports, loc: checks.loc };
                    let operands = (sum, term);
                    scalar::binary(
                        emitter.builder,
                        &mut place,
                        BinOp::Add,
                        dtype,
                        operands,
                        checks.overflow,
                    )
                }
            })
            .collect()
    }
}
