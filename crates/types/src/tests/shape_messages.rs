//! Mistakes in shapes whose place or words take more than the shapes themselves.

use expect_test::expect;
use neuro_db::codes;

use super::{Case, check, check_cases};

#[test]
fn scalars_beside_tensors() {
    check_cases(&[
        Case {
            code: codes::OPERATOR,
            says: "`*` needs a scalar of the element type `f32`, and this one is `f64`",
            at: &[],
            wrong: "func f(a: Tensor<f32, [2]>, x: f64) -> Tensor<f32, [2]> { «x» * a }\n",
            right: "func f(a: Tensor<f64, [2]>, x: f64) -> Tensor<f64, [2]> { x * a }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "`+=` needs a scalar of the element type `f32`, and this one is `f64`",
            at: &[],
            wrong: "func f(a: &mut Tensor<f32, [2]>, x: f64) { a += «x» }\n",
            right: "func f(a: &mut Tensor<f32, [2]>, x: f32) { a += x }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "`+=` needs tensors of one element type, and these are `Tensor<f32, [2]>` and `Tensor<f64, [2]>`",
            at: &["&mut Tensor<f32, [2]>", "&Tensor<f64, [2]>"],
            wrong: "func f(a: &mut Tensor<f32, [2]>, b: &Tensor<f64, [2]>) { a «+=» b }\n",
            right: "func f(a: &mut Tensor<f32, [2]>, b: &Tensor<f64, [2]>) { a += b.map(|x| x as f32) }\n",
        },
    ]);
}

#[test]
fn casts_convert_no_tensors() {
    check_cases(&[Case {
        code: codes::CAST,
        says: "`as` does not convert `Tensor<f32, [1, 2]>` to `Tensor<f64, [1, 2]>`",
        at: &[],
        wrong: "func f(w: Tensor<f32, [1, 2]>) { val x = w «as» Tensor<f64, [1, 2]> }\n",
        right: "type Index = u64\nfunc g(a: bool, b: Tensor<f32, [2]>) { }\nfunc f(i: i32, n: u64) { g(i as Index < n, [1.0, 2.0]) }\n",
    }]);
}

#[test]
fn axes_known_at_run_time() {
    check_cases(&[
        Case {
            code: codes::SHAPE,
            says: "`.permute()` needs every extent, and axis 0 of `Tensor<f32, [?, 2]>` is `?`",
            at: &[],
            wrong: "func f(a: Tensor<f32, [?, 2]>) { val b = a.«permute»([1, 0]) }\n",
            right: "func f(a: Tensor<f32, [N, 2]>) -> Tensor<f32, [2, ?]> { a.permute([1, 0]) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "argument `a` of `g`: `N` is a number, and axis 1 (`rows`) of `Tensor<f32, [2, rows: ?]>` is `?`, which only the running program knows",
            at: &["&Tensor<f32, [2, N]>"],
            wrong: "func g(a: &Tensor<f32, [2, N]>, b: &Tensor<f32, [N]>) { }\nfunc f(a: &Tensor<f32, [2, rows: ?]>, b: &Tensor<f32, [3]>) { g(«a», b) }\n",
            right: "func g(a: &Tensor<f32, [?, N]>) -> u32 { N }\nfunc f(a: &Tensor<f32, [?, 3]>) -> u32 { g(a) }\n",
        },
    ]);
    check(
        "func f(a: Tensor<f32, [rows: 2]>) -> Tensor<f32, [cols: ?]> { a }\nfunc g(a: &mut Tensor<f32, [?]>) { }\nfunc h(a: &mut Tensor<f32, [2]>) { g(a) }\nfunc i(a: Tensor<f32, [rows: 2]>) -> Tensor<f32, [rows: ?]> { a }\n",
        expect![[r#"
            E0301: expected `Tensor<f32, [cols: ?]>`, found `Tensor<f32, [rows: 2]>`
                func f(a: Tensor<f32, [rows: 2]>) -> Tensor<f32, [cols: ?]> { a }
                                                                              ^
              at `Tensor<f32, [cols: ?]>`: `Tensor<f32, [cols: ?]>` is declared here
              note: axis 0 is called `rows`, not `cols`
            E0301: argument `a` of `g`: expected `&mut Tensor<f32, [?]>`, found `&mut Tensor<f32, [2]>`
                func h(a: &mut Tensor<f32, [2]>) { g(a) }
                                                     ^
              at `&mut Tensor<f32, [?]>`: `a` is `&mut Tensor<f32, [?]>`
              note: axis 0 is 2, not ?
        "#]],
    );
}

#[test]
fn arguments_decide_before_the_result_does() {
    check_cases(&[Case {
        code: codes::MISMATCH,
        says: "expected `Tensor<f32, [3, 3]>`, found `Tensor<f32, [2, 2]>`",
        at: &["Tensor<f32, [3, 3]>"],
        wrong: "func g(a: &Tensor<f32, [N]>) -> Tensor<f32, [N, N]> { Tensor::identity() }\nfunc f(v: Tensor<f32, [2]>) { val m: Tensor<f32, [3, 3]> = «g(&v)» }\n",
        right: "func g(a: Tensor<f32, [N]>) -> Tensor<f32, [N, N]> { Tensor::identity() }\nfunc f() { val m: Tensor<f32, [3, 3]> = g(Tensor::zeros()) }\n",
    }]);
}

#[test]
fn an_extent_that_the_argument_decides_does_not_differ() {
    let layer = "struct Layer<const I: u32, const O: u32> { w: Tensor<f32, [I, O]> }\nimpl<const I: u32, const O: u32> Layer<I, O> {\n    func run<B>(&self, x: &Tensor<f32, [B, I]>) -> Tensor<f32, [B, O]> { x @ &self.w }\n}\n";
    check(
        &format!(
            "{layer}func f(k: &Layer<4, 4>, h: &Tensor<f32, [5, 3]>) {{ val y = k.run(h) }}\nfunc g(k: &Layer<4, 4>, h: &Tensor<f32, [5, 4]>) -> Tensor<f32, [5, 4]> {{ k.run(h) }}\n"
        ),
        expect![[r#"
            E0301: argument `x` of `run`: expected `&Tensor<f32, [B, 4]>`, found `&Tensor<f32, [5, 3]>`: `I` is 4, and here it would be 3
                func f(k: &Layer<4, 4>, h: &Tensor<f32, [5, 3]>) { val y = k.run(h) }
                                                                                 ^
              at `&Tensor<f32, [B, I]>`: `x` is `&Tensor<f32, [B, 4]>`
              note: axis 1 is 3, not 4
              note: expected [B, »4«], found [5, »3«]
        "#]],
    );
}
