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
        self.leaves_of(pat, place, init, &mut bound);
        self.close_scope(init);
        for (source, local) in bound {
            self.bind(source, local);
        }
    }

    /// `val pattern = init else { .. }`.
    pub(super) fn let_else(
        &mut self,
        pat: PatId,
        init: ExprId,
        failure: Option<PatId>,
        otherwise: ExprId,
    ) {
        self.open_scope(DropReason::Temporary, None);
        let place = self.examined(init);
        let mut bound = Vec::new();
        if let Some(cond) = self.matches(pat, &place, init) {
            let branch = self.branch(cond);
            self.start(branch.otherwise);
            self.open_scope(DropReason::ScopeEnd, None);
            if let Some(failure) = failure {
                let place = self.failure_place(place.clone());
                let mut bound = Vec::new();
                self.leaves_of(failure, place, init, &mut bound);
                for (source, local) in bound {
                    self.bind(source, local);
                }
            }
            self.effect(otherwise);
            self.close_scope(init);
            let otherwise_end = self.end_of_arm();
            self.start(branch.then);
            self.leaves_of(pat, place, init, &mut bound);
            let then_end = self.end_of_arm();
            self.join(&branch, [then_end, otherwise_end]);
        } else {
            self.leaves_of(pat, place, init, &mut bound);
        }
        self.close_scope(init);
        for (source, local) in bound {
            self.bind(source, local);
        }
    }

    /// Gives the names of a pattern their parts of a place. Of what is only borrowed, a part that is not copied
    /// is lent.
    pub(super) fn leaves_of(
        &mut self,
        pat: PatId,
        place: Place,
        expr: ExprId,
        bound: &mut Vec<(Source, LocalId)>,
    ) {
        let hir = self.hir;
        let place = match &hir.pats[pat] {
            Pat::Bind(_) => place,
            _ => self.peel(place),
        };
        match &hir.pats[pat] {
            Pat::Bind(source) => {
                if gives_value(self.types.local_ty(*source)) {
                    // Alternatives bind one local.
                    let known = bound.iter().find(|(known, _)| known == source);
                    let local = match known {
                        Some((_, local)) => *local,
                        None if self.lending => {
                            let ty = self.types.local_ty(*source).clone().reference(false);
                            let local = self.temporary(ty);
                            bound.push((*source, local));
                            local
                        }
                        None => {
                            let local = self.declare(*source);
                            bound.push((*source, local));
                            local
                        }
                    };
                    let value = match (self.types.local_ty(*source), self.place_ty(&place)) {
                        (Ty::Ref { mutable, .. }, found) if !matches!(found, Ty::Ref { .. }) => {
                            let lent = Rvalue::Ref { mutable: *mutable, place };
                            if self.lending { self.lent_again(lent, expr) } else { lent }
                        }
                        _ if self.lending => Rvalue::Ref { mutable: false, place },
                        _ => self.take(place),
                    };
                    self.assign(&Place::local(local), value, expr);
                }
            }
            Pat::Tuple(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    if let Some(step) = self.numbered(&self.place_ty(&place), index as u32) {
                        self.leaves_of(*element, place.clone().part(step), expr, bound);
                    }
                }
            }
            Pat::Struct { path, fields, .. } => {
                let variant = self.named_variant(&self.place_ty(&place), path);
                for field in fields {
                    if let Some(variant) = variant {
                        let ty = self.place_ty(&place);
                        if let Some(step) = self.payload_field(&ty, variant, &field.name) {
                            self.leaves_of(field.pat, place.clone().part(step), expr, bound);
                        }
                        continue;
                    }
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
                    let first = elements.len() as u64;
                    let local = match self.lending {
                        true => self.lent_rest(first, place, expr),
                        false => self.rest_of(source, first, place, expr),
                    };
                    bound.push((source, local));
                }
            }
            Pat::Variant { path, elements } => {
                let ty = self.place_ty(&place);
                let Some(variant) = self.named_variant(&ty, path) else { return };
                for (index, element) in elements.iter().enumerate() {
                    if let Some(step) = self.payload(&ty, variant, index) {
                        self.leaves_of(*element, place.clone().part(step), expr, bound);
                    }
                }
            }
            Pat::Or(alternatives) => self.alternative_leaves(alternatives, place, expr, bound),
            // The first is a syntax error, the others bind nothing.
            Pat::Missing | Pat::Wildcard | Pat::Literal(_) | Pat::Range { .. } | Pat::Path(_) => {}
        }
    }

    /// A reference to a reference.
    fn lent_again(&mut self, lent: Rvalue, expr: ExprId) -> Rvalue {
        let Rvalue::Ref { mutable, place } = &lent else { return lent };
        let inner = Place::local(self.temporary(self.place_ty(place).reference(*mutable)));
        self.assign(&inner, lent, expr);
        Rvalue::Ref { mutable: false, place: inner }
    }

    /// A reference to the elements from the one at `first` on, as an array.
    fn lent_rest(&mut self, first: u64, place: Place, expr: ExprId) -> LocalId {
        let rest = place.part(Projection::Rest(first));
        let local = self.temporary(self.place_ty(&rest).reference(false));
        self.assign(&Place::local(local), Rvalue::Ref { mutable: false, place: rest }, expr);
        local
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
