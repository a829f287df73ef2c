//! Methods. A receiver is looked at through its references; what consumes it needs the value itself.

use neuro_db::{Name, codes};
use neuro_hir::{
    Arg, BuiltinTrait, Container, ExprId, Item, Receiver, TypeArg, file_items, functions_of,
};
use neuro_num::{DType, MathFn};

use super::member::MemberCall;
use super::operator::Operand;
use super::{Context, Why};
use crate::methods::{Found, Which};
use crate::traits::known;
use crate::{
    Callee, Finding, GenericArg, MemberOf, Method, Owner, Place, Remedy, TraitDef, Ty, fn_sig,
};
use neuro_hir::similar;

/// A method call under inference.
pub(super) struct MethodCall<'a> {
    pub(super) call: ExprId,
    pub(super) receiver: ExprId,
    pub(super) name: &'a Name,
    pub(super) args: &'a [Arg],
}

impl Context<'_> {
    pub(super) fn infer_method(
        &mut self,
        call: ExprId,
        receiver: ExprId,
        name: &Name,
        type_args: Option<&[TypeArg]>,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        let found = self.infer(receiver, None);
        let result = self.call_method(call, receiver, name, &found, type_args, args, hint);
        self.infer_arguments(args);
        result
    }

    /// Calls a method on a value of type `found`: one of the program comes first, then those of the language.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call has these parts, written or as a stage of `|>`"
    )]
    pub(super) fn call_method(
        &mut self,
        call: ExprId,
        receiver: ExprId,
        name: &Name,
        found: &Ty,
        type_args: Option<&[TypeArg]>,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        if let Some(absorbed) = self.absorbed(found) {
            return absorbed;
        }
        let found = &self.settled(receiver, found);
        if *found == Ty::Error || name.is_empty() {
            return Ty::Error;
        }
        let method = MethodCall { call, receiver, name, args };
        if let Some(ty) = self.program_method(&method, found, type_args, hint) {
            return ty;
        }
        let member = MemberOf::of(found).and_then(|of| of.find(name));
        if let Some(row) = member {
            let member = MemberCall { call, receiver, name, type_args, args };
            return self.infer_member(&member, found, row);
        }
        if let Ty::Sparse(sparse) = found.peeled() {
            return self.sparse_method(&method, found, sparse);
        }
        let result = match self.operand(found) {
            Operand::Tensor(tensor) => self.tensor_method(&method, found, &tensor),
            Operand::Scalar(dtype) => self.scalar_method(&method, found, Some(dtype)),
            Operand::Number(_) => self.scalar_method(&method, found, None),
            Operand::Char | Operand::Text | Operand::Other => {
                let mut known = crate::methods::associated_names(&self.env, found.peeled());
                let rows = MemberOf::of(found).into_iter().flat_map(MemberOf::rows);
                known.extend(rows.map(|row| Name::new_static(row.name)));
                self.no_method(&method, found, known.iter().map(Name::as_str))
            }
        };
        let known = self.callees.get(call).is_some();
        if type_args.is_some() && known {
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Head(call),
                format!("`.{name}()` takes no type arguments"),
            ));
        }
        result
    }

    /// Calls a method of the program; none if the receiver's type has none of this name. What the language
    /// gives a type of its own comes before what a trait adds to it.
    fn program_method(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        type_args: Option<&[TypeArg]>,
        hint: Option<&Ty>,
    ) -> Option<Ty> {
        let mut on = found.peeled().clone();
        if matches!(on, Ty::Var(_)) && !self.is_of_language(found, method.name) {
            // A literal that only a trait gives the method is of the type that it takes by default.
            let default = self.default_of(&on);
            if !crate::methods::associated(&self.env, &default, method.name).is_empty() {
                on = self.table.finish(&on);
            }
        }
        let mut members = crate::methods::associated(&self.env, &on, method.name);
        let member = members.pop()?;
        if member.of_trait.is_some() && self.is_of_language(found, method.name) {
            return None;
        }
        if !members.is_empty() {
            members.push(member);
            return Some(self.several_traits(method, &on, &members));
        }
        let name = method.name;
        let head = Place::Head(method.call);
        if member.of_trait == Some(TraitDef::Builtin(BuiltinTrait::Drop)) {
            let finding = Finding::new(
                codes::MEMBER,
                head,
                format!("`{name}` runs when a value ends, and is not called by hand"),
            );
            return Some(self.refuse(finding.note("a value ends earlier in a block of its own")));
        }
        let function = match member.function {
            Which::OfBlock(function, _) | Which::OfTrait(function) => function,
            Which::Known(of_trait, index) => {
                return Some(self.known_method(method, found, (of_trait, index), type_args));
            }
        };
        let sig = fn_sig(self.db, function);
        let Some(receiver) = &sig.receiver else {
            self.report(
                Finding::new(
                    codes::MEMBER,
                    head,
                    format!("`{name}` is a function of `{on}`, not a method: it has no receiver"),
                )
                .note(format!("call it as `{on}::{name}(..)`")),
            );
            return Some(Ty::Error);
        };
        self.callees.insert(method.call, Callee::Function(function));
        self.receiver(method, found, receiver);
        let outer = self.method_args(&member, &on);
        let item = Item::Function(function);
        let Some(args) = self.turbofish(method.call, item, name, type_args, &outer) else {
            return Some(Ty::Error);
        };
        Some(self.call_function(method.call, function, args, name, method.args, hint))
    }

    /// What a literal is if nothing says its type.
    fn default_of(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Var(var) if var.is_int() => Ty::Scalar(DType::I32),
            Ty::Var(var) if var.is_float() => Ty::Scalar(DType::F64),
            ty => ty.clone(),
        }
    }

    /// Whether the language gives a type a method of this name.
    fn is_of_language(&self, found: &Ty, name: &str) -> bool {
        let member = MemberOf::of(found).and_then(|of| of.find(name)).is_some();
        member
            || match self.operand(found) {
                Operand::Tensor(_) => Method::from_name(name).is_some(),
                Operand::Scalar(dtype) => dtype.is_float() && MathFn::from_name(name).is_some(),
                Operand::Number(var) => var.is_float() && MathFn::from_name(name).is_some(),
                Operand::Char | Operand::Text | Operand::Other => false,
            }
    }

    /// Reports a method that several traits have.
    fn several_traits(&mut self, method: &MethodCall<'_>, on: &Ty, members: &[Found<'_>]) -> Ty {
        let name = method.name;
        let mut traits: Vec<&TraitDef> =
            members.iter().filter_map(|member| member.of_trait.as_ref()).collect();
        traits.sort_by_key(|of_trait| of_trait.name().to_owned());
        let listed: Vec<String> =
            traits.iter().map(|of_trait| format!("`{}`", of_trait.name())).collect();
        let first = traits.first().map_or("", |of_trait| of_trait.name());
        let finding = Finding::new(
            codes::AMBIGUOUS_METHOD,
            Place::Head(method.call),
            format!("`{name}` of `{on}` is a method of {}", listed.join(" and of ")),
        );
        let finding = traits.iter().fold(finding, |finding, of_trait| match of_trait {
            TraitDef::Item(def) => finding.elsewhere(
                Owner::Method(def.clone(), name.clone()),
                Place::FunctionName,
                format!("`{}` declares it here", of_trait.name()),
            ),
            TraitDef::Builtin(_) => finding,
        });
        self.refuse(finding.note(format!("say which one is meant: `{first}::{name}(..)`")))
    }

    /// Calls a method that no item declares.
    fn known_method(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        (of_trait, index): (BuiltinTrait, usize),
        type_args: Option<&[TypeArg]>,
    ) -> Ty {
        let Some(known) = known::methods(of_trait).get(index) else { return Ty::Error };
        let on = found.peeled().clone();
        self.callees.insert(method.call, Callee::Known(of_trait, index));
        self.generic_args.insert(method.call, vec![GenericArg::Type(on.clone())]);
        if type_args.is_some() {
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Turbofish(method.call, None),
                format!("`.{}()` takes no type arguments", method.name),
            ));
        }
        let receiver = match known.receiver {
            Receiver::ByRef => on.clone().reference(false),
            Receiver::ByMut => on.clone().reference(true),
            Receiver::ByValue => on.clone(),
        };
        self.receiver(method, found, &receiver);
        let output = self.output(&on, of_trait);
        let params: &[&str] = if known.rhs.is_some() { &["rhs"] } else { &[] };
        if self.plain_arguments(method.call, method.name, params, method.args)
            && let (Some(rhs), Some(arg)) = (known.rhs, method.args.first())
        {
            let why = Why::Argument {
                callee: method.name.clone(),
                param: Name::new_static("rhs"),
                declared: None,
            };
            self.check(arg.value, &rhs.ty(&on, &output), &why);
        }
        known.ret.ty(&on, &output)
    }

    /// Checks that a receiver can be lent or given as a method takes it.
    fn receiver(&mut self, method: &MethodCall<'_>, found: &Ty, wanted: &Ty) {
        let name = method.name;
        match wanted {
            Ty::Ref { mutable: true, .. } => {
                if let Some(finding) = self.not_changeable(method.receiver) {
                    let finding = finding.note(format!(
                        "`.{name}()` takes `&mut self`: it changes what it is called on"
                    ));
                    self.report(finding);
                }
            }
            Ty::Ref { mutable: false, .. } => {}
            _ => {
                let copied = crate::is_copy(self.db, self.env.generics(), found.peeled());
                if matches!(found, Ty::Ref { .. }) && !copied {
                    let described = self.describe(found);
                    self.report(Finding::new(
                        codes::MEMBER,
                        Place::Head(method.call),
                        format!("`.{name}()` consumes what it is called on, and this is only borrowed: {described}"),
                    ));
                }
            }
        }
    }

    fn scalar_method(&mut self, method: &MethodCall<'_>, found: &Ty, dtype: Option<DType>) -> Ty {
        let name = method.name.as_str();
        let float = match (self.resolved(found), dtype) {
            (Ty::Var(id), _) => id.is_float(),
            (_, dtype) => dtype.is_some_and(DType::is_float),
        };
        if let Some(function) = MathFn::from_name(name) {
            if float {
                let ty = match dtype {
                    Some(dtype) => Ty::Scalar(dtype),
                    None => self.resolved(found),
                };
                return self.math(method, function, &ty, &ty);
            }
            let described = self.describe(found);
            let finding = Finding::new(
                codes::MEMBER,
                Place::Head(method.call),
                format!("`.{name}()` exists on floats, not on {described}"),
            );
            let finding = match dtype {
                None => self.float_literal(finding, method.receiver),
                Some(_) => finding,
            };
            self.give_up(found);
            return self.refuse(finding);
        }
        let mut known: Vec<&str> =
            if float { MathFn::all().map(MathFn::name).collect() } else { Vec::new() };
        let rows = MemberOf::of(found).into_iter().flat_map(MemberOf::rows);
        known.extend(rows.map(|row| row.name));
        self.no_method(method, found, known.into_iter())
    }

    /// A function of the table; `scalar` is the type that its further arguments have.
    pub(super) fn math(
        &mut self,
        method: &MethodCall<'_>,
        function: MathFn,
        result: &Ty,
        scalar: &Ty,
    ) -> Ty {
        self.callees.insert(method.call, Callee::Method(Method::Math(function)));
        let params: &[&str] = if function.arity() == 2 { &["exponent"] } else { &[] };
        if !self.method_arguments(method, params) {
            return result.clone();
        }
        if let Some(arg) = method.args.first() {
            let found = self.infer(arg.value, None);
            match (self.resolved(scalar), self.resolved(&found)) {
                (open @ Ty::Var(_), Ty::Scalar(dtype)) => {
                    self.literal_operand((method.receiver, &open), dtype);
                }
                (open @ Ty::Var(_), other @ Ty::Var(_)) => {
                    self.join_numbers(method.receiver, &open, arg.value, &other);
                }
                (Ty::Var(_), _) => {
                    let ty = self.table.finish(scalar);
                    let why = Why::Argument {
                        callee: function.name().into(),
                        param: "exponent".into(),
                        declared: None,
                    };
                    self.expect(arg.value, &found, &ty, &why);
                }
                (ty, _) => {
                    let why = Why::Argument {
                        callee: function.name().into(),
                        param: params.first().copied().unwrap_or_default().into(),
                        declared: None,
                    };
                    self.expect(arg.value, &found, &ty, &why);
                }
            }
        }
        self.resolved(result)
    }

    pub(super) fn no_method<'a>(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        known: impl Iterator<Item = &'a str>,
    ) -> Ty {
        let described = self.describe(found);
        self.give_up(found);
        let head = Place::Head(method.call);
        let finding = Finding::new(
            codes::MEMBER,
            head,
            format!("{described} has no method `.{}()`", method.name),
        );
        let field = match found.peeled() {
            Ty::Adt { def, .. } => {
                self.fields_of(def).into_iter().find(|field| field.name == *method.name)
            }
            _ => None,
        };
        let known: Vec<&str> = known.collect();
        let foreign = foreign_method(method.name).filter(|meant| known.contains(meant));
        let finding = match (field, foreign.or_else(|| similar(method.name, known))) {
            (Some(field), _) if matches!(field.ty, Ty::Fn(_)) => finding.note(format!(
                "the field `{}` holds a function: call it with `(x.{})(..)`",
                field.name, field.name
            )),
            (Some(field), _) => finding
                .note(format!("`{}` is a field, and is read without parentheses", field.name)),
            (None, Some(meant)) => finding
                .note(format!("did you mean `.{meant}()`?"))
                .remedy(Remedy::Replace(head, format!("change to `{meant}`"), meant.to_owned())),
            (None, None) => self.obtainable(finding, method.name, found),
        };
        self.refuse(finding)
    }

    /// Says how a type could have a method: by a derive, or by a trait that stands in the file.
    fn obtainable(&self, finding: Finding, name: &Name, found: &Ty) -> Finding {
        let found = self.resolved(found);
        let of = found.peeled();
        if let Ty::Adt { def, .. } = of
            && name == "clone"
            && def.as_struct(self.db).is_some()
        {
            return finding.note(format!("`@derive(Clone)` in front of `{}` gives it", def.name()));
        }
        let items = file_items(self.db, self.module.file(self.db)).items.iter();
        let has = |item: &Item<'_>| match *item {
            Item::Trait(found) => {
                let container = Container::Trait(found);
                let functions = functions_of(self.db, found.file(self.db), container);
                let named = functions.iter().any(|function| function.name(self.db) == *name);
                named.then(|| found.name(self.db))
            }
            _ => None,
        };
        match (of, items.into_iter().find_map(has)) {
            (Ty::Param(param), None) if name == "clone" => {
                finding.note(format!("ask for it: `{}: Clone`", param.name))
            }
            (Ty::Param(param), Some(of_trait)) if param.name != "impl Trait" => finding
                .note(format!("`{of_trait}` has it; ask for it: `{}: {of_trait}`", param.name)),
            (Ty::Adt { .. }, Some(of_trait)) => {
                finding.note(format!("`{of_trait}` has it; give it: `impl {of_trait} for {of}`"))
            }
            _ => finding,
        }
    }

    pub(super) fn method_arguments(&mut self, method: &MethodCall<'_>, params: &[&str]) -> bool {
        let name = Name::from(format!(".{}()", method.name));
        self.plain_arguments(method.call, &name, params, method.args)
    }
}

/// What other languages call a method of this one.
fn foreign_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "append" | "add" | "push_back" | "emplace_back" => "push",
        "pop_back" => "pop",
        "length" | "size" | "count" => "len",
        "put" | "set" => "insert",
        "contains" | "has" | "has_key" | "containsKey" => "contains_key",
        "delete" | "erase" => "remove",
        "substring" | "substr" => "slice",
        "copy" => "clone",
        "transpose" | "T" => "t",
        "average" | "avg" => "mean",
        "ln" => "log",
        "fabs" => "abs",
        "isnan" | "isNaN" => "is_nan",
        _ => return None,
    })
}
