//! `for` over a value of a type of the program that is an iterator, or becomes one.

use neuro_hir::{Expr, ExprId, Function, HeadSource};
use neuro_types::{GenericArg, Ty, Walk, fn_sig, implementation, walk_of};

use super::Lowering;
use crate::{DropReason, Operand, Place, StatementKind};

impl<'db> Lowering<'_, 'db> {
    /// By what a type is walked, if it is one of the program's.
    pub(super) fn walk(&self, ty: &Ty) -> Option<Walk<'db>> {
        match ty {
            Ty::Adt { .. } | Ty::Param(_) | Ty::Opaque(_) => {
                walk_of(self.db, self.module, self.generics, ty)
            }
            _ => None,
        }
    }

    /// `for x in iterator`: the value is taken, and asked for the next one until there is none.
    pub(super) fn for_iterator(&mut self, expr: ExprId) {
        let hir = self.hir;
        let Expr::For { label, binding, head, body } = &hir.exprs[expr] else { return };
        let HeadSource::Expr(source) = head.source else { return };
        self.open_scope(DropReason::Temporary, None);
        let mut iterator = self.materialize(source);
        if let Some(Walk::IntoIterator(into)) = self.walk(&self.place_ty(&iterator)) {
            iterator = self.converted(into, iterator, expr);
        }
        let Some(Walk::Iterator(next)) = self.walk(&self.place_ty(&iterator)) else { return };
        let (next, generics, option) = self.method_of(next, &self.place_ty(&iterator));
        let round = self.round(head, *binding, label.clone(), *body, expr);
        let (header, exit) = self.loop_header();
        let found = Place::local(self.temporary(option));
        let args = vec![self.lend(iterator, true, expr)];
        let dest = Some(found.clone());
        self.emit(StatementKind::Call { dest, function: next, generics, args }, expr);
        let ty = self.place_ty(&found);
        let Some((some, _)) = self.option_variants(&ty) else { return };
        let there = self.is_variant(some, &found, expr);
        let inside = self.leave_unless(there, exit);
        self.start(inside);
        if let Some(step) = self.payload(&ty, some, 0) {
            let value = self.take(found.part(step));
            self.run_round(&round, value, (header, exit));
        }
        self.start(exit);
        self.close_scope(expr);
    }

    /// The iterator that a value becomes.
    fn converted(&mut self, into: Function<'db>, value: Place, expr: ExprId) -> Place {
        let (function, generics, ty) = self.method_of(into, &self.place_ty(&value));
        let iterator = Place::local(self.temporary(ty));
        let given = if self.moves(&self.place_ty(&value)) {
            Operand::Move(value)
        } else {
            Operand::Copy(value)
        };
        let args = vec![given];
        self.give(&args);
        let dest = Some(iterator.clone());
        self.emit(StatementKind::Call { dest, function, generics, args }, expr);
        self.own(iterator.local);
        iterator
    }

    /// The function that a method of a trait is for a type, what it is applied to, and what it gives.
    fn method_of(&self, method: Function<'db>, own: &Ty) -> (Function<'db>, Vec<GenericArg>, Ty) {
        let (function, generics) =
            implementation(self.db, method, &[GenericArg::Type(own.clone())]);
        let ret = self.applied(&fn_sig(self.db, function).ret, &generics);
        (function, generics, ret)
    }
}
