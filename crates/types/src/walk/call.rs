//! Calls of functions: arguments find their parameters by position and label.

use neuro_db::{Name, codes};
use neuro_hir::{
    Arg, BuiltinType, Expr, ExprId, Function, Item, Path, PathProblem, Resolution, resolve_in,
};

use super::{Context, Type, Why};
use crate::{Callee, Finding, FnSig, Place, Remedy, Ty, fn_sig};
use neuro_hir::similar;

impl<'db> Context<'db> {
    pub(super) fn infer_call(
        &mut self,
        call: ExprId,
        callee: ExprId,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Type {
        match self.expr(callee) {
            Expr::Path(path) => self.infer_path_call(call, callee, path, args, hint),
            _ => {
                let found = self.infer(callee, None);
                self.infer_arguments(args);
                self.not_callable(callee, &found)
            }
        }
    }

    /// A call of a name or a path.
    fn infer_path_call(
        &mut self,
        call: ExprId,
        callee: ExprId,
        path: &Path,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Type {
        // The name of what is called has no type of its own.
        self.record(callee, Type::ERROR);
        let plain = path.as_name().is_some();
        match resolve_in(self.db, self.item, path) {
            Ok(Resolution::Item(Item::Function(function))) if plain => {
                self.callees.insert(callee, Callee::Function(function));
                self.callees.insert(call, Callee::Function(function));
                let name = function.name(self.db);
                self.call_function(call, function, &name, args)
            }
            Ok(Resolution::Item(Item::Const(constant))) if plain => {
                let ty = crate::const_value(self.db, constant).ty.clone();
                self.infer_arguments(args);
                self.not_callable(callee, &Type::Known(ty))
            }
            Ok(resolution) if self.is_refused(resolution) => {
                self.infer_arguments(args);
                self.infer_unclear()
            }
            Err(PathProblem::Member { base: Resolution::Type(BuiltinType::Tensor), .. })
                if path.segments.len() == 2 =>
            {
                self.infer_associated(call, callee, path, args, hint)
            }
            _ => {
                self.infer_arguments(args);
                match (path.as_name(), path.segments.as_slice()) {
                    (Some(name), _) => self.undeclared(callee, name),
                    (None, [base, name]) if self.is_unknown(&base.name) => {
                        let finding = self.unknown_base(callee, &base.name, &name.name);
                        self.refuse(finding)
                    }
                    (None, _) => self.unknown_path(callee, path, ""),
                }
            }
        }
    }

    /// Whether a name stands for nothing in the module.
    fn is_unknown(&self, name: &Name) -> bool {
        let module = self.item.module(self.db);
        neuro_hir::resolve_name(self.db, module, name.clone()).is_none()
    }

    fn not_callable(&mut self, callee: ExprId, found: &Type) -> Type {
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
                Expr::Text(parts) => {
                    self.infer_holes(parts);
                    self.record(arg.value, Type::Known(Ty::Text));
                }
                Expr::Array(_) => {
                    self.infer_array_entry(arg.value);
                }
                _ => {
                    self.infer(arg.value, None);
                }
            }
        }
    }

    fn call_function(
        &mut self,
        call: ExprId,
        function: Function<'db>,
        name: &Name,
        args: &[Arg],
    ) -> Type {
        let sig = fn_sig(self.db, function);
        match self.match_arguments(call, name, sig, args) {
            Some(order) => {
                // In the order of the text, which is the order in which they run.
                for (written, arg) in args.iter().enumerate() {
                    let param = order.iter().position(|filled| *filled == written);
                    if let Some((index, param)) =
                        param.and_then(|index| Some((index, sig.params.get(index)?)))
                    {
                        let why = Why::Argument {
                            callee: name.clone(),
                            param: param.name.clone(),
                            declared: Some(Place::CalleeParam(call, index)),
                        };
                        self.check(arg.value, &param.ty, &why);
                    }
                }
                self.arguments.insert(call, order);
            }
            None => self.infer_arguments(args),
        }
        Type::Known(sig.ret.clone())
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
                        Place::Expr(arg.value),
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
                Place::Head(call),
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
        let place = Place::Expr(arg.value);
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
                    Some(meant) => finding.note(format!("did you mean `{meant}`?")),
                    None => finding,
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
                Place::Head(call),
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
                Place::Head(call),
                format!(
                    "`{name}` takes {}, and this call gives {}",
                    arguments(params.len()),
                    args.len()
                ),
            ));
            return false;
        }
        if let Some(arg) = args.iter().find(|arg| arg.label.is_some()) {
            self.report(Finding::new(
                codes::ARGUMENTS,
                Place::Expr(arg.value),
                format!("the arguments of `{name}` have no labels"),
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
