//! What becomes of each value: a scalar, a buffer, or a part of the bodies that read it.
//!
//! One walk from the last op to the first: when a value's turn comes, every reader has been decided, so it is known
//! in which nests and at which positions the value is wanted. A value that is wanted at one position of one nest costs
//! nothing to compute there; one that is wanted at several is computed there only if that is about as cheap as a load.

use neuro_ir::{Function, Op, OpKind, RegionId, ValueId};
use smallvec::SmallVec;

use crate::cost::{CHEAP, cost};
use crate::index::{Position, through_broadcast, through_reshape, through_transpose};
use crate::product::Product;
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
            OpKind::Assert { .. } | OpKind::Push { .. } => {
                op.operands.iter().for_each(|operand| self.whole(*operand));
            }
            OpKind::Pop { .. } => {
                for result in &op.results {
                    self.places[result.index()] = self.materialised(*result);
                }
            }
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
            OpKind::Element | OpKind::Update { .. } | OpKind::Pack { .. } | OpKind::Dense(_) => {
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
            OpKind::Assert { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => {}
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
            | OpKind::Update { .. }
            | OpKind::Pack { .. }
            | OpKind::Assert { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => function.ty(root).elements(),
        },
        None => function.ty(root).elements(),
    }
}
