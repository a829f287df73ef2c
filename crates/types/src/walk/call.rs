//! Calls of functions: arguments find their parameters by position and label.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Enum, Expr, ExprId, Function, Item, Newtype, Path};

use super::path::Value;
use super::{Context, Why};
use crate::{
    Callee, Collection, Def, Finding, FnSig, FnTy, GenericArg, Member, MemberOf, Payload, Place,
    Remedy, Ty, enum_variants, fn_sig, newtype_inner,
};
use neuro_hir::similar;

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
    fn call_place(&self, call: ExprId) -> Place {
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

    /// Checks the number of arguments of a function value.
    fn value_arguments(&mut self, call: ExprId, name: &str, function: &FnTy, args: &[Arg]) -> bool {
        let count = function.params.len();
        if args.len() != count {
            let (takes, given) = (arguments(count), args.len());
            self.report(Finding::new(
                codes::ARGUMENTS,
                self.call_place(call),
                format!("{name} takes {takes}, and this call gives {given}"),
            ));
            return false;
        }
        self.no_labels(name, args)
    }

    fn no_labels(&mut self, name: &str, args: &[Arg]) -> bool {
        let Some(arg) = args.iter().find(|arg| arg.label.is_some()) else { return true };
        self.report(Finding::new(
            codes::ARGUMENTS,
            Place::Label(arg.value),
            format!(
                "{name} has no label `{}`: its arguments are given in order",
                arg.label.clone().unwrap_or_default()
            ),
        ));
        false
    }

    /// Checks arguments against parameters by position; closures come last, since the others may say what
    /// their parameters are.
    fn value_parameters(&mut self, args: &[Arg], params: &[Ty], name: &str) {
        let closures =
            |context: &Self, arg: &Arg| matches!(context.expr(arg.value), Expr::Closure(_));
        for closing in [false, true] {
            for (index, (arg, ty)) in args.iter().zip(params).enumerate() {
                if closures(self, arg) == closing {
                    let why = Why::Value { of: name.into(), index };
                    self.check(arg.value, ty, &why);
                }
            }
        }
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

    /// Infers arguments that have no parameter.
    pub(super) fn infer_arguments(&mut self, args: &[Arg]) {
        for arg in args {
            if self.exprs.get(arg.value).is_some() {
                continue;
            }
            match self.expr(arg.value) {
                // What would take it may well be a misspelled `println`.
                Expr::Array(_) => {
                    self.infer_array_entry(arg.value);
                }
                _ => {
                    self.infer(arg.value, None);
                }
            }
        }
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
        // What is expected of the whole says what its parts are; whether it fits is seen later.
        if let (Some(hint), Ty::Adt { .. } | Ty::Collection { .. } | Ty::Tensor(_)) = (hint, &ret) {
            self.table.unify(&ret, hint);
        }
        // `Type::method(x, ..)`: the receiver is the first argument.
        let (receiver, args) = match (&sig.receiver, self.expr(call), args.split_first()) {
            (Some(ty), Expr::Call { .. }, Some((first, rest))) => (Some((ty, first)), rest),
            _ => (None, args),
        };
        if let Some((ty, arg)) = receiver {
            let why = Why::Value { of: format!("`{name}`").into(), index: 0 };
            self.check_receiver(arg.value, ty, &generic, &why);
        }
        // Which argument says what a generic parameter is.
        let mut said: Vec<(&Ty, ExprId)> = Vec::new();
        said.extend(receiver.map(|(ty, arg)| (ty, arg.value)));
        match self.match_arguments(call, name, sig, args) {
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
        let place = self.call_place(call);
        self.note_call(call, Item::Function(function), generic, place, &|number| {
            let is = |part: &Ty| matches!(part, Ty::Param(param) if param.index as usize == number);
            said.iter().find(|(ty, _)| ty.any(&mut |part| is(part))).map(|(_, arg)| *arg)
        });
        self.resolved(&ret)
    }

    /// Checks each argument against its parameter, in the order of the text; closures come last, since the
    /// others may say what their parameters are.
    fn check_arguments(
        &mut self,
        call: ExprId,
        name: &Name,
        sig: &FnSig,
        generic: &[GenericArg],
        args: &[Arg],
        order: &[usize],
    ) {
        for closing in [false, true] {
            for (written, arg) in args.iter().enumerate() {
                if matches!(self.expr(arg.value), Expr::Closure(_)) != closing {
                    continue;
                }
                let param = order.iter().position(|filled| *filled == written);
                if let Some((index, param)) =
                    param.and_then(|index| Some((index, sig.params.get(index)?)))
                {
                    let why = Why::Argument {
                        callee: name.clone(),
                        param: param.name.clone(),
                        declared: Some(Place::CalleeParam(call, index)),
                    };
                    let ty = self.instance(&param.ty, generic);
                    self.check(arg.value, &ty, &why);
                }
            }
        }
    }

    /// Checks the first argument of `Trait::method(x)`, whose type is found from the value behind its
    /// references.
    fn check_receiver(&mut self, arg: ExprId, ty: &Ty, generic: &[GenericArg], why: &Why) {
        let ty = self.instance(ty, generic);
        if let Ty::Ref { mutable, inner } = &ty
            && matches!(self.resolved(inner), Ty::Var(_))
        {
            let found = self.infer(arg, None);
            if let found @ Ty::Ref { mutable: lent, .. } = self.resolved(&found)
                && (lent || !mutable)
            {
                self.table.unify(inner, found.peeled());
            }
        }
        self.check(arg, &ty, why);
    }

    /// Which argument fills each parameter; `None` after a report.
    fn match_arguments(
        &mut self,
        call: ExprId,
        name: &Name,
        sig: &FnSig,
        args: &[Arg],
    ) -> Option<Vec<usize>> {
        let mut filled: Vec<Option<usize>> = vec![None; sig.params.len()];
        let mut labelled = false;
        for (written, arg) in args.iter().enumerate() {
            let param = match &arg.label {
                Some(label) => {
                    labelled = true;
                    self.labelled_param(name, sig, arg, label)?
                }
                None if labelled => {
                    self.report(Finding::new(
                        codes::ARGUMENTS,
                        Place::Expr(arg.value),
                        "an argument without a label cannot follow one with a label",
                    ));
                    return None;
                }
                None => self.positional_param(call, name, sig, args, written)?,
            };
            match filled.get_mut(param) {
                Some(slot @ None) => *slot = Some(written),
                _ => {
                    let label = sig.params.get(param).map(|param| param.label.clone());
                    self.report(Finding::new(
                        codes::ARGUMENTS,
                        Place::Label(arg.value),
                        format!(
                            "`{}` is given twice in this call of `{name}`",
                            label.unwrap_or_default()
                        ),
                    ));
                    return None;
                }
            }
        }
        let missing: Vec<String> = filled
            .iter()
            .zip(&sig.params)
            .filter(|(filled, _)| filled.is_none())
            .map(|(_, param)| format!("`{}: {}`", param.label, param.ty))
            .collect();
        if !missing.is_empty() {
            let what = if missing.len() == 1 { "argument" } else { "arguments" };
            self.report(Finding::new(
                codes::ARGUMENTS,
                self.call_place(call),
                format!("this call of `{name}` lacks the {what} {}", missing.join(", ")),
            ));
            return None;
        }
        Some(filled.into_iter().flatten().collect())
    }

    fn labelled_param(
        &mut self,
        name: &Name,
        sig: &FnSig,
        arg: &Arg,
        label: &Name,
    ) -> Option<usize> {
        let found =
            sig.params.iter().position(|param| param.label == *label && !param.positional_only);
        if found.is_some() {
            return found;
        }
        let place = Place::Label(arg.value);
        let finding = match sig.params.iter().find(|param| param.name == *label) {
            Some(param) if param.positional_only => Finding::new(
                codes::ARGUMENTS,
                place,
                format!("`{label}` of `{name}` is passed without a label"),
            ),
            Some(param) => Finding::new(
                codes::ARGUMENTS,
                place,
                format!("`{label}` of `{name}` is passed with the label `{}:`", param.label),
            ),
            None => {
                let finding = Finding::new(
                    codes::ARGUMENTS,
                    place,
                    format!("`{name}` has no parameter `{label}`"),
                );
                match similar(label, sig.params.iter().map(|param| param.label.as_str())) {
                    Some(meant) => finding.note(format!("did you mean `{meant}`?")).remedy(
                        Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned()),
                    ),
                    None if sig.params.is_empty() => finding,
                    None => {
                        let labels: Vec<String> =
                            sig.params.iter().map(|param| format!("`{}`", param.label)).collect();
                        finding.note(format!("its parameters are {}", labels.join(", ")))
                    }
                }
            }
        };
        self.report(finding);
        None
    }

    /// The parameter of an argument without a label: parameters that need one are passed over.
    fn positional_param(
        &mut self,
        call: ExprId,
        name: &Name,
        sig: &FnSig,
        args: &[Arg],
        written: usize,
    ) -> Option<usize> {
        let mut positional =
            sig.params.iter().enumerate().filter(|(_, param)| !param.label_required);
        if let Some((param, _)) = positional.nth(written) {
            return Some(param);
        }
        let given = |param: &crate::ParamSig| {
            args.iter().any(|arg| arg.label.as_ref() == Some(&param.label))
        };
        let labelled = sig.params.iter().find(|param| param.label_required && !given(param));
        let finding = match (labelled, args.get(written)) {
            (Some(param), Some(arg)) => {
                let place = Place::Expr(arg.value);
                Finding::new(
                    codes::ARGUMENTS,
                    place,
                    format!("`{name}` takes this argument with its label, `{}:`", param.label),
                )
                .remedy(Remedy::InsertBefore(
                    place,
                    "write the label".to_owned(),
                    format!("{}: ", param.label),
                ))
            }
            _ => Finding::new(
                codes::ARGUMENTS,
                self.call_place(call),
                format!(
                    "`{name}` takes {}, and this call gives {}",
                    arguments(sig.params.len()),
                    args.len()
                ),
            ),
        };
        self.report(finding);
        None
    }

    /// Checks the number of arguments of something that takes them by position alone.
    pub(super) fn plain_arguments(
        &mut self,
        call: ExprId,
        name: &Name,
        params: &[&str],
        args: &[Arg],
    ) -> bool {
        if args.len() != params.len() {
            self.report(Finding::new(
                codes::ARGUMENTS,
                self.call_place(call),
                format!(
                    "`{name}` takes {}, and this call gives {}",
                    arguments(params.len()),
                    args.len()
                ),
            ));
            return false;
        }
        if let Some(arg) = args.iter().find(|arg| arg.label.is_some()) {
            let label = arg.label.clone().unwrap_or_default();
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Label(arg.value),
                format!("`{name}` has no label `{label}`: its arguments are given in order"),
            ));
            return false;
        }
        true
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
