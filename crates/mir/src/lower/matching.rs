//! `match`: arm after arm, each a branch on whether its pattern fits.
//!
//! Whether a pattern fits is a truth value that is computed first, without taking anything; then its names get
//! their parts. So an arm that does not fit leaves the value whole, and every branch has a place where its two
//! ways meet.

use neuro_db::Name;
use neuro_hir::{
    Arm, CompareOp, ExprId, LocalId as Source, Pat, PatId, PatLiteral, Path, RangeEnd,
};
use neuro_num::{DType, Scalar};
use neuro_types::{Payload, Ty, enum_variants};

use super::Lowering;
use crate::ownership::variants;
use crate::{DropReason, LocalId, Operand, Place, Projection, Rvalue, Terminator};

impl Lowering<'_, '_> {
    /// `match`; the value is put in `dest`.
    pub(super) fn match_value(
        &mut self,
        scrutinee: ExprId,
        arms: &[Arm],
        dest: Option<&Place>,
        expr: ExprId,
    ) {
        self.open_scope(DropReason::Temporary, None);
        let place = self.examined(scrutinee);
        let mut open = Vec::new();
        let mut complete = false;
        for (index, arm) in arms.iter().enumerate() {
            // The arms leave nothing out: the last one takes what comes to it.
            let last = index + 1 == arms.len();
            let fits = if last && arm.guard.is_none() {
                None
            } else {
                self.matches(arm.pat, &place, scrutinee)
            };
            self.open_scope(DropReason::ScopeEnd, None);
            let cond = match arm.guard {
                None => fits,
                Some(guard) => Some(self.guarded(arm, guard, fits, &place, scrutinee)),
            };
            let branch = cond.map(|cond| self.branch(cond));
            if let Some(branch) = &branch {
                self.start(branch.then);
            }
            if arm.guard.is_none() || self.takes_names(arm.pat) {
                self.bind_arm(arm.pat, &place, scrutinee);
            }
            self.arm(arm.body, dest);
            self.close_scope(arm.body);
            let end = self.end_of_arm();
            match branch {
                Some(branch) => {
                    self.start(branch.otherwise);
                    open.push((branch, end));
                }
                None => {
                    complete = true;
                    break;
                }
            }
        }
        if !complete {
            self.terminate(Terminator::Unreachable);
        }
        while let Some((branch, then)) = open.pop() {
            let otherwise = self.end_of_arm();
            self.join(&branch, [then, otherwise]);
        }
        self.close_scope(expr);
    }

    /// Whether the pattern of an arm fits and its guard holds. The names that the guard may use are bound before
    /// it; where they would take something away, they only refer to it until the guard has decided.
    fn guarded(
        &mut self,
        arm: &Arm,
        guard: ExprId,
        fits: Option<Operand>,
        place: &Place,
        expr: ExprId,
    ) -> Operand {
        let Some(fits) = fits else {
            self.bind_for_guard(arm.pat, place, expr);
            return self.condition(guard);
        };
        let holds = Place::local(self.temporary(Ty::BOOL));
        self.both(fits, holds.clone(), guard, |this| {
            this.bind_for_guard(arm.pat, place, expr);
            this.condition(guard)
        })
    }

    fn bind_for_guard(&mut self, pat: PatId, place: &Place, expr: ExprId) {
        if !self.takes_names(pat) {
            return self.bind_arm(pat, place, expr);
        }
        let mut bound = Vec::new();
        self.lending = true;
        self.leaves_of(pat, place.clone(), expr, &mut bound);
        self.lending = false;
        for (source, local) in bound {
            self.bindings.insert(source, Place::local(local).deref());
        }
    }

    /// Whether a name of a pattern takes what it stands for.
    fn takes_names(&self, pat: PatId) -> bool {
        let mut todo = vec![pat];
        while let Some(pat) = todo.pop() {
            match &self.hir.pats[pat] {
                Pat::Bind(local) => {
                    let ty = self.types.local_ty(*local);
                    if !matches!(ty, Ty::Ref { .. }) && self.moves(ty) {
                        return true;
                    }
                }
                Pat::Array { elements, rest } => {
                    todo.extend(elements);
                    let rest = rest.and_then(|rest| rest.local);
                    if rest.is_some_and(|rest| self.moves(self.types.local_ty(rest))) {
                        return true;
                    }
                }
                Pat::Tuple(elements) | Pat::Variant { elements, .. } | Pat::Or(elements) => {
                    todo.extend(elements);
                }
                Pat::Struct { fields, .. } => todo.extend(fields.iter().map(|field| field.pat)),
                Pat::Missing
                | Pat::Wildcard
                | Pat::Literal(_)
                | Pat::Range { .. }
                | Pat::Path(_) => {}
            }
        }
        false
    }

    fn bind_arm(&mut self, pat: PatId, place: &Place, expr: ExprId) {
        let mut bound = Vec::new();
        self.leaves_of(pat, place.clone(), expr, &mut bound);
        for (source, local) in bound {
            self.bind(source, local);
        }
    }

    /// `first && second`, the second evaluated only where it decides; the result in `dest`.
    fn both(
        &mut self,
        first: Operand,
        dest: Place,
        expr: ExprId,
        second: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        self.decided(first, true, dest, expr, second)
    }

    /// `first && second` where `both`, else `first || second`.
    pub(super) fn decided(
        &mut self,
        first: Operand,
        both: bool,
        dest: Place,
        expr: ExprId,
        second: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        let branch = self.branch(first);
        let (open, shut) =
            if both { (branch.then, branch.otherwise) } else { (branch.otherwise, branch.then) };
        self.start(open);
        let value = second(self);
        self.assign(&dest, Rvalue::Use(value), expr);
        let evaluated = self.end_of_arm();
        self.start(shut);
        self.assign(&dest, Rvalue::Use(Operand::Const(Scalar::bool(!both))), expr);
        let decided = self.end_of_arm();
        self.join(&branch, [evaluated, decided]);
        Operand::Copy(dest)
    }

    /// Whether a pattern fits what a place holds; none where it always does.
    pub(super) fn matches(&mut self, pat: PatId, place: &Place, expr: ExprId) -> Option<Operand> {
        let hir = self.hir;
        let place = &self.peel(place.clone());
        let ty = self.place_ty(place);
        match &hir.pats[pat] {
            Pat::Missing | Pat::Wildcard | Pat::Bind(_) => None,
            Pat::Literal(PatLiteral::Text(Some(text))) => {
                Some(self.is_this_text(place, text, expr))
            }
            Pat::Literal(literal) => {
                let value = literal_value(literal, &ty)?;
                Some(self.compare(CompareOp::Eq, Operand::Copy(place.clone()), value, expr))
            }
            Pat::Range { start, end, end_kind } => {
                let (low, high) = (literal_value(start, &ty)?, literal_value(end, &ty)?);
                let value = Operand::Copy(place.clone());
                let above = self.compare(CompareOp::Ge, value.clone(), low, expr);
                let op = match end_kind {
                    RangeEnd::Inclusive => CompareOp::Le,
                    RangeEnd::Exclusive => CompareOp::Lt,
                };
                let dest = Place::local(self.temporary(Ty::BOOL));
                Some(self.both(above, dest, expr, |this| this.compare(op, value, high, expr)))
            }
            Pat::Tuple(elements) | Pat::Array { elements, .. } => {
                let steps = (0..elements.len()).map(|index| self.numbered(&ty, index as u32));
                let steps: Vec<Option<Projection>> = steps.collect();
                let parts = elements.iter().copied().zip(steps);
                self.all_match(None, parts.collect(), place, expr)
            }
            Pat::Struct { path, fields, .. } => {
                let variant = self.named_variant(&ty, path);
                let parts = fields.iter().map(|field| {
                    let step = match variant {
                        Some(variant) => self.payload_field(&ty, variant, &field.name),
                        None => self.field(&ty, &field.name),
                    };
                    (field.pat, step)
                });
                let parts = parts.collect();
                let first = variant.map(|variant| self.is_variant(variant, place, expr));
                self.all_match(first, parts, place, expr)
            }
            Pat::Variant { path, elements } => {
                let variant = self.named_variant(&ty, path)?;
                let steps = (0..elements.len()).map(|index| self.payload(&ty, variant, index));
                let parts = elements.iter().copied().zip(steps.collect::<Vec<_>>());
                let first = self.is_variant(variant, place, expr);
                self.all_match(Some(first), parts.collect(), place, expr)
            }
            Pat::Path(path) => {
                let variant = self.named_variant(&ty, path)?;
                Some(self.is_variant(variant, place, expr))
            }
            Pat::Or(alternatives) => {
                let mut found: Option<Operand> = None;
                for alternative in alternatives {
                    found = Some(match found {
                        None => self.matches(*alternative, place, expr)?,
                        Some(before) => {
                            let dest = Place::local(self.temporary(Ty::BOOL));
                            self.decided(before, false, dest, expr, |this| {
                                let fits = this.matches(*alternative, place, expr);
                                fits.unwrap_or(Operand::Const(Scalar::bool(true)))
                            })
                        }
                    });
                }
                found
            }
        }
    }

    /// Whether `first` holds and each part fits its pattern.
    fn all_match(
        &mut self,
        first: Option<Operand>,
        parts: Vec<(PatId, Option<Projection>)>,
        place: &Place,
        expr: ExprId,
    ) -> Option<Operand> {
        let mut all = first;
        for (pat, step) in parts {
            let Some(step) = step else { continue };
            if !self.may_fail(pat) {
                continue;
            }
            let part = place.clone().part(step);
            all = match all {
                None => self.matches(pat, &part, expr),
                Some(before) => {
                    let dest = Place::local(self.temporary(Ty::BOOL));
                    Some(self.both(before, dest, expr, |this| {
                        let fits = this.matches(pat, &part, expr);
                        fits.unwrap_or(Operand::Const(Scalar::bool(true)))
                    }))
                }
            };
        }
        all
    }

    /// Whether a pattern looks at anything.
    fn may_fail(&self, pat: PatId) -> bool {
        match &self.hir.pats[pat] {
            Pat::Missing | Pat::Wildcard | Pat::Bind(_) => false,
            Pat::Tuple(elements) | Pat::Array { elements, .. } => {
                elements.iter().any(|element| self.may_fail(*element))
            }
            Pat::Literal(_)
            | Pat::Range { .. }
            | Pat::Variant { .. }
            | Pat::Struct { .. }
            | Pat::Path(_)
            | Pat::Or(_) => true,
        }
    }

    /// Whether an enum in a place is of a variant.
    pub(super) fn is_variant(&mut self, variant: usize, place: &Place, expr: ExprId) -> Operand {
        let tag = Place::local(self.temporary(Ty::Scalar(DType::U32)));
        self.assign(&tag, Rvalue::Tag(place.clone()), expr);
        let wanted = Operand::Const(Scalar::wrap(DType::U32, variant as i128));
        self.compare(CompareOp::Eq, Operand::Copy(tag), wanted, expr)
    }

    /// The variant of an enum that a path names.
    pub(super) fn named_variant(&self, ty: &Ty, path: &Path) -> Option<usize> {
        self.variant_called(ty, path.last_name())
    }

    /// The variant of an enum that has this name.
    pub(super) fn variant_called(&self, ty: &Ty, name: &str) -> Option<usize> {
        let Ty::Adt { def, .. } = ty else { return None };
        let item = def.as_enum(self.db)?;
        enum_variants(self.db, item).variants.iter().position(|variant| variant.name == name)
    }

    /// The step to a part of what a variant holds.
    pub(super) fn payload(&self, ty: &Ty, variant: usize, index: usize) -> Option<Projection> {
        let part = variants(self.db, ty)?.get(variant)?.get(index)?.clone();
        Some(Projection::Payload { variant: variant as u32, index: index as u32, ty: part })
    }

    /// The step to a field of a variant.
    pub(super) fn payload_field(&self, ty: &Ty, variant: usize, name: &Name) -> Option<Projection> {
        let Ty::Adt { def, .. } = ty else { return None };
        let item = def.as_enum(self.db)?;
        match &enum_variants(self.db, item).variants.get(variant)?.payload {
            Payload::Fields(fields) => {
                let index = fields.iter().position(|field| field.name == *name)?;
                self.payload(ty, variant, index)
            }
            Payload::Unit | Payload::Tuple(_) => None,
        }
    }

    /// Binds the names of the first alternative that fits.
    pub(super) fn alternative_leaves(
        &mut self,
        alternatives: &[PatId],
        place: Place,
        expr: ExprId,
        bound: &mut Vec<(Source, LocalId)>,
    ) {
        let Some((first, rest)) = alternatives.split_first() else { return };
        if !alternatives.iter().any(|alternative| self.binds(*alternative)) {
            return;
        }
        let fits = if rest.is_empty() { None } else { self.matches(*first, &place, expr) };
        let Some(fits) = fits else { return self.leaves_of(*first, place, expr, bound) };
        let branch = self.branch(fits);
        self.start(branch.then);
        self.leaves_of(*first, place.clone(), expr, bound);
        let then = self.end_of_arm();
        self.start(branch.otherwise);
        self.alternative_leaves(rest, place, expr, bound);
        let otherwise = self.end_of_arm();
        self.join(&branch, [then, otherwise]);
    }

    /// Whether a pattern binds a name.
    fn binds(&self, pat: PatId) -> bool {
        match &self.hir.pats[pat] {
            Pat::Bind(_) => true,
            Pat::Tuple(elements) | Pat::Variant { elements, .. } | Pat::Or(elements) => {
                elements.iter().any(|element| self.binds(*element))
            }
            Pat::Array { elements, rest } => {
                rest.is_some_and(|rest| rest.local.is_some())
                    || elements.iter().any(|element| self.binds(*element))
            }
            Pat::Struct { fields, .. } => fields.iter().any(|field| self.binds(field.pat)),
            Pat::Missing | Pat::Wildcard | Pat::Literal(_) | Pat::Range { .. } | Pat::Path(_) => {
                false
            }
        }
    }
}

/// The value of a literal in a pattern, of the type of what is matched.
fn literal_value(literal: &PatLiteral, ty: &Ty) -> Option<Operand> {
    let scalar = match (literal, ty) {
        (PatLiteral::Int { negative, value, .. }, Ty::Scalar(dtype)) => {
            let magnitude = i128::from(*value);
            Scalar::int(*dtype, if *negative { -magnitude } else { magnitude })
        }
        (PatLiteral::Char(c), _) => Scalar::int(DType::U32, i128::from(u32::from(*c))),
        (PatLiteral::Bool(value), _) => Some(Scalar::bool(*value)),
        // Types refuse the others.
        (
            PatLiteral::Int { .. }
            | PatLiteral::Float { .. }
            | PatLiteral::Text(_)
            | PatLiteral::Error,
            _,
        ) => None,
    };
    scalar.map(Operand::Const)
}
