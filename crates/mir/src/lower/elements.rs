//! `for` over the elements of an array.

use neuro_hir::{BinaryOp, CompareOp, Expr, ExprId, ForBinding, HeadSource, LocalId as Source};
use neuro_num::{DType, Scalar};
use neuro_types::Ty;

use super::{Lowering, gives_value};
use crate::{DropReason, LocalKind, Operand, Operation, Place, Projection, Rvalue, Terminator};

impl Lowering<'_, '_> {
    /// `for x in array`, `for (i, x) in array.enumerate()`. An array of owners is taken; what is left of it when
    /// the loop is left ends then. Of an array that is only borrowed, elements that are not copied are lent.
    pub(super) fn for_elements(&mut self, expr: ExprId) {
        let hir = self.hir;
        let Expr::For { label, binding, head, body } = &hir.exprs[expr] else { return };
        let HeadSource::Expr(source) = head.source else { return };
        self.open_scope(DropReason::Temporary, None);
        let place = self.walked_place(source);
        let array = self.peel(place);
        let Ty::Array { len, .. } = self.place_ty(&array) else { return };
        let count = |value: u64| Operand::Const(Scalar::wrap(DType::U64, i128::from(value)));
        let counter = Place::local(self.temporary(Ty::Scalar(DType::U64)));
        self.assign(&counter, Rvalue::Use(count(0)), expr);
        let (header, exit) = self.loop_header();
        let end = count(len.known().unwrap_or(0));
        let more = self.compare(CompareOp::Lt, Operand::Copy(counter.clone()), end, expr);
        let inside = self.leave_unless(more, exit);
        self.start(inside);
        let latch = self.new_block();
        self.open_scope(DropReason::ScopeEnd, None);
        let element = array.part(Projection::Index(counter.local));
        let (position, variable) = match binding {
            ForBinding::One(variable) => (None, *variable),
            ForBinding::Pair(position, variable) => (Some(*position), *variable),
        };
        if let Some(position) = position {
            let value = Rvalue::Use(Operand::Copy(counter.clone()));
            self.round_value(position, value, expr);
        }
        let value = match (self.types.local_ty(variable), self.place_ty(&element)) {
            (Ty::Ref { mutable, .. }, found) if !matches!(found, Ty::Ref { .. }) => {
                Rvalue::Ref { mutable: *mutable, place: element }
            }
            _ => self.take(element),
        };
        self.round_value(variable, value, expr);
        self.element_body(label.clone(), (latch, exit), *body, expr);
        self.start(latch);
        let one = count(1);
        let operands = vec![Operand::Copy(counter.clone()), one];
        self.operation(&counter, Operation::Binary(BinaryOp::Add), operands, expr);
        self.terminate(Terminator::Goto(header));
        self.start(exit);
        self.close_scope(expr);
    }

    /// The array that is walked: the place of a reference or of numbers, or the array itself, taken.
    fn walked_place(&mut self, source: ExprId) -> Place {
        let copied = !self.owns(self.types.ty(source));
        match self.hir.exprs[source] {
            // What is walked stays as it is at the head.
            Expr::Local(local) if copied && !self.hir.locals[local].mutable => {
                self.place(source).unwrap_or_else(|| self.materialize(source))
            }
            _ => self.materialize(source),
        }
    }

    /// Gives a variable of the loop its value of this round; the end of the round drops it.
    fn round_value(&mut self, variable: Source, value: Rvalue, expr: ExprId) {
        if !gives_value(self.types.local_ty(variable)) {
            return;
        }
        let local = self.declare(variable);
        debug_assert!(matches!(self.locals[local].kind, LocalKind::Binding(_)));
        self.assign(&Place::local(local), value, expr);
        self.bind(variable, local);
    }

    /// The body of a round, whose scope is open: both ways out of it end that scope.
    fn element_body(
        &mut self,
        label: Option<neuro_db::Name>,
        (latch, exit): (crate::BlockId, crate::BlockId),
        body: ExprId,
        expr: ExprId,
    ) {
        // The variables belong to the round: `continue` and `break` drop them too.
        let depth = self.scopes.len().saturating_sub(1);
        self.loops.push(super::LoopFrame { label, next: latch, exit, depth, dest: None });
        self.block(body, None);
        self.loops.pop();
        self.close_scope(expr);
        self.terminate(Terminator::Goto(latch));
    }
}
