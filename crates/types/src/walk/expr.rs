//! What each kind of expression is.

use neuro_db::codes;
use neuro_hir::{BuiltinType, Expr, ExprId, Item, LocalId, Resolution, TypeRef, resolve_path};

use super::{Context, Why};
use crate::{Callee, Finding, Place, Ty};

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
            Expr::Index { base, .. }
            | Expr::Field { base, .. }
            | Expr::TupleField { base, .. }
            | Expr::Try(base) => *base,
            Expr::Pipeline { value, .. } => *value,
            Expr::Call { callee, .. }
                if !matches!(self.expr(*callee), Expr::Path(_) | Expr::Closure(_)) =>
            {
                *callee
            }
            _ => return None,
        };
        self.exprs.get(inner).is_none().then_some(inner)
    }

    fn infer_one(&mut self, expr: ExprId, hint: Option<&Ty>) -> Ty {
        if let Some(finding) = self.not_constant(expr) {
            let ty = self.refuse(finding);
            return self.record(expr, ty);
        }
        let ty = match self.expr(expr) {
            Expr::Missing => self.infer_unclear(),
            Expr::Literal(literal) => self.infer_literal(expr, literal, None),
            Expr::Text(parts) => {
                self.infer_holes(parts);
                Ty::Text
            }
            Expr::Local(local) => self.infer_local(expr, *local),
            Expr::Path(path) => self.infer_path(expr, path, hint),
            Expr::Field { base, name } => self.infer_field(expr, *base, name),
            Expr::TupleField { base, index } => self.infer_tuple_field(expr, *base, *index),
            Expr::Tuple(parts) => self.infer_tuple(parts, hint),
            Expr::StructLit { path, fields, base } => {
                self.infer_struct_lit(expr, path, fields, *base, hint)
            }
            Expr::Closure(closure) => self.infer_closure(expr, closure, hint),
            Expr::Range { start, end, .. } => self.infer_stray_range(expr, *start, *end),
            Expr::Try(operand) => self.infer_try(expr, *operand),
            Expr::Coalesce { lhs, rhs } => self.infer_coalesce(*lhs, *rhs, hint),
            Expr::Pipeline { value, function } => self.infer_pipeline(expr, *value, *function),
            Expr::Compose { first, second } => self.infer_compose(*first, *second),
            Expr::Unary { op, operand } => self.infer_unary(expr, *op, *operand),
            Expr::Binary { op, lhs, rhs } => {
                let ty = self.infer_binary(expr, *op, *lhs, *rhs);
                self.convert_both(expr, *lhs, *rhs, hint);
                ty
            }
            Expr::Compare { op, lhs, rhs } => self.infer_compare(expr, *op, *lhs, *rhs),
            Expr::Logic { op, lhs, rhs } => self.infer_logic(expr, *op, *lhs, *rhs),
            Expr::Borrow { mutable, operand } => self.infer_borrow(expr, *mutable, *operand, hint),
            Expr::Deref(operand) => self.infer_deref(expr, *operand),
            Expr::Call { callee, args } => self.infer_call(expr, *callee, args, hint),
            Expr::BuiltinCall { builtin, args } => self.infer_builtin(expr, *builtin, args),
            Expr::MethodCall { receiver, name, type_args, args } => self.infer_method(
                expr,
                *receiver,
                name,
                type_args.as_deref().map(Vec::as_slice),
                args,
                hint,
            ),
            Expr::Index { base, args } => self.infer_index(expr, *base, args),
            Expr::Cast { operand, ty } => self.infer_cast(expr, *operand, ty),
            Expr::Array(entries) => self.infer_array(expr, entries, hint),
            Expr::Block { stmts, tail } => self.infer_block(stmts, *tail, hint),
            Expr::If { cond, then, otherwise } => {
                self.infer_if(expr, *cond, *then, *otherwise, hint)
            }
            Expr::Match { scrutinee, arms } => self.infer_match(expr, *scrutinee, arms, hint),
            Expr::While { label, cond, body } => self.infer_while(label, *cond, *body),
            Expr::Loop { label, body } => self.infer_loop(label, *body, hint, None),
            Expr::For { label, binding, head, body } => {
                self.infer_for(expr, label, *binding, head, *body)
            }
            Expr::Return(value) => self.infer_return(expr, *value),
            Expr::Break { label, value } => self.infer_break(expr, label.as_ref(), *value),
            Expr::Continue { label } => self.infer_continue(expr, label.as_ref()),
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

    /// Why an expression cannot stand in the value of a constant, if this is one.
    fn not_constant(&self, expr: ExprId) -> Option<Finding> {
        let name = self.constant.as_ref()?;
        let constant = match self.expr(expr) {
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Text(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Logic { .. } => true,
            Expr::Path(path) => self.is_const_path(path),
            Expr::Cast { ty, .. } => match &**ty {
                TypeRef::Path(path) => matches!(
                    resolve_path(self.db, self.module, path),
                    Ok(Resolution::Type(BuiltinType::Scalar(_)))
                ),
                _ => false,
            },
            _ => false,
        };
        (!constant).then(|| {
            let callee = match self.expr(expr) {
                Expr::Path(path) => match resolve_path(self.db, self.module, path) {
                    Ok(Resolution::Item(Item::Function(function))) => {
                        Some(Callee::Function(function))
                    }
                    _ => None,
                },
                _ => None,
            };
            crate::constants::not_made(name, self.body, callee.as_ref(), expr)
        })
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
            Expr::Match { scrutinee, arms } => self.discarded_match(expr, *scrutinee, arms),
            _ => return self.infer(expr, None),
        };
        self.record(expr, ty)
    }

    fn infer_local(&mut self, expr: ExprId, local: LocalId) -> Ty {
        self.note_const(expr, local);
        self.locals.get(local).map_or(Ty::Error, |ty| self.resolved(ty))
    }

    /// A type whose outermost part must be known here. What is still open then is reported, and counts as
    /// wrong from here on.
    pub(super) fn settled(&mut self, expr: ExprId, ty: &Ty) -> Ty {
        self.solve_projections();
        let resolved = self.resolved(ty);
        match resolved.peeled() {
            Ty::Var(var) if !var.is_int() && !var.is_float() => {
                self.give_up(&resolved);
                self.refuse(
                    Finding::new(
                        codes::AMBIGUOUS,
                        Place::Expr(expr),
                        format!("the type of {} is not known here yet", self.subject(expr)),
                    )
                    .note("annotate the binding that it comes from"),
                )
            }
            _ => resolved,
        }
    }

    /// `a..b` where no range belongs.
    fn infer_stray_range(
        &mut self,
        expr: ExprId,
        start: Option<ExprId>,
        end: Option<ExprId>,
    ) -> Ty {
        for bound in [start, end].into_iter().flatten() {
            self.infer(bound, None);
        }
        self.refuse(Finding::new(codes::MISMATCH, Place::Expr(expr), "a range is no value").note(
            "ranges stand in the head of a `for`, in an index, in a pattern, and in `.slice(..)`",
        ))
    }

    /// Checks an expression that is inferred already, and notes the type that it takes on.
    pub(super) fn check_inferred(&mut self, expr: ExprId, ty: &Ty, why: &Why) {
        let found = self.type_of(expr);
        self.expect(expr, &found, ty, why);
    }
}
