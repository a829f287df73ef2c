//! A mistake in the syntax is told once: what later stages find because of it is not.

use expect_test::{Expect, expect};

use super::{database, words};
use crate::diagnostics;

/// The findings of each program, one a line: the marked text and the message.
fn check(programs: &[&str], expected: Expect) {
    let mut out = String::new();
    for program in programs {
        let (db, file) = database(program);
        out.push_str(&format!("{program}\n"));
        for found in diagnostics(&db, file) {
            let marked = words(program, found.span.absolute(&db));
            out.push_str(&format!("    {} `{marked}` {}\n", found.code.as_str(), found.message));
        }
    }
    expected.assert_eq(&out);
}

const H: &str = "func h(a: i32, b: i32) -> i32 { a + b }\n";

#[test]
fn of_a_statement() {
    let programs = [
        "val x = h(1 2)",
        "val x = h(h(1, 2, h(3, 4))",
        "val x = [i * 2 for i in 0..3]",
        "val x = match 3 { 0 => 1 1 => 2 _ => 3 }",
        "val (a b) = (1, 2)",
        "val m: Tensor<f32, [2, 2]> = [1, 2; 3, 4]",
        "val x: i32 = (f64)3",
        "if 3\n        println(\"a\")",
        "h(1,",
        "for i in\n    val y = h(1, 2)",
        "for i in 0..\n    val y = h(1, 2)",
        "var x = 1\n    x += 1",
    ];
    let programs = programs.map(|line| format!("{H}func f() {{\n    {line}\n}}\n"));
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    check(
        &programs,
        expect![[r#"
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val x = h(1 2)
        }

            E0101 `2` expected `,` or `)`, found an integer `2`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val x = h(h(1, 2, h(3, 4))
        }

            E0101 `(` this `(` is never closed: expected `)`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val x = [i * 2 for i in 0..3]
        }

            E0101 `for` a list is not written as a loop: fill a collection in a `for`, or make a tensor by `from_fn`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val x = match 3 { 0 => 1 1 => 2 _ => 3 }
        }

            E0101 `1` expected `,`, a new line or `}`, found an integer `1`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val (a b) = (1, 2)
        }

            E0101 `b` expected `,` or `)`, found `b`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val m: Tensor<f32, [2, 2]> = [1, 2; 3, 4]
        }

            E0101 `;` there is no `[value; count]`: write the elements out
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            val x: i32 = (f64)3
        }

            E0101 `3` a cast stands behind the value: `value as f64`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            if 3
                println("a")
        }

            E0101 `` expected `{` and the block of `if`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            h(1,
        }

            E0101 `(` this `(` is never closed: expected `)`
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            for i in
            val y = h(1, 2)
        }

            E0101 `` expected a range or a collection
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            for i in 0..
            val y = h(1, 2)
        }

            E0101 `` expected `{` and the body of the loop
        func h(a: i32, b: i32) -> i32 { a + b }
        func f() {
            var x = 1
            x += 1
        }

            E0101 `var` `var` binds nothing here: write `mut`
    "#]],
    );
}

#[test]
fn of_a_head() {
    check(
        &[
            "func f(a: i32, b: i32 = 3) -> i32 { a + b }\nfunc g() -> i32 { f(2) }\n",
            "func id[T](x: T) -> T { x }\nfunc g() -> i32 { id(3) }\n",
            "func h(a: i32 b: i32) -> i32 { a + b }\nfunc g() -> i32 { h(1, 2) }\n",
            "func f(a: i32) -> -> i32 { a }\n",
            "func f(a: i32) --> i32 { a }\n",
            "struct P { x: i32 y: i32 }\nfunc g() -> P { P { x: 1, y: 2 } }\n",
            "trait T { func a(&self) -> i32 }\nstruct P { x: i32 }\nimpl T P {\n    func a(&self) -> i32 { 1 }\n}\n",
            "import a.b\n",
            "import a::\n",
            "enum E { A, B }\nfunc f(e: E) -> i32 {\n    match e {\n        E::\n        E::B => 2\n    }\n}\n",
            "func f() -> i32 {\n    val x = 1 +\n}\n",
            "func f() -> (i32, i32) {\n    return 1, 2\n}\n",
            "func f(x: Tensor<f32, (2, 3)>) { }\n",
            "func f(a: Option<i32>) -> i32 { a! }\n",
        ],
        expect![[r#"
            func f(a: i32, b: i32 = 3) -> i32 { a + b }
            func g() -> i32 { f(2) }

                E0101 `=` a parameter has no default value: write a second function, or take an `Option`
            func id[T](x: T) -> T { x }
            func g() -> i32 { id(3) }

                E0101 `[` generic parameters stand between `<` and `>`
            func h(a: i32 b: i32) -> i32 { a + b }
            func g() -> i32 { h(1, 2) }

                E0101 `b` expected `,` or `)`, found `b`
            func f(a: i32) -> -> i32 { a }

                E0101 `->` one `->` stands in front of a return type
            func f(a: i32) --> i32 { a }

                E0101 `-->` an arrow is written `->`
            struct P { x: i32 y: i32 }
            func g() -> P { P { x: 1, y: 2 } }

                E0101 `y` expected `,`, a new line or `}`, found `y`
            trait T { func a(&self) -> i32 }
            struct P { x: i32 }
            impl T P {
                func a(&self) -> i32 { 1 }
            }

                E0101 `P` a type gets what a trait has by `impl Trait for Type { .. }`
            import a.b

                E0101 `.` a module path is joined by `::`
            import a::

                E0101 `` expected the name of a module or an item, found the end of the file
            enum E { A, B }
            func f(e: E) -> i32 {
                match e {
                    E::
                    E::B => 2
                }
            }

                E0101 `` expected a name behind `::`
            func f() -> i32 {
                val x = 1 +
            }

                E0101 `` expected an expression
            func f() -> (i32, i32) {
                return 1, 2
            }

                E0101 `,` several values make a tuple, which stands in parentheses: `(a, b)`
            func f(x: Tensor<f32, (2, 3)>) { }

                E0101 `(2, 3)` a shape stands in brackets
            func f(a: Option<i32>) -> i32 { a! }

                E0101 `!` there is no `!` behind a value: `?` hands a failure on, and `??` takes another value instead
        "#]],
    );
}

#[test]
fn of_a_name_that_is_lost() {
    check(
        &[
            "func f(a: Option<i32>) -> i32 {\n    guard let x = a else { return 0 }\n    x\n}\n",
            "func f() {\n    for (int i = 0; i < 10; i++) {\n        println(\"{i}\")\n    }\n}\n",
            "func f() {\n    val s = \"\"\"\n        abc\n    g()\n}\nfunc g() { }\n",
            "func f() {\n    g()\n    val s = \"\"\"\n}\nfunc g() { }\n",
        ],
        expect![[r#"
            func f(a: Option<i32>) -> i32 {
                guard let x = a else { return 0 }
                x
            }

                E0101 `guard` what may fail is taken apart by `val pattern = value else { .. }`
            func f() {
                for (int i = 0; i < 10; i++) {
                    println("{i}")
                }
            }

                E0101 `(` a `for` walks a range or a collection: write `for i in 0..n`
            func f() {
                val s = """
                    abc
                g()
            }
            func g() { }

                E0101 `"""` this string is never closed: expected `"""`
            func f() {
                g()
                val s = """
            }
            func g() { }

                E0101 `"""` this string is never closed: expected `"""`
        "#]],
    );
}

/// What a mistake has nothing to do with is told beside it.
#[test]
fn what_is_no_consequence_is_told() {
    check(
        &[
            "func f() {\n    val x = 1 +\n    val y = unknown\n}\n",
            "func f() {\n    val x = match 3 {\n        0 => unknown,\n        1 -> 2,\n        _ => 3\n    }\n}\n",
            "func f(a: i32 = 3) { }\nfunc g() { unknown() }\n",
            "func f() {\n    if 3 = 3 {\n        unknown()\n    }\n}\n",
        ],
        expect![[r#"
            func f() {
                val x = 1 +
                val y = unknown
            }

                E0101 `` expected an expression
                E0201 `unknown` `unknown` is not declared
            func f() {
                val x = match 3 {
                    0 => unknown,
                    1 -> 2,
                    _ => 3
                }
            }

                E0201 `unknown` `unknown` is not declared
                E0101 `->` the body of an arm stands behind `=>`
            func f(a: i32 = 3) { }
            func g() { unknown() }

                E0101 `=` a parameter has no default value: write a second function, or take an `Option`
                E0201 `unknown` `unknown` is not declared
            func f() {
                if 3 = 3 {
                    unknown()
                }
            }

                E0101 `=` `=` assigns: what compares is `==`
                E0201 `unknown` `unknown` is not declared
        "#]],
    );
}
