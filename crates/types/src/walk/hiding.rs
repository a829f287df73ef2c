//! Names in patterns that hide what they were likely meant to be: a variant that is not visible by its name alone,
//! or a constant.

use neuro_db::codes;
use neuro_hir::{Item, LocalId, Resolution, resolve_name, spelling};

use super::Context;
use crate::{Finding, Payload, Place, Remedy, Ty, enum_variants};

impl Context<'_> {
    /// Tells of a name in a pattern that need not match, which takes every value and is called like a variant of
    /// what is matched, or like a constant.
    pub(super) fn check_hiding(&mut self, local: LocalId, ty: &Ty) {
        let name = &self.body.locals[local].name;
        let place = Place::Local(local);
        let message = |instead: String| {
            format!("`{name}` is a new name here, which takes every value; {instead}")
        };
        let item = match ty.peeled() {
            Ty::Adt { def, .. } => def.as_enum(self.db),
            _ => None,
        };
        let variants = item.map(|item| (item, enum_variants(self.db, item)));
        if let Some((item, variants)) = variants
            && let Some(variant) = variants.variants.iter().find(|variant| variant.name == *name)
        {
            let held = match &variant.payload {
                Payload::Unit => String::new(),
                Payload::Tuple(types) => format!("({})", vec!["_"; types.len()].join(", ")),
                Payload::Fields(_) => " { .. }".to_owned(),
            };
            let of = spelling(self.db, self.module, Item::Enum(item));
            let meant = format!("{of}::{name}{held}");
            let message = message(format!("the variant is `{meant}`"));
            let finding = Finding::new(codes::HIDING_PATTERN, place, message);
            let remedy = Remedy::Replace(place, format!("write `{meant}`"), meant);
            self.report(finding.remedy(remedy));
            return;
        }
        if let Some(Resolution::Item(Item::Const(_))) =
            resolve_name(self.db, self.module, name.clone())
        {
            let message = message(format!("the constant `{name}` is not compared with"));
            let finding = Finding::new(codes::HIDING_PATTERN, place, message);
            self.report(finding.note(format!("compare in a condition: `x if x == {name} => ..`")));
        }
    }

    /// Whether a pattern is a name that hides something, of which [`Context::check_hiding`] told.
    pub(super) fn is_hiding(&self, local: LocalId) -> bool {
        let told = |finding: &Finding| {
            finding.code == codes::HIDING_PATTERN && finding.place == Place::Local(local)
        };
        self.findings.iter().any(told)
    }
}
