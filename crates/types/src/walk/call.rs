//! Calls: of functions, variants, newtypes, function values, and what makes a collection.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Enum, Expr, ExprId, Function, Item, Newtype, Path};

use super::path::Value;
use super::{Context, Why};
use crate::{
    Callee, Collection, Def, Finding, FnTy, GenericArg, Member, MemberOf, Payload, Place, Ty,
    enum_variants, fn_sig, newtype_inner,
};

impl<'db> Context<'db> {
    pub(super) fn infer_call(
        &mut self,
        call: ExprId,
        callee: ExprId,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        if let Expr::Path(path) = self.expr(callee) {
            return self.call_path(call, callee, path, args, hint);
        }
        let found = self.infer(callee, None);
        self.call_value(call, callee, &found, args)
    }

    pub(super) fn call_path(
        &mut self,
        call: ExprId,
        callee: ExprId,
        path: &Path,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        // The name of what is called has no type of its own.
        self.record(callee, Ty::Error);
        match self.path_value(callee, path, hint) {
            Value::Wrong => {
                self.infer_arguments(args);
                Ty::Error
            }
            Value::Const(constant) => {
                let ty = crate::const_value(self.db, constant).ty.clone();
                self.infer_arguments(args);
                self.not_callable(callee, &ty)
            }
            Value::ConstParam(_, ty) => {
                self.infer_arguments(args);
                self.not_callable(callee, &ty)
            }
            Value::Function(function, generic) => {
                self.callees.insert(callee, Callee::Function(function));
                self.callees.insert(call, Callee::Function(function));
                let name = Name::from(path.last_name());
                self.call_function(call, function, generic, &name, args, hint)
            }
            Value::Variant(item, index, generic) => {
                self.callees.insert(callee, Callee::Variant(item, index));
                self.callees.insert(call, Callee::Variant(item, index));
                self.call_variant(call, item, index, generic, args, hint)
            }
            Value::Newtype(item) => {
                self.callees.insert(callee, Callee::Newtype(item));
                self.callees.insert(call, Callee::Newtype(item));
                self.call_newtype(call, item, args)
            }
            Value::Tensor(name, ty) => self.call_tensor(call, callee, &name, ty, args, hint),
            Value::Collection(kind, name, ty) => {
                self.call_collection(call, callee, kind, &name, ty, args)
            }
        }
    }

    /// The word that says what is called: of a stage of `|>`, the stage.
    pub(super) fn call_place(&self, call: ExprId) -> Place {
        match self.expr(call) {
            Expr::Pipeline { function, .. } => Place::Expr(*function),
            _ => Place::Head(call),
        }
    }

    /// Calls a value of function type.
    pub(super) fn call_value(
        &mut self,
        call: ExprId,
        callee: ExprId,
        found: &Ty,
        args: &[Arg],
    ) -> Ty {
        if let Some(absorbed) = self.absorbed(found) {
            self.infer_arguments(args);
            return absorbed;
        }
        let settled = self.settled(callee, found);
        let Ty::Fn(function) = settled.peeled().clone() else {
            self.infer_arguments(args);
            return self.not_callable(callee, &settled);
        };
        self.callees.insert(call, Callee::Value);
        let name = match self.subject(callee).as_str() {
            "this" => "this function".to_owned(),
            name => name.to_owned(),
        };
        if self.value_arguments(call, &name, &function, args) {
            self.value_parameters(args, &function.params, &name);
        } else {
            self.infer_arguments(args);
        }
        function.ret.clone()
    }

    fn call_variant(
        &mut self,
        call: ExprId,
        item: Enum<'db>,
        index: usize,
        generic: Vec<GenericArg>,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        let ret = Ty::Adt { def: Def::of_enum(self.db, item), args: generic.clone().into() };
        if let Some(hint) = hint {
            self.table.unify(&ret, hint);
        }
        let variants = &enum_variants(self.db, item).variants;
        let Some(variant) = variants.get(index) else { return Ty::Error };
        let name = format!("`{}`", variant.name);
        match &variant.payload {
            Payload::Tuple(types) => {
                let params: Vec<Ty> = types.iter().map(|ty| ty.apply(&generic)).collect();
                let function = FnTy { params, ret: ret.clone() };
                if self.value_arguments(call, &name, &function, args) {
                    self.value_parameters(args, &function.params, &name);
                } else {
                    self.infer_arguments(args);
                }
            }
            Payload::Unit => {
                self.infer_arguments(args);
                self.report(Finding::new(
                    codes::ARGUMENTS,
                    self.call_place(call),
                    format!("{name} holds nothing, and is written without parentheses"),
                ));
            }
            Payload::Fields(_) => {
                self.infer_arguments(args);
                self.report(Finding::new(
                    codes::ARGUMENTS,
                    self.call_place(call),
                    format!("{name} is made with its fields, in braces"),
                ));
            }
        }
        self.note_args(call, Item::Enum(item), generic, self.call_place(call));
        ret
    }

    fn call_newtype(&mut self, call: ExprId, item: Newtype<'db>, args: &[Arg]) -> Ty {
        let ret = Ty::Adt { def: Def::of_newtype(self.db, item), args: Arc::new([]) };
        let params = vec![newtype_inner(self.db, item).ty.clone()];
        let name = format!("`{}`", item.name(self.db));
        let function = FnTy { params, ret: ret.clone() };
        if self.value_arguments(call, &name, &function, args) {
            self.value_parameters(args, &function.params, &name);
        } else {
            self.infer_arguments(args);
        }
        ret
    }

    /// `Vec::new()` and its like.
    fn call_collection(
        &mut self,
        call: ExprId,
        callee: ExprId,
        kind: Collection,
        name: &Name,
        ty: Ty,
        args: &[Arg],
    ) -> Ty {
        let rows = MemberOf::Collection(kind);
        match rows.find(name).map(|row| row.member) {
            Some(Member::New) => {
                self.callees.insert(call, Callee::Member(Member::New));
                let shown = Name::from(format!("{}::new", kind.name()));
                if !self.plain_arguments(call, &shown, &[], args) {
                    self.infer_arguments(args);
                }
                self.note_open(call, &ty, kind.name());
                ty
            }
            found => {
                self.infer_arguments(args);
                let finding = Finding::new(
                    codes::MEMBER,
                    Place::Head(callee),
                    format!("`{}` has no function `{name}`", kind.name()),
                );
                let finding = match found {
                    Some(_) => finding.note(format!("it is a method: `x.{name}(..)`")),
                    None => finding.note(format!("an empty one is `{}::new()`", kind.name())),
                };
                self.refuse(finding)
            }
        }
    }

    fn not_callable(&mut self, callee: ExprId, found: &Ty) -> Ty {
        if let Some(absorbed) = self.absorbed(found) {
            return absorbed;
        }
        let described = self.describe(found);
        self.give_up(found);
        self.refuse(Finding::new(
            codes::MISMATCH,
            Place::Expr(callee),
            format!("expected a function, found {described}"),
        ))
    }

    pub(super) fn call_function(
        &mut self,
        call: ExprId,
        function: Function<'db>,
        generic: Vec<GenericArg>,
        name: &Name,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        let sig = fn_sig(self.db, function);
        let ret = self.instance(&sig.ret, &generic);
        // `Type::method(x, ..)`: the receiver is the first argument.
        let (receiver, args) = match (&sig.receiver, self.expr(call), args.split_first()) {
            (Some(ty), Expr::Call { .. }, Some((first, rest))) => (Some((ty, first)), rest),
            _ => (None, args),
        };
        if let Some((ty, arg)) = receiver {
            let why = Why::Value { of: format!("`{name}`").into(), index: 0 };
            self.check_receiver(arg.value, ty, &generic, &why);
        }
        let before = self.findings.len();
        let order = self.match_arguments(call, name, sig, args);
        if let (Some(order), Some(Ty::Tensor(_))) = (&order, hint) {
            self.shapes_of_arguments(sig, &generic, args, order);
        }
        // What is expected of the whole says what its parts are; whether it fits is seen later.
        if let (Some(hint), Ty::Adt { .. } | Ty::Collection { .. } | Ty::Tensor(_)) = (hint, &ret) {
            self.table.unify(&ret, hint);
        }
        // Which argument says what a generic parameter is.
        let mut said: Vec<(&Ty, ExprId)> = Vec::new();
        said.extend(receiver.map(|(ty, arg)| (ty, arg.value)));
        match order {
            Some(order) => {
                self.check_arguments(call, name, sig, &generic, args, &order);
                let given = order.iter().filter_map(|written| args.get(*written));
                said.extend(
                    sig.params.iter().map(|param| &param.ty).zip(given.map(|arg| arg.value)),
                );
                self.arguments.insert(call, order);
            }
            None => self.infer_arguments(args),
        }
        if self.findings.len() > before {
            // What a wrong argument leaves open is part of that mistake.
            for arg in &generic {
                if let GenericArg::Type(ty) = arg {
                    self.give_up(ty);
                }
            }
            if !generic.is_empty() {
                self.generic_args.insert(call, generic);
            }
            return self.resolved(&ret);
        }
        let place = self.call_place(call);
        self.note_call(call, Item::Function(function), generic, place, &|number| {
            let is = |part: &Ty| matches!(part, Ty::Param(param) if param.index as usize == number);
            said.iter().find(|(ty, _)| ty.any(&mut |part| is(part))).map(|(_, arg)| *arg)
        });
        self.resolved(&ret)
    }
}
