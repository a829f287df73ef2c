//! What generic items ask of their arguments, checked when these are known.

use neuro_db::codes;
use neuro_hir::{BuiltinTrait, ExprId, Item};

use super::{Context, Declared};
use crate::traits::prove::missing_methods;
use crate::traits::{Proof, known_derive, project, prove};
use crate::unclear::Missed;
use crate::{Bound, Collection, Finding, GenericArg, Param, Place, Remedy, TraitDef, Ty};

impl<'db> Context<'db> {
    /// Reports a type that does not have a trait that is asked of it, or whose associated types are others.
    pub(super) fn check_bound(
        &mut self,
        ty: &Ty,
        bound: &Bound,
        asked_by: &str,
        place: Place,
        declared: Declared,
    ) {
        let ty = self.resolved(ty);
        let open = ty.any(&mut |part| matches!(part, Ty::Error | Ty::Var(_)));
        if open {
            return;
        }
        let of_trait = &bound.of_trait;
        let name = of_trait.name();
        let finding = match prove(&self.env, &ty, of_trait) {
            Ok(Proof::Unknown) => return,
            Ok(proof) => {
                let lacks = missing_methods(self.db, &proof, of_trait);
                if lacks.is_empty() {
                    match self.other_assoc(&ty, bound, asked_by, place) {
                        Some(finding) => finding,
                        None => return,
                    }
                } else {
                    let lacks: Vec<String> =
                        lacks.iter().map(|method| format!("`{method}`")).collect();
                    Finding::new(
                        codes::BOUND,
                        place,
                        format!(
                            "{asked_by} needs all of `{name}`, and that of `{ty}` has no {}",
                            lacks.join(", ")
                        ),
                    )
                }
            }
            Err(_) if self.may_have(&ty, Missed::Trait(of_trait)) => return,
            Err(lack) => {
                let finding = Finding::new(
                    codes::BOUND,
                    place,
                    format!("`{ty}` does not have `{name}`, which {asked_by} needs"),
                );
                match (lack.note, &ty) {
                    (Some(note), _) => finding.note(note),
                    (None, Ty::Param(param)) => self.ask_for(finding, param, name),
                    (None, _) => finding,
                }
            }
        };
        let words = format!("`{name}` is asked for here");
        self.report(match declared {
            Declared::Nowhere => finding,
            Declared::Here(place) => finding.related(place, words),
            Declared::There(def, place) => finding.elsewhere(def, place, words),
        });
    }

    /// Says how a type parameter of the function gets a trait, and where.
    pub(super) fn ask_for(&self, finding: Finding, param: &Param, of_trait: &str) -> Finding {
        if param.name == "impl Trait" {
            return finding;
        }
        let finding = finding.note(format!("ask for it: `{}: {of_trait}`", param.name));
        let generics = self.env.generics();
        let own = param.index as usize >= generics.outer;
        let written = self.function.and_then(|function| {
            let params = &neuro_hir::signature(self.db, function).generics.params;
            let named = |found: &neuro_hir::GenericParam| *found.name() == param.name;
            let index = params.iter().position(named).filter(|_| own)?;
            params.get(index).map(|found| (index, found))
        });
        match written {
            Some((index, neuro_hir::GenericParam::Type { bounds, .. })) if bounds.is_empty() => {
                finding.remedy(Remedy::InsertAfter(
                    Place::GenericParam(index),
                    format!("ask for `{of_trait}`"),
                    format!(": {of_trait}"),
                ))
            }
            _ => finding,
        }
    }

    /// What differs in the associated types of a type that has the trait.
    fn other_assoc(
        &mut self,
        ty: &Ty,
        bound: &Bound,
        asked_by: &str,
        place: Place,
    ) -> Option<Finding> {
        for (name, wanted) in &bound.assoc {
            let wanted = self.resolved(wanted);
            let Some(found) = project(&self.env, ty, &bound.of_trait, name) else {
                let of_trait = bound.of_trait.name();
                let finding = Finding::new(
                    codes::BOUND,
                    place,
                    format!(
                        "{asked_by} needs that `{name}` of `{ty}` is `{wanted}`, and nothing says so"
                    ),
                );
                return Some(
                    finding.note(format!("ask for it: `{ty}: {of_trait}<{name} = {wanted}>`")),
                );
            };
            let found = self.resolved(&found);
            if !self.table.unify(&wanted, &found) {
                return Some(Finding::new(
                    codes::BOUND,
                    place,
                    format!(
                        "{asked_by} needs that `{name}` is `{wanted}`, and `{name}` of `{ty}` is `{found}`"
                    ),
                ));
            }
        }
        None
    }

    /// Reports a type that cannot be the key of a map.
    pub(super) fn check_key(&mut self, map: Collection, key: &Ty, written: bool, place: Place) {
        let key = self.resolved(key);
        let traits_decide = matches!(key, Ty::Adt { .. } | Ty::Param(_));
        let copied = crate::is_copy(self.db, self.env.generics(), &key);
        if written && !(traits_decide && (copied || matches!(key, Ty::Param(_)))) {
            return;
        }
        let asked = match map {
            Collection::HashMap => BuiltinTrait::Hashable,
            Collection::BTreeMap
            | Collection::Vec
            | Collection::StringBuilder
            | Collection::Chars => BuiltinTrait::Comparable,
        };
        let refused = |note: String| {
            let (map, asked) = (map.name(), asked.name());
            let message = format!("`{key}` cannot be a key of `{map}`, which needs `{asked}`");
            Some(Finding::new(codes::BOUND, place, message).note(note))
        };
        let finding = match &key {
            Ty::Error | Ty::Var(_) | Ty::Char | Ty::Text => None,
            Ty::Scalar(dtype) if !dtype.is_float() => None,
            Ty::Scalar(_) => refused(
                "floats have no total order; `OrderedF32` and `OrderedF64` are keys of a `BTreeMap`"
                    .to_owned(),
            ),
            Ty::Adt { .. } | Ty::Param(_) => {
                let lacks = |context: &mut Self, of_trait: BuiltinTrait| {
                    let of_trait = TraitDef::Builtin(of_trait);
                    prove(&context.env, &key, &of_trait).is_err()
                        && !context.may_have(&key, Missed::Trait(&of_trait))
                };
                let traits = [BuiltinTrait::PartialEq, asked];
                match traits.into_iter().find(|of_trait| lacks(self, *of_trait)) {
                    Some(lacking) => {
                        refused(format!("`{key}` does not have `{}`", lacking.name()))
                    }
                    None if map == Collection::HashMap && self.derives_equality(&key) => refused(
                        "a key of a `HashMap` has a `PartialEq` that is written, beside its `Hashable`"
                            .to_owned(),
                    ),
                    None => None,
                }
            }
            _ => refused("keys are integers, truth values, characters, text, and structs with `PartialEq` and the trait of the map".to_owned()),
        };
        self.findings.extend(finding);
    }

    fn derives_equality(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Adt { def, .. } if known_derive(self.db, def, "PartialEq"))
    }

    /// Reports a condition of a generic item that does not hold for its arguments. One over extents that are
    /// not known here is checked where they are.
    pub(super) fn check_conditions(
        &mut self,
        expr: ExprId,
        item: Item<'db>,
        args: &[GenericArg],
        place: Place,
    ) {
        let args: Vec<GenericArg> = args
            .iter()
            .map(|arg| match arg {
                GenericArg::Const(extent) => GenericArg::Const(self.table.resolve_extent(extent)),
                GenericArg::Type(_) => arg.clone(),
            })
            .collect();
        for unmet in crate::conditions::unmet(self.db, item, &args) {
            let finding = Finding::new(codes::BOUND, place, unmet.message);
            self.findings.push(match (item, unmet.index) {
                (Item::Function(_), Some(index)) => finding
                    .related(Place::CalleePredicate(expr, index), "the condition stands here"),
                _ => finding,
            });
        }
    }

    /// Whether a type parameter is known to be shown with `{x:?}`.
    pub(super) fn has_debug(&self, ty: &Ty) -> bool {
        prove(&self.env, ty, &TraitDef::Builtin(BuiltinTrait::Debug)).is_ok()
    }

    /// Why a struct cannot be shown with `{x:?}`, if so.
    pub(super) fn no_debug(&mut self, ty: &Ty, place: Place) -> Option<Finding> {
        let Ty::Adt { def, .. } = ty else { return None };
        if self.may_have(ty, Missed::Trait(&TraitDef::Builtin(BuiltinTrait::Debug))) {
            return None;
        }
        if !crate::traits::known_derive(self.db, def, "Debug") {
            let message = format!("`{}` is not printable", def.name());
            let finding = Finding::new(codes::FORMAT, place, message);
            return Some(finding.note("a struct with `@derive(Debug)` is printed with `{x:?}`"));
        }
        (!self.has_debug(ty)).then(|| {
            let message = format!("`{ty}` is not printable");
            let note = format!("what `{}` is applied to cannot be printed", def.name());
            Finding::new(codes::FORMAT, place, message).note(note)
        })
    }
}
