//! What is asked of texts and of builders of texts: members, comparisons, views.

use neuro_hir::{Expr, ExprId, RangeEnd};
use neuro_num::{DType, Scalar};
use neuro_types::{Member, Ty};

use super::Lowering;
use super::read::{Read, Reading};
use crate::{NO_CHARACTER, Operand, Place, PrintPart, Rvalue, StatementKind, TextOperation};

impl Lowering<'_, '_> {
    /// A member of a text, of characters or of a builder that gives something.
    pub(super) fn text_member(
        &mut self,
        member: Member,
        (receiver, args): (ExprId, &[ExprId]),
        dest: &Place,
        expr: ExprId,
    ) {
        match member {
            Member::Len => {
                let read = self.read(receiver, Reading::Looking, &[]);
                self.text_operation(dest, TextOperation::Length, vec![read.operand.clone()], expr);
                self.after(vec![read]);
            }
            Member::CloneText | Member::ToText => {
                let read = self.read(receiver, Reading::Looking, &[]);
                let part = whole(read.operand.clone(), receiver);
                self.assign(dest, Rvalue::Text(vec![part]), expr);
                self.after(vec![read]);
            }
            Member::Slice => self.text_slice(false, (receiver, args), dest, expr),
            Member::CharSlice => self.text_slice(true, (receiver, args), dest, expr),
            Member::Chars => {
                let view = self.view(receiver);
                self.text_operation(dest, TextOperation::Chars, vec![view], expr);
            }
            Member::Next => {
                let place = self.base(receiver);
                let character = self.next_character(place, expr);
                self.character_or_none(character, dest, expr);
            }
            Member::New
            | Member::Clear
            | Member::Push
            | Member::Pop
            | Member::Get
            | Member::Insert
            | Member::ContainsKey
            | Member::Remove
            | Member::Keys
            | Member::PushStr
            | Member::CharIndices
            | Member::Wrapping(_)
            | Member::Saturating(_)
            | Member::Checked(_)
            | Member::Shr
            | Member::IsNan
            | Member::ToChecked => {}
        }
    }

    /// `builder.push_str(text)`, `builder.clear()`.
    pub(super) fn builder_effect(
        &mut self,
        member: Member,
        (receiver, args): (ExprId, &[ExprId]),
        expr: ExprId,
    ) {
        let place = self.base(receiver);
        match (member, args) {
            (Member::PushStr, [text]) => {
                let (parts, reads) = self.text(*text, &[]);
                self.emit(StatementKind::Append { place, parts }, expr);
                self.after(reads);
            }
            (Member::Clear, _) => self.emit(StatementKind::ClearText(place), expr),
            _ => {}
        }
    }

    pub(super) fn text_operation(
        &mut self,
        dest: &Place,
        op: TextOperation,
        operands: Vec<Operand>,
        expr: ExprId,
    ) {
        self.assign(dest, Rvalue::TextOperation { op, operands }, expr);
    }

    /// `a == b` or `a != b`.
    pub(super) fn compare_texts(
        &mut self,
        equal: bool,
        (lhs, rhs): (ExprId, ExprId),
        dest: &Place,
        expr: ExprId,
    ) {
        let reads: Vec<Read> = self.read_all(&[lhs, rhs], Reading::Looking, &[]);
        let operands = reads.iter().map(|read| read.operand.clone()).collect();
        self.text_operation(dest, TextOperation::Equal(equal), operands, expr);
        self.after(reads);
    }

    /// Whether a place holds this text.
    pub(super) fn is_this_text(&mut self, place: &Place, text: &str, expr: ExprId) -> Operand {
        let literal = Place::local(self.temporary(Ty::Text.reference(false)));
        self.assign(&literal, Rvalue::Text(vec![PrintPart::Text(text.to_owned())]), expr);
        let dest = Place::local(self.temporary(Ty::BOOL));
        let operands = vec![Operand::Copy(place.clone()), Operand::Copy(literal.deref())];
        self.text_operation(&dest, TextOperation::Equal(true), operands, expr);
        Operand::Copy(dest)
    }

    /// A view of a text, in a temporary.
    pub(super) fn view(&mut self, text: ExprId) -> Operand {
        let place = self.base(text);
        self.lend(place, false, text)
    }

    fn text_slice(
        &mut self,
        characters: bool,
        (receiver, args): (ExprId, &[ExprId]),
        dest: &Place,
        expr: ExprId,
    ) {
        let Some(range) = args.first() else { return };
        let Expr::Range { start: Some(start), end: Some(end), end_kind } = self.hir.exprs[*range]
        else {
            return;
        };
        let view = self.view(receiver);
        let [start, end] = [start, end]
            .map(|position| Operand::Copy(Place::local(self.position(position, position))));
        let inclusive = end_kind == RangeEnd::Inclusive;
        let op = TextOperation::Slice { inclusive, characters };
        self.text_operation(dest, op, vec![view, start, end], expr);
    }

    /// The next of the characters in a place, or [`NO_CHARACTER`].
    pub(super) fn next_character(&mut self, characters: Place, expr: ExprId) -> Operand {
        let characters = self.lend(characters, true, expr);
        let next = Place::local(self.temporary(Ty::Char));
        self.text_operation(&next, TextOperation::Next, vec![characters], expr);
        Operand::Copy(next)
    }

    /// Whether there was a next character.
    pub(super) fn is_character(&mut self, character: Operand, expr: ExprId) -> Operand {
        let none = Operand::Const(Scalar::wrap(DType::U32, i128::from(NO_CHARACTER)));
        self.compare(neuro_hir::CompareOp::Ne, character, none, expr)
    }

    /// `Some` of a character, or `None`.
    pub(super) fn character_or_none(&mut self, character: Operand, dest: &Place, expr: ExprId) {
        let ty = self.place_ty(dest);
        let variant = |name: &str| self.variant_called(&ty, name);
        let (Some(some), Some(none)) = (variant("Some"), variant("None")) else { return };
        let cond = self.is_character(character.clone(), expr);
        let branch = self.branch(cond);
        self.start(branch.then);
        self.build_variant(some, vec![character], dest, expr);
        let then = self.end_of_arm();
        self.start(branch.otherwise);
        self.build_variant(none, Vec::new(), dest, expr);
        let otherwise = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
    }
}

/// A text as the piece of another; `expr` gives it.
pub(super) fn whole(text: Operand, expr: ExprId) -> PrintPart {
    PrintPart::Value { value: text, ty: Ty::Text, spec: Default::default(), expr }
}
