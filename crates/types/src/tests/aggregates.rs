//! Structs, enums, newtypes, tuples, arrays: what is refused and where.

use expect_test::expect;

use super::{accept, all_diagnostics, check, file};

#[test]
fn fields_of_literals() {
    check(
        r#"
struct Point { x: f64, y: f64 }
enum Shape { Dot, Round { radius: f64 } }
func a() -> Point { Point { x: 1.0 } }
func b() -> Point { Point { x: 1.0, y: 2, z: 3.0 } }
func c(p: Point) -> Point { Point { x: 1.0, x: 2.0, ..p } }
func d() -> Point { Pont { x: 1.0, y: 2.0 } }
func e() -> Shape { Shape::Round { radius: true } }
func f() -> Shape { Shape::Rond { radius: 1.0 } }
func g() -> Shape { Shape::Round(1.0) }
func h() -> Shape { Shape::Dot { } }
func i() -> i32 { Point { x: 1.0, y: 2.0 } }
func j(p: i32) -> Point { Point { ..p } }
func k() -> Point { Point }
"#,
        expect![[r#"
            E0316: this `Point` lacks the field `y: f64`
                func a() -> Point { Point { x: 1.0 } }
                                    ^^^^^
              fix: add the field => func a() -> Point { Point { x: 1.0, y: 0.0 } }
            E0301: field `y`: expected `f64`, found an integer literal
                func b() -> Point { Point { x: 1.0, y: 2, z: 3.0 } }
                                                       ^
              at `f64`: `y` is declared here
              note: an integer literal never becomes a float
              fix: write `2.0` => func b() -> Point { Point { x: 1.0, y: 2.0, z: 3.0 } }
            E0304: `Point` has no field `z`
                func b() -> Point { Point { x: 1.0, y: 2, z: 3.0 } }
                                                          ^
            E0316: the field `x` is given twice
                func c(p: Point) -> Point { Point { x: 1.0, x: 2.0, ..p } }
                                                            ^
            E0201: there is no struct `Pont`
                func d() -> Point { Pont { x: 1.0, y: 2.0 } }
                                    ^^^^
              note: did you mean `Point`?
              fix: change to `Point` => func d() -> Point { Point { x: 1.0, y: 2.0 } }
            E0301: field `radius`: expected `f64`, found `bool`
                func e() -> Shape { Shape::Round { radius: true } }
                                                           ^^^^
              at `f64`: `radius` is declared here
            E0304: `Shape` has no variant `Rond`
                func f() -> Shape { Shape::Rond { radius: 1.0 } }
                                           ^^^^
              note: did you mean `Round`?
              fix: change to `Round` => func f() -> Shape { Shape::Round { radius: 1.0 } }
            E0303: `Round` is made with its fields, in braces
                func g() -> Shape { Shape::Round(1.0) }
                                           ^^^^^
            E0301: the variant `Dot` has no named fields
                func h() -> Shape { Shape::Dot { } }
                                    ^^^^^^^^^^
            E0301: expected `i32`, found `Point`
                func i() -> i32 { Point { x: 1.0, y: 2.0 } }
                                  ^^^^^^^^^^^^^^^^^^^^^^^^
              at `i32`: `i32` is declared here
            E0301: expected `Point`, found `i32`
                func j(p: i32) -> Point { Point { ..p } }
                                                    ^
            E0301: `Point` is a struct, not a value
                func k() -> Point { Point }
                                    ^^^^^
              note: a value of it is made with its fields: `Point { .. }`
        "#]],
    );
}

#[test]
fn fields_that_are_read() {
    check(
        r#"
struct Point { x: f64, y: f64 }
enum Shape { Dot, Round(f64) }
newtype Meters = f64
func a(p: &Point) -> f64 { p.z }
func b(p: &&Point) -> f32 { p.x }
func c(s: Shape) -> f64 { s.radius }
func d(t: (i32, bool)) -> i32 { t.2 }
func e(m: Meters) -> f64 { m.1 }
func f(x: i32) -> i32 { x.y }
func g(v: Vec<i32>) -> u64 { v.len }
func h(p: Point) {
    p.x = 1.0
    mut t = (1, 2)
    t.0 = 3
    mut q = p
    q.x = 1
}
"#,
        expect![[r#"
            E0304: `&Point` has no field `z`
                func a(p: &Point) -> f64 { p.z }
                                             ^
            E0301: expected `f32`, found `f64`
                func b(p: &&Point) -> f32 { p.x }
                                            ^^^
              at `f32`: `f32` is declared here
              fix: convert to `f32` => func b(p: &&Point) -> f32 { p.x as f32 }
            E0304: `Shape` has no field `radius`
                func c(s: Shape) -> f64 { s.radius }
                                            ^^^^^^
              note: what an enum holds is read with `match`
            E0304: `(i32, bool)` has 2 elements, and the last one is `.1`
                func d(t: (i32, bool)) -> i32 { t.2 }
                                                  ^
            E0304: `Meters` has no element `.1`: only tuples and newtypes do
                func e(m: Meters) -> f64 { m.1 }
                                             ^
            E0304: `i32` has no field `y`
                func f(x: i32) -> i32 { x.y }
                                          ^
            E0304: `Vec<i32>` has no field `len`
                func g(v: Vec<i32>) -> u64 { v.len }
                                               ^^^
              note: it is a method: call it with `.len()`
              fix: call `.len()` => func g(v: Vec<i32>) -> u64 { v.len() }
            E0306: the elements of a tuple are not assigned one by one
                t.0 = 3
                ^^^
              note: assign the whole: `t = (..)`
            E0301: expected `f64`, found an integer literal
                q.x = 1
                      ^
              at `q.x`: this is `f64`
              note: an integer literal never becomes a float
              fix: write `1.0` => q.x = 1.0
        "#]],
    );
}

#[test]
fn tuples_and_arrays() {
    check(
        r#"
func a() -> (i32, bool) { (1, 2) }
func b() -> (i32, bool) { (1, true, 2) }
func c() -> [i32; 3] { [1, 2] }
func d() {
    val x = [1, 2.0, 3]
    val y = [1, true]
    val z: [u8; 2] = [1, 300]
    val w = []
    val v = [println("a"), println("b")]
}
func e(a: [i32; 3]) -> i32 { a[3] }
func k() -> i32 { [1, 2, 3][3] }
func f(a: [i32; 3]) -> i32 { a[0, 1] }
func g(a: [i32; 3]) -> i32 { a[0..2] }
func h(a: [i32; 3], b: [i32; 3]) -> bool { a == b }
func i(v: Vec<i32>) -> i32 { v[true] }
func j(s: string) -> char { s[0] }
"#,
        expect![[r#"
            E0301: expected `bool`, found an integer literal
                func a() -> (i32, bool) { (1, 2) }
                                              ^
            E0301: expected `(i32, bool)`, found `({integer}, bool, {integer})`
                func b() -> (i32, bool) { (1, true, 2) }
                                          ^^^^^^^^^^^^
              at `(i32, bool)`: `(i32, bool)` is declared here
            E0301: expected `[i32; 3]`, found `[i32; 2]`
                func c() -> [i32; 3] { [1, 2] }
                                       ^^^^^^
              at `[i32; 3]`: `[i32; 3]` is declared here
            E0301: expected a float, found an integer literal
                val x = [1, 2.0, 3]
                         ^
              note: an integer literal never becomes a float
              fix: write `1.0` => val x = [1.0, 2.0, 3]
            E0301: expected `i32`, found `bool`
                val y = [1, true]
                            ^^^^
              at `1`: the first element is `i32`
            E0305: `300` does not fit `u8`, whose values go from 0 to 255
                val z: [u8; 2] = [1, 300]
                                     ^^^
            E0308: nothing says what an element of this array is
                val w = []
                        ^^
              note: annotate what it is put in, as in `val a: [i32; 0] = []`
            E0301: `println(..)` gives nothing, and this needs a value
                val v = [println("a"), println("b")]
                         ^^^^^^^^^^^^
            E0402: position 3 is outside axis 0 of `[i32; 3]`: its positions go from 0 to 2
                func e(a: [i32; 3]) -> i32 { a[3] }
                                               ^
            E0402: position 3 is outside axis 0 of `[i32; 3]`: its positions go from 0 to 2
                func k() -> i32 { [1, 2, 3][3] }
                                            ^
            E0402: `[i32; 3]` has one axis, and 2 positions are given
                func f(a: [i32; 3]) -> i32 { a[0, 1] }
                                              ^^^^^^
            E0402: a range between brackets belongs to tensors; this is `[i32; 3]`
                func g(a: [i32; 3]) -> i32 { a[0..2] }
                                              ^^^^^^
              note: `.slice(a..b)` gives a view of a part
            E0302: `==` does not exist on `[i32; 3]`
                func h(a: [i32; 3], b: [i32; 3]) -> bool { a == b }
                                                             ^^
            E0301: a position is an integer; this is `bool`
                func i(v: Vec<i32>) -> i32 { v[true] }
                                               ^^^^
            E0302: tensors, arrays, slices and vectors have elements; this is `string`
                func j(s: string) -> char { s[0] }
                                            ^
              note: `.slice(a..b)` gives a part of a text, `.chars()` its characters
        "#]],
    );
}

#[test]
fn items_that_are_wrong() {
    check(
        r#"
struct Tree { left: Tree, value: i32 }
struct A { b: B }
enum B { One(A), Two }
newtype Loop = Loop
type X = Y
type Y = [X; 2]
struct Pair<T, T> { a: T }
struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
func f(x: X) { }
"#,
        expect![[r#"
            E0318: `Tree` contains itself, so its values would have no size
                struct Tree { left: Tree, value: i32 }
                       ^^^^
              note: keep a position instead, or a reference: `&`
            E0318: `A` contains itself, so its values would have no size
                struct A { b: B }
                       ^
              note: keep a position instead, or a reference: `&`
            E0318: `Loop` contains itself, so its values would have no size
                newtype Loop = Loop
                        ^^^^
              note: keep a position instead, or a reference: `&`
            E0318: the alias `X` stands for itself
                type X = Y
                     ^
            E0201: there is no type `int`
                struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
                                  ^^^
              note: did you mean `i32`?
              fix: change to `i32` => struct Wrong { a: i32, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
            E0313: `Vec` takes 1 type, that of its elements, as in `Vec<i32>`, and none is given
                struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
                                          ^^^
            E0313: `Pair` takes 2 generic arguments, `Pair<T, T>`, and 1 is given
                struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
                                                      ^^^^^
            E0301: `[i32]` stands behind `&` or `&mut` only: how large its values are is not known
                struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
                                                                ^^^^^
            E0301: `void` is what a function without a value returns; nothing has this type
                struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
                                                                          ^^^^
            E0201: there is no type `Maybe`
                struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Maybe<i32> }
                                                                                   ^^^^^
              note: did you mean `Option`?
              fix: change to `Option` => struct Wrong { a: int, b: Vec, c: Pair<i32>, d: [i32], e: void, f: Option<i32> }
        "#]],
    );
}

#[test]
fn other_modules_keep_their_fields() {
    check(
        r#"
module shapes {
    export struct Point { export x: f64, y: f64 }
    export enum Kind { Dot, Ring { radius: f64 } }
    export func origin() -> Point { Point { x: 0.0, y: 0.0 } }
    struct Hidden { a: i32 }
}
func a(p: shapes::Point) -> f64 { p.x + p.y }
func b() -> shapes::Point { shapes::Point { x: 1.0, y: 2.0 } }
func c() -> shapes::Point { shapes::Point { x: 1.0, ..shapes::origin() } }
func d(p: shapes::Point) -> f64 {
    val shapes::Point { x, y } = p
    x
}
func e(h: shapes::Hidden) { }
func f() -> shapes::Kind { shapes::Kind::Ring { radius: 1.0 } }
func g() -> shapes::Kind { shapes::Kind::Rng { radius: 1.0 } }
func h() -> shapes::Pont { shapes::orign() }
"#,
        expect![[r#"
            E0206: the field `y` of `Point` is private to its module
                func a(p: shapes::Point) -> f64 { p.x + p.y }
                                                          ^
              at `y`: it is declared here
              note: `export` before the field makes it visible: `export y: f64`
            E0206: the field `y` of `Point` is private to its module
                func b() -> shapes::Point { shapes::Point { x: 1.0, y: 2.0 } }
                                                                    ^
              at `y`: it is declared here
              note: `export` before the field makes it visible: `export y: f64`
            E0206: the field `y` of `Point` is private to its module
                func c() -> shapes::Point { shapes::Point { x: 1.0, ..shapes::origin() } }
                                                                      ^^^^^^^^^^^^^^^^
              at `y`: it is declared here
              note: `export` before the field makes it visible: `export y: f64`
            E0206: the field `y` of `Point` is private to its module
                val shapes::Point { x, y } = p
                                       ^
              at `y`: it is declared here
              note: `export` before the field makes it visible: `export y: f64`
            E0206: `Hidden` is private to `shapes`
                func e(h: shapes::Hidden) { }
                                  ^^^^^^
              note: `export` before its declaration makes it visible
            E0304: `Kind` has no variant `Rng`
                func g() -> shapes::Kind { shapes::Kind::Rng { radius: 1.0 } }
                                                         ^^^
              note: did you mean `Ring`?
              fix: change to `Ring` => func g() -> shapes::Kind { shapes::Kind::Ring { radius: 1.0 } }
            E0201: the module `shapes` has no `Pont`
                func h() -> shapes::Pont { shapes::orign() }
                                    ^^^^
              note: did you mean `Point`?
              fix: change to `Point` => func h() -> shapes::Point { shapes::orign() }
        "#]],
    );
}

#[test]
fn circles_through_generic_types() {
    check(
        r#"
struct Node { weight: Option<i32>, next: Option<Node> }
struct Grow<T> { more: Option<Grow<(T, T)>> }
struct User { grow: Grow<i32> }
struct Peek<T> { at: &T }
struct Tree { root: Peek<Tree>, leaves: Vec<i32> }
enum Wide<T> { One(Peek<T>), Two(Option<Option<T>>) }
struct Deep { wide: Wide<Deep> }
"#,
        expect![[r#"
            E0318: `Node` contains itself, so its values would have no size
                struct Node { weight: Option<i32>, next: Option<Node> }
                       ^^^^
              note: keep a position instead, or a reference: `&`
            E0318: `Grow` contains itself, so its values would have no size
                struct Grow<T> { more: Option<Grow<(T, T)>> }
                       ^^^^
              note: keep a position instead, or a reference: `&`
            E0318: `Deep` contains itself, so its values would have no size
                struct Deep { wide: Wide<Deep> }
                       ^^^^
              note: keep a position instead, or a reference: `&`
        "#]],
    );
}

/// A circle of thousands, and thousands of types in a row: each is asked once what it contains.
#[test]
fn long_circles_and_long_rows() {
    let circle = |count: usize| -> String {
        (0..count).map(|i| format!("struct S{i} {{ x: S{} }}\n", (i + 1) % count)).collect()
    };
    let (db, file) = file(&circle(3_000));
    let found = all_diagnostics(&db, file);
    let [only] = &found[..] else { panic!("{} diagnostics", found.len()) };
    assert_eq!(only.message, "`S0` contains itself, so its values would have no size");
    let row: String = (0..3_000).map(|i| format!("newtype N{i} = (N{}, bool)\n", i + 1)).collect();
    accept(&format!("{row}newtype N3000 = i32\n"));
}

/// Sixty aliases, each twice the one before it: one diagnostic, at the first that is too large.
#[test]
fn aliases_that_double() {
    let mut text = "type A0 = (i32, i32)\n".to_owned();
    for n in 1..=60 {
        let inner = n - 1;
        text += &format!("type A{n} = (A{inner}, A{inner})\n");
    }
    check(
        &format!("{text}func f(x: &A60, y: &A10) -> i32 {{ (x.0).0 }}\n"),
        expect![[r#"
        E0319: the alias `A11` stands for a type of more than 4096 parts
            type A11 = (A10, A10)
                 ^^^
          note: a `struct` in it counts as one part
    "#]],
    );
}
