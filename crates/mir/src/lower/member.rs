//! Calls of the methods of the language on numbers, arrays, slices and collections.

use neuro_hir::{Expr, ExprId};
use neuro_types::{Collection, Member, Ty};

use super::Lowering;
use super::sequence::sequence_of;
use crate::{NumberOp, Place};

/// What a method of the language is called, if it has no graph when it is called on a value of this type.
pub(super) fn member_without_graph(member: Member, receiver: &Ty) -> Option<String> {
    let receiver = receiver.peeled();
    if is_of_text(receiver) {
        return None;
    }
    match member {
        Member::Wrapping(_)
        | Member::Saturating(_)
        | Member::Checked(_)
        | Member::Shr
        | Member::IsNan
        | Member::ToChecked => None,
        Member::Len | Member::Slice if sequence_of(receiver).is_some() => None,
        Member::New
        | Member::Len
        | Member::Clear
        | Member::Get
        | Member::Insert
        | Member::ContainsKey
        | Member::Remove
        | Member::Keys
            if is_map(receiver) =>
        {
            None
        }
        Member::New | Member::Clear | Member::Push | Member::Pop | Member::Get
            if is_vec(receiver) =>
        {
            None
        }
        Member::New
        | Member::Len
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
        | Member::CharIndices => Some(format!("a method of `{receiver}`")),
    }
}

/// Whether a type is that of text, of its characters or of a builder of text, references removed.
pub(super) fn is_of_text(ty: &Ty) -> bool {
    match ty.peeled() {
        Ty::Text => true,
        Ty::Collection { kind, .. } => match kind {
            Collection::StringBuilder | Collection::Chars => true,
            Collection::Vec | Collection::HashMap | Collection::BTreeMap => false,
        },
        _ => false,
    }
}

/// Whether a type is that of vectors.
pub(super) fn is_vec(ty: &Ty) -> bool {
    matches!(ty, Ty::Collection { kind: Collection::Vec, .. })
}

/// Whether a type is that of maps.
pub(super) fn is_map(ty: &Ty) -> bool {
    matches!(ty, Ty::Collection { kind: Collection::HashMap | Collection::BTreeMap, .. })
}

impl Lowering<'_, '_> {
    /// A call of a method of the language; the result, if it has one, is put in `dest`.
    pub(super) fn member(
        &mut self,
        member: Member,
        receiver: ExprId,
        dest: Option<&Place>,
        expr: ExprId,
    ) {
        let Expr::MethodCall { args, .. } = &self.hir.exprs[expr] else { return };
        if is_of_text(self.types.ty(receiver)) {
            match dest {
                Some(dest) => self.text_member(member, (receiver, args), dest, expr),
                None => self.builder_effect(member, (receiver, args), expr),
            }
            return;
        }
        let args: Vec<ExprId> = args.iter().map(|arg| arg.value).collect();
        match (member, args.as_slice(), dest) {
            (Member::Push, [value], _) => self.push(receiver, *value, expr),
            (Member::Clear, ..) => self.clear(receiver, expr),
            (Member::Insert, [key, value], _) => self.insert(receiver, *key, *value, expr),
            (_, args, Some(dest)) => self.member_into(member, receiver, args, dest, expr),
            (_, _, None) => self.discard(expr),
        }
    }

    /// A method that gives something.
    fn member_into(
        &mut self,
        member: Member,
        receiver: ExprId,
        args: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let mut operands = vec![receiver];
        operands.extend(args);
        match (member, args) {
            (Member::Wrapping(op), _) => {
                self.number_method(NumberOp::Wrapping(op), &operands, dest, expr);
            }
            (Member::Saturating(op), _) => {
                self.number_method(NumberOp::Saturating(op), &operands, dest, expr);
            }
            (Member::Shr, _) => self.number_method(NumberOp::Shr, &operands, dest, expr),
            (Member::IsNan, _) => self.number_method(NumberOp::IsNan, &operands, dest, expr),
            (Member::Checked(op), _) => self.checked_arithmetic(op, &operands, dest, expr),
            (Member::ToChecked, _) => self.checked_cast(receiver, dest, expr),
            (Member::Len, _) => self.length_into(receiver, dest, expr),
            (Member::Slice, [range]) => self.slice(receiver, *range, dest, expr),
            (Member::Pop, _) => self.pop(receiver, dest, expr),
            (Member::Get, [key]) if is_map(self.types.ty(receiver).peeled()) => {
                self.get_value(receiver, *key, dest, expr);
            }
            (Member::ContainsKey, [key]) => self.contains_key(receiver, *key, dest, expr),
            (Member::Remove, [key]) => self.remove(receiver, *key, dest, expr),
            (Member::Keys, _) => self.keys(receiver, dest, expr),
            (Member::Get, [position]) => self.get(receiver, *position, dest, expr),
            // These have no graph yet, or give nothing: a body with one of the former is not lowered.
            (
                Member::New
                | Member::Clear
                | Member::Push
                | Member::Get
                | Member::Slice
                | Member::Insert
                | Member::ContainsKey
                | Member::Remove
                | Member::PushStr
                | Member::ToText
                | Member::CloneText
                | Member::CharSlice
                | Member::Chars
                | Member::Next
                | Member::CharIndices,
                _,
            ) => {}
        }
    }
}
