//! What is asked of the value of a `@grad` or `@jacobian` call: `.backward()`, `.forward(..)`, `.hvp(..)`,
//! `.jacobian(x)`, `.hessian(w, b)`. Their types are those of the parameters that the callee is
//! differentiated by; whether `.backward()` may run there is checked with the borrows.

use std::sync::Arc;

use neuro_db::{Name, codes};
use neuro_hir::{Expr, ExprId, Function, LocalId, Stmt, similar};

use super::method::MethodCall;
use super::named::Takes;
use super::{Context, Why};
use crate::{
    Callee, DiffForm, DiffOrder, DiffSpec, Finding, GenericArg, Method, Place, Remedy, SparseTy,
    TensorTy, Ty, Wrt, diff_spec,
};

/// The call that a value comes from.
struct Origin<'db> {
    function: Function<'db>,
    spec: &'db DiffSpec,
    /// What the function is applied to.
    args: Vec<GenericArg>,
}

impl<'db> Context<'db> {
    /// `.backward()`
    pub(super) fn backward(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        let takes = Takes { plain: &[], labels: &["accumulate", "seed"] };
        let Some(given) = self.named_arguments(method.call, ".backward()", takes, method.args)
        else {
            return Ty::Error;
        };
        let origin = self.origin_of(method.receiver);
        let jacobian = origin.as_ref().is_some_and(|origin| origin.spec.form == DiffForm::Jacobian);
        let loss = tensor.elem.is_float() && tensor.shape.rank() == 0;
        if !jacobian && !loss {
            return self.refuse(Finding::new(
                codes::MEMBER,
                Place::Head(method.call),
                format!("`.backward()` exists on the loss of a `@grad` call, a rank-0 tensor of floats; this is `{tensor}`"),
            ));
        }
        if let Some(accumulate) = given.get("accumulate") {
            self.constant_truth(accumulate, ".backward()", "accumulate");
        }
        if let Some(seed) = given.get("seed") {
            if jacobian {
                let ty = Ty::Tensor(tensor.clone()).reference(false);
                self.check(seed, &ty, &argument(".backward()", "seed"));
            } else {
                self.infer(seed, None);
                self.report(Finding::new(
                    codes::ARGUMENTS,
                    Place::Label(seed),
                    "`seed:` belongs to the value of a `@jacobian` call; a loss is seeded with 1",
                ));
            }
        }
        Ty::Void
    }

    /// `.forward(w: &v)` and `.hvp(w: &v)`: a direction for each name.
    pub(super) fn directional(
        &mut self,
        method: &MethodCall<'_>,
        known: Method,
        tensor: &TensorTy,
    ) -> Ty {
        let Some(origin) = self.origin_or_report(method) else { return Ty::Error };
        let shown = format!(".{}()", method.name);
        let head = Place::Head(method.call);
        if known == Method::Hvp && origin.spec.form == DiffForm::Jacobian {
            return self.refuse(Finding::new(
                codes::MEMBER,
                head,
                "`.hvp()` is a product with the Hessian of a loss, and this is the value of a `@jacobian` call",
            ));
        }
        let mut seen: Vec<&Name> = Vec::new();
        let mut result = None;
        for arg in method.args {
            let Some(label) = &arg.label else {
                let finding = Finding::new(
                    codes::ARGUMENTS,
                    Place::Expr(arg.value),
                    format!("`{shown}` takes each direction with the name of its parameter"),
                );
                let finding = match self.names(&origin).as_slice() {
                    [only] => finding.remedy(Remedy::InsertBefore(
                        Place::Expr(arg.value),
                        "write the name".to_owned(),
                        format!("{only}: "),
                    )),
                    _ => finding,
                };
                return self.refuse(finding);
            };
            if seen.contains(&label) {
                return self.refuse(Finding::new(
                    codes::ARGUMENTS,
                    Place::Label(arg.value),
                    format!("`{label}:` has two directions"),
                ));
            }
            seen.push(label);
            let Some(wrt) = self.wrt(&origin, label, Place::Label(arg.value)) else {
                return Ty::Error;
            };
            let ty = Ty::Tensor(wrt.clone());
            self.check(arg.value, &ty.clone().reference(false), &argument(&shown, label));
            result.get_or_insert(ty);
        }
        match (known, result) {
            (_, None) => self.refuse(
                Finding::new(
                    codes::ARGUMENTS,
                    head,
                    format!("`{shown}` needs a direction, and this call gives none"),
                )
                .note(self.named_after(&origin)),
            ),
            (Method::Hvp, Some(_)) if seen.len() > 1 => self.refuse(Finding::new(
                codes::ARGUMENTS,
                head,
                "`.hvp()` takes one direction: its result has the shape of that parameter",
            )),
            (Method::Hvp, Some(ty)) => ty,
            (_, Some(_)) => Ty::Tensor(tensor.clone()),
        }
    }

    /// `.jacobian(x)`: the shape of the result, then that of the parameter.
    pub(super) fn jacobian_by(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        self.only_names(method);
        let Some(origin) = self.origin_or_report(method) else { return Ty::Error };
        if origin.spec.form != DiffForm::Jacobian {
            let name = origin.function.name(self.db);
            return self.refuse(
                Finding::new(
                    codes::MEMBER,
                    Place::Head(method.call),
                    format!("`.jacobian()` exists on the value of a `@jacobian` call, and `{name}` has `@grad`"),
                )
                .note("the derivative of a loss is beside its parameter: `w.grad()`"),
            );
        }
        let Some(names) = self.places(method, &origin, 1..=1) else { return Ty::Error };
        let [wrt] = names.as_slice() else { return Ty::Error };
        derivative_type(tensor, wrt, origin.spec.is_sparse()).reference(false)
    }

    /// `.hessian(w)` and `.hessian(w, b)` on the value of a call.
    pub(super) fn hessian_by(&mut self, method: &MethodCall<'_>) -> Ty {
        self.only_names(method);
        let Some(origin) = self.origin_or_report(method) else { return Ty::Error };
        if origin.spec.order != DiffOrder::Second {
            let name = origin.function.name(self.db);
            return self.refuse(
                Finding::new(
                    codes::ORDER,
                    Place::Head(method.call),
                    format!("`{name}` is differentiated once, and a Hessian needs `order: 2`"),
                )
                .note("write `@grad(order: 2)` in front of it; `.hvp(w: &v)` needs no Hessian"),
            );
        }
        let Some(names) = self.places(method, &origin, 1..=2) else { return Ty::Error };
        match names.as_slice() {
            [wrt] => derivative_type(wrt, wrt, origin.spec.is_sparse()).reference(false),
            [rows, cols] => derivative_type(rows, cols, origin.spec.is_sparse()),
            _ => Ty::Error,
        }
    }

    /// The names among the arguments stand for parameters of the callee, and need not be declared here.
    fn only_names(&mut self, method: &MethodCall<'_>) {
        for arg in method.args {
            if arg.label.is_none() && self.bare_name(arg.value).is_some() {
                self.record(arg.value, Ty::Error);
            }
        }
    }

    /// The parameters that arguments name; none after a report.
    fn places(
        &mut self,
        method: &MethodCall<'_>,
        origin: &Origin<'db>,
        count: std::ops::RangeInclusive<usize>,
    ) -> Option<Vec<TensorTy>> {
        if !count.contains(&method.args.len()) {
            let takes = match (count.start(), count.end()) {
                (1, 1) => "the name of a parameter",
                _ => "the name of a parameter, or two",
            };
            self.report(
                Finding::new(
                    codes::ARGUMENTS,
                    Place::Head(method.call),
                    format!(
                        "`.{}()` takes {takes}, and this call gives {}",
                        method.name,
                        method.args.len()
                    ),
                )
                .note(self.named_after(origin)),
            );
            return None;
        }
        let mut found = Vec::new();
        for arg in method.args {
            let place = Place::Expr(arg.value);
            let name = self.bare_name(arg.value).filter(|_| arg.label.is_none());
            let Some(name) = name else {
                self.report(
                    Finding::new(
                        codes::ARGUMENTS,
                        place,
                        format!("`.{}()` takes the names of parameters", method.name),
                    )
                    .note(self.named_after(origin)),
                );
                return None;
            };
            self.record(arg.value, Ty::Error);
            let tensor = self.wrt(origin, &name, place)?;
            self.record(arg.value, Ty::Tensor(tensor.clone()));
            found.push(tensor);
        }
        Some(found)
    }

    /// The tensor that a name of the callee's derivative stands for; none after a report.
    fn wrt(&mut self, origin: &Origin<'db>, name: &str, place: Place) -> Option<TensorTy> {
        let named = |wrt: &&Wrt| wrt.name.as_deref() == Some(name);
        if let Some(wrt) = origin.spec.wrt.iter().find(named) {
            if let Ty::Tensor(tensor) =
                self.resolved(&Ty::Tensor(wrt.tensor.clone()).apply(&origin.args))
            {
                if wrt.is_family() {
                    self.report(
                        Finding::new(
                            codes::ARGUMENTS,
                            place,
                            format!("`{name}` stands for every element of an array, and this needs one tensor"),
                        )
                        .note("list the element with a name of its own in `wrt:`"),
                    );
                    return None;
                }
                return Some(tensor);
            }
            return None;
        }
        let function = origin.function.name(self.db);
        let finding = Finding::new(
            codes::ARGUMENTS,
            place,
            format!("`{function}` is not differentiated by `{name}`"),
        );
        let names = self.names(origin);
        let finding = match similar(name, names.iter().map(Name::as_str)) {
            Some(meant) => finding
                .note(format!("did you mean `{meant}`?"))
                .remedy(Remedy::Replace(place, format!("change to `{meant}`"), meant.to_owned())),
            None => finding.note(self.named_after(origin)),
        };
        self.report(finding);
        None
    }

    fn names(&self, origin: &Origin<'db>) -> Vec<Name> {
        origin.spec.wrt.iter().filter_map(|wrt| wrt.name.clone()).collect()
    }

    /// What the derivative of a call can be asked for.
    fn named_after(&self, origin: &Origin<'db>) -> String {
        let function = origin.function.name(self.db);
        let names: Vec<String> =
            self.names(origin).iter().map(|name| format!("`{name}`")).collect();
        if names.is_empty() {
            format!("`{function}` is differentiated by paths; give one a name: `wrt: [w: self.w]`")
        } else {
            format!("`{function}` is differentiated by {}", names.join(", "))
        }
    }

    /// The call that the receiver of a method is bound to, if it has a derivative.
    fn origin_of(&self, receiver: ExprId) -> Option<Origin<'db>> {
        let Expr::Local(local) = self.expr(receiver) else { return None };
        let init = self.initializer(*local)?;
        self.origin_of_call(init)
    }

    fn origin_of_call(&self, call: ExprId) -> Option<Origin<'db>> {
        let Some(Callee::Function(function)) = self.callees.get(call).copied() else { return None };
        let spec = diff_spec(self.db, function).spec.as_ref()?;
        let args = self.generic_args.get(call).cloned().unwrap_or_default();
        Some(Origin { function, spec, args })
    }

    /// The value that a plain binding is given.
    fn initializer(&self, local: LocalId) -> Option<ExprId> {
        self.body.exprs.values().find_map(|expr| {
            let Expr::Block { stmts, .. } = expr else { return None };
            stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let { pat, init, .. } if self.body.bound(*pat) == Some(local) => Some(*init),
                Stmt::Let { .. } | Stmt::LetElse { .. } | Stmt::Const { .. } | Stmt::Expr(_) => {
                    None
                }
            })
        })
    }

    /// The call that a derivative is asked of; what stands in the way is reported.
    fn origin_or_report(&mut self, method: &MethodCall<'_>) -> Option<Origin<'db>> {
        let shown = format!(".{}()", method.name);
        let head = Place::Head(method.call);
        let wrong = |message: String| Finding::new(codes::BACKWARD, head, message);
        if self.differentiated {
            let finding =
                wrong(format!("`{shown}` cannot run inside a function that is differentiated"));
            self.report(finding.note(
                "the derivative of a gradient is made by `@grad(order: 2)` on the function itself",
            ));
            return None;
        }
        let finding = match self.expr(method.receiver) {
            Expr::Local(local) => {
                let local = *local;
                let declared = &self.body.locals[local];
                let name = &declared.name;
                match self.initializer(local) {
                    None => wrong(format!(
                        "`{name}` is no `val` that is bound to a call of a `@grad` function"
                    ))
                    .related(Place::Local(local), format!("`{name}` is declared here")),
                    Some(init) => match self.origin_of_call(init) {
                        Some(origin) if !declared.mutable => return Some(origin),
                        Some(_) => wrong(format!(
                            "`{name}` is declared with `mut`; `{shown}` needs a `val`"
                        ))
                        .related(Place::Local(local), format!("`{name}` is declared here"))
                        .remedy(Remedy::Replace(
                            Place::LocalKeyword(local),
                            format!("declare `{name}` with `val`"),
                            "val".to_owned(),
                        )),
                        None => match self.callees.get(init) {
                            Some(Callee::Function(function)) => {
                                let attrs = &neuro_hir::signature(self.db, *function).attrs;
                                // What is wrong with an attribute that is there is said at the attribute.
                                if attrs
                                    .iter()
                                    .any(|attr| matches!(attr.name.as_str(), "grad" | "jacobian"))
                                {
                                    return None;
                                }
                                let called = function.name(self.db);
                                wrong(format!(
                                    "`{called}` has no `@grad`, so its value has no `{shown}`"
                                ))
                                .related(
                                    Place::Expr(init),
                                    format!("`{name}` is bound to this call"),
                                )
                            }
                            _ => wrong(format!(
                                "`{name}` is not bound directly to a call of a `@grad` function"
                            ))
                            .related(Place::Expr(init), format!("`{name}` is bound to this")),
                        },
                    },
                }
            }
            _ => wrong(format!(
                "`{shown}` runs on a `val` that is bound directly to the call of a `@grad` function"
            ))
            .note("bind the call first: `val l = ..`"),
        };
        self.report(finding);
        None
    }
}

/// The derivative of one tensor by another.
fn derivative_type(of: &TensorTy, by: &TensorTy, sparse: bool) -> Ty {
    if sparse {
        return Ty::Sparse(Arc::new(SparseTy {
            elem: of.elem,
            rows: of.shape.clone(),
            cols: by.shape.clone(),
        }));
    }
    Ty::Tensor(TensorTy { elem: of.elem, shape: of.shape.join(&by.shape) })
}

fn argument(callee: &str, param: &str) -> Why {
    Why::Argument { callee: callee.into(), param: param.into(), declared: None }
}
