//! Arguments find their parameters by position and label.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Expr, ExprId, Item, similar};

use super::axes::axis_words;
use super::coerce::GenericWhy;
use super::{Context, Why};
use crate::{Callee, Extent, Finding, FnSig, FnTy, GenericArg, ParamSig, Place, Remedy, Ty};

impl Context<'_> {
    /// Checks the number of arguments of a function value.
    pub(super) fn value_arguments(
        &mut self,
        call: ExprId,
        name: &str,
        function: &FnTy,
        args: &[Arg],
    ) -> bool {
        let count = function.params.len();
        if args.len() != count {
            self.wrong_count(call, name, count, args);
            return false;
        }
        self.no_labels(name, args)
    }

    /// Reports a call that gives too many or too few arguments: at the first that has no parameter, or else at
    /// what is called.
    fn wrong_count(&mut self, call: ExprId, name: &str, takes: usize, args: &[Arg]) {
        let place = args.get(takes).map_or(self.call_place(call), |arg| Place::Expr(arg.value));
        let (takes, given) = (arguments(takes), args.len());
        let message = format!("{name} takes {takes}, and this call gives {given}");
        self.report(Finding::new(codes::ARGUMENTS, place, message));
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
    pub(super) fn value_parameters(&mut self, args: &[Arg], params: &[Ty], name: &str) {
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
                // Whether it may stand there is not known.
                Expr::Range { start, end, .. } => {
                    for bound in [start, end].into_iter().flatten() {
                        self.infer(*bound, None);
                    }
                    self.record(arg.value, Ty::Error);
                }
                // Nothing says what its parameters are, and that is no second mistake.
                Expr::Closure(closure) => {
                    let params = vec![Ty::Error; closure.params.len()];
                    let hint = Ty::Fn(Arc::new(FnTy { params, ret: Ty::Error }));
                    self.infer(arg.value, Some(&hint));
                }
                _ => {
                    self.infer(arg.value, None);
                }
            }
        }
    }

    /// Checks each argument against its parameter, in the order of the text; closures come last, since the
    /// others may say what their parameters are.
    pub(super) fn check_arguments(
        &mut self,
        call: ExprId,
        name: &Name,
        sig: &FnSig,
        generic: &[GenericArg],
        args: &[Arg],
        order: &[usize],
    ) {
        let names: Vec<Name> = match self.callees.get(call) {
            Some(Callee::Function(function)) if !generic.is_empty() => {
                let generics = crate::generics(self.db, Item::Function(*function));
                generics.params.iter().map(|param| param.name.clone()).collect()
            }
            _ => Vec::new(),
        };
        let first = self.findings.len();
        let mut earlier: Vec<(ExprId, Ty)> = Vec::new();
        for closing in [false, true] {
            for (written, arg) in args.iter().enumerate() {
                if matches!(self.expr(arg.value), Expr::Closure(_)) != closing {
                    continue;
                }
                let param = order.iter().position(|filled| *filled == written);
                if let Some((index, param)) =
                    param.and_then(|index| Some((index, sig.params.get(index)?)))
                {
                    let declared = Place::CalleeParam(call, index);
                    let (callee, name) = (name.clone(), param.name.clone());
                    let why = if names.is_empty() || param.ty.as_tensor().is_none() {
                        Why::Argument { callee, param: name, declared: Some(declared) }
                    } else {
                        Why::Generic(Arc::new(GenericWhy {
                            callee,
                            param: name,
                            declared,
                            ty: param.ty.clone(),
                            args: names.iter().cloned().zip(generic.iter().cloned()).collect(),
                            earlier: earlier.clone(),
                        }))
                    };
                    let ty = self.instance(&param.ty, generic);
                    self.check(arg.value, &ty, &why);
                    // One that only the running program knows is one mistake, wherever else it stands.
                    if let (Why::Generic(why), true) = (&why, self.findings.len() == first) {
                        self.no_number(arg.value, why);
                    }
                    earlier.push((arg.value, param.ty.clone()));
                }
            }
        }
    }

    /// Lets the arguments that are places say what the extents of a generic function are, before what is
    /// expected of its result does.
    pub(super) fn shapes_of_arguments(
        &mut self,
        sig: &FnSig,
        generic: &[GenericArg],
        args: &[Arg],
        order: &[usize],
    ) {
        for (param, written) in sig.params.iter().zip(order) {
            let Some(arg) = args.get(*written).filter(|arg| self.names_place(arg.value)) else {
                continue;
            };
            let (Some(_), found) = (param.ty.as_tensor(), self.infer(arg.value, None)) else {
                continue;
            };
            // Whether the rest fits is seen where the argument is checked.
            if let (Some(declared), Some(found)) =
                (self.instance(&param.ty, generic).as_tensor(), self.resolved(&found).as_tensor())
                && declared.shape.rank() == found.shape.rank()
            {
                for (declared, found) in declared.shape.dims().iter().zip(found.shape.dims()) {
                    self.table.unify_extents(&declared.extent, &found.extent);
                }
            }
        }
    }

    /// Whether an expression names a place, perhaps lent, whose type nothing around it decides.
    fn names_place(&self, expr: ExprId) -> bool {
        match self.expr(expr) {
            Expr::Local(_) => true,
            Expr::Borrow { operand: inner, .. }
            | Expr::Deref(inner)
            | Expr::Field { base: inner, .. }
            | Expr::TupleField { base: inner, .. } => self.names_place(*inner),
            _ => false,
        }
    }

    /// Reports an axis whose extent only the running program knows where it would be a constant parameter.
    fn no_number(&mut self, arg: ExprId, why: &GenericWhy) {
        let found = self.type_of(arg);
        let (Some(declared), Some(tensor)) = (why.ty.as_tensor(), found.as_tensor()) else {
            return;
        };
        let mut pairs = declared.shape.dims().iter().zip(tensor.shape.dims()).enumerate();
        let open =
            pairs.find_map(|(axis, (declared, found))| match (&declared.extent, &found.extent) {
                (Extent::Param(param), Extent::Dynamic) => Some((axis, param.name.clone())),
                _ => None,
            });
        let Some((axis, param)) = open else { return };
        let message = format!(
            "argument `{}` of `{}`: `{param}` is a number, and axis {} of `{tensor}` is `?`, which only the running program knows",
            why.param,
            why.callee,
            axis_words(tensor, axis),
        );
        let declared = format!("`{}` is `{}`", why.param, why.ty);
        self.report(
            Finding::new(codes::SHAPE, Place::Expr(arg), message).related(why.declared, declared),
        );
    }

    /// Checks the first argument of `Trait::method(x)`, whose type is found from the value behind its
    /// references.
    pub(super) fn check_receiver(
        &mut self,
        arg: ExprId,
        ty: &Ty,
        generic: &[GenericArg],
        why: &Why,
    ) {
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
    pub(super) fn match_arguments(
        &mut self,
        call: ExprId,
        name: &Name,
        sig: &FnSig,
        args: &[Arg],
    ) -> Option<Vec<usize>> {
        if let Some(finding) = self.labels_left_out(call, name, sig, args) {
            self.report(finding);
            return None;
        }
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
            .map(|(_, param)| match param.ty.is_wrong() {
                true => format!("`{}`", param.label),
                false => format!("`{}: {}`", param.label, param.ty),
            })
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

    /// What is wrong with a call that gives every argument in order, although labels are asked for.
    fn labels_left_out(
        &self,
        call: ExprId,
        name: &Name,
        sig: &FnSig,
        args: &[Arg],
    ) -> Option<Finding> {
        let plain = args.len() == sig.params.len() && args.iter().all(|arg| arg.label.is_none());
        let first = sig.params.iter().position(|param| param.label_required)?;
        let (param, arg) = (sig.params.get(first)?, args.get(first)?);
        if !plain || matches!(self.expr(call), Expr::Pipeline { .. }) {
            return None;
        }
        let place = Place::Expr(arg.value);
        let label = &param.label;
        let message = format!("`{name}` takes this argument with its label, `{label}:`");
        let finding = Finding::new(codes::ARGUMENTS, place, message);
        // What follows a label has one, too.
        let behind = || args.iter().zip(&sig.params).skip(first);
        if behind().any(|(_, param)| param.positional_only) {
            return Some(finding);
        }
        let labels: Vec<Remedy> = behind()
            .map(|(arg, param)| {
                let label = format!("{}: ", param.label);
                Remedy::InsertBefore(Place::Expr(arg.value), String::new(), label)
            })
            .collect();
        let title = if labels.len() == 1 { "write the label" } else { "write the labels" };
        Some(finding.remedy(Remedy::Several(labels, title.to_owned())))
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
        let given =
            |param: &ParamSig| args.iter().any(|arg| arg.label.as_ref() == Some(&param.label));
        let labelled = sig.params.iter().find(|param| param.label_required && !given(param));
        let finding = match (labelled, args.get(written)) {
            (Some(param), Some(arg)) if self.piped.get(arg.value).is_some() => {
                let place = self.call_place(call);
                let message = format!(
                    "`{name}` takes this argument with its label, `{}:`, and `|>` gives it without one",
                    param.label
                );
                let note = format!("call it in a closure: `(|x| {name}({}: x))`", param.label);
                Finding::new(codes::ARGUMENTS, place, message).note(note)
            }
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
            _ => {
                self.wrong_count(call, &format!("`{name}`"), sig.params.len(), args);
                return None;
            }
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
            self.wrong_count(call, &format!("`{name}`"), params.len(), args);
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
