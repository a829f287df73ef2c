//! `for` over the characters of a text.

use neuro_hir::{BinaryOp, Expr, ExprId, HeadSource};
use neuro_num::DType;
use neuro_types::{Callee, Collection, Member, Ty};

use super::Lowering;
use crate::{DropReason, Operand, Operation, Place, Rvalue, TextOperation};

impl Lowering<'_, '_> {
    /// Whether the source of a head gives characters, with their positions or without.
    pub(super) fn gives_characters(&self, source: ExprId) -> bool {
        let ty = self.types.ty(source);
        matches!(ty, Ty::Collection { kind: Collection::Chars, .. }) || self.gives_positions(source)
    }

    fn gives_positions(&self, source: ExprId) -> bool {
        self.types.callees.get(source) == Some(&Callee::Member(Member::CharIndices))
    }

    /// `for c in text.chars()`, `for (i, c) in text.char_indices()`.
    pub(super) fn for_characters(&mut self, expr: ExprId) {
        let hir = self.hir;
        let Expr::For { label, binding, head, body } = &hir.exprs[expr] else { return };
        let HeadSource::Expr(source) = head.source else { return };
        self.open_scope(DropReason::Temporary, None);
        let characters = Ty::Collection { kind: Collection::Chars, args: [].into() };
        let rest = Place::local(self.temporary(characters));
        let mut whole = None;
        match &hir.exprs[source] {
            Expr::MethodCall { receiver, .. } if self.gives_positions(source) => {
                let view = self.view(*receiver);
                self.text_operation(&rest, TextOperation::Chars, vec![view], source);
                whole = Some(self.bytes_left(&rest, source));
            }
            _ => self.value_into(source, &rest),
        }
        let round = self.round(head, *binding, label.clone(), *body, expr);
        let (header, exit) = self.loop_header();
        let left = whole.is_some().then(|| self.bytes_left(&rest, expr));
        let character = self.next_character(rest, expr);
        let more = self.is_character(character.clone(), expr);
        let inside = self.leave_unless(more, exit);
        self.start(inside);
        let value = match whole.zip(left) {
            Some((whole, left)) => {
                let position = Place::local(self.temporary(Ty::Scalar(DType::U64)));
                let op = Operation::Binary(BinaryOp::Sub);
                self.operation(&position, op, vec![whole, left], expr);
                Rvalue::Aggregate(vec![Operand::Copy(position), character])
            }
            None => Rvalue::Use(character),
        };
        self.run_round(&round, value, (header, exit));
        self.start(exit);
        self.close_scope(expr);
    }

    /// The number of bytes of the characters that are left.
    fn bytes_left(&mut self, rest: &Place, expr: ExprId) -> Operand {
        let left = Place::local(self.temporary(Ty::Scalar(DType::U64)));
        let operands = vec![Operand::Copy(rest.clone())];
        self.text_operation(&left, TextOperation::Length, operands, expr);
        Operand::Copy(left)
    }
}
