//! Places: what can be borrowed, and what can be assigned.

use neuro_db::codes;
use neuro_hir::{BinaryOp, Binding, Expr, ExprId, LocalId};
use neuro_num::DType;

use super::elementwise::{broadcast, same_extents};
use super::operator::{Operand, symbol};
use super::{Context, Why};
use crate::{DefKind, Finding, Place, Remedy, TensorTy, Ty};

impl Context<'_> {
    /// Whether the expression names something that lives on after it is read.
    pub(super) fn is_place(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Local(_) | Expr::Deref(_) => true,
            Expr::Index { base, .. } | Expr::Field { base, .. } | Expr::TupleField { base, .. } => {
                self.is_place(*base) || matches!(self.type_of(*base), Ty::Ref { .. })
            }
            _ => false,
        }
    }

    pub(super) fn infer_borrow(
        &mut self,
        expr: ExprId,
        mutable: bool,
        operand: ExprId,
        hint: Option<&Ty>,
    ) -> Ty {
        let hint = match hint {
            Some(Ty::Ref { inner, .. }) => Some(&**inner),
            _ => None,
        };
        let found = self.infer(operand, hint);
        let sign = if mutable { "&mut" } else { "&" };
        let refused = match self.expr(operand) {
            Expr::Local(local) if self.body.locals[*local].binding == Binding::Const => {
                let name = &self.body.locals[*local].name;
                Some(Finding::new(
                    codes::OPERATOR,
                    Place::Expr(expr),
                    format!(
                        "`{sign}` borrows a place in memory, and the constant `{name}` has none; bind its value first"
                    ),
                ))
            }
            Expr::Missing => None,
            _ if self.is_place(operand) => match &found {
                // An element of a tensor has no address of its own that a reference could keep.
                _ if self.is_tensor_part(operand) => Some(
                    Finding::new(
                        codes::OPERATOR,
                        Place::Expr(expr),
                        format!("`{sign}` borrows a place in memory, and a part of a tensor is read by value"),
                    )
                    .note("bind it first, or borrow the whole tensor"),
                ),
                _ => None,
            },
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
        self.table.finish(&found).reference(mutable)
    }

    /// Whether the expression is an element or a part of a tensor.
    fn is_tensor_part(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Index { base, .. } => self.type_of(*base).as_tensor().is_some(),
            _ => false,
        }
    }

    /// Why what is called may not change its receiver, if so: it is no place, cannot be written, or is behind a
    /// shared reference.
    pub(super) fn not_changeable(&self, receiver: ExprId) -> Option<Finding> {
        let finding = match self.type_of(receiver) {
            ty @ Ty::Ref { .. } => self.shared(receiver, &ty),
            _ if self.is_place(receiver) => self.fixed(receiver),
            // A value that ends here may be changed before it does.
            _ => None,
        };
        finding.map(|finding| {
            let subject = self.subject(receiver);
            Finding {
                code: codes::NOT_MUTABLE,
                message: match self.type_of(receiver) {
                    Ty::Ref { .. } => format!("{subject} is lent by `&`, and cannot be changed"),
                    _ => format!("{subject} is not `mut`, and cannot be changed"),
                },
                ..finding
            }
        })
    }

    pub(super) fn infer_deref(&mut self, expr: ExprId, operand: ExprId) -> Ty {
        let found = self.infer(operand, None);
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        match self.resolved(&found) {
            Ty::Ref { inner, .. } => (*inner).clone(),
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

    pub(super) fn infer_assign(&mut self, place: ExprId, value: ExprId) -> Ty {
        let target = self.infer(place, None);
        if self.absorbed(&target).is_none() {
            if let Some(finding) = self.through_reference(place, value) {
                self.infer(value, None);
                self.report(finding);
                return Ty::Void;
            }
            if let Some(finding) = self.several_elements(place) {
                self.infer(value, None);
                self.give_up(&self.type_of(value));
                self.report(finding);
                return Ty::Void;
            }
            if let Some(finding) = self.not_writable(place) {
                self.report(finding);
            }
        }
        let target = self.table.finish(&target);
        self.check(value, &target, &Why::Assigned(place));
        Ty::Void
    }

    /// `r = value` with the referent's type, where `*r = value` is meant.
    fn through_reference(&self, place: ExprId, value: ExprId) -> Option<Finding> {
        let Ty::Ref { mutable: true, .. } = self.type_of(place) else { return None };
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

    /// Why a place cannot be assigned, if so.
    fn not_writable(&self, place: ExprId) -> Option<Finding> {
        match self.expr(place) {
            Expr::TupleField { base, .. } if !self.is_newtype(*base) => {
                let finding = Finding::new(
                    codes::ASSIGNMENT,
                    Place::Expr(place),
                    "the elements of a tuple are not assigned one by one",
                );
                Some(finding.note(match self.written(*base) {
                    Some(whole) => format!("assign the whole: `{whole} = (..)`"),
                    None => "assign the whole tuple".to_owned(),
                }))
            }
            Expr::Index { base, .. } | Expr::Field { base, .. } | Expr::TupleField { base, .. } => {
                match self.type_of(*base) {
                    ty @ Ty::Ref { .. } => self.shared(*base, &ty),
                    _ => self.not_writable(*base),
                }
            }
            _ => self.fixed(place),
        }
    }

    /// Why what is in a place cannot be changed, if so.
    fn fixed(&self, place: ExprId) -> Option<Finding> {
        match self.expr(place) {
            Expr::Local(local) => self.not_mutable(place, *local),
            Expr::Deref(inner) => self.shared(place, &self.type_of(*inner)),
            Expr::Index { base, .. } | Expr::Field { base, .. } | Expr::TupleField { base, .. } => {
                match self.type_of(*base) {
                    ty @ Ty::Ref { .. } => self.shared(*base, &ty),
                    _ => self.fixed(*base),
                }
            }
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

    fn is_newtype(&self, expr: ExprId) -> bool {
        match self.type_of(expr).peeled() {
            Ty::Adt { def, .. } => def.kind() == DefKind::Newtype,
            _ => false,
        }
    }

    /// A place as it may be written again: names, fields and elements at any depth.
    fn written(&self, place: ExprId) -> Option<String> {
        Some(match self.expr(place) {
            Expr::Local(local) => self.body.locals[*local].name.to_string(),
            Expr::Field { base, name } => format!("{}.{name}", self.written(*base)?),
            Expr::TupleField { base, index } => match self.expr(*base) {
                Expr::TupleField { .. } => format!("({}).{index}", self.written(*base)?),
                _ => format!("{}.{index}", self.written(*base)?),
            },
            _ => return None,
        })
    }

    /// The borrow nearest to what is stored decides: a `&` cannot be written through.
    fn shared(&self, place: ExprId, ty: &Ty) -> Option<Finding> {
        let Ty::Ref { mutable: false, .. } = ty else { return None };
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
            None if self.body.receiver == Some(local) => finding.remedy(Remedy::Replace(
                Place::Receiver,
                "take `&mut self`".to_owned(),
                "&mut self".to_owned(),
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
            // A closure has copies, and what it would do to them nobody would see.
            _ if self.is_captured(local) => Some(finding(format!(
                "the closure holds a copy of `{name}`, which it cannot assign"
            ))),
            _ if declared.mutable => None,
            // What is passed by value belongs to the function.
            Binding::Param if !matches!(self.locals.get(local), Some(Ty::Ref { .. })) => None,
            Binding::Param => Some(finding(format!(
                "the parameter `{name}` cannot be made to refer to something else"
            ))),
            // `self` by value belongs to the method.
            Binding::Receiver if !matches!(self.locals.get(local), Some(Ty::Ref { .. })) => None,
            Binding::Receiver => {
                Some(finding("`self` cannot be made to refer to something else".to_owned()))
            }
            Binding::ClosureParam => {
                Some(finding(format!("the parameter `{name}` of the closure cannot be assigned")))
            }
            Binding::Arm | Binding::Failure => {
                Some(finding(format!("`{name}` is bound by a pattern and cannot be assigned")))
            }
            Binding::Const => Some(finding(format!("the constant `{name}` cannot be assigned"))),
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

    /// Whether the closure around takes a local from outside with it.
    fn is_captured(&self, local: LocalId) -> bool {
        match self.frame.closure.map(|closure| self.expr(closure)) {
            Some(Expr::Closure(closure)) => closure.captures.contains(&local),
            _ => false,
        }
    }

    /// `place op= value`. The value is evaluated before the place, as it is at run time.
    pub(super) fn infer_compound(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        place: ExprId,
        value: ExprId,
    ) -> Ty {
        let right = self.infer(value, None);
        let left = self.infer(place, None);
        if self.absorb_either(&left, &right).is_some() {
            return Ty::Void;
        }
        let written = format!("{}=", symbol(op));
        match self.resolved(&left) {
            ty if ty.as_tensor().is_some() => {
                if let Some(tensor) = ty.as_tensor() {
                    self.tensor_compound(expr, op, (place, &ty, tensor), (value, &right));
                }
            }
            Ty::Scalar(dtype) => {
                if let Some(finding) = self.not_writable(place) {
                    self.report(finding);
                    self.give_up(&right);
                } else {
                    self.scalar_compound((expr, place), &written, dtype, (value, &right));
                }
            }
            Ty::Text => {
                if let Some(finding) = self.not_writable(place) {
                    self.report(finding);
                }
                self.text_sum(expr, op, &left, &right);
            }
            Ty::Adt { .. } | Ty::Param(_) => {
                if let Some(finding) = self.not_writable(place) {
                    self.report(finding);
                }
                let result = self.binary(expr, op, (place, &left), (value, &right));
                if self.absorbed(&result).is_none() {
                    self.expect(expr, &result, &left, &Why::Assigned(place));
                }
            }
            Ty::Ref { .. } => {
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
        Ty::Void
    }

    fn scalar_compound(
        &mut self,
        (expr, place): (ExprId, ExprId),
        written: &str,
        dtype: DType,
        value: (ExprId, &Ty),
    ) {
        match self.operand(value.1) {
            _ if dtype == DType::Bool => {
                self.no_operator(expr, written, &Ty::Scalar(dtype), value.1);
            }
            Operand::Number(_) => {
                let before = self.findings.len();
                if !self.literal_operand(value, dtype) {
                    let float = Ty::Scalar(DType::F64);
                    let added = self.findings.split_off(before);
                    for finding in added {
                        let (finding, defaulted) = self.declared_otherwise(finding, place, &float);
                        self.report(finding);
                        if defaulted {
                            self.forget_type(place);
                        }
                    }
                }
            }
            Operand::Scalar(found) if found == dtype => {}
            Operand::Scalar(_)
            | Operand::Tensor(_)
            | Operand::Char
            | Operand::Text
            | Operand::Other => {
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
                let (finding, defaulted) = self.declared_otherwise(finding, place, value.1);
                self.report(finding);
                if defaulted {
                    self.forget_type(place);
                }
            }
        }
    }

    fn tensor_compound(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        (place, place_ty, target): (ExprId, &Ty, &TensorTy),
        value: (ExprId, &Ty),
    ) {
        let written = format!("{}=", symbol(op));
        if let Some(finding) = self.several_elements(place) {
            self.report(finding);
            self.give_up(value.1);
            return;
        }
        if self.dynamic_axis(Place::Head(expr), &format!("`{written}`"), target) {
            self.give_up(value.1);
            return;
        }
        let unwritable = match place_ty {
            Ty::Ref { .. } => self.shared(place, &place_ty.clone()),
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
                if self.dynamic_axis(Place::Head(expr), &format!("`{written}`"), &found) {
                    return;
                }
                match broadcast(&target.shape, &found.shape) {
                    Ok(shape) if same_extents(&shape, &target.shape) => {}
                    Ok(_) => self.report(
                        self.operands_of(
                            Finding::new(
                                codes::SHAPE,
                                Place::Head(expr),
                                format!("`{written}` cannot enlarge its target `{target}` to the shape of `{found}`"),
                            ),
                            expr,
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
            Operand::Scalar(dtype) if target.elem != DType::Bool && dtype != DType::Bool => {
                let finding = self.other_scalar(&written, target, value.0, dtype);
                self.report(finding);
            }
            _ => {
                self.no_operator(expr, &written, &Ty::Tensor(target.clone()), value.1);
            }
        }
    }
}
