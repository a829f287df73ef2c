//! What `@grad` asks of a header.

use expect_test::expect;
use neuro_hir::file_items;

use super::{accept, check, file};
use crate::{diff_spec, is_no_grad};

#[test]
fn headers_with_a_derivative() {
    let text = "@grad\nfunc a(w: &mut Tensor<f32, [2, 1]>, b: &mut Tensor<f32, [1]>, scale: f32) -> Tensor<f32, []> { Tensor::scalar(w.mean() * b.mean() * scale) }\n\
                @grad(wrt: [b, w], order: 1)\nfunc b(w: &mut Tensor<f64, [2, 1]>, x: &Tensor<f32, [2]>, b: &mut Tensor<f64, [1]>) -> Tensor<f64, []> { Tensor::scalar(w.mean() * b.mean()) }\n\
                @no_grad\nfunc c(x: f32) -> f32 { x }\n";
    accept(text);
    let (db, file) = file(text);
    let shown: Vec<String> = file_items(&db, file)
        .functions()
        .map(|function| match &diff_spec(&db, function).spec {
            Some(spec) => format!("wrt {:?}, {:?}, {}", spec.params(), spec.order, spec.loss()),
            None => format!("none, fenced: {}", is_no_grad(&db, function)),
        })
        .collect();
    expect![[r#"
        wrt [0, 1], First, f32
        wrt [0, 2], First, f64
        none, fenced: true"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn losses() {
    check(
        "@grad\nfunc a(w: &mut Tensor<f32, [2]>) -> f32 { w.sum() }\n@grad\nfunc b(w: &mut Tensor<f32, [2]>) { }\n@grad\nfunc c(w: &mut Tensor<f32, [2]>) -> Tensor<f32, [2]> { w.clone() }\n@grad\nfunc d(w: &mut Tensor<f32, [2]>) -> Tensor<i32, []> { Tensor::scalar(1) }\n",
        expect![[r#"
            E0601: a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`, not `f32`
                func a(w: &mut Tensor<f32, [2]>) -> f32 { w.sum() }
                                                    ^^^
              note: wrap the number that is returned: `Tensor::scalar(..)`
              fix: return `Tensor<f32, []>` => func a(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { w.sum() }
              fix: return `Tensor<f32, []>` => func a(w: &mut Tensor<f32, [2]>) -> f32 { Tensor::scalar(w.sum() }
              fix: return `Tensor<f32, []>` => func a(w: &mut Tensor<f32, [2]>) -> f32 { w.sum()) }
            E0601: a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`; `b` returns nothing
                func b(w: &mut Tensor<f32, [2]>) { }
                     ^
            E0601: a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`, not `Tensor<f32, [2]>`
                func c(w: &mut Tensor<f32, [2]>) -> Tensor<f32, [2]> { w.clone() }
                                                    ^^^^^^^^^^^^^^^^
              note: reduce it to one number, `Tensor::scalar(x.mean())`, or ask for its `@jacobian`
            E0601: a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`, not `Tensor<i32, []>`
                func d(w: &mut Tensor<f32, [2]>) -> Tensor<i32, []> { Tensor::scalar(1) }
                                                    ^^^^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn differentiated_parameters() {
    check(
        "@grad\nfunc a(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>, n: &mut Tensor<i32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@grad(wrt: [x])\nfunc b(x: &Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(x.sum()) }\n@grad\nfunc c(x: f32) -> Tensor<f32, []> { Tensor::scalar(x) }\n",
        expect![[r#"
            E0602: the differentiated parameter `x` must be `&mut Tensor<f32, [2]>`, not `&Tensor<f32, [2]>`
                func a(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, y: Tensor<f32, [2]>, n: &mut Tensor<i32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }
                                                    ^^^^^^^^^^^^^^^^^
              at `Tensor<f32, [2]>`: `y` cannot receive a gradient, either
              at `&mut Tensor<i32, [2]>`: `n` cannot receive a gradient, either
              note: `.backward()` writes its gradient into the caller's tensor
              fix: differentiate by the others only: `@grad(wrt: [w])` => @grad(wrt: [w])
            E0602: the differentiated parameter `x` must be `&mut Tensor<f32, [2]>`, not `&Tensor<f32, [2]>`
                func b(x: &Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(x.sum()) }
                          ^^^^^^^^^^^^^^^^^
              note: `.backward()` writes its gradient into the caller's tensor
              fix: take `x` by `&mut` => func b(x: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(x.sum()) }
            E0602: `c` has no tensor parameter to differentiate
                func c(x: f32) -> Tensor<f32, []> { Tensor::scalar(x) }
                     ^
        "#]],
    );
}

#[test]
fn entries_of_wrt() {
    check(
        "@grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])\nfunc a(weight: &mut Tensor<f32, [2]>, w: &mut Tensor<f32, [2]>, scale: f32) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@grad(wrt: [])\nfunc b(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@grad(wrt: w)\nfunc c(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n",
        expect![[r#"
            E0603: `a` has no parameter `weigth`
                @grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])
                            ^^^^^^
              note: did you mean `weight`?
              fix: change to `weight` => @grad(wrt: [weight, scale, w, w, self, self.head.w, 3])
            E0603: `scale` is no tensor, and only tensors have gradients; it is `f32`
                @grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])
                                    ^^^^^
            E0603: `w` is listed twice
                @grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])
                                              ^
            E0603: `a` has no receiver: `self` exists in methods only
                @grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])
                                                 ^^^^
            E0603: `a` has no receiver: `self` exists in methods only
                @grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])
                                                       ^^^^^^^^^^^
            E0603: an entry of `wrt:` is the name of a parameter, or a path from one, as in `self.head.w`
                @grad(wrt: [weigth, scale, w, w, self, self.head.w, 3])
                                                                    ^
            E0603: `wrt:` lists no parameter
                @grad(wrt: [])
                           ^^
              note: leave `wrt:` out to differentiate every tensor parameter
            E0603: `wrt:` takes a list of parameters, as in `wrt: [w, b]`
                @grad(wrt: w)
                           ^
              fix: put it into a list => @grad(wrt: [w])
        "#]],
    );
}

#[test]
fn orders_and_conflicts() {
    check(
        "@grad(order: 2)\nfunc a(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@grad(order: 3)\nfunc b(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@grad(wrtt: [w])\nfunc c(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@grad\n@no_grad\nfunc d(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n@no_grad(x)\nfunc e(x: f32) -> f32 { x }\n",
        expect![[r#"
            E0604: the derivative order is 1 or 2
                @grad(order: 3)
                             ^
            E0203: `@grad` has no argument `wrtt:`
                @grad(wrtt: [w])
                      ^^^^
              note: did you mean `wrt:`?
              fix: change to `wrt` => @grad(wrt: [w])
            E0605: `@no_grad` cannot share a function with `@grad`
                @no_grad
                ^^^^^^^^
              at `@grad`: the function is differentiated here
        "#]],
    );
}

#[test]
fn receivers_are_lent() {
    let text = "struct M { export w: Tensor<f32, [2]>, k: f32 }
impl M {
    @grad
    func taken(self, w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum() * self.k) }
    @grad(wrt: [self.w])
    func path(self) -> Tensor<f32, []> { Tensor::scalar(self.w.sum()) }
    @grad
    func fine(&self, w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum() * self.k) }
}
";
    check(
        text,
        expect![[r#"
            E0602: a method that is differentiated takes `&self`, not `M`
                func taken(self, w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum() * self.k) }
                           ^^^^
              note: `.backward()` reads the receiver again, after the call
              fix: take `&self` => func taken(&self, w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum() * self.k) }
            E0603: a path through `self` needs `&mut self`: `.backward()` writes the gradient there
                @grad(wrt: [self.w])
                            ^^^^^^
              fix: take `&mut self` => func path(&mut self) -> Tensor<f32, []> { Tensor::scalar(self.w.sum()) }
        "#]],
    );
}

#[test]
fn a_result_of_the_wrong_type_is_told_once() {
    check(
        "@grad\nfunc a(w: &mut Tensor<f32, []>) -> &Tensor<f32, []> { w }\n@jacobian\nfunc b(w: &mut Tensor<f32, [2]>) -> f64 { w.sum() }\n",
        expect![[r#"
            E0601: a `@grad` function returns its loss, `Tensor<f32, []>` or `Tensor<f64, []>`, not `&Tensor<f32, []>`
                func a(w: &mut Tensor<f32, []>) -> &Tensor<f32, []> { w }
                                                   ^^^^^^^^^^^^^^^^
            E0606: a `@jacobian` function returns a tensor of `f32` or `f64` of known extents, not `f64`
                func b(w: &mut Tensor<f32, [2]>) -> f64 { w.sum() }
                                                    ^^^
              note: wrap the number that is returned: `Tensor::scalar(..)`
              fix: return `Tensor<f64, []>` => func b(w: &mut Tensor<f32, [2]>) -> Tensor<f64, []> { w.sum() }
              fix: return `Tensor<f64, []>` => func b(w: &mut Tensor<f32, [2]>) -> f64 { Tensor::scalar(w.sum() }
              fix: return `Tensor<f64, []>` => func b(w: &mut Tensor<f32, [2]>) -> f64 { w.sum()) }
        "#]],
    );
}

#[test]
fn an_expectation_says_something() {
    check(
        "@jacobian\n@expect\nfunc a(w: &mut Tensor<f32, [2]>) -> Tensor<f32, [2]> { w * 2.0 }\n@jacobian\n@expect(nnz: 2)\nfunc b(w: &mut Tensor<f32, [2]>) -> Tensor<f32, [2]> { w * 2.0 }\n",
        expect![[r#"
            E0203: `@expect` says what is expected, and this says nothing
                @expect
                ^^^^^^^
              note: it takes `nnz:`, `directions:`, `passes:`, `strategy:`
        "#]],
    );
}

#[test]
fn what_cannot_be_asked_for_is_told_once() {
    check(
        "@grad\nfunc a(w: &mut Tensor<f32, [2]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\nfunc f(x: &mut Tensor<f32, [2]>) {\n    val l = a(x)\n    val h = l.hessian(nothing)\n    val j = l.jacobian(nothing)\n}\n",
        expect![[r#"
            E0604: `a` is differentiated once, and a Hessian needs `order: 2`
                val h = l.hessian(nothing)
                          ^^^^^^^
              note: write `@grad(order: 2)` in front of it; `.hvp(w: &v)` needs no Hessian
            E0304: `.jacobian()` exists on the value of a `@jacobian` call, and `a` has `@grad`
                val j = l.jacobian(nothing)
                          ^^^^^^^^
              note: the derivative of a loss is beside its parameter: `w.grad()`
        "#]],
    );
}
