//! Statements that bind names.

use neuro_syntax::{AstNode, ast};

use super::Lowering;
use super::pattern::{Binder, Names};
use crate::{Binding, Pat, PatId, Stmt, tree};

impl Lowering<'_> {
    /// `val`, `mut`, and `val` with `else`. The value does not see the names, and neither does `else`.
    pub(super) fn lower_bind(&mut self, stmt: &ast::BindStmt) -> Stmt {
        let init = self.lower_expr_opt(stmt.value(), stmt.syntax());
        let ty_range = stmt.ty().map(|ty| tree::trimmed_range(ty.syntax()));
        let ty = stmt.ty().map(|ty| self.types.lower(&ty));
        let mutable = stmt.is_mutable();
        let mark = self.types.scopes.enter();
        let mut names = Names::default();
        let Some(val_else) = stmt.val_else() else {
            let mut binder =
                Binder { mutable, binding: Binding::Let, ty: ty_range, variants: false };
            let pat = match stmt.pat() {
                Some(ast::Pat::Wildcard(pat)) => self.discard(&pat, &binder),
                Some(pat) => self.lower_pat(&pat, &mut binder, &mut names),
                None => self.nameless(stmt, &binder),
            };
            return Stmt::Let { pat, ty, init };
        };
        let mut binder = Binder { mutable, binding: Binding::Let, ty: ty_range, variants: true };
        let pat = self.lower_pat_opt(stmt.pat(), stmt.syntax(), &mut binder, &mut names);
        let hidden = self.types.scopes.hide(mark);
        let failure = val_else.name().map(|name| {
            let mut binder =
                Binder { mutable: false, binding: Binding::Failure, ty: None, variants: false };
            self.lower_pat(&name, &mut binder, &mut Names::default())
        });
        let otherwise = self.lower_block_opt(val_else.body(), val_else.syntax());
        self.types.scopes.leave(mark);
        self.types.scopes.restore(hidden);
        Stmt::LetElse { pat, ty, init, failure, otherwise }
    }

    /// `val _ = e`: the value lives to the end of the block, and no name reaches it.
    fn discard(&mut self, pat: &ast::WildcardPat, binder: &Binder) -> PatId {
        let range = tree::trimmed_range(pat.syntax());
        let name = neuro_db::Name::new_static("_");
        let local = self.declare(name, binder.mutable, binder.binding, range, binder.ty);
        self.alloc_pat(Pat::Bind(local), range)
    }

    /// A binding whose name a syntax error left out.
    fn nameless(&mut self, stmt: &ast::BindStmt, binder: &Binder) -> PatId {
        let range = tree::token_or_first(None, stmt.syntax());
        let name = neuro_db::Name::default();
        let local = self.declare(name, binder.mutable, binder.binding, range, binder.ty);
        self.alloc_pat(Pat::Bind(local), range)
    }

    /// A constant of a block, visible behind its declaration.
    pub(super) fn lower_local_const(&mut self, item: &ast::Const) -> Stmt {
        let value = self.lower_expr_opt(item.value(), item.syntax());
        let range = item.name().map_or_else(
            || tree::token_or_first(None, item.syntax()),
            |name| tree::trimmed_range(name.syntax()),
        );
        let ty_range = item.ty().map(|ty| tree::trimmed_range(ty.syntax()));
        let ty = self.types.lower_opt(item.ty());
        let name = tree::name_text(item.name());
        let local = self.declare(name, false, Binding::Const, range, ty_range);
        Stmt::Const { local, ty, value }
    }
}
