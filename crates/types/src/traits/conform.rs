//! A method of a block against the declaration in its trait: what differs is told at the word that differs.

use std::sync::Arc;

use neuro_db::{Db, Name, codes};
use neuro_hir::{Container, Function, Impl, Item, Receiver, functions_of, similar};

use super::known::{self, KnownMethod};
use crate::generic_params::GenericKind;
use crate::{
    Bound, Def, Extent, Finding, Fold, GenericArg, ImplHeader, OpaqueTy, Owner, Param, ParamSig,
    Place, Remedy, TraitDef, Ty, fn_sig, generics, impl_header,
};

/// What a trait declares a method as, where the block stands.
struct Declared {
    receiver: Option<Receiver>,
    params: Vec<DeclaredParam>,
    ret: Ty,
    /// The bounds of each generic parameter of the method itself; none of a constant one.
    generics: Vec<Option<Vec<Bound>>>,
    /// The declaration; none of a trait of the language.
    owner: Option<Owner>,
}

struct DeclaredParam {
    ty: Ty,
    /// The label that must be written; empty where none may be.
    label: Option<Name>,
}

/// What is wrong with a function as a method of its block's trait, and with another of its name in the blocks of
/// its type.
pub(crate) fn conformance<'db>(db: &'db dyn Db, function: Function<'db>) -> &'db [Finding] {
    match function.container(db) {
        Container::Impl(_) => of_method(db, function),
        Container::Module(_) | Container::Trait(_) => &[],
    }
}

#[salsa::tracked(returns(deref))]
fn of_method<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Finding> {
    let Container::Impl(block) = function.container(db) else { return Vec::new() };
    let header = impl_header(db, block);
    let Some(of_trait) = &header.of_trait else {
        let written = neuro_hir::impl_data(db, block).trait_ref.is_some();
        return if written { Vec::new() } else { super::block::repeated(db, block, function) };
    };
    let name = function.name(db);
    match declaration(db, block, header, of_trait, &name, function) {
        Some(declared) => differences(db, function, of_trait, &name, &declared),
        None if name.is_empty() => Vec::new(),
        None => vec![extra(db, block, header, of_trait, &name)],
    }
}

/// A function that the trait does not have.
fn extra<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
    name: &Name,
) -> Finding {
    let shown = of_trait.name();
    let finding = Finding::new(
        codes::IMPL_MEMBERS,
        Place::FunctionName,
        format!("`{name}` is no method of `{shown}`"),
    );
    let missing = super::block::missing_methods(db, block, of_trait);
    match similar(name, missing.iter().map(Name::as_str)) {
        Some(meant) => finding.note(format!("did you mean `{meant}`?")).remedy(Remedy::Replace(
            Place::FunctionName,
            format!("change to `{meant}`"),
            meant.to_owned(),
        )),
        None => finding.note(format!(
            "methods of `{}` alone stand in a block without a trait: `impl {}`",
            header.self_ty, header.self_ty
        )),
    }
}

/// What the trait of a block declares of a method.
fn declaration<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    of_trait: &TraitDef,
    name: &Name,
    function: Function<'db>,
) -> Option<Declared> {
    match of_trait {
        TraitDef::Builtin(of_trait) => {
            let method = known::methods(*of_trait).iter().find(|method| *name == method.name)?;
            Some(of_known(header, method))
        }
        TraitDef::Item(def) => {
            let item = def.as_trait(db)?;
            let functions = functions_of(db, def.file(), Container::Trait(item));
            let declared = functions.iter().find(|found| found.name(db) == *name)?;
            Some(of_item(db, block, header, def, *declared, function))
        }
    }
}

fn of_known(header: &ImplHeader, method: &KnownMethod) -> Declared {
    let output = header.assoc.iter().find(|(name, _)| name == "Output");
    let output = output.map_or(Ty::Error, |(_, ty)| ty.clone());
    let own = &header.self_ty;
    let params = method.rhs.map(|rhs| DeclaredParam { ty: rhs.ty(own, &output), label: None });
    Declared {
        receiver: Some(method.receiver),
        params: params.into_iter().collect(),
        ret: method.ret.ty(own, &output),
        generics: Vec::new(),
        owner: None,
    }
}

/// The declaration in terms of the block: its type for `Self`, its associated types, and the generic
/// parameters of its method for those of the declaration.
fn of_item<'db>(
    db: &'db dyn Db,
    block: Impl<'db>,
    header: &ImplHeader,
    def: &Def,
    declared: Function<'db>,
    function: Function<'db>,
) -> Declared {
    let sig = fn_sig(db, declared);
    let own = generics(db, Item::Function(declared));
    let outer = generics(db, Item::Impl(block)).params.len();
    let given = generics(db, Item::Function(function));
    let mut args = vec![GenericArg::Type(header.self_ty.clone())];
    for (index, param) in own.params.iter().enumerate().skip(own.outer) {
        let number = outer + index - own.outer;
        let name =
            given.params.get(number).map_or_else(|| param.name.clone(), |it| it.name.clone());
        let named = Param { index: number as u32, name };
        args.push(match param.kind {
            GenericKind::Type { .. } => GenericArg::Type(Ty::Param(named)),
            GenericKind::Const { .. } => GenericArg::Const(Extent::Param(named)),
        });
    }
    let of_block = |ty: &Ty| ty.apply(&args).fold(&mut Given { header, def });
    let params = sig.params.iter().map(|param| DeclaredParam {
        ty: of_block(&param.ty),
        label: match (param.label_required, param.positional_only) {
            (true, _) => Some(param.label.clone()),
            (false, true) => Some(Name::default()),
            (false, false) => None,
        },
    });
    let bounds = own.params.iter().skip(own.outer).map(|param| match &param.kind {
        GenericKind::Type { bounds } => {
            Some(bounds.iter().map(|bound| bound.apply(&args)).collect())
        }
        GenericKind::Const { .. } => None,
    });
    Declared {
        receiver: neuro_hir::signature(db, declared).receiver,
        params: params.collect(),
        ret: of_block(&sig.ret),
        generics: bounds.collect(),
        owner: Some(Owner::Method(def.clone(), declared.name(db))),
    }
}

/// Replaces the associated types of the block's type by what the block gives.
struct Given<'a> {
    header: &'a ImplHeader,
    def: &'a Def,
}

impl Fold for Given<'_> {
    fn ty(&mut self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Assoc(assoc) if assoc.of == self.header.self_ty => {
                let of_trait = matches!(&assoc.of_trait, TraitDef::Item(def) if def == self.def);
                let given = self.header.assoc.iter().find(|(name, _)| *name == assoc.name);
                // One that the block does not give is reported there.
                of_trait.then(|| given.map_or(Ty::Error, |(_, ty)| ty.clone()))
            }
            _ => None,
        }
    }

    fn extent(&mut self, extent: &Extent) -> Extent {
        extent.clone()
    }
}

/// Whether two types are the same, hidden ones being so if the same is known of them.
fn agree(a: &Ty, b: &Ty) -> bool {
    struct Bare;
    impl Fold for Bare {
        fn ty(&mut self, ty: &Ty) -> Option<Ty> {
            let Ty::Opaque(opaque) = ty else { return None };
            Some(Ty::Opaque(Arc::new(OpaqueTy {
                function: Name::default(),
                file: None,
                args: Arc::new([]),
                bounds: opaque.bounds.clone(),
            })))
        }
        fn extent(&mut self, extent: &Extent) -> Extent {
            extent.clone()
        }
    }
    a.is_wrong() || b.is_wrong() || a.fold(&mut Bare) == b.fold(&mut Bare)
}

/// What is found different, each at its word, with the word of the declaration.
struct Differences<'a> {
    of_trait: &'a str,
    name: &'a Name,
    declared: &'a Declared,
    found: Vec<Finding>,
}

fn differences<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    of_trait: &TraitDef,
    name: &Name,
    declared: &Declared,
) -> Vec<Finding> {
    let of_trait = of_trait.name();
    let sig = fn_sig(db, function);
    let mut differences = Differences { of_trait, name, declared, found: Vec::new() };
    differences.receiver(neuro_hir::signature(db, function).receiver);
    let (wanted, given) = (declared.params.len(), sig.params.len());
    if wanted != given {
        let what = if wanted == 1 { "parameter" } else { "parameters" };
        let message = format!("`{name}` of `{of_trait}` has {wanted} {what}, and this has {given}");
        differences.report(Place::FunctionName, Place::FunctionName, message, None);
        return differences.found;
    }
    for (index, (param, wanted)) in sig.params.iter().zip(&declared.params).enumerate() {
        differences.param(index, param, wanted);
    }
    let written = neuro_hir::signature(db, function).ret.is_some();
    differences.result(&sig.ret, written);
    if let Some((place, message)) = generics_differ(db, function, of_trait, name, declared) {
        differences.report(place, Place::FunctionName, message, None);
    }
    differences.found
}

impl Differences<'_> {
    /// Reports a difference at a place; `there` is the place of the declaration, `fix` what to write instead.
    fn report(&mut self, place: Place, there: Place, message: String, fix: Option<String>) {
        let finding = Finding::new(codes::IMPL_SIGNATURE, place, message);
        let finding = match &self.declared.owner {
            Some(owner) => finding.elsewhere(owner.clone(), there, "it is declared here"),
            None => finding,
        };
        self.found.push(match fix {
            Some(text) => {
                finding.remedy(Remedy::Replace(place, format!("change to `{text}`"), text))
            }
            None => finding,
        });
    }

    fn receiver(&mut self, receiver: Option<Receiver>) {
        let declared = self.declared.receiver;
        if receiver == declared {
            return;
        }
        let (name, of_trait) = (self.name, self.of_trait);
        let (wanted, given) = (receiver_words(declared), receiver_words(receiver));
        let message = format!("`{name}` of `{of_trait}` takes {wanted}, and this takes {given}");
        let fix = |wanted: Receiver| Some(receiver_text(wanted).to_owned());
        match (receiver, declared) {
            (Some(_), Some(wanted)) => {
                self.report(Place::Receiver, Place::Receiver, message, fix(wanted));
            }
            (Some(_), None) => self.report(Place::Receiver, Place::FunctionName, message, None),
            (None, _) => self.report(Place::FunctionName, Place::Receiver, message, None),
        }
    }

    fn param(&mut self, index: usize, param: &ParamSig, wanted: &DeclaredParam) {
        let (name, of_trait) = (self.name, self.of_trait);
        if !agree(&param.ty, &wanted.ty) {
            let (ty, own) = (&wanted.ty, &param.ty);
            let message =
                format!("`{name}` of `{of_trait}` takes `{ty}` here, and this takes `{own}`");
            let place = Place::ParamType(index);
            self.report(place, place, message, Some(ty.to_string()));
        }
        let label = match (param.label_required, param.positional_only) {
            (true, _) => Some(&param.label),
            (false, true) => Some(&EMPTY),
            (false, false) => None,
        };
        if label == wanted.label.as_ref() {
            return;
        }
        let words = |label: Option<&Name>| match label {
            Some(label) if label.is_empty() => "without a label".to_owned(),
            Some(label) => format!("with the label `{label}:`"),
            None => "with its name or without a label".to_owned(),
        };
        let (wanted, given) = (words(wanted.label.as_ref()), words(label));
        let message =
            format!("`{name}` of `{of_trait}` takes this {wanted}, and here it is given {given}");
        self.report(Place::ParamName(index), Place::ParamName(index), message, None);
    }

    fn result(&mut self, ret: &Ty, written: bool) {
        let declared = &self.declared.ret;
        if agree(ret, declared) {
            return;
        }
        let (name, of_trait) = (self.name, self.of_trait);
        let (wanted, given) = (result_words(declared), result_words(ret));
        let fix = (written && *declared != Ty::Void).then(|| declared.to_string());
        let message =
            format!("`{name}` of `{of_trait}` returns {wanted}, and this returns {given}");
        self.report(Place::ReturnType, Place::ReturnType, message, fix);
    }
}

static EMPTY: Name = Name::new_static("");

/// How the generic parameters of a method differ from those that the trait declares, and where.
fn generics_differ<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    of_trait: &str,
    name: &Name,
    declared: &Declared,
) -> Option<(Place, String)> {
    let own = generics(db, Item::Function(function));
    let given = own.params.get(own.outer..).unwrap_or_default();
    let same = given.len() == declared.generics.len()
        && given.iter().zip(&declared.generics).all(|(param, wanted)| match param.kind {
            GenericKind::Type { .. } => wanted.is_some(),
            GenericKind::Const { .. } => wanted.is_none(),
        });
    if !same {
        let message = format!(
            "`{name}` of `{of_trait}` has {} generic parameters, and this has {}",
            declared.generics.len(),
            given.len()
        );
        return Some((Place::FunctionName, message));
    }
    given.iter().zip(&declared.generics).find_map(|(param, wanted)| {
        let (GenericKind::Type { bounds }, Some(wanted)) = (&param.kind, wanted) else {
            return None;
        };
        let more = bounds.iter().find(|bound| {
            !wanted.iter().any(|wanted| {
                wanted.of_trait == bound.of_trait
                    && bound.assoc.iter().all(|pinned| wanted.assoc.contains(pinned))
            })
        })?;
        let message = format!(
            "`{name}` of `{of_trait}` does not ask `{more}` of `{}`, and this does",
            param.name
        );
        Some((Place::FunctionName, message))
    })
}

fn result_words(ty: &Ty) -> String {
    if *ty == Ty::Void { "nothing".to_owned() } else { format!("`{ty}`") }
}

pub(super) fn receiver_text(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::ByRef => "&self",
        Receiver::ByMut => "&mut self",
        Receiver::ByValue => "self",
    }
}

fn receiver_words(receiver: Option<Receiver>) -> String {
    receiver.map_or_else(|| "no receiver".to_owned(), |it| format!("`{}`", receiver_text(it)))
}
