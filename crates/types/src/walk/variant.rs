//! The struct or variant that a pattern names.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Enum, Item, PatId, Path, PathProblem, Resolution, resolve_path, spelling};

use super::Context;
use crate::lower::Wanted;
use crate::{
    Def, DefKind, Finding, GenericArg, PathPart, Payload, Place, Remedy, Ty, enum_variants,
};

/// A variant that a pattern names.
pub(super) struct Named {
    /// What it holds, in terms of what its enum is applied to.
    pub(super) payload: Payload,
    pub(super) args: Arc<[GenericArg]>,
}

impl Context<'_> {
    /// Whether the path of a struct pattern names this struct.
    pub(super) fn names_struct(&mut self, pat: PatId, path: &Path, def: &Def) -> bool {
        let found = match resolve_path(self.db, self.module, path) {
            Ok(Resolution::Item(Item::Struct(item))) => Def::of_struct(self.db, item) == *def,
            Ok(Resolution::Item(Item::Alias(item))) => {
                matches!(&crate::alias_type(self.db, item).ty, Ty::Adt { def: found, .. } if found == def)
            }
            Ok(Resolution::Unknown) => return false,
            Ok(_) => false,
            Err(reason) => {
                let problem = self.env.unknown(path, &reason, Wanted::Struct);
                let finding = problem.map(|problem| problem.finding(Place::Pat(pat), false));
                self.findings.extend(finding);
                return false;
            }
        };
        if !found {
            self.report(Finding::new(
                codes::PATTERN_TYPE,
                Place::BodyPath(path.id, PathPart::Whole),
                format!("this takes a `{path}` apart, and the value is a `{}`", def.name()),
            ));
        }
        found
    }

    /// The variant that a pattern names, of the enum that it is matched with.
    pub(super) fn variant_of(&mut self, pat: PatId, path: &Path, ty: &Ty) -> Option<Named> {
        if path.is_broken() || matches!(ty.peeled(), Ty::Error | Ty::Never) {
            return None;
        }
        let (item, def, args) = match ty.peeled() {
            Ty::Adt { def, args } if def.kind() == DefKind::Enum => {
                (def.as_enum(self.db)?, def, Arc::clone(args))
            }
            Ty::Adt { def, .. } if def.kind() == DefKind::Newtype => {
                let name = def.name();
                let message = format!("no pattern takes the newtype `{name}` apart");
                let finding = Finding::new(codes::PATTERN_TYPE, Place::Pat(pat), message);
                self.report(finding.note(format!("what a `{name}` wraps is read by `.0`")));
                return None;
            }
            _ => {
                self.no_fit(pat, &format!("the variant `{path}`"), ty);
                return None;
            }
        };
        let variants = &enum_variants(self.db, item).variants;
        let index = self.variant_index(path, item, def).ok()?;
        let Some((index, variant)) = index.and_then(|index| Some((index, variants.get(index)?)))
        else {
            self.no_variant(path, item, def);
            return None;
        };
        self.variants.insert(pat, index);
        Some(Named { payload: variant.payload.clone(), args })
    }

    /// The index of the variant of an enum that a path names, if it has it; an error when the path names
    /// something else, which is reported.
    fn variant_index(
        &mut self,
        path: &Path,
        item: Enum<'_>,
        def: &Def,
    ) -> Result<Option<usize>, ()> {
        let name = path.last_name();
        let variants = &enum_variants(self.db, item).variants;
        let named = variants.iter().position(|variant| variant.name == name);
        match resolve_path(self.db, self.module, path) {
            Ok(Resolution::Variant(found, index)) if found == item => Ok(Some(index)),
            Ok(Resolution::Variant(found, _))
            | Err(PathProblem::Member { base: Resolution::Item(Item::Enum(found)), .. })
                if found != item =>
            {
                self.other_enum(path, &found.name(self.db), def);
                Err(())
            }
            Err(PathProblem::Member { base: Resolution::Item(Item::Enum(_)), .. }) => Ok(named),
            Err(PathProblem::Member { base: Resolution::Item(Item::Alias(alias)), .. }) => {
                let ty = &crate::alias_type(self.db, alias).ty;
                let same = matches!(ty, Ty::Adt { def: found, .. } if found == def);
                Ok(named.filter(|_| same))
            }
            Ok(Resolution::Unknown) | Err(PathProblem::Reported) => Err(()),
            // `Self::V`, and a variant that is not imported.
            Ok(_) | Err(_) => {
                let own = path.first().is_some_and(|first| first.name == "Self");
                if named.is_some() && !own {
                    self.not_imported(path, name, item);
                    return Err(());
                }
                Ok(named)
            }
        }
    }

    fn not_imported(&mut self, path: &Path, name: &str, item: Enum<'_>) {
        let place = Place::BodyPath(path.id, PathPart::Whole);
        let of = spelling(self.db, self.module, Item::Enum(item));
        let full = format!("{of}::{name}");
        self.report(
            Finding::new(
                codes::UNDECLARED,
                place,
                format!("`{name}` is not visible here by its name alone"),
            )
            .note(format!("write `{full}`, or import it: `import {of}::{{{name}}}`"))
            .remedy(Remedy::Replace(place, format!("write `{full}`"), full)),
        );
    }

    fn no_variant(&mut self, path: &Path, item: Enum<'_>, def: &Def) {
        let name = path.last_name();
        let variants = &enum_variants(self.db, item).variants;
        let known: Vec<Name> = variants.iter().map(|variant| variant.name.clone()).collect();
        let last = path.segments.len().saturating_sub(1);
        let place = Place::BodyPath(path.id, PathPart::Segment(last));
        let message = format!("`{}` has no variant `{name}`", def.name());
        let finding = Finding::new(codes::MEMBER, place, message);
        let finding = self.did_you_mean(finding, place, name, &known);
        self.report(finding);
    }

    fn other_enum(&mut self, path: &Path, found: &str, def: &Def) {
        self.report(Finding::new(
            codes::MISMATCH,
            Place::BodyPath(path.id, PathPart::Whole),
            format!("`{path}` is a variant of `{found}`, and the value is a `{}`", def.name()),
        ));
    }
}
