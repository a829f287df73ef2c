//! Parts of the language that are not typed yet: each is refused by name, once.

use neuro_db::codes;
use neuro_hir::{Expr, ExprId, ForBinding, Head, HeadSource, LocalId, PatId};

use super::{Context, Type};
use crate::{Finding, Place, Ty};

impl Context<'_> {
    pub(super) fn refuse_later(&mut self, place: Place, what: &str) -> Type {
        let verb = if what.ends_with('s') { "are" } else { "is" };
        let message = format!("{what} {verb} not supported yet");
        self.report(Finding::new(codes::UNSUPPORTED, place, message));
        self.infer_unclear()
    }

    /// An expression that is not typed yet, at the word that says what it does.
    pub(super) fn later_expr(&mut self, expr: ExprId, what: &str) -> Type {
        self.refuse_later(Place::Head(expr), what)
    }

    /// A field or an element of a tuple: nothing more is said of a base that is refused itself.
    pub(super) fn later_field(&mut self, expr: ExprId, base: ExprId) -> Type {
        let found = self.infer(base, None);
        match self.absorbed(&found) {
            Some(absorbed) => absorbed,
            None => {
                self.give_up(&found);
                self.later_expr(expr, "fields")
            }
        }
    }

    /// A pattern of a binding; nothing more is said of a value that is refused itself.
    pub(super) fn later_pattern(&mut self, pat: PatId, init: ExprId) -> Type {
        let found = self.infer(init, None);
        if self.absorbed(&found).is_none() {
            self.give_up(&found);
            self.refuse_later(Place::Pat(pat), "destructuring");
        }
        self.type_of(init)
    }

    /// `val` with `else`.
    pub(super) fn later_val_else(&mut self, init: ExprId, otherwise: ExprId) -> Type {
        let found = self.infer(init, None);
        if self.absorbed(&found).is_none() {
            self.give_up(&found);
            self.refuse_later(Place::Expr(otherwise), "`val` with `else`");
        }
        Type::ERROR
    }

    /// A constant of a block.
    pub(super) fn later_const(&mut self, local: LocalId) -> Type {
        self.locals.insert(local, Ty::Error);
        self.refuse_later(Place::Local(local), "`const` in a function")
    }

    /// A `for` that walks something else than a plain range, or binds a pair.
    pub(super) fn later_for(&mut self, expr: ExprId) -> Type {
        let Expr::For { label, binding, head, body } = self.expr(expr) else { return Type::ERROR };
        self.later_head(expr, *binding, head);
        self.infer_loop_body(label, *body);
        Type::VOID
    }

    fn later_head(&mut self, expr: ExprId, binding: ForBinding, head: &Head) {
        match head.source {
            HeadSource::Expr(source) if *self.expr(source) == Expr::Missing => {}
            HeadSource::Expr(source) => {
                self.refuse_later(Place::Expr(source), "`for` over anything but a range");
            }
            HeadSource::Range { .. } => {
                let what = match binding {
                    ForBinding::One(_) => "this head of a `for`",
                    ForBinding::Pair(..) => "a pair of loop variables",
                };
                self.refuse_later(Place::Head(expr), what);
            }
        }
    }
}
