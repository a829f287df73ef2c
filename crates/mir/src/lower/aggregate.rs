//! Structs, tuples, newtypes and arrays built of their parts.
//!
//! The parts are evaluated first, each into a temporary if it owns something, and then become the whole in one
//! statement: whatever leaves in between finds every part in a scope that drops it.

use neuro_hir::{Enum, ExprId, FieldInit};
use neuro_types::{Payload, Ty, enum_variants};

use super::Lowering;
use crate::ownership::parts;
use crate::{Operand, Place, Rvalue};

impl Lowering<'_, '_> {
    /// A tuple, array or newtype of these parts.
    pub(super) fn aggregate(&mut self, elements: &[ExprId], dest: &Place, expr: ExprId) {
        let mut operands = Vec::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            operands.push(self.component(*element, &elements[index + 1..]));
        }
        self.build(operands, dest, expr);
    }

    /// A part of an aggregate that is being built.
    fn component(&mut self, expr: ExprId, rest: &[ExprId]) -> Operand {
        let ty = self.standing_ty(expr).clone();
        self.argument(expr, &ty, rest)
    }

    /// A variant of an enum with what it holds, given in order.
    pub(super) fn variant(
        &mut self,
        variant: usize,
        elements: &[ExprId],
        dest: &Place,
        expr: ExprId,
    ) {
        let mut parts = Vec::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            parts.push(self.component(*element, &elements[index + 1..]));
        }
        self.build_variant(variant, parts, dest, expr);
    }

    /// Puts a variant of these parts in a place.
    pub(super) fn build_variant(
        &mut self,
        variant: usize,
        parts: Vec<Operand>,
        dest: &Place,
        expr: ExprId,
    ) {
        self.give(&parts);
        let variant = variant as u32;
        self.assign(dest, Rvalue::Variant { variant, parts }, expr);
    }

    /// `E::V { a: x }`: what the fields are given is evaluated as written.
    pub(super) fn variant_literal(
        &mut self,
        (item, variant): (Enum<'_>, usize),
        fields: &[FieldInit],
        dest: &Place,
        expr: ExprId,
    ) {
        let declared = enum_variants(self.db, item).variants.get(variant);
        let Some(Payload::Fields(declared)) = declared.map(|variant| &variant.payload) else {
            return;
        };
        let mut operands: Vec<Option<Operand>> = vec![None; declared.len()];
        for (index, field) in fields.iter().enumerate() {
            let rest: Vec<ExprId> = fields[index + 1..].iter().map(|field| field.value).collect();
            let value = self.component(field.value, &rest);
            let index = declared.iter().position(|declared| declared.name == field.name);
            if let Some(slot) = index.and_then(|index| operands.get_mut(index)) {
                *slot = Some(value);
            }
        }
        if let Some(operands) = operands.into_iter().collect::<Option<Vec<Operand>>>() {
            self.build_variant(variant, operands, dest, expr);
        }
    }

    pub(super) fn build(&mut self, operands: Vec<Operand>, dest: &Place, expr: ExprId) {
        self.give(&operands);
        self.assign(dest, Rvalue::Aggregate(operands), expr);
    }

    /// `S { x: a, ..base }`: the fields are evaluated as written, then the base.
    pub(super) fn struct_literal(
        &mut self,
        fields: &[FieldInit],
        base: Option<ExprId>,
        dest: &Place,
        expr: ExprId,
    ) {
        let ty = self.place_ty(dest);
        let Some(declared) = parts(self.db, &ty) else { return };
        let mut operands: Vec<Option<Operand>> = vec![None; declared.len()];
        for (index, field) in fields.iter().enumerate() {
            let mut rest: Vec<ExprId> =
                fields[index + 1..].iter().map(|field| field.value).collect();
            rest.extend(base);
            let value = self.component(field.value, &rest);
            if let Some(crate::Projection::Field { index, .. }) = self.field(&ty, &field.name)
                && let Some(slot) = operands.get_mut(index as usize)
            {
                *slot = Some(value);
            }
        }
        if let Some(base) = base {
            let base = match self.place(base) {
                Some(place) => place,
                None => self.materialize(base),
            };
            for (index, slot) in operands.iter_mut().enumerate() {
                if slot.is_none()
                    && let Some(step) = self.numbered(&ty, index as u32)
                {
                    *slot = Some(self.part(base.clone().part(step), expr));
                }
            }
        }
        if let Some(operands) = operands.into_iter().collect::<Option<Vec<Operand>>>() {
            self.build(operands, dest, expr);
        }
    }

    /// What is taken out of a part of a place; a `&mut` is lent on.
    pub(super) fn part(&mut self, place: Place, expr: ExprId) -> Operand {
        match self.take(place) {
            Rvalue::Use(Operand::Copy(place)) if self.owns(&self.place_ty(&place)) => {
                let copy = Place::local(self.temporary(self.place_ty(&place)));
                self.assign(&copy, Rvalue::Use(Operand::Copy(place)), expr);
                self.own(copy.local);
                Operand::Move(copy)
            }
            Rvalue::Use(operand) => operand,
            value @ (Rvalue::Ref { .. }
            | Rvalue::Gradient(_)
            | Rvalue::Aggregate(_)
            | Rvalue::Variant { .. }
            | Rvalue::Tag(_)
            | Rvalue::Text(_)
            | Rvalue::TextOperation { .. }
            | Rvalue::Empty
            | Rvalue::Length(_)
            | Rvalue::Slice { .. }
            | Rvalue::Object { .. }
            | Rvalue::Operation { .. }) => {
                let lent = Place::local(self.temporary(self.value_ty(&value)));
                self.assign(&lent, value, expr);
                Operand::Copy(lent)
            }
        }
    }

    pub(super) fn value_ty(&self, value: &Rvalue) -> Ty {
        match value {
            Rvalue::Ref { mutable, place } => self.place_ty(place).reference(*mutable),
            Rvalue::Use(operand) => self.operand_ty(operand),
            Rvalue::Gradient(_)
            | Rvalue::Aggregate(_)
            | Rvalue::Variant { .. }
            | Rvalue::Tag(_)
            | Rvalue::Text(_)
            | Rvalue::TextOperation { .. }
            | Rvalue::Empty
            | Rvalue::Length(_)
            | Rvalue::Slice { .. }
            | Rvalue::Object { .. }
            | Rvalue::Operation { .. } => Ty::Error,
        }
    }
}
