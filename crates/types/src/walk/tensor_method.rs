//! Methods of tensors: which one it is, and those that need no file of their own.

use neuro_db::codes;
use neuro_hir::{Arg, ExprId};
use neuro_num::{DType, MathFn};

use super::elementwise::{broadcast, transposed_shape};
use super::method::MethodCall;
use super::operator::Operand;
use super::{Context, Why};
use crate::{Callee, Finding, Method, Place, Remedy, Shape, SparseTy, TensorTy, Ty};

impl Context<'_> {
    pub(super) fn tensor_method(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        tensor: &TensorTy,
    ) -> Ty {
        let Some(mut known) = Method::from_name(method.name) else {
            return self.no_method(method, found, Method::of_tensors().map(Method::name));
        };
        // `t.max()` and `t.max(axis: 0)` reduce, `t.max(x)` compares each element with another.
        let beside = method.args.first().is_some_and(|arg| arg.label.is_none());
        if let (Method::Max | Method::Min, true, Some(function)) =
            (known, beside, MathFn::from_name(method.name))
        {
            known = Method::Math(function);
        }
        if let Method::Math(function) = known {
            return self.tensor_math(method, function, tensor);
        }
        self.callees.insert(method.call, Callee::Method(known));
        if known.consumes() && matches!(self.resolved(found), Ty::Ref { .. }) {
            let finding = self.consumed(method, found);
            return self.refuse(finding);
        }
        match known {
            Method::Math(_) => Ty::Error,
            Method::Sum | Method::Mean | Method::Max | Method::Min => {
                self.reduction(method, known, tensor)
            }
            Method::Sort | Method::Argsort | Method::Topk => self.sorting(method, known, tensor),
            Method::Permute => self.permute(method, tensor),
            Method::Reshape => self.reshape(method, tensor),
            Method::Flatten => self.flatten(method, tensor),
            Method::Map => self.map_elements(method, tensor),
            Method::Zip => self.zip_elements(method, tensor),
            Method::Reduce => self.reduce_elements(method, tensor),
            Method::Flat => self.flat(method, tensor),
            Method::To => self.on_device(method, tensor),
            Method::Backward => self.backward(method, tensor),
            Method::Forward | Method::Hvp => self.directional(method, known, tensor),
            Method::Jacobian => self.jacobian_by(method, tensor),
            Method::Hessian if !method.args.is_empty() => self.hessian_by(method),
            Method::Grad | Method::Hessian | Method::ZeroGrad => self.slot(method, known, tensor),
            Method::Item | Method::Clone | Method::Transpose | Method::Detach => {
                self.plain_method(method, known, tensor)
            }
            // These exist on sparse tensors, and are not found by their name here.
            Method::Nnz
            | Method::Values
            | Method::Rows
            | Method::Cols
            | Method::RowPtr
            | Method::ToDense
            | Method::Matvec => Ty::Error,
        }
    }

    /// Methods without arguments.
    fn plain_method(&mut self, method: &MethodCall<'_>, known: Method, tensor: &TensorTy) -> Ty {
        if !self.method_arguments(method, &[]) {
            return Ty::Error;
        }
        let name = method.name;
        let head = Place::Head(method.call);
        if matches!(known, Method::Clone | Method::Transpose)
            && self.dynamic_axis(head, &format!("`.{name}()`"), tensor)
        {
            return Ty::Error;
        }
        let shape = |message: String| Finding::new(codes::SHAPE, head, message);
        match known {
            Method::Item if tensor.shape.rank() == 0 => Ty::Scalar(tensor.elem),
            Method::Item => {
                let finding = shape(format!(
                    "`.item()` reads the element of a rank-0 tensor, and this is `{tensor}`"
                ));
                self.refuse(
                    finding.note(
                        "read one element with `t[..]`, or reduce with `.sum()` or `.mean()`",
                    ),
                )
            }
            Method::Transpose => match transposed_shape(&tensor.shape) {
                Some(shape) => Ty::Tensor(TensorTy { elem: tensor.elem, shape }),
                None => {
                    let rank = tensor.shape.rank();
                    let finding = shape(format!(
                        "`.t()` transposes a matrix (rank 2), and `{tensor}` has rank {rank}"
                    ));
                    self.refuse(match tensor.shape.dims() {
                        [only] => finding.note(format!(
                            "a row is made of it by `.reshape([1, {0}])`, a column by `.reshape([{0}, 1])`",
                            only.extent
                        )),
                        _ => finding.note("`.permute([..])` reorders the axes of any tensor"),
                    })
                }
            },
            _ => Ty::Tensor(tensor.clone()),
        }
    }

    /// A function of the table on every element.
    fn tensor_math(&mut self, method: &MethodCall<'_>, function: MathFn, tensor: &TensorTy) -> Ty {
        if !tensor.elem.is_float() {
            return self.refuse(Finding::new(
                codes::MEMBER,
                Place::Head(method.call),
                format!("`.{}()` exists on tensors of floats, not on `{tensor}`", method.name),
            ));
        }
        let what = format!("`.{}()`", method.name);
        if self.dynamic_axis(Place::Head(method.call), &what, tensor) {
            return Ty::Error;
        }
        let result = Ty::Tensor(tensor.clone());
        let second = match method.args {
            [arg] if function.arity() == 2 => {
                let found = self.infer(arg.value, None);
                match self.operand(&found) {
                    Operand::Tensor(second) => Some((arg.value, second)),
                    _ => None,
                }
            }
            _ => None,
        };
        match second {
            Some((value, second)) => self.tensor_pair(method, function, tensor, (value, &second)),
            None => self.math(method, function, &result, &Ty::Scalar(tensor.elem)),
        }
    }

    /// A function of the table on the elements of two tensors, which stretch as those of an operator do.
    fn tensor_pair(
        &mut self,
        method: &MethodCall<'_>,
        function: MathFn,
        tensor: &TensorTy,
        (value, second): (ExprId, &TensorTy),
    ) -> Ty {
        self.callees.insert(method.call, Callee::Method(Method::Math(function)));
        if !self.method_arguments(method, function.row().params) {
            return Ty::Error;
        }
        let what = format!("`.{}()`", method.name);
        if second.elem != tensor.elem {
            return self.refuse(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(value),
                    format!("{what} needs tensors of one element type, and these are `{tensor}` and `{second}`"),
                )
                .note(format!(
                    "`.map` converts the elements: `t.map(|x| x as {})`",
                    tensor.elem
                )),
            );
        }
        if self.dynamic_axis(Place::Expr(value), &what, second) {
            return Ty::Error;
        }
        match broadcast(&tensor.shape, &second.shape) {
            Ok(shape) => Ty::Tensor(TensorTy { elem: tensor.elem, shape }),
            Err(axes) => {
                let shown = format!(".{}()", method.name);
                let finding = self.no_broadcast(method.call, &shown, tensor, second, axes);
                self.refuse(finding)
            }
        }
    }

    /// `.flat(i)`
    fn flat(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        if !self.method_arguments(method, &["position"])
            || self.dynamic_axis(Place::Head(method.call), "`.flat()`", tensor)
        {
            return Ty::Error;
        }
        if let Some(arg) = method.args.first() {
            let why = Why::Argument {
                callee: ".flat()".into(),
                param: "position".into(),
                declared: None,
            };
            self.check(arg.value, &Ty::Scalar(DType::U64), &why);
            if let Some(extent) = tensor.shape.elements() {
                self.pending.push(super::Pending::Flat {
                    tensor: tensor.clone(),
                    extent,
                    position: arg.value,
                });
            }
        }
        Ty::Scalar(tensor.elem)
    }

    /// `.to(Device::CPU)`
    fn on_device(&mut self, method: &MethodCall<'_>, tensor: &TensorTy) -> Ty {
        if !self.method_arguments(method, &["device"])
            || self.dynamic_axis(Place::Head(method.call), "`.to()`", tensor)
        {
            return Ty::Error;
        }
        let Some(arg) = method.args.first() else { return Ty::Error };
        let found = self.infer(arg.value, None);
        let device = match self.resolved(&found).peeled() {
            Ty::Error | Ty::Never => true,
            Ty::Adt { def, .. } => def.name() == "Device",
            _ => false,
        };
        if !device {
            let described = self.describe(&found);
            self.give_up(&found);
            return self.refuse(
                Finding::new(
                    codes::MISMATCH,
                    Place::Expr(arg.value),
                    format!("`.to()` takes a `Device`, not {described}"),
                )
                .note("as in `t.to(Device::CPU)`"),
            );
        }
        Ty::Tensor(tensor.clone())
    }

    /// `.grad()`, `.hessian()` and `.zero_grad()` of a tensor that lives on.
    fn slot(&mut self, method: &MethodCall<'_>, known: Method, tensor: &TensorTy) -> Ty {
        let name = method.name;
        if !self.method_arguments(method, &[]) {
            return Ty::Error;
        }
        if !tensor.elem.is_float() {
            return self.refuse(Finding::new(
                codes::MEMBER,
                Place::Head(method.call),
                format!("only tensors of floats have gradients, and this is `{tensor}`"),
            ));
        }
        if !self.has_slot(method.receiver) {
            return self.refuse(
                Finding::new(
                    codes::MEMBER,
                    Place::Expr(method.receiver),
                    format!("`.{name}()` needs a tensor that lives on, and this value ends here"),
                )
                .note(
                    "a gradient is kept beside the tensor that was passed to the `@grad` function",
                ),
            );
        }
        match known {
            Method::Grad => Ty::Tensor(tensor.clone()).reference(false),
            Method::Hessian => {
                let shape = tensor.shape.join(&tensor.shape);
                Ty::Tensor(TensorTy { elem: tensor.elem, shape }).reference(false)
            }
            _ => Ty::Void,
        }
    }

    /// Whether the receiver is a place, or a reference to one.
    fn has_slot(&self, receiver: ExprId) -> bool {
        self.is_place(receiver) || matches!(self.type_of(receiver), Ty::Ref { .. })
    }

    fn consumed(&self, method: &MethodCall<'_>, found: &Ty) -> Finding {
        let name = method.name;
        let described = self.describe(found);
        let finding = Finding::new(
            codes::MEMBER,
            Place::Head(method.call),
            format!(
                "{described} has no method `.{name}()`: it consumes the tensor, and this one is borrowed"
            ),
        );
        let finding = finding.note("clone it first");
        if self.is_postfix(method.receiver) {
            finding.remedy(Remedy::InsertAfter(
                Place::Expr(method.receiver),
                "clone it first".to_owned(),
                ".clone()".to_owned(),
            ))
        } else {
            finding
        }
    }

    /// Methods of sparse tensors.
    pub(super) fn sparse_method(
        &mut self,
        method: &MethodCall<'_>,
        found: &Ty,
        sparse: &SparseTy,
    ) -> Ty {
        let Some(known) = Method::of_sparse().find(|known| known.name() == method.name.as_str())
        else {
            return self.no_method(method, found, Method::of_sparse().map(Method::name));
        };
        self.callees.insert(method.call, Callee::Method(known));
        let params: &[&str] = if known == Method::Matvec { &["vector"] } else { &[] };
        if !self.method_arguments(method, params) {
            return Ty::Error;
        }
        let slice = |elem: DType| Ty::Slice(std::sync::Arc::new(Ty::Scalar(elem))).reference(false);
        match known {
            Method::Nnz => Ty::Scalar(DType::U64),
            Method::Values => slice(sparse.elem),
            Method::Rows | Method::Cols | Method::RowPtr => slice(DType::I32),
            Method::ToDense => Ty::Tensor(sparse.dense()),
            Method::Matvec => {
                let tensor = |shape: &Shape| {
                    Ty::Tensor(TensorTy { elem: sparse.elem, shape: shape.clone() })
                };
                if let Some(Arg { value, .. }) = method.args.first() {
                    let why = Why::Argument {
                        callee: ".matvec()".into(),
                        param: "vector".into(),
                        declared: None,
                    };
                    self.check(*value, &tensor(&sparse.cols).reference(false), &why);
                }
                tensor(&sparse.rows)
            }
            _ => Ty::Error,
        }
    }
}
