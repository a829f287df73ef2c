//! Bindings, assignments, control flow, what a function ends in.

use expect_test::expect;

use super::{accept, accept_body, check, check_body};

#[test]
fn nothing_to_bind() {
    check_body(
        "    val a = println(\"x\")\n    val b = if true { 1 }\n    val c = panic(\"no\")\n    val d: i32 = panic(\"yes\")\n    val e = a + b",
        expect![[r#"
            E0301: `println(..)` gives nothing to bind
                val a = println("x")
                        ^^^^^^^^^^^^
            E0301: an `if` without `else` gives nothing to bind
                val b = if true { 1 }
                        ^^^^^^^^^^^^^
            E0301: this never gives a value to bind
                val c = panic("no")
                        ^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn a_loop_that_is_not_understood_is_not_endless() {
    check_body(
        "    val a: i32 = loop { break 1 }\n    val b = loop { if a > 1 { match a { } } }",
        expect![[r#"
            E0301: this never gives a value to bind
                val b = loop { if a > 1 { match a { } } }
                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            E0335: this `match` has no arms
                val b = loop { if a > 1 { match a { } } }
                                          ^^^^^
              note: every value has an arm; one with a condition behind `if` does not count
              fix: write an arm for it => val b = loop { if a > 1 { match a {
        "#]],
    );
    check("func a() -> i32 { loop { break 1 } }\n", expect![""]);
}

#[test]
fn annotations_meet_values() {
    check_body(
        "    val a: i32 = true\n    val b: bool = if a > 1 { true } else { 0 }\n    val c: i32 = { val d = 1u8\n d }\n    val e: in32 = 3\n    val f: Tensor<f32, [2]> = 1.0",
        expect![[r#"
            E0301: expected `i32`, found `bool`
                val a: i32 = true
                             ^^^^
              at `i32`: `i32` is declared here
            E0301: expected `bool`, found an integer literal
                val b: bool = if a > 1 { true } else { 0 }
                                                       ^
              at `bool`: `bool` is declared here
            E0301: expected `i32`, found `u8`
                d }
                ^
              at `i32`: `i32` is declared here
              fix: convert to `i32` => d as i32 }
            E0201: there is no type `in32`
                val e: in32 = 3
                       ^^^^
              note: did you mean `i32`?
              fix: change to `i32` => val e: i32 = 3
            E0301: expected `Tensor<f32, [2]>`, found a float literal
                val f: Tensor<f32, [2]> = 1.0
                                          ^^^
              at `Tensor<f32, [2]>`: `Tensor<f32, [2]>` is declared here
        "#]],
    );
}

#[test]
fn assignment_needs_a_place_that_is_mut() {
    accept(
        "func f(n: i32, r: &mut i32, t: &mut Tensor<f32, [2]>) {\n    mut a = 1\n    a = 2\n    a += 3\n    *r = a\n    *r += 1\n    n = 4\n    t[0] = 1.0\n    t[1] += 2.0\n    t *= 0.5\n    *t = [1.0, 2.0]\n}\n",
    );
    check(
        "const N: i32 = 3\nfunc f(r: &mut i32, s: &i32, t: &Tensor<f32, [2]>) {\n    val a = 1\n    a = 2\n    a += 1\n    r = 3\n    r += 3\n    *s = 4\n    t[0] = 1.0\n    t += 1.0\n    N = 4\n    a + 1 = 3\n    for i in 0..3 { i = 2 }\n    val v: Tensor<f32, [2]> = [1.0, 2.0]\n    v[0] = 2.0\n    v -= 1.0\n}\n",
        expect![[r#"
            E0306: `a` is declared with `val` and cannot be assigned
                a = 2
                ^
              at `a`: `a` is declared here
              at `a`: here, too
              fix: declare `a` with `mut` => mut a = 1
            E0306: `r` is a reference; what it refers to is assigned with `*`
                r = 3
                ^
              fix: assign what it refers to => *r = 3
            E0306: `r` is a reference; what it refers to is assigned with `*`
                r += 3
                ^
              fix: assign what it refers to => *r += 3
            E0306: this is behind a shared reference `&`, which only reads
                *s = 4
                ^^
              at `s`: the reference is declared here
              fix: take it by `&mut` => func f(r: &mut i32, s: &mut i32, t: &Tensor<f32, [2]>) {
            E0306: this is behind a shared reference `&`, which only reads
                t[0] = 1.0
                ^
              at `t`: the reference is declared here
              at `t`: here, too
              fix: take it by `&mut` => func f(r: &mut i32, s: &i32, t: &mut Tensor<f32, [2]>) {
            E0306: the constant `N` cannot be assigned
                N = 4
                ^
            E0306: this is a value, not a place that can be assigned
                a + 1 = 3
                ^^^^^
            E0306: the loop variable `i` cannot be assigned
                for i in 0..3 { i = 2 }
                                ^
              at `i`: `i` is declared here
            E0306: `v` is declared with `val` and cannot be assigned
                v[0] = 2.0
                ^
              at `v`: `v` is declared here
              at `v`: here, too
              fix: declare `v` with `mut` => mut v: Tensor<f32, [2]> = [1.0, 2.0]
        "#]],
    );
}

#[test]
fn conditions_are_bool() {
    check_body(
        "    val n = 3\n    if n { }\n    while 1.0 { }\n    assert(n)\n    val b = n && true\n    val c = !n",
        expect![[r#"
            E0301: condition of `if`: expected `bool`, found `i32`
                if n { }
                   ^
            E0301: condition of `while`: expected `bool`, found a float literal
                while 1.0 { }
                      ^^^
            E0301: condition of `assert`: expected `bool`, found `i32`
                assert(n)
                       ^
            E0301: operand of `&&`: expected `bool`, found `i32`
                val b = n && true
                        ^
            E0302: `!` does not exist on `i32`
                val c = !n
                        ^
              note: `!` negates a `bool`; `~` flips the bits of an integer
        "#]],
    );
}

#[test]
fn branches_agree() {
    accept(
        "func f(c: bool) -> f32 {\n    val x = if c { 1.0 } else { 2.0f32 }\n    val y = if c { return 3.0 } else { x }\n    if c { y } else if x > y { panic(\"no\") } else { 1.0 }\n}\n",
    );
    check(
        "func f(c: bool) -> f32 {\n    val x = if c { 1 } else { 2.0f32 }\n    val y = if c { 1.0f32 } else { true }\n    val z = if c { 1 } else { 2.0 }\n    if c { 1.0 } else { }\n}\n",
        expect![[r#"
            E0301: expected `f32`, found an integer literal
                val x = if c { 1 } else { 2.0f32 }
                               ^
              at `2.0f32`: the other branch is `f32`
              note: an integer literal never becomes a float
              fix: write `1.0` => val x = if c { 1.0 } else { 2.0f32 }
            E0301: expected `f32`, found `bool`
                val y = if c { 1.0f32 } else { true }
                                               ^^^^
              at `1.0f32`: the other branch is `f32`
            E0301: expected a float, found an integer literal
                val z = if c { 1 } else { 2.0 }
                               ^
              note: an integer literal never becomes a float
              fix: write `1.0` => val z = if c { 1.0 } else { 2.0 }
            E0307: `f` returns `f32`, but this block ends without a value
                if c { 1.0 } else { }
                                  ^
              at `f32`: `f32` is declared here
        "#]],
    );
}

#[test]
fn functions_end_in_their_value() {
    accept(
        "func a() -> i32 { loop { } }\nfunc b() -> i32 { panic(\"no\") }\nfunc c(n: i32) -> i32 {\n    if n > 0 { return 1 }\n    return 2\n}\nfunc d(n: i32) -> i32 {\n    if n > 0 { return 1 } else { return 2 }\n}\nfunc e() -> i32 {\n    return 1\n    println(\"never\")\n}\nfunc f() { e() as f32\n return }\n",
    );
    check(
        "func a() -> i32 { }\nfunc b(n: i32) -> i32 {\n    if n > 0 { return 1 }\n}\nfunc c(n: i32) -> i32 {\n    while n > 0 { return 1 }\n}\nfunc d() -> i32 { val x = 1 }\nfunc e() { 1 }\nfunc f() -> i32 { return }\nfunc g() { return 1 }\nfunc h() -> i32 { println(\"x\") }\nfunc i() -> i32 { loop { break } }\n",
        expect![[r#"
            E0307: `a` returns `i32`, but its body can end without a value
                func a() -> i32 { }
                            ^^^
            E0307: `b` returns `i32`, but an `if` without `else` gives nothing
                if n > 0 { return 1 }
                ^^
              at `i32`: `i32` is declared here
            E0307: `c` returns `i32`, but a loop gives nothing
                while n > 0 { return 1 }
                ^^^^^
              at `i32`: `i32` is declared here
            E0307: `d` returns `i32`, but its body can end without a value
                func d() -> i32 { val x = 1 }
                            ^^^
            E0301: expected nothing, found an integer literal
                func e() { 1 }
                           ^
              note: `e` declares no return type
            E0301: `f` returns `i32`, but this `return` has no value
                func f() -> i32 { return }
                                  ^^^^^^
              at `i32`: `i32` is declared here
            E0301: expected nothing, found an integer literal
                func g() { return 1 }
                                  ^
              note: `g` declares no return type
            E0307: `h` returns `i32`, but this gives nothing
                func h() -> i32 { println("x") }
                                  ^^^^^^^^^^^^
              at `i32`: `i32` is declared here
            E0307: `i` returns `i32`, but a loop gives nothing
                func i() -> i32 { loop { break } }
                                  ^^^^
              at `i32`: `i32` is declared here
        "#]],
    );
}

#[test]
fn jumps_and_labels() {
    accept_body("    outer: for i in 0..3 { while true { break outer } }\n    loop { continue }");
    check_body(
        "    break\n    outer: loop { break outr }\n    while true { continue inner }",
        expect![[r#"
            E0312: `break` stands in no loop
                break
                ^^^^^
            E0312: no loop around this has the label `outr`
                outer: loop { break outr }
                                    ^^^^
              note: did you mean `outer`?
              fix: change to `outer` => outer: loop { break outer }
            E0312: no loop around this has the label `inner`
                while true { continue inner }
                                      ^^^^^
        "#]],
    );
}

/// A name behind `break` that means nothing is a label that is not there.
#[test]
fn a_break_with_the_name_of_no_label() {
    check_body(
        "    outer: for i in 0..3 { break outr }\n    while true { break b }",
        expect![[r#"
            E0312: no loop around this has the label `outr`
                outer: for i in 0..3 { break outr }
                                             ^^^^
              note: did you mean `outer`?
              fix: change to `outer` => outer: for i in 0..3 { break outer }
            E0312: no loop around this has the label `b`
                while true { break b }
                                   ^
        "#]],
    );
}

#[test]
fn ranges_are_integers_of_one_type() {
    accept(
        "func f(n: u64) {\n    for i in 0..n { val k: u64 = i }\n    for i in 0..10 { val k: i32 = i }\n    for i in (n..=9).rev().step(2) { }\n}\n",
    );
    check(
        "func f(n: u64, m: i32) {\n    for i in m..n { }\n    for i in 0.0..1.0 { }\n    for i in (0..9).step(0) { }\n    for i in (0..n).step(m) { }\n}\n",
        expect![[r#"
            E0301: expected `i32`, found `u64`
                for i in m..n { }
                            ^
              at `m`: this is `i32`
              fix: convert to `i32` => for i in m..n as i32 { }
            E0301: the ends of a range are integers; this is a float literal
                for i in 0.0..1.0 { }
                         ^^^
            E0305: the step of a range is positive, and this is 0
                for i in (0..9).step(0) { }
                                     ^
            E0301: expected `u64`, found `i32`
                for i in (0..n).step(m) { }
                                     ^
              at `n`: this is `u64`
              fix: convert to `u64` => for i in (0..n).step(m as u64) { }
        "#]],
    );
}

#[test]
fn undeclared_names_are_guessed() {
    check(
        "const RATE: f32 = 0.1\nfunc step(weight: f32) -> f32 {\n    val a = wieght * Rate\n    prinltn(\"x\")\n    stp(weight) + a + nothing\n}\n",
        expect![[r#"
            E0201: `wieght` is not declared
                val a = wieght * Rate
                        ^^^^^^
              note: did you mean `weight`?
              fix: change to `weight` => val a = weight * Rate
            E0201: `Rate` is not declared
                val a = wieght * Rate
                                 ^^^^
              note: did you mean `RATE`?
              fix: change to `RATE` => val a = wieght * RATE
            E0201: `prinltn` is not declared
                prinltn("x")
                ^^^^^^^
              note: did you mean `println`?
              fix: change to `println` => println("x")
            E0201: `stp` is not declared
                stp(weight) + a + nothing
                ^^^
              note: did you mean `step`?
              fix: change to `step` => step(weight) + a + nothing
            E0201: `nothing` is not declared
                stp(weight) + a + nothing
                                  ^^^^^^^
        "#]],
    );
}

#[test]
fn types_that_do_not_exist() {
    check(
        "const N: u64 = 3\nconst X: f32 = 1.0\nfunc f(a: int, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> double { panic(\"\") }\nfunc g() { val t: Tensor<f32, [ROWS]> = Tensor::zeros() }\n",
        expect![[r#"
            E0201: there is no type `int`
                func f(a: int, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> double { panic("") }
                          ^^^
              note: did you mean `i32`?
              fix: change to `i32` => func f(a: i32, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> double { panic("") }
            E0401: an extent is an integer from 0 up, and `X` is `1.0` of type `f32`
                func f(a: int, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> double { panic("") }
                                                                                                                                                       ^
            E0308: `Tensor` needs an element type and a shape, as in `Tensor<f32, [2, 3]>`
                func f(a: int, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> double { panic("") }
                                                                                                                                                                            ^^^^^^
            E0201: there is no type `double`
                func f(a: int, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> double { panic("") }
                                                                                                                                                                                       ^^^^^^
              note: did you mean `f64`?
              fix: change to `f64` => func f(a: int, b: Tensor<f32, [M]>, c: Tensor<f32, [ROWS]>, d: Tensor<f32, [?]>, e: string, g: Tensor<f32, [rows: 2]>, h: Tensor<f32, [X]>, i: [f32; 3], j: Tensor) -> f64 { panic("") }
            E0201: there is no constant `ROWS`
                func g() { val t: Tensor<f32, [ROWS]> = Tensor::zeros() }
                                               ^^^^
        "#]],
    );
}

#[test]
fn main_has_one_form() {
    accept("func main() -> i32 { 0 }\n");
    check(
        "func main() { }\n",
        expect![[r#"
            E0204: `main` returns its exit status: a program starts at `func main() -> i32`
                func main() { }
                     ^^^^
              fix: return the exit status => func main() -> i32 { }
              fix: return the exit status => func main() {
        "#]],
    );
    check(
        "func main(n: i32) -> i32 { n }\n",
        expect![[r#"
        E0204: `main` takes no parameters: a program starts at `func main() -> i32`
            func main(n: i32) -> i32 { n }
                      ^
    "#]],
    );
    check(
        "func main<T>() -> i32 { 0 }\n",
        expect![[r#"
            E0204: `main` is not generic: a program starts at `func main() -> i32`
                func main<T>() -> i32 { 0 }
                     ^^^^
        "#]],
    );
    check(
        "func main() -> f32 { 0.0 }\n",
        expect![[r#"
        E0204: `main` returns `f32`: a program starts at `func main() -> i32`
            func main() -> f32 { 0.0 }
                           ^^^
          fix: return the exit status => func main() -> i32 { 0.0 }
    "#]],
    );
}

#[test]
fn void_is_no_type_of_a_value() {
    accept("func f() -> void { }\n");
    check(
        "func f(a: void, b: &void) { val c: void = f(1, 2) }\n",
        expect![[r#"
        E0301: `void` is what a function without a value returns; nothing has this type
            func f(a: void, b: &void) { val c: void = f(1, 2) }
                      ^^^^
        E0301: `void` is what a function without a value returns; nothing has this type
            func f(a: void, b: &void) { val c: void = f(1, 2) }
                               ^^^^^
        E0301: `void` is what a function without a value returns; nothing has this type
            func f(a: void, b: &void) { val c: void = f(1, 2) }
                                               ^^^^
    "#]],
    );
}

#[test]
fn a_misspelt_field_of_a_literal_is_told_once() {
    check(
        "struct P { width: i32, y: i32 }
func f() -> P { P { widht: 1, y: 2 } }
func g() -> P { P { widht: 1 } }
func h() -> P { P { depth: 1, y: 2 } }
",
        expect![[r#"
            E0304: `P` has no field `widht`
                func f() -> P { P { widht: 1, y: 2 } }
                                    ^^^^^
              note: did you mean `width`?
              fix: change to `width` => func f() -> P { P { width: 1, y: 2 } }
            E0316: this `P` lacks the field `y: i32`
                func g() -> P { P { widht: 1 } }
                                ^
              fix: add the field => func g() -> P { P { widht: 1, y: 0 } }
            E0304: `P` has no field `widht`
                func g() -> P { P { widht: 1 } }
                                    ^^^^^
              note: did you mean `width`?
              fix: change to `width` => func g() -> P { P { width: 1 } }
            E0316: this `P` lacks the field `width: i32`
                func h() -> P { P { depth: 1, y: 2 } }
                                ^
              fix: add the field => func h() -> P { P { depth: 1, y: 2, width: 0 } }
            E0304: `P` has no field `depth`
                func h() -> P { P { depth: 1, y: 2 } }
                                    ^^^^^
        "#]],
    );
}

#[test]
fn a_misspelt_variant_is_called_one() {
    check(
        "enum Colour { Green, Blue }
enum Shape { Circle(f64), Square { side: f64 } }
impl Shape { func unit() -> Shape { Shape::Circle(1.0) } }
func f() -> Colour { Colour::Gren }
func g() -> Shape { Shape::Cirle(1.0) }
func h() -> Shape { Shape::unti() }
",
        expect![[r#"
            E0304: `Colour` has no variant `Gren`
                func f() -> Colour { Colour::Gren }
                                             ^^^^
              note: did you mean `Green`?
              fix: change to `Green` => func f() -> Colour { Colour::Green }
            E0304: `Shape` has no variant `Cirle`
                func g() -> Shape { Shape::Cirle(1.0) }
                                           ^^^^^
              note: did you mean `Circle`?
              fix: change to `Circle` => func g() -> Shape { Shape::Circle(1.0) }
            E0304: `Shape` has no function `unti`
                func h() -> Shape { Shape::unti() }
                                           ^^^^
              note: did you mean `unit`?
              fix: change to `unit` => func h() -> Shape { Shape::unit() }
        "#]],
    );
}

#[test]
fn an_arm_that_takes_everything_needs_no_look_at_the_cases() {
    let holes = |index: usize| -> String {
        let part = |at| if at == index { "true" } else { "_" };
        (0..14).map(part).collect::<Vec<_>>().join(", ")
    };
    let arms: String =
        (0..14).map(|index| format!("        ({}) => {index},\n", holes(index))).collect();
    let types = ["bool"; 14].join(", ");
    accept(&format!(
        "func f(a: ({types})) -> i32 {{\n    match a {{\n{arms}        _ => 14,\n    }}\n}}\n"
    ));
}
