//! Calls of the methods of the language on numbers, arrays, slices and collections.

use neuro_hir::ExprId;
use neuro_types::{Member, Ty};

use super::Lowering;
use crate::{NumberOp, Place};

/// What a method of the language is called, if it has no graph when it is called on a value of this type.
pub(super) fn member_without_graph(member: Member, receiver: &Ty) -> Option<String> {
    match member {
        Member::Wrapping(_)
        | Member::Saturating(_)
        | Member::Checked(_)
        | Member::Shr
        | Member::IsNan
        | Member::ToChecked => None,
        Member::Len => match receiver.peeled() {
            Ty::Array { .. } => None,
            other => Some(format!("`.len()` of `{other}`")),
        },
        Member::New
        | Member::Clear
        | Member::Push
        | Member::Pop
        | Member::Get
        | Member::Slice
        | Member::Insert
        | Member::ContainsKey
        | Member::Remove
        | Member::Keys
        | Member::PushStr
        | Member::ToText
        | Member::CloneText
        | Member::CharSlice
        | Member::Chars
        | Member::Next
        | Member::CharIndices => Some("a method of the language".to_owned()),
    }
}

impl Lowering<'_, '_> {
    /// A call of a method of the language; the result is put in `dest`.
    pub(super) fn member_into(
        &mut self,
        member: Member,
        receiver: ExprId,
        args: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let mut operands = vec![receiver];
        operands.extend(args);
        match member {
            Member::Wrapping(op) => {
                self.number_method(NumberOp::Wrapping(op), &operands, dest, expr);
            }
            Member::Saturating(op) => {
                self.number_method(NumberOp::Saturating(op), &operands, dest, expr);
            }
            Member::Shr => self.number_method(NumberOp::Shr, &operands, dest, expr),
            Member::IsNan => self.number_method(NumberOp::IsNan, &operands, dest, expr),
            Member::Checked(op) => self.checked_arithmetic(op, &operands, dest, expr),
            Member::ToChecked => self.checked_cast(receiver, dest, expr),
            Member::Len => self.array_length(receiver, dest, expr),
            // These have no graph yet: a body with one of them is not lowered.
            Member::New
            | Member::Clear
            | Member::Push
            | Member::Pop
            | Member::Get
            | Member::Slice
            | Member::Insert
            | Member::ContainsKey
            | Member::Remove
            | Member::Keys
            | Member::PushStr
            | Member::ToText
            | Member::CloneText
            | Member::CharSlice
            | Member::Chars
            | Member::Next
            | Member::CharIndices => {}
        }
    }
}
