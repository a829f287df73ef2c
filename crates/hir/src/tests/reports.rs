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
fn each_unsupported_construct_is_reported_once() {
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
"#,
        expect![[r#""#]],
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
        expect![[r#""#]],
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
        expect![[r#""#]],
    );
}

#[test]
fn syntax_errors_are_reported_with_the_file() {
    check("func broken( {\n}\nfunc fine() -> i32 { 1 }\n", expect![[r#""#]]);
}
