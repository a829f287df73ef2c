//! Types as written to types.
//!
//! An [`Env`] says what names mean where a type is written: the module, the generic parameters, `Self`. Every
//! mistake in a type is told at its own word, and the type is [`Ty::Error`] then; nothing is told where a
//! syntax error stands, or where a constant has an error of its own.

mod args;
mod bound;
mod problem;
mod tensor;
mod wanted;

use std::cell::Cell;
use std::sync::Arc;

use neuro_db::{Db, Name, codes};
use neuro_hir::{
    BuiltinTrait, BuiltinType, Extent as Written, Item, LocalId, Module, Path, PathProblem,
    Resolution, TypeArg, TypeRef, resolve_path,
};
use neuro_num::DType;

pub(crate) use args::wrong_count;
pub(crate) use problem::{At, Problem};
pub(crate) use wanted::{Meant, Wanted};

use crate::generic_params::{GenericKind, Generics};
use crate::traits::object::{NotDyn, not_dyn};
use crate::{
    AssocTy, Bound, Collection, Content, Def, Extent, FnTy, GenericArg, OpaqueTy, Param, TraitDef,
    Ty,
};

/// Where a type is written: `void` is the type of a result only, and `impl Trait` stands in headers only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Site {
    /// A parameter of a function.
    Param,
    /// What a function returns.
    Result,
    /// The type of a constant or of a constant parameter.
    Constant,
    /// A field of a struct, the payload of a variant, what an alias or a newtype stands for.
    Item,
    /// Inside a body.
    Body,
}

/// What `Self` means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SelfTy {
    /// Nothing: outside of `impl` blocks and traits.
    None,
    /// In an `impl` block: the type, and the associated types that the block gives.
    Impl(Ty, Vec<(Name, Ty)>),
    /// In a trait: its parameter number 0.
    Trait(Def),
}

/// What names mean where a type is written.
pub(crate) struct Env<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) module: Module<'db>,
    generics: Arc<Generics>,
    self_ty: SelfTy,
    site: Site,
    /// The number of the parameter that the next `impl Trait` of a header stands for.
    next_impl: Cell<usize>,
    /// Of a function that returns `impl Trait`, what tells it apart.
    function: Option<Name>,
}

/// A type as written, lowered.
pub(crate) struct Lowered {
    /// The type; an error where something is wrong.
    pub(crate) ty: Ty,
    /// What is wrong.
    pub(crate) problems: Vec<Problem>,
    /// The collections in it, whose contents are still to be asked for.
    pub(crate) contents: Vec<Content>,
}

impl<'db> Env<'db> {
    pub(crate) fn new(
        db: &'db dyn Db,
        module: Module<'db>,
        generics: &Generics,
        site: Site,
    ) -> Self {
        Self {
            db,
            module,
            generics: Arc::new(generics.clone()),
            self_ty: SelfTy::None,
            site,
            next_impl: Cell::new(generics.params.len()),
            function: None,
        }
    }

    /// The same names where `Self` means something.
    pub(crate) fn with_self(mut self, self_ty: SelfTy) -> Self {
        self.self_ty = self_ty;
        self
    }

    /// The same names at another site.
    pub(crate) fn at(&self, site: Site) -> Env<'db> {
        Env {
            db: self.db,
            module: self.module,
            generics: Arc::clone(&self.generics),
            self_ty: self.self_ty.clone(),
            site,
            next_impl: Cell::new(self.next_impl.get()),
            function: self.function.clone(),
        }
    }

    /// Says that the parameters of a header follow, whose `impl Trait`s stand for the last parameters.
    pub(crate) fn header(&mut self, function: Name, impls: usize) {
        self.next_impl.set(self.generics.params.len().saturating_sub(impls));
        self.function = Some(function);
    }

    /// The names of what can be meant in a module, or in what `inside` is.
    pub(super) fn visible(&self, inside: Option<Resolution<'db>>) -> Vec<Name> {
        match inside {
            None => {
                let mut names = neuro_hir::visible_names(self.db, self.module);
                names.extend(BuiltinTrait::ALL.map(|it| Name::new_static(it.name())));
                names.extend(self.generics.params.iter().map(|param| param.name.clone()));
                names
            }
            Some(Resolution::Module(module)) => neuro_hir::exported_names(self.db, module),
            Some(Resolution::Item(Item::Enum(item))) => {
                let data = neuro_hir::enum_data(self.db, item);
                data.variants.iter().map(|variant| variant.name.clone()).collect()
            }
            Some(_) => Vec::new(),
        }
    }

    /// The generic parameters.
    pub(crate) fn generics(&self) -> &Generics {
        &self.generics
    }

    /// What `Self` means.
    pub(crate) fn self_ty(&self) -> Option<Ty> {
        match &self.self_ty {
            SelfTy::None => None,
            SelfTy::Impl(ty, _) => Some(ty.clone()),
            SelfTy::Trait(_) => Some(Ty::Param(Param { index: 0, name: Name::new_static("Self") })),
        }
    }

    /// The type that is written.
    pub(crate) fn lower(&self, ty: &TypeRef) -> Lowered {
        self.lower_with(ty, &mut |_| None)
    }

    /// The type that is written; `local` is the value of a constant of the body.
    pub(crate) fn lower_with(
        &self,
        ty: &TypeRef,
        local: &mut dyn FnMut(LocalId) -> Option<i128>,
    ) -> Lowered {
        let mut lowering =
            Lowering { env: self, problems: Vec::new(), contents: Vec::new(), local };
        let ty = match lowering.ty(ty) {
            Ty::Void if self.site != Site::Result => lowering.wrong(At::Whole, no_value()),
            ty => lowering.sized(ty),
        };
        Lowered { ty, problems: lowering.problems, contents: lowering.contents }
    }

    /// A generic argument that is written in a body.
    pub(crate) fn lower_arg(
        &self,
        arg: &TypeArg,
        kind: &GenericKind,
        name: &str,
        at: At,
        local: &mut dyn FnMut(LocalId) -> Option<i128>,
    ) -> (Option<GenericArg>, Vec<Problem>) {
        let mut lowering =
            Lowering { env: self, problems: Vec::new(), contents: Vec::new(), local };
        let arg = lowering.arg(arg, kind, name, at);
        (arg, lowering.problems)
    }

    /// A bound that is written; none if it names no trait.
    pub(crate) fn lower_bound(&self, bound: &neuro_hir::Bound) -> (Option<Bound>, Vec<Problem>) {
        let mut lowering = Lowering {
            env: self,
            problems: Vec::new(),
            contents: Vec::new(),
            local: &mut |_| None,
        };
        let bound = lowering.bound(bound);
        (bound, lowering.problems)
    }

    /// A trait that is named as in `impl Trait for T`.
    pub(crate) fn lower_trait(&self, path: &Path) -> (Option<TraitDef>, Vec<Problem>) {
        let mut lowering = Lowering {
            env: self,
            problems: Vec::new(),
            contents: Vec::new(),
            local: &mut |_| None,
        };
        let found = lowering.of_trait(path);
        (found, lowering.problems)
    }
}

/// A type that is being lowered.
struct Lowering<'a, 'db> {
    env: &'a Env<'db>,
    problems: Vec<Problem>,
    contents: Vec<Content>,
    local: &'a mut dyn FnMut(LocalId) -> Option<i128>,
}

impl<'db> Lowering<'_, 'db> {
    /// Tells what is wrong, and gives the type that absorbs what follows.
    fn wrong(&mut self, at: At, problem: Problem) -> Ty {
        self.problems.push(problem.at(at));
        Ty::Error
    }

    fn ty(&mut self, ty: &TypeRef) -> Ty {
        match ty {
            TypeRef::Error => Ty::Error,
            TypeRef::Path(path) => self.path(path),
            TypeRef::SelfType => match self.env.self_ty() {
                Some(ty) => ty,
                None => self.wrong(At::Whole, no_self()),
            },
            TypeRef::SelfAssoc(path) => self.self_assoc(path),
            TypeRef::Ref { mutable, inner } => match self.ty(inner) {
                Ty::Void => self.wrong(At::Whole, no_value()),
                inner => inner.reference(*mutable),
            },
            TypeRef::Slice(elem) => Ty::Slice(Arc::new(self.part(elem))),
            TypeRef::Array { elem, len } => {
                let elem = self.part(elem);
                match self.extent(len, At::Whole) {
                    Some(Extent::Dynamic) => {
                        let problem =
                            Problem::new(codes::SHAPE, "the length of an array is a number");
                        self.wrong(At::Whole, problem)
                    }
                    Some(len) => Ty::Array { elem: Arc::new(elem), len },
                    None => Ty::Error,
                }
            }
            TypeRef::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.part(part)).collect()),
            TypeRef::Fn { params, ret } => {
                let params = params.iter().map(|param| self.part(param)).collect();
                Ty::Fn(Arc::new(FnTy { params, ret: self.ty(ret) }))
            }
            TypeRef::Dyn(written) => match self.bound(written) {
                Some(bound) => match not_dyn(self.env.db, &bound.of_trait) {
                    None => Ty::Dyn(Arc::new(bound)),
                    Some(NotDyn { reason, place }) => {
                        let name = bound.of_trait.name();
                        let message = format!("`{name}` cannot be `dyn`: {reason}");
                        let problem = Problem::new(codes::NOT_DYN, message);
                        let problem = match place {
                            Some((owner, place)) => problem.blames(owner, place, "it is here"),
                            None => problem,
                        };
                        self.wrong(At::of_bound(written), problem)
                    }
                },
                None => Ty::Error,
            },
            TypeRef::Impl(bound) => self.impl_trait(bound),
        }
    }

    /// A type inside another: it has values, and their size is known.
    fn part(&mut self, ty: &TypeRef) -> Ty {
        match self.ty(ty) {
            Ty::Void => self.wrong(At::of(ty), no_value()),
            ty => self.sized(ty),
        }
    }

    /// Refuses a type whose values have no known size.
    fn sized(&mut self, ty: Ty) -> Ty {
        match ty {
            Ty::Slice(_) | Ty::Dyn(_) if ty.is_wrong() => Ty::Error,
            Ty::Slice(_) | Ty::Dyn(_) => {
                let problem = Problem::new(
                    codes::MISMATCH,
                    format!(
                        "`{ty}` stands behind `&` or `&mut` only: how large its values are is not known"
                    ),
                );
                self.wrong(At::Whole, problem)
            }
            ty => ty,
        }
    }

    fn path(&mut self, path: &Path) -> Ty {
        if path.is_broken() {
            return Ty::Error;
        }
        if let Some(first) = path.first()
            && let Some((param, found)) = self.env.generics.find(&first.name)
        {
            return match &found.kind {
                GenericKind::Type { .. } => self.of_param(path, &param),
                GenericKind::Const { ty } => {
                    let message =
                        format!("`{}` is a constant of type `{ty}`, not a type", param.name);
                    self.wrong(At::Segment(path.id, 0), Problem::new(codes::MISMATCH, message))
                }
            };
        }
        match resolve_path(self.env.db, self.env.module, path) {
            Ok(resolution) => self.resolved(path, resolution),
            Err(PathProblem::Member { base, segment }) => self.member(path, base, segment),
            Err(reason) => {
                self.problems.extend(self.env.unknown(path, &reason, Wanted::Type));
                Ty::Error
            }
        }
    }

    /// `T` or `T::Item` of a type parameter.
    fn of_param(&mut self, path: &Path, param: &Param) -> Ty {
        if path.first().is_some_and(|first| first.args.is_some()) {
            let message = format!("the type parameter `{}` takes no arguments", param.name);
            return self
                .wrong(At::Args(path.id, 0), Problem::new(codes::GENERIC_ARGUMENTS, message));
        }
        match path.segments.as_slice() {
            [_] => Ty::Param(param.clone()),
            [_, assoc] => self.assoc_of(Ty::Param(param.clone()), path, 1, &assoc.name),
            _ => {
                let message = format!("`{path}` leads to no type");
                self.wrong(At::Path(path.id), Problem::new(codes::UNDECLARED, message))
            }
        }
    }

    fn resolved(&mut self, path: &Path, resolution: Resolution<'db>) -> Ty {
        let db = self.env.db;
        let last = path.segments.len().saturating_sub(1);
        match resolution {
            Resolution::Type(known) => self.builtin(path, last, known),
            Resolution::Item(Item::Struct(item)) => {
                self.applied(path, last, Def::of_struct(db, item), Item::Struct(item))
            }
            Resolution::Item(Item::Enum(item)) => {
                self.applied(path, last, Def::of_enum(db, item), Item::Enum(item))
            }
            Resolution::Item(Item::Newtype(item)) => {
                self.applied(path, last, Def::of_newtype(db, item), Item::Newtype(item))
            }
            Resolution::Item(Item::Alias(alias)) => {
                self.no_args(path, last, "type alias");
                crate::items::alias_type(db, alias).ty.clone()
            }
            Resolution::Item(Item::Trait(_)) | Resolution::Trait(_) => {
                let problem =
                    Problem::new(codes::MISMATCH, format!("`{path}` is a trait, not a type"));
                let problem = problem.note(format!(
                    "a value of some type that has it is `impl {path}`, a reference to any such value `&dyn {path}`"
                ));
                self.wrong(At::Path(path.id), problem)
            }
            Resolution::Item(item @ (Item::Function(_) | Item::Const(_) | Item::Impl(_))) => {
                self.no_type(path, item.kind())
            }
            Resolution::Variant(item, _) => {
                let name = item.name(db);
                let problem = Problem::new(
                    codes::MISMATCH,
                    format!("`{path}` is a variant, not a type; its type is `{name}`"),
                );
                self.wrong(At::Path(path.id), problem)
            }
            Resolution::Module(_) => self.no_type(path, "a module"),
            Resolution::Function(_) => self.no_type(path, "a function"),
            // The import is reported, and parameters are found before.
            Resolution::Unknown | Resolution::Generic(..) => Ty::Error,
        }
    }

    fn no_type(&mut self, path: &Path, what: &str) -> Ty {
        let problem = Problem::new(codes::UNDECLARED, format!("`{path}` is {what}, not a type"));
        self.wrong(At::Path(path.id), problem)
    }

    fn builtin(&mut self, path: &Path, last: usize, known: BuiltinType) -> Ty {
        let collection = |lowering: &mut Self, kind: Collection| {
            let args = lowering.type_args(path, last, kind.name(), kind.params());
            let Some(args) = args else { return Ty::Error };
            lowering.contents.push(Content::new(kind, &args, path.id, last));
            Ty::Collection { kind, args: args.into() }
        };
        match known {
            BuiltinType::Scalar(name) => {
                self.no_args(path, last, "type");
                match (DType::from_name(name), name) {
                    (Some(dtype), _) => Ty::Scalar(dtype),
                    (None, "char") => Ty::Char,
                    (None, "void") => Ty::Void,
                    (None, other) => {
                        let what = format!("the type `{other}`");
                        self.wrong(At::Path(path.id), Problem::unsupported(what))
                    }
                }
            }
            BuiltinType::Text => {
                self.no_args(path, last, "type");
                Ty::Text
            }
            BuiltinType::Vec => collection(self, Collection::Vec),
            BuiltinType::HashMap => collection(self, Collection::HashMap),
            BuiltinType::BTreeMap => collection(self, Collection::BTreeMap),
            BuiltinType::StringBuilder => collection(self, Collection::StringBuilder),
            BuiltinType::Chars => collection(self, Collection::Chars),
            BuiltinType::Tensor => self.tensor(path, last),
            BuiltinType::SparseTensor => self.sparse(path, last),
        }
    }

    /// `a::b::C::Rest` where `C` is a type: an associated type.
    fn member(&mut self, path: &Path, base: Resolution<'db>, segment: usize) -> Ty {
        let (before, rest) = path.segments.split_at(segment.min(path.segments.len()));
        let before = Path { id: path.id, segments: before.to_vec() };
        let ty = self.resolved(&before, base);
        match (ty, rest) {
            (Ty::Error, _) => Ty::Error,
            (ty, [assoc]) => self.assoc_of(ty, path, segment, &assoc.name),
            _ => {
                let message = format!("`{path}` leads to no type");
                self.wrong(At::Path(path.id), Problem::new(codes::UNDECLARED, message))
            }
        }
    }

    /// `Self::Item`.
    fn self_assoc(&mut self, path: &Path) -> Ty {
        let Some(assoc) = path.segments.get(1).filter(|_| !path.is_broken()) else {
            return Ty::Error;
        };
        match &self.env.self_ty {
            SelfTy::None => self.wrong(At::Segment(path.id, 0), no_self()),
            SelfTy::Impl(_, given) => match given.iter().find(|(name, _)| *name == assoc.name) {
                Some((_, ty)) => ty.clone(),
                None => self.no_assoc("this `impl` block", path, 1, &assoc.name),
            },
            SelfTy::Trait(_) => match self.env.self_ty() {
                Some(ty) => self.assoc_of(ty, path, 1, &assoc.name),
                None => Ty::Error,
            },
        }
    }

    /// The associated type of a type.
    fn assoc_of(&mut self, of: Ty, path: &Path, segment: usize, name: &Name) -> Ty {
        let bounds = match &of {
            Ty::Param(param) => self.env.generics.bounds(param).to_vec(),
            _ => return self.no_assoc(&format!("`{of}`"), path, segment, name),
        };
        for bound in &bounds {
            if let Some((_, ty)) = bound.assoc.iter().find(|(found, _)| found == name) {
                return ty.clone();
            }
            if crate::items::has_assoc_type(self.env.db, &bound.of_trait, name) {
                let of_trait = bound.of_trait.clone();
                return Ty::Assoc(Arc::new(AssocTy { of, of_trait, name: name.clone() }));
            }
        }
        self.no_assoc(&format!("`{of}`"), path, segment, name)
    }

    fn no_assoc(&mut self, of: &str, path: &Path, segment: usize, name: &Name) -> Ty {
        let message = format!("{of} has no associated type `{name}`");
        self.wrong(At::Segment(path.id, segment), Problem::new(codes::MEMBER, message))
    }

    /// `impl Trait`: of a parameter a type that the caller chooses, of a result one that the body chooses.
    fn impl_trait(&mut self, written: &neuro_hir::Bound) -> Ty {
        match self.env.site {
            Site::Param => {
                let index = self.env.next_impl.get();
                self.env.next_impl.set(index + 1);
                Ty::Param(Param { index: index as u32, name: Name::new_static("impl Trait") })
            }
            Site::Result => {
                let Some(bound) = self.bound(written) else { return Ty::Error };
                Ty::Opaque(Arc::new(OpaqueTy {
                    function: self.env.function.clone().unwrap_or_default(),
                    file: Some(self.env.module.file(self.env.db)),
                    args: self.env.generics.own_args().into(),
                    bounds: vec![bound],
                }))
            }
            Site::Constant | Site::Item | Site::Body => {
                let problem = Problem::new(
                    codes::MISMATCH,
                    "`impl Trait` stands in the parameters and the result of a function only",
                );
                self.wrong(At::of_bound(written), problem)
            }
        }
    }

    /// A length or extent as written; none where it is wrong or wrong elsewhere.
    fn extent(&mut self, written: &Written, at: At) -> Option<Extent> {
        match written {
            Written::Known(extent) => Some(Extent::Known(*extent)),
            Written::Name(path) => self.named_extent(path, at),
            Written::Local(local) => match (self.local)(*local) {
                Some(value) => self.number(value, "this constant", at),
                // Its value is wrong, which is told where it is.
                None => None,
            },
            Written::Dynamic => Some(Extent::Dynamic),
            Written::Error => None,
        }
    }
}

fn no_value() -> Problem {
    Problem::new(
        codes::MISMATCH,
        "`void` is what a function without a value returns; nothing has this type",
    )
}

fn no_self() -> Problem {
    Problem::new(codes::UNDECLARED, "`Self` exists in `impl` blocks and traits only")
}

/// What something is, in a message.
pub(crate) fn kind(resolution: Resolution<'_>) -> &'static str {
    match resolution {
        Resolution::Item(item) => item.kind(),
        Resolution::Variant(..) => "a variant",
        Resolution::Module(_) => "a module",
        Resolution::Type(_) => "a type",
        Resolution::Trait(_) => "a trait",
        Resolution::Function(_) => "a function",
        Resolution::Generic(..) => "a generic parameter",
        Resolution::Unknown => "unknown",
    }
}
