//! What is written by habit of another language: one message each, and an edit that makes it right.

use super::{checked, messages};
use expect_test::{Expect, expect};

/// The messages of statements, each in a function of its own.
pub(super) fn statements(cases: &[&str], expected: Expect) {
    let text = |case: &str| format!("func f() {{\n    {case}\n}}\nfunc last() {{ }}\n");
    check(cases, text, true, expected);
}

/// The messages of items, each in a file of its own.
pub(super) fn items(cases: &[&str], expected: Expect) {
    check(cases, |case| format!("{case}\nfunc last() {{ }}\n"), true, expected);
}

/// The messages of statements that are not finished, each in front of another one: with one edit made, others may be
/// missing.
pub(super) fn unfinished(cases: &[&str], expected: Expect) {
    let text =
        |case: &str| format!("func f() {{\n    {case}\n    val next = 1\n}}\nfunc last() {{ }}\n");
    for case in cases {
        let root = checked(&text(case)).syntax_node();
        let next = root.descendants().any(|node| node.text() == "val next = 1");
        assert!(next, "the next statement is lost: {case}");
    }
    check(cases, text, false, expected);
}

/// The messages of items that are not finished.
pub(super) fn unfinished_items(cases: &[&str], expected: Expect) {
    check(
        cases,
        |case| format!("{case}\n\nstruct Next {{ }}\nfunc last() {{ }}\n"),
        false,
        expected,
    );
}

fn check(cases: &[&str], text: impl Fn(&str) -> String, fixed: bool, expected: Expect) {
    let mut out = String::new();
    for case in cases {
        let text = text(case);
        out.push_str(&format!("{case}\n"));
        for message in messages(&text).lines() {
            out.push_str(&format!("    {}\n", message.split_once(' ').unwrap_or_default().1));
        }
        if fixed {
            fixes_repair(&text);
        }
        let root = checked(&text).syntax_node();
        let last = root.last_child().map(|item| item.text().to_string());
        assert_eq!(last.as_deref(), Some("func last() { }"), "{text}");
    }
    expected.assert_eq(&out);
}

/// With the edits of all messages made, nothing of what they repair is left to report.
fn fixes_repair(text: &str) {
    let errors = checked(text).errors;
    let mut fixes: Vec<_> = errors.iter().filter_map(|error| error.fix.clone()).collect();
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.range.start()));
    let mut repaired = text.to_owned();
    for fix in &fixes {
        repaired.replace_range(std::ops::Range::<usize>::from(fix.range), &fix.text);
    }
    let left = checked(&repaired).errors;
    assert!(left.len() + fixes.len() <= errors.len(), "{text}\n{repaired}\n{left:#?}");
}

#[test]
fn operators_of_other_languages() {
    statements(
        &[
            r#"a >> 2"#,
            r#"a >>= 3"#,
            r#"a &= b"#,
            r#"a &&= b | c"#,
            r#"a ||= b"#,
            r#"a @= b"#,
            r#"a **= 2"#,
            r#"val c = a ** b"#,
            r#"val c = a ** 2 + 1"#,
            r#"i++"#,
            r#"++i"#,
            r#"i--"#,
            r#"x += y++"#,
            r#"if a <> b { }"#,
            r#"if a === b { }"#,
            r#"if a !== b { }"#,
            r#"if a =/= b { }"#,
            r#"if a ~= b { }"#,
            r#"val x = a <=> b"#,
            r#"if a = b { }"#,
            r#"while x = 3 { }"#,
            r#"val x = a ?: b"#,
            r#"val x = a is b"#,
            r#"val x = a in b"#,
            r#"val x = a mod b"#,
            r#"a ? b : c"#,
        ],
        expect![[r#"
            a >> 2
                `>>` there is no right shift operator: write `a.shr(n)` [a >> 2 -> "a.shr(2)"]
            a >>= 3
                `>>=` there is no right shift operator: write `a = a.shr(n)` [>>= 3 -> "= a.shr(3)"]
            a &= b
                `&=` there is no `&=`: write `a = a & b` [&= b -> "= a & b"]
            a &&= b | c
                `&&=` there is no `&&=`: write `a = a && b` [&&= b | c -> "= a && (b | c)"]
            a ||= b
                `||=` there is no `||=`: write `a = a || b` [||= b -> "= a || b"]
            a @= b
                `@=` there is no `@=`: write `a = a @ b` [@= b -> "= a @ b"]
            a **= 2
                `**=` there is no `**=`: write `a *= a` [**= 2 -> "*= a"]
            val c = a ** b
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [a ** b -> "a.pow(b)"]
            val c = a ** 2 + 1
                `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [a ** 2 -> "a * a"]
            i++
                `++` there is no `++`: write `+= 1` [++ -> " += 1"]
            ++i
                `++` there is no `++`: write `+= 1` [++i -> "i += 1"]
            i--
                `--` there is no `--`: write `-= 1` [-- -> " -= 1"]
            x += y++
                `+` there is no `++`, which has no value: add in a statement of its own
            if a <> b { }
                `<>` there is no `<>`: write `!=` [<> -> "!="]
            if a === b { }
                `===` there is no `===`: write `==` [=== -> "=="]
            if a !== b { }
                `!==` there is no `!==`: write `!=` [!== -> "!="]
            if a =/= b { }
                `=/=` there is no `=/=`: write `!=` [=/= -> "!="]
            if a ~= b { }
                `~=` there is no `~=`: write `!=` [~= -> "!="]
            val x = a <=> b
                `<=>` there is no `<=>`: compare by `<`, `==` and `>`
            if a = b { }
                `=` `=` assigns: what compares is `==` [= -> "=="]
            while x = 3 { }
                `=` `=` assigns: what compares is `==` [= -> "=="]
            val x = a ?: b
                `?:` there is no `?:`: write `??` [?: -> "??"]
            val x = a is b
                `is` there is no `is`: write `==` [is -> "=="]
            val x = a in b
                `in` `in` belongs to `for`: whether a key is in a map says `.contains_key(..)`
            val x = a mod b
                `mod` there is no `mod`: write `%` [mod -> "%"]
            a ? b : c
                `?` there is no `? :` operator: write `if condition { a } else { b }`
        "#]],
    );
}

#[test]
fn bindings_and_types_of_other_languages() {
    statements(
        &[
            r#"let x = 3"#,
            r#"let mut x = 3"#,
            r#"var x = 3"#,
            r#"x := 3"#,
            r#"val x := 3"#,
            r#"mut x: i32 := 3"#,
            r#"x: i32 = 3"#,
            r#"int x = 3"#,
            r#"val int x = 3"#,
            r#"val x i32 = 3"#,
            r#"const x = 3"#,
            r#"val x: i32? = y"#,
            r#"val x: List[i32] = y"#,
            r#"val x: i32[] = y"#,
            r#"val x: Vec<Vec<i32> = y"#,
            r#"val x: fn(i32) -> i32 = y"#,
            r#"val x: Tensor<f32, (2, 3)> = y"#,
        ],
        expect![[r#"
            let x = 3
                `let` `let` binds nothing here: write `val` [let -> "val"]
            let mut x = 3
                `let mut` `let` binds nothing here: write `mut` [let mut -> "mut"]
            var x = 3
                `var` `var` binds nothing here: write `mut` [var -> "mut"]
            x := 3
                `:` a new name is bound by `val name = value`, or by `mut` when it changes [x := -> "val x ="]
            val x := 3
                `:=` the value of a binding stands behind `=`, without a colon [: -> ""]
            mut x: i32 := 3
                `:=` the value of a binding stands behind `=`, without a colon [: -> ""]
            x: i32 = 3
                `:` a new name is bound by `val name = value`, or by `mut` when it changes [x: -> "val x:"]
            int x = 3
                `int x` a new name is bound by `val name: type = value`, or by `mut` when it changes [int x -> "val x: int"]
            val int x = 3
                `x` the type of a binding stands behind its name and `:` [int x -> "x: int"]
            val x i32 = 3
                `i32` the type of a binding stands behind its name and `:` [ -> ":"]
            const x = 3
                `=` a constant needs a type: write `const NAME: type = value` [ -> ": i32"]
            val x: i32? = y
                `?` a value that may be absent is an `Option` [i32? -> "Option<i32>"]
            val x: List[i32] = y
                `[` type arguments stand between `<` and `>` [List[i32] -> "List<i32>"]
            val x: i32[] = y
                `[` an array type is written `[T; N]`, and one that grows `Vec<T>`
            val x: Vec<Vec<i32> = y
                `<` this `<` is never closed: expected `>` [ -> ">"]
            val x: fn(i32) -> i32 = y
                `fn` a function type is written `(A, B) -> R`, without a keyword [fn -> ""]
            val x: Tensor<f32, (2, 3)> = y
                `(2, 3)` a shape stands in brackets [(2, 3) -> "[2, 3]"]
        "#]],
    );
}

#[test]
fn text_and_numbers_of_other_languages() {
    statements(
        &[
            r#"val s = 'text'"#,
            r#"val s = 'hello world'"#,
            r#"print('it is')"#,
            r#"val s = `abc`"#,
            r#"val s = “abc”"#,
            r#"val x = 5."#,
            r#"val x = .5"#,
            r#"val x = 1,000"#,
            r#"val x = 0xFG"#,
            r#"val x = "a" "b""#,
        ],
        expect![[r#"
            val s = 'text'
                `'text'` a character literal holds exactly one character; text stands between double quotes ['text' -> "\"text\""]
            val s = 'hello world'
                `'hello world'` text stands between double quotes ['hello world' -> "\"hello world\""]
            print('it is')
                `'it is'` text stands between double quotes ['it is' -> "\"it is\""]
            val s = `abc`
                ``abc`` text stands between double quotes [`abc` -> "\"abc\""]
            val s = “abc”
                `“abc”` text stands between double quotes [“abc” -> "\"abc\""]
            val x = 5.
                `.` expected digits behind the point, such as `5.0` [ -> "0"]
            val x = .5
                `.5` a float begins with a digit: write `0.5` [ -> "0"]
            val x = 1,000
                `,` digits are grouped by `_`, such as `1_000` [, -> "_"]
            val x = 0xFG
                `0xFG` `G` is no digit of a number in base 16
            val x = "a" "b"
                `"` two strings are joined by `+` [ -> " +"]
        "#]],
    );
}

#[test]
fn statements_of_other_languages() {
    statements(
        &[
            r#"if a { } elif b { }"#,
            r#"if a then b"#,
            r#"for (i in 0..3) { }"#,
            r#"for i = 0 to 3 { }"#,
            r#"for (int i = 0; i < 3; i++) { }"#,
            r#"foreach x in xs { }"#,
            r#"do { } while x"#,
            r#"switch x { }"#,
            r#"try { } catch e { }"#,
            r#"throw x"#,
            r#"unless x { }"#,
            r#"goto x"#,
            r#"print "abc""#,
            r#"println!("x")"#,
            r#"async func g() { }"#,
            r#"if let Some(x) = y { }"#,
            r#"match y { case 1 => 3 }"#,
            r#"match y { else => 3 }"#,
            r#"match x { 1 -> 2 }"#,
            r#"'outer: for i in xs { }"#,
            r#"val f = x => x + 1"#,
            r#"val f = |x: i32| => x"#,
            r#"val f = lambda x: x + 1"#,
            r#"val x = new Foo()"#,
        ],
        expect![[r#"
            if a { } elif b { }
                `elif` `elif` is no word of the language: write `else if` [elif -> "else if"]
            if a then b
                `then` a block stands in braces
            for (i in 0..3) { }
                `(` the head of a `for` stands without parentheses
            for i = 0 to 3 { }
                `i` a `for` walks a range or a collection: write `for i in 0..n`
            for (int i = 0; i < 3; i++) { }
                `(` a `for` walks a range or a collection: write `for i in 0..n`
            foreach x in xs { }
                `foreach` a loop over a collection is written `for x in xs`
            do { } while x
                `do` a loop that tests at its end is `loop { .. if done { break } }`
            switch x { }
                `switch` what chooses by a value is `match`
            try { } catch e { }
                `try` there are no exceptions: a function that can fail gives a `Result`, and `?` passes the failure on
            throw x
                `throw` there are no exceptions: a function that can fail gives a `Result`, and `?` passes the failure on
            unless x { }
                `unless` there is no `unless`: write `if !condition`
            goto x
                `goto` there are no jumps: a loop may have a label, and `break label` leaves it
            print "abc"
                `print` a function is called with parentheses: `print(..)`
            println!("x")
                `!` there are no macros: a function is called without `!` [! -> ""]
            async func g() { }
                `async` there are no asynchronous functions
            if let Some(x) = y { }
                `let` a pattern is tested by `match`, or by `val pattern = value else { .. }`
            match y { case 1 => 3 }
                `case` an arm begins with its pattern, without `case` [case  -> ""]
            match y { else => 3 }
                `else` the arm for all other values is `_` [else -> "_"]
            match x { 1 -> 2 }
                `->` the body of an arm stands behind `=>` [-> -> "=>"]
            'outer: for i in xs { }
                `'outer` a label is a plain name ['outer -> "outer"]
            val f = x => x + 1
                `=>` a function value is written `|x: i32| x + 1`
            val f = |x: i32| => x
                `=>` the body of a closure stands right behind its parameters [=> -> ""]
            val f = lambda x: x + 1
                `lambda` a function value is written `|x: i32| x + 1`
            val x = new Foo()
                `new` there is no `new`: a value is made by a struct literal, or by a function such as `T::new(..)` [new  -> ""]
        "#]],
    );
}

#[test]
fn brackets() {
    statements(
        &[
            r#"foo(a, b"#,
            r#"foo(a, b]"#,
            r#"val a = [1, 2)"#,
            r#"a + b)"#,
            r#"{ a"#,
            r#"func inner()"#,
            r#"val x = Vec<i32>::new()"#,
            r#"foo(a; b)"#,
            r#"foo(a b)"#,
            r#"val x = Foo{a = 1}"#,
        ],
        expect![[r#"
            foo(a, b
                `(` this `(` is never closed: expected `)` [ -> ")"]
            foo(a, b]
                `]` expected `)`, which closes the `(` before, found `]` [] -> ")"]
            val a = [1, 2)
                `)` expected `]`, which closes the `[` before, found `)` [) -> "]"]
            a + b)
                `)` this `)` closes nothing [) -> ""]
            { a
                `{` this `{` is never closed: expected `}` [ -> "\n    }"]
            func inner()
                `func` `func` stands outside of functions: move it out of this block
                `` expected `{` and the body of the function
            val x = Vec<i32>::new()
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            foo(a; b)
                `;` what separates the entries here is a comma, not `;` [; -> ","]
            foo(a b)
                `b` expected `,` or `)`, found `b` [ -> ","]
            val x = Foo{a = 1}
                `=` the value of a field stands behind `:` [= -> ":"]
        "#]],
    );
}

#[test]
fn functions_of_other_languages() {
    items(
        &[
            r#"fn f() { }"#,
            r#"def f() { }"#,
            r#"func f(x: i32): i32 { }"#,
            r#"func f(x: i32) => i32 { }"#,
            r#"func f(x: i32) i32 { }"#,
            r#"func f(int x) { }"#,
            r#"func f(x i32) { }"#,
            r#"func f(x: i32 = 3) { }"#,
            r#"func f() = 3"#,
            r#"func f() -> { }"#,
            r#"func f[T](x: T) { }"#,
            r#"func<T> f(x: T) { }"#,
            r#"private func f() { }"#,
            r#"static func f() { }"#,
            r#"func f() -> Vec<i32>> { }"#,
            r#"func f(a: Vec<i32) { }"#,
            r#"func f()
    x"#,
            r#"func f():
    x"#,
        ],
        expect![[r#"
            fn f() { }
                `fn` `fn` is no word of the language: write `func` [fn -> "func"]
            def f() { }
                `def` `def` is no word of the language: write `func` [def -> "func"]
            func f(x: i32): i32 { }
                `:` a return type stands behind `->` [: -> " ->"]
            func f(x: i32) => i32 { }
                `=>` a return type stands behind `->` [=> -> " ->"]
            func f(x: i32) i32 { }
                `i32` expected `->` in front of the return type, found `i32` [ -> "-> "]
            func f(int x) { }
                `int x` a parameter is written `name: type` [int x -> "x: int"]
            func f(x i32) { }
                `x i32` a parameter is written `name: type` [x i32 -> "x: i32"]
            func f(x: i32 = 3) { }
                `=` a parameter has no default value: write a second function, or take an `Option`
            func f() = 3
                `=` the body of a function stands in braces [= 3 -> "{ 3 }"]
            func f() -> { }
                `->` expected a type behind `->`; a function without a result has no `->` [->  -> ""]
            func f[T](x: T) { }
                `[` generic parameters stand between `<` and `>` [[T] -> "<T>"]
            func<T> f(x: T) { }
                `<` generic parameters stand behind the name of the function
            private func f() { }
                `private` there is no `private`: what is not exported is seen in its module only [private  -> ""]
            static func f() { }
                `static` there is no `static` in front of an item [static  -> ""]
            func f() -> Vec<i32>> { }
                `>` this `>` closes nothing [> -> ""]
            func f(a: Vec<i32) { }
                `<` this `<` is never closed: expected `>` [ -> ">"]
            func f()
                x
                `` expected `{` and the body of the function
            func f():
                x
                `:` a block stands in braces, not behind `:`
        "#]],
    );
}

#[test]
fn other_items_of_other_languages() {
    items(
        &[
            r#"class A { x: i32 }"#,
            r#"struct A { x: i32; y: i32 }"#,
            r#"struct A { i32 x }"#,
            r#"struct A(i32)"#,
            r#"struct A;"#,
            r#"enum E { A = 1, B }"#,
            r#"enum E { A | B }"#,
            r#"enum E = A | B"#,
            r#"interface A { }"#,
            r#"trait T { val x: i32 }"#,
            r#"let X = 3"#,
            r#"static X: i32 = 3"#,
            r#"type A: i32"#,
            r#"typedef A = i32"#,
            r#"use a::b"#,
            r#"import "a""#,
            r#"from a import b"#,
            r#"import a::*"#,
            r#"#include <a>"#,
            r#"@derive Copy
struct A { }"#,
            r#"mod a { }"#,
            r#"newtype A(i32)"#,
            r#"newtype A: i32"#,
            r#"print("x")"#,
        ],
        expect![[r#"
            class A { x: i32 }
                `class` `class` is no word of the language: write `struct` [class -> "struct"]
            struct A { x: i32; y: i32 }
                `;` what separates the entries here is a comma or a new line, not `;` [; -> ","]
            struct A { i32 x }
                `i32 x` a field is written `name: type` [i32 x -> "x: i32"]
            struct A(i32)
                `(` a struct has named fields in braces; a type around another one is a `newtype`
            struct A;
                `;` a struct without fields has empty braces [; -> " { }"]
            enum E { A = 1, B }
                `=` a variant has no number
            enum E { A | B }
                `|` what separates the entries here is a comma or a new line, not `|` [| -> ","]
            enum E = A | B
                `=` the variants of an enum stand in braces, with commas between them
            interface A { }
                `interface` `interface` is no word of the language: write `trait` [interface -> "trait"]
            trait T { val x: i32 }
                `val` a field stands in the `struct`, a statement in a function
            let X = 3
                `let` a value of the whole file is a constant: write `const NAME: type = value`
            static X: i32 = 3
                `static` a value of the whole file is a constant: write `const NAME: type = value`
            type A: i32
                `:` a type alias is written `type Name = type` [: -> " ="]
            typedef A = i32
                `typedef` `typedef` is no word of the language: write `type` [typedef -> "type"]
            use a::b
                `use` `use` is no word of the language: write `import` [use -> "import"]
            import "a"
                `"` a module is imported by its path, such as `import a::b`
            from a import b
                `from` names are brought in by `import module::name`
            import a::*
                `*` each imported name is written out, such as `import a::{b, c}`
            #include <a>
                `#` `#` begins nothing here: a comment begins with `//`, an attribute with `@`
            @derive Copy
            struct A { }
                `Copy` the arguments of an attribute stand in parentheses [ Copy -> "(Copy)"]
            mod a { }
                `mod` `mod` is no word of the language: write `module` [mod -> "module"]
            newtype A(i32)
                `(` a newtype is written `newtype Name = type`
            newtype A: i32
                `:` a newtype is written `newtype Name = type` [: -> " ="]
            print("x")
                `print` expected an item such as `func`, found `print`: statements stand in functions
        "#]],
    );
}
