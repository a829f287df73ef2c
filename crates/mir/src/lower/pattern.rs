//! Patterns of bindings: a value is taken apart, each name gets its part.

use neuro_hir::{ExprId, LocalId as Source, Pat, PatId};
use neuro_types::Ty;

use super::{Lowering, gives_value};
use crate::{DropReason, LocalId, Place, Projection, Rvalue};

impl Lowering<'_, '_> {
    /// `val pattern = init`. What no name takes stays where it is: in the place that is taken apart, or in a
    /// temporary that ends with the statement.
    pub(super) fn take_apart(&mut self, pat: PatId, init: ExprId) {
        self.open_scope(DropReason::Temporary, None);
        let place = match self.place(init) {
            Some(place) => place,
            None => self.materialize(init),
        };
        let mut bound = Vec::new();
        self.leaves_of(pat, self.peel(place), init, &mut bound);
        self.close_scope(init);
        for (source, local) in bound {
            self.bind(source, local);
        }
    }

    /// Gives the names of a pattern their parts of a place.
    fn leaves_of(
        &mut self,
        pat: PatId,
        place: Place,
        expr: ExprId,
        bound: &mut Vec<(Source, LocalId)>,
    ) {
        let hir = self.hir;
        match &hir.pats[pat] {
            Pat::Bind(source) => {
                if gives_value(self.types.local_ty(*source)) {
                    let local = self.declare(*source);
                    let value = self.take(place);
                    self.assign(&Place::local(local), value, expr);
                    bound.push((*source, local));
                }
            }
            Pat::Tuple(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    if let Some(step) = self.numbered(&self.place_ty(&place), index as u32) {
                        self.leaves_of(*element, place.clone().part(step), expr, bound);
                    }
                }
            }
            Pat::Struct { fields, .. } => {
                for field in fields {
                    if let Some(step) = self.field(&self.place_ty(&place), &field.name) {
                        self.leaves_of(field.pat, place.clone().part(step), expr, bound);
                    }
                }
            }
            Pat::Array { elements, rest } => {
                for (index, element) in elements.iter().enumerate() {
                    let part = place.clone().part(Projection::Element(index as u64));
                    self.leaves_of(*element, part, expr, bound);
                }
                if let Some(source) = rest.and_then(|rest| rest.local) {
                    let local = self.rest_of(source, elements.len() as u64, place, expr);
                    bound.push((source, local));
                }
            }
            // The first is a syntax error, the second takes nothing; types refuse the others in a binding.
            Pat::Missing
            | Pat::Wildcard
            | Pat::Literal(_)
            | Pat::Range { .. }
            | Pat::Variant { .. }
            | Pat::Path(_)
            | Pat::Or(_) => {}
        }
    }

    /// `..rest`: a new array of the elements from the one at `first` on.
    fn rest_of(&mut self, source: Source, first: u64, place: Place, expr: ExprId) -> LocalId {
        let length = match self.place_ty(&place) {
            Ty::Array { len, .. } => len.known().unwrap_or(0),
            _ => 0,
        };
        let local = self.declare(source);
        let mut parts = Vec::new();
        for position in first..length {
            parts.push(self.part(place.clone().part(Projection::Element(position)), expr));
        }
        self.assign(&Place::local(local), Rvalue::Aggregate(parts), expr);
        local
    }
}
