//! Codes of what a derivative asks of a signature (06) and of a body (07).
//!
//! Of the pages with two programs, the first one has the mistake, the second one does not.

use super::{Code, CodeInfo, error};

/// A `@grad` function does not return a rank-0 float tensor.
pub const LOSS_TYPE: Code = Code("E0601");
/// A differentiated parameter is not `&mut Tensor<f32 | f64, [..]>`.
pub const DIFFERENTIATED_PARAMETER: Code = Code("E0602");
/// An entry of `wrt:` that names nothing differentiable.
pub const WRT_ENTRY: Code = Code("E0603");
/// An order that does not exist.
pub const ORDER: Code = Code("E0604");
/// Attributes that exclude each other.
pub const GRAD_CONFLICT: Code = Code("E0605");
/// A `@jacobian` function does not return a float tensor of known extents.
pub const JACOBIAN_RESULT: Code = Code("E0606");
/// Something in the body of a `@grad` function that cannot be differentiated.
pub const NOT_DIFFERENTIABLE: Code = Code("E0701");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        LOSS_TYPE,
        "a loss is a rank-0 tensor",
        r#"A `@grad` function returns `Tensor<f32, []>` or `Tensor<f64, []>`: the reverse sweep starts there with a seed of 1. Wrap a number with `Tensor::scalar(..)`.

```neuro
@grad
func loss(w: &mut Tensor<f32, [2]>) -> f32 {
    w.sum()
}
```

```neuro
@grad
func loss(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar(w.sum())
}
```"#,
    ),
    error(
        DIFFERENTIATED_PARAMETER,
        "parameter cannot receive a gradient",
        r#"Each differentiated parameter is `&mut Tensor<f32 | f64, [..]>`, since `.backward()` writes its gradient into the caller's tensor. Every tensor parameter is differentiated; leave a constant out with `wrt:`.

```neuro
@grad
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```

```neuro
@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```"#,
    ),
    error(
        WRT_ENTRY,
        "nothing to differentiate by this name",
        r#"`wrt:` lists parameters that are tensors, and paths through exported fields of a `&mut` parameter or receiver to a tensor, each once: `wrt: [w, self.head.b, scale: model.scale]`. `[..]` in a path is every element of an array.

```neuro
@grad(wrt: [v])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```

```neuro
@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```"#,
    ),
    error(
        ORDER,
        "no such derivative order",
        r#"`order:` is 1 or 2. A Hessian, and `sparse:` on `@grad`, need `order: 2`.

```neuro
@grad(wrt: [w], order: 3)
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```

```neuro
@grad(wrt: [w], order: 1)
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```"#,
    ),
    error(
        GRAD_CONFLICT,
        "attributes exclude each other",
        r#"`@grad` differentiates a function; `@no_grad` makes a function a constant of every derivative.

```neuro
@grad(wrt: [w])
@no_grad
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```

```neuro
@grad(wrt: [w])
func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
```"#,
    ),
    error(
        JACOBIAN_RESULT,
        "a Jacobian is of a float tensor",
        r#"A `@jacobian` function returns a tensor of `f32` or `f64` whose extents are known while compiling: the shape of its Jacobian is that of the result, followed by that of the parameter.

```neuro
@jacobian(wrt: [x])
func ranks(x: &mut Tensor<f64, [2]>) -> Tensor<i32, [2]> {
    x.argsort()
}
```

```neuro
@jacobian(wrt: [x])
func squares(x: &mut Tensor<f64, [2]>) -> Tensor<f64, [2]> {
    x * x
}
```"#,
    ),
    error(
        NOT_DIFFERENTIABLE,
        "cannot differentiate through this",
        "The compiler has no derivative for this construct, and never assumes that it is zero. Move it to a \
         `@no_grad` function if it is a constant of the loss.",
    ),
];
