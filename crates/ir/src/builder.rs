//! Building functions op by op, types checked at each step.

use std::fmt;

use neuro_num::{BinOp, CmpOp, DType, MathFn, Overflow, Scalar, UnOp};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::{
    Axes, Dense, Dims, Function, Loc, Op, OpId, OpKind, Operands, Region, RegionId, RegionType,
    Results, Type, Value, ValueDef, ValueId, broadcast_axes, broadcast_shapes,
};

/// An op whose operands do not suit it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The op's name.
    pub op: &'static str,
    /// Why.
    pub reason: String,
    /// Where the op comes from.
    pub loc: Option<Loc>,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.op, self.reason)?;
        self.loc.map_or(Ok(()), |loc| write!(f, " at {loc}"))
    }
}

impl std::error::Error for BuildError {}

/// What adding an op gives.
pub type Built<T = ValueId> = Result<T, BuildError>;

/// Builds a [`Function`]. Values are numbered in program order.
///
/// Nested regions: [`begin_region`](Self::begin_region), ops, [`end_region`](Self::end_region), then
/// [`control`](Self::control) with the finished regions.
#[derive(Debug)]
pub struct FunctionBuilder {
    function: Function,
    /// The regions under construction, innermost last.
    open: Vec<RegionId>,
}

impl FunctionBuilder {
    /// An empty function.
    pub fn new(name: impl Into<SmolStr>) -> FunctionBuilder {
        let body = RegionId(0);
        FunctionBuilder {
            function: Function {
                name: name.into(),
                param_names: Vec::new(),
                body,
                values: Vec::new(),
                ops: Vec::new(),
                regions: vec![Region::default()],
            },
            open: vec![body],
        }
    }

    /// Adds a parameter.
    pub fn param(&mut self, name: impl Into<SmolStr>, ty: Type) -> ValueId {
        self.function.param_names.push(name.into());
        self.region_param(self.function.body, ty)
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> &Type {
        self.function.ty(value)
    }

    /// The function so far.
    pub fn so_far(&self) -> &Function {
        &self.function
    }

    /// Ends the function.
    ///
    /// # Panics
    /// When a region is still open: a fault of the caller, never of the program.
    pub fn finish(mut self, results: impl IntoIterator<Item = ValueId>) -> Function {
        assert!(self.open.len() == 1, "a region is still open");
        let body = self.function.body;
        self.function.regions[body.index()].results = results.into_iter().collect();
        self.function
    }

    /// Adds an op without regions and gives its one result.
    ///
    /// # Errors
    /// When the operands do not suit, or the op has not exactly one result.
    pub fn op(&mut self, kind: OpKind, operands: &[ValueId], loc: Option<Loc>) -> Built {
        let name = kind.name();
        let op = self.control(kind, operands, &[], loc)?;
        self.function.op(op).results.first().copied().ok_or(BuildError {
            op: name,
            reason: "has no result".to_owned(),
            loc,
        })
    }

    /// Adds an op with any number of regions and results.
    ///
    /// # Errors
    /// When operands or regions do not suit.
    pub fn control(
        &mut self,
        kind: OpKind,
        operands: &[ValueId],
        regions: &[RegionId],
        loc: Option<Loc>,
    ) -> Built<OpId> {
        let types: Vec<&Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
        let region_types: Vec<RegionType> =
            regions.iter().map(|region| self.region_type(*region)).collect();
        let result_types = kind.infer(&types, &region_types).map_err(|reason| BuildError {
            op: kind.name(),
            reason,
            loc,
        })?;
        drop(types);
        let id = OpId(self.function.ops.len() as u32);
        let results: Results = result_types
            .into_iter()
            .enumerate()
            .map(|(index, ty)| {
                let def = ValueDef::Result { op: id, index: index as u32 };
                self.define(Value { ty, def })
            })
            .collect();
        self.function.ops.push(Op {
            kind,
            operands: Operands::from_slice(operands),
            results,
            regions: SmallVec::from_slice(regions),
            loc,
        });
        let region = self.current();
        self.function.regions[region.index()].ops.push(id);
        Ok(id)
    }

    /// The results of an op.
    pub fn results(&self, op: OpId) -> &[ValueId] {
        &self.function.op(op).results
    }

    /// Opens a region with parameters of these types and gives their values.
    pub fn begin_region(&mut self, params: &[Type]) -> Vec<ValueId> {
        let region = RegionId(self.function.regions.len() as u32);
        self.function.regions.push(Region::default());
        self.open.push(region);
        params.iter().map(|ty| self.region_param(region, ty.clone())).collect()
    }

    /// Closes the innermost region.
    ///
    /// # Panics
    /// When only the body is open.
    pub fn end_region(&mut self, results: impl IntoIterator<Item = ValueId>) -> RegionId {
        assert!(self.open.len() > 1, "no region is open");
        let region = self.current();
        self.open.pop();
        self.function.regions[region.index()].results = results.into_iter().collect();
        region
    }

    /// Adds a parameter to a region that belongs to no op yet.
    pub fn add_region_param(&mut self, region: RegionId, ty: Type) -> ValueId {
        self.region_param(region, ty)
    }

    /// Adds a value to the frame that a [`OpKind::Pop`] takes, and gives it.
    ///
    /// # Panics
    /// When the op is none.
    pub fn add_popped(&mut self, pop: OpId, ty: Type) -> ValueId {
        let index = self.function.op(pop).results.len() as u32;
        let def = ValueDef::Result { op: pop, index };
        let value = self.define(Value { ty: ty.clone(), def });
        let op = &mut self.function.ops[pop.index()];
        let OpKind::Pop { types, .. } = &mut op.kind else { unreachable!("not a pop") };
        types.push(ty);
        op.results.push(value);
        value
    }

    /// Opens a finished region again, to add ops at its end and give it other results. It must not belong to an op yet.
    pub fn reopen_region(&mut self, region: RegionId) {
        self.open.push(region);
    }

    fn current(&self) -> RegionId {
        self.open.last().copied().unwrap_or(self.function.body)
    }

    /// Builds with the innermost `self.depth() - depth` open regions set aside: what is added stands before the
    /// ops that these regions will belong to.
    pub(crate) fn outside<T>(&mut self, depth: usize, build: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.open.split_off(depth.max(1));
        let built = build(self);
        self.open.extend(inner);
        built
    }

    fn define(&mut self, value: Value) -> ValueId {
        let id = ValueId(self.function.values.len() as u32);
        self.function.values.push(value);
        id
    }

    fn region_param(&mut self, region: RegionId, ty: Type) -> ValueId {
        let index = self.function.region(region).params.len() as u32;
        let value = self.define(Value { ty, def: ValueDef::Param { region, index } });
        self.function.regions[region.index()].params.push(value);
        value
    }

    fn region_type(&self, region: RegionId) -> RegionType {
        let types = |values: &[ValueId]| values.iter().map(|v| self.ty(*v).clone()).collect();
        let region = self.function.region(region);
        RegionType { params: types(&region.params), results: types(&region.results) }
    }
}

/// One method for each op; those on floats never overflow and take no [`Overflow`].
impl FunctionBuilder {
    /// A scalar constant.
    pub fn constant(&mut self, value: Scalar) -> ValueId {
        self.push(OpKind::Const(value), Operands::new(), Type::scalar(value.dtype()))
    }

    /// A tensor constant.
    pub fn dense(&mut self, dense: Dense) -> ValueId {
        let ty = dense.ty().clone();
        self.push(OpKind::Dense(dense), Operands::new(), ty)
    }

    /// A constant of any shape with one value: a scalar, stretched when the rank is not 0.
    pub fn splat(&mut self, value: Scalar, dims: &[usize]) -> ValueId {
        let scalar = self.constant(value);
        if dims.is_empty() {
            return scalar;
        }
        let ty = Type { dtype: value.dtype(), dims: dims.into() };
        let kind = OpKind::Broadcast { dims: dims.into(), axes: Axes::new() };
        self.push(kind, Operands::from_slice(&[scalar]), ty)
    }

    /// Elementwise sum of equal types.
    pub fn add(&mut self, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        self.binary(BinOp::Add, Overflow::Wrap, a, b, loc)
    }

    /// Elementwise difference of equal types.
    pub fn sub(&mut self, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        self.binary(BinOp::Sub, Overflow::Wrap, a, b, loc)
    }

    /// Elementwise product of equal types.
    pub fn mul(&mut self, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        self.binary(BinOp::Mul, Overflow::Wrap, a, b, loc)
    }

    /// Elementwise quotient of equal types.
    pub fn div(&mut self, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        self.binary(BinOp::Div, Overflow::Wrap, a, b, loc)
    }

    /// Elementwise operation on equal types.
    pub fn binary(
        &mut self,
        op: BinOp,
        overflow: Overflow,
        a: ValueId,
        b: ValueId,
        loc: Option<Loc>,
    ) -> Built {
        self.op(OpKind::Binary { op, overflow }, &[a, b], loc)
    }

    /// Elementwise operation with broadcasting: operands are stretched first where their extents differ.
    pub fn broadcasting(&mut self, kind: OpKind, operands: &[ValueId], loc: Option<Loc>) -> Built {
        let mut dims = Dims::new();
        for operand in operands {
            dims = broadcast_shapes(&dims, &self.ty(*operand).dims)
                .map_err(|error| BuildError { op: kind.name(), reason: error.to_string(), loc })?;
        }
        let stretched: Built<SmallVec<[ValueId; 3]>> =
            operands.iter().map(|operand| self.stretch(*operand, &dims, loc)).collect();
        self.op(kind, &stretched?, loc)
    }

    /// `value` broadcast to `dims` by the language's rule; itself when it has them already.
    pub fn stretch(&mut self, value: ValueId, dims: &[usize], loc: Option<Loc>) -> Built {
        let rank = self.ty(value).rank();
        if self.ty(value).dims.as_slice() == dims {
            return Ok(value);
        }
        self.broadcast(value, dims, &broadcast_axes(rank, dims.len()), loc)
    }

    /// Elementwise operation on one operand.
    pub fn unary(&mut self, op: UnOp, overflow: Overflow, a: ValueId, loc: Option<Loc>) -> Built {
        self.op(OpKind::Unary { op, overflow }, &[a], loc)
    }

    /// Elementwise negative.
    pub fn neg(&mut self, a: ValueId, loc: Option<Loc>) -> Built {
        self.unary(UnOp::Neg, Overflow::Wrap, a, loc)
    }

    /// Elementwise function of the table.
    pub fn math(&mut self, function: MathFn, arguments: &[ValueId], loc: Option<Loc>) -> Built {
        self.op(OpKind::Math(function), arguments, loc)
    }

    /// Elementwise comparison.
    pub fn compare(&mut self, op: CmpOp, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        self.op(OpKind::Compare(op), &[a, b], loc)
    }

    /// Elementwise choice by a mask of the same extents, or whole by a scalar one.
    pub fn select(&mut self, mask: ValueId, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        self.op(OpKind::Select, &[mask, a, b], loc)
    }

    /// Elementwise cast; the value itself when it has the type already.
    pub fn convert(&mut self, a: ValueId, dtype: DType, loc: Option<Loc>) -> Built {
        if self.ty(a).dtype == dtype {
            return Ok(a);
        }
        self.op(OpKind::Convert(dtype), &[a], loc)
    }

    /// Stretches: axis `i` of the operand becomes axis `axes[i]`.
    pub fn broadcast(
        &mut self,
        a: ValueId,
        dims: &[usize],
        axes: &[usize],
        loc: Option<Loc>,
    ) -> Built {
        self.op(OpKind::Broadcast { dims: dims.into(), axes: axes.into() }, &[a], loc)
    }

    /// The same elements under other extents.
    pub fn reshape(&mut self, a: ValueId, dims: &[usize], loc: Option<Loc>) -> Built {
        self.op(OpKind::Reshape { dims: dims.into() }, &[a], loc)
    }

    /// Axis `i` of the result is axis `perm[i]` of the operand.
    pub fn transpose(&mut self, a: ValueId, perm: &[usize], loc: Option<Loc>) -> Built {
        self.op(OpKind::Transpose { perm: perm.into() }, &[a], loc)
    }

    /// Sum over `axes` (ascending), wrapping on integers.
    pub fn sum(&mut self, a: ValueId, axes: &[usize], loc: Option<Loc>) -> Built {
        self.op(OpKind::Sum { axes: axes.into(), overflow: Overflow::Wrap }, &[a], loc)
    }

    /// Mean over `axes` (ascending) of floats: the sum divided by the count.
    pub fn mean(&mut self, a: ValueId, axes: &[usize], loc: Option<Loc>) -> Built {
        let ty = self.ty(a).clone();
        let count: usize = axes.iter().filter_map(|axis| ty.dims.get(*axis)).product();
        let sum = self.sum(a, axes, loc)?;
        let count = Scalar::float(ty.dtype, count as f64).ok_or_else(|| BuildError {
            op: "sum",
            reason: format!("the mean of {ty} is not a float"),
            loc,
        })?;
        let dims = self.ty(sum).dims.clone();
        let count = self.splat(count, &dims);
        self.div(sum, count, loc)
    }

    /// Matrix product, wrapping on integers.
    pub fn matmul(&mut self, a: ValueId, b: ValueId, loc: Option<Loc>) -> Built {
        let kind =
            OpKind::MatMul { transpose_lhs: false, transpose_rhs: false, overflow: Overflow::Wrap };
        self.op(kind, &[a, b], loc)
    }

    /// The element at scalar positions.
    pub fn element(&mut self, a: ValueId, positions: &[ValueId], loc: Option<Loc>) -> Built {
        let operands: Operands = std::iter::once(a).chain(positions.iter().copied()).collect();
        self.op(OpKind::Element, &operands, loc)
    }

    /// Zeros of `dims` with a scalar at scalar positions.
    pub fn scatter(
        &mut self,
        scalar: ValueId,
        positions: &[ValueId],
        dims: &[usize],
        loc: Option<Loc>,
    ) -> Built {
        let operands: Operands = std::iter::once(scalar).chain(positions.iter().copied()).collect();
        self.op(OpKind::Scatter { dims: dims.into() }, &operands, loc)
    }

    /// The tensor with the element at scalar positions replaced by a scalar.
    pub fn update(
        &mut self,
        a: ValueId,
        scalar: ValueId,
        positions: &[ValueId],
        loc: Option<Loc>,
    ) -> Built {
        self.changed(false, a, scalar, positions, loc)
    }

    /// The tensor with a scalar added to the element at scalar positions.
    pub fn accumulate(
        &mut self,
        a: ValueId,
        scalar: ValueId,
        positions: &[ValueId],
        loc: Option<Loc>,
    ) -> Built {
        self.changed(true, a, scalar, positions, loc)
    }

    fn changed(
        &mut self,
        add: bool,
        a: ValueId,
        scalar: ValueId,
        positions: &[ValueId],
        loc: Option<Loc>,
    ) -> Built {
        let operands: Operands = [a, scalar].into_iter().chain(positions.iter().copied()).collect();
        self.op(OpKind::Update { add }, &operands, loc)
    }

    /// A tensor from its elements.
    pub fn pack(&mut self, elements: &[ValueId], dims: &[usize], loc: Option<Loc>) -> Built {
        self.op(OpKind::Pack { dims: dims.into() }, elements, loc)
    }

    /// Traps with `message` unless the scalar `condition` holds.
    ///
    /// # Errors
    /// When the condition is no scalar `bool`.
    pub fn assert(
        &mut self,
        condition: ValueId,
        message: impl Into<SmolStr>,
        loc: Option<Loc>,
    ) -> Built<OpId> {
        self.control(OpKind::Assert { message: message.into() }, &[condition], &[], loc)
    }

    /// Adds an op whose result type is known to be `ty`.
    fn push(&mut self, kind: OpKind, operands: Operands, ty: Type) -> ValueId {
        let id = OpId(self.function.ops.len() as u32);
        let value = self.define(Value { ty, def: ValueDef::Result { op: id, index: 0 } });
        let results = Results::from_slice(&[value]);
        self.function.ops.push(Op { kind, operands, results, regions: SmallVec::new(), loc: None });
        let region = self.current();
        self.function.regions[region.index()].ops.push(id);
        value
    }
}
