//! Reductions and sorts: one axis of a tensor is folded or put in order.

use std::sync::Arc;

use neuro_db::codes;
use neuro_hir::ExprId;
use neuro_num::DType;

use super::Context;
use super::axes::axis_words;
use super::method::MethodCall;
use super::named::Takes;
use crate::demands::{Asked, Demand, Outside};
use crate::{Dim, Extent, Finding, Formula, Method, Place, Shape, TensorTy, Ty};

impl Context<'_> {
    /// `.sum()`, `.mean()`, `.max()`, `.min()`: of all elements a number, along an axis a tensor without it.
    pub(super) fn reduction(
        &mut self,
        method: &MethodCall<'_>,
        known: Method,
        tensor: &TensorTy,
    ) -> Ty {
        let shown = format!(".{}()", method.name);
        let takes = Takes { plain: &[], labels: &["axis"] };
        let Some(given) = self.named_arguments(method.call, &shown, takes, method.args) else {
            return Ty::Error;
        };
        if let Some(finding) = no_reduction(method, known, tensor) {
            return self.refuse(finding);
        }
        let head = Place::Head(method.call);
        if self.dynamic_axis(head, &format!("`{shown}`"), tensor) {
            return Ty::Error;
        }
        let Some(value) = given.get("axis") else {
            if tensor.shape.elements() == Some(0) {
                let message = format!("`{tensor}` has no elements to reduce");
                return self.refuse(Finding::new(codes::SHAPE, head, message));
            }
            return Ty::Scalar(tensor.elem);
        };
        let Some(axis) = self.axis(value, tensor) else { return Ty::Error };
        if tensor.shape.dims().get(axis).is_some_and(|dim| dim.extent == Extent::Known(0)) {
            let message = format!(
                "axis {} of `{tensor}` has no elements to reduce",
                axis_words(tensor, axis)
            );
            return self.refuse(Finding::new(codes::SHAPE, Place::Expr(value), message));
        }
        self.axes.insert(method.call, vec![axis]);
        Ty::Tensor(TensorTy { elem: tensor.elem, shape: tensor.shape.without(axis) })
    }

    /// `.sort()`, `.argsort()` and `.topk(k: n)`.
    pub(super) fn sorting(
        &mut self,
        method: &MethodCall<'_>,
        known: Method,
        tensor: &TensorTy,
    ) -> Ty {
        let shown = format!(".{}()", method.name);
        let labels: &[&str] = match known {
            Method::Topk => &["k", "axis"],
            _ => &["axis", "descending"],
        };
        let takes = Takes { plain: &[], labels };
        let Some(given) = self.named_arguments(method.call, &shown, takes, method.args) else {
            return Ty::Error;
        };
        let head = Place::Head(method.call);
        if tensor.elem == DType::Bool {
            let message = format!("`{shown}` does not exist on `{tensor}`: `bool` has no order");
            return self.refuse(Finding::new(codes::MEMBER, head, message));
        }
        let Some(last) = tensor.shape.rank().checked_sub(1) else {
            let message = format!("`{shown}` orders along an axis, and `{tensor}` has none");
            return self.refuse(Finding::new(codes::SHAPE, head, message));
        };
        if self.dynamic_axis(head, &format!("`{shown}`"), tensor) {
            return Ty::Error;
        }
        if let Some(descending) = given.get("descending") {
            self.constant_truth(descending, &shown, "descending");
        }
        let axis = match given.get("axis") {
            Some(value) => match self.axis(value, tensor) {
                Some(axis) => axis,
                None => return Ty::Error,
            },
            None => last,
        };
        self.axes.insert(method.call, vec![axis]);
        let positions = |shape: Shape| Ty::Tensor(TensorTy { elem: DType::I32, shape });
        match known {
            Method::Topk => {
                let Some(k) = given.get("k") else {
                    return self.refuse(
                        Finding::new(
                            codes::ARGUMENTS,
                            head,
                            "`.topk()` needs to know how many elements: `k:`",
                        )
                        .note("as in `t.topk(k: 3)`"),
                    );
                };
                let Some(extent) = self.greatest(k, tensor, axis) else { return Ty::Error };
                let dims = tensor.shape.dims().iter().enumerate().map(|(index, dim)| {
                    if index == axis { Dim::new(extent.clone()) } else { dim.clone() }
                });
                let shape = Shape::of(dims);
                let values = Ty::Tensor(TensorTy { elem: tensor.elem, shape: shape.clone() });
                Ty::Tuple(Arc::new([values, positions(shape)]))
            }
            Method::Argsort => positions(tensor.shape.clone()),
            _ => Ty::Tensor(tensor.clone()),
        }
    }

    /// How many elements `.topk` takes; none after a report.
    fn greatest(&mut self, k: ExprId, tensor: &TensorTy, axis: usize) -> Option<Extent> {
        if !self.position(k) {
            return None;
        }
        self.absorbed(&self.type_of(k)).is_none().then_some(())?;
        let count = self.sum_of(k).ok().filter(|sum| !sum.is_dynamic());
        let Some(count) = count else {
            self.report(Finding::new(
                codes::INDEX,
                Place::Expr(k),
                "`k:` is known while compiling: it is an extent of the result",
            ));
            return None;
        };
        let of = Ty::Tensor(tensor.clone());
        let outside = Outside {
            start: None,
            end: None,
            len: count.constant(),
            extent: tensor.shape.dims().get(axis).and_then(|dim| dim.extent.known()),
            of: &of,
            axis,
        };
        if let Some(problem) = outside.greatest(&axis_words(tensor, axis)) {
            self.report(Finding::new(codes::INDEX, Place::Expr(k), problem));
            return None;
        }
        if let Some(end) = count.formula() {
            let (what, start) = (Asked::Greatest, Formula::default());
            self.demand(Demand { at: k, what, of, axis, start, end });
        }
        count.extent()
    }
}

fn no_reduction(method: &MethodCall<'_>, known: Method, tensor: &TensorTy) -> Option<Finding> {
    let name = method.name;
    let head = Place::Head(method.call);
    match known {
        _ if tensor.elem == DType::Bool => {
            let what = match known {
                Method::Max | Method::Min => "no order",
                _ => "no arithmetic",
            };
            let message = format!("`.{name}()` does not exist on `{tensor}`: `bool` has {what}");
            Some(Finding::new(codes::MEMBER, head, message))
        }
        Method::Mean if !tensor.elem.is_float() => {
            let message = format!("`.mean()` exists on tensors of floats, not on `{tensor}`");
            Some(
                Finding::new(codes::MEMBER, head, message)
                    .note("convert the elements first: `t.map(|x| x as f64).mean()`"),
            )
        }
        _ => None,
    }
}
