//! Blocks and bindings.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId, LocalId, Stmt, TypeRef};

use super::{Context, Type, Why};
use crate::{Finding, Place, Ty};

impl Context<'_> {
    /// The type of a block whose value is used.
    pub(super) fn infer_block(
        &mut self,
        stmts: &[Stmt],
        tail: Option<ExprId>,
        hint: Option<&Ty>,
    ) -> Type {
        let diverges = self.infer_stmts(stmts);
        match tail {
            Some(tail) if diverges => {
                self.infer_discarded(tail);
                Type::NEVER
            }
            Some(tail) => self.infer(tail, hint),
            None if diverges => Type::NEVER,
            None => Type::VOID,
        }
    }

    /// Infers statements; whether one of them never ends.
    pub(super) fn infer_stmts(&mut self, stmts: &[Stmt]) -> bool {
        let mut diverges = false;
        for stmt in stmts {
            let ty = match stmt {
                Stmt::Let { pat, ty, init } => match self.body.bound(*pat) {
                    Some(local) => self.infer_let(local, ty.as_ref(), *init),
                    None => self.later_pattern(*pat, *init),
                },
                Stmt::LetElse { init, otherwise, .. } => self.later_val_else(*init, *otherwise),
                Stmt::Const { local, .. } => self.later_const(*local),
                Stmt::Expr(expr) => self.infer_discarded(*expr),
            };
            diverges |= ty.is(&Ty::Never);
        }
        diverges
    }

    /// Infers a binding; the type of the initial value.
    fn infer_let(&mut self, local: LocalId, ty: Option<&TypeRef>, init: ExprId) -> Type {
        let declared = match ty {
            Some(ty) => {
                let declared = self.written_type(Place::LocalType(local), ty);
                self.check(init, &declared, &Why::Annotation(local));
                declared
            }
            None => {
                let found = self.infer(init, None);
                let found = self.numbers.finish(&found);
                self.bindable(init, found)
            }
        };
        self.locals.insert(local, declared);
        self.type_of(init)
    }

    /// The type of a binding that takes its type from its value.
    fn bindable(&mut self, init: ExprId, found: Ty) -> Ty {
        let message = match found {
            Ty::Void => match self.expr(init) {
                Expr::If { .. } => "an `if` without `else` gives nothing to bind".to_owned(),
                _ => format!("{} gives nothing to bind", self.subject(init)),
            },
            Ty::Never => "this never gives a value to bind".to_owned(),
            found => return found,
        };
        self.report(Finding::new(codes::MISMATCH, Place::Expr(init), message));
        Ty::Error
    }
}
