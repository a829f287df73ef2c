//! Tangents, op by op.

use neuro_ir::{BuildError, Built, FunctionBuilder, Op, OpKind, ValueId};
use neuro_num::{BinOp, MathFn, UnOp, math::SlopeExpr};

use super::Sweep;
use crate::{
    AutodiffError,
    slope::{SlopeBuilder, SlopeLeaf, constant},
};

impl Sweep<'_> {
    /// Copies an op and adds the tangent of its result.
    pub(super) fn op(&mut self, op: &Op) -> Result<(), AutodiffError> {
        let no_rule = || AutodiffError::NoRule { op: op.kind.name(), loc: op.loc };
        match op.kind {
            OpKind::If => return self.branch_tangent(op),
            OpKind::While => return self.loop_tangent(op),
            _ => {}
        }
        let operands: Built<Vec<ValueId>> = op.operands.iter().map(|id| self.value(*id)).collect();
        let id = self.builder.control(op.kind.clone(), &operands?, &[], op.loc)?;
        let results = self.builder.results(id).to_vec();
        for (old, new) in op.results.iter().zip(results) {
            self.values[old.index()] = Some(new);
        }
        let [result] = op.results.as_slice() else { return Ok(()) };
        if !self.activity.varied(*result) {
            return Ok(());
        }
        let tangent = match &op.kind {
            OpKind::Unary { op: UnOp::Neg, .. }
            | OpKind::Broadcast { .. }
            | OpKind::Reshape { .. }
            | OpKind::Transpose { .. }
            | OpKind::Sum { .. }
            | OpKind::Convert(_) => self.linear_tangent(op)?,
            OpKind::Update { .. } => self.update_tangent(op)?,
            OpKind::Element | OpKind::Scatter { .. } => self.element_tangent(op)?,
            OpKind::Binary { op: binary, .. } => match binary {
                BinOp::Add => self.add_tangent(op)?,
                BinOp::Sub => self.sub_tangent(op)?,
                BinOp::Mul => self.mul_tangent(op)?,
                BinOp::Div => self.div_tangent(op)?,
                BinOp::Rem => self.rem_tangent(op)?,
                BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
                    return Err(no_rule());
                }
            },
            OpKind::Math(function) => self.math_tangent(*function, op)?,
            OpKind::Select => self.select_tangent(op)?,
            OpKind::MatMul { .. } => self.matmul_tangent(op)?,
            OpKind::Pack { .. } => self.pack_tangent(op)?,
            OpKind::Const(_)
            | OpKind::Dense(_)
            | OpKind::Unary { op: UnOp::Not, .. }
            | OpKind::Compare(_)
            | OpKind::Detach
            | OpKind::Assert { .. }
            | OpKind::Push { .. }
            | OpKind::Pop { .. }
            | OpKind::If
            | OpKind::While => return Err(no_rule()),
        };
        self.tangents[result.index()] = tangent;
        Ok(())
    }

    pub(super) fn value(&self, primal: ValueId) -> Built {
        self.values[primal.index()].ok_or_else(|| BuildError {
            op: "forward",
            reason: format!("{primal} is used before its definition"),
            loc: None,
        })
    }

    fn tangent(&self, primal: ValueId) -> Option<ValueId> {
        self.tangents[primal.index()]
    }

    /// The op itself, on the tangent.
    fn linear_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let Some(tangent) = self.tangent(op.operands[0]) else { return Ok(None) };
        self.builder.op(op.kind.clone(), &[tangent], op.loc).map(Some)
    }

    /// The tensor's tangent with the scalar's at the same place.
    fn update_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (tensor, scalar) = (op.operands[0], op.operands[1]);
        let tangents = (self.tangent(tensor), self.tangent(scalar));
        let mut operands = match tangents {
            (None, None) => return Ok(None),
            (tensor_tangent, scalar_tangent) => {
                let builder = &mut self.builder;
                let mut zeros = |id| constant(builder, 0.0, self.primal.ty(id));
                vec![
                    tensor_tangent.unwrap_or_else(|| zeros(tensor)),
                    scalar_tangent.unwrap_or_else(|| zeros(scalar)),
                ]
            }
        };
        for position in &op.operands[2..] {
            operands.push(self.value(*position)?);
        }
        self.builder.op(op.kind.clone(), &operands, op.loc).map(Some)
    }

    /// The same place of the tangent. The read has trapped before when it is out of bounds.
    fn element_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let Some(tangent) = self.tangent(op.operands[0]) else { return Ok(None) };
        let mut operands = vec![tangent];
        for position in &op.operands[1..] {
            operands.push(self.value(*position)?);
        }
        self.builder.op(op.kind.clone(), &operands, op.loc).map(Some)
    }

    fn add_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (da, db) = (self.tangent(op.operands[0]), self.tangent(op.operands[1]));
        self.total(da, db, op)
    }

    fn sub_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        match (self.tangent(op.operands[0]), self.tangent(op.operands[1])) {
            (da, None) => Ok(da),
            (None, Some(db)) => self.builder.neg(db, op.loc).map(Some),
            (Some(da), Some(db)) => self.builder.sub(da, db, op.loc).map(Some),
        }
    }

    fn mul_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (a, b) = (op.operands[0], op.operands[1]);
        let left = self.product(self.tangent(a), b, op)?;
        let right = self.product(self.tangent(b), a, op)?;
        self.total(left, right, op)
    }

    /// `(da - y * db) / b`
    fn div_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (a, b) = (op.operands[0], op.operands[1]);
        let change = self.product(self.tangent(b), op.results[0], op)?;
        let numerator = match (self.tangent(a), change) {
            (da, None) => da,
            (None, Some(change)) => Some(self.builder.neg(change, op.loc)?),
            (Some(da), Some(change)) => Some(self.builder.sub(da, change, op.loc)?),
        };
        let Some(numerator) = numerator else { return Ok(None) };
        let divisor = self.value(b)?;
        self.builder.div(numerator, divisor, op.loc).map(Some)
    }

    /// `da - (a - y) / b * db`
    fn rem_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (a, b) = (op.operands[0], op.operands[1]);
        let change = match self.tangent(b) {
            None => None,
            Some(db) => {
                let (dividend, divisor) = (self.value(a)?, self.value(b)?);
                let remainder = self.value(op.results[0])?;
                let whole = self.builder.sub(dividend, remainder, op.loc)?;
                let quotient = self.builder.div(whole, divisor, op.loc)?;
                let product = self.builder.mul(quotient, db, op.loc)?;
                Some(self.builder.neg(product, op.loc)?)
            }
        };
        self.total(self.tangent(a), change, op)
    }

    fn math_tangent(&mut self, function: MathFn, op: &Op) -> Built<Option<ValueId>> {
        let mut sum = None;
        for (index, partial) in function.row().partials.iter().enumerate() {
            let Some(tangent) = self.tangent(op.operands[index]) else { continue };
            if partial.is_flat() {
                continue;
            }
            let part = if let SlopeExpr::Div(SlopeExpr::Const(1.0), divisor) = &partial.slope {
                let divisor = self.slope(divisor, op)?;
                self.builder.div(tangent, divisor, op.loc)?
            } else {
                let slope = self.slope(&partial.slope, op)?;
                self.builder.mul(tangent, slope, op.loc)?
            };
            sum = self.total(sum, Some(part), op)?;
        }
        Ok(sum)
    }

    fn slope(&mut self, slope: &SlopeExpr, op: &Op) -> Built {
        let arguments: Built<Vec<ValueId>> = op.operands.iter().map(|id| self.value(*id)).collect();
        let arguments = arguments?;
        let result = self.value(op.results[0])?;
        let leaf = |_: &mut FunctionBuilder, leaf: SlopeLeaf| match leaf {
            SlopeLeaf::Argument(index) => arguments.get(index).copied().ok_or_else(|| BuildError {
                op: op.kind.name(),
                reason: "a slope reads an argument that does not exist".to_owned(),
                loc: op.loc,
            }),
            SlopeLeaf::Result => Ok(result),
        };
        let ty = self.primal.ty(op.results[0]).clone();
        SlopeBuilder { builder: &mut self.builder, leaf, ty, loc: op.loc }.build(slope)
    }

    /// The tangent of the operand that is taken; an absent one counts as zeros.
    fn select_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (da, db) = (self.tangent(op.operands[1]), self.tangent(op.operands[2]));
        if da.is_none() && db.is_none() {
            return Ok(None);
        }
        let ty = self.primal.ty(op.results[0]);
        let mask = self.value(op.operands[0])?;
        let da = da.unwrap_or_else(|| constant(&mut self.builder, 0.0, ty));
        let db = db.unwrap_or_else(|| constant(&mut self.builder, 0.0, ty));
        self.builder.select(mask, da, db, op.loc).map(Some)
    }

    fn matmul_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let (a, b) = (op.operands[0], op.operands[1]);
        let mut sum = None;
        for (left, right) in [(self.tangent(a), None), (None, self.tangent(b))] {
            if left.is_none() && right.is_none() {
                continue;
            }
            let left = left.map_or_else(|| self.value(a), Ok)?;
            let right = right.map_or_else(|| self.value(b), Ok)?;
            let part = self.builder.op(op.kind.clone(), &[left, right], op.loc)?;
            sum = self.total(sum, Some(part), op)?;
        }
        Ok(sum)
    }

    fn pack_tangent(&mut self, op: &Op) -> Built<Option<ValueId>> {
        let mut leaves = Vec::new();
        for leaf in &op.operands {
            let ty = self.primal.ty(*leaf);
            let tangent = self.tangent(*leaf);
            leaves.push(tangent.unwrap_or_else(|| constant(&mut self.builder, 0.0, ty)));
        }
        self.builder.op(op.kind.clone(), &leaves, op.loc).map(Some)
    }

    /// A tangent times a value of the primal.
    fn product(
        &mut self,
        tangent: Option<ValueId>,
        factor: ValueId,
        op: &Op,
    ) -> Built<Option<ValueId>> {
        let Some(tangent) = tangent else { return Ok(None) };
        let factor = self.value(factor)?;
        self.builder.mul(tangent, factor, op.loc).map(Some)
    }

    /// The sum of what is present.
    fn total(&mut self, a: Option<ValueId>, b: Option<ValueId>, op: &Op) -> Built<Option<ValueId>> {
        match (a, b) {
            (Some(a), Some(b)) => self.builder.add(a, b, op.loc).map(Some),
            (one, None) | (None, one) => Ok(one),
        }
    }
}
