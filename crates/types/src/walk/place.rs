//! Places: what can be borrowed, and what can be assigned.

use neuro_db::codes;
use neuro_hir::{BinaryOp, Binding, Expr, ExprId, LocalId};
use neuro_num::DType;

use super::elementwise::broadcast;
use super::operator::{Operand, symbol};
use super::{Context, Type, Why};
use crate::{Finding, Place, Remedy, TensorTy, Ty};

impl Context<'_> {
    /// Whether the expression names something that lives on after it is read.
    pub(super) fn is_place(&self, expr: ExprId) -> bool {
        matches!(self.expr(expr), Expr::Local(_) | Expr::Deref(_) | Expr::Index { .. })
    }

    pub(super) fn infer_borrow(
        &mut self,
        expr: ExprId,
        mutable: bool,
        operand: ExprId,
        hint: Option<&Ty>,
    ) -> Type {
        let hint = match hint {
            Some(Ty::Ref { inner, .. }) => Some(&**inner),
            _ => None,
        };
        let found = self.infer(operand, hint);
        let sign = if mutable { "&mut" } else { "&" };
        let refused = match self.expr(operand) {
            Expr::Local(_) | Expr::Deref(_) | Expr::Missing => None,
            Expr::Index { .. } => Some(Finding::new(
                codes::UNSUPPORTED,
                Place::Expr(expr),
                "a reference to an element is not supported yet",
            )),
            Expr::Path(name) => Some(Finding::new(
                codes::OPERATOR,
                Place::Expr(expr),
                format!(
                    "`{sign}` borrows a place in memory, and the constant `{name}` has none; bind its value first"
                ),
            )),
            _ => Some(Finding::new(
                codes::OPERATOR,
                Place::Expr(expr),
                format!(
                    "`{sign}` borrows a place in memory, and this is a value that ends here; bind it first"
                ),
            )),
        };
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        if let Some(finding) = refused {
            self.give_up(&found);
            return self.refuse(finding);
        }
        Type::Known(self.numbers.finish(&found).reference(mutable))
    }

    pub(super) fn infer_deref(&mut self, expr: ExprId, operand: ExprId) -> Type {
        let found = self.infer(operand, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        match self.resolved(&found) {
            Type::Known(Ty::Ref { inner, .. }) => Type::Known((*inner).clone()),
            found => {
                let described = self.describe(&found);
                self.give_up(&found);
                self.refuse(Finding::new(
                    codes::OPERATOR,
                    Place::Head(expr),
                    format!("`*` reads through a reference, and this is {described}"),
                ))
            }
        }
    }

    pub(super) fn infer_assign(&mut self, place: ExprId, value: ExprId) -> Type {
        let target = self.infer(place, None);
        if self.absorbed(&target).is_none() {
            if let Some(finding) = self.through_reference(place, value) {
                self.infer(value, None);
                self.report(finding);
                return Type::VOID;
            }
            if let Some(finding) = self.not_writable(place) {
                self.report(finding);
            }
        }
        let target = self.numbers.finish(&target);
        self.check(value, &target, &Why::Assigned(place));
        Type::VOID
    }

    /// `r = value` with the referent's type, where `*r = value` is meant.
    fn through_reference(&self, place: ExprId, value: ExprId) -> Option<Finding> {
        let Type::Known(Ty::Ref { mutable: true, .. }) = self.type_of(place) else { return None };
        // A reference is given as a borrow, or by a binding that holds one.
        match self.expr(value) {
            Expr::Borrow { .. } => return None,
            Expr::Local(local)
                if matches!(self.locals.get(*local), Some(Ty::Ref { .. } | Ty::Error)) =>
            {
                return None;
            }
            _ => {}
        }
        Some(
            Finding::new(
                codes::ASSIGNMENT,
                Place::Expr(place),
                format!(
                    "{} is a reference; what it refers to is assigned with `*`",
                    self.subject(place)
                ),
            )
            .remedy(Remedy::InsertBefore(
                Place::Expr(place),
                "assign what it refers to".to_owned(),
                "*".to_owned(),
            )),
        )
    }

    /// Why a place cannot be written, if so.
    fn not_writable(&self, place: ExprId) -> Option<Finding> {
        match self.expr(place) {
            Expr::Local(local) => self.not_mutable(place, *local),
            Expr::Deref(inner) => self.shared(place, &self.type_of(*inner)),
            Expr::Index { base, .. } => match self.type_of(*base) {
                ty @ Type::Known(Ty::Ref { .. }) => self.shared(*base, &ty),
                _ => self.not_writable(*base),
            },
            Expr::Path(name) => Some(Finding::new(
                codes::ASSIGNMENT,
                Place::Expr(place),
                format!("the constant `{name}` cannot be assigned"),
            )),
            _ => Some(Finding::new(
                codes::ASSIGNMENT,
                Place::Expr(place),
                "this is a value, not a place that can be assigned",
            )),
        }
    }

    /// The borrow nearest to what is stored decides: a `&` cannot be written through.
    fn shared(&self, place: ExprId, ty: &Type) -> Option<Finding> {
        let Type::Known(Ty::Ref { mutable: false, .. }) = ty else { return None };
        let local = match self.expr(place) {
            Expr::Local(local) => Some(*local),
            Expr::Deref(inner) => match self.expr(*inner) {
                Expr::Local(local) => Some(*local),
                _ => None,
            },
            _ => None,
        };
        let finding = Finding::new(
            codes::ASSIGNMENT,
            Place::Expr(place),
            "this is behind a shared reference `&`, which only reads",
        );
        let Some(local) = local else { return Some(finding) };
        let finding = finding.related(Place::Local(local), "the reference is declared here");
        Some(match self.body.params.iter().position(|param| *param == local) {
            Some(index) => finding.remedy(Remedy::InsertBefore(
                Place::ParamReferent(index),
                "take it by `&mut`".to_owned(),
                "mut ".to_owned(),
            )),
            None => finding,
        })
    }

    fn not_mutable(&self, place: ExprId, local: LocalId) -> Option<Finding> {
        let declared = &self.body.locals[local];
        let name = &declared.name;
        let finding = |message: String| {
            Finding::new(codes::ASSIGNMENT, Place::Expr(place), message)
                .related(Place::Local(local), format!("`{name}` is declared here"))
        };
        match declared.binding {
            _ if declared.mutable => None,
            // What is passed by value belongs to the function.
            Binding::Param if !matches!(self.locals.get(local), Some(Ty::Ref { .. })) => None,
            Binding::Param => Some(finding(format!(
                "the parameter `{name}` cannot be made to refer to something else"
            ))),
            Binding::Arm | Binding::Failure | Binding::ClosureParam | Binding::Const => {
                Some(finding(format!("`{name}` cannot be assigned")))
            }
            Binding::Receiver => Some(finding("`self` cannot be assigned".to_owned())),
            Binding::Loop => {
                Some(finding(format!("the loop variable `{name}` cannot be assigned")))
            }
            Binding::Let => Some(
                finding(format!("`{name}` is declared with `val` and cannot be assigned")).remedy(
                    Remedy::Replace(
                        Place::LocalKeyword(local),
                        format!("declare `{name}` with `mut`"),
                        "mut".to_owned(),
                    ),
                ),
            ),
        }
    }

    /// `place op= value`. The value is evaluated before the place, as it is at run time.
    pub(super) fn infer_compound(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        place: ExprId,
        value: ExprId,
    ) -> Type {
        let right = self.infer(value, None);
        let left = self.infer(place, None);
        if self.absorb_either(&left, &right).is_some() {
            return Type::VOID;
        }
        let written = format!("{}=", symbol(op));
        match self.resolved(&left) {
            Type::Known(ty) if ty.as_tensor().is_some() => {
                if let Some(tensor) = ty.as_tensor() {
                    self.tensor_compound(expr, op, (place, &ty, tensor), (value, &right));
                }
            }
            Type::Known(Ty::Scalar(dtype)) => {
                if let Some(finding) = self.not_writable(place) {
                    self.report(finding);
                    self.give_up(&right);
                } else {
                    self.scalar_compound(expr, &written, dtype, (value, &right));
                }
            }
            Type::Known(Ty::Ref { .. }) => {
                self.give_up(&right);
                self.report(
                    Finding::new(
                        codes::ASSIGNMENT,
                        Place::Expr(place),
                        format!(
                            "{} is a reference; what it refers to is assigned with `*`",
                            self.subject(place)
                        ),
                    )
                    .remedy(Remedy::InsertBefore(
                        Place::Expr(place),
                        "assign what it refers to".to_owned(),
                        "*".to_owned(),
                    )),
                );
            }
            _ => {
                self.no_operator(expr, &written, &left, &right);
            }
        }
        Type::VOID
    }

    fn scalar_compound(
        &mut self,
        expr: ExprId,
        written: &str,
        dtype: DType,
        value: (ExprId, &Type),
    ) {
        match self.operand(value.1) {
            _ if dtype == DType::Bool => {
                self.no_operator(expr, written, &Type::scalar(dtype), value.1);
            }
            Operand::Number(_) => {
                self.literal_operand(value, dtype);
            }
            Operand::Scalar(found) if found == dtype => {}
            Operand::Scalar(_) | Operand::Tensor(_) | Operand::Char | Operand::Other => {
                let described = self.describe(value.1);
                let mut finding = Finding::new(
                    codes::OPERATOR,
                    Place::Expr(value.0),
                    format!("`{written}` on `{dtype}`: expected `{dtype}`, found {described}"),
                );
                if let Operand::Tensor(TensorTy { shape, .. }) = self.operand(value.1)
                    && shape.rank() == 0
                {
                    finding = finding.note("`.item()` reads the number out of a rank-0 tensor");
                }
                self.report(finding);
            }
        }
    }

    fn tensor_compound(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        (place, place_ty, target): (ExprId, &Ty, &TensorTy),
        value: (ExprId, &Type),
    ) {
        let written = format!("{}=", symbol(op));
        let unwritable = match place_ty {
            Ty::Ref { .. } => self.shared(place, &Type::Known(place_ty.clone())),
            _ => self.not_writable(place),
        };
        if let Some(finding) = unwritable {
            self.report(finding);
            self.give_up(value.1);
            return;
        }
        match self.operand(value.1) {
            Operand::Tensor(found) => {
                if !self.same_elements(expr, &written, target, &found) {
                    return;
                }
                match broadcast(&target.shape, &found.shape) {
                    Ok(shape) if shape == target.shape => {}
                    Ok(_) => self.report(
                        Finding::new(
                            codes::SHAPE,
                            Place::Head(expr),
                            format!("`{written}` cannot enlarge its target `{target}` to the shape of `{found}`"),
                        )
                        .note("the right side is stretched up to the target's shape, never past it"),
                    ),
                    Err(axes) => {
                        let finding = self.no_broadcast(expr, &written, target, &found, axes);
                        self.report(finding);
                    }
                }
            }
            Operand::Number(_) if target.elem != DType::Bool => {
                self.literal_operand(value, target.elem);
            }
            Operand::Scalar(dtype) if dtype == target.elem && dtype != DType::Bool => {}
            _ => {
                self.no_operator(expr, &written, &Type::Known(Ty::Tensor(target.clone())), value.1);
            }
        }
    }
}
