//! Generic types applied: parameters replaced by what stands for them.

use crate::{Bound, Extent, Fold, GenericArg, Param, Ty};

/// Replaces each parameter by the argument of its number.
struct Apply<'a>(&'a [GenericArg]);

impl Apply<'_> {
    fn arg(&self, param: &Param) -> Option<&GenericArg> {
        self.0.get(param.index as usize)
    }
}

impl Fold for Apply<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Param(param) => match self.arg(param) {
                Some(GenericArg::Type(ty)) => Some(ty.clone()),
                // A constant where a type belongs was reported where it is written.
                Some(GenericArg::Const(_)) => Some(Ty::Error),
                None => None,
            },
            _ => None,
        }
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        let replace = |param: &Param| match self.arg(param) {
            Some(GenericArg::Const(extent)) => extent.clone(),
            Some(GenericArg::Type(_)) | None => Extent::Param(param.clone()),
        };
        match extent {
            Extent::Param(param) => replace(param),
            Extent::Formula(formula) => {
                // What cannot be computed is not known before the program runs.
                formula.replace(&mut |param| replace(param)).unwrap_or(Extent::Dynamic)
            }
            Extent::Known(_) | Extent::Dynamic | Extent::Var(_) => extent.clone(),
        }
    }
}

impl Ty {
    /// The type with each parameter replaced by the argument of its number; a parameter without an
    /// argument stays.
    pub fn apply(&self, args: &[GenericArg]) -> Ty {
        if args.is_empty() {
            return self.clone();
        }
        self.fold(&mut Apply(args))
    }
}

impl GenericArg {
    /// The argument with each parameter in it replaced by the argument of its number.
    pub fn apply(&self, args: &[GenericArg]) -> GenericArg {
        if args.is_empty() {
            return self.clone();
        }
        match self {
            GenericArg::Type(ty) => GenericArg::Type(ty.apply(args)),
            GenericArg::Const(extent) => GenericArg::Const(Apply(args).extent(extent)),
        }
    }
}

impl Bound {
    /// The bound with each parameter replaced.
    pub fn apply(&self, args: &[GenericArg]) -> Bound {
        if args.is_empty() { self.clone() } else { self.fold(&mut Apply(args)) }
    }
}
