//! Operators on types of the program: newtypes compare as what they wrap, and everything else has the
//! methods of the operators' traits.

use neuro_hir::{BinaryOp, CompareOp, ExprId, UnaryOp};

use super::Context;
use crate::{DefKind, Ty, newtype_inner};

impl Context<'_> {
    /// The result of a binary operator that a type of the program defines; none if it does not.
    pub(super) fn operator_method(
        &mut self,
        _expr: ExprId,
        _op: BinaryOp,
        _lhs: (ExprId, &Ty),
        _rhs: (ExprId, &Ty),
    ) -> Option<Ty> {
        None
    }

    /// The result of a prefix operator that a type of the program defines; none if it does not.
    pub(super) fn prefix_method(
        &mut self,
        _expr: ExprId,
        _op: UnaryOp,
        _operand: (ExprId, &Ty),
    ) -> Option<Ty> {
        None
    }

    /// Whether two values of types of the program can be compared.
    pub(super) fn comparison_method(
        &mut self,
        _expr: ExprId,
        op: CompareOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> bool {
        let (left, right) = (self.resolved(lhs.1), self.resolved(rhs.1));
        left.peeled() == right.peeled() && self.compares(left.peeled(), op)
    }

    /// Whether a newtype compares as what it wraps.
    fn compares(&self, ty: &Ty, op: CompareOp) -> bool {
        let ordered = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        match ty {
            Ty::Adt { def, args } if def.kind() == DefKind::Newtype => {
                def.as_newtype(self.db).is_some_and(|item| {
                    self.compares(&newtype_inner(self.db, item).ty.apply(args), op)
                })
            }
            Ty::Scalar(dtype) => !ordered || *dtype != neuro_num::DType::Bool,
            Ty::Char => true,
            Ty::Text => !ordered,
            _ => false,
        }
    }
}
