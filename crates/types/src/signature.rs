//! Checked signatures.

use neuro_db::codes;
use neuro_db::{Db, Name};
use neuro_hir::{Container, Function, Item, Receiver, TypeRef};
use neuro_num::DType;

use crate::generic_params::impl_bounds;
use crate::items::self_of;
use crate::lower::{Env, Lowered, Site};
use crate::{Content, Finding, Place, Remedy, Ty};

/// A function's signature with checked types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FnSig {
    /// What a method is called on: `Self`, `&Self` or `&mut Self`.
    pub receiver: Option<Ty>,
    /// The parameters, the receiver left out. Types speak of the function's generic parameters.
    pub params: Vec<ParamSig>,
    /// What it returns; [`Ty::Void`] when nothing.
    pub ret: Ty,
    /// The collections in the types.
    pub contents: Vec<Content>,
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
    let written = neuro_hir::signature(db, function);
    let mut findings = Vec::new();
    let mut contents = Vec::new();
    let mut impls = Vec::new();
    written.params.iter().for_each(|param| impl_bounds(&param.ty, &mut impls));
    let mut env = body_env(db, function).at(Site::Param);
    env.header(function_words(db, function), impls.len());
    let mut lower = |env: &Env<'db>, ty: &TypeRef, place: Place| {
        let Lowered { ty, problems, contents: held } = env.lower(ty);
        contents.extend(held);
        findings.extend(problems.into_iter().map(|problem| problem.finding(place, true)));
        ty
    };
    let params = written
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let ty = lower(&env, &param.ty, Place::ParamType(index));
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
        Some(ty) => lower(&env.at(Site::Result), ty, Place::ReturnType),
        None => Ty::Void,
    };
    let receiver = written.receiver.map(|receiver| {
        let own = env.self_ty().unwrap_or(Ty::Error);
        match receiver {
            Receiver::ByValue => own,
            Receiver::ByRef => own.reference(false),
            Receiver::ByMut => own.reference(true),
        }
    });
    let mut sig = FnSig { receiver, params, ret, contents, findings };
    if sig.ret.any(&mut |part| matches!(part, Ty::Fn(_))) {
        let finding = Finding::new(
            codes::MISMATCH,
            Place::ReturnType,
            format!(
                "a function value is not returned: it may hold what ends with `{}`",
                function.name(db)
            ),
        );
        sig.findings.push(
            finding.note("pass what is done with it instead: take a function as a parameter"),
        );
    }
    let starts = !function.is_member(db) && function.module(db).inline(db).is_empty();
    if function.name(db) == "main" && starts {
        let generic = !crate::generics(db, Item::Function(function)).params.is_empty();
        sig.findings.extend(check_main(&sig, generic));
    }
    sig
}

/// Whether a function is fenced from differentiation.
#[salsa::tracked(returns(copy))]
pub fn is_no_grad<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    neuro_hir::signature(db, function).attrs.iter().any(|attr| attr.name == "no_grad")
}

/// What names mean in the types of a function's body.
pub(crate) fn body_env<'db>(db: &'db dyn Db, function: Function<'db>) -> Env<'db> {
    let generics = crate::generics(db, Item::Function(function));
    Env::new(db, function.module(db), generics, Site::Body).with_self(self_of(db, function))
}

/// What tells a function apart from all others of the program.
pub(crate) fn function_words<'db>(db: &'db dyn Db, function: Function<'db>) -> Name {
    let file = function.file(db).path(db);
    let container = match function.container(db) {
        Container::Module(module) => module.inline(db).join("::"),
        Container::Impl(block) => block.name(db).to_string(),
        Container::Trait(item) => item.name(db).to_string(),
    };
    Name::from(format!("{file}::{container}::{}", function.name(db)))
}

fn check_main(sig: &FnSig, generic: bool) -> Option<Finding> {
    let form = "a program starts at `func main() -> i32`";
    if generic {
        let message = format!("`main` is not generic: {form}");
        return Some(Finding::new(codes::MAIN, Place::FunctionName, message));
    }
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
            .remedy(Remedy::Several(
                vec![
                    Remedy::InsertAfter(Place::Header, String::new(), " -> i32".to_owned()),
                    Remedy::InsertBefore(Place::ItemBrace, String::new(), "\n    0\n".to_owned()),
                ],
                "return the exit status".to_owned(),
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
