//! What a name is looked for as, and which name was probably meant: of those that may stand there.

use neuro_hir::{Item, Resolution, resolve_name, similar_where};

use super::Env;
use crate::generic_params::GenericKind;

/// What a name is looked for as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// A type.
    Type,
    /// A trait.
    Trait,
    /// A struct, or a variant that has fields.
    Struct,
    /// A constant.
    Constant,
    /// A function or a value.
    Value,
    /// What further names of a path are looked for in.
    Holder,
}

impl Wanted {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Wanted::Type => "type",
            Wanted::Trait => "trait",
            Wanted::Struct => "struct",
            Wanted::Constant => "constant",
            Wanted::Value => "function or value",
            Wanted::Holder => "module or type",
        }
    }

    /// Why something else cannot stand there, behind "which".
    fn is_none(self) -> &'static str {
        match self {
            Wanted::Type => "is no type",
            Wanted::Trait => "is no trait",
            Wanted::Struct => "is no struct",
            Wanted::Constant => "is no constant",
            Wanted::Value => "is no value",
            Wanted::Holder => "holds no names",
        }
    }

    /// Whether something can be meant.
    fn takes(self, resolution: Resolution<'_>) -> bool {
        match resolution {
            Resolution::Item(Item::Struct(_)) => {
                matches!(self, Wanted::Type | Wanted::Struct | Wanted::Holder)
            }
            Resolution::Item(Item::Alias(_)) => {
                matches!(self, Wanted::Type | Wanted::Struct | Wanted::Holder)
            }
            Resolution::Item(Item::Enum(_)) | Resolution::Type(_) => {
                matches!(self, Wanted::Type | Wanted::Holder)
            }
            Resolution::Item(Item::Newtype(_)) => {
                matches!(self, Wanted::Type | Wanted::Value | Wanted::Holder)
            }
            Resolution::Item(Item::Trait(_)) => matches!(self, Wanted::Trait | Wanted::Holder),
            Resolution::Trait(_) => self == Wanted::Trait,
            Resolution::Item(Item::Function(_)) | Resolution::Function(_) => self == Wanted::Value,
            Resolution::Item(Item::Const(_)) => matches!(self, Wanted::Constant | Wanted::Value),
            Resolution::Variant(..) => matches!(self, Wanted::Value | Wanted::Struct),
            Resolution::Module(_) => self == Wanted::Holder,
            Resolution::Item(Item::Impl(_)) | Resolution::Unknown | Resolution::Generic(..) => {
                false
            }
        }
    }
}

/// What was probably meant by a name that stands for nothing.
pub(crate) enum Meant {
    /// Another name.
    Name(String),
    /// Nothing that may stand there; this says what else has such a name.
    Note(String),
    /// Nothing is called alike.
    Nothing,
}

impl<'db> Env<'db> {
    /// What was probably meant by a name; `locals` are names of values that only the body knows.
    pub(crate) fn meant(
        &self,
        word: &str,
        inside: Option<Resolution<'db>>,
        wanted: Wanted,
        locals: &[&str],
    ) -> Meant {
        let known = self.visible(inside);
        let candidates = || locals.iter().copied().chain(known.iter().map(|name| name.as_str()));
        let resolved = |name: &str| match inside {
            None => resolve_name(self.db, self.module, name.into()),
            Some(Resolution::Module(module)) => resolve_name(self.db, module, name.into()),
            // Only variants are looked for in what is no module.
            Some(_) => None,
        };
        let fits = |name: &str| {
            if locals.contains(&name) {
                return matches!(wanted, Wanted::Value);
            }
            match self.generics.find(name).filter(|_| inside.is_none()) {
                Some((_, found)) => match found.kind {
                    GenericKind::Type { .. } => matches!(wanted, Wanted::Type | Wanted::Holder),
                    GenericKind::Const { .. } => {
                        matches!(wanted, Wanted::Value | Wanted::Constant)
                    }
                },
                None => resolved(name).is_none_or(|found| wanted.takes(found)),
            }
        };
        if let Some(meant) = similar_where(word, candidates(), fits) {
            return Meant::Name(meant.to_owned());
        }
        let other = |name: &str| match resolved(name) {
            Some(Resolution::Item(item)) => {
                item.file(self.db) != self.db.prelude() && !locals.contains(&name)
            }
            _ => false,
        };
        let other = similar_where(word, candidates(), other);
        match other.and_then(|name| Some((name, resolved(name)?))) {
            Some((name, found)) => {
                let kind = super::kind(found);
                Meant::Note(format!("there is {kind} `{name}`, which {}", wanted.is_none()))
            }
            None => Meant::Nothing,
        }
    }
}
