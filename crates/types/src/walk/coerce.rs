//! Expectations: a value meets the type of its place, or a mismatch is reported where it is written.

use neuro_db::{Name, codes};
use neuro_hir::{Expr, ExprId, Literal, LocalId};
use neuro_num::DType;

use super::elementwise::transposed_shape;
use super::{Context, Type};
use crate::{Finding, Place, Remedy, TensorTy, Ty};

/// Why a type is expected.
#[derive(Clone)]
pub(super) enum Why {
    /// The annotation of a binding.
    Annotation(LocalId),
    /// The function's return type.
    Return,
    /// A constant's declared type.
    Constant(Name),
    /// A parameter of a function or method.
    Argument {
        /// What is called.
        callee: Name,
        /// The parameter.
        param: Name,
        /// Where it is declared, for a function of the program.
        declared: Option<Place>,
    },
    /// It decides where to go on; the keyword or operator that asks.
    Condition(&'static str),
    /// It is assigned.
    Assigned(ExprId),
    /// It is an element of a tensor of this type.
    Element,
    /// The other branch has it.
    Branch(ExprId),
    /// The other end of a range has it.
    Range(ExprId),
}

impl Context<'_> {
    /// Infers an expression that must be of type `ty`.
    pub(super) fn check(&mut self, expr: ExprId, ty: &Ty, why: &Why) {
        match self.expr(expr) {
            Expr::Block { stmts, tail } => {
                let diverges = self.infer_stmts(stmts);
                let result = self.check_tail(expr, *tail, diverges, ty, why);
                self.record(expr, result);
            }
            Expr::If { cond, then, otherwise: Some(otherwise) } => {
                self.check_condition(*cond, "if");
                self.check(*then, ty, why);
                self.check(*otherwise, ty, why);
                let never = [*then, *otherwise].iter().all(|arm| self.type_of(*arm).is(&Ty::Never));
                self.record(expr, if never { Type::NEVER } else { Type::Known(ty.clone()) });
            }
            _ => {
                let found = self.infer(expr, Some(ty));
                self.expect(expr, &found, ty, why);
            }
        }
    }

    /// Checks the value of a block; the type of the block.
    fn check_tail(
        &mut self,
        block: ExprId,
        tail: Option<ExprId>,
        diverges: bool,
        ty: &Ty,
        why: &Why,
    ) -> Type {
        match tail {
            // Nothing reaches it, so it owes nothing.
            Some(tail) if diverges => {
                self.infer_discarded(tail);
                Type::NEVER
            }
            Some(tail) => {
                self.check(tail, ty, why);
                let never = self.type_of(tail).is(&Ty::Never);
                if never { Type::NEVER } else { Type::Known(ty.clone()) }
            }
            None if diverges => Type::NEVER,
            None => {
                self.expect(block, &Type::VOID, ty, why);
                Type::Known(ty.clone())
            }
        }
    }

    /// Reports unless `found` is as expected. An open number takes the expected type.
    pub(super) fn expect(&mut self, expr: ExprId, found: &Type, ty: &Ty, why: &Why) {
        if !self.agrees(found, ty, why) {
            let finding = self.mismatch(expr, found, ty, why);
            self.report(finding);
            self.give_up(found);
        }
    }

    /// Whether a value of type `found` may stand where `ty` is expected.
    fn agrees(&mut self, found: &Type, ty: &Ty, why: &Why) -> bool {
        match (self.resolved(found), ty) {
            (_, Ty::Error) => {
                self.give_up(found);
                true
            }
            (Type::Known(Ty::Error | Ty::Never), _) => true,
            // A `&mut` that is passed on is lent as `&` for the call.
            (
                Type::Known(Ty::Ref { mutable: true, inner: found }),
                Ty::Ref { mutable: false, inner },
            ) => found == *inner && matches!(why, Why::Argument { .. }),
            (Type::Known(found), ty) => found == *ty,
            (Type::Number(id), Ty::Scalar(dtype)) => {
                let fits =
                    if self.numbers.is_float(id) { dtype.is_float() } else { dtype.is_int() };
                if fits {
                    self.numbers.fix(id, ty.clone());
                }
                fits
            }
            (Type::Number(_), _) => false,
        }
    }

    /// Fixes an open number whose place is wrong, so that nothing more is said about it.
    pub(super) fn give_up(&mut self, ty: &Type) {
        if let Type::Number(id) = self.resolved(ty) {
            self.numbers.fix(id, Ty::Error);
        }
    }

    /// A type in the words of a message.
    pub(super) fn describe(&self, ty: &Type) -> String {
        match self.resolved(ty) {
            Type::Known(ty) => format!("`{ty}`"),
            Type::Number(id) if self.numbers.is_float(id) => "a float literal".to_owned(),
            Type::Number(_) => "an integer literal".to_owned(),
        }
    }

    fn mismatch(&self, expr: ExprId, found: &Type, ty: &Ty, why: &Why) -> Finding {
        let found = self.resolved(found);
        if found.is(&Ty::Void) {
            return self.nothing(expr, ty, why);
        }
        let described = self.describe(&found);
        let expected = if *ty == Ty::Void { "nothing".to_owned() } else { format!("`{ty}`") };
        let message = format!("{}expected {expected}, found {described}", why.prefix());
        let finding = Finding::new(codes::MISMATCH, Place::Expr(expr), message);
        let finding = self.origin(finding, ty, why);
        match (&found, ty, why) {
            (Type::Known(found), Ty::Void, Why::Return) => finding.remedy(Remedy::InsertAfter(
                Place::Header,
                format!("declare that it returns `{found}`"),
                format!(" -> {found}"),
            )),
            _ => self.way_out(finding, expr, &found, ty),
        }
    }

    /// A mismatch with what gives no value.
    fn nothing(&self, expr: ExprId, ty: &Ty, why: &Why) -> Finding {
        let what = match self.expr(expr) {
            Expr::Block { .. } => "this block ends without a value",
            Expr::If { .. } => "an `if` without `else` gives nothing",
            Expr::While { .. } | Expr::For { .. } | Expr::Loop { .. } => "a loop gives nothing",
            Expr::Assign { .. } => "an assignment gives nothing",
            Expr::Pool { .. } => "a `pool` block gives nothing",
            _ => "this gives nothing",
        };
        let place = match self.expr(expr) {
            Expr::Call { .. } | Expr::MethodCall { .. } | Expr::BuiltinCall { .. } => {
                Place::Expr(expr)
            }
            _ => Place::Head(expr),
        };
        if matches!(why, Why::Return) {
            let owner = self.owner.clone().unwrap_or_default();
            let is_root = self.body.root == Some(expr);
            let place = if is_root { Place::ReturnType } else { place };
            let what = if is_root { "its body can end without a value" } else { what };
            let finding = Finding::new(
                codes::MISSING_RETURN,
                place,
                format!("`{owner}` returns `{ty}`, but {what}"),
            );
            return if is_root { finding } else { self.origin(finding, ty, why) };
        }
        let message = format!("{}expected `{ty}`, but {what}", why.prefix());
        self.origin(Finding::new(codes::MISMATCH, place, message), ty, why)
    }

    /// Adds the place where the expectation comes from.
    fn origin(&self, finding: Finding, ty: &Ty, why: &Why) -> Finding {
        match why {
            Why::Annotation(local) => {
                finding.related(Place::LocalType(*local), format!("`{ty}` is declared here"))
            }
            Why::Return if *ty == Ty::Void => match &self.owner {
                Some(owner) => finding.note(format!("`{owner}` declares no return type")),
                None => finding,
            },
            Why::Return => finding.related(Place::ReturnType, format!("`{ty}` is declared here")),
            Why::Branch(other) => {
                finding.related(Place::Expr(*other), format!("the other branch is `{ty}`"))
            }
            Why::Range(other) => finding.related(Place::Expr(*other), format!("this is `{ty}`")),
            Why::Assigned(place) => finding.related(Place::Expr(*place), format!("this is `{ty}`")),
            Why::Argument { param, declared: Some(place), .. } => {
                finding.related(*place, format!("`{param}` is `{ty}`"))
            }
            Why::Constant(_)
            | Why::Argument { declared: None, .. }
            | Why::Condition(_)
            | Why::Element => finding,
        }
    }

    /// Adds what can be done about a mismatch.
    fn way_out(&self, finding: Finding, expr: ExprId, found: &Type, ty: &Ty) -> Finding {
        let place = Place::Expr(expr);
        let insert_after =
            |title: String, text: &str| Remedy::InsertAfter(place, title, text.to_owned());
        match (found, ty) {
            (Type::Number(id), Ty::Scalar(dtype))
                if dtype.is_float() && !self.numbers.is_float(*id) =>
            {
                self.float_literal(finding, expr)
            }
            (Type::Number(_), Ty::Tensor(tensor))
            | (Type::Known(Ty::Scalar(_)), Ty::Tensor(tensor))
                if tensor.shape.rank() == 0 =>
            {
                finding.note("`Tensor::scalar(x)` makes a rank-0 tensor of a number")
            }
            (Type::Known(Ty::Tensor(tensor)), Ty::Scalar(dtype))
                if tensor.shape.rank() == 0 && tensor.elem == *dtype =>
            {
                let finding = finding.note("`.item()` reads the number out of a rank-0 tensor");
                if self.is_postfix(expr) {
                    finding.remedy(insert_after("read the number".to_owned(), ".item()"))
                } else {
                    finding
                }
            }
            (Type::Known(Ty::Scalar(from)), Ty::Scalar(to)) => self.cast(finding, expr, *from, *to),
            (Type::Known(Ty::Tensor(found)), Ty::Tensor(tensor)) => {
                self.other_shape(finding, Some(expr), found, tensor)
            }
            (Type::Known(Ty::Ref { inner, .. }), ty) if **inner == *ty => {
                if ty.is_copy() {
                    finding.remedy(Remedy::InsertBefore(
                        place,
                        "read through the reference".to_owned(),
                        "*".to_owned(),
                    ))
                } else {
                    let finding =
                        finding.note("what is only borrowed cannot be given away; clone it");
                    if self.is_postfix(expr) {
                        finding.remedy(insert_after("clone it".to_owned(), ".clone()"))
                    } else {
                        finding
                    }
                }
            }
            (Type::Known(found), Ty::Ref { mutable, inner })
                if *found == **inner && self.is_place(expr) =>
            {
                let sign = if *mutable { "&mut " } else { "&" };
                finding.remedy(Remedy::InsertBefore(
                    place,
                    format!("borrow it with `{}`", sign.trim()),
                    sign.to_owned(),
                ))
            }
            (
                Type::Known(Ty::Ref { mutable: false, inner: found }),
                Ty::Ref { mutable: true, inner },
            ) if found == inner => match self.expr(expr) {
                Expr::Borrow { operand, .. } => finding.remedy(Remedy::InsertBefore(
                    Place::Expr(*operand),
                    "borrow it with `&mut`".to_owned(),
                    "mut ".to_owned(),
                )),
                _ => finding.note("a shared borrow cannot become a `&mut`"),
            },
            (Type::Known(found @ Ty::Ref { .. }), Ty::Ref { .. }) => {
                match (found.as_tensor(), ty.as_tensor()) {
                    (Some(found), Some(tensor)) => self.other_shape(finding, None, found, tensor),
                    _ => finding,
                }
            }
            _ => finding,
        }
    }

    /// Says how two tensor types differ. `owned` is the expression if its value can be consumed.
    fn other_shape(
        &self,
        finding: Finding,
        owned: Option<ExprId>,
        found: &TensorTy,
        expected: &TensorTy,
    ) -> Finding {
        if found.elem != expected.elem {
            return finding.note(format!(
                "the elements are `{}`, not `{}`, and no method converts a whole tensor yet",
                found.elem, expected.elem
            ));
        }
        if transposed_shape(&found.shape).as_ref() == Some(&expected.shape) {
            let finding = finding.note("its transpose has the expected shape");
            return match owned.filter(|expr| self.is_postfix(*expr)) {
                Some(expr) => finding.remedy(Remedy::InsertAfter(
                    Place::Expr(expr),
                    "transpose it".to_owned(),
                    ".t()".to_owned(),
                )),
                None => finding,
            };
        }
        if found.shape.rank() != expected.shape.rank() {
            let (found, expected) = (found.shape.rank(), expected.shape.rank());
            return finding.note(format!("its rank is {found}, not {expected}"));
        }
        let axes = found.shape.0.iter().zip(expected.shape.0.iter()).enumerate();
        axes.filter(|(_, (found, expected))| found != expected).fold(
            finding,
            |finding, (axis, (found, expected))| {
                finding.note(format!("axis {axis} is {found}, not {expected}"))
            },
        )
    }

    /// Suggests the float that an integer literal was meant to be.
    pub(super) fn float_literal(&self, finding: Finding, expr: ExprId) -> Finding {
        let finding = finding.note("an integer literal never becomes a float");
        let literal = match self.expr(expr) {
            Expr::Unary { op: neuro_hir::UnaryOp::Neg, operand } => *operand,
            _ => expr,
        };
        match self.expr(literal) {
            Expr::Literal(Literal::Int(value, None)) => finding.remedy(Remedy::Replace(
                Place::Expr(literal),
                format!("write `{value}.0`"),
                format!("{value}.0"),
            )),
            _ => finding,
        }
    }

    fn cast(&self, finding: Finding, expr: ExprId, from: DType, to: DType) -> Finding {
        if from == to || to == DType::Bool || (from == DType::Bool && to.is_float()) {
            return finding;
        }
        // A suffixed literal is better written in the other type.
        if matches!(self.expr(expr), Expr::Literal(_)) || !self.is_postfix(expr) {
            return finding;
        }
        finding.remedy(Remedy::InsertAfter(
            Place::Expr(expr),
            format!("convert to `{to}`"),
            format!(" as {to}"),
        ))
    }

    /// Whether something can be put behind the expression without parentheses.
    pub(super) fn is_postfix(&self, expr: ExprId) -> bool {
        matches!(
            self.expr(expr),
            Expr::Local(_)
                | Expr::Path(_)
                | Expr::Call { .. }
                | Expr::MethodCall { .. }
                | Expr::Index { .. }
                | Expr::Literal(_)
        )
    }
}

impl Why {
    /// The start of a message.
    fn prefix(&self) -> String {
        match self {
            Why::Argument { callee, param, .. } => format!("argument `{param}` of `{callee}`: "),
            Why::Condition(word) => format!("condition of `{word}`: "),
            Why::Constant(name) => format!("value of `{name}`: "),
            Why::Element => "element of a tensor: ".to_owned(),
            Why::Annotation(_)
            | Why::Return
            | Why::Assigned(_)
            | Why::Branch(_)
            | Why::Range(_) => String::new(),
        }
    }
}
