//! Loop nests.
//!
//! Each instruction is emitted as soon as the loops on which it depends are entered. Where a plan for [`Lanes`] exists,
//! its loop is emitted up to three times: several vectors at once, one vector, and one element for the rest.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types::I64};
use neuro_loops::{Checks, Inst, Nest, Op, Reg, Sink, SumOrder, SumPlace};
use neuro_num::{BinOp, DType, FOLD_LANES, Scalar};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::Emitter;
use super::place::LocPlace;
use super::vector::{self, Lanes, vector_type};
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
    let lanes = vector::plan(emitter.program, nest);
    let mut nest = NestEmitter::new(emitter, nest, loops, lanes);
    nest.instructions(0);
    nest.kept(0);
}

/// Sums of runs without elements: the body never runs.
fn empty_sums(emitter: &mut Emitter<'_, '_>, nest: &Nest, loops: usize) {
    let Sink::Sum { value, checks, to, .. } = &nest.sink else { return };
    let dtype = emitter.program.dtype(*value);
    let registers = emitter.program.registers.len() as u32;
    let zero = Inst { dest: *value, op: Op::Const(Scalar::zero(dtype)), depth: 0 };
    debug_assert!(value.0 < registers);
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

/// How many iterations of the loop of [`Lanes`] the code at hand computes: `vectors` of some width, or one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Single,
    Vectors(usize),
}

/// A value of the body: one, or one for each vector side by side.
type Values = SmallVec<[Value; 4]>;

struct NestEmitter<'n, 'e, 'f> {
    emitter: &'n mut Emitter<'e, 'f>,
    nest: &'n Nest,
    /// The number of loops that are not in the run of a sum.
    outer: usize,
    lanes: Option<Lanes>,
    mode: Mode,
    /// Vectors of the body in the current mode.
    vectors: FxHashMap<Reg, Values>,
    /// The walks: of each load by its destination's place in `loads`, of each position, and of the sink.
    walks: Vec<Walk<'n>>,
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
        lanes: Option<Lanes>,
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
            lanes,
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
        self.in_lanes(number, extent, |this, start, end, step| {
            this.counted(number, (start, end, step), Values::new(), |this, _| {
                this.kept(number + 1);
                Values::new()
            });
        });
    }

    /// Splits `0..extent` of loop `number` among the modes; `emit` gets a part and its step.
    fn in_lanes(
        &mut self,
        number: usize,
        extent: u64,
        mut emit: impl FnMut(&mut Self, u64, u64, u64),
    ) {
        let mut start = 0;
        if let Some(lanes) = self.lanes.as_ref().filter(|lanes| lanes.number == number) {
            let width = vector_type(lanes.dtype).1;
            let mut counts = vec![lanes.unroll, 1];
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
    fn counted(
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

    fn enter(&mut self, number: usize, counter: Value) {
        walk::advance(self.emitter.builder, &mut self.walks, number, counter);
        self.instructions(number as u32 + 1);
    }

    /// Runs `body` for `counter`, then at each further `step` below `end`; at least once.
    fn repeat(
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
        self.lanes.as_ref().is_some_and(|lanes| lanes.varying.contains(&reg))
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
        let dtype = self.lanes.as_ref().map_or(DType::F32, |lanes| lanes.dtype);
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
    fn result(&mut self, reg: Reg) -> Values {
        match self.mode {
            Mode::Single => smallvec![self.emitter.get(reg)],
            Mode::Vectors(count) => self.values(reg, count),
        }
    }

    fn load_vector(&mut self, dtype: DType, address: Value, number: usize) -> Value {
        let flags = MemFlagsData::new().with_notrap();
        let ty = vector_type(dtype).0;
        self.emitter.builder.ins().load(ty, flags, address, number as i32 * 16)
    }

    /// Stores the values of the current mode side by side.
    fn store(&mut self, values: &[Value], address: Value) {
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

    /// The sum of a long run in the memory at `lanes`.
    fn run_in_lanes(&mut self, lanes: Value, value: Reg) -> Value {
        let dtype = self.emitter.program.dtype(value);
        let size = dtype.size() as u64;
        self.clear_lanes(lanes, dtype);
        let loops = self.nest.extents.len();
        if self.outer + 1 == loops {
            self.chunks(lanes, value);
        } else {
            let first = self.emitter.builder.ins().iconst(I64, 0);
            self.turns(self.outer, smallvec![first], lanes, value);
        }
        // The lanes in order.
        let zero = smallvec![scalar::constant(self.emitter.builder, Scalar::zero(dtype))];
        let start = self.emitter.builder.ins().iconst(I64, 0);
        let end = FOLD_LANES as u64 * size;
        let sum = self.repeat(start, (end, size), zero, |this, offset, sum: Values| {
            let lane = this.load_lane(lanes, offset, dtype);
            smallvec![this.emitter.builder.ins().fadd(sum[0], lane)]
        });
        sum[0]
    }

    fn clear_lanes(&mut self, lanes: Value, dtype: DType) {
        let start = self.emitter.builder.ins().iconst(I64, 0);
        let end = (FOLD_LANES * dtype.size()) as u64;
        self.repeat(start, (end, 16), Values::new(), |this, offset, _| {
            let builder = &mut this.emitter.builder;
            let address = builder.ins().iadd(lanes, offset);
            let zero = scalar::constant(builder, Scalar::zero(dtype));
            let zero = builder.ins().splat(vector_type(dtype).0, zero);
            builder.ins().store(MemFlagsData::trusted(), zero, address, 0);
            Values::new()
        });
    }

    fn load_lane(&mut self, lanes: Value, offset: Value, dtype: DType) -> Value {
        let builder = &mut self.emitter.builder;
        let address = builder.ins().iadd(lanes, offset);
        let ty = scalar::register_type(dtype);
        builder.ins().load(ty, MemFlagsData::trusted(), address, 0)
    }

    /// A run of one loop: chunks as long as there are lanes, and the rest.
    fn chunks(&mut self, lanes: Value, value: Reg) {
        let number = self.outer;
        let extent = self.nest.extents[number];
        let width = FOLD_LANES as u64;
        let whole = extent - extent % width;
        let start = self.emitter.builder.ins().iconst(I64, 0);
        self.repeat(start, (whole, width), Values::new(), |this, base, _| {
            this.chunk(base, width, lanes, value);
            Values::new()
        });
        if extent > whole {
            let base = self.emitter.builder.ins().iconst(I64, whole as i64);
            self.chunk(base, extent - whole, lanes, value);
        }
    }

    /// Adds `length` terms from `base` on, one to each lane.
    fn chunk(&mut self, base: Value, length: u64, lanes: Value, value: Reg) {
        let number = self.outer;
        let dtype = self.emitter.program.dtype(value);
        let outside: Vec<Value> = self.walks.iter().map(|walk| walk.current).collect();
        self.in_lanes(number, length, |this, start, end, step| {
            let start = this.emitter.builder.ins().iconst(I64, start as i64);
            this.repeat(start, (end, step), Values::new(), |this, lane, _| {
                let counter = this.emitter.builder.ins().iadd(base, lane);
                this.enter(number, counter);
                let offset = walk::scaled(this.emitter.builder, lane, dtype.size() as i64);
                this.add_to_lane(lanes, offset, value);
                for (walk, current) in this.walks.iter_mut().zip(&outside) {
                    walk.current = *current;
                }
                Values::new()
            });
        });
    }

    fn add_to_lane(&mut self, lanes: Value, offset: Value, value: Reg) {
        let dtype = self.emitter.program.dtype(value);
        let address = self.emitter.builder.ins().iadd(lanes, offset);
        let sums: Values = match self.mode {
            Mode::Single => smallvec![self.load_lane(lanes, offset, dtype)],
            Mode::Vectors(count) => {
                (0..count).map(|number| self.load_vector(dtype, address, number)).collect()
            }
        };
        let terms = self.result(value);
        let sums: Values = sums
            .into_iter()
            .zip(terms)
            .map(|(sum, term)| self.emitter.builder.ins().fadd(sum, term))
            .collect();
        self.store(&sums, address);
    }

    /// A run of several loops from `number` on: `lane`, the offset of the next lane, goes around.
    fn turns(&mut self, number: usize, lane: Values, lanes: Value, value: Reg) -> Values {
        if number == self.nest.extents.len() {
            self.add_to_lane(lanes, lane[0], value);
            let size = self.emitter.program.dtype(value).size() as i64;
            let builder = &mut self.emitter.builder;
            let next = builder.ins().iadd_imm_s(lane[0], size);
            // The bytes of all lanes are a power of two.
            let around = builder.ins().band_imm_s(next, FOLD_LANES as i64 * size - 1);
            return smallvec![around];
        }
        let extent = self.nest.extents[number];
        self.counted(number, (0, extent, 1), lane, |this, lane| {
            this.turns(number + 1, lane, lanes, value)
        })
    }
}
