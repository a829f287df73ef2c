//! Methods of the program: those of blocks, of traits, and of traits that the language knows.

use neuro_db::{Name, codes};
use neuro_hir::{
    BuiltinTrait, Container, Item, Receiver, Resolution, TypeArg, file_items, functions_of,
    resolve_name,
};
use neuro_num::{DType, MathFn};

use super::method::MethodCall;
use super::operator::Operand;
use super::{Context, Why};
use crate::methods::{Found, Which};
use crate::traits::{known, prove};
use crate::{
    Callee, Def, Finding, GenericArg, MemberOf, Method, Owner, Place, TraitDef, Ty, fn_sig,
};

impl Context<'_> {
    /// Calls a method of the program; none if the receiver's type has none of this name. What the language
    /// gives a type of its own comes before what a trait adds to it.
    pub(super) fn program_method(
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

    /// The trait that a name stands for in the module.
    fn trait_here(&self, name: &Name) -> Option<TraitDef> {
        match resolve_name(self.db, self.module, name.clone())? {
            Resolution::Item(Item::Trait(item)) => {
                Some(TraitDef::Item(Def::of_trait(self.db, item)))
            }
            _ => None,
        }
    }

    /// Says how a type could have a method: by a derive, or by a trait that stands in the file.
    pub(super) fn obtainable(&self, finding: Finding, name: &Name, found: &Ty) -> Finding {
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
            (Ty::Param(param), None) if name == "clone" => self.ask_for(finding, param, "Clone"),
            (Ty::Param(param), Some(of_trait)) if param.name != "impl Trait" => {
                let finding = finding.note(format!("`{of_trait}` has `.{name}()`"));
                self.ask_for(finding, param, &of_trait)
            }
            (Ty::Adt { .. }, Some(of_trait)) => {
                let asked = self.trait_here(&of_trait);
                let lack = asked.and_then(|asked| prove(&self.env, of, &asked).err());
                match lack.and_then(|lack| lack.note) {
                    Some(note) => finding.note(note),
                    None => finding
                        .note(format!("`{of_trait}` has it; give it: `impl {of_trait} for {of}`")),
                }
            }
            _ => finding,
        }
    }
}
