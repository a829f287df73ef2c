//! Slips of the hand and of habit: one message each, and an edit that makes it right.

use super::wording::{items, statements, unfinished};
use expect_test::expect;

#[test]
fn strings_that_are_never_closed() {
    unfinished(
        &[
            r#"val s = "a\"#,
            r#"val s = "a\q"#,
            r#"val s = "a {b.c(1"#,
            r#"f("a\q {x"#,
            r#"f(" "r"), x"#,
        ],
        expect![[r#"
            val s = "a\
                `"` this string is never closed: expected `"`
            val s = "a\q
                `"` this string is never closed: expected `"`
            val s = "a {b.c(1
                `"` this string is never closed: expected `"`
            f("a\q {x
                `"` this string is never closed: expected `"`
            f(" "r"), x
                `"` this string is never closed: expected `"`
        "#]],
    );
}

/// The end is missing where the value ends; a brace with no value behind it is text.
#[test]
fn holes_that_are_never_closed() {
    statements(
        &[
            r#"f("a {x")"#,
            r#"f("a {x and b")"#,
            r#"f("a {x.y(1)[2], b")"#,
            r#"f("a {x + y / 2")"#,
            r#"f("a {x + : b")"#,
            r#"f("a {x:.2 m")"#,
            r#"f("a {x:>08.3e of")"#,
            r#"f("a {x: of")"#,
            r#"f("a { b")"#,
            r#"f("{")"#,
            r#"f("a {x(1")"#,
            r#"f("{ \"a\": 1 }")"#,
            r#"f("{\n}")"#,
            r#"f("{'\''}")"#,
        ],
        expect![[r#"
            f("a {x")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x and b")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x.y(1)[2], b")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x + y / 2")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x + : b")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x:.2 m")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x:>08.3e of")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a {x: of")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("a { b")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [{ -> "\\{"]
            f("{")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [{ -> "\\{"]
            f("a {x(1")
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            f("{ \"a\": 1 }")
                `{` this `{` begins a hole, which holds no `\`: a brace in text is `\{` [{ \"a\": 1 } -> "\\{ \\\"a\\\": 1 \\}"]
            f("{\n}")
                `{` this `{` begins a hole, which holds no `\`: a brace in text is `\{` [{\n} -> "\\{\\n\\}"]
            f("{'\''}")
        "#]],
    );
}

#[test]
fn signatures_of_other_languages() {
    items(
        &[
            "func f(a: i32) -> -> i32 { a }",
            "func f(a: i32) --> i32 { a }",
            "func f(mut a: i32) { }",
            "func f(a: i32 b: i32, c: i32) { }",
            "impl P {\n    func get(self: &Self) -> i32 { 1 }\n}",
            "impl P {\n    func get(&self: P, n: i32) -> i32 { 1 }\n}",
            "impl T P {\n    func get(&self) -> i32 { 1 }\n}",
            "impl T\nP {\n}",
            "struct P(i32, i32);",
            "struct P { x: i32 y: i32 }",
            "pub fn f() { }",
            "pub func f() { }",
            "public class P { }",
            "# a comment",
            "## a comment",
        ],
        expect![[r#"
            func f(a: i32) -> -> i32 { a }
                `->` one `->` stands in front of a return type [ -> -> ""]
            func f(a: i32) --> i32 { a }
                `-->` an arrow is written `->` [--> -> "->"]
            func f(mut a: i32) { }
                `mut` a parameter is not assigned to: bind it to a `mut` name in the body, or take it by `&mut` [mut  -> ""]
            func f(a: i32 b: i32, c: i32) { }
                `b` expected `,` or `)`, found `b` [ -> ","]
            impl P {
                func get(self: &Self) -> i32 { 1 }
            }
                `:` a receiver has no type: it is `&self`, `&mut self` or `self` [: &Self -> ""]
            impl P {
                func get(&self: P, n: i32) -> i32 { 1 }
            }
                `:` a receiver has no type: it is `&self`, `&mut self` or `self` [: P -> ""]
            impl T P {
                func get(&self) -> i32 { 1 }
            }
                `P` a type gets what a trait has by `impl Trait for Type { .. }` [ -> "for "]
            impl T
            P {
            }
                `` expected `{` and the members
            struct P(i32, i32);
                `(` a struct has named fields in braces; a type around another one is a `newtype`
            struct P { x: i32 y: i32 }
                `y` expected `,`, a new line or `}`, found `y` [ -> ","]
            pub fn f() { }
                `pub fn` a function that other modules may see is an `export func` [pub fn -> "export func"]
            pub func f() { }
                `pub` what other modules may see is marked by `export` [pub -> "export"]
            public class P { }
                `public` what other modules may see is marked by `export` [public -> "export"]
                `class` `class` is no word of the language: write `struct` [class -> "struct"]
            # a comment
                `#` `#` begins nothing here: a comment begins with `//`, an attribute with `@` [# -> "//"]
            ## a comment
                `##` `#` begins nothing here: a comment begins with `//`, an attribute with `@`
        "#]],
    );
}

#[test]
fn values_of_other_languages() {
    statements(
        &[
            r#"val v = vec![1, 2, 3]"#,
            r#"val x = (f64)a"#,
            r#"val x = (f64)a + b"#,
            r#"val x = (f64)(a + b)"#,
            r#"val s = r"a\d""#,
            r#"val s = r"a\d {x}""#,
            r#"f(a b c)"#,
            r#"val x = [1 2 3]"#,
            r#"val p = P { x: 1 y: 2 }"#,
            r#"match a { 0 => 1 1 => 2 _ => 3 }"#,
            r#"f('hello)"#,
            r#"val c = 'x"#,
        ],
        expect![[r#"
            val v = vec![1, 2, 3]
                `!` there are no macros: a list is written `[1, 2, 3]` [vec! -> ""]
            val x = (f64)a
                `a` a cast stands behind the value: `value as f64` [(f64)a -> "a as f64"]
            val x = (f64)a + b
                `a` a cast stands behind the value: `value as f64`
            val x = (f64)(a + b)
            val s = r"a\d"
                `r` there are no raw strings: write `\\` for a backslash [r"a\d" -> "\"a\\\\d\""]
            val s = r"a\d {x}"
                `r` there are no raw strings: write `\\` for a backslash
            f(a b c)
                `b` expected `,` or `)`, found `b` [ b -> ", b,"]
            val x = [1 2 3]
                `2` expected `,` or `]`, found an integer `2` [ 2 -> ", 2,"]
            val p = P { x: 1 y: 2 }
                `y` expected `,`, a new line or `}`, found `y` [ -> ","]
            match a { 0 => 1 1 => 2 _ => 3 }
                `1` expected `,`, a new line or `}`, found an integer `1` [ 1 => 2 -> ", 1 => 2,"]
            f('hello)
                `'hello` this character literal is never closed: expected `'`; text stands between double quotes
            val c = 'x
                `'x` this character literal is never closed: expected `'`; text stands between double quotes
        "#]],
    );
}

#[test]
fn heads_that_go_on_nowhere() {
    unfinished(
        &["for i in", "while", "if", "match", "for i in 0..", "if a", "while a &&"],
        expect![[r#"
            for i in
                `` expected a range or a collection
            while
                `` expected a condition
            if
                `` expected a condition
            match
                `` expected the value to match
            for i in 0..
                `` expected `{` and the body of the loop
            if a
                `` expected `{` and the block of `if`
            while a &&
                `` expected an expression
        "#]],
    );
    statements(
        &[
            "while\n        a && b {\n    }",
            "for i in\n        0..3 {\n    }",
            "if a &&\n    b { }",
            "while\n    a && b {\n    }",
            "while/* a\n*/a {\n    }",
            "if\na &&\nb {\n    }",
            "while\n    f(a)",
            "for i in\n    f(a)",
        ],
        expect![[r#"
            while
                    a && b {
                }
            for i in
                    0..3 {
                }
            if a &&
                b { }
            while
                a && b {
                }
            while/* a
            */a {
                }
            if
            a &&
            b {
                }
            while
                f(a)
                `` expected a condition
            for i in
                f(a)
                `` expected a range or a collection
        "#]],
    );
}

/// What an edit writes is right for both: integers have no power, and chains of one order are joined.
#[test]
fn edits_that_mend() {
    statements(
        &[
            r#"val x = 8 ** 2"#,
            r#"val x = a / b ** 3"#,
            r#"val x = a ** 2 as f64"#,
            r#"val x = a ** 5"#,
            r#"val x = 8 ** 5"#,
            r#"val x = a == b == true"#,
            r#"val x = a == b == false"#,
            r#"val x = a < b <= c"#,
            r#"val x = a < b > c"#,
            r#"val x = a < b < c == true"#,
            r#"val x = a .* b ./ c"#,
            r#"val x = m' @ m"#,
            r#"val x = (n + m // x) / 2"#,
            r#"val x = (n + m) // 2 (or so)"#,
            r#"val x = 2r * 3pi"#,
            r#"for i in 1:n { f(i) }"#,
            r#"val b = a is None"#,
        ],
        expect![[r#"
            val x = 8 ** 2
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [8 ** 2 -> "8 * 8"]
            val x = a / b ** 3
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [b ** 3 -> "(b * b * b)"]
            val x = a ** 2 as f64
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [a ** 2 -> "(a * a)"]
            val x = a ** 5
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [a ** 5 -> "a.pow(5.0)"]
            val x = 8 ** 5
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a`
            val x = a == b == true
                `==` a comparison is not compared with `true`: it is a truth value itself [ == true -> ""]
            val x = a == b == false
                `==` comparisons do not chain: what is compared first stands in parentheses
            val x = a < b <= c
                `<=` comparisons do not chain: join two of them by `&&` [<= -> "&& b <="]
            val x = a < b > c
                `>` comparisons do not chain: what is compared first stands in parentheses
            val x = a < b < c == true
                `<` comparisons do not chain: join two of them by `&&`
            val x = a .* b ./ c
                `.*` there is no `.*`: `*` works on tensors element by element [.* -> "*"]
                `./` there is no `./`: `/` works on tensors element by element [./ -> "/"]
            val x = m' @ m
                `'` this character literal is never closed: a transpose is written `.t()` [' -> ".t()"]
            val x = (n + m // x) / 2
                `(` this `(` is never closed: `//` begins a comment, and `/` divides [// -> "/"]
            val x = (n + m) // 2 (or so)
            val x = 2r * 3pi
                `2r` `r` is no number suffix: a product is written `2 * r` [2r -> "2 * r"]
                `3pi` `pi` is no number suffix: a product is written `3 * pi` [3pi -> "3 * pi"]
            for i in 1:n { f(i) }
                `:` a range is written `a..b`, or `a..=b` where `b` belongs to it [: -> "..="]
            val b = a is None
                `is` there is no `is`: whether an `Option` holds something is asked by `match`
        "#]],
    );
}

#[test]
fn bindings_of_other_languages_change_if_they_do() {
    items(
        &[
            "func f() {\n    let a = 0\n    while true { a += 1 }\n}",
            "func f() {\n    let a = 0\n    b.a = a\n}",
            "func f() {\n    let a = 0\n}\nfunc g(a: i32) { a = 2 }",
            "#[derive(Debug)]\nstruct S { x: i32 }",
            "trait T { area(&self) -> f64 }",
            "const N = 3.5",
            "const N = x",
            "func f(t: Tensor<f32 [2, 3]>, u: Vec<i32[4]>) {}",
            "struct S {\n    x: i32\n\n    func f(&self) -> i32 { self.x }\n    func g() {}\n}\nfunc h() {}",
            "enum E {\n    A,\n    func f(&mut self) {}\n    B\n}",
        ],
        expect![[r#"
            func f() {
                let a = 0
                while true { a += 1 }
            }
                `let` `let` binds nothing here: write `mut` [let -> "mut"]
            func f() {
                let a = 0
                b.a = a
            }
                `let` `let` binds nothing here: write `val` [let -> "val"]
            func f() {
                let a = 0
            }
            func g(a: i32) { a = 2 }
                `let` `let` binds nothing here: write `val` [let -> "val"]
            #[derive(Debug)]
            struct S { x: i32 }
                `#` `#` begins nothing here: a comment begins with `//`, an attribute with `@` [#[derive(Debug)] -> "@derive(Debug)"]
            trait T { area(&self) -> f64 }
                `area` a function of a type or a trait begins with `func` [ -> "func "]
            const N = 3.5
                `=` a constant needs a type: write `const NAME: type = value` [ -> ": f64"]
            const N = x
                `=` a constant needs a type: write `const NAME: type = value`
            func f(t: Tensor<f32 [2, 3]>, u: Vec<i32[4]>) {}
                `[` expected `,` or `>`, found `[` [ -> ","]
                `[` an array type is written `[T; N]`, and one that grows `Vec<T>` [i32[4] -> "[i32; 4]"]
            struct S {
                x: i32

                func f(&self) -> i32 { self.x }
                func g() {}
            }
            func h() {}
                `func` the functions of a type stand in a block of their own: `impl Name { .. }`
            enum E {
                A,
                func f(&mut self) {}
                B
            }
                `func` the functions of a type stand in a block of their own: `impl Name { .. }`
        "#]],
    );
}
