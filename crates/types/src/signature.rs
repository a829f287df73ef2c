//! Checked signatures.

use neuro_db::codes;
use neuro_db::{Db, Name};
use neuro_hir::{Function, Item};
use neuro_num::DType;

use crate::lower::{Site, TypeProblem, lower_type};
use crate::{Finding, Place, Remedy, Ty};

/// A function's signature with checked types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FnSig {
    /// The parameters.
    pub params: Vec<ParamSig>,
    /// What it returns; [`Ty::Void`] when nothing.
    pub ret: Ty,
    /// What is wrong with the types as written.
    pub findings: Vec<Finding>,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamSig {
    /// The label that a call must or may use: the written label, else the name.
    pub label: Name,
    /// Whether the label must be written (`label name: T`).
    pub label_required: bool,
    /// Whether no label may be written (`_ name: T`).
    pub positional_only: bool,
    /// The name in the body, and the name of the gradient.
    pub name: Name,
    /// The type.
    pub ty: Ty,
}

/// The signature of a function with its types checked.
#[salsa::tracked]
pub fn fn_sig<'db>(db: &'db dyn Db, function: Function<'db>) -> FnSig {
    let item = Item::Function(function);
    let written = neuro_hir::signature(db, function);
    let mut findings = Vec::new();
    let mut report = |place: Place, problem: Option<TypeProblem>| {
        findings.extend(problem.map(|problem| finding(place, problem)));
    };
    let params = written
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let (ty, problem) = lower_type(db, item, Site::Param, &param.ty);
            report(Place::ParamType(index), problem);
            let positional_only = param.label.as_deref() == Some("_");
            let label = param.label.clone().filter(|_| !positional_only);
            ParamSig {
                label_required: label.is_some(),
                label: label.unwrap_or_else(|| param.name.clone()),
                positional_only,
                name: param.name.clone(),
                ty,
            }
        })
        .collect();
    let ret = match &written.ret {
        Some(ty) => {
            let (ty, problem) = lower_type(db, item, Site::Result, ty);
            report(Place::ReturnType, problem);
            ty
        }
        None => Ty::Void,
    };
    let generics = &written.generics;
    let refused = match (generics.params.is_empty(), generics.predicates.is_empty()) {
        (false, _) => Some("generic parameters are"),
        (true, false) => Some("`where` is"),
        (true, true) => None,
    };
    if let Some(what) = refused {
        let message = format!("{what} not supported yet");
        findings.push(Finding::new(codes::UNSUPPORTED, Place::Generics, message));
    }
    let mut sig = FnSig { params, ret, findings };
    if function.name(db) == "main" {
        sig.findings.extend(check_main(&sig));
    }
    sig
}

/// Whether a function is fenced from differentiation.
#[salsa::tracked(returns(copy))]
pub fn is_no_grad<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    neuro_hir::signature(db, function).attrs.iter().any(|attr| attr.name == "no_grad")
}

pub(crate) fn finding(place: Place, problem: TypeProblem) -> Finding {
    let finding = Finding::new(problem.code, place, problem.message);
    match problem.note {
        Some(note) => finding.note(note),
        None => finding,
    }
}

fn check_main(sig: &FnSig) -> Option<Finding> {
    let form = "a program starts at `func main() -> i32`";
    if !sig.params.is_empty() {
        return Some(Finding::new(
            codes::MAIN,
            Place::ParamName(0),
            format!("`main` takes no parameters: {form}"),
        ));
    }
    match &sig.ret {
        Ty::Error | Ty::Scalar(DType::I32) => None,
        Ty::Void => Some(
            Finding::new(
                codes::MAIN,
                Place::FunctionName,
                format!("`main` returns its exit status: {form}"),
            )
            .remedy(Remedy::InsertAfter(
                Place::Header,
                "return the exit status".to_owned(),
                " -> i32".to_owned(),
            )),
        ),
        other => Some(
            Finding::new(
                codes::MAIN,
                Place::ReturnType,
                format!("`main` returns `{other}`: {form}"),
            )
            .remedy(Remedy::Replace(
                Place::ReturnType,
                "return the exit status".to_owned(),
                "i32".to_owned(),
            )),
        ),
    }
}
