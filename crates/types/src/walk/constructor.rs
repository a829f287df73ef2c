//! Constructors of tensors: `Tensor::zeros()` and its kin.

use neuro_db::{Name, codes};
use neuro_hir::{Arg, Expr, ExprId};
use neuro_num::DType;

use super::named::Takes;
use super::{Context, Why};
use crate::{Callee, Extent, Finding, Place, Remedy, TensorConstructor, TensorTy, Ty};
use neuro_hir::similar;

impl Context<'_> {
    /// A call of `Tensor::name`; `ty` is the type where it is written.
    pub(super) fn call_tensor(
        &mut self,
        call: ExprId,
        callee: ExprId,
        name: &Name,
        ty: Option<Ty>,
        args: &[Arg],
        hint: Option<&Ty>,
    ) -> Ty {
        let Some(constructor) = TensorConstructor::from_name(name) else {
            self.infer_arguments(args);
            return self.refuse(unknown_constructor(callee, name));
        };
        self.callees.insert(call, Callee::Constructor(constructor));
        let target = match ty {
            Some(Ty::Tensor(tensor)) => Ok(Some(tensor)),
            Some(_) => Err(()),
            None => match hint {
                Some(Ty::Tensor(tensor)) => Ok(Some(tensor.clone())),
                // What is expected is wrong already.
                Some(Ty::Error) => Err(()),
                _ => Ok(None),
            },
        };
        let Ok(target) = target else {
            self.infer_arguments(args);
            return Ty::Error;
        };
        self.construct(call, callee, constructor, target, args)
    }

    fn construct(
        &mut self,
        call: ExprId,
        callee: ExprId,
        constructor: TensorConstructor,
        target: Option<TensorTy>,
        args: &[Arg],
    ) -> Ty {
        let params: &[&str] = match constructor {
            TensorConstructor::Scalar => &["value"],
            TensorConstructor::From => &["literal"],
            TensorConstructor::FromFn => &["function"],
            TensorConstructor::Stack => &["count", "function"],
            TensorConstructor::Select => &["mask", "a", "b"],
            TensorConstructor::Zeros | TensorConstructor::Ones | TensorConstructor::Identity => &[],
            TensorConstructor::RandomNormal => {
                return self.random_normal(call, callee, target, args);
            }
        };
        if !self.plain_arguments(call, &Name::new(self.constructor_name(callee)), params, args) {
            self.infer_arguments(args);
            return Ty::Error;
        }
        let argument = args.first().map(|arg| arg.value);
        if let Some(tensor) = &target {
            let what = format!("`{}`", self.constructor_name(callee));
            if self.dynamic_axis(Place::Expr(callee), &what, tensor) {
                self.infer_arguments(args);
                return Ty::Error;
            }
        }
        match (constructor, argument) {
            (TensorConstructor::Scalar, Some(value)) => self.scalar_tensor(callee, target, value),
            (TensorConstructor::From, Some(value)) => self.tensor_from(callee, target, value),
            (TensorConstructor::Identity, _) => self.identity(callee, target),
            (TensorConstructor::Select, _) => self.tensor_select(args),
            (TensorConstructor::Stack, _) => match args {
                [count, function] => self.tensor_stack(count.value, function.value),
                _ => Ty::Error,
            },
            (TensorConstructor::FromFn, Some(function)) => match target {
                Some(tensor) => self.tensor_from_fn(&tensor, function),
                None => {
                    self.infer_arguments(args);
                    self.unknown_shape(callee)
                }
            },
            _ => match target {
                Some(tensor) => Ty::Tensor(tensor),
                None => self.unknown_shape(callee),
            },
        }
    }

    /// `Tensor::random_normal(mean: m, std: s)`; the labels may be left out.
    fn random_normal(
        &mut self,
        call: ExprId,
        callee: ExprId,
        target: Option<TensorTy>,
        args: &[Arg],
    ) -> Ty {
        const LABELS: [&str; 2] = ["mean", "std"];
        let shown = self.constructor_name(callee);
        let takes = if args.iter().all(|arg| arg.label.is_none()) {
            Takes { plain: &LABELS, labels: &[] }
        } else {
            Takes { plain: &[], labels: &LABELS }
        };
        let Some(given) = self.named_arguments(call, &shown, takes, args) else {
            self.infer_arguments(args);
            return Ty::Error;
        };
        let value = |index: usize, label: &'static str| {
            given.get(label).or_else(|| given.plain.get(index).copied())
        };
        let (mean, std) = (value(0, "mean"), value(1, "std"));
        if let Some(missing) =
            [(mean, "mean"), (std, "std")].iter().find(|(value, _)| value.is_none())
        {
            let label = missing.1;
            self.infer_arguments(args);
            return self.refuse(Finding::new(
                codes::ARGUMENTS,
                Place::Head(call),
                format!("this call of `{shown}` lacks the argument `{label}:`"),
            ));
        }
        let Some(tensor) = target else {
            self.infer_arguments(args);
            return self.unknown_shape(callee);
        };
        if self.dynamic_axis(Place::Expr(callee), &format!("`{shown}`"), &tensor) {
            self.infer_arguments(args);
            return Ty::Error;
        }
        if !matches!(tensor.elem, DType::F32 | DType::F64) {
            self.infer_arguments(args);
            let elem = tensor.elem;
            let finding = Finding::new(
                codes::MISMATCH,
                Place::Expr(callee),
                format!("normal draws are `f32` or `f64`, and `{tensor}` holds `{elem}`"),
            );
            return self.refuse(if elem.is_float() {
                finding.note(format!("draw `f32` and convert the draws: `.map(|x| x as {elem})`"))
            } else {
                finding
            });
        }
        for (value, param) in [(mean, "mean"), (std, "std")] {
            let Some(value) = value else { continue };
            let why = Why::Argument {
                callee: Name::from(shown.as_str()),
                param: Name::new_static(param),
                declared: None,
            };
            self.check(value, &Ty::Scalar(tensor.elem), &why);
        }
        Ty::Tensor(tensor)
    }

    fn constructor_name(&self, callee: ExprId) -> String {
        match self.expr(callee) {
            Expr::Path(path) => path.to_string(),
            _ => String::new(),
        }
    }

    fn unknown_shape(&mut self, callee: ExprId) -> Ty {
        let name = match self.expr(callee) {
            Expr::Path(path) => Name::from(path.last_name()),
            _ => Name::default(),
        };
        self.refuse(
            Finding::new(
                codes::AMBIGUOUS,
                Place::Expr(callee),
                "nothing says which element type and shape this tensor has",
            )
            .note(format!("annotate the binding, or write `Tensor::<f32, [2, 3]>::{name}(..)`")),
        )
    }

    fn scalar_tensor(&mut self, callee: ExprId, target: Option<TensorTy>, value: ExprId) -> Ty {
        if let Some(tensor) = target {
            if tensor.shape.rank() == 0 {
                let why = Why::Argument {
                    callee: "Tensor::scalar".into(),
                    param: "value".into(),
                    declared: None,
                };
                self.check(value, &Ty::Scalar(tensor.elem), &why);
                return Ty::Tensor(tensor);
            }
            let written = match self.expr(callee) {
                Expr::Path(path) => {
                    path.segments.iter().rev().nth(1).is_some_and(|part| part.args.is_some())
                }
                _ => false,
            };
            if written {
                self.infer(value, None);
                return self.refuse(Finding::new(
                    codes::SHAPE,
                    Place::WrittenType(callee),
                    format!("`Tensor::scalar` makes a tensor of rank 0, not `{tensor}`"),
                ));
            }
            // The place that expects another shape reports it.
            let found = self.infer(value, None);
            if let Ty::Var(id) = self.resolved(&found)
                && id.is_float() == tensor.elem.is_float()
            {
                self.table.fix(id, Ty::Scalar(tensor.elem));
            }
        }
        let found = match self.exprs.get(value) {
            Some(found) => found.clone(),
            None => self.infer(value, None),
        };
        if let Some(absorbed) = self.absorbed(&found) {
            return absorbed;
        }
        match self.table.finish(&found) {
            Ty::Scalar(dtype) => Ty::tensor(dtype, []),
            other => self.refuse(Finding::new(
                codes::MISMATCH,
                Place::Expr(value),
                format!("`Tensor::scalar` takes a number, not `{other}`"),
            )),
        }
    }

    fn tensor_from(&mut self, callee: ExprId, target: Option<TensorTy>, value: ExprId) -> Ty {
        let Some(tensor) = target else {
            match self.expr(value) {
                Expr::Array(_) => self.infer_array_entry(value),
                _ => self.infer(value, None),
            };
            return self.unknown_shape(callee);
        };
        if let Expr::Array(_) = self.expr(value) {
            let ty = self.tensor_literal(value, &tensor, &Why::Expected);
            self.record(value, ty);
        } else {
            let found = self.infer(value, None);
            if self.absorbed(&found).is_none() {
                let described = self.describe(&found);
                self.give_up(&found);
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(value),
                    format!("`Tensor::from` takes an array literal, not {described}"),
                ));
            }
        }
        Ty::Tensor(tensor)
    }

    fn identity(&mut self, callee: ExprId, target: Option<TensorTy>) -> Ty {
        let Some(tensor) = target else { return self.unknown_shape(callee) };
        let square = matches!(
            tensor.shape.dims(),
            [rows, columns] if rows.extent == columns.extent && rows.extent != Extent::Dynamic
        );
        if !square || tensor.elem == DType::Bool {
            return self.refuse(Finding::new(
                codes::SHAPE,
                Place::Expr(callee),
                format!("an identity is a square matrix of numbers, not `{tensor}`"),
            ));
        }
        Ty::Tensor(tensor)
    }
}

fn unknown_constructor(callee: ExprId, name: &Name) -> Finding {
    let finding = Finding::new(
        codes::MEMBER,
        Place::Head(callee),
        format!("`Tensor` has no function `{name}`"),
    );
    let known = TensorConstructor::ALL.into_iter().map(TensorConstructor::name);
    match similar(name, known) {
        Some(meant) => finding.note(format!("did you mean `{meant}`?")).remedy(Remedy::Replace(
            Place::Head(callee),
            format!("change to `{meant}`"),
            meant.to_owned(),
        )),
        None => finding,
    }
}
