//! What evaluating an expression may do to places: the answers that evaluation order and the copies of
//! a sweep's constants rest on. Both err on the side of "may".

use neuro_hir::{Expr, ExprId, LocalId};
use neuro_types::{Callee, Method, Ty, fn_sig};

use super::Lowering;
use crate::ownership::holds_mutable;
use crate::pairs::method;
use crate::walk;

impl Lowering<'_, '_> {
    /// Whether evaluating any of these may write to a place that is known outside them.
    pub(super) fn may_write(&self, exprs: &[ExprId]) -> bool {
        exprs.iter().any(|expr| walk::any(self.hir, *expr, &mut |expr| self.writes(expr)))
    }

    /// Whether any of these names a local.
    pub(super) fn mention(&self, exprs: &[ExprId], local: LocalId) -> bool {
        exprs.iter().any(|expr| walk::mentions(self.hir, *expr, local))
    }

    /// Whether evaluating any of these may give a local away, or a part of it.
    pub(super) fn may_take(&self, exprs: &[ExprId], local: LocalId) -> bool {
        let mut todo = exprs.to_vec();
        while let Some(expr) = todo.pop() {
            if walk::path(self.hir, expr) == Some(local) {
                // A part that is copied leaves the whole where it is.
                if self.moves(self.types.ty(expr)) {
                    return true;
                }
                continue;
            }
            let looked_at = |child: &ExprId| self.only_looks(expr, *child);
            walk::children(self.hir, expr, &mut |child| {
                if walk::path(self.hir, child).is_none() || !looked_at(&child) {
                    todo.push(child);
                }
            });
        }
        false
    }

    /// Whether an expression leaves the place that one of its parts names what it is.
    fn only_looks(&self, expr: ExprId, part: ExprId) -> bool {
        match &self.hir.exprs[expr] {
            Expr::Borrow { .. } | Expr::Text(_) | Expr::Compare { .. } => true,
            Expr::Binary { .. } => self.is_text(part),
            Expr::Index { base, .. } => *base == part && !self.moves(self.types.ty(expr)),
            Expr::MethodCall { receiver, .. } if *receiver == part => {
                match self.types.callees.get(expr) {
                    Some(Callee::Member(_)) => true,
                    Some(Callee::Function(function)) => {
                        let taken = &fn_sig(self.db, *function).receiver;
                        matches!(taken, Some(Ty::Ref { .. }))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether evaluating any of these may give away, assign or change something that an expression names.
    pub(super) fn disturb(&self, exprs: &[ExprId], expr: ExprId) -> bool {
        let writes = self.may_write(exprs);
        !exprs.is_empty()
            && walk::any(self.hir, expr, &mut |inner| match &self.hir.exprs[inner] {
                Expr::Local(local) => {
                    self.may_take(exprs, *local) || writes && self.may_touch(exprs, *local)
                }
                _ => false,
            })
    }

    /// Whether evaluating any of these may assign, change, give away or mutably borrow a local or a part of it.
    pub(super) fn may_touch(&self, exprs: &[ExprId], local: LocalId) -> bool {
        self.touch(exprs, &|touched| touched == local)
    }

    fn writes(&self, expr: ExprId) -> bool {
        match &self.hir.exprs[expr] {
            Expr::Assign { .. } | Expr::Borrow { mutable: true, .. } => true,
            Expr::Call { args, .. } => {
                args.iter().any(|arg| holds_mutable(self.db, self.types.ty(arg.value)))
            }
            Expr::MethodCall { args, .. } => match self.types.callees.get(expr) {
                Some(Callee::Function(function)) => {
                    let receiver = fn_sig(self.db, *function).receiver.iter();
                    let args = args.iter().map(|arg| self.types.ty(arg.value));
                    receiver.chain(args).any(|ty| holds_mutable(self.db, ty))
                }
                Some(Callee::Member(member)) => member.changes(),
                _ => matches!(method(self.types, expr), Some(Method::Backward | Method::ZeroGrad)),
            },
            _ => false,
        }
    }

    /// Whether any of these may assign, change, move or mutably borrow a local that `subject` holds for.
    pub(super) fn touch(&self, exprs: &[ExprId], subject: &dyn Fn(LocalId) -> bool) -> bool {
        let mut todo = exprs.to_vec();
        while let Some(expr) = todo.pop() {
            if self.touches(expr, subject, &mut todo) {
                return true;
            }
        }
        false
    }

    /// The same for an expression alone; those inside it that are to be asked too are put to `todo`.
    fn touches(
        &self,
        expr: ExprId,
        subject: &dyn Fn(LocalId) -> bool,
        todo: &mut Vec<ExprId>,
    ) -> bool {
        let looked_at = |operand: ExprId| match &self.hir.exprs[operand] {
            Expr::Local(local) => subject(*local),
            _ => false,
        };
        match &self.hir.exprs[expr] {
            // Reached by value: moved, or lent on.
            Expr::Local(local) => return subject(*local) && !self.types.local_ty(*local).is_copy(),
            Expr::Borrow { mutable: false, operand } if looked_at(*operand) => {}
            Expr::Borrow { mutable: true, operand } if self.is_rooted(*operand, subject) => {
                return true;
            }
            Expr::Index { base, args } if looked_at(*base) => {
                todo.extend(walk::index_positions(args));
            }
            Expr::MethodCall { receiver, args, .. }
                if looked_at(*receiver)
                    && !matches!(
                        method(self.types, expr),
                        None | Some(
                            Method::ZeroGrad
                                | Method::Backward
                                | Method::Transpose
                                | Method::Detach
                        )
                    ) =>
            {
                todo.extend(args.iter().map(|arg| arg.value));
            }
            // `.zero_grad()` leaves the elements, yet needs the tensor mutably.
            Expr::MethodCall { receiver, .. }
                if method(self.types, expr) == Some(Method::ZeroGrad)
                    && self.is_rooted(*receiver, subject) =>
            {
                return true;
            }
            Expr::Unary { operand, .. } if looked_at(*operand) => {
                return self.moves_operand(*operand);
            }
            Expr::Binary { lhs, rhs, .. } => {
                let named = |operand: &ExprId| looked_at(*operand);
                todo.extend([*lhs, *rhs].into_iter().filter(|operand| !named(operand)));
                let mut named = [*lhs, *rhs].into_iter().filter(named);
                return named.any(|operand| self.moves_operand(operand));
            }
            Expr::Assign { place, .. } if self.is_rooted(*place, subject) => return true,
            _ => walk::children(self.hir, expr, &mut |child| todo.push(child)),
        }
        false
    }

    fn is_rooted(&self, place: ExprId, subject: &dyn Fn(LocalId) -> bool) -> bool {
        walk::root(self.hir, place).is_some_and(subject)
    }

    /// Whether an operator takes this operand, rather than reading it through a reference.
    fn moves_operand(&self, operand: ExprId) -> bool {
        matches!(self.types.ty(operand), Ty::Tensor(_))
    }
}
