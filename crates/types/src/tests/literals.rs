//! Literals take their types from either side.

use expect_test::expect;

use super::{accept, accept_body, check, check_body, check_types};

#[test]
fn a_literal_takes_the_type_of_its_place() {
    check_types(
        "func f(n: i64, x: f32) -> f32 {\n    val a = 2 * n + 1\n    val b: u8 = 3 + 4\n    val c = 1\n    val d = 0.5\n    if 0 < n { return 1.5 }\n    x * 2.0\n}\n",
        expect![[r#"
            n: i64
            x: f32
            { val a = 2 * n + 1 val b: u8 = 3 + 4 val c = 1 val d = 0.5 if 0 < n { return 1.5 } x * 2.0 }: f32
            a: i64
            2 * n + 1: i64
            2 * n: i64
            2: i64 = 2
            n: i64
            1: i64 = 1
            b: u8
            3 + 4: u8
            3: u8 = 3
            4: u8 = 4
            c: i32
            1: i32 = 1
            d: f64
            0.5: f64 = 0.5
            if 0 < n { return 1.5 }: void
            0 < n: bool
            0: i64 = 0
            n: i64
            { return 1.5 }: never
            return 1.5: never
            1.5: f32 = 1.5
            x * 2.0: f32
            x: f32
            2.0: f32 = 2.0
        "#]],
    );
}

#[test]
fn a_literal_takes_the_type_through_branches_references_and_methods() {
    check_types(
        "func f(r: &i64, x: f32, c: bool) -> f32 {\n    val a = 2 * r\n    val b = if c { 1 } else { *r }\n    x + (2.0).exp().pow(3.0)\n}\n",
        expect![[r#"
            r: &i64
            x: f32
            c: bool
            { val a = 2 * r val b = if c { 1 } else { *r } x + (2.0).exp().pow(3.0) }: f32
            a: i64
            2 * r: i64
            2: i64 = 2
            r: &i64
            b: i64
            if c { 1 } else { *r }: i64
            c: bool
            { 1 }: i64
            1: i64 = 1
            { *r }: i64
            *r: i64
            r: &i64
            x + (2.0).exp().pow(3.0): f32
            x: f32
            (2.0).exp().pow(3.0): f32
            (2.0).exp(): f32
            2.0: f32 = 2.0
            3.0: f32 = 3.0
        "#]],
    );
}

#[test]
fn an_integer_never_becomes_a_float() {
    check_body(
        "    val a: f32 = 1\n    val b = 2.0 + 1\n    val c = 1.0f32 * 3",
        expect![[r#"
        E0301: expected `f32`, found an integer literal
            val a: f32 = 1
                         ^
          at `f32`: `f32` is declared here
          note: an integer literal never becomes a float
          fix: write `1.0` => val a: f32 = 1.0
        E0301: expected a float, found an integer literal
            val b = 2.0 + 1
                          ^
          note: an integer literal never becomes a float
          fix: write `1.0` => val b = 2.0 + 1.0
        E0301: expected `f32`, found an integer literal
            val c = 1.0f32 * 3
                             ^
          note: an integer literal never becomes a float
          fix: write `3.0` => val c = 1.0f32 * 3.0
    "#]],
    );
    check(
        "func half(x: f32) -> f32 { x / 2 }\n",
        expect![[r#"
        E0301: expected `f32`, found an integer literal
            func half(x: f32) -> f32 { x / 2 }
                                           ^
          note: an integer literal never becomes a float
          fix: write `2.0` => func half(x: f32) -> f32 { x / 2.0 }
    "#]],
    );
}

#[test]
fn literals_are_in_range() {
    accept_body(
        "    val a: i8 = -128\n    val b = -128i8\n    val c: u64 = 18446744073709551615\n    val d = -0\n    val e: u8 = -0\n    val f = 0xffu8",
    );
    check_body(
        "    val a: u8 = 256\n    val b: i8 = 128\n    val c: u32 = -1\n    val d = 5000000000\n    val e = 300u8\n    val f: f32 = 1e39",
        expect![[r#"
            E0305: `256` does not fit `u8`, whose values go from 0 to 255
                val a: u8 = 256
                            ^^^
            E0305: `128` does not fit `i8`, whose values go from -128 to 127
                val b: i8 = 128
                            ^^^
            E0305: `-1` is negative, and `u32` has no negative values
                val c: u32 = -1
                             ^^
            E0305: `5000000000` does not fit `i32`, whose values go from -2147483648 to 2147483647
                val d = 5000000000
                        ^^^^^^^^^^
              note: nothing says which type it has, so it is `i32`
              fix: make it `i64` => val d = 5000000000i64
            E0305: `300` does not fit `u8`, whose values go from 0 to 255
                val e = 300u8
                        ^^^^^
            E0305: `1e39` is greater than every `f32`
                val f: f32 = 1e39
                             ^^^^
        "#]],
    );
}

#[test]
fn a_suffix_pins_the_type() {
    check_body(
        "    val a: i64 = 1i32\n    val b: f64 = 1.0f32\n    val c = 1u8 + 1u16",
        expect![[r#"
            E0301: expected `i64`, found `i32`
                val a: i64 = 1i32
                             ^^^^
              at `i64`: `i64` is declared here
              fix: write `1` => val a: i64 = 1
            E0301: expected `f64`, found `f32`
                val b: f64 = 1.0f32
                             ^^^^^^
              at `f64`: `f64` is declared here
              fix: write `1.0` => val b: f64 = 1.0
            E0302: `+` needs two operands of one type, and these are `u8` and `u16`
                val c = 1u8 + 1u16
                            ^
              note: there is no implicit conversion: convert one of them with `as`
        "#]],
    );
}

#[test]
fn a_negated_literal_has_one_value() {
    check_types(
        "func f() -> i8 { -128 }\n",
        expect![[r#"
        { -128 }: i8
        -128: i8 = -128
        128: i8 = -128
    "#]],
    );
}

#[test]
fn constants_are_computed() {
    check_types(
        "const ROWS: u64 = COLUMNS * 2 + 1\nconst COLUMNS: u64 = 4\nconst RATE: f32 = 0.1\nconst BIG: bool = ROWS > 8 && !false\nfunc f() -> f32 { RATE * (COLUMNS as f32) }\n",
        expect![[r#"
            COLUMNS * 2 + 1: u64
            COLUMNS * 2: u64
            COLUMNS: u64 = 4
            2: u64 = 2
            1: u64 = 1
            4: u64 = 4
            0.1: f32 = 0.1
            ROWS > 8 && !false: bool
            ROWS > 8: bool
            ROWS: u64 = 9
            8: u64 = 8
            !false: bool
            false: bool = false
            { RATE * (COLUMNS as f32) }: f32
            RATE * (COLUMNS as f32): f32
            RATE: f32 = 0.1
            COLUMNS as f32: f32
            COLUMNS: u64 = 4
        "#]],
    );
}

#[test]
fn constants_that_cannot_be_computed() {
    check(
        "const A: u8 = 200 + 100\nconst B: i32 = 1 / 0\nconst C: i32 = f()\nconst D: i32 = E + 1\nconst E: i32 = D * 2\nconst F: i32 = F\nconst G: f32 = 1\nconst H: i32 = D\nfunc f() -> i32 { A as i32 + D }\n",
        expect![[r#"
            E0310: the value of `A` cannot be computed: integer overflow in `u8`
                const A: u8 = 200 + 100
                              ^^^^^^^^^
            E0310: the value of `B` cannot be computed: division by zero in `i32`
                const B: i32 = 1 / 0
                               ^^^^^
            E0310: the value of `C` is not constant
                const C: i32 = f()
                               ^^^
              note: a constant is made of literals, operators, casts and other constants
            E0310: the value of `D` depends on itself
                const D: i32 = E + 1
                               ^^^^^
              note: `D` needs `E`, which needs `D`
            E0310: the value of `F` depends on itself
                const F: i32 = F
                               ^
            E0301: value of `G`: expected `f32`, found an integer literal
                const G: f32 = 1
                               ^
              note: an integer literal never becomes a float
              fix: write `1.0` => const G: f32 = 1.0
        "#]],
    );
}

#[test]
fn casts() {
    accept_body(
        "    val a = 3.7f32 as i32\n    val b = true as u8\n    val c = a as f64\n    val d = c as f32\n    val e = 7u64 as i8",
    );
    check_body(
        "    val a = 1 as bool\n    val b = true as f32\n    val r = &a\n    val n = 4\n    val m = &n\n    val d = m as f32\n    val t: Tensor<f32, [2]> = [1.0, 2.0]\n    val e = &t as f32",
        expect![[r#"
            E0309: `as` does not convert `i32` to `bool`
                val a = 1 as bool
                          ^^
              note: compare instead: `x != 0`
            E0309: `as` does not convert `bool` to `f32`
                val b = true as f32
                             ^^
            E0309: `as` does not convert `&i32` to `f32`
                val d = m as f32
                          ^^
              note: `as` does not read through references: write `*x as T`
            E0309: `as` does not convert `&Tensor<f32, [2]>` to `f32`
                val e = &t as f32
                           ^^
              note: `as` does not read through references: write `*x as T`
        "#]],
    );
}

#[test]
fn holes_print_what_is_printable() {
    accept_body(
        "    val x = 1.5f32\n    val n = 3\n    val r = &n\n    println(\"{x:.3} {x:e} {n:+05d} {n:x} {r} {true} {'c'} {x:>8} {n:?}\")",
    );
    check_body(
        "    val x = 1.5f32\n    val n = 3\n    val u = 3u8\n    val t: Tensor<f32, [2]> = [1.0, 2.0]\n    println(\"{t}\")\n    println(\"{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}\")\n    println(n)",
        expect![[r#"
            E0311: `Tensor<f32, [2]>` is not printable
                println("{t}")
                          ^
              note: print its elements, as in `{t[0]}`
            E0311: the formats `d`, `x`, `X`, `b` and `o` print integers, and this is `f32`
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                          ^
            E0311: a precision is for floats, and this is `i32`
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                                ^
            E0311: `+` is for signed integers and floats, and this is `u8`
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                                       ^
            E0311: a format has no `+` in base 2, 8 or 16
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                                             ^
            E0311: a format that fills with zeros is aligned to the right
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                                                    ^
            E0311: the formats `d`, `x`, `X`, `b` and `o` print integers, and this is `bool`
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                                                            ^^^^
            E0311: the format `e` prints floats, and this is `i32`
                println("{x:d} {n:.2} {u:+} {n:+x} {n:<05} {true:x} {n:e}")
                                                                     ^
            E0301: `println` takes text, not `i32`
                println(n)
                        ^
              note: a value is printed in a hole: `println("{x}")`
              fix: show it in a hole => println("{n)
              fix: show it in a hole => println(n}")
        "#]],
    );
}

#[test]
fn half_floats_are_printed_as_others() {
    accept("func f(x: f16, y: bf16) { println(\"{x as f32:.1} {y as f64}\") }\n");
    check(
        "func f(x: f16, y: &bf16) { println(\"{x} {y:.2}\") }\n",
        expect![[r#"
        E0311: `f16` is not printable
            func f(x: f16, y: &bf16) { println("{x} {y:.2}") }
                                                 ^
          note: cast it: `as f32` has the same value
        E0311: `&bf16` is not printable
            func f(x: f16, y: &bf16) { println("{x} {y:.2}") }
                                                     ^
          note: cast it: `as f32` has the same value
    "#]],
    );
}
