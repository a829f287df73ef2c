//! The methods of integers and floats that are neither operators nor functions of the table.

use neuro_hir::ExprId;
use neuro_num::DType;
use neuro_types::{Arithmetic, Ty};

use super::Lowering;
use super::read::Reading;
use crate::{NumberOp, Operand, Operation, Place, Rvalue};

impl Lowering<'_, '_> {
    /// A method whose result is a number or a truth value.
    pub(super) fn number_method(
        &mut self,
        op: NumberOp,
        operands: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        self.apply(dest, Operation::Number(op), operands, Reading::Looking, expr);
    }

    /// `a.checked_add(b)` and its like: the result if it is a value of the type.
    pub(super) fn checked_arithmetic(
        &mut self,
        op: Arithmetic,
        operands: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let reads = self.read_all(operands, Reading::Looking, &[]);
        let operands: Vec<Operand> = reads.iter().map(|read| read.operand.clone()).collect();
        let Some(first) = operands.first() else { return };
        let dtype = Self::element(&self.operand_ty(first));
        let result = self.number(NumberOp::Wrapping(op), operands.clone(), dtype, expr);
        let fits = self.number(NumberOp::Fits(op), operands, DType::Bool, expr);
        self.after(reads);
        self.some_if(fits, dest, expr, |_| result);
    }

    /// `x.to_checked::<I>()`
    pub(super) fn checked_cast(&mut self, receiver: ExprId, dest: &Place, expr: ExprId) {
        let Some(target) = self.success_type(&self.place_ty(dest)) else { return };
        let target = Self::element(&target);
        let read = self.read(receiver, Reading::Looking, &[]);
        let value = read.operand.clone();
        let holds = self.number(NumberOp::Holds(target), vec![value.clone()], DType::Bool, expr);
        self.some_if(holds, dest, expr, |lowering| {
            let cast = Place::local(lowering.temporary(Ty::Scalar(target)));
            lowering.operation(&cast, Operation::Cast(target), vec![value], expr);
            Operand::Copy(cast)
        });
        self.after(vec![read]);
    }

    /// Puts `Some` of a value in a place if a condition holds, `None` otherwise.
    pub(super) fn some_if(
        &mut self,
        cond: Operand,
        dest: &Place,
        expr: ExprId,
        value: impl FnOnce(&mut Self) -> Operand,
    ) {
        let Some((some, none)) = self.option_variants(&self.place_ty(dest)) else { return };
        let branch = self.branch(cond);
        self.start(branch.then);
        let value = value(self);
        self.build_variant(some, vec![value], dest, expr);
        let then = self.end_of_arm();
        self.start(branch.otherwise);
        self.build_variant(none, Vec::new(), dest, expr);
        let otherwise = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
    }

    fn number(
        &mut self,
        op: NumberOp,
        operands: Vec<Operand>,
        result: DType,
        expr: ExprId,
    ) -> Operand {
        let result = Place::local(self.temporary(Ty::Scalar(result)));
        self.assign(&result, Rvalue::Operation { op: Operation::Number(op), operands }, expr);
        Operand::Copy(result)
    }
}
