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

/// What depends on the numbers of a generic function's extents is checked where a call says them, through other
/// generic functions too.
#[test]
fn parts_that_an_instance_does_not_have() {
    check_cases(&[
        Case {
            code: codes::INDEX,
            says: "in this call of `g`, `N` is 3: position 5 is outside axis 0 of `Tensor<f32, [3]>`: its positions go from 0 to 2",
            at: &["5"],
            wrong: "func g<N>(t: &Tensor<f32, [N]>) -> f32 { t[5] }\nfunc f(t: &Tensor<f32, [3]>) -> f32 { «g»(t) }\n",
            right: "func g<N>(t: &Tensor<f32, [N]>) -> f32 { t[5] }\nfunc f(t: &Tensor<f32, [6]>) -> f32 { g(t) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "in this call of `g`, `N` is 3: this range ends at 5, and axis 0 of `Tensor<f32, [3]>` has 3 positions",
            at: &["t[0..5]"],
            wrong: "func g<N>(t: &Tensor<f32, [N]>) -> f32 {\n    val s = t[0..5]\n    s[0]\n}\nfunc f(t: &Tensor<f32, [3]>) -> f32 { «g»(t) }\n",
            right: "func g<N>(t: &Tensor<f32, [N]>) -> f32 {\n    val s = t[0..5]\n    s[0]\n}\nfunc f(t: &Tensor<f32, [5]>) -> f32 { g(t) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "in this call of `g`, `N` is 1: this range ends at 0, before it begins at 1",
            at: &["t[1..N - 1]"],
            wrong: "func g<N>(t: &Tensor<f32, [N]>) -> f32 { t[1..N - 1].sum() }\nfunc f(t: &Tensor<f32, [1]>) -> f32 { «g»(t) }\n",
            right: "func g<N>(t: &Tensor<f32, [N]>) -> f32 { t[1..N - 1].sum() }\nfunc f(t: &Tensor<f32, [3]>) -> f32 { g(t) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "in this call of `g`, `N` is 2: this range has 4 positions, and axis 0 of `Tensor<f32, [2]>` has 2 positions",
            at: &["t[i..i + 4]"],
            wrong: "func g<N>(t: &Tensor<f32, [N]>, i: u64) -> f32 { t[i..i + 4].sum() }\nfunc f(t: &Tensor<f32, [2]>) -> f32 { «g»(t, 0) }\n",
            right: "func g<N>(t: &Tensor<f32, [N]>, i: u64) -> f32 { t[i..i + 4].sum() }\nfunc f(t: &Tensor<f32, [4]>) -> f32 { g(t, 0) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "in this call of `first`, `N` is 2: there are no 5 elements along axis 0 of `Tensor<f32, [2]>`: it has 2",
            at: &["5"],
            wrong: "struct S<const N: u32> { t: Tensor<f32, [N]> }\nimpl<const N: u32> S<N> {\n    func first(&self) -> f32 {\n        val (v, i) = self.t.topk(k: 5)\n        v[0]\n    }\n}\nfunc f(s: &S<2>) -> f32 { s.«first»() }\n",
            right: "struct S<const N: u32> { t: Tensor<f32, [N]> }\nimpl<const N: u32> S<N> {\n    func first(&self) -> f32 {\n        val (v, i) = self.t.topk(k: 5)\n        v[0]\n    }\n}\nfunc f(s: &S<5>) -> f32 { s.first() }\n",
        },
        Case {
            code: codes::INDEX,
            says: "in this call of `h`, `M` is 4: position 5 is outside axis 0 of `Tensor<f32, [4]>`: its positions go from 0 to 3",
            at: &["g(t)"],
            wrong: "func g<N>(t: &Tensor<f32, [N]>) -> f32 { t[5] }\nfunc h<M>(t: &Tensor<f32, [M]>) -> f32 { g(t) }\nfunc f(t: &Tensor<f32, [4]>) -> f32 { «h»(t) }\n",
            right: "func g<N>(t: &Tensor<f32, [N]>) -> f32 { t[5] }\nfunc h<M>(t: &Tensor<f32, [M]>) -> f32 { g(t) }\nfunc f(t: &Tensor<f32, [8]>) -> f32 { h(t) }\n",
        },
        Case {
            code: codes::BOUND,
            says: "`N > 5`, a condition of `g`, does not hold: `N` is 3",
            at: &["N > 5"],
            wrong: "func g<N>(t: &Tensor<f32, [N]>) -> f32\nwhere N > 5\n{ t[5] }\nfunc f(t: &Tensor<f32, [3]>) -> f32 { «g»(t) }\n",
            right: "func g<N>(t: &Tensor<f32, [N]>) -> f32 {\n    if N > 5 { t[5] } else { t[0] }\n}\nfunc f(t: &Tensor<f32, [3]>) -> f32 { g(t) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "in this call of `g`, `N` is 3: position 5 is outside axis 0 of `[f32; 3]`: its positions go from 0 to 2",
            at: &["5"],
            wrong: "func g<const N: u32>(a: &[f32; N], again: bool) -> f32 {\n    if again { return g(a, false) }\n    a[5]\n}\nfunc f(a: [f32; 3]) -> f32 { «g»(&a, true) }\n",
            right: "func g<const N: u32>(a: &[f32; N], again: bool) -> f32 {\n    val last = N as i32 - 1\n    if last < 5 { return 0.0 }\n    a[5]\n}\nfunc f(a: [f32; 3]) -> f32 { g(&a, true) }\n",
        },
    ]);
}
