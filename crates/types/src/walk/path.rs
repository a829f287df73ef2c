//! What a path in an expression stands for.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{
    BuiltinType, Const, Container, Enum, Expr, ExprId, Function, Item, Newtype, Path, PathProblem,
    Resolution, Trait, functions_of, resolve_path,
};

use super::Context;
use crate::generic_params::GenericKind;
use crate::lower::{Meant, Problem, Wanted};
use crate::unclear::Missed;
use crate::{
    Callee, Collection, Def, Finding, FnTy, GenericArg, Param, PathPart, Payload, Place, Remedy,
    TraitDef, Ty, enum_variants, fn_sig, newtype_inner,
};

/// What a path in an expression stands for.
pub(super) enum Value<'db> {
    /// Nothing; that is reported.
    Wrong,
    /// A constant of a module.
    Const(Const<'db>),
    /// A constant parameter of the item around.
    ConstParam(Param, Ty),
    /// A function, method or associated function, and what it is applied to.
    Function(Function<'db>, Vec<GenericArg>),
    /// A variant, and what its enum is applied to.
    Variant(Enum<'db>, usize, Vec<GenericArg>),
    /// A newtype as the function that makes it.
    Newtype(Newtype<'db>),
    /// `Tensor::name`, and the tensor type if it is written.
    Tensor(Name, Option<Ty>),
    /// `Vec::name` and its like, and the collection's type with fresh arguments where none are written.
    Collection(Collection, Name, Ty),
}

impl<'db> Context<'db> {
    /// The type of a path as a value.
    pub(super) fn infer_path(&mut self, expr: ExprId, path: &Path, hint: Option<&Ty>) -> Ty {
        match self.path_value(expr, path, hint) {
            Value::Wrong => Ty::Error,
            Value::Const(constant) => {
                self.callees.insert(expr, Callee::Const(constant));
                self.consts.push((expr, constant));
                crate::const_value(self.db, constant).ty.clone()
            }
            Value::ConstParam(param, ty) => {
                self.callees.insert(expr, Callee::ConstParam(param.index));
                ty
            }
            Value::Function(function, args) => self.function_value(expr, function, args),
            Value::Variant(item, index, args) => self.variant_value(expr, item, index, args, hint),
            Value::Newtype(item) => {
                self.callees.insert(expr, Callee::Newtype(item));
                let ret = Ty::Adt { def: Def::of_newtype(self.db, item), args: Arc::new([]) };
                let params = vec![newtype_inner(self.db, item).ty.clone()];
                Ty::Fn(Arc::new(FnTy { params, ret }))
            }
            Value::Tensor(name, _) => self.not_a_value(expr, &format!("Tensor::{name}")),
            Value::Collection(kind, name, _) => {
                self.not_a_value(expr, &format!("{}::{name}", kind.name()))
            }
        }
    }

    fn not_a_value(&mut self, expr: ExprId, what: &str) -> Ty {
        self.refuse(
            Finding::new(
                codes::MISMATCH,
                Place::Expr(expr),
                format!("`{what}` is a function of the language, and these are no values"),
            )
            .note(format!("to call it, write `{what}(..)`")),
        )
    }

    /// A function as a value: one without generic parameters, or whose parameters are all given.
    fn function_value(
        &mut self,
        expr: ExprId,
        function: Function<'db>,
        args: Vec<GenericArg>,
    ) -> Ty {
        let sig = fn_sig(self.db, function);
        self.callees.insert(expr, Callee::Function(function));
        let types = sig.receiver.iter().chain(sig.params.iter().map(|param| &param.ty));
        let params = types.map(|ty| self.instance(ty, &args)).collect();
        let ret = self.instance(&sig.ret, &args);
        let ty = Ty::Fn(Arc::new(FnTy { params, ret }));
        self.note_args(expr, Item::Function(function), args, Place::Expr(expr));
        ty
    }

    /// A variant without a payload, or the function that makes one with a payload.
    fn variant_value(
        &mut self,
        expr: ExprId,
        item: Enum<'db>,
        index: usize,
        args: Vec<GenericArg>,
        hint: Option<&Ty>,
    ) -> Ty {
        self.callees.insert(expr, Callee::Variant(item, index));
        let enum_ty = Ty::Adt { def: Def::of_enum(self.db, item), args: args.clone().into() };
        if let Some(hint) = hint {
            self.table.unify(&enum_ty, hint);
        }
        let Some(variant) = enum_variants(self.db, item).variants.get(index) else {
            return Ty::Error;
        };
        let ty = match &variant.payload {
            Payload::Unit => enum_ty,
            Payload::Tuple(types) => {
                let params = types.iter().map(|ty| ty.apply(&args)).collect();
                Ty::Fn(Arc::new(FnTy { params, ret: enum_ty }))
            }
            Payload::Fields(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|field| format!("{}: ..", field.name)).collect();
                let (name, form) = (&variant.name, fields.join(", "));
                return self.refuse(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(expr),
                    format!("`{name}` is made with its fields: `{name} {{ {form} }}`"),
                ));
            }
        };
        self.note_args(expr, Item::Enum(item), args, Place::Expr(expr));
        ty
    }

    /// Whether a path names a constant, or nothing, which is reported.
    pub(super) fn is_const_path(&self, path: &Path) -> bool {
        match resolve_path(self.db, self.module, path) {
            Ok(Resolution::Item(Item::Const(_)) | Resolution::Unknown) => true,
            Ok(_) | Err(PathProblem::Member { .. }) => false,
            Err(_) => true,
        }
    }

    /// What a path stands for; what is wrong is reported.
    pub(super) fn path_value(
        &mut self,
        expr: ExprId,
        path: &Path,
        hint: Option<&Ty>,
    ) -> Value<'db> {
        if path.is_broken() {
            return Value::Wrong;
        }
        if let Some(found) = self.generic_path(expr, path) {
            return found;
        }
        match resolve_path(self.db, self.module, path) {
            Ok(resolution) => self.path_item(expr, path, resolution),
            Err(PathProblem::Member { base, segment }) => {
                self.path_member(expr, path, base, segment, hint)
            }
            Err(PathProblem::Unknown { segment: 0, inside: None }) if path.segments.len() == 1 => {
                self.undeclared(expr, path.last_name());
                Value::Wrong
            }
            Err(reason) => {
                let problem = self.env.unknown(path, &reason, Wanted::Value);
                // What is expected is wrong already, and this is likely the same name.
                let problem = problem.filter(|_| hint != Some(&Ty::Error));
                self.problem(expr, problem);
                Value::Wrong
            }
        }
    }

    fn problem(&mut self, expr: ExprId, problem: Option<Problem>) {
        let finding = problem.map(|problem| problem.finding(Place::Expr(expr), false));
        self.findings.extend(finding);
    }

    /// A path that begins with a generic parameter or `Self`.
    fn generic_path(&mut self, expr: ExprId, path: &Path) -> Option<Value<'db>> {
        let first = path.first()?;
        if first.name == "Self" {
            let Some(ty) = self.env.self_ty() else {
                self.report(Finding::new(
                    codes::UNDECLARED,
                    Place::BodyPath(path.id, PathPart::Segment(0)),
                    "`Self` exists in `impl` blocks and traits only",
                ));
                return Some(Value::Wrong);
            };
            return Some(self.type_member(expr, path, 1, &ty));
        }
        let (param, found) = self.env.generics().find(&first.name)?;
        match (&found.kind, path.segments.len()) {
            (GenericKind::Const { ty }, 1) => {
                let ty = ty.clone();
                Some(Value::ConstParam(param, ty))
            }
            (GenericKind::Type { .. }, count) if count > 1 => {
                Some(self.type_member(expr, path, 1, &Ty::Param(param)))
            }
            (GenericKind::Type { .. } | GenericKind::Const { .. }, _) => {
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(expr),
                    format!("`{}` is a generic parameter, not a value", first.name),
                ));
                Some(Value::Wrong)
            }
        }
    }

    /// A path that names an item, a variant, or something of the language.
    fn path_item(&mut self, expr: ExprId, path: &Path, resolution: Resolution<'db>) -> Value<'db> {
        let last = path.segments.len().saturating_sub(1);
        match resolution {
            Resolution::Item(Item::Function(function)) => {
                let item = Item::Function(function);
                match self.instantiate(item, path, last, &[]) {
                    Some(args) => Value::Function(function, args),
                    None => Value::Wrong,
                }
            }
            Resolution::Item(Item::Const(constant)) => Value::Const(constant),
            Resolution::Item(Item::Newtype(item)) => Value::Newtype(item),
            Resolution::Variant(item, index) => {
                // Arguments stand behind the enum or behind the variant.
                let written = |segment: usize| {
                    path.segments.get(segment).is_some_and(|part| part.args.is_some())
                };
                let segment = if last > 0 && written(last - 1) { last - 1 } else { last };
                match self.instantiate(Item::Enum(item), path, segment, &[]) {
                    Some(args) => Value::Variant(item, index, args),
                    None => Value::Wrong,
                }
            }
            // The import is reported, and parameters are found before.
            Resolution::Unknown | Resolution::Generic(..) => Value::Wrong,
            Resolution::Function(builtin) => {
                self.not_a_value(expr, builtin.name());
                Value::Wrong
            }
            resolution @ (Resolution::Item(
                Item::Struct(_) | Item::Enum(_) | Item::Alias(_) | Item::Trait(_) | Item::Impl(_),
            )
            | Resolution::Module(_)
            | Resolution::Type(_)
            | Resolution::Trait(_)) => {
                let what = crate::lower::kind(resolution);
                let finding = Finding::new(
                    codes::MISMATCH,
                    Place::Expr(expr),
                    format!("`{path}` is {what}, not a value"),
                );
                let finding = match resolution {
                    Resolution::Item(Item::Struct(_)) => finding
                        .note(format!("a value of it is made with its fields: `{path} {{ .. }}`")),
                    Resolution::Item(Item::Enum(_)) => {
                        finding.note(format!("a value of it is one of its variants: `{path}::..`"))
                    }
                    _ => finding,
                };
                self.report(finding);
                Value::Wrong
            }
        }
    }

    /// `Type::name` and `Enum::Variant`.
    fn path_member(
        &mut self,
        expr: ExprId,
        path: &Path,
        base: Resolution<'db>,
        segment: usize,
        hint: Option<&Ty>,
    ) -> Value<'db> {
        let Some(member) = path.segments.get(segment) else { return Value::Wrong };
        let before = Path {
            id: path.id,
            segments: path.segments.get(..segment).unwrap_or_default().to_vec(),
        };
        match base {
            Resolution::Item(Item::Enum(item)) => {
                let variants = &enum_variants(self.db, item).variants;
                if let Some(index) = variants.iter().position(|variant| variant.name == member.name)
                    && segment + 1 == path.segments.len()
                {
                    return self.path_item(expr, path, Resolution::Variant(item, index));
                }
                self.applied_member(expr, path, segment, Item::Enum(item))
            }
            Resolution::Item(item @ (Item::Struct(_) | Item::Newtype(_))) => {
                self.applied_member(expr, path, segment, item)
            }
            Resolution::Type(BuiltinType::Tensor) => {
                let written = before.last().is_some_and(|part| part.args.is_some());
                let ty = written.then(|| self.path_type(expr, &before));
                Value::Tensor(member.name.clone(), ty)
            }
            Resolution::Type(
                known @ (BuiltinType::Vec
                | BuiltinType::HashMap
                | BuiltinType::BTreeMap
                | BuiltinType::StringBuilder),
            ) => {
                let Some(kind) = Collection::from_name(known.name()) else { return Value::Wrong };
                let written = before.last().is_some_and(|part| part.args.is_some());
                let ty = if written {
                    self.path_type(expr, &before)
                } else {
                    let args =
                        kind.params().iter().map(|_| self.table.fresh(crate::VarKind::General));
                    Ty::Collection { kind, args: args.collect() }
                };
                if let Some(hint) = hint {
                    self.table.unify(&ty, hint);
                }
                Value::Collection(kind, member.name.clone(), ty)
            }
            Resolution::Item(Item::Alias(alias)) => {
                let ty = crate::alias_type(self.db, alias).ty.clone();
                self.type_member(expr, path, segment, &ty)
            }
            Resolution::Item(Item::Trait(item)) => self.trait_member(expr, path, segment, item),
            Resolution::Trait(known) => {
                let place = Place::BodyPath(path.id, PathPart::Segment(segment));
                self.known_path(place, &TraitDef::Builtin(known), &member.name);
                Value::Wrong
            }
            Resolution::Unknown => Value::Wrong,
            other => {
                let what = crate::lower::kind(other);
                self.report(Finding::new(
                    codes::UNDECLARED,
                    Place::BodyPath(path.id, PathPart::Segment(segment)),
                    format!("`{before}` is {what}, and has nothing called `{}`", member.name),
                ));
                Value::Wrong
            }
        }
    }

    /// `Type::name` of an item that may be generic.
    fn applied_member(
        &mut self,
        expr: ExprId,
        path: &Path,
        segment: usize,
        item: Item<'db>,
    ) -> Value<'db> {
        let Some(args) = self.instantiate(item, path, segment.saturating_sub(1), &[]) else {
            return Value::Wrong;
        };
        let def = match item {
            Item::Struct(item) => Def::of_struct(self.db, item),
            Item::Enum(item) => Def::of_enum(self.db, item),
            Item::Newtype(item) => Def::of_newtype(self.db, item),
            _ => return Value::Wrong,
        };
        self.type_member(expr, path, segment, &Ty::Adt { def, args: args.into() })
    }

    /// `Trait::name`: of any type that has the trait, which the call says.
    fn trait_member(
        &mut self,
        expr: ExprId,
        path: &Path,
        segment: usize,
        item: Trait<'db>,
    ) -> Value<'db> {
        let Some(member) = path.segments.get(segment) else { return Value::Wrong };
        let functions = functions_of(self.db, item.file(self.db), Container::Trait(item));
        let named = |function: &&Function<'db>| function.name(self.db) == member.name;
        let place = Place::BodyPath(path.id, PathPart::Segment(segment));
        match functions.iter().find(named) {
            Some(function) if segment + 1 == path.segments.len() => {
                let own = GenericArg::Type(self.fresh());
                match self.instantiate(Item::Function(*function), path, segment, &[own]) {
                    Some(args) => Value::Function(*function, args),
                    None => Value::Wrong,
                }
            }
            Some(_) => {
                self.not_a_value(expr, &path.to_string());
                Value::Wrong
            }
            None => {
                let known: Vec<Name> =
                    functions.iter().map(|function| function.name(self.db)).collect();
                let (of_trait, name) = (item.name(self.db), &member.name);
                let message = format!("the trait `{of_trait}` has no function `{name}`");
                let finding = Finding::new(codes::MEMBER, place, message);
                let finding = self.did_you_mean(finding, place, name, &known);
                self.report(finding);
                Value::Wrong
            }
        }
    }

    /// A function of a trait that the language knows, by a path.
    fn known_path(&mut self, place: Place, of_trait: &TraitDef, name: &str) {
        let of_trait = of_trait.name();
        self.report(
            Finding::new(
                codes::MEMBER,
                place,
                format!("`{name}` of `{of_trait}` is not called by a path"),
            )
            .note(format!("call it on a value: `x.{name}(..)`, or write the operator")),
        );
    }

    /// The type that the front part of a path names.
    fn path_type(&mut self, expr: ExprId, before: &Path) -> Ty {
        self.written_type(Place::Expr(expr), &neuro_hir::TypeRef::Path(before.clone()))
    }

    /// What the part of a path behind a type names: an associated function of that type.
    fn type_member(&mut self, expr: ExprId, path: &Path, segment: usize, ty: &Ty) -> Value<'db> {
        let Some(member) = path.segments.get(segment) else {
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(expr),
                format!("`{path}` is a type, not a value"),
            ));
            return Value::Wrong;
        };
        if *ty == Ty::Error {
            return Value::Wrong;
        }
        if let Ty::Adt { def, args } = ty
            && let Some(item) = def.as_enum(self.db)
            && let Some(index) = enum_variants(self.db, item)
                .variants
                .iter()
                .position(|variant| variant.name == member.name)
        {
            return Value::Variant(item, index, args.to_vec());
        }
        if segment + 1 == path.segments.len() {
            let mut members = crate::methods::associated(&self.env, ty, &member.name);
            let place = Place::BodyPath(path.id, PathPart::Segment(segment));
            if members.len() > 1 {
                let finding = Finding::new(
                    codes::AMBIGUOUS_METHOD,
                    place,
                    format!("several traits of `{ty}` have a function `{}`", member.name),
                );
                self.report(
                    finding.note("write the name of the trait in front: `Trait::name(..)`"),
                );
                return Value::Wrong;
            }
            if let Some(found) = members.pop() {
                if let Some(of_trait) = &found.of_trait
                    && found.item().is_none()
                {
                    self.known_path(place, of_trait, &member.name);
                    return Value::Wrong;
                }
                let Some(function) = found.item() else { return Value::Wrong };
                let outer = self.method_args(&found, ty);
                return match self.instantiate(Item::Function(function), path, segment, &outer) {
                    Some(args) => Value::Function(function, args),
                    None => Value::Wrong,
                };
            }
        }
        if self.may_have(ty, Missed::Function(&member.name)) {
            return Value::Wrong;
        }
        let mut known = crate::methods::associated_names(&self.env, ty);
        let variants = match ty {
            Ty::Adt { def, .. } => def.as_enum(self.db).map(|item| enum_variants(self.db, item)),
            _ => None,
        };
        let names = variants.iter().flat_map(|all| &all.variants).map(|it| it.name.clone());
        known.splice(0..0, names);
        let is_upper = member.name.starts_with(char::is_uppercase);
        let what = if is_upper && variants.is_some() { "variant" } else { "function" };
        let place = Place::BodyPath(path.id, PathPart::Segment(segment));
        let finding =
            Finding::new(codes::MEMBER, place, format!("`{ty}` has no {what} `{}`", member.name));
        let finding = self.did_you_mean(finding, place, &member.name, &known);
        self.report(finding);
        Value::Wrong
    }

    /// Reports a name that stands for nothing.
    fn undeclared(&mut self, expr: ExprId, name: &str) -> Ty {
        let place = Place::Expr(expr);
        let finding = Finding::new(codes::UNDECLARED, place, format!("`{name}` is not declared"));
        // Whether it is called is looked for only where it matters.
        if neuro_hir::foreign_value(name, true).is_some()
            && let Some(word) = neuro_hir::foreign_value(name, self.is_called(expr))
        {
            let finding = finding.note(word.note);
            return self.refuse(match word.replacement {
                Some(meant) => finding.remedy(Remedy::Replace(
                    place,
                    format!("change to `{meant}`"),
                    meant.to_owned(),
                )),
                None => finding,
            });
        }
        if let Some(finding) = self.elsewhere(&finding, expr, name) {
            return self.refuse(finding);
        }
        let locals: Vec<&str> =
            self.body.locals.iter().map(|(_, local)| local.name.as_str()).collect();
        let finding = match self.env.meant(name, None, Wanted::Value, &locals) {
            Meant::Name(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant)),
            Meant::Note(note) => finding.note(note),
            Meant::Nothing => finding,
        };
        self.refuse(finding)
    }

    /// Whether an expression is what a call calls.
    pub(super) fn is_called(&self, expr: ExprId) -> bool {
        let calls = |other: &Expr| matches!(other, Expr::Call { callee, .. } if *callee == expr);
        self.body.exprs.values().any(calls)
    }

    /// Asks whether another name is meant.
    pub(super) fn did_you_mean(
        &self,
        finding: Finding,
        place: Place,
        name: &str,
        known: &[Name],
    ) -> Finding {
        match neuro_hir::similar(name, known.iter().map(Name::as_str)) {
            Some(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned())),
            None => finding,
        }
    }
}
