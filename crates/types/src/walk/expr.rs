//! What each kind of expression is.

use neuro_db::Name;
use neuro_db::codes;
use neuro_hir::{Expr, ExprId, Item, Literal, LocalId};

use super::Context;
use crate::{Callee, Finding, Place, Remedy, Ty};
use neuro_hir::similar;

impl Context<'_> {
    /// The type of an expression where nothing must be met. `hint` is a type that would be welcome: it
    /// says what a constructor builds.
    pub(super) fn infer(&mut self, expr: ExprId, hint: Option<&Ty>) -> Ty {
        if let Some(ty) = self.exprs.get(expr) {
            return ty.clone();
        }
        // A chain such as `a + b + c` or `x.f().g()` is walked from its innermost part outwards: its
        // length must not become the depth of a recursion.
        let mut chain = Vec::new();
        let mut first = expr;
        while let Some(inner) = self.leftmost(first) {
            chain.push(inner);
            first = inner;
        }
        for inner in chain.into_iter().rev() {
            self.infer_one(inner, None);
        }
        self.infer_one(expr, hint)
    }

    /// The part that an expression begins with, if its type depends on nothing around it.
    fn leftmost(&self, expr: ExprId) -> Option<ExprId> {
        let inner = match self.expr(expr) {
            Expr::Binary { lhs, .. } | Expr::Logic { lhs, .. } => *lhs,
            Expr::MethodCall { receiver, .. } => *receiver,
            Expr::Cast { operand, .. } => *operand,
            Expr::Index { base, .. } => *base,
            Expr::Call { callee, .. }
                if !matches!(self.expr(*callee), Expr::Name(_) | Expr::Assoc { .. }) =>
            {
                *callee
            }
            _ => return None,
        };
        self.exprs.get(inner).is_none().then_some(inner)
    }

    fn infer_one(&mut self, expr: ExprId, hint: Option<&Ty>) -> Ty {
        let ty = match self.expr(expr) {
            Expr::Binary { op, lhs, rhs } => self.infer_binary(expr, *op, *lhs, *rhs),
            Expr::Missing | Expr::Unsupported(_) => self.infer_unclear(),
            Expr::Literal(literal) => self.infer_literal(expr, literal, None),
            Expr::Text(parts) => {
                self.infer_holes(parts);
                self.refuse(Finding::new(
                    codes::UNSUPPORTED,
                    Place::Expr(expr),
                    "text that is not printed at once is not supported yet",
                ))
            }
            Expr::Local(local) => self.infer_local(*local),
            Expr::Name(name) => self.infer_name(expr, name),
            Expr::Assoc { base, name, .. } => self.refuse(Finding::new(
                codes::UNSUPPORTED,
                Place::Expr(expr),
                format!("`{base}::{name}` as a value is not supported yet"),
            )),
            Expr::Unary { op, operand } => self.infer_unary(expr, *op, *operand),
            Expr::Compare { op, lhs, rhs } => self.infer_compare(expr, *op, *lhs, *rhs),
            Expr::Logic { op, lhs, rhs } => self.infer_logic(*op, *lhs, *rhs),
            Expr::Borrow { mutable, operand } => self.infer_borrow(expr, *mutable, *operand, hint),
            Expr::Deref(operand) => self.infer_deref(expr, *operand),
            Expr::Call { callee, args } => self.infer_call(expr, *callee, args, hint),
            Expr::BuiltinCall { builtin, args } => self.infer_builtin(expr, *builtin, args),
            Expr::MethodCall { receiver, name, type_args, args } => {
                self.infer_method(expr, *receiver, name, !type_args.is_empty(), args)
            }
            Expr::Index { base, args } => self.infer_index(expr, *base, args),
            Expr::Cast { operand, ty } => self.infer_cast(expr, *operand, ty),
            Expr::Array(entries) => match hint {
                Some(Ty::Tensor(tensor)) => {
                    self.tensor_literal(expr, tensor.elem, tensor.shape.dims())
                }
                // What is expected is wrong already.
                Some(Ty::Error) => self.infer_array_entry(expr),
                _ => self.infer_array(expr, entries),
            },
            Expr::Block { stmts, tail } => self.infer_block(stmts, *tail, hint),
            Expr::If { cond, then, otherwise } => {
                self.infer_if(expr, *cond, *then, *otherwise, hint)
            }
            Expr::While { label, cond, body } => self.infer_while(label, *cond, *body),
            Expr::Loop { label, body } => self.infer_loop(label, *body),
            Expr::ForRange { .. } => self.infer_for(expr),
            Expr::Return(value) => self.infer_return(expr, *value),
            Expr::Break { label } => self.infer_jump(expr, "break", label.as_ref()),
            Expr::Continue { label } => self.infer_jump(expr, "continue", label.as_ref()),
            Expr::Assign { op: None, place, value } => self.infer_assign(*place, *value),
            Expr::Assign { op: Some(op), place, value } => {
                self.infer_compound(expr, *op, *place, *value)
            }
            Expr::Pool { body, .. } => {
                self.infer_discarded(*body);
                Ty::Void
            }
        };
        self.record(expr, ty)
    }

    /// The type of an expression whose value is dropped: branches need not agree.
    pub(super) fn infer_discarded(&mut self, expr: ExprId) -> Ty {
        let ty = match self.expr(expr) {
            Expr::Block { stmts, tail } => {
                let mut diverges = self.infer_stmts(stmts);
                if let Some(tail) = tail {
                    diverges |= self.infer_discarded(*tail) == Ty::Never;
                }
                if diverges { Ty::Never } else { Ty::Void }
            }
            Expr::If { cond, then, otherwise } => {
                self.check_condition(*cond, "if");
                let then = self.infer_discarded(*then);
                let otherwise = otherwise.map(|otherwise| self.infer_discarded(otherwise));
                match otherwise {
                    Some(otherwise) if then == Ty::Never && otherwise == Ty::Never => Ty::Never,
                    _ => Ty::Void,
                }
            }
            _ => return self.infer(expr, None),
        };
        self.record(expr, ty)
    }

    fn infer_local(&mut self, local: LocalId) -> Ty {
        self.locals.get(local).cloned().unwrap_or(Ty::Error)
    }

    fn infer_name(&mut self, expr: ExprId, name: &Name) -> Ty {
        match neuro_hir::resolve(self.db, self.file, name.clone()) {
            Some(Item::Const(constant)) => {
                self.callees.insert(expr, Callee::Const(constant));
                self.consts.push((expr, constant));
                crate::const_value(self.db, constant).ty.clone()
            }
            Some(Item::Function(function)) => {
                self.callees.insert(expr, Callee::Function(function));
                self.refuse(
                    Finding::new(
                        codes::UNSUPPORTED,
                        Place::Expr(expr),
                        format!("the function `{name}` as a value is not supported yet"),
                    )
                    .note(format!("to call it, write `{name}(..)`")),
                )
            }
            None => self.undeclared(expr, name),
        }
    }

    /// Reports a name that stands for nothing.
    pub(super) fn undeclared(&mut self, expr: ExprId, name: &Name) -> Ty {
        let place = Place::Expr(expr);
        if matches!(name.as_str(), "Some" | "None" | "Ok" | "Err" | "einsum") {
            return self.refuse(Finding::new(
                codes::UNSUPPORTED,
                place,
                format!("`{name}` is not supported yet"),
            ));
        }
        let mut known: Vec<Name> =
            self.body.locals.iter().map(|(_, local)| local.name.clone()).collect();
        for item in &neuro_hir::file_items(self.db, self.file).items {
            known.push(item.name(self.db));
        }
        known.extend(["print", "println", "panic", "assert", "unreachable"].map(Name::new_static));
        let finding = Finding::new(codes::UNDECLARED, place, format!("`{name}` is not declared"));
        let finding = match similar(name, known.iter().map(Name::as_str)) {
            Some(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned())),
            None => finding,
        };
        self.refuse(finding)
    }

    /// How messages call an expression.
    pub(super) fn subject(&self, expr: ExprId) -> String {
        match self.expr(expr) {
            Expr::Local(local) => match self.body.locals[*local].name.as_str() {
                "" => "this".to_owned(),
                name => format!("`{name}`"),
            },
            Expr::Name(name) => format!("`{name}`"),
            Expr::Literal(Literal::Int(value, None)) => format!("`{value}`"),
            Expr::Call { callee, .. } => match self.expr(*callee) {
                Expr::Name(name) => format!("`{name}(..)`"),
                _ => "this call".to_owned(),
            },
            Expr::MethodCall { name, .. } => format!("`.{name}()`"),
            _ => "this".to_owned(),
        }
    }
}
