//! What an expression and a statement are made of.

use crate::{Adapter, Body, Expr, ExprId, FormatPart, HeadSource, IndexArg, Stmt};

impl Expr {
    /// Calls `visit` with each direct part, in the order of evaluation; the body of a closure is a part too.
    pub fn children(&self, visit: &mut dyn FnMut(ExprId)) {
        match self {
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Path(_)
            | Expr::Continue { .. } => {}
            Expr::Text(parts) => {
                for part in parts {
                    if let FormatPart::Hole { value, .. } = part {
                        visit(*value);
                    }
                }
            }
            Expr::Unary { operand, .. }
            | Expr::Borrow { operand, .. }
            | Expr::Deref(operand)
            | Expr::Cast { operand, .. }
            | Expr::Try(operand) => visit(*operand),
            Expr::Field { base, .. } | Expr::TupleField { base, .. } => visit(*base),
            Expr::Binary { lhs, rhs, .. }
            | Expr::Compare { lhs, rhs, .. }
            | Expr::Logic { lhs, rhs, .. }
            | Expr::Coalesce { lhs, rhs }
            | Expr::Pipeline { value: lhs, function: rhs }
            | Expr::Compose { first: lhs, second: rhs } => {
                visit(*lhs);
                visit(*rhs);
            }
            Expr::Call { callee, args } => {
                visit(*callee);
                args.iter().for_each(|arg| visit(arg.value));
            }
            Expr::BuiltinCall { args, .. } => args.iter().for_each(|arg| visit(arg.value)),
            Expr::MethodCall { receiver, args, .. } => {
                visit(*receiver);
                args.iter().for_each(|arg| visit(arg.value));
            }
            Expr::StructLit { fields, base, .. } => {
                fields.iter().for_each(|field| visit(field.value));
                base.iter().copied().for_each(visit);
            }
            Expr::Index { base, args } => {
                visit(*base);
                args.iter().for_each(|arg| arg.children(visit));
            }
            Expr::Range { start, end, .. } => {
                start.iter().chain(end).copied().for_each(visit);
            }
            Expr::Array(elements) | Expr::Tuple(elements) => {
                elements.iter().copied().for_each(visit);
            }
            Expr::Closure(closure) => visit(closure.body),
            Expr::Block { stmts, tail } => {
                stmts.iter().for_each(|stmt| stmt.children(visit));
                tail.iter().copied().for_each(visit);
            }
            Expr::If { cond, then, otherwise } => {
                visit(*cond);
                visit(*then);
                otherwise.iter().copied().for_each(visit);
            }
            Expr::Match { scrutinee, arms } => {
                visit(*scrutinee);
                for arm in arms {
                    arm.guard.iter().copied().for_each(&mut *visit);
                    visit(arm.body);
                }
            }
            Expr::While { cond, body, .. } => {
                visit(*cond);
                visit(*body);
            }
            Expr::Loop { body, .. } | Expr::Pool { body, .. } => visit(*body),
            Expr::For { head, body, .. } => {
                match head.source {
                    HeadSource::Range { start, end, .. } => {
                        visit(start);
                        visit(end);
                    }
                    HeadSource::Expr(source) => visit(source),
                }
                for adapter in &head.adapters {
                    match adapter {
                        Adapter::Rev => {}
                        Adapter::Step(part) | Adapter::Map(part) | Adapter::Filter(part) => {
                            visit(*part);
                        }
                    }
                }
                visit(*body);
            }
            Expr::Return(value) | Expr::Break { value, .. } => {
                value.iter().copied().for_each(visit);
            }
            Expr::Assign { place, value, .. } => {
                visit(*value);
                visit(*place);
            }
        }
    }
}

impl IndexArg {
    fn children(&self, visit: &mut dyn FnMut(ExprId)) {
        match self {
            IndexArg::At(position) => visit(*position),
            IndexArg::Range { start, end, .. } => start.iter().chain(end).copied().for_each(visit),
        }
    }
}

impl Stmt {
    /// The expression whose value the statement takes: of a binding, its initial value.
    pub fn value(&self) -> ExprId {
        match self {
            Stmt::Let { init, .. } | Stmt::LetElse { init, .. } => *init,
            Stmt::Const { value, .. } => *value,
            Stmt::Expr(expr) => *expr,
        }
    }

    /// Calls `visit` with each expression of the statement, in the order of evaluation.
    pub fn children(&self, visit: &mut dyn FnMut(ExprId)) {
        visit(self.value());
        if let Stmt::LetElse { otherwise, .. } = self {
            visit(*otherwise);
        }
    }
}

impl Body {
    /// Calls `visit` with an expression and everything in it, the outer ones first.
    pub fn walk(&self, expr: ExprId, visit: &mut dyn FnMut(ExprId)) {
        // The text decides how deep expressions are, so the depth is no depth of calls.
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            visit(expr);
            let first = todo.len();
            self.exprs[expr].children(&mut |child| todo.push(child));
            if let Some(added) = todo.get_mut(first..) {
                added.reverse();
            }
        }
    }
}
