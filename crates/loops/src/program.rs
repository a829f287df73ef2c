//! The data types of loop programs.
//!
//! Invariants:
//! * Every [`Reg`] is assigned once, before it is read. What is assigned inside a nest is read only there.
//! * A buffer is written whole before any step reads it, and then never written again, with these exceptions: each
//!   branch of a [`Step::If`] writes the buffers of its tensor results, a [`Step::While`] writes those of its carried
//!   tensors in each iteration, and a [`Step::StoreAt`] changes one element. A buffer that nothing reads any more may
//!   take another value of its size.
//! * What can trap stands in the order of the graph. A nest holds at most one instruction that can, or a product and
//!   its own sum.

use neuro_ir::Loc;
use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};
use smallvec::SmallVec;
use smol_str::SmolStr;

/// A scalar of a program, printed `r3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reg(pub u32);

/// A buffer of a program, printed `b3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferId(pub u32);

/// Steps over buffers and scalars: what a graph becomes before machine code.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// The parameters, one for each of the graph's.
    pub params: Vec<Port>,
    /// The results, one for each of the graph's.
    pub results: Vec<Port>,
    /// The buffers; indexed by [`BufferId`].
    pub buffers: Vec<Buffer>,
    /// The types of the scalars; indexed by [`Reg`].
    pub registers: Vec<DType>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// Bytes of workspace that the program needs while it runs, aligned to [`WORKSPACE_ALIGN`]. Saturates: a program whose
    /// tensors do not fit into memory is still a program.
    pub workspace_bytes: u64,
}

/// Alignment of the workspace and of every buffer in it.
pub const WORKSPACE_ALIGN: u64 = 64;

/// How a parameter comes in or a result goes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Port {
    /// Rank 0: by value.
    Scalar(Reg),
    /// By the address of its elements: those of a parameter are only read, those of a result are written whole.
    Tensor(BufferId),
}

/// Elements of one type, row-major, without gaps.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// The type of an element.
    pub dtype: DType,
    /// The extents of the tensor that was put here first; a reshaped tensor shares the buffer.
    pub dims: SmallVec<[u64; 4]>,
    /// Where the memory comes from.
    pub kind: BufferKind,
}

impl Buffer {
    /// Number of elements. Saturates.
    pub fn elements(&self) -> u64 {
        self.dims.iter().fold(1, |count: u64, extent| count.saturating_mul(*extent))
    }

    /// Bytes of all elements. Saturates.
    pub fn bytes(&self) -> u64 {
        self.elements().saturating_mul(self.dtype.size() as u64)
    }
}

/// Where the memory of a buffer comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferKind {
    /// The caller's, of the parameter with this number.
    Param(u32),
    /// The caller's, of the result with this number.
    Result(u32),
    /// The workspace, from this byte on.
    Workspace(u64),
    /// Constant data, in memory order.
    Const(Vec<u8>),
    /// A frame of the history, from this byte on: of the one whose address is in the scalar.
    Frame {
        /// The address, given by a [`Step::Push`] or a [`Step::Pop`].
        base: Reg,
        /// Where in the frame.
        offset: u64,
    },
}

/// One thing that happens.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A scalar is computed.
    Scalar(Inst),
    /// A loop nest runs.
    Nest(Nest),
    /// A matrix product of floats.
    MatMul(MatMul),
    /// Ends the program unless a scalar holds.
    Assert {
        /// A `bool`.
        condition: Reg,
        /// What the panic says.
        message: SmolStr,
        /// Where the program says so.
        loc: Option<Loc>,
    },
    /// One of two blocks.
    If {
        /// A `bool`.
        condition: Reg,
        /// Runs if it is true.
        then: Block,
        /// Runs if it is false.
        otherwise: Block,
        /// The scalars that take the values of [`Block::values`] of the block that ran.
        results: Vec<Reg>,
    },
    /// A loop on carried scalars (and on carried tensors, which are buffers).
    While {
        /// The scalars that are carried. After the loop they hold the values of the last iteration.
        carried: Vec<Carried>,
        /// Gives one scalar: whether `body` runs again.
        condition: Block,
        /// Gives the next value of each carried scalar.
        body: Block,
    },
    /// A scalar is put in a buffer at a fixed position.
    Store {
        /// The scalar.
        value: Reg,
        /// The buffer.
        buffer: BufferId,
        /// The position, in elements.
        position: u64,
    },
    /// A scalar is put in a buffer, or added to an element there, at positions that are known when the program runs.
    StoreAt(StoreAt),
    /// A frame is put on the history; its buffers are filled after that.
    Push {
        /// Takes the frame's address.
        base: Reg,
        /// Its size.
        bytes: u64,
        /// Where the program says so when the history grows too large.
        loc: Option<Loc>,
    },
    /// The last frame is taken from the history. Its buffers may be read until the next [`Step::Push`].
    Pop {
        /// Takes the frame's address.
        base: Reg,
        /// Its size.
        bytes: u64,
    },
}

/// `buffer[positions] = value`, or `+= value`.
#[derive(Clone, PartialEq, Debug)]
pub struct StoreAt {
    /// The scalar.
    pub value: Reg,
    /// The buffer.
    pub buffer: BufferId,
    /// The extents of the tensor.
    pub dims: SmallVec<[u64; 4]>,
    /// A position for each axis, of any integer type.
    pub positions: SmallVec<[Reg; 4]>,
    /// The value is added to the element. Positions outside `0..extent` then change nothing; else they trap.
    pub add: bool,
    /// Where the program says so.
    pub loc: Option<Loc>,
}

/// Steps, and scalars that they give to whoever runs them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// The scalars.
    pub values: Vec<Reg>,
}

/// A scalar that a loop carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carried {
    /// Its value before the first iteration.
    pub first: Reg,
    /// Its value in the condition, in the body, and after the loop.
    pub current: Reg,
}

/// `dest = op`.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// The scalar that is assigned.
    pub dest: Reg,
    /// What is computed.
    pub op: Op,
    /// The number of loops that must be entered before: 0 outside of all loops, and in a nest the number of loops,
    /// from the outermost, up to the innermost on which the value depends.
    pub depth: u32,
}

/// A computation of one scalar.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// A constant.
    Const(Scalar),
    /// A function of the table of math functions.
    Math(MathFn, SmallVec<[Reg; 2]>),
    /// Negation or complement.
    Unary {
        /// Which.
        op: UnOp,
        /// The operand.
        operand: Reg,
        /// What an integer does that does not fit, and where the program says so.
        checks: Checks,
    },
    /// Arithmetic.
    Binary {
        /// Which.
        op: BinOp,
        /// The left operand.
        lhs: Reg,
        /// The right operand.
        rhs: Reg,
        /// What an integer does that does not fit, and where the program says so.
        checks: Checks,
    },
    /// A comparison.
    Compare {
        /// Which.
        op: CmpOp,
        /// The left operand.
        lhs: Reg,
        /// The right operand.
        rhs: Reg,
    },
    /// One of two values; both are computed.
    Select {
        /// A `bool`.
        condition: Reg,
        /// The value if it is true.
        then: Reg,
        /// The value if it is false.
        otherwise: Reg,
    },
    /// `as` to the type of the destination.
    Convert(Reg),
    /// An element; outside of a nest at a fixed position.
    Load(Access),
    /// Whether each counter expression equals the scalar beside it, in a nest. The scalars are of any integer type
    /// and are compared by their mathematical value.
    AtPosition(SmallVec<[(Index, Reg); 2]>),
    /// An element at positions that are known when the program runs.
    Element {
        /// The buffer.
        buffer: BufferId,
        /// The extents of the tensor.
        dims: SmallVec<[u64; 4]>,
        /// A position for each axis, of any integer type; one outside `0..extent` traps.
        positions: SmallVec<[Reg; 4]>,
        /// Where the program says so.
        loc: Option<Loc>,
    },
}

/// What integer arithmetic does with a result that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Wrap or trap. Division by zero always traps.
    pub overflow: Overflow,
    /// The place of the operation in the program.
    pub loc: Option<Loc>,
}

/// `offset + Σ strides[k] * counter[k]`; one stride for each loop of the nest, outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Index {
    /// The value when all counters are 0.
    pub offset: i64,
    /// The growth with each counter.
    pub strides: SmallVec<[i64; 4]>,
}

/// An element of a buffer, in a nest.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// The buffer.
    pub buffer: BufferId,
    /// The position, in elements.
    pub index: Index,
}

/// Counted loops, each directly in the one before, around a straight-line body.
#[derive(Clone, PartialEq, Debug)]
pub struct Nest {
    /// The number of iterations of each loop, outermost first. Counters start at 0.
    pub extents: SmallVec<[u64; 4]>,
    /// The body, in an order in which operands come first; depths do not decrease the meaning: an instruction may run
    /// as soon as the loops that its depth says are entered.
    pub body: Vec<Inst>,
    /// What is done with the body's value.
    pub sink: Sink,
}

/// What a nest does with the value of its body.
#[derive(Clone, PartialEq, Debug)]
pub enum Sink {
    /// Each iteration stores its value.
    Store {
        /// The value.
        value: Reg,
        /// Where.
        to: Access,
    },
    /// The innermost loops are a run that is added up, in row-major order.
    Sum {
        /// The value.
        value: Reg,
        /// How many loops, from the innermost, make the run.
        run: usize,
        /// The order of the additions.
        order: SumOrder,
        /// What an integer sum does that does not fit.
        checks: Checks,
        /// Where the sum goes; the strides over the loops of the run are 0.
        to: SumPlace,
    },
}

/// The order in which a run is added; part of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumOrder {
    /// One sum, from zero, left to right.
    Sequential,
    /// [`neuro_num::FOLD_LANES`] sums, each from zero, lane `l` of positions `l`, `l + FOLD_LANES`, ...; then the lanes
    /// from zero in order.
    Lanes {
        /// Workspace for the lanes.
        lanes: BufferId,
    },
}

/// Where a sum goes.
#[derive(Clone, PartialEq, Debug)]
pub enum SumPlace {
    /// A scalar; every loop of the nest is in the run.
    Scalar(Reg),
    /// An element for each iteration of the loops outside of the run.
    Element(Access),
}

/// `out[rows, columns] = lhs @ rhs`, every element from zero in increasing contracted index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatMul {
    /// The product.
    pub out: BufferId,
    /// The left operand.
    pub lhs: BufferId,
    /// The right operand.
    pub rhs: BufferId,
    /// Rows of the product.
    pub rows: u64,
    /// The extent that is contracted.
    pub inner: u64,
    /// Columns of the product.
    pub columns: u64,
    /// `lhs` is stored as `[inner, rows]`.
    pub transpose_lhs: bool,
    /// `rhs` is stored as `[columns, inner]`.
    pub transpose_rhs: bool,
}

impl Program {
    /// The buffer.
    ///
    /// # Panics
    /// When it is of another program.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.0 as usize]
    }

    /// The type of a scalar.
    ///
    /// # Panics
    /// When it is of another program.
    pub fn dtype(&self, reg: Reg) -> DType {
        self.registers[reg.0 as usize]
    }
}

impl Checks {
    /// Whether `op` on `dtype` can end the program.
    pub fn can_trap(self, op: BinOp, dtype: DType) -> bool {
        op.can_trap(dtype, self.overflow)
    }
}

impl Op {
    /// Calls `f` with every scalar that is read.
    pub fn for_each_operand(&self, mut f: impl FnMut(Reg)) {
        match self {
            Op::Const(_) | Op::Load(_) => {}
            Op::Math(_, operands) => operands.iter().copied().for_each(f),
            Op::Unary { operand, .. } | Op::Convert(operand) => f(*operand),
            Op::Binary { lhs, rhs, .. } | Op::Compare { lhs, rhs, .. } => {
                f(*lhs);
                f(*rhs);
            }
            Op::Select { condition, then, otherwise } => {
                f(*condition);
                f(*then);
                f(*otherwise);
            }
            Op::AtPosition(axes) => axes.iter().for_each(|(_, reg)| f(*reg)),
            Op::Element { positions, .. } => positions.iter().copied().for_each(f),
        }
    }

    /// The buffer that is read, if one is.
    pub fn buffer(&self) -> Option<BufferId> {
        match self {
            Op::Load(access) => Some(access.buffer),
            Op::Element { buffer, .. } => Some(*buffer),
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::AtPosition(_) => None,
        }
    }
}

impl Step {
    /// Calls `f` with every buffer that the step itself reads; those of nested blocks are not.
    pub fn for_each_read(&self, mut f: impl FnMut(BufferId)) {
        match self {
            Step::Scalar(inst) => inst.op.buffer().into_iter().for_each(f),
            Step::Nest(nest) => nest.body.iter().filter_map(|inst| inst.op.buffer()).for_each(f),
            Step::MatMul(product) => {
                f(product.lhs);
                f(product.rhs);
            }
            Step::StoreAt(store) if store.add => f(store.buffer),
            Step::StoreAt(_)
            | Step::Assert { .. }
            | Step::If { .. }
            | Step::While { .. }
            | Step::Store { .. }
            | Step::Push { .. }
            | Step::Pop { .. } => {}
        }
    }

    /// Calls `f` with every buffer that the step itself writes, the lanes of a long sum included; those of nested blocks
    /// are not.
    pub fn for_each_write(&self, mut f: impl FnMut(BufferId)) {
        match self {
            Step::Nest(nest) => match &nest.sink {
                Sink::Store { to, .. } => f(to.buffer),
                Sink::Sum { order, to, .. } => {
                    if let SumOrder::Lanes { lanes } = order {
                        f(*lanes);
                    }
                    if let SumPlace::Element(access) = to {
                        f(access.buffer);
                    }
                }
            },
            Step::MatMul(product) => f(product.out),
            Step::Store { buffer, .. } => f(*buffer),
            Step::StoreAt(store) => f(store.buffer),
            Step::Scalar(_)
            | Step::Assert { .. }
            | Step::If { .. }
            | Step::While { .. }
            | Step::Push { .. }
            | Step::Pop { .. } => {}
        }
    }

    /// The nested blocks, in the order in which they stand in the graph.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let pair = match self {
            Step::If { then, otherwise, .. } => [Some(then), Some(otherwise)],
            Step::While { condition, body, .. } => [Some(condition), Some(body)],
            Step::Scalar(_)
            | Step::Nest(_)
            | Step::MatMul(_)
            | Step::Assert { .. }
            | Step::StoreAt(_)
            | Step::Push { .. }
            | Step::Pop { .. }
            | Step::Store { .. } => [None, None],
        };
        pair.into_iter().flatten()
    }

    /// The nested blocks, to be changed.
    pub(crate) fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let pair = match self {
            Step::If { then, otherwise, .. } => [Some(then), Some(otherwise)],
            Step::While { condition, body, .. } => [Some(condition), Some(body)],
            Step::Scalar(_)
            | Step::Nest(_)
            | Step::MatMul(_)
            | Step::Assert { .. }
            | Step::StoreAt(_)
            | Step::Push { .. }
            | Step::Pop { .. }
            | Step::Store { .. } => [None, None],
        };
        pair.into_iter().flatten()
    }

    /// Calls `f` with every buffer that the step itself names, to be changed.
    pub(crate) fn for_each_buffer_mut(&mut self, mut f: impl FnMut(&mut BufferId)) {
        let inst = |inst: &mut Inst, f: &mut dyn FnMut(&mut BufferId)| match &mut inst.op {
            Op::Load(access) => f(&mut access.buffer),
            Op::Element { buffer, .. } => f(buffer),
            Op::Const(_)
            | Op::Math(..)
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::AtPosition(_) => {}
        };
        match self {
            Step::Scalar(scalar) => inst(scalar, &mut f),
            Step::Nest(nest) => {
                nest.body.iter_mut().for_each(|scalar| inst(scalar, &mut f));
                match &mut nest.sink {
                    Sink::Store { to, .. } => f(&mut to.buffer),
                    Sink::Sum { order, to, .. } => {
                        if let SumOrder::Lanes { lanes } = order {
                            f(lanes);
                        }
                        if let SumPlace::Element(access) = to {
                            f(&mut access.buffer);
                        }
                    }
                }
            }
            Step::MatMul(product) => {
                f(&mut product.out);
                f(&mut product.lhs);
                f(&mut product.rhs);
            }
            Step::Store { buffer, .. } => f(buffer),
            Step::StoreAt(store) => f(&mut store.buffer),
            Step::Assert { .. }
            | Step::If { .. }
            | Step::While { .. }
            | Step::Push { .. }
            | Step::Pop { .. } => {}
        }
    }
}
