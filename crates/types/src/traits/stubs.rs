//! The text of the members that a block lacks.

use std::fmt::Write;

use neuro_db::{Db, Name};
use neuro_hir::{Container, Function, GenericParam, Impl, functions_of};

use super::conform::receiver_text;
use super::known;
use crate::{AssocTy, Extent, Fold, GenericArg, ImplHeader, TraitDef, Ty, fn_sig};

/// What a body does that nobody has written yet.
const BODY: &str = "{ panic(\"not written yet\") }";

/// The lines that give a block these types and methods. A type that no method of the block says is `i32`.
pub(super) fn text<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
    types: &[Name],
    methods: &[Name],
) -> String {
    let mut text = String::from("\n");
    for name in types {
        let ty = said(db, block, header, of_trait, name);
        let ty = ty.map_or_else(|| "i32".to_owned(), |ty| ty.to_string());
        let _ = writeln!(text, "    type {name} = {ty}");
    }
    match of_trait {
        TraitDef::Builtin(of_trait) => {
            for method in known::methods(*of_trait) {
                if !methods.iter().any(|name| *name == method.name) {
                    continue;
                }
                let receiver = receiver_text(method.receiver);
                let rhs = method.rhs.map(|rhs| format!(", rhs: {}", known_text(rhs, header)));
                let ret = match method.ret {
                    known::KnownTy::Nothing => String::new(),
                    ret => format!(" -> {}", known_text(ret, header)),
                };
                let (name, rhs) = (method.name, rhs.unwrap_or_default());
                let _ = writeln!(text, "    func {name}({receiver}{rhs}){ret} {BODY}");
            }
        }
        TraitDef::Item(def) => {
            let Some(item) = def.as_trait(db) else { return text };
            for function in functions_of(db, def.file(), Container::Trait(item)) {
                if methods.contains(&function.name(db)) {
                    text += &method(db, *function, header);
                }
            }
        }
    }
    text
}

fn known_text(ty: known::KnownTy, header: &ImplHeader) -> String {
    match ty {
        known::KnownTy::Output => "Self::Output".to_owned(),
        known::KnownTy::Own
        | known::KnownTy::OwnRef
        | known::KnownTy::Bool
        | known::KnownTy::U64
        | known::KnownTy::Nothing => ty.ty(&header.self_ty, &Ty::Error).to_string(),
    }
}

/// A method with the header of the trait, in terms of the block's type.
fn method<'db>(db: &'db dyn Db, function: Function<'db>, header: &ImplHeader) -> String {
    let written = neuro_hir::signature(db, function);
    let sig = fn_sig(db, function);
    let own = [GenericArg::Type(header.self_ty.clone())];
    let shown = |ty: &Ty| ty.apply(&own).fold(&mut Own(&header.self_ty)).to_string();
    let mut params: Vec<String> =
        written.receiver.iter().map(|receiver| receiver_text(*receiver).to_owned()).collect();
    for param in &sig.params {
        let label = match (param.label_required, param.positional_only) {
            (true, _) => format!("{} ", param.label),
            (false, true) => "_ ".to_owned(),
            (false, false) => String::new(),
        };
        params.push(format!("{label}{}: {}", param.name, shown(&param.ty)));
    }
    let ret = match &sig.ret {
        Ty::Void => String::new(),
        ty => format!(" -> {}", shown(ty)),
    };
    let generics: Vec<String> = written.generics.params.iter().map(generic_text).collect();
    let generics =
        if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
    let name = function.name(db);
    format!("    func {name}{generics}({}){ret} {BODY}\n", params.join(", "))
}

fn generic_text(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(name) => format!("'{}", name.trim_start_matches('\'')),
        GenericParam::Type { name, bounds } if bounds.is_empty() => name.to_string(),
        GenericParam::Type { name, bounds } => {
            let bounds: Vec<String> = bounds.iter().map(|bound| bound.path.to_string()).collect();
            format!("{name}: {}", bounds.join(" + "))
        }
        GenericParam::Const { name, ty } => match ty {
            neuro_hir::TypeRef::Path(path) => format!("const {name}: {path}"),
            _ => format!("const {name}: u32"),
        },
    }
}

/// Shows the associated types of the block's type as `Self::Name`.
struct Own<'a>(&'a Ty);

impl Fold for Own<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        let Ty::Assoc(assoc) = ty else { return None };
        if assoc.of != *self.0 {
            return None;
        }
        let of = Ty::Param(crate::Param { index: 0, name: Name::new_static("Self") });
        let AssocTy { of_trait, name, .. } = &**assoc;
        Some(Ty::Assoc(std::sync::Arc::new(AssocTy {
            of,
            of_trait: of_trait.clone(),
            name: name.clone(),
        })))
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        extent.clone()
    }
}

/// What the methods of a block say that an associated type is.
fn said<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
    name: &str,
) -> Option<Ty> {
    let given = functions_of(db, block.file(db), Container::Impl(block));
    match of_trait {
        TraitDef::Builtin(of_trait) => {
            let method = known::methods(*of_trait).first()?;
            let function = given.iter().find(|function| function.name(db) == method.name);
            Some(match function {
                Some(function) => fn_sig(db, *function).ret.clone(),
                None => header.self_ty.clone(),
            })
        }
        TraitDef::Item(def) => {
            let item = def.as_trait(db)?;
            let declared = functions_of(db, def.file(), Container::Trait(item));
            declared.iter().find_map(|declared| {
                let function = given.iter().find(|it| it.name(db) == declared.name(db))?;
                let (there, here) = (fn_sig(db, *declared), fn_sig(db, *function));
                let params = there.params.iter().zip(&here.params).map(|(a, b)| (&a.ty, &b.ty));
                let mut pairs = params.chain(std::iter::once((&there.ret, &here.ret)));
                pairs.find_map(|(there, here)| found_in(there, here, name))
            })
        }
    }
    .filter(|ty| !ty.any(&mut |part| matches!(part, Ty::Error)))
}

/// What stands in `here` where `there` has the associated type.
fn found_in(there: &Ty, here: &Ty, name: &str) -> Option<Ty> {
    match (there, here) {
        (Ty::Assoc(assoc), here) if assoc.name == name => Some(here.clone()),
        (Ty::Ref { inner: there, .. }, Ty::Ref { inner: here, .. })
        | (Ty::Array { elem: there, .. }, Ty::Array { elem: here, .. })
        | (Ty::Slice(there), Ty::Slice(here)) => found_in(there, here, name),
        (Ty::Tuple(there), Ty::Tuple(here)) => {
            there.iter().zip(here.iter()).find_map(|(there, here)| found_in(there, here, name))
        }
        (Ty::Adt { args: there, .. }, Ty::Adt { args: here, .. }) => {
            there.iter().zip(here.iter()).find_map(|pair| match pair {
                (GenericArg::Type(there), GenericArg::Type(here)) => found_in(there, here, name),
                (GenericArg::Const(_), _) | (_, GenericArg::Const(_)) => None,
            })
        }
        (Ty::Collection { args: there, .. }, Ty::Collection { args: here, .. }) => {
            there.iter().zip(here.iter()).find_map(|(there, here)| found_in(there, here, name))
        }
        _ => None,
    }
}
