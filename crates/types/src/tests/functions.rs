//! Closures, function values, loops that give values, `for` heads: what is refused and where.

use expect_test::expect;

use super::check;

#[test]
fn closures() {
    check(
        r#"
func apply(f: (i32) -> i32) -> i32 { f(1) }
func a(name: string) {
    val f = |x| x
    val g = |x: i32| x + 1
    val h = apply(|x, y| x)
    val i = apply(|x| x > 1)
    val j = apply(|x: bool| 1)
    val k = apply(g(1))
    val l = || name
    mut n = 0
    val m = || { n = 1 }
    g(true)
    g(1, 2)
    g(x: 1)
    val o = |x: i32| -> bool { return 1 }
    loop {
        val p = || { break }
        break
    }
}
"#,
        expect![[r#"
            E0308: nothing says what the type of `x` is
                val f = |x| x
                         ^
              note: write it: `x: T`
            E0303: a function of 1 parameter is expected, and this closure has 2 parameters
                val h = apply(|x, y| x)
                              ^
            E0301: expected `i32`, found `bool`
                val i = apply(|x| x > 1)
                                  ^^^^^
              at `|x| x > 1`: the closure returns `i32`
            E0301: argument `f` of `apply`: `x` is `i32` here, not `bool`
                val j = apply(|x: bool| 1)
                                  ^^^^
              at `(i32) -> i32`: `f` is `(i32) -> i32`
              fix: change to `i32` => val j = apply(|x: i32| 1)
            E0301: argument `f` of `apply`: expected `(i32) -> i32`, found `i32`
                val k = apply(g(1))
                              ^^^^
              at `(i32) -> i32`: `f` is `(i32) -> i32`
            E0317: this closure would take a copy of `name`, and `string` is not copied
                val l = || name
                           ^^^^
              at `name`: `name` is declared here
              note: pass it as a parameter, or capture a reference: `val r = &name`
            E0306: the closure holds a copy of `n`, which it cannot assign
                val m = || { n = 1 }
                             ^
              at `n`: `n` is declared here
            E0301: argument 1 of `g`: expected `i32`, found `bool`
                g(true)
                  ^^^^
            E0303: `g` takes 1 argument, and this call gives 2
                g(1, 2)
                     ^
            E0303: `g` has no label `x`: its arguments are given in order
                g(x: 1)
                  ^
            E0301: expected `bool`, found an integer literal
                val o = |x: i32| -> bool { return 1 }
                                                  ^
              at `bool`: the closure returns `bool`
            E0312: `break` stands in no loop
                val p = || { break }
                             ^^^^^
              note: a closure does not reach the loops around it
        "#]],
    );
}

#[test]
fn stages() {
    check(
        r#"
func inc(x: i32) -> i32 { x + 1 }
func show(x: bool) { }
func two(a: i32, b: i32) -> i32 { a }
func a() {
    val f = inc >> show
    val g = inc >> two
    val h = 1 |> show
    val i = 1 |> two
    val j = 1 |> 2
    val k = true |> inc
    val l = 1 |> missing
}
"#,
        expect![[r#"
            E0301: this takes `bool`, and what runs before it gives `i32`
                val f = inc >> show
                               ^^^^
              at `inc`: this gives `i32`
            E0301: `>>` joins functions of one parameter, and this one takes 2
                val g = inc >> two
                               ^^^
            E0301: this gives nothing to bind
                val h = 1 |> show
                        ^^^^^^^^^
            E0301: argument `x` of `show`: expected `bool`, found an integer literal
                val h = 1 |> show
                             ^^^^
              at `bool`: `x` is `bool`
              at `1`: this is passed on: an integer literal
            E0303: this call of `two` lacks the argument `b: i32`
                val i = 1 |> two
                             ^^^
            E0301: `|>` passes its left side to a function, and this is an integer literal
                val j = 1 |> 2
                             ^
              note: write the name of a function, a method without its parentheses, or a closure
            E0301: argument `x` of `inc`: expected `i32`, found `bool`
                val k = true |> inc
                                ^^^
              at `i32`: `x` is `i32`
              at `true`: this is passed on: `bool`
            E0201: `missing` is not declared
                val l = 1 |> missing
                             ^^^^^^^
        "#]],
    );
}

#[test]
fn loops_that_give_values() {
    check(
        r#"
func a() -> i32 {
    val x = loop {
        if true { break 1 }
        break true
    }
    val y = loop {
        if true { break }
        break 1
    }
    val z = while true { break 1 }
    for i in 0..3 { break i }
    loop { break 1.0 }
}
"#,
        expect![[r#"
            E0301: expected `i32`, found `bool`
                break true
                      ^^^^
              at `1`: the loop gives `i32` here already
            E0301: this `break` gives nothing, and another one gives a value
                if true { break }
                          ^^^^^
              at `1`: the loop gives this value
            E0301: a loop gives nothing to bind
                val z = while true { break 1 }
                        ^^^^^^^^^^^^^^^^^^^^^^
            E0301: expected `i32`, found a float literal
                loop { break 1.0 }
                             ^^^
              at `i32`: `i32` is declared here
        "#]],
    );
}

#[test]
fn heads() {
    check(
        r#"
struct Bag { items: Vec<i32> }
func a(b: Bag, m: HashMap<i32, i32>, s: string, n: i32) {
    for x in b { }
    for x in m { }
    for x in s { }
    for x in n { }
    for (i, x) in 0..3 { }
    for x in (0..3).enumerate() { }
    for x in b.items.rev() { }
    for x in (0..3).map(|i| i + 1.0) { }
    for x in (0..3).filter(|i| i) { }
    for x in (0..3).map(|i| println("a")) { }
    for i in s.char_indices() { }
    for x in 0..true { }
}
"#,
        expect![[r#"
            E0301: `for` walks ranges, arrays, slices, vectors and iterators; this is `Bag`
                for x in b { }
                         ^
            E0301: `for` walks ranges, arrays, slices, vectors and iterators; this is `HashMap<i32, i32>`
                for x in m { }
                         ^
              note: `.keys()` gives the keys of a map
            E0301: `for` walks ranges, arrays, slices, vectors and iterators; this is `string`
                for x in s { }
                         ^
              note: `.chars()` gives the characters of a text
            E0301: `for` walks ranges, arrays, slices, vectors and iterators; this is `i32`
                for x in n { }
                         ^
              note: a range counts: `for i in 0..n`
            E0315: each round gives one value, a `i32`
                for (i, x) in 0..3 { }
                    ^^^^^^
              note: `.enumerate()` gives a count with it
            E0315: `.enumerate()` gives a count and a value: write `(i, x)`
                for x in (0..3).enumerate() { }
                    ^
            E0304: `Vec<i32>` has no method `.rev()`
                for x in b.items.rev() { }
                                 ^^^
              note: a range walks backwards and in steps: `for i in (0..xs.len()).rev() { .. xs[i] .. }`
            E0301: expected `i32`, found a float literal
                for x in (0..3).map(|i| i + 1.0) { }
                                            ^^^
              note: the other operand is `i32`, and both have one type
            E0301: expected `bool`, found `i32`
                for x in (0..3).filter(|i| i) { }
                                           ^
              at `|i| i`: the closure returns `bool`
            E0301: `.map` needs a function that gives something
                for x in (0..3).map(|i| println("a")) { }
                                ^^^
            E0315: `.char_indices()` gives a position and a character: write `(i, c)`
                for i in s.char_indices() { }
                    ^
            E0301: the ends of a range are integers; this is `bool`
                for x in 0..true { }
                            ^^^^
        "#]],
    );
}

#[test]
fn what_a_program_has_from_the_prelude() {
    check(
        r#"
func a(x: i32) -> Option<i32> { if x > 0 { Some(x) } else { None } }
func b(d: Device) -> i32 { match d { Device::CPU => 0, Device::GPU(n) => n } }
func c() -> f64 { OrderedF64::new(1.0).value + OrderedF64 { value: 2.0 }.value }
func d(x: f64) -> Option<bool> { Some(x) }
func e() -> Option<i32> { Some(1, 2) }
func f() -> Option<i32> { Some }
func g() -> i32 { None }
"#,
        expect![[r#"
            E0301: argument 1 of `Some`: expected `bool`, found `f64`
                func d(x: f64) -> Option<bool> { Some(x) }
                                                      ^
            E0303: `Some` takes 1 argument, and this call gives 2
                func e() -> Option<i32> { Some(1, 2) }
                                                  ^
            E0301: expected `Option<i32>`, found `(i32) -> Option<i32>`
                func f() -> Option<i32> { Some }
                                          ^^^^
              at `Option<i32>`: `Option<i32>` is declared here
              note: `Some` holds something, given in `(..)`
            E0301: expected `i32`, found `Option<_>`
                func g() -> i32 { None }
                                  ^^^^
              at `i32`: `i32` is declared here
        "#]],
    );
}
