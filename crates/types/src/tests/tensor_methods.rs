//! Mistakes in methods and constructors of tensors: each with its range, its fixes and the nearest program
//! without it.

use expect_test::expect;
use neuro_db::codes;

use super::{Case, check, check_cases};

#[test]
fn reductions_and_sorts() {
    check_cases(&[
        Case {
            code: codes::INDEX,
            says: "there is no axis 2 in `Tensor<f32, [2, 3]>`: its axes are 0 to 1, or -2 to -1 from the end",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.sum(axis: «2»).sum() }\n",
            right: "func f(t: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { t.sum(axis: -1) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "an axis is known while compiling: its position, or its name",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2, 3]>, k: i32) -> f32 { t.sum(axis: «k»).sum() }\n",
            right: "const K: i32 = 1\nfunc f(t: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { t.mean(axis: K) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "an axis is one position or name; this is a list",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.sum(axis: «[0, 1]»).item() }\n",
            right: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.sum(axis: 1).sum(axis: 0).item() }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "a position is an integer; this is a float literal",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.sum(axis: «1.0»).sum() }\n",
            right: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.sum(axis: 1).sum() }\n",
        },
        Case {
            code: codes::INDEX,
            says: "`Tensor<f32, [batch: 2, 3]>` has no axis called `batsh`",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [batch: 2, 3]>) -> f32 { t.max(axis: «batsh»).sum() }\n",
            right: "func f(t: &Tensor<f32, [batch: 2, 3]>, batch: f32) -> Tensor<f32, [3]> { t.max(axis: batch) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`.min()` has no argument `axes:`",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.min(«axes»: 1).sum() }\n",
            right: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.min(axis: 1).sum() }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`.mean()` exists on tensors of floats, not on `Tensor<i32, [2]>`",
            at: &[],
            wrong: "func f(t: &Tensor<i32, [2]>) -> i32 { t.«mean»() }\n",
            right: "func f(t: &Tensor<i32, [2]>) -> i32 { t.sum() }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`.max()` does not exist on `Tensor<bool, [2]>`: `bool` has no order",
            at: &[],
            wrong: "func f(t: &Tensor<bool, [2]>) -> bool { t.«max»() }\n",
            right: "func f(t: &Tensor<u8, [2]>) -> u8 { t.max() }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`Tensor<f32, [0, 2]>` has no elements to reduce",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [0, 2]>) -> f32 { t.«max»() }\n",
            right: "func f(t: &Tensor<f32, [0, 2]>) -> Tensor<f32, [0]> { t.max(axis: 1) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "axis 0 of `Tensor<f32, [0, 2]>` has no elements to reduce",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [0, 2]>) -> f32 { t.sum(axis: «0»)[0] }\n",
            right: "func f(t: &Tensor<f32, [1, 2]>) -> f32 { t.sum(axis: 0)[0] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "there are no 5 elements along axis 0 of `Tensor<f32, [4]>`: it has 4",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [4]>) -> f32 { t.topk(k: «5»).0[0] }\n",
            right: "func f(t: &Tensor<f32, [4]>) -> (Tensor<f32, [2]>, Tensor<i32, [2]>) { t.topk(k: 2) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "`k:` is at least 1, and this is 0",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [4]>) -> f32 { t.topk(k: «0»).0[0] }\n",
            right: "func f(t: &Tensor<f32, [4, 5]>) -> (Tensor<f32, [3, 5]>, Tensor<i32, [3, 5]>) { t.topk(axis: 0, k: 3) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`.topk()` needs to know how many elements: `k:`",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [4]>) -> f32 { t.«topk»(axis: 0).0[0] }\n",
            right: "func f(t: &Tensor<f32, [4]>) -> f32 { t.topk(k: 1, axis: 0).0[0] }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`.sort()` orders along an axis, and `Tensor<f32, []>` has none",
            at: &[],
            wrong: "func f(t: &Tensor<f32, []>) -> f32 { t.«sort»().item() }\n",
            right: "func f(t: &Tensor<f16, [2]>) -> Tensor<i32, [2]> { t.argsort(descending: true) }\n",
        },
        Case {
            code: codes::CONSTANT,
            says: "`descending:` of `.sort()` is `true`, `false` or a constant",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2]>, up: bool) -> f32 { t.sort(descending: «up»)[0] }\n",
            right: "const DOWN: bool = true\nfunc f(t: &Tensor<f32, [2]>) -> f32 { t.sort(descending: DOWN)[0] }\n",
        },
    ]);
}

#[test]
fn functions_over_elements() {
    check_cases(&[
        Case {
            code: codes::MISMATCH,
            says: "`.map` gives this function `f32`, and its parameter is `f64`",
            at: &[],
            wrong: "func g(x: f64) -> f64 { x }\nfunc f(t: &Tensor<f32, [8]>) -> Tensor<f32, [8]> { t.map(«g») }\n",
            right: "func g(x: f32) -> f32 { x }\nfunc f(t: &Tensor<f32, [8]>) -> Tensor<f32, [8]> { t.map(g) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`.map` makes elements, numbers or `bool`, and this function gives `string`",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [8]>) -> i32 {\n    val u = t.map(|x| «\"{x}\"»)\n    1\n}\n",
            right: "func f(t: &Tensor<f32, [8]>) -> Tensor<bool, [8]> { t.map(|x| x > 0.0) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`.map` calls a function for each element, and this is an integer literal",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [8]>) -> i32 {\n    val u = t.map(«2»)\n    1\n}\n",
            right: "func f(t: &Tensor<f32, [N]>) -> Tensor<f16, [N]> { t.map(|x| x as f16) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`.map` calls a function of 1 parameter, and this one has 2 parameters",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [8]>) -> i32 {\n    val u = t.map(«|»x, y| x)\n    1\n}\n",
            right: "func f(t: &Tensor<f32, [8]>) -> Tensor<f64, [8]> { t.map(|x| x as f64) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`.zip` needs two tensors of one shape, and these are [8] and [4]",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [8]>, b: &Tensor<f32, [4]>) -> Tensor<f32, [8]> { a.zip(«b», |x, y| x + y) }\n",
            right: "func f(a: &Tensor<f32, [8]>, b: &Tensor<i32, [8]>) -> Tensor<f32, [8]> { a.zip(b, |x, y| x + (y as f32)) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`.zip` pairs the elements of two tensors, and this is a float literal",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [8]>) -> Tensor<f32, [8]> { a.zip(«2.0», |x, y| x + y) }\n",
            right: "func f(a: &Tensor<f32, [N]>, b: &Tensor<f32, [N]>) -> Tensor<f32, [N]> { a.zip(b, |x, y| x + y) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `f64`, found `bool`",
            at: &["|m, x| true"],
            wrong: "func f(a: &Tensor<f32, [8]>) -> f32 { a.reduce(0.0, |m, x| «true») }\n",
            right: "func f(a: &Tensor<f32, [8]>) -> i32 { a.reduce(0, |n, x| if x > 0.5 { n + 1 } else { n }) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "argument `first` of `.reduce()`: expected `f32`, found an integer literal",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [8]>) -> f32 { a.reduce(«0», |acc: f32, x: f32| acc + x) }\n",
            right: "func f(a: &Tensor<f32, [8]>) -> f32 { a.reduce(0.0, |acc: f32, x: f32| acc + x) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "argument `first` of `.reduce()`: expected `f32`, found `f64`",
            at: &[],
            wrong: "func add(acc: f32, x: f32) -> f32 { acc + x }\nfunc f(a: &Tensor<f32, [8]>) -> f32 { a.reduce(«0.0f64», add) }\n",
            right: "func add(acc: f32, x: f32) -> f32 { acc + x }\nfunc f(a: &Tensor<f32, [8]>) -> f32 { a.reduce(0.0, add) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`.reduce()` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [?]>) -> f32 { a.«reduce»(0.0, |m, x| m + x) }\n",
            right: "func f(a: &Tensor<f32, [N]>) -> f32 { a.reduce(0.0, |m, x| m + x) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "how many tensors are stacked is known while compiling: an integer from 0 up",
            at: &[],
            wrong: "func f(v: &Tensor<f64, [2]>, n: i32) -> f64 { Tensor::stack(«n», |k| v.clone()).sum() }\n",
            right: "func f(v: &Tensor<f64, [2]>) -> Tensor<f64, [3, 2]> { Tensor::stack(3, |k| v * (k as f64)) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`Tensor::stack` needs a function that gives a tensor, and this one gives a float literal",
            at: &[],
            wrong: "func f() -> f64 { Tensor::stack(3, «|k| 2.0»).sum() }\n",
            right: "func f(v: &Tensor<f64, [N]>) -> Tensor<f64, [N, N]> { Tensor::stack(N, |k| v.clone()) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`Tensor::from_fn` calls a function of 2 parameters, and this one has 1 parameter",
            at: &[],
            wrong: "func f() -> Tensor<i32, [2, 3]> { Tensor::from_fn(«|»i| i as i32) }\n",
            right: "func f() -> Tensor<i32, [2, 3]> { Tensor::from_fn(|i, j| (i + j) as i32) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "the mask of `Tensor::select` is a tensor of `bool`, not `Tensor<f32, [3]>`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { Tensor::select(«a», a, a) }\n",
            right: "func f(a: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { Tensor::select(a.map(|x| x > 0.0), a, a) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`Tensor::select` needs two tensors of one shape, and these are [3] and [2]",
            at: &[],
            wrong: "func f(m: &Tensor<bool, [3]>, a: &Tensor<f32, [3]>, b: &Tensor<f32, [2]>) -> Tensor<f32, [3]> { Tensor::select(m, a, «b») }\n",
            right: "func f(m: &Tensor<bool, [3]>, a: &Tensor<f32, [3]>, b: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { Tensor::select(m, a, b) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "normal draws are `f32` or `f64`, and `Tensor<i32, [3]>` holds `i32`",
            at: &[],
            wrong: "func f() -> Tensor<i32, [3]> { «Tensor::random_normal»(mean: 0, std: 1) }\n",
            right: "func f() -> Tensor<f64, [3]> { Tensor::random_normal(0.0, 1.0) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "normal draws are `f32` or `f64`, and `Tensor<f16, [3]>` holds `f16`",
            at: &[],
            wrong: "func f() -> Tensor<f16, [3]> { «Tensor::random_normal»(mean: 0.0, std: 1.0) }\n",
            right: "func f() -> Tensor<f16, [3]> { Tensor::<f32, [3]>::random_normal(mean: 0.0, std: 1.0).map(|x| x as f16) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "this call of `Tensor::random_normal` lacks the argument `std:`",
            at: &[],
            wrong: "func f() -> Tensor<f32, [3]> { Tensor::«random_normal»(mean: 0.0) }\n",
            right: "func f() -> Tensor<f32, [3]> { Tensor::random_normal(std: 1.0, mean: 0.0) }\n",
        },
    ]);
}

#[test]
fn einsum() {
    check_cases(&[
        Case {
            code: codes::SHAPE,
            says: "the letter `j` is an axis of 3 and one of 4",
            at: &["a", "b"],
            wrong: "func f(a: &Tensor<f32, [2, 3]>, b: &Tensor<f32, [4, 5]>) -> Tensor<f32, [2, 5]> { einsum(«\"ij,jk->ik\"», a, b) }\n",
            right: "func f(a: &Tensor<f32, [B, I]>, b: &Tensor<f32, [I, K]>) -> Tensor<f32, [B, K]> { einsum(\"ij,jk->ik\", a, b) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "the letter `k` of the result is an axis of no operand",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(«\"ij->k\"», a) }\n",
            right: "func f(a: &Tensor<f32, [2, 2]>) -> f32 { einsum(\"ii->\", a) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "the letter `i` stands twice behind `->`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2, 2]> { einsum(«\"ij->ii\"», a) }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [3, 2]> { einsum(\"ij->ji\", a) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`ijk` has 3 letters, and operand 1 is `Tensor<f32, [2, 3]>`, with 2 axes",
            at: &["a"],
            wrong: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(«\"ijk->i\"», a) }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(\"ij->i\", a) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "the specification `ij` has no `->` before the letters of the result",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(«\"ij\"», a) }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(\"iJ->i\", a) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`1` is no letter: an axis of a specification is `a` to `z` or `A` to `Z`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(«\"i1->i\"», a) }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(\"il->i\", a) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "the specification has the letters of 1 operand, and this call gives 2",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(\"ij->i\", a, «a») }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>) -> Tensor<f32, [2]> { einsum(\"ij,ij->i\", a, a) }\n",
        },
        Case {
            code: codes::CONSTANT,
            says: "the specification of `einsum` is a text that is written in the call",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2, 3]>, s: string) -> Tensor<f32, [2]> { einsum(«s», a) }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>, s: string) -> Tensor<f32, [2]> { einsum(\"ij->i\", a) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "an operand of `einsum` is a tensor, and this is `f32`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [2]>, x: f32) -> Tensor<f32, [2]> { einsum(\"i,->i\", a, «x») }\n",
            right: "func f(a: &Tensor<f32, [2]>, x: &Tensor<f32, []>) -> Tensor<f32, [2]> { einsum(\"i,->i\", a, x) }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "`einsum` needs operands of one element type, and these are `Tensor<f32, [2]>` and `Tensor<f64, [2]>`",
            at: &["a"],
            wrong: "func f(a: &Tensor<f32, [2]>, b: &Tensor<f64, [2]>) -> f32 { einsum(\"i,i->\", a, «b») }\n",
            right: "func f(a: &Tensor<f32, [2]>, b: &Tensor<f32, [2]>) -> f32 { einsum(\"i,i->\", a, b) }\n",
        },
    ]);
}

#[test]
fn functions_of_two_arguments() {
    check_cases(&[
        Case {
            code: codes::SHAPE,
            says: "shapes [2, 3] and [2] do not fit `.atan2()`: axis 1 on the left is 3, axis 0 on the right is 2",
            at: &[],
            wrong: "func f(y: &Tensor<f32, [2, 3]>, x: &Tensor<f32, [2]>) -> Tensor<f32, [2, 3]> { y.«atan2»(x) }\n",
            right: "func f(y: &Tensor<f32, [2, 3]>, x: &Tensor<f32, [3]>) -> Tensor<f32, [2, 3]> { y.atan2(x) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`.hypot()` needs tensors of one element type, and these are `Tensor<f32, [3]>` and `Tensor<f64, [3]>`",
            at: &[],
            wrong: "func f(y: &Tensor<f32, [3]>, x: &Tensor<f64, [3]>) -> Tensor<f32, [3]> { y.hypot(«x») }\n",
            right: "func f(y: &Tensor<f32, [3]>, x: &Tensor<f64, [3]>) -> Tensor<f32, [3]> { y.hypot(x.map(|x| x as f32)) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`.max()` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`",
            at: &[],
            wrong: "func f(y: &Tensor<f32, [3]>, x: &Tensor<f32, [?]>) -> Tensor<f32, [3]> { y.max(«x») }\n",
            right: "func f(y: &Tensor<f32, [N]>, x: &Tensor<f32, [N]>) -> Tensor<f32, [N]> { y.max(x).min(1.0) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "argument `other` of `max`: expected `f32`, found an integer literal",
            at: &[],
            wrong: "func f(y: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { y.max(«0») }\n",
            right: "func f(y: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { y.max(0.0) + y.max(axis: 0) + y.max() }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`.copysign()` takes 1 argument, and this call gives 0",
            at: &[],
            wrong: "func f(x: f64) -> f64 { x.«copysign»() }\n",
            right: "func f(x: f64) -> f64 { x.copysign(-1.0) }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`.floor()` exists on floats, not on `i32`",
            at: &[],
            wrong: "func f(x: i32) -> i32 { x.«floor»() }\n",
            right: "func f(x: f32) -> i32 { x.floor() as i32 }\n",
        },
    ]);
}

/// No function of mathematics is taken for another one that is spelt nearly like it.
#[test]
fn functions_that_do_not_exist() {
    check(
        "func f(x: f64, t: &Tensor<f32, [2]>) {\n    val a = x.log10()\n    val b = x.asinh()\n    val c = t.erfc()\n    val d = x.lgamma()\n    val e = x.arcsin()\n    val g = x.hypt(2.0)\n}\n",
        expect![[r#"
            E0304: `f64` has no method `.log10()`
                val a = x.log10()
                          ^^^^^
              note: it is written `x.log() / (10.0).log()`
            E0304: `f64` has no method `.asinh()`
                val b = x.asinh()
                          ^^^^^
              note: it is written `(x + (x * x + 1.0).sqrt()).log()`
            E0304: `&Tensor<f32, [2]>` has no method `.erfc()`
                val c = t.erfc()
                          ^^^^
              note: it is written `1.0 - x.erf()`
            E0304: `f64` has no method `.lgamma()`
                val d = x.lgamma()
                          ^^^^^^
            E0304: `f64` has no method `.arcsin()`
                val e = x.arcsin()
                          ^^^^^^
              note: did you mean `.asin()`?
              fix: change to `asin` => val e = x.asin()
            E0304: `f64` has no method `.hypt()`
                val g = x.hypt(2.0)
                          ^^^^
              note: did you mean `.hypot()`?
              fix: change to `hypot` => val g = x.hypot(2.0)
        "#]],
    );
}
