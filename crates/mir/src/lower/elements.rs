//! `for` over the elements of an array, a slice or a vector.

use neuro_hir::{BinaryOp, CompareOp, Expr, ExprId, HeadSource};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::Lowering;
use super::member::is_vec;
use crate::{DropReason, Operand, Operation, Place, Projection, Rvalue, Terminator};

impl Lowering<'_, '_> {
    /// `for x in row`, `for (i, x) in row.enumerate()`. An array of owners is taken; what is left of it when
    /// the loop is left ends then. Of an array that is only borrowed, elements that are not copied are lent.
    pub(super) fn for_elements(&mut self, expr: ExprId) {
        let hir = self.hir;
        let Expr::For { label, binding, head, body } = &hir.exprs[expr] else { return };
        let HeadSource::Expr(source) = head.source else { return };
        self.open_scope(DropReason::Temporary, None);
        let place = self.walked_place(source);
        let lent = matches!(self.types.ty(source), Ty::Ref { .. });
        let row = self.walked_row(place, expr);
        let end = self.length(&row, expr);
        let round = self.round(head, *binding, label.clone(), *body, expr);
        let count = |value: u64| Operand::Const(Scalar::wrap(DType::U64, i128::from(value)));
        let counter = Place::local(self.temporary(Ty::Scalar(DType::U64)));
        self.assign(&counter, Rvalue::Use(count(0)), expr);
        let (header, exit) = self.loop_header();
        let more = self.compare(CompareOp::Lt, Operand::Copy(counter.clone()), end, expr);
        let inside = self.leave_unless(more, exit);
        self.start(inside);
        let latch = self.new_block();
        let element = row.part(Projection::Index(counter.local));
        let value = match self.place_ty(&element) {
            Ty::Ref { .. } => self.take(element),
            Ty::Text if lent => Rvalue::Use(Operand::Copy(element)),
            found if lent && self.moves(&found) => Rvalue::Ref { mutable: false, place: element },
            _ => self.take(element),
        };
        self.run_round(&round, value, (latch, exit));
        self.start(latch);
        let operands = vec![Operand::Copy(counter.clone()), count(1)];
        self.operation(&counter, Operation::Binary(BinaryOp::Add), operands, expr);
        self.terminate(Terminator::Goto(header));
        self.start(exit);
        self.close_scope(expr);
    }

    /// The row in a place. A vector is borrowed while it is walked: it stays what it is.
    fn walked_row(&mut self, place: Place, expr: ExprId) -> Place {
        let row = self.peel(place);
        if !is_vec(&self.place_ty(&row)) {
            return row;
        }
        let Some(element) = self.element_ty(&row) else { return row };
        let slice = Ty::Slice(std::sync::Arc::new(element)).reference(false);
        let view = Place::local(self.temporary(slice));
        self.assign(&view, Rvalue::Slice { mutable: false, place: row, range: None }, expr);
        view.deref()
    }

    /// What is walked: the place of a reference, of numbers or of a vector, or the array itself, taken.
    fn walked_place(&mut self, source: ExprId) -> Place {
        if is_vec(self.types.ty(source)) {
            return self.base(source);
        }
        let copied = !self.owns(self.types.ty(source));
        match self.hir.exprs[source] {
            // What is walked stays as it is at the head.
            Expr::Local(local) if copied && !self.hir.locals[local].mutable => {
                self.place(source).unwrap_or_else(|| self.materialize(source))
            }
            _ => self.materialize(source),
        }
    }
}
