//! Functions over elements: `.map`, `.zip`, `.reduce`, and the constructors that call a function.

use std::sync::Arc;

use neuro_db::codes;
use neuro_hir::{Arg, Expr, ExprId};
use neuro_num::DType;

use super::method::MethodCall;
use super::mismatch::shape_difference;
use super::operator::Operand;
use super::{Context, Why};
use crate::constants::Worth;
use crate::{Dim, Finding, FnTy, Place, Remedy, Shape, TensorTy, Ty};

impl Context<'_> {
    /// `.map(f)`
    pub(super) fn map_elements(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        if !self.plain_arguments(method.call, &".map()".into(), &["function"], method.args)
            || self.dynamic_axis(Place::Head(method.call), "`.map()`", tensor)
        {
            return Ty::Error;
        }
        let Some(arg) = method.args.first() else { return Ty::Error };
        let ret = self.fresh();
        if !self.called_with(arg.value, &[Ty::Scalar(tensor.elem)], &ret, ".map") {
            return Ty::Error;
        }
        match self.element_of(arg.value, &ret, ".map") {
            Some(elem) => Ty::Tensor(TensorTy { elem, shape: tensor.shape.clone() }),
            None => Ty::Error,
        }
    }

    /// `.zip(other, f)`
    pub(super) fn zip_elements(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        if !self.plain_arguments(method.call, &".zip()".into(), &["other", "function"], method.args)
            || self.dynamic_axis(Place::Head(method.call), "`.zip()`", tensor)
        {
            return Ty::Error;
        }
        let [other, function] = method.args else { return Ty::Error };
        let Some(partner) = self.partner(other.value, tensor, ".zip") else { return Ty::Error };
        let ret = self.fresh();
        let params = [Ty::Scalar(tensor.elem), Ty::Scalar(partner.elem)];
        if !self.called_with(function.value, &params, &ret, ".zip") {
            return Ty::Error;
        }
        match self.element_of(function.value, &ret, ".zip") {
            Some(elem) => Ty::Tensor(TensorTy { elem, shape: tensor.shape.clone() }),
            None => Ty::Error,
        }
    }

    /// Another tensor of the same shape; none after a report.
    fn partner(&mut self, other: ExprId, tensor: &TensorTy, of: &str) -> Option<TensorTy> {
        let found = self.infer(other, None);
        self.absorbed(&found).is_none().then_some(())?;
        let found = self.settled(other, &found);
        let Operand::Tensor(partner) = self.operand(&found) else {
            let described = self.describe(&found);
            self.give_up(&found);
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(other),
                format!("`{of}` pairs the elements of two tensors, and this is {described}"),
            ));
            return None;
        };
        if self.same_shape(other, &partner, tensor, of) { Some(partner) } else { None }
    }

    /// Whether two tensors have one shape; says so if not.
    fn same_shape(&mut self, at: ExprId, found: &TensorTy, wanted: &TensorTy, of: &str) -> bool {
        if self.dynamic_axis(Place::Expr(at), &format!("`{of}`"), found) {
            return false;
        }
        let pair = |elem: DType, shape: &Shape| Ty::Tensor(TensorTy { elem, shape: shape.clone() });
        if self.table.unify(&pair(DType::Bool, &found.shape), &pair(DType::Bool, &wanted.shape)) {
            return true;
        }
        let finding = Finding::new(
            codes::SHAPE,
            Place::Expr(at),
            format!(
                "`{of}` needs two tensors of one shape, and these are {} and {}",
                wanted.shape, found.shape
            ),
        );
        let finding = shape_difference(finding, &found.shape, &wanted.shape, &wanted.shape);
        self.report(finding);
        false
    }

    /// `.reduce(first, f)`
    pub(super) fn reduce_elements(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        if !self.plain_arguments(
            method.call,
            &".reduce()".into(),
            &["first", "function"],
            method.args,
        ) || self.dynamic_axis(Place::Head(method.call), "`.reduce()`", tensor)
        {
            return Ty::Error;
        }
        let [first, function] = method.args else { return Ty::Error };
        let seed = match self.accumulator(function.value) {
            Some(ty) => {
                let before = self.findings.len();
                let why = Why::Argument {
                    callee: ".reduce()".into(),
                    param: "first".into(),
                    declared: None,
                };
                self.check(first.value, &ty, &why);
                if self.findings.len() > before {
                    self.infer_arguments(method.args);
                    return ty;
                }
                ty
            }
            None => self.infer(first.value, None),
        };
        if self.absorbed(&seed).is_some() {
            return Ty::Error;
        }
        let params = [seed.clone(), Ty::Scalar(tensor.elem)];
        if !self.called_with(function.value, &params, &seed, ".reduce") {
            self.give_up(&seed);
            return Ty::Error;
        }
        self.table.finish(&seed)
    }

    /// The type that the function of `.reduce` says its accumulator has: the first value takes it. None of
    /// a closure that leaves it open.
    fn accumulator(&mut self, function: ExprId) -> Option<Ty> {
        let ty = match self.expr(function) {
            // What is wrong with the written type is reported where the closure is inferred.
            Expr::Closure(closure) => {
                let written = closure.params.first()?.ty.as_ref()?;
                let consts = &self.local_consts;
                let mut value = |local| consts.get(local).and_then(Worth::as_int);
                self.env.lower_with(written, &mut value).ty
            }
            _ => {
                let found = self.infer(function, None);
                match self.resolved(&found).peeled() {
                    Ty::Fn(function) => function.params.first()?.clone(),
                    _ => return None,
                }
            }
        };
        (!ty.any_var() && ty != Ty::Error).then_some(ty)
    }

    /// Checks a function that is called with these types and gives `ret`; whether it can be.
    pub(super) fn called_with(
        &mut self,
        function: ExprId,
        params: &[Ty],
        ret: &Ty,
        of: &str,
    ) -> bool {
        self.borrowing.insert(function);
        let before = self.findings.len();
        let wanted = Ty::Fn(Arc::new(FnTy { params: params.to_vec(), ret: ret.clone() }));
        let count = params.len();
        if let Expr::Closure(closure) = self.expr(function)
            && closure.params.len() != count
        {
            let given = closure.params.len();
            self.infer(function, None);
            self.findings.truncate(before);
            self.report(wrong_arity(Place::Head(function), of, count, given));
            return false;
        }
        let found = self.infer(function, Some(&wanted));
        if self.absorbed(&found).is_some() {
            return false;
        }
        let found = self.settled(function, &found);
        let Ty::Fn(given) = found.peeled().clone() else {
            let described = self.describe(&found);
            self.give_up(&found);
            if found != Ty::Error {
                self.report(Finding::new(
                    codes::MISMATCH,
                    Place::Expr(function),
                    format!("`{of}` calls a function for each element, and this is {described}"),
                ));
            }
            return false;
        };
        if given.params.len() != count {
            self.report(wrong_arity(Place::Expr(function), of, count, given.params.len()));
            return false;
        }
        for (index, (takes, gets)) in given.params.iter().zip(params).enumerate() {
            if self.table.unify(takes, gets) {
                continue;
            }
            let written = match self.expr(function) {
                Expr::Closure(closure) => closure.params.get(index).filter(|it| it.ty.is_some()),
                _ => None,
            };
            let remedy = written.filter(|_| !gets.any_var()).map(|param| {
                let title = format!("change to `{gets}`");
                Remedy::Replace(Place::LocalType(param.local), title, gets.to_string())
            });
            let place = written.map_or(Place::Expr(function), |it| Place::LocalType(it.local));
            let (takes, gets) = (self.describe(takes), self.describe(gets));
            let which = if count == 1 {
                "its parameter".to_owned()
            } else {
                format!("its parameter {}", index + 1)
            };
            let message = format!("`{of}` gives this function {gets}, and {which} is {takes}");
            let mut finding = Finding::new(codes::MISMATCH, place, message);
            finding.remedies.extend(remedy);
            self.report(finding);
            return false;
        }
        if !self.table.unify(&given.ret, ret) {
            let (gives, wants) = (self.describe(&given.ret), self.describe(ret));
            self.give_up(&given.ret);
            self.report(Finding::new(
                codes::MISMATCH,
                Place::Expr(function),
                format!("`{of}` needs a function that gives {wants}, and this one gives {gives}"),
            ));
            return false;
        }
        self.findings.len() == before
    }

    /// The element type that a function gives; none after a report.
    pub(super) fn element_of(&mut self, function: ExprId, ret: &Ty, of: &str) -> Option<DType> {
        match self.table.finish(ret) {
            Ty::Scalar(dtype) => Some(dtype),
            Ty::Error | Ty::Never => None,
            other => {
                let place = match self.expr(function) {
                    Expr::Closure(closure) => match self.expr(closure.body) {
                        Expr::Block { tail: Some(tail), .. } => Place::Expr(*tail),
                        _ => Place::Expr(closure.body),
                    },
                    _ => Place::Expr(function),
                };
                let described = self.describe(&other);
                self.give_up(&other);
                self.report(Finding::new(
                    codes::MISMATCH,
                    place,
                    format!("`{of}` makes elements, numbers or `bool`, and this function gives {described}"),
                ));
                None
            }
        }
    }

    /// `Tensor::from_fn(|i, j| ..)`: one position for each axis.
    pub(super) fn tensor_from_fn(&mut self, tensor: &TensorTy, function: ExprId) -> Ty {
        let params = vec![Ty::Scalar(DType::U64); tensor.shape.rank()];
        self.called_with(function, &params, &Ty::Scalar(tensor.elem), "Tensor::from_fn");
        Ty::Tensor(tensor.clone())
    }

    /// `Tensor::stack(n, |k| ..)`: tensors of one shape along a new first axis.
    pub(super) fn tensor_stack(&mut self, count: ExprId, function: ExprId) -> Ty {
        let counts = self.position(count);
        let sum = self.sum_of(count).ok().filter(|sum| !sum.is_dynamic());
        let extent = sum.and_then(|sum| sum.extent());
        let ret = self.fresh();
        let called = self.called_with(function, &[Ty::Scalar(DType::U64)], &ret, "Tensor::stack");
        if !counts || self.absorbed(&self.type_of(count)).is_some() {
            return Ty::Error;
        }
        let Some(extent) = extent else {
            return self.refuse(Finding::new(
                codes::SHAPE,
                Place::Expr(count),
                "how many tensors are stacked is known while compiling: an integer from 0 up",
            ));
        };
        if !called {
            return Ty::Error;
        }
        let part = self.resolved(&ret);
        let Ty::Tensor(part) = part.peeled().clone() else {
            let described = self.describe(&part);
            self.give_up(&part);
            return self.refuse(Finding::new(
                codes::MISMATCH,
                Place::Expr(function),
                format!("`Tensor::stack` needs a function that gives a tensor, and this one gives {described}"),
            ));
        };
        let dims = std::iter::once(Dim::new(extent)).chain(part.shape.dims().iter().cloned());
        Ty::Tensor(TensorTy { elem: part.elem, shape: Shape::of(dims) })
    }

    /// `Tensor::select(&mask, a, b)`: both tensors have the shape of the mask.
    pub(super) fn tensor_select(&mut self, args: &[Arg]) -> Ty {
        let [mask, first, second] = args else { return Ty::Error };
        let mut operands = Vec::new();
        for arg in [mask, first, second] {
            let found = self.infer(arg.value, None);
            if self.absorbed(&found).is_some() {
                operands.push(None);
                continue;
            }
            let found = self.settled(arg.value, &found);
            match self.operand(&found) {
                Operand::Tensor(tensor) => operands.push(Some(tensor)),
                _ => {
                    let described = self.describe(&found);
                    self.give_up(&found);
                    self.report(Finding::new(
                        codes::MISMATCH,
                        Place::Expr(arg.value),
                        format!("`Tensor::select` takes three tensors, and this is {described}"),
                    ));
                    operands.push(None);
                }
            }
        }
        let [Some(mask_ty), Some(a), Some(b)] = operands.as_slice() else { return Ty::Error };
        if mask_ty.elem != DType::Bool {
            let message =
                format!("the mask of `Tensor::select` is a tensor of `bool`, not `{mask_ty}`");
            return self.refuse(
                Finding::new(codes::MISMATCH, Place::Expr(mask.value), message)
                    .note("a mask is made by `.map(|x| x > 0.0)`"),
            );
        }
        if a.elem != b.elem {
            let message = format!(
                "`Tensor::select` chooses between elements of one type, and these are `{a}` and `{b}`"
            );
            return self.refuse(
                Finding::new(codes::MISMATCH, Place::Expr(second.value), message)
                    .related(Place::Expr(first.value), format!("this is `{a}`")),
            );
        }
        let fit = self.same_shape(first.value, a, mask_ty, "Tensor::select")
            && self.same_shape(second.value, b, a, "Tensor::select");
        if fit { Ty::Tensor(a.clone()) } else { Ty::Error }
    }
}

fn wrong_arity(place: Place, of: &str, count: usize, given: usize) -> Finding {
    let takes = |count: usize| match count {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        count => format!("{count} parameters"),
    };
    Finding::new(
        codes::ARGUMENTS,
        place,
        format!("`{of}` calls a function of {}, and this one has {}", takes(count), takes(given)),
    )
}
