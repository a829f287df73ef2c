//! Traits as bounds.

use neuro_db::{Name, codes};
use neuro_hir::{Item, Path, Resolution, resolve_path, similar};

use super::{At, Lowering, Problem, Wanted};
use crate::{Bound, Def, TraitDef};

impl Lowering<'_, '_> {
    /// A bound; none if it names no trait.
    pub(super) fn bound(&mut self, written: &neuro_hir::Bound) -> Option<Bound> {
        let of_trait = self.of_trait(&written.path)?;
        let mut assoc = Vec::new();
        for (name, ty) in &written.bindings {
            let ty = self.part(ty);
            if crate::items::has_assoc_type(self.env.db, &of_trait, name) {
                assoc.push((name.clone(), ty));
            } else if !name.is_empty() {
                let message =
                    format!("the trait `{}` has no associated type `{name}`", of_trait.name());
                let known = crate::items::assoc_names(self.env.db, &of_trait);
                let problem = Problem::new(codes::MEMBER, message);
                let problem = match similar(name, known.iter().map(Name::as_str)) {
                    Some(meant) => problem.note(format!("did you mean `{meant}`?")),
                    None => problem,
                };
                self.wrong(At::Path(written.path.id), problem);
            }
        }
        Some(Bound { of_trait, assoc })
    }

    /// The trait that a path names.
    pub(super) fn of_trait(&mut self, path: &Path) -> Option<TraitDef> {
        let what = match resolve_path(self.env.db, self.env.module, path) {
            Ok(Resolution::Item(Item::Trait(item))) => {
                return Some(TraitDef::Item(Def::of_trait(self.env.db, item)));
            }
            Ok(Resolution::Unknown) => return None,
            Ok(Resolution::Trait(known)) => return Some(TraitDef::Builtin(known)),
            Ok(resolution) => super::kind(resolution),
            Err(reason) => {
                self.problems.extend(self.env.unknown(path, &reason, Wanted::Trait));
                return None;
            }
        };
        let message = format!("`{path}` is {what}, not a trait");
        self.wrong(At::Path(path.id), Problem::new(codes::BOUND, message));
        None
    }
}
