//! Parts of the language that are not typed yet: each is refused by name, once.

use expect_test::expect;

use super::check;

#[test]
fn each_construct_is_refused_once() {
    check(
        r#"
struct Point { x: i32 }
enum Shape { Dot, Line(i32) }
import tools::{clamp, lerp as mix}
type Grid = Tensor<f64, [8, 8]>
impl Point {
    func x(&self) -> i32 { self.x }
}
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
    val h = loop { break 4 }
    val k = (d ?? 1) |> f
    val m = t[1..2, 0]
    val s = id::<i32>(h)?
    val p = n.x
    val w = n
    LOCAL
}
func generic<T>(x: T) -> T where T: Copy { x }
func sized<N>(x: Tensor<f32, [N]>) -> i32 { N }
func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
"#,
        expect![[r#"
            E0901: structs are not supported yet
                struct Point { x: i32 }
                ^^^^^^
            E0901: enums are not supported yet
                enum Shape { Dot, Line(i32) }
                ^^^^
            E0901: type aliases are not supported yet
                type Grid = Tensor<f64, [8, 8]>
                ^^^^
            E0901: `impl` blocks are not supported yet
                impl Point {
                ^^^^
            E0901: closures are not supported yet
                val f = |v: i32| v + n
                        ^
            E0901: tuples are not supported yet
                val (a, _) = (1, f(2))
                             ^
            E0901: `Some` is not supported yet
                val Some(c) = Some(n) else { return 0 }
                              ^^^^
            E0901: `const` in a function is not supported yet
                const LOCAL: i32 = 3
                      ^^^^^
            E0901: `match` is not supported yet
                val d = match n { 0 => a, _ => c }
                        ^^^^^
            E0901: `for` over anything but a range is not supported yet
                for (i, v) in xs.enumerate() { continue }
                              ^^
            E0901: this head of a `for` is not supported yet
                for q in (0..n).map(f) { print("{q}") }
                ^^^
            E0901: `break` with a value is not supported yet
                val h = loop { break 4 }
                               ^^^^^
            E0901: the operator `|>` is not supported yet
                val k = (d ?? 1) |> f
                                 ^^
            E0201: `t` is not declared
                val m = t[1..2, 0]
                        ^
            E0901: the operator `?` is not supported yet
                val s = id::<i32>(h)?
                                    ^
            E0901: fields are not supported yet
                val p = n.x
                          ^
            E0901: generic parameters are not supported yet
                func generic<T>(x: T) -> T where T: Copy { x }
                            ^^^
            E0901: generic parameters are not supported yet
                func sized<N>(x: Tensor<f32, [N]>) -> i32 { N }
                          ^^^
            E0901: an array type is not supported yet
                func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
                              ^^^^^^^^
            E0901: a slice type is not supported yet
                func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
                                           ^^^^^^
            E0901: a tuple type is not supported yet
                func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
                                                      ^^^^^^^^^^
            E0901: a function type is not supported yet
                func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
                                                                     ^^^^^^^^^^^^
            E0901: a `dyn` type is not supported yet
                func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
                                                                                      ^^^^^^^^^
            E0901: the type `Vec` is not supported yet
                func typed(a: [i32; 2], b: &[i32], c: (i32, f32), d: (i32) -> i32, e: &dyn Show, f: Vec<i32>) {}
                                                                                                    ^^^^^^^^
        "#]],
    );
}
