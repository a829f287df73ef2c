//! Operators. They read through any number of references on either side, and a literal takes the type
//! of the other operand.

use neuro_db::codes;
use neuro_hir::{BinaryOp, CompareOp, Expr, ExprId, LogicOp, UnaryOp};
use neuro_num::DType;

use super::{Context, Pending};
use crate::TyVar;
use crate::{Finding, Place, Remedy, TensorTy, Ty};

/// What an operator sees of an operand, references removed.
pub(super) enum Operand {
    /// A number or truth value.
    Scalar(DType),
    /// A literal whose type is open.
    Number(TyVar),
    /// A tensor.
    Tensor(TensorTy),
    /// A character.
    Char,
    /// Text.
    Text,
    /// Anything else.
    Other,
}

impl Context<'_> {
    /// What absorbs an operation on this operand: an error, or never.
    pub(super) fn absorbed(&self, ty: &Ty) -> Option<Ty> {
        match self.resolved(ty) {
            Ty::Never => Some(Ty::Never),
            ty if *ty.peeled() == Ty::Error => Some(Ty::Error),
            _ => None,
        }
    }

    pub(super) fn operand(&self, ty: &Ty) -> Operand {
        match self.resolved(ty) {
            Ty::Var(var) if var.is_int() || var.is_float() => Operand::Number(var),
            ty => match ty.peeled() {
                Ty::Scalar(dtype) => Operand::Scalar(*dtype),
                Ty::Tensor(tensor) => Operand::Tensor(tensor.clone()),
                Ty::Char => Operand::Char,
                Ty::Text => Operand::Text,
                Ty::Error
                | Ty::Never
                | Ty::Void
                | Ty::Ref { .. }
                | Ty::Tuple(_)
                | Ty::Array { .. }
                | Ty::Slice(_)
                | Ty::Fn(_)
                | Ty::Adt { .. }
                | Ty::Collection { .. }
                | Ty::Param(_)
                | Ty::Assoc(_)
                | Ty::Dyn(_)
                | Ty::Sparse(_)
                | Ty::Opaque(_)
                | Ty::Var(_) => Operand::Other,
            },
        }
    }

    pub(super) fn infer_binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Ty {
        let left = self.infer(lhs, None);
        let right = self.infer(rhs, None);
        let (left, right) = self.settled_pair(lhs, &left, rhs, &right);
        self.binary(expr, op, (lhs, &left), (rhs, &right))
    }

    pub(super) fn binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Ty {
        if let Some(absorbed) = self.absorb_either(lhs.1, rhs.1) {
            return absorbed;
        }
        match op {
            BinaryOp::MatMul => self.matmul(expr, lhs, rhs),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.arithmetic(expr, op, lhs, rhs)
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl => {
                self.bitwise(expr, op, lhs, rhs)
            }
        }
    }

    /// Two operands whose outermost types must be known. One that is open takes the type of the other if that
    /// is a number.
    fn settled_pair(&mut self, lhs: ExprId, left: &Ty, rhs: ExprId, right: &Ty) -> (Ty, Ty) {
        let (resolved_left, resolved_right) = (self.resolved(left), self.resolved(right));
        let open = |ty: &Ty| matches!(ty, Ty::Var(var) if !var.is_int() && !var.is_float());
        let number = |ty: &Ty| matches!(ty, Ty::Scalar(_) | Ty::Var(_)) && !open(ty);
        if open(&resolved_left) && number(&resolved_right)
            || open(&resolved_right) && number(&resolved_left)
        {
            self.table.unify(&resolved_left, &resolved_right);
        }
        (self.settled(lhs, left), self.settled(rhs, right))
    }

    /// What absorbs an operation on two operands; an error leaves an open number without a type.
    pub(super) fn absorb_either(&mut self, lhs: &Ty, rhs: &Ty) -> Option<Ty> {
        let absorbed = self.absorbed(lhs).or_else(|| self.absorbed(rhs))?;
        self.give_up(lhs);
        self.give_up(rhs);
        Some(absorbed)
    }

    fn arithmetic(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Ty {
        match (self.operand(lhs.1), self.operand(rhs.1)) {
            (Operand::Tensor(left), Operand::Tensor(right)) => {
                self.tensor_arithmetic(expr, op, &left, &right)
            }
            (Operand::Tensor(tensor), Operand::Scalar(_) | Operand::Number(_)) => {
                self.tensor_scalar(expr, op, &tensor, rhs)
            }
            (Operand::Scalar(_) | Operand::Number(_), Operand::Tensor(tensor)) => {
                self.tensor_scalar(expr, op, &tensor, lhs)
            }
            (Operand::Scalar(_) | Operand::Number(_), Operand::Scalar(_) | Operand::Number(_)) => {
                let Some(ty) = self.same_scalar(expr, symbol(op), lhs, rhs) else {
                    return Ty::Error;
                };
                match ty {
                    Ty::Scalar(DType::Bool) => self.no_operator(expr, symbol(op), lhs.1, rhs.1),
                    ty => ty,
                }
            }
            (Operand::Text, _) | (_, Operand::Text) => self.text_sum(expr, op, lhs.1, rhs.1),
            _ => self.user_operator(expr, op, lhs, rhs),
        }
    }

    /// `+` joins text; nothing else does, and text is joined with text only.
    pub(super) fn text_sum(&mut self, expr: ExprId, op: BinaryOp, left: &Ty, right: &Ty) -> Ty {
        let is_text = |context: &Self, ty: &Ty| matches!(context.operand(ty), Operand::Text);
        if op == BinaryOp::Add && is_text(self, left) && is_text(self, right) {
            return Ty::Text;
        }
        let (described_left, described_right) = (self.describe(left), self.describe(right));
        self.give_up(left);
        self.give_up(right);
        let finding = Finding::new(
            codes::OPERATOR,
            Place::Head(expr),
            format!(
                "`{}` does not exist between {described_left} and {described_right}",
                symbol(op)
            ),
        );
        self.refuse(if op == BinaryOp::Add {
            finding.note("text is joined with text: show the value in a hole, `\"{x}\"`")
        } else {
            finding
        })
    }

    fn bitwise(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Ty {
        let integer = |context: &Self, ty: &Ty| match context.operand(ty) {
            Operand::Scalar(dtype) => dtype.is_int(),
            Operand::Number(id) => id.is_int(),
            Operand::Tensor(_) | Operand::Char | Operand::Text | Operand::Other => false,
        };
        if !integer(self, lhs.1) || !integer(self, rhs.1) {
            return self.user_operator(expr, op, lhs, rhs);
        }
        if op == BinaryOp::Shl {
            self.pending.push(Pending::Shift { operator: expr, amount: rhs.0 });
        }
        self.same_scalar(expr, symbol(op), lhs, rhs).unwrap_or(Ty::Error)
    }

    /// An operator on types of the program.
    fn user_operator(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Ty {
        match self.operator_method(expr, op, lhs, rhs) {
            Some(ty) => ty,
            None => self.no_operator(expr, symbol(op), lhs.1, rhs.1),
        }
    }

    /// The one type of two scalar operands.
    fn same_scalar(
        &mut self,
        expr: ExprId,
        symbol: &str,
        lhs: (ExprId, &Ty),
        rhs: (ExprId, &Ty),
    ) -> Option<Ty> {
        match (self.operand(lhs.1), self.operand(rhs.1)) {
            (Operand::Scalar(left), Operand::Scalar(right)) if left == right => {
                Some(Ty::Scalar(left))
            }
            (Operand::Scalar(dtype), Operand::Number(_)) => {
                self.literal_operand(rhs, dtype).then_some(Ty::Scalar(dtype))
            }
            (Operand::Number(_), Operand::Scalar(dtype)) => {
                self.literal_operand(lhs, dtype).then_some(Ty::Scalar(dtype))
            }
            (Operand::Number(_), Operand::Number(_)) => {
                Some(self.join_numbers(lhs.0, lhs.1, rhs.0, rhs.1))
            }
            (Operand::Scalar(left), Operand::Scalar(right)) => {
                self.report(self.two_types(expr, symbol, (lhs.0, left), (rhs.0, right)));
                None
            }
            _ => {
                self.no_operator(expr, symbol, lhs.1, rhs.1);
                None
            }
        }
    }

    fn two_types(
        &self,
        expr: ExprId,
        symbol: &str,
        (lhs, left): (ExprId, DType),
        (rhs, right): (ExprId, DType),
    ) -> Finding {
        let finding = Finding::new(
            codes::OPERATOR,
            Place::Head(expr),
            format!(
                "`{symbol}` needs two operands of one type, and these are `{left}` and `{right}`"
            ),
        );
        if left == DType::Bool || right == DType::Bool {
            return finding;
        }
        let finding =
            finding.note("there is no implicit conversion: convert one of them with `as`");
        // Toward the type that holds more: floats above integers, then the wider one.
        let weight = |dtype: DType| (dtype.is_float(), dtype.bits());
        let (operand, to) = if weight(left) < weight(right) { (lhs, right) } else { (rhs, left) };
        let value = !matches!(self.type_of(operand), Ty::Ref { .. });
        if !value || !self.is_postfix(operand) || matches!(self.expr(operand), Expr::Literal(_)) {
            return finding;
        }
        finding.remedy(Remedy::InsertAfter(
            Place::Expr(operand),
            format!("convert to `{to}`"),
            format!(" as {to}"),
        ))
    }

    /// Where a float is expected of two numbers of different types, which has just been refused, offers to convert
    /// both.
    pub(super) fn convert_both(
        &mut self,
        expr: ExprId,
        lhs: ExprId,
        rhs: ExprId,
        hint: Option<&Ty>,
    ) {
        let Some(Ty::Scalar(to)) = hint.map(|hint| self.resolved(hint)) else { return };
        let int = |ty: Ty| matches!(ty, Ty::Scalar(dtype) if dtype.is_int());
        let ints = [lhs, rhs].iter().all(|operand| int(self.type_of(*operand)));
        let postfix = self.is_postfix(lhs) && self.is_postfix(rhs);
        if !to.is_float() || !ints || !postfix {
            return;
        }
        if let Some(finding) = self.findings.last_mut()
            && finding.place == Place::Head(expr)
            && finding.code == codes::OPERATOR
        {
            let convert = |operand| {
                Remedy::InsertAfter(Place::Expr(operand), String::new(), format!(" as {to}"))
            };
            let title = format!("convert both to `{to}`");
            finding.remedies = vec![Remedy::Several(vec![convert(lhs), convert(rhs)], title)];
        }
    }

    /// Gives a literal the type of what it is combined with; whether it fits.
    pub(super) fn literal_operand(&mut self, literal: (ExprId, &Ty), dtype: DType) -> bool {
        let Ty::Var(id) = self.resolved(literal.1) else { return true };
        let float = id.is_float();
        if if float { dtype.is_float() } else { dtype.is_int() } {
            self.table.fix(id, Ty::Scalar(dtype));
            return true;
        }
        let described = self.describe(literal.1);
        let finding = Finding::new(
            codes::MISMATCH,
            Place::Expr(literal.0),
            format!("expected `{dtype}`, found {described}"),
        );
        let finding = match float && dtype.is_int() {
            true => finding.note(format!("the other operand is `{dtype}`, and both have one type")),
            false => finding,
        };
        let finding =
            if dtype.is_float() { self.float_literal(finding, literal.0) } else { finding };
        self.report(finding);
        self.give_up(literal.1);
        false
    }

    /// Gives two open numbers one type.
    pub(super) fn join_numbers(&mut self, a_expr: ExprId, a: &Ty, b_expr: ExprId, b: &Ty) -> Ty {
        let (Ty::Var(left), Ty::Var(right)) = (self.resolved(a), self.resolved(b)) else {
            return Ty::Error;
        };
        let (left_float, right_float) = (left.is_float(), right.is_float());
        if left_float == right_float {
            self.table.join(left, right);
            return Ty::Var(left);
        }
        let integer = if left_float { b_expr } else { a_expr };
        let finding = Finding::new(
            codes::MISMATCH,
            Place::Expr(integer),
            "expected a float, found an integer literal",
        );
        self.report(self.float_literal(finding, integer));
        self.give_up(a);
        self.give_up(b);
        Ty::Error
    }

    /// Reports that an operator does not exist for its operands.
    pub(super) fn no_operator(&mut self, expr: ExprId, symbol: &str, lhs: &Ty, rhs: &Ty) -> Ty {
        let (left, right) = (self.describe(lhs), self.describe(rhs));
        let message = if left == right {
            format!("`{symbol}` does not exist on {left}")
        } else {
            format!("`{symbol}` does not exist between {left} and {right}")
        };
        let finding = Finding::new(codes::OPERATOR, Place::Head(expr), message);
        self.give_up(lhs);
        self.give_up(rhs);
        self.refuse(finding)
    }

    pub(super) fn infer_unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Ty {
        let ty = match (op, self.expr(operand)) {
            (UnaryOp::Neg, Expr::Literal(literal)) => {
                let ty = self.infer_literal(operand, literal, Some(expr));
                self.record(operand, ty)
            }
            _ => self.infer(operand, None),
        };
        if let Some(absorbed) = self.absorbed(&ty) {
            return absorbed;
        }
        let ty = self.settled(operand, &ty);
        let numeric = |dtype: DType| dtype != DType::Bool;
        let result = match (op, self.operand(&ty)) {
            (UnaryOp::Neg, Operand::Scalar(dtype)) if numeric(dtype) => Some(Ty::Scalar(dtype)),
            (UnaryOp::Neg, Operand::Tensor(tensor)) if numeric(tensor.elem) => {
                if self.dynamic_axis(Place::Head(expr), "`-`", &tensor) {
                    return Ty::Error;
                }
                Some(Ty::Tensor(tensor))
            }
            (UnaryOp::Neg, Operand::Number(id)) => Some(Ty::Var(id)),
            (UnaryOp::Not, Operand::Scalar(DType::Bool)) => Some(Ty::Scalar(DType::Bool)),
            (UnaryOp::BitNot, Operand::Scalar(dtype)) if dtype.is_int() => Some(Ty::Scalar(dtype)),
            (UnaryOp::BitNot, Operand::Number(id)) if id.is_int() => Some(Ty::Var(id)),
            _ => None,
        };
        let result = result.or_else(|| self.prefix_method(expr, op, (operand, &ty)));
        result.unwrap_or_else(|| {
            let symbol = match op {
                UnaryOp::Neg => "-",
                UnaryOp::Not => "!",
                UnaryOp::BitNot => "~",
            };
            let described = self.describe(&ty);
            self.give_up(&ty);
            let finding = Finding::new(
                codes::OPERATOR,
                Place::Head(expr),
                format!("`{symbol}` does not exist on {described}"),
            );
            let finding = match op {
                UnaryOp::Not => {
                    finding.note("`!` negates a `bool`; `~` flips the bits of an integer")
                }
                UnaryOp::Neg | UnaryOp::BitNot => finding,
            };
            self.refuse(finding)
        })
    }

    pub(super) fn infer_compare(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Ty {
        let left = self.infer(lhs, None);
        let right = self.infer(rhs, None);
        // Whatever is compared, the result is a `bool`; so a condition has nothing more to report.
        let result = Ty::Scalar(DType::Bool);
        if let Some(absorbed) = self.absorb_either(&left, &right) {
            return if absorbed == Ty::Never { absorbed } else { result };
        }
        let (left, right) = self.settled_pair(lhs, &left, rhs, &right);
        if left == Ty::Error || right == Ty::Error {
            return result;
        }
        let symbol = comparison(op);
        let ordered = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        match (self.operand(&left), self.operand(&right)) {
            (Operand::Scalar(DType::Bool), Operand::Scalar(DType::Bool)) if ordered => {
                self.no_operator(expr, symbol, &left, &right);
            }
            (Operand::Scalar(_) | Operand::Number(_), Operand::Scalar(_) | Operand::Number(_)) => {
                self.same_scalar(expr, symbol, (lhs, &left), (rhs, &right));
            }
            (Operand::Char, Operand::Char) => {}
            (Operand::Text, Operand::Text) if !ordered => {}
            (Operand::Tensor(_), _) | (_, Operand::Tensor(_)) => {
                self.report(
                    Finding::new(
                        codes::OPERATOR,
                        Place::Head(expr),
                        format!("tensors have no comparison: `{symbol}` does not exist on them"),
                    )
                    .note("compare elements or reductions: `t[0]`, `t.sum()`, `t.item()`"),
                );
                self.give_up(&left);
                self.give_up(&right);
            }
            _ => {
                if !self.comparison_method(expr, op, (lhs, &left), (rhs, &right)) {
                    self.no_operator(expr, symbol, &left, &right);
                }
            }
        }
        result
    }

    /// `&&` and `||`; like every operator, these read through references.
    pub(super) fn infer_logic(
        &mut self,
        expr: ExprId,
        op: LogicOp,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Ty {
        let word = match op {
            LogicOp::And => "&&",
            LogicOp::Or => "||",
        };
        let operands = [lhs, rhs].map(|operand| (operand, self.infer(operand, Some(&Ty::BOOL))));
        let mut wrong = operands.iter().filter(|(_, found)| {
            let truth = matches!(self.operand(found), Operand::Scalar(DType::Bool));
            !truth && self.absorbed(found).is_none()
        });
        let finding = match (wrong.next(), wrong.next()) {
            (None, _) => return Ty::BOOL,
            (Some((operand, found)), None) => {
                let message =
                    format!("operand of `{word}`: expected `bool`, found {}", self.describe(found));
                Finding::new(codes::MISMATCH, Place::Expr(*operand), message)
            }
            (Some((_, left)), Some((_, right))) => {
                let (left, right) = (self.describe(left), self.describe(right));
                let message =
                    format!("`{word}` joins two truth values, and these are {left} and {right}");
                Finding::new(codes::MISMATCH, Place::Head(expr), message)
            }
        };
        let both = finding.place == Place::Head(expr);
        self.report(finding);
        operands.iter().for_each(|(_, found)| self.give_up(found));
        // With two operands that are none, it was not meant to be a truth value either.
        if both { Ty::Error } else { Ty::BOOL }
    }
}

/// How an operator is written.
pub(super) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::MatMul => "@",
    }
}

/// How a comparison is written.
pub(super) fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
