//! Methods of the language on numbers, text, arrays, slices and collections.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Expr, ExprId, TypeArg};
use neuro_num::DType;

use super::{Context, Pending, Why};
use crate::{Callee, Collection, Finding, GenericArg, Member, MemberRow, Place, Ty};

/// A call of a member under inference.
pub(super) struct MemberCall<'a> {
    pub(super) call: ExprId,
    pub(super) receiver: ExprId,
    pub(super) name: &'a Name,
    pub(super) type_args: Option<&'a [TypeArg]>,
    pub(super) args: &'a [Arg],
    /// The type that is expected, if one is.
    pub(super) hint: Option<&'a Ty>,
}

impl Context<'_> {
    /// The result of a member that exists; `found` is the type of the receiver, references included.
    pub(super) fn infer_member(
        &mut self,
        call: &MemberCall<'_>,
        found: &Ty,
        row: &'static MemberRow,
    ) -> Ty {
        self.callees.insert(call.call, Callee::Member(row.member));
        if call.type_args.is_some() && row.member != Member::ToChecked {
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Turbofish(call.call, None),
                format!("`.{}()` takes no type arguments", call.name),
            ));
        }
        if row.member.changes()
            && let Some(finding) = self.not_changeable(call.receiver)
        {
            let note = format!("`.{}()` changes what it is called on", call.name);
            self.report(finding.note(note));
        }
        let shown = Name::from(format!(".{}()", call.name));
        if !self.plain_arguments(call.call, &shown, row.params, call.args) {
            self.infer_arguments(call.args);
            return self.member_result(call, found, row.member);
        }
        self.member_arguments(call, found, row);
        self.member_result(call, found, row.member)
    }

    fn member_arguments(&mut self, call: &MemberCall<'_>, found: &Ty, row: &'static MemberRow) {
        let peeled = found.peeled().clone();
        let of: &[Ty] = match &peeled {
            Ty::Collection { args, .. } => args,
            _ => &[],
        };
        let callee = Name::from(format!(".{}()", call.name));
        let mut values = call.args.iter().map(|arg| arg.value).zip(row.params);
        let mut argument = |context: &mut Self, ty: &Ty| {
            if let Some((value, param)) = values.next() {
                let param = Name::new_static(param);
                let why = Why::Argument { callee: callee.clone(), param, declared: None };
                context.check(value, ty, &why);
            }
        };
        match row.member {
            Member::Wrapping(_) | Member::Saturating(_) | Member::Checked(_) => {
                argument(self, &peeled);
            }
            Member::Shr => {
                argument(self, &peeled);
                if let Some(arg) = call.args.first() {
                    self.pending
                        .push(Pending::Shift { operator: call.receiver, amount: arg.value });
                }
            }
            Member::Push => {
                let ty = of.first().cloned().unwrap_or(Ty::Error);
                self.stored_argument(call, 0, &ty, row);
            }
            Member::Insert => {
                let [key, value] = of else { return };
                let (key, value) = (key.clone(), value.clone());
                self.stored_argument(call, 0, &key, row);
                self.stored_argument(call, 1, &value, row);
            }
            Member::Get => match of {
                [_] => self.positions(call),
                [key, _] => {
                    let key = key.clone();
                    self.looked_up(call, &key, row);
                }
                _ => {}
            },
            Member::ContainsKey | Member::Remove => {
                let key = of.first().cloned().unwrap_or(Ty::Error);
                self.looked_up(call, &key, row);
            }
            Member::PushStr => self.texts(call),
            Member::Slice | Member::CharSlice => self.range_argument(call),
            Member::New
            | Member::Len
            | Member::Clear
            | Member::Pop
            | Member::Keys
            | Member::ToText
            | Member::CloneText
            | Member::Chars
            | Member::Next
            | Member::CharIndices
            | Member::IsNan
            | Member::ToChecked => {}
        }
    }

    /// An argument that a collection keeps: text is copied, and so may be borrowed.
    fn stored_argument(
        &mut self,
        call: &MemberCall<'_>,
        index: usize,
        ty: &Ty,
        row: &'static MemberRow,
    ) {
        let Some(arg) = call.args.get(index) else { return };
        let why = Why::Argument {
            callee: Name::from(format!(".{}()", call.name)),
            param: Name::new_static(row.params.get(index).copied().unwrap_or_default()),
            declared: None,
        };
        // What the elements are may be said by this very argument.
        if !matches!(self.resolved(ty), Ty::Text | Ty::Var(_)) {
            return self.check(arg.value, ty, &why);
        }
        let found = self.infer(arg.value, Some(ty));
        if self.resolved(ty) == Ty::Text && *self.resolved(&found).peeled() == Ty::Text {
            return;
        }
        self.expect(arg.value, &found, ty, &why);
    }

    /// A key that is only looked up: it may be borrowed.
    fn looked_up(&mut self, call: &MemberCall<'_>, key: &Ty, row: &'static MemberRow) {
        let Some(arg) = call.args.first() else { return };
        let found = self.infer(arg.value, Some(key));
        let resolved = self.resolved(&found);
        if let Ty::Ref { .. } = resolved
            && self.table.unify(resolved.peeled(), key)
        {
            return;
        }
        let why = Why::Argument {
            callee: Name::from(format!(".{}()", call.name)),
            param: Name::new_static(row.params.first().copied().unwrap_or_default()),
            declared: None,
        };
        self.expect(arg.value, &found, key, &why);
    }

    fn positions(&mut self, call: &MemberCall<'_>) {
        for arg in call.args {
            self.position(arg.value);
        }
    }

    /// Arguments that are text, owned or borrowed.
    fn texts(&mut self, call: &MemberCall<'_>) {
        for arg in call.args {
            let found = self.infer(arg.value, None);
            if self.absorbed(&found).is_some() || *self.resolved(&found).peeled() == Ty::Text {
                continue;
            }
            let described = self.describe(&found);
            self.give_up(&found);
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(arg.value),
                format!("`.{}()` takes text, and this is {described}", call.name),
            ));
        }
    }

    /// `a..b` as an argument.
    fn range_argument(&mut self, call: &MemberCall<'_>) {
        let Some(arg) = call.args.first() else { return };
        let Expr::Range { start, end, .. } = self.expr(arg.value) else {
            let found = self.infer(arg.value, None);
            if self.absorbed(&found).is_none() {
                let described = self.describe(&found);
                self.give_up(&found);
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(arg.value),
                    format!(
                        "`.{}(..)` takes a range, as in `1..3`; this is {described}",
                        call.name
                    ),
                ));
            }
            return;
        };
        for bound in [start, end].into_iter().flatten() {
            self.position(*bound);
        }
        self.record(arg.value, Ty::Void);
        if start.is_none() || end.is_none() {
            self.report(Finding::new(
                codes::INDEX,
                Place::Expr(arg.value),
                format!("the range of `.{}(..)` has both ends", call.name),
            ));
        }
    }

    fn member_result(&mut self, call: &MemberCall<'_>, found: &Ty, member: Member) -> Ty {
        let peeled = found.peeled().clone();
        let of: &[Ty] = match &peeled {
            Ty::Collection { args, .. } => args,
            _ => &[],
        };
        match member {
            Member::Wrapping(_) | Member::Saturating(_) | Member::Shr => peeled,
            Member::Checked(_) => self.option_of(call.call, peeled),
            Member::IsNan | Member::ContainsKey | Member::Remove => Ty::BOOL,
            Member::ToChecked => self.checked_cast(call),
            Member::Len => Ty::Scalar(DType::U64),
            Member::Clear | Member::Push | Member::Insert | Member::PushStr => Ty::Void,
            Member::Pop => match of.first().cloned() {
                Some(elem) => self.option_of(call.call, elem),
                None => Ty::Error,
            },
            Member::Get => match of.last().cloned() {
                Some(value) => self.option_of(call.call, value),
                None => Ty::Error,
            },
            Member::Keys => {
                let key = of.first().cloned().unwrap_or(Ty::Error);
                Ty::Collection { kind: Collection::Vec, args: Arc::new([key]) }
            }
            Member::ToText | Member::CloneText => Ty::Text,
            Member::CharSlice => Ty::Text.reference(false),
            Member::Slice => match &peeled {
                Ty::Text => Ty::Text.reference(false),
                Ty::Array { elem, .. } | Ty::Slice(elem) => {
                    let mutable = self.slices_for_writing(call);
                    Ty::Slice(Arc::clone(elem)).reference(mutable)
                }
                _ => {
                    let elem = of.first().cloned().unwrap_or(Ty::Error);
                    let mutable = self.slices_for_writing(call);
                    Ty::Slice(Arc::new(elem)).reference(mutable)
                }
            },
            Member::Chars => Ty::Collection { kind: Collection::Chars, args: Arc::new([]) },
            Member::Next => self.option_of(call.call, Ty::Char),
            Member::CharIndices => self.refuse(Finding::new(
                codes::MEMBER,
                Place::Head(call.call),
                "`.char_indices()` stands in the head of a `for` only",
            )),
            Member::New => peeled,
        }
    }

    /// Whether a view of a part is wanted for writing; then what it is a part of must be writable.
    fn slices_for_writing(&mut self, call: &MemberCall<'_>) -> bool {
        let hint = call.hint.map(|hint| self.resolved(hint));
        let Some(Ty::Ref { mutable: true, inner }) = hint else { return false };
        if !matches!(*inner, Ty::Slice(_)) {
            return false;
        }
        if let Some(finding) = self.not_changeable(call.receiver) {
            self.report(finding.note("a `&mut` view of a part is wanted here".to_owned()));
        }
        true
    }

    /// `x.to_checked::<I>()`
    fn checked_cast(&mut self, call: &MemberCall<'_>) -> Ty {
        let place = Place::Turbofish(call.call, Some(0));
        let target = match call.type_args {
            Some([TypeArg::Type(ty)]) => self.written_type(place, ty),
            Some([TypeArg::Error]) => Ty::Error,
            _ => self.refuse(Finding::new(
                codes::AMBIGUOUS,
                Place::Head(call.call),
                "`.to_checked` needs the integer type: `x.to_checked::<i32>()`",
            )),
        };
        match target {
            Ty::Scalar(dtype) if dtype.is_int() => self.option_of(call.call, target),
            Ty::Error => Ty::Error,
            other => self.refuse(Finding::new(
                codes::MISMATCH,
                place,
                format!("`.to_checked` gives an integer, not `{other}`"),
            )),
        }
    }

    /// Notes that a collection whose type was not written must be found out, and what it can hold.
    pub(super) fn note_open(&mut self, call: ExprId, ty: &Ty, name: &str) {
        let Ty::Collection { kind, args } = ty else { return };
        for (arg, param) in args.iter().zip(kind.params()) {
            self.pending.push(Pending::Found {
                arg: GenericArg::Type(arg.clone()),
                what: format!("`{param}` of `{name}<{}>`", kind.params().join(", ")),
                help: format!("annotate the binding, or write `{name}::<..>::new()`"),
                place: Place::Expr(call),
            });
        }
        // A float that is known as a key is told where it is written.
        if let Some(key) = args.first()
            && matches!(kind, Collection::HashMap | Collection::BTreeMap)
            && !matches!(self.resolved(key), Ty::Scalar(dtype) if dtype.is_float())
        {
            let place = Place::Expr(call);
            let written = !matches!(self.resolved(key), Ty::Var(_));
            self.pending.push(Pending::Key { map: *kind, key: key.clone(), written, place });
        }
    }
}
