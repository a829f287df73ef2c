//! Values that stand where another type is expected, and become it.

use neuro_hir::{Expr, ExprId, FormatPart};
use neuro_types::Ty;

use super::Lowering;
use crate::{Place, Rvalue};

impl Lowering<'_, '_> {
    /// The type of the value of an expression, where it stands.
    pub(super) fn standing_ty(&self, expr: ExprId) -> &Ty {
        self.types.coercions.get(expr).unwrap_or_else(|| self.types.ty(expr))
    }

    /// A text that is written where text is only looked at. One that is built is lent.
    pub(super) fn lent_text(&mut self, expr: ExprId, dest: &Place) {
        if self.is_constant_text(expr) {
            return self.text_into(expr, dest, expr);
        }
        let text = Place::local(self.temporary(Ty::Text));
        // Anything else is a constant without a value, which is reported where it is declared.
        if matches!(self.hir.exprs[expr], Expr::Text(_)) || self.joins(expr) {
            self.text_into(expr, &text, expr);
        } else {
            self.uncoerced_into(expr, &text);
        }
        self.own(text.local);
        self.assign(dest, Rvalue::Ref { mutable: false, place: text }, expr);
    }

    /// Whether a binding lends a new value, which then lives as long as the binding.
    pub(super) fn lends_new(&self, init: ExprId) -> bool {
        match self.hir.exprs[init] {
            Expr::Borrow { operand, .. } => crate::walk::root(self.hir, operand).is_none(),
            Expr::Text(_) => {
                self.types.coercions.get(init).is_some() && !self.is_constant_text(init)
            }
            _ => false,
        }
    }

    fn is_constant_text(&self, expr: ExprId) -> bool {
        if self.types.texts.get(expr).is_some() {
            return true;
        }
        match &self.hir.exprs[expr] {
            Expr::Text(parts) => parts.iter().all(|part| matches!(part, FormatPart::Text(_))),
            _ => false,
        }
    }
}
