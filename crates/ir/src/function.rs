//! Functions: values, ops and regions in three arenas.

use std::fmt;

use neuro_num::{BinOp, Scalar};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::{Dims, OpKind, Type};

/// A place in the program, opaque here; whoever raised the function keeps the table. Printed `loc(3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc(pub u32);

/// A value of a [`Function`]. Printed `%3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub(crate) u32);

/// An op of a [`Function`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(pub(crate) u32);

/// A region of a [`Function`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub(crate) u32);

impl ValueId {
    /// The position in the function's values: a dense number, usable as an index of side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl OpId {
    /// The position in the function's ops.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl RegionId {
    /// The position in the function's regions.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loc({})", self.0)
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Debug for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The operands of an op.
pub type Operands = SmallVec<[ValueId; 3]>;

/// The results of an op.
pub type Results = SmallVec<[ValueId; 1]>;

/// A value: its type and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The type.
    pub ty: Type,
    /// What defines it.
    pub def: ValueDef,
}

/// What defines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// A parameter of a region; those of the body are the function's.
    Param {
        /// The region.
        region: RegionId,
        /// The position among its parameters.
        index: u32,
    },
    /// A result of an op.
    Result {
        /// The op.
        op: OpId,
        /// The position among its results.
        index: u32,
    },
}

/// An op: what it does, to what, with which results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// What it does, attributes included.
    pub kind: OpKind,
    /// What it reads.
    pub operands: Operands,
    /// What it defines.
    pub results: Results,
    /// Its nested regions; empty for all but control ops.
    pub regions: SmallVec<[RegionId; 2]>,
    /// Where it comes from; always present on an op that can trap.
    pub loc: Option<Loc>,
}

/// A sequence of ops with parameters and results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Values that whoever enters the region gives.
    pub params: Vec<ValueId>,
    /// The ops, in program order.
    pub ops: Vec<OpId>,
    /// Values that the region gives back.
    pub results: Vec<ValueId>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in the source, for people; names need not differ.
    pub name: SmolStr,
    /// Its value.
    pub value: ValueId,
}

/// A function. Made by a [`FunctionBuilder`](crate::FunctionBuilder); passes make new functions.
#[derive(Clone, Debug)]
pub struct Function {
    pub(crate) name: SmolStr,
    pub(crate) param_names: Vec<SmolStr>,
    pub(crate) body: RegionId,
    pub(crate) values: Vec<Value>,
    pub(crate) ops: Vec<Op>,
    pub(crate) regions: Vec<Region>,
}

impl Function {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same function under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<SmolStr>) -> Function {
        self.name = name.into();
        self
    }

    /// The same function with other results, which are values of its body.
    #[must_use]
    pub fn with_results(&self, results: Vec<ValueId>) -> Function {
        let mut function = self.clone();
        function.regions[self.body.index()].results = results;
        function
    }

    /// The function without those parameters that `drop` names by position and nothing reads. The numbers of values
    /// stay.
    #[must_use]
    pub fn without_params(&self, drop: impl Fn(usize) -> bool) -> Function {
        let read = self.reads_params();
        let kept = |index: &usize| read[*index] || !drop(*index);
        let kept: Vec<usize> = (0..read.len()).filter(kept).collect();
        let mut function = self.clone();
        function.param_names = kept.iter().map(|at| self.param_names[*at].clone()).collect();
        let params: Vec<ValueId> = kept.iter().map(|at| self.params()[*at]).collect();
        for (index, param) in params.iter().enumerate() {
            function.values[param.index()].def =
                ValueDef::Param { region: self.body, index: index as u32 };
        }
        function.regions[self.body.index()].params = params;
        function
    }

    /// For each parameter whether an op or the results read it.
    pub fn reads_params(&self) -> Vec<bool> {
        let mut read = vec![false; self.values.len()];
        let operands = self.ops.iter().flat_map(|op| &op.operands);
        let results = self.regions.iter().flat_map(|region| &region.results);
        for value in operands.chain(results) {
            read[value.index()] = true;
        }
        self.params().iter().map(|param| read[param.index()]).collect()
    }

    /// The outermost region.
    pub fn body(&self) -> RegionId {
        self.body
    }

    /// The parameters' values, in order.
    pub fn params(&self) -> &[ValueId] {
        &self.region(self.body).params
    }

    /// The name of parameter `index`; empty when there is none.
    pub fn param_name(&self, index: usize) -> &str {
        self.param_names.get(index).map_or("", SmolStr::as_str)
    }

    /// The results' values, in order.
    pub fn results(&self) -> &[ValueId] {
        &self.region(self.body).results
    }

    /// A value.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// A value's type.
    pub fn ty(&self, id: ValueId) -> &Type {
        &self.values[id.index()].ty
    }

    /// An op.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// The op that defines a value; `None` for a parameter.
    pub fn def(&self, id: ValueId) -> Option<&Op> {
        match self.value(id).def {
            ValueDef::Result { op, .. } => Some(self.op(op)),
            ValueDef::Param { .. } => None,
        }
    }

    /// The value of a scalar constant.
    pub fn constant(&self, id: ValueId) -> Option<Scalar> {
        let op = self.def(id)?;
        if let OpKind::Const(value) = &op.kind { Some(*value) } else { None }
    }

    /// The one value of all elements when it is known: of a scalar constant, or of one that is stretched.
    pub fn splat(&self, id: ValueId) -> Option<Scalar> {
        let mut id = id;
        loop {
            let op = self.def(id)?;
            if let OpKind::Const(value) = &op.kind {
                return Some(*value);
            }
            if !matches!(op.kind, OpKind::Broadcast { .. } | OpKind::Reshape { .. }) {
                return None;
            }
            id = *op.operands.first()?;
        }
    }

    /// Whether the op itself (its regions aside) can end the program: a constant divisor that is neither 0 nor -1, and
    /// constant positions in bounds, cannot.
    pub fn can_trap(&self, op: &Op) -> bool {
        self.would_trap(&op.kind, &op.operands)
    }

    /// [`can_trap`](Self::can_trap) of an op that is not built yet.
    pub(crate) fn would_trap(&self, kind: &OpKind, operands: &[ValueId]) -> bool {
        let types: SmallVec<[&Type; 4]> = operands.iter().map(|id| self.ty(*id)).collect();
        if !kind.can_trap(&types) {
            return false;
        }
        if let OpKind::Binary { op: BinOp::Div | BinOp::Rem, .. } = kind {
            let divisor = operands.get(1).and_then(|id| self.splat(*id));
            return divisor.and_then(Scalar::as_int).is_none_or(|value| value == 0 || value == -1);
        }
        if matches!(kind, OpKind::Element) {
            return self.constant_positions(&types[0].dims, &operands[1..]).is_none();
        }
        true
    }

    /// Positions as an index tuple, when all are constants in bounds.
    pub(crate) fn constant_positions(&self, dims: &[usize], positions: &[ValueId]) -> Option<Dims> {
        dims.iter()
            .zip(positions)
            .map(|(dim, id)| {
                let position = usize::try_from(self.constant(*id)?.as_int()?).ok()?;
                (position < *dim).then_some(position)
            })
            .collect()
    }

    /// The ops of the body, in program order.
    pub fn body_ops(&self) -> impl DoubleEndedIterator<Item = (OpId, &Op)> {
        self.region(self.body).ops.iter().map(|id| (*id, self.op(*id)))
    }

    /// Every value, in the order of their numbers.
    pub fn value_ids(&self) -> impl Iterator<Item = ValueId> + use<> {
        (0..self.values.len() as u32).map(ValueId)
    }

    /// Number of values; every [`ValueId::index`] is below it.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Number of ops, those of nested regions included.
    pub fn op_count(&self) -> usize {
        self.ops.len()
    }

    /// Number of regions.
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }
}

/// Two functions are equal when they have the same name, parameter names, ops and regions in the same order, whatever
/// the numbers of their values.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        let mut same = SameNumbers { left: self, right: other, map: vec![None; self.values.len()] };
        self.name == other.name
            && self.param_names == other.param_names
            && same.regions(self.body, other.body)
    }
}

impl Eq for Function {}

/// Compares two functions while pairing the values that their definitions pair.
struct SameNumbers<'f> {
    left: &'f Function,
    right: &'f Function,
    map: Vec<Option<ValueId>>,
}

impl SameNumbers<'_> {
    fn regions(&mut self, left: RegionId, right: RegionId) -> bool {
        let (l, r) = (self.left.region(left), self.right.region(right));
        l.ops.len() == r.ops.len()
            && self.define(&l.params, &r.params)
            && l.ops.iter().zip(&r.ops).all(|(l, r)| self.ops(*l, *r))
            && self.used(&l.results, &r.results)
    }

    fn ops(&mut self, left: OpId, right: OpId) -> bool {
        let (l, r) = (self.left.op(left), self.right.op(right));
        l.kind == r.kind
            && l.loc == r.loc
            && l.regions.len() == r.regions.len()
            && self.used(&l.operands, &r.operands)
            && l.regions.iter().zip(&r.regions).all(|(l, r)| self.regions(*l, *r))
            && self.define(&l.results, &r.results)
    }

    fn define(&mut self, left: &[ValueId], right: &[ValueId]) -> bool {
        left.len() == right.len()
            && left.iter().zip(right).all(|(l, r)| {
                self.map[l.index()] = Some(*r);
                self.left.ty(*l) == self.right.ty(*r)
            })
    }

    fn used(&self, left: &[ValueId], right: &[ValueId]) -> bool {
        left.len() == right.len()
            && left.iter().zip(right).all(|(l, r)| self.map[l.index()] == Some(*r))
    }
}
