//! Literals and casts.

use neuro_db::{Name, codes};
use neuro_hir::{ExprId, Literal, TypeRef};
use neuro_num::DType;

use super::{Context, Written};
use crate::{Finding, Place, Ty, VarKind};

impl Context<'_> {
    /// The type of a literal; `negation` is the `-` directly before it.
    pub(super) fn infer_literal(
        &mut self,
        expr: ExprId,
        literal: &Literal,
        negation: Option<ExprId>,
    ) -> Ty {
        let (float, suffix) = match literal {
            Literal::Bool(_) => {
                self.literals.push(Written { literal: expr, negation });
                return Ty::Scalar(DType::Bool);
            }
            Literal::Char(_) => return Ty::Char,
            Literal::Int(_, suffix) => (false, suffix),
            Literal::Float(_, suffix) => (true, suffix),
        };
        self.literals.push(Written { literal: expr, negation });
        match suffix {
            None => self.table.fresh(if float { VarKind::Float } else { VarKind::Int }),
            Some(suffix) => self.suffixed(expr, float, suffix),
        }
    }

    fn suffixed(&mut self, expr: ExprId, float: bool, suffix: &Name) -> Ty {
        let fits = |dtype: &DType| if float { dtype.is_float() } else { dtype.is_int() };
        match DType::from_name(suffix).filter(fits) {
            Some(dtype) => Ty::Scalar(dtype),
            None => {
                let kind = if float { "float" } else { "integer" };
                self.refuse(Finding::new(
                    codes::LITERAL,
                    Place::Expr(expr),
                    format!("`{suffix}` is no suffix of {kind} literals"),
                ))
            }
        }
    }

    pub(super) fn infer_cast(&mut self, expr: ExprId, operand: ExprId, ty: &TypeRef) -> Ty {
        let found = self.infer(operand, None);
        let target = self.written_type(Place::WrittenType(expr), ty);
        if let Some(absorbed) = self.absorbed(&found) {
            return if absorbed == Ty::Never { absorbed } else { target };
        }
        let found = self.settled(operand, &found);
        let found = self.table.finish(&found);
        let possible = match (&found, &target) {
            (_, Ty::Error) => true,
            (Ty::Scalar(DType::Bool), Ty::Scalar(to)) => to.is_int() || *to == DType::Bool,
            (Ty::Scalar(_), Ty::Scalar(to)) => *to != DType::Bool,
            (Ty::Char, Ty::Scalar(to)) | (Ty::Scalar(to), Ty::Char) => to.is_int(),
            (Ty::Char, Ty::Char) => true,
            _ => false,
        };
        if !possible {
            let finding = Finding::new(
                codes::CAST,
                Place::Head(expr),
                format!("`as` does not convert `{found}` to `{target}`"),
            );
            let finding = match (&found, &target) {
                (Ty::Ref { .. }, _) => {
                    finding.note("`as` does not read through references: write `*x as T`")
                }
                (Ty::Tensor(_), target) => {
                    let elem = match target {
                        Ty::Scalar(elem) => Some(*elem),
                        target => target.as_tensor().map(|tensor| tensor.elem),
                    };
                    let elem = elem.map_or("f64", DType::name);
                    finding.note(format!(
                        "`as` converts numbers, not tensors; `.map` converts the elements: `t.map(|x| x as {elem})`"
                    ))
                }
                (Ty::Scalar(_), Ty::Scalar(DType::Bool)) => {
                    finding.note("compare instead: `x != 0`")
                }
                _ => finding,
            };
            self.report(finding);
        }
        target
    }
}
