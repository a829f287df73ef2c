//! Arrays, slices and vectors as rows of elements: their lengths, positions in them, and views of parts.

use neuro_hir::{Expr, ExprId, IndexArg, RangeEnd};
use neuro_num::{DType, Scalar};
use neuro_types::{Collection, Ty};

use super::Lowering;
use super::read::Reading;
use crate::graph::{Range, Sequence, projected};
use crate::{Operand, Operation, Place, Projection, Rvalue, StatementKind, walk};

/// What a type is among the rows of elements.
pub(super) fn sequence_of(ty: &Ty) -> Option<Sequence> {
    match ty {
        Ty::Array { .. } => Some(Sequence::Array),
        Ty::Slice(_) => Some(Sequence::Slice),
        Ty::Collection { kind, .. } => match kind {
            Collection::Vec => Some(Sequence::Vec),
            Collection::HashMap
            | Collection::BTreeMap
            | Collection::Chars
            | Collection::StringBuilder => None,
        },
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Ref { .. }
        | Ty::Tuple(_)
        | Ty::Fn(_)
        | Ty::Adt { .. }
        | Ty::Sparse(_)
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => None,
    }
}

impl Lowering<'_, '_> {
    /// Whether an expression is a row of elements, or refers to one.
    pub(super) fn is_sequence(&self, expr: ExprId) -> bool {
        sequence_of(self.types.ty(expr).peeled()).is_some()
    }

    /// Whether a place is a part of a vector.
    pub(super) fn is_in_vec(&self, place: &Place) -> bool {
        let mut ty = self.locals[place.local].ty.clone();
        place.projections.iter().any(|step| {
            let part = projected(&ty, step);
            sequence_of(&std::mem::replace(&mut ty, part)) == Some(Sequence::Vec)
        })
    }

    /// Whether a place is an element of a slice or of a collection: what it holds stays there.
    pub(super) fn is_element(&self, place: &Place) -> bool {
        let Some((last, before)) = place.projections.split_last() else { return false };
        let row = Place { local: place.local, projections: before.to_vec() };
        match last {
            Projection::Index(_) => !matches!(self.place_ty(&row), Ty::Array { .. }),
            Projection::Deref
            | Projection::Field { .. }
            | Projection::Payload { .. }
            | Projection::Element(_)
            | Projection::Rest(_) => false,
        }
    }

    /// How many elements are in a place, a `u64`.
    pub(super) fn length(&mut self, place: &Place, expr: ExprId) -> Operand {
        if let Ty::Array { len, .. } = self.place_ty(place) {
            // In the body of a generic function the length may not be known; nothing is compiled from that.
            let length = len.known().unwrap_or(u64::MAX);
            return Operand::Const(Scalar::wrap(DType::U64, i128::from(length)));
        }
        let length = Place::local(self.temporary(Ty::Scalar(DType::U64)));
        self.assign(&length, Rvalue::Length(place.clone()), expr);
        Operand::Copy(length)
    }

    /// `.len()`
    pub(super) fn length_into(&mut self, receiver: ExprId, dest: &Place, expr: ExprId) {
        let place = self.base(receiver);
        let value = match self.place_ty(&place) {
            Ty::Array { .. } => Rvalue::Use(self.length(&place, expr)),
            _ => Rvalue::Length(place),
        };
        self.assign(dest, value, expr);
    }

    /// An element of a row; the program ends where there is none.
    pub(super) fn element_place(
        &mut self,
        base: ExprId,
        args: &[IndexArg],
        expr: ExprId,
    ) -> Option<Place> {
        let position = walk::index_positions(args).next()?;
        let base = self.base(base);
        let ty = self.place_ty(&base);
        let of = sequence_of(&ty)?;
        let constant = self.constant(position).and_then(Scalar::as_int);
        if let Ty::Array { len, .. } = &ty
            && let Some(position) = constant.and_then(|position| u64::try_from(position).ok())
            && position < len.known().unwrap_or(u64::MAX)
        {
            return Some(base.part(Projection::Element(position)));
        }
        let counted = self.position(position, expr);
        let length = self.length(&base, expr);
        let position = Operand::Copy(Place::local(counted));
        self.emit(StatementKind::Bounds { position, length, of }, expr);
        Some(base.part(Projection::Index(counted)))
    }

    /// A position in a local of type `u64`; a negative one is a great one.
    pub(super) fn position(&mut self, position: ExprId, expr: ExprId) -> crate::LocalId {
        let read = self.read(position, Reading::Looking, &[]).operand;
        let counted = self.temporary(Ty::Scalar(DType::U64));
        let cast = Operation::Cast(DType::U64);
        self.operation(&Place::local(counted), cast, vec![read], expr);
        counted
    }

    /// `.slice(a..b)`: a view of a part.
    pub(super) fn slice(&mut self, receiver: ExprId, arg: ExprId, dest: &Place, expr: ExprId) {
        let Expr::Range { start: Some(start), end: Some(end), end_kind } = self.hir.exprs[arg]
        else {
            return;
        };
        let place = self.base(receiver);
        let [start, end] =
            [start, end].map(|bound| Operand::Copy(Place::local(self.position(bound, expr))));
        let inclusive = end_kind == RangeEnd::Inclusive;
        let range = Some(Range { start, end, inclusive });
        let mutable = matches!(self.types.ty(expr), Ty::Ref { mutable: true, .. });
        self.assign(dest, Rvalue::Slice { mutable, place, range }, expr);
    }

    /// A reference to an array or a vector where one to a slice is wanted.
    pub(super) fn whole_slice(&mut self, expr: ExprId, mutable: bool, dest: &Place) {
        let place = self.referent(expr);
        self.assign(dest, Rvalue::Slice { mutable, place, range: None }, expr);
    }

    /// The place that a reference refers to which becomes one of another type.
    pub(super) fn referent(&mut self, expr: ExprId) -> Place {
        if let Expr::Borrow { operand, .. } = self.hir.exprs[expr] {
            return match self.place(operand) {
                Some(place) => place,
                None => self.materialize(operand),
            };
        }
        let reference = match self.uncoerced_place(expr) {
            Some(place) => place,
            None => self.uncoerced(expr),
        };
        reference.deref()
    }
}
