//! Diagnostics of items, names and attributes.

use expect_test::{Expect, expect};

use super::reports;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&reports(text));
}

#[test]
fn a_supported_program_is_silent() {
    check(
        r#"
/// The loss.
@grad(wrt: [w], order: 1)
export func loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>) -> Tensor<f32, []> {
    Tensor::scalar((w * x).sum())
}
@no_grad
func show(x: f32) { println("{x:.2}") }
"#,
        expect![[""]],
    );
}

#[test]
fn later_parts_of_the_language_are_no_mistakes_of_names() {
    check(
        r#"
struct Point { x: i32 }
enum Shape { Dot, Line(i32) }
import tools::{clamp, lerp as mix}
type Grid = Tensor<f64, [8, 8]>
func many(n: i32, p: &Point) -> i32 {
    val f = |v: i32| v + n
    val (a, _) = (1, f(2))
    val Some(c) = Some(n) else { return 0 }
    const LOCAL: i32 = 3
    val d = match n { 0 => a, _ => c }
    val e = Point { x: d }
    val g = clamp(Shape::Line(e.x)) + mix(1)
    for (i, v) in xs.enumerate() { continue }
    for q in (0..n).map(f) { print("{q}") }
    for q in (0..n).step(2).rev() { print("{q}") }
    val h = loop { break 4 }
    val k = (d ?? 1) |> f
    val m = t[1..2, 0]
    val s = id::<i32>(h)?
    LOCAL
}
func generic<T>(x: T) -> T where T: Copy { x }
func sized<N>(x: Tensor<f32, [N]>) -> i32 { N }
"#,
        expect![[r#"
            E0201 4 `tools`: there is no module `tools`
            E0101 16 `rev`: `.rev()` stands in front of `.step(n)`
        "#]],
    );
}

#[test]
fn the_value_of_a_break() {
    check(
        r#"
func f(n: i32) {
    outer: for i in 0..n {
        loop { break outer i }
        while i < n { break n + 1 }
        break i
    }
}
"#,
        expect![[r#"
            E0312 4 `i`: `break` takes a value out of a `loop` only, and this leaves a `for`
            E0312 5 `n + 1`: `break` takes a value out of a `loop` only, and this leaves a `while`
            E0312 6 `i`: `break` takes a value out of a `loop` only, and this leaves a `for`
        "#]],
    );
}

#[test]
fn names_declared_twice() {
    check(
        r#"
func twice(a: i32, b: i32, a: f32) {}
func labels(to a: i32, to b: i32, _ c: i32, _ d: i32) {}
const twice: i32 = 1
struct twice { x: i32 }
func fine() {}
"#,
        expect![[r#"
            E0202 4 `twice`: `twice` is declared twice
                2 `twice`: first declared here
            E0202 5 `twice`: `twice` is declared twice
                2 `twice`: first declared here
            E0202 2 `a`: the parameter `a` is declared twice
                2 `a`: first declared here
            E0202 3 `to`: the parameter label `to` is declared twice
                3 `to`: first declared here
        "#]],
    );
}

#[test]
fn attributes_that_are_not_there() {
    check(
        r#"
@no_grd
func a() {}
@grad(wtr: [w], order: 1, order: 1)
func b() {}
@no_grad(wrt: [w])
func c() {}
@grad(w)
func d() {}
@kernel(threads: [8])
func e() {}
@grad
@grad
func f() {}
@quantum
func g() {}
@grad
const N: i32 = 1
"#,
        expect![[r#"
            E0203 2 `no_grd`: there is no attribute `@no_grd`
                2 `no_grd` -> `no_grad`: did you mean `@no_grad`?
            E0203 4 `order`: `order` is given twice
                4 `order`: first given here
            E0203 6 `wrt`: `@no_grad` takes no arguments, and `wrt` is one
            E0901 10 `kernel`: `@kernel` is not supported yet: there is no GPU back end
            E0203 13 `grad`: `@grad` stands here twice
                12 `grad`: first written here
            E0203 15 `quantum`: there is no attribute `@quantum`
            E0203 17 `grad`: `@grad` belongs in front of a function or a method
        "#]],
    );
}

#[test]
fn syntax_errors_are_reported_with_the_file() {
    check(
        "func broken( {\n}\nfunc fine() -> i32 { 1 }\n\
         func open() { for i in 0.. { } }\n",
        expect![[r#"
            E0101 1 `(`: this `(` is never closed: expected `)`
                1 `` -> `)`: insert `)`
            E0101 4 `..`: the range of a `for` has two bounds
        "#]],
    );
}

/// Any text, cut anywhere, gives results and reports, and each place is inside the text.
#[test]
fn every_cut_of_a_program_is_understood() {
    let text = r#"
@no_prelude
@grad(wrt: [w, self.a[0].b], order: 1)
export func loss(w: &mut Tensor<f32, [rows: 2, N]>, _ x: [i32; 3]) -> Tensor<f32, []> where N > 1 {
    outer: for i in (0..=3).rev().step(2) { if i > 2 { continue outer } else { break i } }
    val P { a, b: (c, _) } = Point { a: 1, ..base } else |e| { return w[0, ..] }
    mut t = Tensor::<f32, [2]>::from([1.0, -2e3, 'c'])
    pool scratch { t[0] += f(at: &mut *w, 0x1f_u8)? |> g }
    println("é {t[0] as f64:>+08.3e} \\{ {match k { A::B(n) | A::C(n) if n => { n }, -1..=2 => (1, 2).0 }}")
    for (i, x) in xs.map(|v: i32| v ?? 1).filter(p >> q).enumerate() { const M: u64 = 2 }
}
import a::{b as c}
export import d::e
const K: u64 = 3 @ !x << 2
struct S<T: A<Item = i32> + B, const N: u32> where N > 1, T: C { export x: &[T], y: (T) -> dyn D }
enum E<T> { U, V(T, Self::X), W { f: T } }
trait R { type I
    func m(&mut self) -> impl R }
impl<T> R for S<T, 2> { type I = T
    func m(self) { self.x } }
newtype W = f64
type G = a::b::C<2, [2, ?], 'a>
module m { module n { func f() { m::n::f() } } }
"#;
    let cuts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    for (number, cut) in cuts.enumerate() {
        let (before, after) = text.split_at(cut);
        // Texts that begin anywhere are rarer than those that end anywhere.
        let texts = if number % 7 == 0 { [before, after] } else { [before, ""] };
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            assert!(reports(text).len() < 20_000);
            everything(text);
        }
    }
}

#[test]
fn patterns_bind_each_name_once_and_in_every_alternative() {
    check(
        r#"
func take(t: Token, pair: (i32, i32)) -> i32 {
    val (a, a) = pair
    match t {
        Token::Number(n) | Token::Count(n) => n
        Token::Number(n) | Token::End => 1
        Token::Number(n) | Token::Pair(n, m) => 1
        Red | Green => 2
        Token::Pair(x, x) => x
        Token::Rest(..) => 3
    }
}
func list(xs: [i32; 3]) {
    val [first, ..rest, last] = xs
    for (i, i) in xs.enumerate() {}
    for [a, b] in xs {}
    val f = |x: i32, x: i32| x
}
"#,
        expect![[r#"
            E0202 3 `a`: the pattern binds `a` twice
                3 `a`: first bound here
            E0205 6 `Token::End`: this alternative does not bind `n`
                6 `n`: bound here
            E0205 7 `m`: `m` is bound in this alternative only; a variant that is not imported is written with its enum
            E0205 8 `Green`: `Green` is bound in this alternative only; a variant that is not imported is written with its enum
            E0202 9 `x`: the pattern binds `x` twice
                9 `x`: first bound here
            E0101 10 `..`: `..` stands only at the end of an array pattern
            E0101 14 `last`: `..` stands last in an array pattern
            E0202 15 `i`: the pattern binds `i` twice
                15 `i`: first bound here
            E0101 16 `[a, b]`: a `for` binds a name, or a pair of names as `.enumerate()` gives
            E0202 17 `x`: the parameter `x` is declared twice
                17 `x`: first declared here
        "#]],
    );
}

/// Asks what else this stage knows of a text.
fn everything(text: &str) {
    let (db, file) = super::database(text);
    crate::module_candidates(&db, file);
    crate::unused_items(&db, file);
    for import in crate::unused_imports(&db, file) {
        assert!(crate::import_span(&db, file, *import).is_some());
    }
    for item in &crate::file_items(&db, file).items {
        let whole = item.source(&db).0.text_len();
        assert!(crate::item_name_range(&db, *item).end() <= whole);
        let (body, map) = match *item {
            crate::Item::Function(function) => {
                crate::signature_ranges(&db, function);
                (crate::body(&db, function), crate::source_map(&db, function))
            }
            crate::Item::Const(constant) => {
                (crate::const_body(&db, constant), crate::const_source_map(&db, constant))
            }
            _ => continue,
        };
        crate::unused_locals(body);
        for (expr, _) in body.exprs.iter() {
            assert!(map.expr(expr).end() <= whole && map.head(expr).end() <= whole);
        }
        for (pat, _) in body.pats.iter() {
            assert!(map.pat(pat).end() <= whole);
        }
        if let Some(root) = body.root {
            let mut seen = 0;
            body.walk(root, &mut |_| seen += 1);
            assert!(seen <= body.exprs.len(), "an expression stands in one place");
        }
    }
}
