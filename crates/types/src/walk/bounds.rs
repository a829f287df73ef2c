//! What generic items ask of their arguments, checked when these are known.

use neuro_db::codes;
use neuro_hir::{BuiltinTrait, ExprId, Item, Predicate};
use neuro_num::Scalar;

use super::clause::shown;
use super::{Context, Declared};
use crate::evaluate::{NotConstant, evaluate};
use crate::generic_params::GenericKind;
use crate::traits::prove::missing_methods;
use crate::traits::{Proof, known_derive, project, prove};
use crate::{Bound, Collection, Extent, Finding, GenericArg, Place, TraitDef, Ty};

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
            Err(lack) => {
                let finding = Finding::new(
                    codes::BOUND,
                    place,
                    format!("`{ty}` does not have `{name}`, which {asked_by} needs"),
                );
                match (lack.note, &ty) {
                    (Some(note), _) => finding.note(note),
                    (None, Ty::Param(param)) if param.name != "impl Trait" => {
                        finding.note(format!("ask for it: `{}: {name}`", param.name))
                    }
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
                let lacks = |context: &Self, of_trait: BuiltinTrait| {
                    prove(&context.env, &key, &TraitDef::Builtin(of_trait)).is_err()
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
        let Some(written) = crate::generic_params::written(self.db, item) else { return };
        let generics = crate::generics(self.db, item);
        let value = |index: u32| {
            let GenericArg::Const(extent) = args.get(index as usize)? else { return None };
            let Extent::Known(extent) = self.table.resolve_extent(extent) else { return None };
            match &generics.params.get(index as usize)?.kind {
                GenericKind::Const { ty: Ty::Scalar(dtype) } => {
                    Scalar::int(*dtype, i128::from(extent))
                }
                GenericKind::Const { .. } | GenericKind::Type { .. } => None,
            }
        };
        let mut findings = Vec::new();
        for (index, predicate) in written.predicates.iter().enumerate() {
            let Predicate::Condition(body) = predicate else { continue };
            let inference = crate::condition(self.db, item, index);
            let Some(root) = body.root.filter(|_| inference.findings.is_empty()) else { continue };
            let problem = match evaluate(body, inference, root, &value) {
                Ok(value) if value.as_bool() == Some(false) => "does not hold".to_owned(),
                Ok(_) | Err(NotConstant::Construct(_) | NotConstant::Reported) => continue,
                Err(NotConstant::Arithmetic(_, error)) => format!("cannot be computed: {error}"),
            };
            let with: Vec<String> = generics
                .params
                .iter()
                .zip(args)
                .filter_map(|(param, arg)| match arg {
                    GenericArg::Const(extent) => {
                        Some(format!("`{}` is {}", param.name, self.table.resolve_extent(extent)))
                    }
                    GenericArg::Type(_) => None,
                })
                .collect();
            let name = item.name(self.db);
            let finding = Finding::new(
                codes::BOUND,
                place,
                format!(
                    "`{}`, a condition of `{name}`, {problem}: {}",
                    shown(body, root),
                    with.join(", ")
                ),
            );
            findings.push(match item {
                Item::Function(_) => finding
                    .related(Place::CalleePredicate(expr, index), "the condition stands here"),
                _ => finding,
            });
        }
        self.findings.extend(findings);
    }

    /// Whether a type parameter is known to be shown with `{x:?}`.
    pub(super) fn has_debug(&self, ty: &Ty) -> bool {
        prove(&self.env, ty, &TraitDef::Builtin(BuiltinTrait::Debug)).is_ok()
    }

    /// Why a struct cannot be shown with `{x:?}`, if so.
    pub(super) fn no_debug(&self, ty: &Ty, place: Place) -> Option<Finding> {
        let Ty::Adt { def, .. } = ty else { return None };
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
