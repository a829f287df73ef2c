//! What the messages say, and where they point.

use super::messages;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&messages(text));
}

#[test]
fn words_of_other_languages() {
    check(
        r##"pub fn f(x: i32): i32 {
    x
}

fn g() {}
def h() i32 { 3 }
"##,
        expect![[r#"
            1:1 `pub fn` a function that other modules may see is an `export func` [pub fn -> "export func"]
            1:17 `:` a return type stands behind `->` [: -> " ->"]
            5:1 `fn` `fn` is no word of the language: write `func` [fn -> "func"]
            6:1 `def` `def` is no word of the language: write `func` [def -> "func"]
            6:9 `i32` expected `->` in front of the return type, found `i32` [ -> "-> "]
        "#]],
    );
}

#[test]
fn what_is_no_item() {
    check(
        r##"x = 3
val y = 4
}
func f() {}
while true {}
struct S { a i32, b: }
func g() {}
"##,
        expect![[r#"
            1:1 `x` expected an item such as `func`, found `x`: statements stand in functions
            3:1 `}` this `}` closes nothing [} -> ""]
            5:1 `while` expected an item such as `func`, found `while`: statements stand in functions
            6:12 `a i32` a field is written `name: type` [a i32 -> "a: i32"]
            6:22 `}` expected a type, found `}`
        "#]],
    );
}

#[test]
fn parameters() {
    check(
        r##"func f(mut x: i32, self, y: mut i32) { }
func f(x i32) { }
func h(,) {}
func () {}
func k {}
func
"##,
        expect![[r#"
            1:8 `mut` a parameter is not assigned to: bind it to a `mut` name in the body, or take it by `&mut` [mut  -> ""]
            1:29 `mut` a type has no `mut`: what may change is borrowed as `&mut T` [mut -> "&mut"]
            2:8 `x i32` a parameter is written `name: type` [x i32 -> "x: i32"]
            3:8 `,` expected a parameter, found `,`
            4:6 `(` expected the name of the function, found `(`
            5:8 `{` expected `(` and the parameters, found `{`
            6:5 `` expected the name of the function, found the end of the file
        "#]],
    );
}

#[test]
fn attributes() {
    check(
        r##"@
func f() {}
@grad(wrt = [w])
func g() {}
@grad(3)
func h() {}
@foo
"##,
        expect![[r#"
            1:1 `@` expected the name of an attribute behind `@`
            3:11 `=` an argument of an attribute is written `label: value` [= -> ":"]
            5:7 `3` expected a name or `label: value`, found an integer `3`
            7:5 `` expected an item behind the attribute, found the end of the file
        "#]],
    );
}

#[test]
fn types() {
    check(
        r##"func f(a: [f32, 3], b: fn(i32) -> i32, c: (), d: Tensor<f32, [N + 1]>, e: Vec<Vec<i32>>, g: i32[]) { }
func g() {}
"##,
        expect![[r#"
            1:15 `,` expected `;` and the number of elements, or `]`, found `,` [, -> ";"]
            1:24 `fn` a function type is written `(A, B) -> R`, without a keyword [fn -> ""]
            1:43 `()` there is no empty tuple type: a function without a result has no `->`
            1:65 `+` expected `,` or `]`, found `+`
            1:96 `[` an array type is written `[T; N]`, and one that grows `Vec<T>`
        "#]],
    );
}

#[test]
fn imports() {
    check(
        r##"import a.b
import
import a::{b, c
func f() {}
"##,
        expect![[r#"
            1:9 `.` a module path is joined by `::` [. -> "::"]
            3:11 `{` this `{` is never closed: expected `}` [ -> "\n}"]
        "#]],
    );
}

#[test]
fn a_brace_too_many() {
    check(
        r##"func f() {
    }
    val x = 3
    foo()
}

func g() {}
"##,
        expect![[r#"
            2:5 `}` this `}` closes nothing [} -> ""]
        "#]],
    );
}

#[test]
fn an_open_comment() {
    check(
        r##"func f() { }
/* abc /* */ 
func g() {}
"##,
        expect![[r#"
            2:1 `/*` this comment is never closed: expected `*/`
        "#]],
    );
}

#[test]
fn an_open_block_is_found_by_indentation() {
    check(
        r##"func f() {
    if a {
        val x = 1
    
}

func g() -> i32 { 3 }
"##,
        expect![[r#"
            2:10 `{` this `{` is never closed: expected `}` [ -> "\n    }"]
        "#]],
    );
}

#[test]
fn an_open_call() {
    check(
        r##"func f() {
    foo(a, b
    val y = 3
}

func g() -> i32 { 3 }
"##,
        expect![[r#"
            2:8 `(` this `(` is never closed: expected `)` [ -> ")"]
        "#]],
    );
}

#[test]
fn open_groups() {
    check(
        r##"func f() {
    val a = [1, 2
    val y = (3 + 4
}
func g() -> i32 { 3 }
"##,
        expect![[r#"
            2:13 `[` this `[` is never closed: expected `]` [ -> "]"]
            3:13 `(` this `(` is never closed: expected `)` [ -> ")"]
        "#]],
    );
}

#[test]
fn items_in_functions() {
    check(
        r##"func f() {
    func g() { }
    struct S { }
    val x = 3
}
"##,
        expect![[r#"
            2:5 `func` `func` stands outside of functions: move it out of this block
            3:5 `struct` `struct` stands outside of functions: move it out of this block
        "#]],
    );
}

#[test]
fn semicolons() {
    check(
        r##"func f() -> i32 {
    val x = 3;
    x; x
}
"##,
        expect![[r#"
            2:14 `;` there are no semicolons: the end of the line ends a statement [; -> ""]
            3:6 `;` there are no semicolons: the end of the line ends a statement [;  -> "\n    "]
        "#]],
    );
}

#[test]
fn bindings_of_other_languages() {
    check(
        r##"func f() {
    let x = 3
    let mut y = 4
    var z = 5
    val mut w = 3
}
"##,
        expect![[r#"
            2:5 `let` `let` binds nothing here: write `val` [let -> "val"]
            3:5 `let mut` `let` binds nothing here: write `mut` [let mut -> "mut"]
            4:5 `var` `var` binds nothing here: write `mut` [var -> "mut"]
            5:5 `val mut` `mut` alone binds a name that changes [val mut -> "mut"]
        "#]],
    );
}

#[test]
fn operators_that_do_not_exist() {
    check(
        r##"func f() {
    val a = b >> 2
    a >>= 3
    a &= 1
    a &&= true
    a <<= 2
    i++
    x := 3
}
"##,
        expect![[r#"
            2:15 `>>` there is no right shift operator: write `a.shr(n)` [b >> 2 -> "b.shr(2)"]
            3:7 `>>=` there is no right shift operator: write `a = a.shr(n)` [>>= 3 -> "= a.shr(3)"]
            4:7 `&=` there is no `&=`: write `a = a & b` [&= 1 -> "= a & 1"]
            5:7 `&&=` there is no `&&=`: write `a = a && b` [&&= true -> "= a && true"]
            6:7 `<<=` there is no `<<=`: write `a = a << b` [<<= 2 -> "= a << 2"]
            7:6 `++` there is no `++`: write `+= 1` [++ -> " += 1"]
            8:7 `:` a new name is bound by `val name = value`, or by `mut` when it changes [x := -> "val x ="]
        "#]],
    );
}

#[test]
fn operators_in_words() {
    check(
        r##"func f() {
    if a and b or not c { }
    elif d { }
    val t = a ? b : c
}
"##,
        expect![[r#"
            2:10 `and` `and` is no operator: write `&&` [and -> "&&"]
            2:16 `or` `or` is no operator: write `||` [or -> "||"]
            2:19 `not` `not` is no operator: write `!` [not  -> "!"]
            3:5 `elif` `elif` is no word of the language: write `else if` [elif -> "else if"]
            4:15 `?` there is no `? :` operator: write `if condition { a } else { b }`
        "#]],
    );
}

#[test]
fn comparisons_do_not_chain() {
    check(
        r##"func f() {
    val a = 1 < x < 3
    val b = f<T>(x)
    val c = a == b == c
}
"##,
        expect![[r#"
            2:19 `<` comparisons do not chain: join two of them by `&&` [< -> "&& x <"]
            3:14 `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            4:20 `==` comparisons do not chain: join two of them by `&&` [== -> "&& b =="]
        "#]],
    );
}

#[test]
fn missing_parts() {
    check(
        r##"func f(a: i32, b) -> {
    val = 3
    val x
    val y: i32
    x = 
    foo(,)
    a.
    b +
}
"##,
        expect![[r#"
            1:17 `)` expected `:` and the type of a parameter, found `)`
            1:19 `->` expected a type behind `->`; a function without a result has no `->` [->  -> ""]
            2:9 `=` expected a pattern, found `=`
            3:10 `` expected `=` and a value
            4:15 `` expected `=` and a value
            6:9 `,` expected an argument, found `,`
            7:7 `` expected the name of a field or a method
            8:8 `` expected an expression
        "#]],
    );
}

#[test]
fn formats_of_other_languages() {
    check(
        r##"func f(n: i32) {
    println("{n:#x} {n:#08x}")
    println("{n:$>6}")
    println("{n:*>6} {n:>6}")
}
"##,
        expect![[r#"
            2:17 `#x` unknown format `#x`: a format is [< > ^][+][0][width][.precision][? e d x X b o]
            2:24 `#08x` unknown format `#08x`: a format is [< > ^][+][0][width][.precision][? e d x X b o]
            3:17 `$>6` unknown format `$>6`: a format is [< > ^][+][0][width][.precision][? e d x X b o]
            4:17 `*>6` unknown format `*>6`: a format is [< > ^][+][0][width][.precision][? e d x X b o]
        "#]],
    );
}

#[test]
fn strings() {
    check(
        r##"func f() {
    val s = "abc
    val t = "{x"
    val u = "}"
    val v = "\q \x1 \u{110000}"
    val w = "{f("a")}"
    val y = "{}"
    val z = "{x:Q} {x y}"
}
"##,
        expect![[r#"
            2:13 `"` this string is never closed: expected `"`
            3:14 `{` this hole is never closed: expected `}` (`\{` is a brace in text) [ -> "}"]
            4:14 `}` this `}` closes no hole: write `\}` for a brace in text [} -> "\\}"]
            5:14 `\q` unknown escape `\q`
            5:17 `\x` expected exactly two hexadecimal digits behind `\x`
            5:21 `\u{110000}` `110000` is no Unicode scalar value
            6:17 `"` a hole cannot hold a string: bind the text to a name first
            7:14 `{` expected what the hole shows, as in `{x}`; `\{` is a brace in text
            8:17 `Q` unknown format `Q`: a format is [< > ^][+][0][width][.precision][? e d x X b o]
            8:23 `y` expected `:` and a format, or `}`, found `y`
        "#]],
    );
}

#[test]
fn characters() {
    check(
        r##"func f() {
    val a = ''
    val b = 'ab'
    val c = '
    val d = '\q'
    val e = 'é'
    val g = '\u{e9}'
}
"##,
        expect![[r#"
            2:13 `''` a character literal holds exactly one character
            3:13 `'ab'` a character literal holds exactly one character; text stands between double quotes ['ab' -> "\"ab\""]
            4:13 `'` this character literal is never closed: expected `'`
            5:14 `\q` unknown escape `\q`
        "#]],
    );
}

#[test]
fn numbers() {
    check(
        r##"func f() {
    val a = 0b12
    val b = 7 8
    val c = 0x
    val d = 2f32
    val e = 1.5i32
    val g = 1e
    val h = 5abc
    val i = t.0.1
    val j = 99999999999999999999
}
"##,
        expect![[r#"
            2:13 `0b12` `2` is no digit of a number in base 2
            3:15 `8` expected a new line between two statements, found an integer `8` [  -> "\n    "]
            4:13 `0x` expected digits behind `0x`
            5:13 `2f32` the suffix `f32` is for floats, and this is an integer [2f32 -> "2.0f32"]
            6:13 `1.5i32` the suffix `i32` is for integers, and this is a float
            7:13 `1e` expected digits in the exponent
            8:13 `5abc` `abc` is no number suffix: a product is written `5 * abc` [5abc -> "5 * abc"]
            9:15 `0.1` this reads as a float: an element of an inner tuple is `(t.0).1`
            10:13 `99999999999999999999` this integer does not fit in 64 bits
        "#]],
    );
}

#[test]
fn missing_commas() {
    check(
        r##"func f() {
    foo(a b, c)
    val a = [1 2 3]
    val s = P { x: 1 y: 2 }
    match x { 1 => 2 3 => 4 }
}
"##,
        expect![[r#"
            2:11 `b` expected `,` or `)`, found `b` [ -> ","]
            3:16 `2` expected `,` or `]`, found an integer `2` [ 2 -> ", 2,"]
            4:22 `y` expected `,`, a new line or `}`, found `y` [ -> ","]
            5:22 `3` expected `,`, a new line or `}`, found an integer `3` [ -> ","]
        "#]],
    );
}

#[test]
fn block_strings() {
    check(
        r##"func f() {
    val s = """
      abc
    def
      """
    val t = """abc"""
}
"##,
        expect![[r#"
            4:1 `    ` this line is indented less than the closing `"""`
            6:19 `"""` the closing `"""` of a block string stands alone on its line
        "#]],
    );
}

#[test]
fn unknown_characters() {
    check(
        r##"func f() {
    # comment
    val x = a $ b
    val y = “abc”
    val z = 3 − 2
}
"##,
        expect![[r#"
            2:5 `#` `#` begins nothing here: a comment begins with `//`, an attribute with `@` [# -> "//"]
            3:15 `$` unknown character `$`
            4:13 `“abc”` text stands between double quotes [“abc” -> "\"abc\""]
            5:15 `−` unknown character `−` (U+2212): write `-` [− -> "-"]
        "#]],
    );
}

#[test]
fn macros_and_powers() {
    check(
        r##"func f() {
    println!("x")
    x ** 2
    val e = |x| x + 
}
"##,
        expect![[r#"
            2:12 `!` there are no macros: a function is called without `!` [! -> ""]
            3:7 `**` there is no `**`: a power of floats is `a.pow(b)`, and a square `a * a` [x ** 2 -> "x * x"]
            4:20 `` expected an expression
        "#]],
    );
}

#[test]
fn heads() {
    check(
        r##"func f() {
    for (i in xs) { }
    for i = 0 { }
    for i in { }
    while { }
    if { }
    match { }
    for (i = 0; i < 3; i++) { }
}
"##,
        expect![[r#"
            2:9 `(` the head of a `for` stands without parentheses
            3:9 `i` a `for` walks a range or a collection: write `for i in 0..n`
            4:14 `{` expected a range or a collection, found `{`
            5:11 `{` expected a condition, found `{`
            6:8 `{` expected a condition, found `{`
            7:11 `{` expected the value to match, found `{`
            8:9 `(` a `for` walks a range or a collection: write `for i in 0..n`
        "#]],
    );
}

#[test]
fn assignments() {
    check(
        r##"func f() {
    a = b = c
    match x { 1 => y = 3
 2 => z }
    return return
}
"##,
        expect![[r#"
            2:11 `=` an assignment has no value: assign once per statement
            3:22 `=` an assignment is a statement: put it in braces
        "#]],
    );
}

#[test]
fn parentheses_and_commas_hold_something() {
    check(
        "enum E { V(), W(i32) }\nfunc f<T>(x: T) -> E where T: Clone, { E::V }\n",
        expect![[r#"
            1:11 `()` a variant that holds nothing has no parentheses [() -> ""]
            2:36 `,` no condition follows this comma [, -> ""]
        "#]],
    );
}
