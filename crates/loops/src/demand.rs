//! What becomes of each value: a scalar, a buffer, or a part of the bodies that read it.
//!
//! One walk from the last op to the first: when a value's turn comes, every reader has been decided, so it is known
//! in which nests and at which positions the value is wanted. A value that is wanted at one position of one nest costs
//! nothing to compute there; one that is wanted at several is computed there only if that is about as cheap as a load.

use neuro_ir::{Function, Op, OpKind, RegionId, ValueId};
use neuro_num::{BinOp, MathFn};
use smallvec::SmallVec;

use crate::index::{Position, through_broadcast, through_reshape, through_transpose};
use crate::program::Index;

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Nothing reads it and it cannot trap.
    Unused,
    /// Rank 0: a scalar.
    Scalar,
    /// Computed in the bodies that read it.
    Inline,
    /// Computed into a buffer.
    Buffer,
    /// The buffer of the value with the same elements.
    Alias(ValueId),
}

/// A body that has grown to this many instructions takes in no further value.
const BODY_LIMIT: usize = 200;

/// The greatest cost (see [`cost`]) of a value that is computed again for each reader.
const CHEAP: u32 = 4;

/// A product of at most this many multiplications is a loop nest; a larger one a call of a blocked kernel.
const SMALL_PRODUCT: usize = 2048;

/// Where a value is wanted.
#[derive(Clone, Debug, Default)]
struct Requests {
    /// As a scalar, or as a buffer.
    whole: bool,
    /// At these positions of the nests that compute these values.
    positions: SmallVec<[(ValueId, Position); 1]>,
}

/// The decision for every value.
#[derive(Debug)]
pub(crate) struct Demand<'f> {
    function: &'f Function,
    places: Vec<Place>,
    requests: Vec<Requests>,
    regions: Vec<RegionId>,
    costs: Vec<u32>,
    /// For a value that a nest computes: the values that are computed in its body.
    body_sizes: Vec<usize>,
}

impl<'f> Demand<'f> {
    /// Decides for every value of `function`.
    pub(crate) fn new(function: &'f Function) -> Demand<'f> {
        let count = function.value_count();
        let mut demand = Demand {
            function,
            places: vec![Place::Unused; count],
            requests: vec![Requests::default(); count],
            regions: vec![function.body(); count],
            costs: vec![0; count],
            body_sizes: vec![0; count],
        };
        demand.prepare(function.body());
        function.results().iter().for_each(|result| demand.whole(*result));
        demand.region(function.body());
        demand.params(function.body());
        demand
    }

    /// What becomes of `value`.
    pub(crate) fn place(&self, value: ValueId) -> Place {
        self.places[value.index()]
    }

    /// The value whose buffer holds the elements of `value`.
    pub(crate) fn storage(&self, mut value: ValueId) -> ValueId {
        while let Place::Alias(other) = self.place(value) {
            value = other;
        }
        value
    }

    /// The region in which `value` is defined.
    pub(crate) fn defining_region(&self, value: ValueId) -> RegionId {
        self.regions[value.index()]
    }

    /// Notes regions and costs, in program order.
    fn prepare(&mut self, id: RegionId) {
        let function = self.function;
        let region = function.region(id);
        for param in &region.params {
            self.regions[param.index()] = id;
            self.costs[param.index()] = 1;
        }
        for op in region.ops.iter().map(|op| function.op(*op)) {
            op.regions.iter().for_each(|region| self.prepare(*region));
            let operands = op.operands.iter().fold(0u32, |sum, operand| {
                sum.saturating_add(match function.ty(*operand).rank() {
                    0 => 0,
                    _ => self.costs[operand.index()],
                })
            });
            let cost = if can_trap(function, op) { 1 } else { cost(&op.kind, operands) };
            for result in &op.results {
                self.regions[result.index()] = id;
                self.costs[result.index()] = cost;
            }
        }
    }

    fn params(&mut self, id: RegionId) {
        for param in &self.function.region(id).params {
            self.places[param.index()] = self.materialised(*param);
        }
    }

    fn materialised(&self, value: ValueId) -> Place {
        if self.function.ty(value).rank() == 0 { Place::Scalar } else { Place::Buffer }
    }

    /// `value` is wanted as a scalar or as a buffer.
    fn whole(&mut self, value: ValueId) {
        self.requests[value.index()].whole = true;
    }

    /// `value` is wanted in the nest that computes `root`.
    fn at(&mut self, value: ValueId, root: ValueId, position: Position) {
        if self.function.ty(value).rank() == 0 {
            return self.whole(value);
        }
        let positions = &mut self.requests[value.index()].positions;
        if !positions.iter().any(|(other, at)| *other == root && *at == position) {
            positions.push((root, position));
        }
    }

    fn region(&mut self, id: RegionId) {
        let function = self.function;
        for op in function.region(id).ops.iter().rev() {
            self.op(function.op(*op));
        }
    }

    fn op(&mut self, op: &Op) {
        match op.kind {
            OpKind::If => self.branch(op),
            OpKind::While => self.repetition(op),
            OpKind::Assert { .. } => op.operands.iter().for_each(|operand| self.whole(*operand)),
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
            | OpKind::Pack { .. } => op.results.iter().for_each(|result| self.pure(*result, op)),
        }
    }

    /// Branches run even when nothing reads their results: they may trap.
    fn branch(&mut self, op: &Op) {
        let function = self.function;
        for (number, result) in op.results.iter().enumerate() {
            let wanted = &self.requests[result.index()];
            if !wanted.whole && wanted.positions.is_empty() {
                continue;
            }
            self.places[result.index()] = self.materialised(*result);
            for region in &op.regions {
                self.whole(function.region(*region).results[number]);
            }
        }
        op.operands.iter().for_each(|operand| self.whole(*operand));
        op.regions.iter().rev().for_each(|region| self.region(*region));
    }

    fn repetition(&mut self, op: &Op) {
        for result in &op.results {
            self.places[result.index()] = self.materialised(*result);
        }
        for region in op.regions.iter().rev() {
            let results = &self.function.region(*region).results;
            results.iter().for_each(|result| self.whole(*result));
            self.region(*region);
            self.params(*region);
        }
        op.operands.iter().for_each(|operand| self.whole(*operand));
    }

    /// An op with one result and no regions.
    fn pure(&mut self, value: ValueId, op: &Op) {
        let wanted = &self.requests[value.index()];
        if !wanted.whole && wanted.positions.is_empty() && !can_trap(self.function, op) {
            return;
        }
        let rank = self.function.ty(value).rank();
        match &op.kind {
            OpKind::Sum { .. } => {
                self.places[value.index()] = self.materialised(value);
                self.at(op.operands[0], value, identity(self.function, op.operands[0]));
            }
            OpKind::MatMul { .. } => {
                self.places[value.index()] = Place::Buffer;
                self.product(value, op);
            }
            OpKind::Element | OpKind::Pack { .. } | OpKind::Dense(_) => {
                self.places[value.index()] = self.materialised(value);
                op.operands.iter().for_each(|operand| self.whole(*operand));
            }
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
            | OpKind::Scatter { .. }
                if rank == 0 =>
            {
                self.places[value.index()] = Place::Scalar;
                self.operands(value, op, value, &Position::new(), 0);
            }
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
            | OpKind::Scatter { .. } => self.elementwise(value, op),
            OpKind::Assert { .. } | OpKind::If | OpKind::While => {}
        }
    }

    /// A product reads its operands as buffers, past transposes; a small one reads them as any nest does.
    fn product(&mut self, value: ValueId, op: &Op) {
        let product = Product::new(self.function, op);
        if product.is_call() {
            self.whole(product.lhs);
            self.whole(product.rhs);
        } else {
            self.at(op.operands[0], value, product.lhs_position());
            self.at(op.operands[1], value, product.rhs_position());
        }
    }

    /// A tensor whose elements each depend on single elements of the operands.
    fn elementwise(&mut self, value: ValueId, op: &Op) {
        let Requests { whole, positions } = std::mem::take(&mut self.requests[value.index()]);
        let inline = !whole && !can_trap(self.function, op) && self.may_inline(value, &positions);
        if inline {
            self.places[value.index()] = Place::Inline;
            for (root, position) in positions {
                self.body_sizes[root.index()] += 1;
                let loops = position.first().map_or(0, |index| index.strides.len());
                self.operands(value, op, root, &position, loops);
            }
            return;
        }
        if matches!(op.kind, OpKind::Reshape { .. } | OpKind::Detach)
            && self.function.ty(op.operands[0]).rank() != 0
        {
            self.places[value.index()] = Place::Alias(op.operands[0]);
            self.whole(op.operands[0]);
            return;
        }
        self.places[value.index()] = Place::Buffer;
        let position = identity(self.function, value);
        self.operands(value, op, value, &position, position.len());
    }

    fn may_inline(&self, value: ValueId, positions: &[(ValueId, Position)]) -> bool {
        let room = positions.iter().all(|(root, _)| self.body_sizes[root.index()] < BODY_LIMIT);
        let cheap = self.costs[value.index()] <= CHEAP;
        let once = || match positions {
            [(root, _)] => {
                self.regions[root.index()] == self.regions[value.index()]
                    && iterations(self.function, *root) <= self.function.ty(value).elements()
            }
            _ => false,
        };
        room && (cheap || once())
    }

    /// Requests what `value` at `position` of the nest of `root` is computed from.
    fn operands(
        &mut self,
        value: ValueId,
        op: &Op,
        root: ValueId,
        position: &Position,
        loops: usize,
    ) {
        let function = self.function;
        let first = op.operands.first().copied();
        let extents = first.map(|operand| &function.ty(operand).dims);
        let moved = match (&op.kind, extents) {
            (OpKind::Broadcast { axes, .. }, Some(from)) => {
                Some(through_broadcast(position, from, axes, loops))
            }
            (OpKind::Transpose { perm }, _) => Some(through_transpose(position, perm)),
            (OpKind::Reshape { .. }, Some(from)) => {
                through_reshape(position, from, &function.ty(value).dims, loops)
            }
            _ => Some(position.clone()),
        };
        for operand in &op.operands {
            match &moved {
                Some(position) => self.at(*operand, root, position.clone()),
                None => self.whole(*operand),
            }
        }
    }
}

/// Whether the op itself can end the program.
pub(crate) fn can_trap(function: &Function, op: &Op) -> bool {
    let types: SmallVec<[_; 3]> = op.operands.iter().map(|v| function.ty(*v)).collect();
    op.kind.can_trap(&types)
}

/// The position of an iteration of a nest over the extents of `value`.
pub(crate) fn identity(function: &Function, value: ValueId) -> Position {
    let rank = function.ty(value).rank();
    (0..rank).map(|axis| Index::counter(axis, rank)).collect()
}

/// How often the body of the nest that computes `root` runs.
fn iterations(function: &Function, root: ValueId) -> usize {
    match function.def(root) {
        Some(op) => match op.kind {
            OpKind::Sum { .. } => function.ty(op.operands[0]).elements(),
            OpKind::MatMul { .. } => Product::new(function, op).multiplications(),
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
            | OpKind::Element
            | OpKind::Scatter { .. }
            | OpKind::Pack { .. }
            | OpKind::Assert { .. }
            | OpKind::If
            | OpKind::While => function.ty(root).elements(),
        },
        None => function.ty(root).elements(),
    }
}

/// About how many loads the computation of one element takes the time of; `operands` is the cost of the operands.
fn cost(kind: &OpKind, operands: u32) -> u32 {
    let own = match kind {
        // These are in buffers: an element is one load.
        OpKind::Dense(_)
        | OpKind::Sum { .. }
        | OpKind::MatMul { .. }
        | OpKind::Pack { .. }
        | OpKind::Element
        | OpKind::Assert { .. }
        | OpKind::If
        | OpKind::While => return 1,
        OpKind::Const(_)
        | OpKind::Broadcast { .. }
        | OpKind::Reshape { .. }
        | OpKind::Detach
        | OpKind::Transpose { .. } => 0,
        OpKind::Unary { .. }
        | OpKind::Compare(_)
        | OpKind::Select
        | OpKind::Convert(_)
        | OpKind::Math(MathFn::Abs) => 1,
        OpKind::Binary { op, .. } => match op {
            BinOp::Div => 3,
            BinOp::Rem => 16,
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr => 1,
        },
        OpKind::Math(MathFn::Sqrt) => 3,
        OpKind::Math(
            MathFn::Exp | MathFn::Log | MathFn::Sin | MathFn::Cos | MathFn::Tanh | MathFn::Pow,
        ) => 16,
        OpKind::Scatter { dims } => 1 + dims.len() as u32,
    };
    operands.saturating_add(own)
}

/// A matrix product, its operands taken as they lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    /// The left operand, past transposes.
    pub(crate) lhs: ValueId,
    /// The right operand, past transposes.
    pub(crate) rhs: ValueId,
    /// Rows of the product.
    pub(crate) rows: usize,
    /// The extent that is contracted.
    pub(crate) inner: usize,
    /// Columns of the product.
    pub(crate) columns: usize,
    /// `lhs` is stored transposed.
    pub(crate) transpose_lhs: bool,
    /// `rhs` is stored transposed.
    pub(crate) transpose_rhs: bool,
    float: bool,
    flags: (bool, bool),
}

impl Product {
    /// The product that `op`, a [`OpKind::MatMul`], makes.
    pub(crate) fn new(function: &Function, op: &Op) -> Product {
        let OpKind::MatMul { transpose_lhs, transpose_rhs, .. } = op.kind else {
            unreachable!("{} is no product", op.kind.name())
        };
        let (lhs, left) = past_transposes(function, op.operands[0], transpose_lhs);
        let (rhs, right) = past_transposes(function, op.operands[1], transpose_rhs);
        let extent = |value: ValueId, axis: usize| function.ty(value).dims[axis];
        Product {
            lhs,
            rhs,
            rows: extent(lhs, usize::from(left)),
            inner: extent(lhs, usize::from(!left)),
            columns: extent(rhs, usize::from(!right)),
            transpose_lhs: left,
            transpose_rhs: right,
            float: function.ty(lhs).dtype.is_float(),
            flags: (transpose_lhs, transpose_rhs),
        }
    }

    fn multiplications(&self) -> usize {
        self.rows.saturating_mul(self.columns).saturating_mul(self.inner)
    }

    /// Whether a kernel makes the product; else a nest over rows, columns and the contracted extent does. Integer
    /// products may trap at any element, so they are nests.
    pub(crate) fn is_call(&self) -> bool {
        self.float && self.multiplications() > SMALL_PRODUCT
    }

    /// The position in the op's left operand, in the nest.
    pub(crate) fn lhs_position(&self) -> Position {
        let (row, inner) = (Index::counter(0, 3), Index::counter(2, 3));
        if self.flags.0 { [inner, row] } else { [row, inner] }.into_iter().collect()
    }

    /// The position in the op's right operand, in the nest.
    pub(crate) fn rhs_position(&self) -> Position {
        let (column, inner) = (Index::counter(1, 3), Index::counter(2, 3));
        if self.flags.1 { [column, inner] } else { [inner, column] }.into_iter().collect()
    }
}

fn past_transposes(function: &Function, mut value: ValueId, mut flag: bool) -> (ValueId, bool) {
    while let Some(op) = function.def(value)
        && let OpKind::Transpose { perm } = &op.kind
    {
        value = op.operands[0];
        flag ^= perm.as_slice() == [1, 0];
    }
    (value, flag)
}
