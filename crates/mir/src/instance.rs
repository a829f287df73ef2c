//! Functions as they are compiled.
#![expect(missing_docs, reason = "what salsa's attribute expands to is not documented")]

use std::borrow::Cow;

use neuro_db::Db;
use neuro_hir::{ExprId, Function, LocalId};
use neuro_num::Scalar;
use neuro_types::{Callee, GenericArg, Inference, Ty, fn_sig, infer, revealed};

use crate::Body;

/// A function together with what it is specialised for: the unit of raising, differentiation and code.
#[salsa::interned(debug)]
pub struct Instance<'db> {
    /// The function.
    #[returns(copy)]
    pub function: Function<'db>,
    /// What stands for each of its generic parameters, those of its block included: types and constants that are
    /// known.
    #[returns(ref)]
    pub args: Vec<GenericArg>,
}

impl<'db> Instance<'db> {
    /// A function without generic parameters.
    pub fn plain(db: &'db dyn Db, function: Function<'db>) -> Self {
        Self::new(db, function, Vec::new())
    }

    /// The types of what it is given, its receiver first.
    pub fn parameters(self, db: &'db dyn Db) -> Vec<Ty> {
        let sig = fn_sig(db, self.function(db));
        let written = sig.receiver.iter().chain(sig.params.iter().map(|param| &param.ty));
        written.map(|ty| revealed(db, &ty.apply(self.args(db)))).collect()
    }

    /// The type of what it gives; [`Ty::Void`] when nothing.
    pub fn result(self, db: &'db dyn Db) -> Ty {
        revealed(db, &fn_sig(db, self.function(db)).ret.apply(self.args(db)))
    }
}

/// How deep the types are nested that an instance may be specialised for. A function that calls itself with ever
/// larger types needs more than any.
const MAX_NESTING: usize = 16;

/// Whether generic arguments are nested deeper than instances go.
pub fn is_too_deep(args: &[GenericArg]) -> bool {
    args.iter().any(|arg| match arg {
        GenericArg::Type(ty) => is_deeper(ty, MAX_NESTING),
        GenericArg::Const(_) => false,
    })
}

fn is_deeper(ty: &Ty, than: usize) -> bool {
    let Some(than) = than.checked_sub(1) else { return true };
    match ty {
        Ty::Tuple(parts) => parts.iter().any(|part| is_deeper(part, than)),
        Ty::Array { elem: inner, .. } | Ty::Slice(inner) | Ty::Ref { inner, .. } => {
            is_deeper(inner, than)
        }
        Ty::Adt { args, .. } => args.iter().any(|arg| match arg {
            GenericArg::Type(ty) => is_deeper(ty, than),
            GenericArg::Const(_) => false,
        }),
        Ty::Collection { args, .. } => args.iter().any(|arg| is_deeper(arg, than)),
        Ty::Fn(function) => {
            function.params.iter().chain([&function.ret]).any(|part| is_deeper(part, than))
        }
        Ty::Error
        | Ty::Never
        | Ty::Void
        | Ty::Scalar(_)
        | Ty::Char
        | Ty::Text
        | Ty::Tensor(_)
        | Ty::Sparse(_)
        | Ty::Param(_)
        | Ty::Assoc(_)
        | Ty::Dyn(_)
        | Ty::Opaque(_)
        | Ty::Var(_) => false,
    }
}

/// The body of an instance.
pub fn instance_body<'db>(db: &'db dyn Db, instance: Instance<'db>) -> &'db Body<'db> {
    if instance.args(db).is_empty() {
        crate::body(db, instance.function(db))
    } else {
        specialised(db, instance)
    }
}

/// The body of a function value of an instance: that of the expression that stands for it.
#[salsa::tracked]
pub fn value_body<'db>(db: &'db dyn Db, instance: Instance<'db>, value: ExprId) -> Body<'db> {
    let function = instance.function(db);
    let types = types_of(db, function, instance.args(db));
    crate::lower::function_value(db, function, &types, value)
}

/// The body of a generic function for what it is applied to.
#[salsa::tracked]
fn specialised<'db>(db: &'db dyn Db, instance: Instance<'db>) -> Body<'db> {
    let function = instance.function(db);
    let types = types_of(db, function, instance.args(db));
    crate::lower::specialised(db, function, &types, &instance.result(db))
}

/// The types of a body with each generic parameter replaced by what stands for it, and with what they hide.
pub(crate) fn types_of<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    args: &[GenericArg],
) -> Cow<'db, Inference<'db>> {
    let types = infer(db, function);
    let hides = |ty: &Ty| ty.any(&mut |part| matches!(part, Ty::Assoc(_) | Ty::Opaque(_)));
    let given = |given: &GenericArg| matches!(given, GenericArg::Type(ty) if hides(ty));
    if args.is_empty()
        && !types.exprs.values().chain(types.locals.values()).any(hides)
        && !types.generic_args.iter().flat_map(|(_, given)| given).any(given)
    {
        return Cow::Borrowed(types);
    }
    Cow::Owned(applied(db, types, args))
}

fn applied<'db>(db: &'db dyn Db, generic: &Inference<'db>, args: &[GenericArg]) -> Inference<'db> {
    let mut types = generic.clone();
    let known = |ty: &Ty| revealed(db, &ty.apply(args));
    let exprs: Vec<(ExprId, Ty)> =
        generic.exprs.iter().map(|(expr, ty)| (expr, known(ty))).collect();
    for (expr, ty) in exprs {
        if let Some(Callee::ConstParam(index)) = generic.callees.get(expr)
            && let Some(GenericArg::Const(extent)) = args.get(*index as usize)
            && let (Some(value), Ty::Scalar(dtype)) = (extent.known(), &ty)
        {
            types.literals.insert(expr, Scalar::wrap(*dtype, i128::from(value)));
        }
        types.exprs.insert(expr, ty);
    }
    let locals: Vec<(LocalId, Ty)> =
        generic.locals.iter().map(|(local, ty)| (local, known(ty))).collect();
    for (local, ty) in locals {
        types.locals.insert(local, ty);
    }
    let given: Vec<(ExprId, Vec<GenericArg>)> = generic
        .generic_args
        .iter()
        .map(|(expr, given)| {
            let known = |arg: &GenericArg| match arg.apply(args) {
                GenericArg::Type(ty) => GenericArg::Type(revealed(db, &ty)),
                known @ GenericArg::Const(_) => known,
            };
            (expr, given.iter().map(known).collect())
        })
        .collect();
    for (expr, given) in given {
        types.generic_args.insert(expr, given);
    }
    let coercions: Vec<(ExprId, Ty)> =
        generic.coercions.iter().map(|(expr, ty)| (expr, known(ty))).collect();
    for (expr, ty) in coercions {
        types.coercions.insert(expr, ty);
    }
    types
}
