//! The rewriting rules, by op.

use neuro_num::{BinOp, DType, MathFn, Overflow, Scalar, UnOp};

use super::Rewriter;
use crate::{
    Axes, Built, Dense, Dims, Loc, Op, OpKind, Operands, Tensor, ValueId, eval::eval_op,
    tensor::flat,
};

/// Constants with more elements are left to run time.
const MAX_FOLDED: usize = 1024;

type Rewritten = Built<Option<ValueId>>;

impl Rewriter<'_> {
    /// The constant that the op gives, when its operands are constants and it does not trap.
    pub(super) fn folded(
        &mut self,
        kind: &OpKind,
        operands: &[ValueId],
        loc: Option<Loc>,
    ) -> Rewritten {
        if operands.is_empty() || matches!(kind, OpKind::Broadcast { .. }) {
            return Ok(None);
        }
        let constants: Option<Vec<Tensor>> = operands.iter().map(|id| self.constant(*id)).collect();
        let Some(constants) = constants else { return Ok(None) };
        let constants: Vec<&Tensor> = constants.iter().collect();
        let types: Vec<_> = constants.iter().map(|constant| constant.ty()).collect();
        let Some(ty) = kind.infer(&types, &[]).ok().and_then(|types| types.first().cloned()) else {
            return Ok(None);
        };
        if ty.elements() > MAX_FOLDED {
            return Ok(None);
        }
        let Ok(value) = eval_op(kind, &constants, &ty) else { return Ok(None) };
        let kind = match value.item().filter(|_| ty.rank() == 0) {
            Some(scalar) => OpKind::Const(scalar),
            None => match Dense::new(ty, value.data()) {
                Some(dense) => OpKind::Dense(dense),
                None => return Ok(None),
            },
        };
        self.emit(kind, &[], loc).map(Some)
    }

    /// A simpler equal of an op that does not trap.
    pub(super) fn rewritten(
        &mut self,
        kind: &OpKind,
        operands: &[ValueId],
        loc: Option<Loc>,
    ) -> Rewritten {
        let simpler = match (kind, operands) {
            (OpKind::Unary { op, .. }, [a]) => self.unary(*op, *a)?,
            (OpKind::Binary { op, .. }, [a, b]) => self.binary(*op, *a, *b, loc)?,
            (OpKind::Math(MathFn::Pow), [x, p]) => self.pow(*x, *p, loc)?,
            (OpKind::Select, [mask, a, b]) => self.select(*mask, *a, *b, loc)?,
            (OpKind::Convert(dtype), [a]) => self.convert(*dtype, *a),
            (OpKind::Broadcast { dims, axes }, [a]) => self.broadcast(dims, axes, *a, loc)?,
            (OpKind::Reshape { dims }, [a]) => self.reshape(dims, *a, loc)?,
            (OpKind::Transpose { perm }, [a]) => self.transpose(perm, *a, loc)?,
            (OpKind::MatMul { transpose_lhs, transpose_rhs, overflow }, [a, b]) => {
                self.matmul((*transpose_lhs, *transpose_rhs), *overflow, *a, *b, loc)?
            }
            (OpKind::Element, [a, positions @ ..]) => self.element(*a, positions, loc)?,
            (OpKind::Scatter { dims }, [scalar]) if dims.is_empty() => Some(*scalar),
            (OpKind::Pack { dims }, [scalar]) if dims.is_empty() => Some(*scalar),
            _ => None,
        };
        match simpler {
            Some(value) => Ok(Some(value)),
            None => self.narrowed(kind, operands, loc),
        }
    }

    fn unary(&self, op: UnOp, a: ValueId) -> Rewritten {
        Ok(self.def(a).and_then(|inner| match inner.kind {
            OpKind::Unary { op: inner_op, .. } if inner_op == op => inner.operands.first().copied(),
            _ => None,
        }))
    }

    fn binary(&mut self, op: BinOp, a: ValueId, b: ValueId, loc: Option<Loc>) -> Rewritten {
        let dtype = self.builder.ty(a).dtype;
        let (left, right) = (self.splat(a), self.splat(b));
        let is = |value: Option<Scalar>, want: Scalar| value == Some(want);
        let (zero, one) = (Scalar::zero(dtype), Scalar::one(dtype));
        // Adding -0.0 keeps every float; adding 0.0 turns -0.0 around.
        let added_nothing = Scalar::float(dtype, -0.0).unwrap_or(zero);
        let value = match op {
            BinOp::Add if is(right, added_nothing) => Some(a),
            BinOp::Add if is(left, added_nothing) => Some(b),
            BinOp::Sub if is(right, zero) => Some(a),
            BinOp::Mul if is(right, one) => Some(a),
            BinOp::Mul if is(left, one) => Some(b),
            BinOp::Div if is(right, one) => Some(a),
            BinOp::Mul if dtype.is_float() => {
                let minus_one = Scalar::float(dtype, -1.0);
                let negated = if minus_one.is_some() && right == minus_one {
                    a
                } else if minus_one.is_some() && left == minus_one {
                    b
                } else {
                    return Ok(None);
                };
                let kind = OpKind::Unary { op: UnOp::Neg, overflow: Overflow::Wrap };
                return self.emit(kind, &[negated], loc).map(Some);
            }
            BinOp::And if dtype == DType::Bool && is(left, one) => Some(b),
            BinOp::And if dtype == DType::Bool && is(right, one) => Some(a),
            BinOp::And if dtype == DType::Bool && is(left, zero) => Some(a),
            BinOp::And if dtype == DType::Bool && is(right, zero) => Some(b),
            BinOp::Or if dtype == DType::Bool && is(left, zero) => Some(b),
            BinOp::Or if dtype == DType::Bool && is(right, zero) => Some(a),
            BinOp::Or if dtype == DType::Bool && is(left, one) => Some(a),
            BinOp::Or if dtype == DType::Bool && is(right, one) => Some(b),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr => None,
        };
        Ok(value)
    }

    /// The powers that the table computes by one operation.
    fn pow(&mut self, x: ValueId, p: ValueId, loc: Option<Loc>) -> Rewritten {
        let dtype = self.builder.ty(x).dtype;
        let dims = self.builder.ty(x).dims.clone();
        let Some(power) = self.splat(p).and_then(Scalar::as_float) else { return Ok(None) };
        let one = Scalar::one(dtype);
        let by = |op| OpKind::Binary { op, overflow: Overflow::Wrap };
        if power == 1.0 {
            Ok(Some(x))
        } else if power == 2.0 {
            self.emit(by(BinOp::Mul), &[x, x], loc).map(Some)
        } else if power == 0.0 {
            self.stretched(one, &dims).map(Some)
        } else if power == -1.0 {
            let one = self.stretched(one, &dims)?;
            self.emit(by(BinOp::Div), &[one, x], loc).map(Some)
        } else {
            Ok(None)
        }
    }

    fn select(&mut self, mask: ValueId, a: ValueId, b: ValueId, loc: Option<Loc>) -> Rewritten {
        if a == b {
            return Ok(Some(a));
        }
        if let Some(known) = self.splat(mask).and_then(Scalar::as_bool) {
            return Ok(Some(if known { a } else { b }));
        }
        let inverted = self.def(mask).and_then(|op| match op.kind {
            OpKind::Unary { op: UnOp::Not, .. } => op.operands.first().copied(),
            _ => None,
        });
        match inverted {
            Some(mask) => self.emit(OpKind::Select, &[mask, b, a], loc).map(Some),
            None => Ok(None),
        }
    }

    fn convert(&self, dtype: DType, a: ValueId) -> Option<ValueId> {
        if self.builder.ty(a).dtype == dtype {
            return Some(a);
        }
        let inner = self.def(a)?;
        let source = *inner.operands.first()?;
        let widened = matches!(inner.kind, OpKind::Convert(DType::F64))
            && self.builder.ty(source).dtype == DType::F32;
        (widened && dtype == DType::F32).then_some(source)
    }

    fn broadcast(&mut self, dims: &Dims, axes: &Axes, a: ValueId, loc: Option<Loc>) -> Rewritten {
        if self.builder.ty(a).dims == *dims {
            return Ok(Some(a));
        }
        let inner = self.def(a).and_then(|op| match &op.kind {
            OpKind::Broadcast { axes, .. } => Some((op.operands[0], axes.clone())),
            _ => None,
        });
        let Some((source, inner_axes)) = inner else { return Ok(None) };
        let axes: Axes = inner_axes.iter().map(|axis| axes[*axis]).collect();
        self.emit(OpKind::Broadcast { dims: dims.clone(), axes }, &[source], loc).map(Some)
    }

    fn reshape(&mut self, dims: &Dims, a: ValueId, loc: Option<Loc>) -> Rewritten {
        if self.builder.ty(a).dims == *dims {
            return Ok(Some(a));
        }
        let Some((kind, operands)) = self.def(a).and_then(|op| {
            let kind = match &op.kind {
                OpKind::Reshape { .. } => OpKind::Reshape { dims: dims.clone() },
                OpKind::Broadcast { axes, .. } if axes.is_empty() => {
                    OpKind::Broadcast { dims: dims.clone(), axes: Axes::new() }
                }
                OpKind::Pack { .. } => OpKind::Pack { dims: dims.clone() },
                _ => return None,
            };
            Some((kind, op.operands.clone()))
        }) else {
            return Ok(None);
        };
        self.emit(kind, &operands, loc).map(Some)
    }

    fn transpose(&mut self, perm: &Axes, a: ValueId, loc: Option<Loc>) -> Rewritten {
        if perm.iter().enumerate().all(|(want, axis)| want == *axis) {
            return Ok(Some(a));
        }
        let dims: Dims = perm.iter().map(|axis| self.builder.ty(a).dims[*axis]).collect();
        let Some((kind, operands)) = self.def(a).and_then(|op| {
            let kind = match &op.kind {
                OpKind::Transpose { perm: inner } => {
                    OpKind::Transpose { perm: perm.iter().map(|axis| inner[*axis]).collect() }
                }
                OpKind::Broadcast { axes, .. } if axes.is_empty() => {
                    OpKind::Broadcast { dims, axes: Axes::new() }
                }
                _ => return None,
            };
            Some((kind, op.operands.clone()))
        }) else {
            return Ok(None);
        };
        self.emit(kind, &operands, loc).map(Some)
    }

    /// A transposed operand becomes a flag.
    fn matmul(
        &mut self,
        transposed: (bool, bool),
        overflow: Overflow,
        a: ValueId,
        b: ValueId,
        loc: Option<Loc>,
    ) -> Rewritten {
        let source = |id: ValueId| {
            self.def(id).and_then(|op| match op.kind {
                OpKind::Transpose { .. } => op.operands.first().copied(),
                _ => None,
            })
        };
        let (left, right) = (source(a), source(b));
        if left.is_none() && right.is_none() {
            return Ok(None);
        }
        let kind = OpKind::MatMul {
            transpose_lhs: transposed.0 != left.is_some(),
            transpose_rhs: transposed.1 != right.is_some(),
            overflow,
        };
        self.emit(kind, &[left.unwrap_or(a), right.unwrap_or(b)], loc).map(Some)
    }

    /// An element at constant positions of what only rearranges elements.
    fn element(&mut self, a: ValueId, positions: &[ValueId], loc: Option<Loc>) -> Rewritten {
        if positions.is_empty() {
            return Ok(Some(a));
        }
        let dims = self.builder.ty(a).dims.clone();
        let Some(at) = self.builder.so_far().constant_positions(&dims, positions) else {
            return Ok(None);
        };
        let Some(op) = self.def(a) else { return Ok(None) };
        let Some(source) = op.operands.first().copied() else { return Ok(None) };
        let source_dims = self.builder.ty(source).dims.clone();
        let inner: Dims = match &op.kind {
            OpKind::Pack { .. } => return Ok(op.operands.get(flat(&dims, &at)).copied()),
            OpKind::Broadcast { axes, .. } => axes
                .iter()
                .zip(&source_dims)
                .map(|(axis, extent)| if *extent == 1 { 0 } else { at[*axis] })
                .collect(),
            OpKind::Transpose { perm } => {
                let mut inner = Dims::from_elem(0, perm.len());
                for (axis, at) in perm.iter().zip(&at) {
                    inner[*axis] = *at;
                }
                inner
            }
            OpKind::Reshape { .. } => unflat(&source_dims, flat(&dims, &at)),
            _ => return Ok(None),
        };
        let mut operands = Operands::from_slice(&[source]);
        for position in inner {
            let Some(position) = Scalar::int(DType::U64, position as i128) else { return Ok(None) };
            operands.push(self.emit(OpKind::Const(position), &[], None)?);
        }
        self.emit(OpKind::Element, &operands, loc).map(Some)
    }

    /// An elementwise op on operands that are all stretched alike: computed before the stretching.
    fn narrowed(&mut self, kind: &OpKind, operands: &[ValueId], loc: Option<Loc>) -> Rewritten {
        let elementwise = matches!(
            kind,
            OpKind::Unary { .. }
                | OpKind::Binary { .. }
                | OpKind::Math(_)
                | OpKind::Compare(_)
                | OpKind::Select
                | OpKind::Convert(_)
        );
        if !elementwise {
            return Ok(None);
        }
        let mut stretch: Option<(Dims, Axes, Dims)> = None;
        let mut sources = Operands::new();
        for operand in operands {
            let Some(Op { kind: OpKind::Broadcast { dims, axes }, operands: inner, .. }) =
                self.def(*operand)
            else {
                return Ok(None);
            };
            let this = (dims.clone(), axes.clone(), self.builder.ty(inner[0]).dims.clone());
            if stretch.get_or_insert_with(|| this.clone()) != &this {
                return Ok(None);
            }
            sources.push(inner[0]);
        }
        let Some((dims, axes, _)) = stretch else { return Ok(None) };
        let narrow = self.emit(kind.clone(), &sources, loc)?;
        self.emit(OpKind::Broadcast { dims, axes }, &[narrow], loc).map(Some)
    }

    fn stretched(&mut self, value: Scalar, dims: &Dims) -> Built {
        let scalar = self.emit(OpKind::Const(value), &[], None)?;
        self.emit(OpKind::Broadcast { dims: dims.clone(), axes: Axes::new() }, &[scalar], None)
    }

    fn def(&self, id: ValueId) -> Option<&Op> {
        self.builder.so_far().def(id)
    }

    fn splat(&self, id: ValueId) -> Option<Scalar> {
        self.builder.so_far().splat(id)
    }

    fn constant(&self, id: ValueId) -> Option<Tensor> {
        match &self.def(id)?.kind {
            OpKind::Const(value) => Some(Tensor::scalar(*value)),
            OpKind::Dense(dense) if dense.data().len() <= MAX_FOLDED => {
                Tensor::new(dense.ty().clone(), dense.data().to_vec())
            }
            _ => None,
        }
    }
}

/// The index tuple at a row-major position.
fn unflat(dims: &[usize], position: usize) -> Dims {
    let mut rest = position;
    let mut index = Dims::from_elem(0, dims.len());
    for (index, dim) in index.iter_mut().zip(dims).rev() {
        *index = rest % dim.max(&1);
        rest /= dim.max(&1);
    }
    index
}
