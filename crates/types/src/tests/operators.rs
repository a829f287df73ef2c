//! Operators on numbers.

use expect_test::expect;

use super::{accept, accept_body, check, check_body};

#[test]
fn operators_read_through_references() {
    accept_body(
        "    val n = 3u64\n    val r = &n\n    val s = &r\n    val a: u64 = 2 * r + s % 4\n    val b = r == s && 1 < r\n    val c: u64 = ~r & 1 | r ^ r\n    val d = -(1.5f32)\n    mut e = 1u64\n    e += r",
    );
}

#[test]
fn operands_have_one_type() {
    check(
        "func f(a: i32, b: i64, x: f32, c: bool) {\n    a + b\n    a * x\n    c + c\n    a < b\n    c < c\n    x & x\n    c == a\n    -c\n    !a\n    ~x\n    a @ b\n    'a' < 'b'\n    'a' + 'b'\n    mut n = a\n    n += x\n    n += 1.0\n    1 << 32\n    a << -1\n}\n",
        expect![[r#"
            E0302: `+` needs two operands of one type, and these are `i32` and `i64`
                a + b
                  ^
              note: there is no implicit conversion: convert one of them with `as`
              fix: convert to `i64` => a as i64 + b
            E0302: `*` needs two operands of one type, and these are `i32` and `f32`
                a * x
                  ^
              note: there is no implicit conversion: convert one of them with `as`
              fix: convert to `f32` => a as f32 * x
            E0302: `+` does not exist on `bool`
                c + c
                  ^
            E0302: `<` needs two operands of one type, and these are `i32` and `i64`
                a < b
                  ^
              note: there is no implicit conversion: convert one of them with `as`
              fix: convert to `i64` => a as i64 < b
            E0302: `<` does not exist on `bool`
                c < c
                  ^
            E0302: `&` does not exist on `f32`
                x & x
                  ^
            E0302: `==` needs two operands of one type, and these are `bool` and `i32`
                c == a
                  ^^
            E0302: `-` does not exist on `bool`
                -c
                ^
            E0302: `!` does not exist on `i32`
                !a
                ^
              note: `!` negates a `bool`; `~` flips the bits of an integer
            E0302: `~` does not exist on `f32`
                ~x
                ^
            E0302: `@` does not exist between `i32` and `i64`
                a @ b
                  ^
            E0302: `+` does not exist on `char`
                'a' + 'b'
                    ^
            E0302: `+=` on `i32`: expected `i32`, found `f32`
                n += x
                     ^
            E0301: expected `i32`, found a float literal
                n += 1.0
                     ^^^
              note: the other operand is `i32`, and both have one type
            E0305: `i32` is shifted by 0 to 31, not by 32
                1 << 32
                     ^^
            E0301: expected nothing, found `i32`
                a << -1
                ^^^^^^^
              note: `f` declares no return type
              fix: declare that it returns `i32` => func f(a: i32, b: i64, x: f32, c: bool) -> i32 {
            E0305: `i32` is shifted by 0 to 31, not by -1
                a << -1
                     ^^
        "#]],
    );
}

#[test]
fn one_mistake_one_diagnostic() {
    check_body(
        "    val a = missing + 1\n    val b = a * 2.0 + a[0] + a.sum()\n    val c: i32 = b\n    if b { println(\"{a}\") }\n    for i in 0..a { a = i }",
        expect![[r#"
            E0201: `missing` is not declared
                val a = missing + 1
                        ^^^^^^^
        "#]],
    );
}

#[test]
fn long_chains_are_no_deep_recursion() {
    for (operand, operator) in [("1", " + "), ("true", " && ")] {
        let chain = vec![operand; 2_500].join(operator);
        accept_body(&format!("    val a = {chain}"));
        accept(&format!("const A: {} = {chain}\n", if operand == "1" { "i64" } else { "bool" }));
    }
}

#[test]
fn an_operand_that_leaves_gives_no_value() {
    check_body(
        "    val a = 1 + panic(\"no\")\n    val b: i32 = 1 + panic(\"no\")",
        expect![[r#"
        E0301: this never gives a value to bind
            val a = 1 + panic("no")
                    ^^^^^^^^^^^^^^^
    "#]],
    );
}
