//! Scopes: what is dropped where control leaves them, and which pool is around.

use neuro_hir::ExprId;

use super::Lowering;
use crate::{DropReason, LocalId, Place, PoolId, StatementKind};

/// A scope that is open at the current point.
pub(super) struct Scope {
    /// The locals that own something, in the order of their declaration.
    owned: Vec<LocalId>,
    /// Why they are dropped at its end.
    reason: DropReason,
    /// The pool that ends with this scope.
    pool: Option<PoolId>,
}

impl Lowering<'_, '_> {
    pub(super) fn open_scope(&mut self, reason: DropReason, pool: Option<PoolId>) {
        self.scopes.push(Scope { owned: Vec::new(), reason, pool });
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
            for local in scope.owned.clone().into_iter().rev() {
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

    /// Lets the scope at `depth` drop a local, if the local owns anything.
    pub(super) fn own_in(&mut self, depth: usize, local: LocalId) {
        let declaration = &self.locals[local];
        let owns = self.owns(&declaration.ty) || declaration.kind.is_hidden_owner();
        if let Some(scope) = self.scopes.get_mut(depth)
            && owns
        {
            scope.owned.push(local);
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
