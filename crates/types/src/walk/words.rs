//! How messages call things.

use neuro_hir::{Expr, ExprId, Literal};

use super::Context;
use crate::Ty;

impl Context<'_> {
    /// How messages call an expression.
    pub(super) fn subject(&self, expr: ExprId) -> String {
        match self.expr(expr) {
            Expr::Local(local) => match self.body.locals[*local].name.as_str() {
                "" => "this".to_owned(),
                name => format!("`{name}`"),
            },
            Expr::Path(path) => format!("`{path}`"),
            Expr::Literal(Literal::Int(value, None)) => format!("`{value}`"),
            Expr::Call { callee, .. } => match self.expr(*callee) {
                Expr::Path(path) => format!("`{path}(..)`"),
                _ => "this call".to_owned(),
            },
            Expr::MethodCall { name, .. } => format!("`.{name}()`"),
            Expr::Field { name, .. } => format!("the field `{name}`"),
            Expr::BuiltinCall { builtin, .. } => format!("`{}(..)`", builtin.name()),
            Expr::Assign { .. } => "an assignment".to_owned(),
            Expr::While { .. } | Expr::Loop { .. } | Expr::For { .. } => "a loop".to_owned(),
            Expr::Pool { .. } => "a `pool` block".to_owned(),
            Expr::Block { .. } => "this block".to_owned(),
            _ => "this".to_owned(),
        }
    }

    /// A type that is expected, in the words of a message.
    pub(super) fn wanted(&self, ty: &Ty) -> String {
        match self.resolved(ty) {
            // What it is when nothing else decides.
            Ty::Var(var) if var.is_float() => "`f64`".to_owned(),
            Ty::Var(var) if var.is_int() => "`i32`".to_owned(),
            Ty::Void => "nothing".to_owned(),
            ty => format!("`{ty}`"),
        }
    }

    /// A type in the words of a message.
    pub(super) fn describe(&self, ty: &Ty) -> String {
        match self.resolved(ty) {
            Ty::Var(var) if var.is_float() => "a float literal".to_owned(),
            Ty::Var(var) if var.is_int() => "an integer literal".to_owned(),
            Ty::Var(_) => "a value whose type is not known yet".to_owned(),
            Ty::Never => "something that never gives a value".to_owned(),
            ty => format!("`{ty}`"),
        }
    }
}
