//! Bodies of nests: the scalar code of one iteration, built by following operands back to buffers and scalars.

use neuro_ir::{Function, OpKind, ValueId};
use neuro_num::{DType, Scalar};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::demand::Place;
use crate::index::through_transpose;
use crate::index::{Position, linear, row_major_strides, through_broadcast, through_reshape};
use crate::lower::Lowering;
use crate::program::{Access, Index, Inst, Nest, Op, Reg, Sink, SumPlace};

/// Builds one body. The same value at the same position is computed once.
pub(crate) struct NestBuilder<'l, 'f> {
    pub(crate) lowering: &'l mut Lowering<'f>,
    extents: SmallVec<[u64; 4]>,
    insts: Vec<Inst>,
    computed: FxHashMap<(ValueId, Position), Reg>,
    loaded: FxHashMap<Access, Reg>,
}

impl<'l, 'f> NestBuilder<'l, 'f> {
    /// A body in loops over `extents`; without loops, scalar code.
    pub(crate) fn new(lowering: &'l mut Lowering<'f>, extents: &[usize]) -> NestBuilder<'l, 'f> {
        NestBuilder {
            lowering,
            extents: extents.iter().map(|extent| *extent as u64).collect(),
            insts: Vec::new(),
            computed: FxHashMap::default(),
            loaded: FxHashMap::default(),
        }
    }

    pub(crate) fn function(&self) -> &'f Function {
        self.lowering.function
    }

    pub(crate) fn register(&mut self, dtype: DType) -> Reg {
        self.lowering.register(dtype)
    }

    /// The counters as a row-major position in a tensor with the extents of the first loops.
    pub(crate) fn row_major(&self, dims: &[usize]) -> Index {
        let mut index = Index::constant(0, self.extents.len());
        index.strides[..dims.len()].copy_from_slice(&row_major_strides(dims));
        index
    }

    /// Adds an instruction. Its depth is found at the end.
    pub(crate) fn push(&mut self, dtype: DType, op: Op) -> Reg {
        let dest = self.lowering.register(dtype);
        self.insts.push(Inst { dest, op, depth: 0 });
        dest
    }

    /// The element of `value` at `position`: a scalar's value, a load, or code in this body.
    pub(crate) fn read(&mut self, value: ValueId, position: &Position) -> Reg {
        match self.lowering.demand.place(value) {
            Place::Scalar => self.lowering.scalar(value),
            Place::Buffer | Place::Alias(_) => {
                let index = linear(position, &self.function().ty(value).dims, self.extents.len());
                self.load(value, index)
            }
            Place::Inline => {
                let key = (value, position.clone());
                if let Some(reg) = self.computed.get(&key) {
                    return *reg;
                }
                let reg = self.compute(value, position);
                self.computed.insert(key, reg);
                reg
            }
            Place::Unused => unreachable!("{value} is read but was not requested"),
        }
    }

    fn load(&mut self, value: ValueId, index: Index) -> Reg {
        let access = Access { buffer: self.lowering.buffer(value), index };
        if let Some(reg) = self.loaded.get(&access) {
            return *reg;
        }
        let reg = self.push(self.function().ty(value).dtype, Op::Load(access.clone()));
        self.loaded.insert(access, reg);
        reg
    }

    /// Code for the element of `value`, an elementwise op's result, at `position`.
    pub(crate) fn compute(&mut self, value: ValueId, position: &Position) -> Reg {
        let function = self.function();
        let dtype = function.ty(value).dtype;
        let loops = self.extents.len();
        let Some(op) = function.def(value) else {
            unreachable!("{value} is a parameter");
        };
        let operand = |this: &mut Self, number: usize| this.read(op.operands[number], position);
        let computed = match &op.kind {
            OpKind::Const(scalar) => Op::Const(*scalar),
            OpKind::Unary { op: unary, overflow } => {
                let checks = self.lowering.checks(op, *overflow);
                Op::Unary { op: *unary, operand: operand(self, 0), checks }
            }
            OpKind::Binary { op: binary, overflow } => {
                let checks = self.lowering.checks(op, *overflow);
                let (lhs, rhs) = (operand(self, 0), operand(self, 1));
                Op::Binary { op: *binary, lhs, rhs, checks }
            }
            OpKind::Math(function) => {
                let count = op.operands.len();
                Op::Math(*function, (0..count).map(|number| operand(self, number)).collect())
            }
            OpKind::Compare(compare) => {
                let (lhs, rhs) = (operand(self, 0), operand(self, 1));
                Op::Compare { op: *compare, lhs, rhs }
            }
            OpKind::Select => {
                let condition = operand(self, 0);
                let (then, otherwise) = (operand(self, 1), operand(self, 2));
                Op::Select { condition, then, otherwise }
            }
            OpKind::Convert(_) => Op::Convert(operand(self, 0)),
            OpKind::Broadcast { axes, .. } => {
                let from = &function.ty(op.operands[0]).dims;
                let moved = through_broadcast(position, from, axes, loops);
                return self.read(op.operands[0], &moved);
            }
            OpKind::Transpose { perm } => {
                let moved = through_transpose(position, perm);
                return self.read(op.operands[0], &moved);
            }
            OpKind::Reshape { dims } => return self.reshape(op.operands[0], dims, position),
            OpKind::Detach => return self.read(op.operands[0], position),
            OpKind::Scatter { .. } => return self.scatter(&op.operands, dtype, position),
            OpKind::Dense(_)
            | OpKind::Sum { .. }
            | OpKind::MatMul { .. }
            | OpKind::Element
            | OpKind::Update { .. }
            | OpKind::Pack { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::Assert { .. }
            | OpKind::If
            | OpKind::While => unreachable!("{} is not elementwise", op.kind.name()),
        };
        self.push(dtype, computed)
    }

    fn reshape(&mut self, operand: ValueId, to: &neuro_ir::Dims, position: &Position) -> Reg {
        let loops = self.extents.len();
        let from = &self.function().ty(operand).dims;
        match through_reshape(position, from, to, loops) {
            Some(moved) => self.read(operand, &moved),
            // The operand was requested as a buffer, and both have one row-major order.
            None => self.load(operand, linear(position, to, loops)),
        }
    }

    fn scatter(&mut self, operands: &[ValueId], dtype: DType, position: &Position) -> Reg {
        let value = self.lowering.scalar(operands[0]);
        if position.is_empty() {
            return value;
        }
        let axes = position
            .iter()
            .zip(&operands[1..])
            .map(|(index, at)| (index.clone(), self.lowering.scalar(*at)))
            .collect();
        let condition = self.push(DType::Bool, Op::AtPosition(axes));
        let zero = self.push(dtype, Op::Const(Scalar::zero(dtype)));
        self.push(dtype, Op::Select { condition, then: value, otherwise: zero })
    }

    /// The instructions of scalar code.
    pub(crate) fn into_insts(self) -> Vec<Inst> {
        self.insts
    }

    /// The nest: loops that run once are dropped, loops that every index walks as one are merged.
    pub(crate) fn finish(self, sink: Sink) -> Nest {
        let mut nest = Nest { extents: self.extents, body: self.insts, sink };
        let mut number = nest.extents.len();
        while number > 0 {
            number -= 1;
            if nest.extents[number] == 1 {
                remove_loop(&mut nest, number);
            } else if number + 1 < nest.extents.len() && can_merge(&mut nest, number) {
                // Both are counted by the inner one from here on.
                nest.extents[number + 1] =
                    nest.extents[number + 1].saturating_mul(nest.extents[number]);
                remove_loop(&mut nest, number);
            }
        }
        set_depths(&mut nest);
        nest
    }
}

fn for_each_index(nest: &mut Nest, mut f: impl FnMut(&mut Index)) {
    for inst in &mut nest.body {
        match &mut inst.op {
            Op::Load(access) => f(&mut access.index),
            Op::AtPosition(axes) => axes.iter_mut().for_each(|(index, _)| f(index)),
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
    match &mut nest.sink {
        Sink::Store { to, .. } | Sink::Sum { to: SumPlace::Element(to), .. } => f(&mut to.index),
        Sink::Sum { to: SumPlace::Scalar(_), .. } => {}
    }
}

/// Takes out a loop whose counter is always 0, or is part of the next loop's.
fn remove_loop(nest: &mut Nest, number: usize) {
    let loops = nest.extents.len();
    for_each_index(nest, |index| _ = index.strides.remove(number));
    nest.extents.remove(number);
    if let Sink::Sum { run, .. } = &mut nest.sink
        && number >= loops - *run
    {
        *run -= 1;
    }
}

/// Whether the loop and the next one are, to every index, one loop.
fn can_merge(nest: &mut Nest, number: usize) -> bool {
    let inner = nest.extents[number + 1] as i64;
    if let Sink::Sum { run, .. } = nest.sink
        && nest.extents.len() - run == number + 1
    {
        return false;
    }
    let mut merges = true;
    for_each_index(nest, |index| {
        merges &= index.strides[number] == index.strides[number + 1].wrapping_mul(inner);
    });
    merges
}

fn set_depths(nest: &mut Nest) {
    let mut depths: FxHashMap<Reg, u32> = FxHashMap::default();
    for inst in &mut nest.body {
        let mut depth = match &inst.op {
            Op::Load(access) => access.index.depth(),
            Op::AtPosition(axes) => axes.iter().map(|(index, _)| index.depth()).max().unwrap_or(0),
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::Element { .. } => 0,
        };
        inst.op.for_each_operand(|operand| {
            depth = depth.max(depths.get(&operand).copied().unwrap_or(0));
        });
        inst.depth = depth;
        depths.insert(inst.dest, depth);
    }
}
