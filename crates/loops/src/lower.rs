//! From a graph to steps, op by op in program order.

mod control;
mod history;

use neuro_ir::{Function, Op as GraphOp, OpId, OpKind, RegionId, ValueId};
use neuro_num::{BinOp, DType, Overflow};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::coalesce;
use crate::demand::{Demand, Place, can_trap, identity};
use crate::index::{Position, row_major_strides};
use crate::memory;
use crate::nest::NestBuilder;
use crate::product::Product;
use crate::program::{
    Access, Buffer, BufferId, BufferKind, Checks, Index, Inst, MatMul, Op, Port, Program, Reg,
    Sink, Step, StoreAt, SumOrder, SumPlace,
};

/// Lowers a graph: fuses elementwise ops into the nests that read them, gives every other tensor a buffer, and plans
/// the workspace.
///
/// The program computes every result bit for bit as the graph's evaluator does, and traps where it does.
pub fn lower(function: &Function) -> Program {
    let mut lowering = Lowering {
        function,
        demand: Demand::new(function),
        program: Program::default(),
        steps: Vec::new(),
        scalars: FxHashMap::default(),
        buffers: FxHashMap::default(),
        claimed: FxHashMap::default(),
        open_frame: None,
    };
    lowering.params();
    let copies = lowering.results();
    lowering.region(function.body());
    for (value, result) in copies {
        lowering.copy(value, result);
    }
    lowering.result_scalars();
    let Lowering { mut program, steps, .. } = lowering;
    program.steps = steps;
    coalesce::coalesce(&mut program);
    memory::plan(&mut program);
    program
}

/// What lowering knows so far.
pub(crate) struct Lowering<'f> {
    pub(crate) function: &'f Function,
    pub(crate) demand: Demand<'f>,
    pub(crate) program: Program,
    /// The steps of the block that is being lowered.
    steps: Vec<Step>,
    scalars: FxHashMap<ValueId, Reg>,
    buffers: FxHashMap<ValueId, BufferId>,
    /// Buffers that wait for the value that is computed straight into them.
    claimed: FxHashMap<ValueId, BufferId>,
    /// The address of the frame that was pushed before the values that go into it are computed.
    open_frame: Option<Reg>,
}

impl Lowering<'_> {
    fn params(&mut self) {
        for (number, param) in self.function.params().iter().enumerate() {
            let port = if self.function.ty(*param).rank() == 0 {
                Port::Scalar(self.define_scalar(*param))
            } else {
                let buffer = self.buffer_like(*param, BufferKind::Param(number as u32));
                self.buffers.insert(*param, buffer);
                Port::Tensor(buffer)
            };
            self.program.params.push(port);
        }
    }

    /// Makes the buffers of tensor results; gives those that a copy at the end must fill.
    fn results(&mut self) -> Vec<(ValueId, BufferId)> {
        let mut copies = Vec::new();
        for (number, result) in self.function.results().iter().enumerate() {
            if self.function.ty(*result).rank() == 0 {
                // Known at the end.
                self.program.results.push(Port::Scalar(Reg(0)));
                continue;
            }
            let buffer = self.buffer_like(*result, BufferKind::Result(number as u32));
            self.program.results.push(Port::Tensor(buffer));
            if !self.claim(*result, buffer, self.function.body()) {
                copies.push((*result, buffer));
            }
        }
        copies
    }

    fn result_scalars(&mut self) {
        for (number, result) in self.function.results().iter().enumerate() {
            if self.function.ty(*result).rank() == 0 {
                self.program.results[number] = Port::Scalar(self.scalar(*result));
            }
        }
    }

    /// Has `value` computed straight into `buffer`, if it is computed in `region` by steps and not claimed already.
    fn claim(&mut self, value: ValueId, buffer: BufferId, region: RegionId) -> bool {
        let storage = self.demand.storage(value);
        let computed = self.function.def(storage).is_some_and(|op| match op.kind {
            OpKind::Dense(_) | OpKind::Push { .. } | OpKind::Pop { .. } => false,
            OpKind::Const(_)
            | OpKind::Unary { .. }
            | OpKind::Binary { .. }
            | OpKind::Math(_)
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. }
            | OpKind::Sum { .. }
            | OpKind::MatMul { .. }
            | OpKind::Element
            | OpKind::Scatter { .. }
            | OpKind::Update { .. }
            | OpKind::Pack { .. }
            | OpKind::Assert { .. }
            | OpKind::If
            | OpKind::While => true,
        });
        let here = self.demand.defining_region(storage) == region;
        let claims = computed && here && !self.claimed.contains_key(&storage);
        if claims {
            self.claimed.insert(storage, buffer);
        }
        claims
    }

    fn region(&mut self, id: RegionId) {
        let function = self.function;
        for op in &function.region(id).ops {
            self.op(*op);
        }
    }

    fn op(&mut self, id: OpId) {
        let function = self.function;
        let op = function.op(id);
        match &op.kind {
            OpKind::Assert { message } => {
                let condition = self.scalar(op.operands[0]);
                let (message, loc) = (message.clone(), op.loc);
                self.steps.push(Step::Assert { condition, message, loc });
            }
            OpKind::If => self.branch(op),
            OpKind::While => self.repetition(op),
            OpKind::Push { .. } => self.push(op),
            OpKind::Pop { .. } => self.pop(op),
            OpKind::Const(_)
            | OpKind::Dense(_)
            | OpKind::Unary { .. }
            | OpKind::Binary { .. }
            | OpKind::Math(_)
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. }
            | OpKind::Sum { .. }
            | OpKind::MatMul { .. }
            | OpKind::Element
            | OpKind::Scatter { .. }
            | OpKind::Update { .. }
            | OpKind::Pack { .. } => {
                op.results.iter().for_each(|result| self.value(*result, op));
            }
        }
    }

    /// Computes a value, unless its readers do.
    fn value(&mut self, value: ValueId, op: &GraphOp) {
        let place = self.demand.place(value);
        if !matches!(place, Place::Scalar | Place::Buffer) {
            return;
        }
        match &op.kind {
            OpKind::Sum { axes, overflow } => {
                let checks = Checks { overflow: *overflow, loc: op.loc };
                self.sum(value, op.operands[0], axes, checks);
            }
            OpKind::MatMul { overflow, .. } => {
                self.product(value, op, Checks { overflow: *overflow, loc: op.loc });
            }
            OpKind::Dense(dense) => {
                let bytes = dense.data().iter().flat_map(|scalar| scalar.to_le_bytes()).collect();
                if place == Place::Buffer {
                    let buffer = self.buffer_like(value, BufferKind::Const(bytes));
                    self.buffers.insert(value, buffer);
                } else if let Some(scalar) = dense.data().first() {
                    self.scalar_step(value, Op::Const(*scalar));
                }
            }
            OpKind::Pack { .. } => self.pack(value, op, place),
            OpKind::Element => self.element(value, op),
            OpKind::Update { add } => self.update(value, op, *add),
            OpKind::Const(_)
            | OpKind::Unary { .. }
            | OpKind::Binary { .. }
            | OpKind::Math(_)
            | OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Convert(_)
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Detach
            | OpKind::Transpose { .. }
            | OpKind::Scatter { .. } => {
                if place == Place::Buffer {
                    self.elementwise(value);
                } else {
                    self.scalar_value(value);
                }
            }
            OpKind::Assert { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => {}
        }
    }

    fn scalar_value(&mut self, value: ValueId) {
        let mut body = NestBuilder::new(self, &[]);
        let reg = body.compute(value, &Position::new());
        let insts = body.into_insts();
        self.steps.extend(insts.into_iter().map(Step::Scalar));
        self.scalars.insert(value, reg);
    }

    fn elementwise(&mut self, value: ValueId) {
        let to = self.new_buffer(value);
        let dims = &self.function.ty(value).dims;
        let mut body = NestBuilder::new(self, dims);
        let result = body.compute(value, &identity(body.function(), value));
        let to = Access { buffer: to, index: body.row_major(dims) };
        let nest = body.finish(Sink::Store { value: result, to });
        self.steps.push(Step::Nest(nest));
    }

    fn sum(&mut self, value: ValueId, operand: ValueId, axes: &[usize], checks: Checks) {
        let dims = &self.function.ty(operand).dims;
        // The loops: first the axes that stay, then the run.
        let kept = (0..dims.len()).filter(|axis| !axes.contains(axis));
        let order: SmallVec<[usize; 4]> = kept.chain(axes.iter().copied()).collect();
        let extents: SmallVec<[usize; 4]> = order.iter().map(|axis| dims[*axis]).collect();
        let dtype = self.function.ty(value).dtype;
        let long = extents[extents.len() - axes.len()..]
            .iter()
            .fold(1usize, |count, extent| count.saturating_mul(*extent))
            > neuro_num::FOLD_LANES;
        let sum_order = if long && dtype.is_float() {
            SumOrder::Lanes { lanes: self.lanes(dtype) }
        } else {
            SumOrder::Sequential
        };
        let to = match self.demand.place(value) {
            Place::Buffer => Some(self.new_buffer(value)),
            Place::Unused | Place::Scalar | Place::Inline | Place::Alias(_) => None,
        };
        let mut body = NestBuilder::new(self, &extents);
        let loops = extents.len();
        let position: Position = (0..loops)
            .map(|axis| {
                let number = order.iter().position(|other| *other == axis).unwrap_or(axis);
                Index::counter(number, loops)
            })
            .collect();
        let term = body.read(operand, &position);
        let kept = loops - axes.len();
        let place = match to {
            Some(buffer) => {
                let mut index = Index::constant(0, loops);
                let strides = row_major_strides(&extents[..kept]);
                index.strides[..kept].copy_from_slice(&strides);
                SumPlace::Element(Access { buffer, index })
            }
            None => SumPlace::Scalar(body.register(dtype)),
        };
        if let SumPlace::Scalar(reg) = place {
            body.lowering.scalars.insert(value, reg);
        }
        let run = axes.len();
        let sink = Sink::Sum { value: term, run, order: sum_order, checks, to: place };
        let nest = body.finish(sink);
        self.steps.push(Step::Nest(nest));
    }

    fn product(&mut self, value: ValueId, op: &GraphOp, checks: Checks) {
        let product = Product::new(self.function, op);
        let out = self.new_buffer(value);
        if product.is_call() {
            self.steps.push(Step::MatMul(MatMul {
                out,
                lhs: self.buffer(product.lhs),
                rhs: self.buffer(product.rhs),
                rows: product.rows as u64,
                inner: product.inner as u64,
                columns: product.columns as u64,
                transpose_lhs: product.transpose_lhs,
                transpose_rhs: product.transpose_rhs,
            }));
            return;
        }
        let dtype = self.function.ty(value).dtype;
        let mut body = NestBuilder::new(self, &[product.rows, product.columns, product.inner]);
        let lhs = body.read(op.operands[0], &product.lhs_position());
        let rhs = body.read(op.operands[1], &product.rhs_position());
        let op = neuro_num::BinOp::Mul;
        let term = body.push(dtype, Op::Binary { op, lhs, rhs, checks });
        let index =
            Index { offset: 0, strides: [product.columns as i64, 1, 0].into_iter().collect() };
        let to = SumPlace::Element(Access { buffer: out, index });
        let order = SumOrder::Sequential;
        let nest = body.finish(Sink::Sum { value: term, run: 1, order, checks, to });
        self.steps.push(Step::Nest(nest));
    }

    fn pack(&mut self, value: ValueId, op: &GraphOp, place: Place) {
        if place == Place::Scalar {
            let element = self.scalar(op.operands[0]);
            self.scalars.insert(value, element);
            return;
        }
        let buffer = self.new_buffer(value);
        for (position, operand) in op.operands.iter().enumerate() {
            let value = self.scalar(*operand);
            self.steps.push(Step::Store { value, buffer, position: position as u64 });
        }
    }

    fn element(&mut self, value: ValueId, op: &GraphOp) {
        let tensor = op.operands[0];
        if self.function.ty(tensor).rank() == 0 {
            let scalar = self.scalar(tensor);
            self.scalars.insert(value, scalar);
            return;
        }
        let dims = self.function.ty(tensor).dims.iter().map(|extent| *extent as u64).collect();
        let positions = op.operands[1..].iter().map(|operand| self.scalar(*operand)).collect();
        let buffer = self.buffer(tensor);
        self.scalar_step(value, Op::Element { buffer, dims, positions, loc: op.loc });
    }

    /// A copy with one element changed; no copy where the memory of the tensor can be taken.
    fn update(&mut self, value: ValueId, op: &GraphOp, add: bool) {
        let (tensor, element) = (op.operands[0], self.scalar(op.operands[1]));
        let ty = self.function.ty(tensor);
        if ty.rank() == 0 {
            if add {
                let (lhs, op) = (self.scalar(tensor), BinOp::Add);
                let checks = Checks { overflow: Overflow::Wrap, loc: None };
                self.scalar_step(value, Op::Binary { op, lhs, rhs: element, checks });
            } else {
                self.scalars.insert(value, element);
            }
            return;
        }
        let dims = ty.dims.iter().map(|extent| *extent as u64).collect();
        let positions = op.operands[2..].iter().map(|operand| self.scalar(*operand)).collect();
        let buffer = self.new_buffer(value);
        self.copy(tensor, buffer);
        let store = StoreAt { value: element, buffer, dims, positions, add, loc: op.loc };
        self.steps.push(Step::StoreAt(store));
    }

    /// Copies a materialised tensor.
    fn copy(&mut self, value: ValueId, to: BufferId) {
        let from = self.buffer(value);
        self.copy_buffer(from, to, value);
    }

    fn copy_buffer(&mut self, from: BufferId, to: BufferId, shaped_like: ValueId) {
        let ty = self.function.ty(shaped_like);
        let mut body = NestBuilder::new(self, &ty.dims);
        let index = body.row_major(&ty.dims);
        let value = body.push(ty.dtype, Op::Load(Access { buffer: from, index: index.clone() }));
        let nest = body.finish(Sink::Store { value, to: Access { buffer: to, index } });
        self.steps.push(Step::Nest(nest));
    }

    /// The scalar that holds a value of rank 0.
    pub(crate) fn scalar(&mut self, value: ValueId) -> Reg {
        match self.scalars.get(&value) {
            Some(reg) => *reg,
            None => unreachable!("{value} is read before it is computed"),
        }
    }

    /// The buffer that holds a tensor.
    pub(crate) fn buffer(&self, value: ValueId) -> BufferId {
        match self.buffers.get(&self.demand.storage(value)) {
            Some(buffer) => *buffer,
            None => unreachable!("{value} has no buffer"),
        }
    }

    pub(crate) fn register(&mut self, dtype: DType) -> Reg {
        let reg = Reg(self.program.registers.len() as u32);
        self.program.registers.push(dtype);
        reg
    }

    fn define_scalar(&mut self, value: ValueId) -> Reg {
        let reg = self.register(self.function.ty(value).dtype);
        self.scalars.insert(value, reg);
        reg
    }

    fn scalar_step(&mut self, value: ValueId, op: Op) {
        let dest = self.define_scalar(value);
        self.steps.push(Step::Scalar(Inst { dest, op, depth: 0 }));
    }

    /// The buffer into which `value` is computed.
    fn new_buffer(&mut self, value: ValueId) -> BufferId {
        let buffer = match self.claimed.get(&value) {
            Some(buffer) => *buffer,
            None => self.buffer_like(value, BufferKind::Workspace(0)),
        };
        self.buffers.insert(value, buffer);
        buffer
    }

    fn buffer_like(&mut self, value: ValueId, kind: BufferKind) -> BufferId {
        let ty = self.function.ty(value);
        let dims = ty.dims.iter().map(|extent| *extent as u64).collect();
        self.add_buffer(Buffer { dtype: ty.dtype, dims, kind })
    }

    fn lanes(&mut self, dtype: DType) -> BufferId {
        let dims = SmallVec::from_elem(neuro_num::FOLD_LANES as u64, 1);
        self.add_buffer(Buffer { dtype, dims, kind: BufferKind::Workspace(0) })
    }

    fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        let id = BufferId(self.program.buffers.len() as u32);
        self.program.buffers.push(buffer);
        id
    }

    /// What an op does with an integer result that does not fit.
    pub(crate) fn checks(&self, op: &GraphOp, overflow: Overflow) -> Checks {
        let loc = if can_trap(self.function, op) { op.loc } else { None };
        Checks { overflow, loc }
    }
}
