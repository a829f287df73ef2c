//! `for` over the characters of a text.

use neuro_hir::{CompareOp, Expr, ExprId, HeadSource};
use neuro_num::{DType, Scalar};
use neuro_types::{Arithmetic, Callee, Collection, Member, Ty};

use super::Lowering;
use crate::{DropReason, NumberOp, Operand, Operation, Place, Rvalue, TextOperation};

/// From which code point on a character takes one byte more.
const LONGER: [i128; 3] = [0x80, 0x800, 0x1_0000];

impl Lowering<'_, '_> {
    /// Whether the source of a head gives characters, with their positions or without.
    pub(super) fn gives_characters(&self, source: ExprId) -> bool {
        let ty = self.types.ty(source).peeled();
        self.is_indexed(source) || matches!(ty, Ty::Collection { kind: Collection::Chars, .. })
    }

    fn is_indexed(&self, source: ExprId) -> bool {
        self.types.callees.get(source) == Some(&Callee::Member(Member::CharIndices))
    }

    /// `for c in text.chars()`, `for (at, c) in text.char_indices()`.
    pub(super) fn for_characters(&mut self, expr: ExprId) {
        let hir = self.hir;
        let Expr::For { label, binding, head, body } = &hir.exprs[expr] else { return };
        let HeadSource::Expr(source) = head.source else { return };
        self.open_scope(DropReason::Temporary, None);
        let characters = self.characters(source, expr);
        let position = self.is_indexed(source).then(|| {
            let position = Place::local(self.temporary(Ty::Scalar(DType::U64)));
            let zero = Operand::Const(Scalar::zero(DType::U64));
            self.assign(&position, Rvalue::Use(zero), expr);
            position
        });
        let round = self.round(head, *binding, label.clone(), *body, expr);
        let (header, exit) = self.loop_header();
        let character = self.next_character(characters, expr);
        let there = self.is_character(character.clone(), expr);
        let inside = self.leave_unless(there, exit);
        self.start(inside);
        let value = match position {
            None => Rvalue::Use(character),
            Some(position) => {
                let at = self.fix(Operand::Copy(position.clone()), expr);
                self.step_over(&position, character.clone(), expr);
                Rvalue::Aggregate(vec![at, character])
            }
        };
        self.run_round(&round, value, (header, exit));
        self.start(exit);
        self.close_scope(expr);
    }

    /// The place of the characters that are walked.
    fn characters(&mut self, source: ExprId, expr: ExprId) -> Place {
        let hir = self.hir;
        if let Expr::MethodCall { receiver, .. } = &hir.exprs[source]
            && self.is_indexed(source)
        {
            let view = self.view(*receiver);
            let ty = Ty::Collection { kind: Collection::Chars, args: std::sync::Arc::new([]) };
            let characters = Place::local(self.temporary(ty));
            self.text_operation(&characters, TextOperation::Chars, vec![view], expr);
            return characters;
        }
        let place = self.materialize(source);
        self.peel(place)
    }

    /// Moves a position behind a character: by one byte, and one more from each of some code points on.
    fn step_over(&mut self, position: &Place, character: Operand, expr: ExprId) {
        let add = Operation::Number(NumberOp::Wrapping(Arithmetic::Add));
        let here = Operand::Copy(position.clone());
        let one = Operand::Const(Scalar::one(DType::U64));
        self.operation(position, add.clone(), vec![here.clone(), one], expr);
        for from in LONGER {
            let from = Operand::Const(Scalar::wrap(DType::U32, from));
            let longer = self.compare(CompareOp::Ge, character.clone(), from, expr);
            let more = Place::local(self.temporary(Ty::Scalar(DType::U64)));
            self.operation(&more, Operation::Cast(DType::U64), vec![longer], expr);
            let operands = vec![here.clone(), Operand::Copy(more)];
            self.operation(position, add.clone(), operands, expr);
        }
    }
}
