//! Text that somebody is still writing: one message, and what stands around it is read.

use super::wording::{unfinished, unfinished_items};
use expect_test::expect;

#[test]
fn half_a_binding() {
    unfinished(
        &[
            r#"val"#,
            r#"val x"#,
            r#"val x ="#,
            r#"val x:"#,
            r#"val x: i32"#,
            r#"val (a, b"#,
            r#"val (a, = g()"#,
            r#"mut"#,
            r#"mut x"#,
            r#"x ="#,
            r#"x +="#,
        ],
        expect![[r#"
            val
                `` expected a name or a pattern
            val x
                `` expected `=` and a value
            val x =
                `` expected an expression
            val x:
                `` expected a type
            val x: i32
                `` expected `=` and a value
            val (a, b
                `(` this `(` is never closed: expected `)` [ -> ")"]
            val (a, = g()
                `(` this `(` is never closed: expected `)` [ -> ")"]
            mut
                `` expected a name or a pattern
            mut x
                `` expected `=` and a value
            x =
                `` expected an expression
            x +=
                `` expected an expression
        "#]],
    );
}

#[test]
fn half_a_chain() {
    unfinished(
        &[
            r#"x."#,
            r#"x.y."#,
            r#"x.
    y.z()"#,
            r#"x.foo("#,
            r#"x.foo(1,"#,
            r#"x.foo(1,
    y = 3"#,
            r#"x.foo(a:)"#,
            r#"x.foo(|y| )"#,
            r#"x.foo(|y)"#,
        ],
        expect![[r#"
            x.
                `` expected the name of a field or a method
            x.y.
                `` expected the name of a field or a method
            x.
                y.z()
                `` expected the name of a field or a method
            x.foo(
                `(` this `(` is never closed: expected `)` [ -> ")"]
            x.foo(1,
                `(` this `(` is never closed: expected `)` [ -> ")"]
            x.foo(1,
                y = 3
                `(` this `(` is never closed: expected `)` [ -> ")"]
            x.foo(a:)
                `)` expected an expression, found `)`
            x.foo(|y| )
                `)` expected an expression, found `)`
            x.foo(|y)
                `)` expected `|`, found `)`
        "#]],
    );
}

#[test]
fn half_a_branch() {
    unfinished(
        &[
            r#"if"#,
            r#"if x"#,
            r#"if x {"#,
            r#"if x &&"#,
            r#"if x && {
    }"#,
            r#"if x == {
    }"#,
            r#"if (x {
    }"#,
            r#"if x) {
    }"#,
            r#"if x {
    } else {"#,
            r#"if x { else { }"#,
            r#"if x { } } else { }"#,
            r#"match"#,
            r#"match x"#,
            r#"match x {"#,
            r#"match x {
        1 =>
    }"#,
        ],
        expect![[r#"
            if
                `` expected a condition
            if x
                `` expected `{` and the block of `if`
            if x {
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            if x &&
                `` expected an expression
            if x && {
                }
                `{` expected an expression, found `{`
            if x == {
                }
                `{` expected an expression, found `{`
            if (x {
                }
                `(` this `(` is never closed: expected `)` [ -> ")"]
            if x) {
                }
                `)` this `)` closes nothing [) -> ""]
            if x {
                } else {
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            if x { else { }
                `{` this `{` is never closed: expected `}` [ -> " }"]
            if x { } } else { }
                `}` this `}` closes nothing [} -> ""]
            match
                `` expected the value to match
            match x
                `` expected `{` and the arms of the `match`
            match x {
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            match x {
                    1 =>
                }
                `` expected an expression
        "#]],
    );
}

#[test]
fn half_a_loop() {
    unfinished(
        &[
            r#"while"#,
            r#"while x"#,
            r#"while {"#,
            r#"for"#,
            r#"for x"#,
            r#"for x in"#,
            r#"for x in xs"#,
            r#"for x in xs {"#,
            r#"loop"#,
            r#"loop {"#,
            r#"pool"#,
            r#"pool p"#,
        ],
        expect![[r#"
            while
                `` expected a condition
            while x
                `` expected `{` and the body of the loop
            while {
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            for
                `` expected the name of the loop variable
            for x
                `` expected `in`
            for x in
                `` expected a range or a collection
            for x in xs
                `` expected `{` and the body of the loop
            for x in xs {
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            loop
                `` expected `{` and the body of the loop
            loop {
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            pool
                `` expected `{` and the block of the pool
            pool p
                `` expected `{` and the block of the pool
        "#]],
    );
}

#[test]
fn half_a_text() {
    unfinished(
        &[
            r#""abc"#,
            r#""abc {"#,
            r#""abc {x"#,
            r#""abc {x:"#,
            r#""abc {x.""#,
            r#""abc {f(x}""#,
            r#""abc {x + }""#,
            r#""""abc""""#,
            r#"'"#,
        ],
        expect![[r#"
            "abc
                `"` this string is never closed: expected `"`
            "abc {
                `"` this string is never closed: expected `"`
            "abc {x
                `"` this string is never closed: expected `"`
            "abc {x:
                `"` this string is never closed: expected `"`
            "abc {x."
                `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            "abc {f(x}"
                `(` this `(` is never closed: expected `)` [ -> ")"]
            "abc {x + }"
                `}` expected an expression, found `}`
            """abc"""
                `"""` the closing `"""` of a block string stands alone on its line
            '
                `'` this character literal is never closed: expected `'`
        "#]],
    );
}

#[test]
fn half_an_item() {
    unfinished_items(
        &[
            r#"struct"#,
            r#"struct A"#,
            r#"struct A {"#,
            r#"struct A { x: }"#,
            r#"enum E {"#,
            r#"enum E { A(i32 }"#,
            r#"trait T {"#,
            r#"impl"#,
            r#"impl A"#,
            r#"impl A {"#,
            r#"impl A for B"#,
            r#"const"#,
            r#"const X"#,
            r#"const X: i32 ="#,
            r#"import a::"#,
            r#"import a::{b, c"#,
            r#"module a"#,
            r#"type A ="#,
            r#"newtype A"#,
            r#"func"#,
            r#"func f"#,
            r#"func f("#,
            r#"func f()"#,
            r#"func f() {"#,
            r#"func f(x: i32,"#,
            r#"func f() ->"#,
            r#"func f<T"#,
            r#"@"#,
            r#"@grad("#,
        ],
        expect![[r#"
            struct
                `` expected the name of the struct
            struct A
                `` expected `{` and the fields
            struct A {
                `{` this `{` is never closed: expected `}` [ -> "\n}"]
            struct A { x: }
                `}` expected a type, found `}`
            enum E {
                `{` this `{` is never closed: expected `}` [ -> "\n}"]
            enum E { A(i32 }
                `(` this `(` is never closed: expected `)` [ -> ")"]
            trait T {
                `{` this `{` is never closed: expected `}` [ -> "\n}"]
            impl
                `` expected a type
            impl A
                `` expected `{` and the members
            impl A {
                `{` this `{` is never closed: expected `}` [ -> "\n}"]
            impl A for B
                `` expected `{` and the members
            const
                `` expected the name of the constant
            const X
                `` expected `:` and the type of the constant
            const X: i32 =
                `` expected an expression
            import a::
                `` expected the name of a module or an item
            import a::{b, c
                `{` this `{` is never closed: expected `}` [ -> "\n}"]
            module a
                `` expected `{` and the items of the module
            type A =
                `` expected a type
            newtype A
                `` expected `=`
            func
                `` expected the name of the function
            func f
                `` expected `(` and the parameters
            func f(
                `(` this `(` is never closed: expected `)` [ -> ")"]
            func f()
                `` expected `{` and the body of the function
            func f() {
                `{` this `{` is never closed: expected `}` [ -> "\n}"]
            func f(x: i32,
                `(` this `(` is never closed: expected `)` [ -> ")"]
            func f() ->
                `` expected a type
            func f<T
                `<` this `<` is never closed: expected `>` [ -> ">"]
            @
                `@` expected the name of an attribute behind `@`
            @grad(
                `(` this `(` is never closed: expected `)` [ -> ")"]
        "#]],
    );
}

#[test]
fn merge_conflicts() {
    unfinished_items(
        &[
            r#"func f() {
<<<<<<< HEAD
    val a = 1
=======
    val a = 2
>>>>>>> branch
}"#,
            r#"<<<<<<< HEAD
func f(x: i32) {
||||||| base
func f() {
=======
func f(y: i32) {
>>>>>>> branch
}"#,
        ],
        expect![[r#"
            func f() {
            <<<<<<< HEAD
                val a = 1
            =======
                val a = 2
            >>>>>>> branch
            }
                `<<<<<<< HEAD` a merge has left a conflict here: keep one side, and remove the marks
            <<<<<<< HEAD
            func f(x: i32) {
            ||||||| base
            func f() {
            =======
            func f(y: i32) {
            >>>>>>> branch
            }
                `<<<<<<< HEAD` a merge has left a conflict here: keep one side, and remove the marks
        "#]],
    );
}
