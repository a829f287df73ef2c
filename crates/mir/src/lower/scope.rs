//! Scopes: what is dropped where control leaves them, and which pool is around.

use neuro_hir::ExprId;

use neuro_types::Ty;

use super::Lowering;
use crate::ownership::runs_drop;
use crate::{DropReason, LocalId, LocalKind, Place, PoolId, StatementKind};

/// A scope that is open at the current point.
pub(super) struct Scope {
    /// The locals that own something, in the order of their declaration.
    owned: Vec<LocalId>,
    /// The other locals that references may refer to, of which only the end is told.
    plain: Vec<LocalId>,
    /// Why they are dropped at its end.
    reason: DropReason,
    /// The pool that ends with this scope.
    pool: Option<PoolId>,
}

impl Lowering<'_, '_> {
    pub(super) fn open_scope(&mut self, reason: DropReason, pool: Option<PoolId>) {
        self.scopes.push(Scope { owned: Vec::new(), plain: Vec::new(), reason, pool });
    }

    /// Leaves what the innermost scope owns to the one around it.
    pub(super) fn join_scope(&mut self) {
        if let Some(inner) = self.scopes.pop()
            && let Some(around) = self.scopes.last_mut()
        {
            around.owned.extend(inner.owned);
            around.plain.extend(inner.plain);
        }
    }

    /// Whether the innermost scope has something to end.
    pub(super) fn scope_ends_something(&self) -> bool {
        self.scopes.last().is_some_and(|scope| !scope.owned.is_empty() || !scope.plain.is_empty())
    }

    /// Whether a `drop` of the program runs where the innermost scope ends.
    pub(super) fn scope_runs_drop(&self) -> bool {
        let runs = |local: &LocalId| runs_drop(self.db, &self.locals[*local].ty);
        self.scopes.last().is_some_and(|scope| scope.owned.iter().any(runs))
    }

    /// Ends the innermost scope.
    pub(super) fn close_scope(&mut self, expr: ExprId) {
        let depth = self.scopes.len().saturating_sub(1);
        self.leave_scopes(depth, expr);
        self.scopes.pop();
    }

    /// Drops what the scopes beyond the first `depth` own, as a jump out of them does.
    pub(super) fn leave_scopes(&mut self, depth: usize, expr: ExprId) {
        for index in (depth..self.scopes.len()).rev() {
            let scope = &self.scopes[index];
            let (reason, pool) = (scope.reason, scope.pool);
            let ending = [scope.owned.clone(), scope.plain.clone()];
            for local in ending.into_iter().flat_map(|locals| locals.into_iter().rev()) {
                self.drop_place(Place::local(local), reason, expr);
            }
            if let Some(pool) = pool {
                self.emit(StatementKind::PoolExit(pool), expr);
            }
        }
    }

    /// Lets the innermost scope drop a local, if the local owns anything.
    pub(super) fn own(&mut self, local: LocalId) {
        let innermost = self.scopes.len().saturating_sub(1);
        self.own_in(innermost, local);
    }

    /// Lets the scope at `depth` drop a local, if the local owns anything. Of any other local that may be lent
    /// the end is told: no reference to it is used behind that.
    pub(super) fn own_in(&mut self, depth: usize, local: LocalId) {
        let declaration = &self.locals[local];
        let owns = self.owns(&declaration.ty) || declaration.kind.is_hidden_owner();
        let number = matches!(declaration.ty, Ty::Scalar(_) | Ty::Char);
        let lent = declaration.kind != LocalKind::Temporary || !number;
        let Some(scope) = self.scopes.get_mut(depth) else { return };
        if owns {
            scope.owned.push(local);
        } else if lent {
            scope.plain.push(local);
        }
    }

    /// Takes a local away from its scope: what it holds is dropped or moved now.
    pub(super) fn disown(&mut self, local: LocalId) {
        for scope in self.scopes.iter_mut().rev() {
            if let Some(index) = scope.owned.iter().rposition(|owned| *owned == local) {
                scope.owned.remove(index);
                return;
            }
        }
    }

    /// The pool from which new locals get their memory.
    pub(super) fn pool(&self) -> Option<PoolId> {
        if let Some(memory) = self.memory {
            return memory;
        }
        self.scopes.iter().rev().find_map(|scope| scope.pool)
    }
}
