//! Arguments of generic types.

use neuro_db::codes;
use neuro_hir::{Item, Path, TypeArg, TypeRef};

use super::{At, Lowering, Problem};
use crate::conditions::misfit;
use crate::generic_params::{GenericKind, Generics};
use crate::{Def, Extent, GenericArg, Ty};

impl<'db> Lowering<'_, 'db> {
    /// A struct, enum or newtype with its arguments.
    pub(super) fn applied(&mut self, path: &Path, segment: usize, def: Def, item: Item<'db>) -> Ty {
        let generics = crate::generics(self.env.db, item);
        match self.generic_args(path, segment, def.name(), generics) {
            Some(args) => Ty::Adt { def, args: args.into() },
            None => Ty::Error,
        }
    }

    /// The written arguments of an item, one for each of its parameters.
    fn generic_args(
        &mut self,
        path: &Path,
        segment: usize,
        name: &str,
        generics: &Generics,
    ) -> Option<Vec<GenericArg>> {
        let written = path.segments.get(segment).and_then(|part| part.args.as_deref());
        let given: Vec<(usize, &TypeArg)> = written
            .unwrap_or_default()
            .iter()
            .enumerate()
            .filter(|(_, arg)| !matches!(arg, TypeArg::Lifetime))
            .collect();
        if given.iter().any(|(_, arg)| matches!(arg, TypeArg::Error)) {
            return None;
        }
        if given.len() != generics.params.len() {
            let at = if written.is_some() { At::Args(path.id, segment) } else { At::Path(path.id) };
            let message = wrong_count(name, generics, given.len());
            self.wrong(at, Problem::new(codes::GENERIC_ARGUMENTS, message));
            return None;
        }
        let mut args = Vec::new();
        for ((index, arg), param) in given.into_iter().zip(&generics.params) {
            let at = At::Arg(path.id, segment, index);
            args.push(self.arg(arg, &param.kind, &param.name, at)?);
        }
        Some(args)
    }

    /// One argument for a parameter of this kind.
    pub(super) fn arg(
        &mut self,
        arg: &TypeArg,
        kind: &GenericKind,
        name: &str,
        at: At,
    ) -> Option<GenericArg> {
        match (arg, kind) {
            (TypeArg::Type(ty), GenericKind::Type { .. }) => match self.part(ty) {
                Ty::Error => None,
                ty => Some(GenericArg::Type(ty)),
            },
            (TypeArg::Type(TypeRef::Path(path)), GenericKind::Const { ty }) => {
                let extent = self.named_extent(path, at)?;
                self.fitting(extent, ty, at)
            }
            (TypeArg::Int(value), GenericKind::Const { ty }) => {
                let extent = self.number(*value, "it", at)?;
                self.fitting(extent, ty, at)
            }
            (TypeArg::Local(local), GenericKind::Const { ty }) => {
                let value = (self.local)(*local)?;
                let extent = self.number(value, "it", at)?;
                self.fitting(extent, ty, at)
            }
            (TypeArg::Lifetime | TypeArg::Error, _) => None,
            (TypeArg::Type(_) | TypeArg::Shape(_), GenericKind::Const { .. }) => {
                let message =
                    format!("`{name}` stands for a constant: a number, or the name of one");
                self.wrong(at, Problem::new(codes::GENERIC_ARGUMENTS, message));
                None
            }
            (TypeArg::Int(_) | TypeArg::Shape(_) | TypeArg::Local(_), GenericKind::Type { .. }) => {
                let message = format!("`{name}` stands for a type");
                self.wrong(at, Problem::new(codes::GENERIC_ARGUMENTS, message));
                None
            }
        }
    }

    /// A constant argument, if it is a value of the parameter's type.
    fn fitting(&mut self, extent: Extent, param: &Ty, at: At) -> Option<GenericArg> {
        if let (Ty::Scalar(dtype), Extent::Known(value)) = (param, &extent)
            && let Some(message) = misfit(*dtype, i128::from(*value))
        {
            self.wrong(at, Problem::new(codes::LITERAL, message));
            return None;
        }
        Some(GenericArg::Const(extent))
    }

    /// The type arguments of a type of the language.
    pub(super) fn type_args(
        &mut self,
        path: &Path,
        segment: usize,
        name: &str,
        known: &[&str],
    ) -> Option<Vec<Ty>> {
        let written = path.segments.get(segment).and_then(|part| part.args.as_deref());
        let given = written.unwrap_or_default();
        if given.iter().any(|arg| matches!(arg, TypeArg::Error)) {
            return None;
        }
        let count = known.len();
        if given.len() != count {
            let form = match count {
                0 => "no types".to_owned(),
                1 => format!("1 type, that of its elements, as in `{name}<i32>`"),
                _ => format!("{count} types, of keys and values, as in `{name}<string, i32>`"),
            };
            let given = match given.len() {
                0 => "none is given".to_owned(),
                1 => "1 is given".to_owned(),
                count => format!("{count} are given"),
            };
            let message = format!("`{name}` takes {form}, and {given}");
            self.wrong(At::Path(path.id), Problem::new(codes::GENERIC_ARGUMENTS, message));
            return None;
        }
        let kind = GenericKind::Type { bounds: Vec::new() };
        let mut types = Vec::new();
        for (index, arg) in given.iter().enumerate() {
            let at = At::Arg(path.id, segment, index);
            let param = known.get(index).copied().unwrap_or_default();
            match self.arg(arg, &kind, param, at)? {
                GenericArg::Type(ty) => types.push(ty),
                GenericArg::Const(_) => return None,
            }
        }
        Some(types)
    }

    /// Refuses arguments where none belong.
    pub(super) fn no_args(&mut self, path: &Path, segment: usize, what: &str) {
        if path.segments.get(segment).is_some_and(|part| part.args.is_some()) {
            let message = format!("the {what} `{path}` takes no arguments");
            let problem = Problem::new(codes::GENERIC_ARGUMENTS, message);
            self.wrong(At::Args(path.id, segment), problem);
        }
    }

    /// A number that is an extent or a constant argument.
    pub(super) fn number(&mut self, value: i128, what: &str, at: At) -> Option<Extent> {
        match u64::try_from(value) {
            Ok(extent) => Some(Extent::Known(extent)),
            Err(_) => {
                let message = format!("an extent is an integer from 0 up, and {what} is `{value}`");
                self.wrong(at, Problem::new(codes::SHAPE, message));
                None
            }
        }
    }
}

/// Says how many arguments an item takes.
pub(crate) fn wrong_count(name: &str, generics: &Generics, given: usize) -> String {
    let params: Vec<&str> = generics.params.iter().map(|param| param.name.as_str()).collect();
    let takes = match params.len() {
        0 => "takes no generic arguments".to_owned(),
        1 => format!("takes 1 generic argument, `{name}<{}>`", params.join(", ")),
        count => format!("takes {count} generic arguments, `{name}<{}>`", params.join(", ")),
    };
    let given = match given {
        0 => "none is given".to_owned(),
        1 => "1 is given".to_owned(),
        count => format!("{count} are given"),
    };
    format!("`{name}` {takes}, and {given}")
}
