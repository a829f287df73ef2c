//! Patterns, `match` and what may fail: what is refused and where.

use expect_test::expect;

use super::check;

#[test]
fn bindings_that_take_values_apart() {
    check(
        r#"
struct Point { x: f64, y: f64 }
func a(t: (i32, bool), p: Point, v: [i32; 3]) {
    val (a, b, c) = t
    val (d, e) = 1
    val Point { x, z } = p
    val [f, g] = v
    val [h, i, j, k, ..] = v
    val [l, ..rest] = v
    val m: bool = rest
    val (n, o) = (a, b)
    val Other { q } = p
}
"#,
        expect![[r#"
            E0301: this takes a tuple of 3 apart, and `(i32, bool)` has 2
                val (a, b, c) = t
                    ^^^^^^^^^
            E0301: this takes a tuple apart, and the value is `i32`
                val (d, e) = 1
                    ^^^^^^
            E0304: `Point` has no field `z`
                val Point { x, z } = p
                               ^
            E0301: this takes 2 elements, and `[i32; 3]` has 3
                val [f, g] = v
                    ^^^^^^
              note: `..` leaves the others out: `[a, ..]`
            E0301: this takes 4 elements or more, and `[i32; 3]` has 3
                val [h, i, j, k, ..] = v
                    ^^^^^^^^^^^^^^^^
            E0301: expected `bool`, found `[i32; 2]`
                val m: bool = rest
                              ^^^^
              at `bool`: `bool` is declared here
            E0201: there is no struct `Other`
                val Other { q } = p
                    ^^^^^
        "#]],
    );
}

#[test]
fn arms() {
    check(
        r#"
enum Shape { Dot, Round(f64), Box { w: f64, h: f64 } }
enum Other { A }
func a(s: Shape, n: u8, c: char, f: f64, t: string, p: (i32, i32)) {
    match s {
        Shape::Dot(x) => 1,
        Shape::Round => 2,
        Shape::Round(a, b) => 3,
        Shape::Box { w } => 4,
        Shape::Box(w, h) => 5,
        Shape::Bx { w, h } => 6,
        Other::A => 7,
        3 => 8,
        _ => 9
    }
    match n { 1 => 0, 300 => 1, -1 => 2, 'a' => 3, "x" => 4, 1.0 => 5, _ => 6 }
    match c { 'a'..='z' => 0, 1 => 1, _ => 2 }
    match f { _ => 0 }
    match t { _ => 0 }
    match p { _ => 0 }
}
func b(s: Shape) -> i32 {
    match s {
        Shape::Dot => 1,
        Shape::Round(r) => r,
        _ => true
    }
}
func c(s: Shape) -> i32 {
    val x = match s { Shape::Dot => 1, _ => "a" }
    val Shape::Round(r) = s else { 3 }
    val None = Some(1) else |n| { return 1 }
    0
}
"#,
        expect![[r#"
            E0315: `Shape::Dot` holds nothing, and is written without parentheses
                Shape::Dot(x) => 1,
                ^^^^^^^^^^^^^
            E0315: `Shape::Round` holds something: write `Shape::Round(_)`
                Shape::Round => 2,
                ^^^^^^^^^^^^
            E0315: `Shape::Round` holds 1 value, and this names 2
                Shape::Round(a, b) => 3,
                ^^^^^^^^^^^^^^^^^^
            E0316: this pattern does not name the field `h`
                Shape::Box { w } => 4,
                ^^^^^^^^^^
              note: `..` leaves the others out
            E0315: `Shape::Box` holds fields: write `Shape::Box { w, h }`
                Shape::Box(w, h) => 5,
                ^^^^^^^^^^^^^^^^
            E0304: `Shape` has no variant `Bx`
                Shape::Bx { w, h } => 6,
                       ^^
              note: did you mean `Box`?
              fix: change to `Box` => Shape::Box { w, h } => 6,
            E0301: `Other::A` is a variant of `Other`, and the value is a `Shape`
                Other::A => 7,
                ^^^^^^^^
            E0301: this matches an integer, and the value is `Shape`
                3 => 8,
                ^
            E0305: `300` does not fit `u8`, so it never matches
                match n { 1 => 0, 300 => 1, -1 => 2, 'a' => 3, "x" => 4, 1.0 => 5, _ => 6 }
                                  ^^^
            E0305: `-1` does not fit `u8`, so it never matches
                match n { 1 => 0, 300 => 1, -1 => 2, 'a' => 3, "x" => 4, 1.0 => 5, _ => 6 }
                                            ^^
            E0301: this matches a character, and the value is `u8`
                match n { 1 => 0, 300 => 1, -1 => 2, 'a' => 3, "x" => 4, 1.0 => 5, _ => 6 }
                                                     ^^^
            E0301: this matches text, and the value is `u8`
                match n { 1 => 0, 300 => 1, -1 => 2, 'a' => 3, "x" => 4, 1.0 => 5, _ => 6 }
                                                               ^^^
            E0301: floats are compared with `==`, not matched with a pattern
                match n { 1 => 0, 300 => 1, -1 => 2, 'a' => 3, "x" => 4, 1.0 => 5, _ => 6 }
                                                                         ^^^
            E0301: this matches an integer, and the value is `char`
                match c { 'a'..='z' => 0, 1 => 1, _ => 2 }
                                          ^
            E0315: `match` takes enums, numbers without fraction, characters, truth values, text, and what is made of them; this is `f64`
                match f { _ => 0 }
                      ^
              note: compare it in an `if`
            E0301: expected nothing, found an integer literal
                match p { _ => 0 }
                               ^
              note: `a` declares no return type
            E0301: expected `i32`, found `f64`
                Shape::Round(r) => r,
                                   ^
              at `i32`: `i32` is declared here
              fix: convert to `i32` => Shape::Round(r) => r as i32,
            E0301: expected `i32`, found `bool`
                _ => true
                     ^^^^
              at `i32`: `i32` is declared here
            E0301: expected `string`, found an integer literal
                val x = match s { Shape::Dot => 1, _ => "a" }
                                                ^
              at `"a"`: the other branch is `string`
            E0301: this `else` goes on, and then nothing would be bound
                val Shape::Round(r) = s else { 3 }
                                             ^^^^^
              note: leave with `return`, `break`, `continue` or `panic(..)`
            E0315: a `None` holds nothing to be named: write `|_|`, or leave it out
                val None = Some(1) else |n| { return 1 }
                                         ^
        "#]],
    );
}

#[test]
fn what_may_fail() {
    check(
        r#"
func a(x: Option<i32>, y: Result<i32, string>, z: Result<i32, bool>) -> Option<i32> {
    val a = x?
    val b = y?
    val c = a?
    val d = x ?? true
    val e = a ?? 1
    val f = (&x)?
    Some(a)
}
func b(y: Result<i32, string>) -> Result<bool, bool> {
    val n = y?
    Ok(n)
}
func c(x: Option<i32>) { x? }
"#,
        expect![[r#"
            E0301: `?` returns a failed `Result` from the function, which returns `Option<i32>`
                val b = y?
                         ^
              at `Option<i32>`: `Option<i32>` is declared here
            E0302: `?` takes an `Option` or a `Result`, and this is `i32`
                val c = a?
                         ^
            E0301: expected `i32`, found `bool`
                val d = x ?? true
                             ^^^^
              at `x`: this holds `i32`
            E0302: `??` takes an `Option` or a `Result` on its left, and this is `i32`
                val e = a ?? 1
                        ^
            E0302: `?` takes an `Option` or a `Result`, and this is `&Option<i32>`
                val f = (&x)?
                            ^
              note: `?` takes what is inside, and this is only borrowed: use `match`
            E0301: `?` returns the error as it is: `string`, where `bool` is expected
                val n = y?
                         ^
              at `Result<bool, bool>`: `Result<bool, bool>` is declared here
              note: convert it first: `match` the `Result`, and return your own `Err(..)`
            E0301: `?` returns a failed `Option` from the function, which returns `void`
                func c(x: Option<i32>) { x? }
                                          ^
        "#]],
    );
}
