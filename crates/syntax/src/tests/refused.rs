//! What reads nearly like a program and is none: one message, and an edit that makes it right.

use super::wording::statements;
use super::{checked, dump, messages};
use expect_test::expect;

#[test]
fn jumps_and_open_ranges_are_no_operands() {
    statements(
        &[
            r#"return +1"#,
            r#"return / 2"#,
            r#"return.foo()"#,
            r#"continue + 1"#,
            r#"loop { break == 1 }"#,
            r#"val x = 0.. + 1"#,
            r#"val x = 0.. == 1"#,
            r#"val x = m[.. + 1]"#,
        ],
        expect![[r#"
            return +1
                `+` there is no `+` in front of a number [+ -> ""]
            return / 2
                `/` expected an expression, found `/`
            return.foo()
                `.` expected an expression, found `.`
            continue + 1
                `+` expected an expression, found `+`
            loop { break == 1 }
                `==` expected an expression, found `==`
            val x = 0.. + 1
                `+` there is no `+` in front of a number [+  -> ""]
            val x = 0.. == 1
                `==` expected an expression, found `==`
            val x = m[.. + 1]
                `+` there is no `+` in front of a number [+  -> ""]
        "#]],
    );
}

#[test]
fn struct_literals_in_heads() {
    statements(
        &[
            r#"if p == Point { x: 1 } { g() }"#,
            r#"if p == Point { x: 1 } { g() } else { h() }"#,
            r#"while p == a::Point { x: 1, y: 2 } { g() }"#,
            r#"for p in Points { x: 1 } { g() }"#,
            r#"match Point { x: 1 } { a => 3 }"#,
            r#"match Point { x, y } { a => 3 }"#,
            r#"match p { a if a == Point { x: 1 } => 3, a if a == Point { x } => 2, _ => 4 }"#,
            r#"if P { x: 1 } == p { g() }"#,
            r#"if p == Point { x } { g() }"#,
            r#"if p == Point { } { g() }"#,
            r#"if P { x: 1 }.ok() { g() }"#,
            r#"if P {
        x: 1
        y: 2
    } == p { g() }"#,
        ],
        expect![[r#"
            if p == Point { x: 1 } { g() }
                `Point { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x: 1 } -> "(Point { x: 1 })"]
            if p == Point { x: 1 } { g() } else { h() }
                `Point { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x: 1 } -> "(Point { x: 1 })"]
            while p == a::Point { x: 1, y: 2 } { g() }
                `a::Point { x: 1, y: 2 }` a struct literal in a head stands in parentheses: `{` begins the block here [a::Point { x: 1, y: 2 } -> "(a::Point { x: 1, y: 2 })"]
            for p in Points { x: 1 } { g() }
                `Points { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [Points { x: 1 } -> "(Points { x: 1 })"]
            match Point { x: 1 } { a => 3 }
                `Point { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x: 1 } -> "(Point { x: 1 })"]
            match Point { x, y } { a => 3 }
                `Point { x, y }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x, y } -> "(Point { x, y })"]
            match p { a if a == Point { x: 1 } => 3, a if a == Point { x } => 2, _ => 4 }
                `Point { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x: 1 } -> "(Point { x: 1 })"]
                `Point { x }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x } -> "(Point { x })"]
            if P { x: 1 } == p { g() }
                `P { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [P { x: 1 } -> "(P { x: 1 })"]
            if p == Point { x } { g() }
                `Point { x }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { x } -> "(Point { x })"]
            if p == Point { } { g() }
                `Point { }` a struct literal in a head stands in parentheses: `{` begins the block here [Point { } -> "(Point { })"]
            if P { x: 1 }.ok() { g() }
                `P { x: 1 }` a struct literal in a head stands in parentheses: `{` begins the block here [P { x: 1 } -> "(P { x: 1 })"]
            if P {
                    x: 1
                    y: 2
                } == p { g() }
                `P {
                       x: 1
                       y: 2
                   }` a struct literal in a head stands in parentheses: `{` begins the block here [P {
                       x: 1
                       y: 2
                   } -> "(P {\n        x: 1\n        y: 2\n    })"]
        "#]],
    );
}

#[test]
fn shifts_to_the_right() {
    statements(
        &[
            r#"n >> 1 && g"#,
            r#"val x = 8 >> 1"#,
            r#"if n >> 1 && g { }"#,
            r#"val x = 8 >> 1 >> 2"#,
            r#"val x = (a + b) >> 1"#,
            r#"val x = a[0] >> 1"#,
            r#"val x = 1 + n >> k"#,
            r#"val x = n >> 1 == 0"#,
            r#"val x = n >> 1 & 1"#,
            r#"val x = n >>> 1"#,
            r#"val x = n >> (k - 1)"#,
            r#"val x = self.n >> k"#,
            r#"val x = hash ^ hash >> 16"#,
            r#"val x = n as u32 >> 3"#,
            r#"val x = n >> k & 3"#,
        ],
        expect![[r#"
            n >> 1 && g
                `>>` there is no right shift operator: write `a.shr(n)` [n >> 1 -> "n.shr(1)"]
            val x = 8 >> 1
                `>>` there is no right shift operator: write `a.shr(n)` [8 >> 1 -> "8.shr(1)"]
            if n >> 1 && g { }
                `>>` there is no right shift operator: write `a.shr(n)` [n >> 1 -> "n.shr(1)"]
            val x = 8 >> 1 >> 2
                `>>` there is no right shift operator: write `a.shr(n)` [8 >> 1 >> 2 -> "8.shr(1).shr(2)"]
            val x = (a + b) >> 1
                `>>` there is no right shift operator: write `a.shr(n)` [(a + b) >> 1 -> "(a + b).shr(1)"]
            val x = a[0] >> 1
                `>>` there is no right shift operator: write `a.shr(n)` [a[0] >> 1 -> "a[0].shr(1)"]
            val x = 1 + n >> k
                `>>` there is no right shift operator: write `a.shr(n)` [1 + n >> k -> "(1 + n).shr(k)"]
            val x = n >> 1 == 0
                `>>` there is no right shift operator: write `a.shr(n)` [n >> 1 -> "n.shr(1)"]
            val x = n >> 1 & 1
                `>>` there is no right shift operator: write `a.shr(n)` [n >> 1 -> "n.shr(1)"]
            val x = n >>> 1
                `>>>` there is no right shift operator: write `a.shr(n)` [n >>> 1 -> "n.shr(1)"]
            val x = n >> (k - 1)
                `>>` there is no right shift operator: write `a.shr(n)` [n >> (k - 1) -> "n.shr(k - 1)"]
            val x = self.n >> k
                `>>` there is no right shift operator: write `a.shr(n)` [self.n >> k -> "self.n.shr(k)"]
            val x = hash ^ hash >> 16
                `>>` there is no right shift operator: write `a.shr(n)` [hash >> 16 -> "hash.shr(16)"]
            val x = n as u32 >> 3
                `>>` there is no right shift operator: write `a.shr(n)` [n as u32 >> 3 -> "(n as u32).shr(3)"]
            val x = n >> k & 3
                `>>` there is no right shift operator: write `a.shr(n)` [n >> k -> "n.shr(k)"]
        "#]],
    );
}

#[test]
fn chains_of_comparisons() {
    statements(
        &[
            r#"val x = 1 < 2 < 3"#,
            r#"val x = 1 < 2 < 3 < 4"#,
            r#"val x = a == b == c == d && e < f < g"#,
            r#"if 0 <= x < 10 { }"#,
        ],
        expect![[r#"
            val x = 1 < 2 < 3
                `<` comparisons do not chain: join two of them by `&&` [< -> "&& 2 <"]
            val x = 1 < 2 < 3 < 4
                `<` comparisons do not chain: join two of them by `&&` [< 3 < -> "&& 2 < 3 && 3 <"]
            val x = a == b == c == d && e < f < g
                `==` comparisons do not chain: join two of them by `&&` [== c == -> "&& b == c && c =="]
                `<` comparisons do not chain: join two of them by `&&` [< -> "&& f <"]
            if 0 <= x < 10 { }
                `<` comparisons do not chain: join two of them by `&&` [< -> "&& x <"]
        "#]],
    );
}

#[test]
fn type_arguments_of_calls() {
    statements(
        &[
            r#"val x = f<T>(x)"#,
            r#"val x = f<A, B>(x)"#,
            r#"g(Tensor<f32, [2, 2]>::zeros())"#,
            r#"val x = HashMap<string, Vec<i32>>::new()"#,
            r#"val x = a.f<i32>()"#,
            r#"val x = Vec<T>.new()"#,
            r#"val x = f<A>"#,
            r#"val x = a.b::<i32>"#,
            r#"val x = a::<>()"#,
        ],
        expect![[r#"
            val x = f<T>(x)
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            val x = f<A, B>(x)
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            g(Tensor<f32, [2, 2]>::zeros())
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            val x = HashMap<string, Vec<i32>>::new()
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            val x = a.f<i32>()
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            val x = Vec<T>.new()
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            val x = f<A>
                `<` type arguments of a call stand behind `::`; `<` compares here [ -> "::"]
            val x = a.b::<i32>
                `::<i32>` expected `(` and arguments: only a call has type arguments
            val x = a::<>()
                `<>` expected a type argument between `<` and `>`
        "#]],
    );
}

#[test]
fn patterns_that_are_none() {
    statements(
        &[
            r#"val () = g()"#,
            r#"match x { () => 1 }"#,
            r#"val .. = g()"#,
            r#"match x { .. => 1 }"#,
            r#"for .. in xs { }"#,
            r#"match x { -'a' => 1 }"#,
            r#"val P { .., x } = p"#,
            r#"val q = P { ..p, x: 1 }"#,
        ],
        expect![[r#"
            val () = g()
                `()` expected a pattern in the parentheses: there is no empty tuple
            match x { () => 1 }
                `()` expected a pattern in the parentheses: there is no empty tuple
            val .. = g()
                `..` `..` stands for the rest of what a pattern lists: a name or `_` matches everything
            match x { .. => 1 }
                `..` `..` stands for the rest of what a pattern lists: a name or `_` matches everything
            for .. in xs { }
                `..` `..` stands for the rest of what a pattern lists: a name or `_` matches everything
            match x { -'a' => 1 }
                `'a'` expected a number, found a character `'a'`
            val P { .., x } = p
                `..` `..` stands behind all fields
            val q = P { ..p, x: 1 }
                `..` `..` stands behind all fields
        "#]],
    );
}

/// What stands near the things above and is right.
#[test]
fn what_stands_near_them() {
    let cases = [
        "while { ready } { }",
        "if { val x = 3\n x > 2 } { }",
        "if { a } == 3 { }",
        "if -{ b } > 3 && { c } { }",
        "if { a }\n{ b }",
        "match { a } { _ => 1 }",
        "for i in { xs } { }",
        "for i in 0.. { work(i) }",
        "match x { y if { y > 3 } => 1, _ => 2 }",
        "if ready { outer: loop { } }",
        "if a { b } else { c }",
        "match a { b, => 1 }",
        "if return { c }",
        "val h = f >> g >> h",
        "val h = f >> (|x: i32| x + 1)",
        "val h = (f >> g)(2)",
        "g(a < b, c > (d))",
        "val x = 0.. |> f",
        "val x = m[..] + m[1..]",
        "val x = y ?? return",
        "match x { 1 => return, 2 => break, _ => continue }",
        "match x { Some(..) | None => 1, P { x, .. } => 2, (a, ..) => 3, [.., b] => 4 }",
        "val x = fn(1)",
        "val x = async { y }",
        "val x = step + by",
        "val x = f {\n y: 1\n }",
    ];
    for case in cases {
        let errors = checked(&format!("func f() {{\n    {case}\n}}\n")).errors;
        let wanted = usize::from(case == "match a { b, => 1 }");
        assert_eq!(errors.len(), wanted, "{case}: {errors:#?}");
    }
}

/// `??` is one operator, so a line that ends in it goes on; with no operand behind it, it is `?` twice.
#[test]
fn two_question_marks_at_the_end_of_a_line() {
    let first = |text: &str| {
        let tree = dump(&checked(&format!("func f() {{\n    {text}\n}}\n")).syntax_node());
        [tree.contains("BIN_EXPR"), tree.matches("TRY_EXPR").count() == 2]
    };
    assert_eq!(first("g()??\n    h()"), [true, false]);
    assert_eq!(first("g() ??\n    h()"), [true, false]);
    assert_eq!(first("g()??\n    val x = 1"), [false, true]);
    assert_eq!(first("g()??"), [false, true]);
    assert_eq!(first("(g()??)\n    h()"), [false, true]);
}

/// A comment in front of the first word of a line does not move the line to the left.
#[test]
fn a_comment_is_part_of_the_indentation_of_no_line() {
    for comment in ["", "/* c */", "/* c */ ", "/* c\n    */"] {
        // The struct stands in the function, as its line is indented.
        let text = format!("func f() {{\n    {comment}struct S {{ }}\n    val x = 1\n}}\n");
        assert_eq!(checked(&text).errors.len(), 1, "{text}");
        // The brace that is missing is found by the lines.
        let text =
            format!("func f() {{\n    if a {{\n        g()\n    {comment}if b {{\n    }}\n}}\n");
        let found = messages(&text);
        assert!(found.starts_with("2:10 `{` this `{` is never closed"), "{text}{found}");
    }
}
