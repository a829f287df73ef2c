//! More of what is written by habit of another language.

use super::wording::{items, statements};
use expect_test::expect;

#[test]
fn blocks_of_other_languages() {
    statements(
        &[
            r#"async { 1 }"#,
            r#"val x = async { g() }"#,
            r#"val x = try g()"#,
            r#"val x = try { g() }"#,
            r#"defer f()"#,
            r#"defer { f() }"#,
            r#"spawn { work() }"#,
            r#"guard let y = x else { return }"#,
            r#"else { }"#,
            r#"for i in xs { } else { }"#,
            r#"export val x = 3"#,
            r#"@grad val x = 3"#,
            r#"else if x { }"#,
        ],
        expect![[r#"
            async { 1 }
                `async` there are no asynchronous functions [async  -> ""]
            val x = async { g() }
                `async` there are no asynchronous functions [async  -> ""]
            val x = try g()
                `try` there are no exceptions: `?` behind a call passes its failure on [try  -> ""]
            val x = try { g() }
                `try` a block is a value by itself, and there are no exceptions: `?` passes a failure on [try  -> ""]
            defer f()
                `defer` nothing is put off to the end of a block: write it there
            defer { f() }
                `defer` nothing is put off to the end of a block: write it there [defer  -> ""]
            spawn { work() }
                `spawn` there are no asynchronous functions [spawn  -> ""]
            guard let y = x else { return }
                `guard` what may fail is taken apart by `val pattern = value else { .. }`
            else { }
                `else` this `else` belongs to no `if`: it stands behind the block of one
            for i in xs { } else { }
                `else` this `else` belongs to no `if`: it stands behind the block of one
            export val x = 3
                `export` `export` stands outside of functions: move it out of this block
            @grad val x = 3
                `@` a line that begins with `@` is an attribute, and attributes stand outside of functions; a product goes on with `@` at the end of a line
            else if x { }
                `else` this `else` belongs to no `if`: it stands behind the block of one
        "#]],
    );
}

#[test]
fn values_of_other_languages() {
    statements(
        &[
            r#"val x = g()!"#,
            r#"val x = y!!"#,
            r#"val x = y!.z"#,
            r#"val x = y as? i32"#,
            r#"val x = a if c else b"#,
            r#"val x = [i * 2 for i in xs]"#,
            r#"val x = xs[1:2]"#,
            r#"val x = xs[:2]"#,
            r#"val x = xs[1:]"#,
            r#"print(f"{x}")"#,
            r#"val s = r"abc""#,
            r#"val s = b"abc""#,
            r#"return 1, 2"#,
            r#".5"#,
            r#"+x"#,
            r#"val p = P { x 1, y: 2 }"#,
            r#"move x"#,
            r#"val x = 1, y = 2"#,
            r#"val x = 1, 2"#,
        ],
        expect![[r#"
            val x = g()!
                `!` there is no `!` behind a value: `?` hands a failure on, and `??` takes another value instead
            val x = y!!
                `!` there is no `!` behind a value: `?` hands a failure on, and `??` takes another value instead
            val x = y!.z
                `!` there is no `!` behind a value: `?` hands a failure on, and `??` takes another value instead
            val x = y as? i32
                `?` a cast is written `as` and a type [? -> ""]
            val x = a if c else b
                `if` a choice is written `if condition { a } else { b }`
            val x = [i * 2 for i in xs]
                `for` a list is not written as a loop: fill a collection in a `for`, or make a tensor by `from_fn`
            val x = xs[1:2]
                `:` a part is taken by a range, such as `1..3`, `..3` or `1..` [: -> ".."]
            val x = xs[:2]
                `:` a part is taken by a range, such as `1..3`, `..3` or `1..` [: -> ".."]
            val x = xs[1:]
                `:` a part is taken by a range, such as `1..3`, `..3` or `1..` [: -> ".."]
            print(f"{x}")
                `f` a string has no letter in front: `{x}` is a hole in every string [f -> ""]
            val s = r"abc"
                `r` there are no raw strings: write `\\` for a backslash [r"abc" -> "\"abc\""]
            val s = b"abc"
                `b` there are no strings of bytes
            return 1, 2
                `,` several values make a tuple, which stands in parentheses: `(a, b)`
            .5
                `.5` a float begins with a digit: write `0.5` [ -> "0"]
            +x
                `+` there is no `+` in front of a number [+ -> ""]
            val p = P { x 1, y: 2 }
                `1` expected `:` in front of the value of the field, found an integer `1` [ -> ":"]
            move x
                `x` expected `|`, found `x`
            val x = 1, y = 2
                `,` each name is bound on a line of its own
            val x = 1, 2
                `,` several values make a tuple, which stands in parentheses: `(a, b)`
        "#]],
    );
}

#[test]
fn function_values_of_other_languages() {
    statements(
        &[
            r#"xs.map(x -> x + 1)"#,
            r#"xs.map(x => x + 1)"#,
            r#"xs.map((x) => x + 1, 2)"#,
            r#"val f = func(x: i32) -> i32 { x }"#,
            r#"val f = (x: i32) -> i32 { x }"#,
            r#"val f = fn(x) { x }"#,
        ],
        expect![[r#"
            xs.map(x -> x + 1)
                `->` a function value is written `|x: i32| x + 1`
            xs.map(x => x + 1)
                `=>` a function value is written `|x: i32| x + 1`
            xs.map((x) => x + 1, 2)
                `(` a function value is written `|x: i32| x + 1`
            val f = func(x: i32) -> i32 { x }
                `func` a function value is written `|x: i32| x + 1`
            val f = (x: i32) -> i32 { x }
                `(` a function value is written `|x: i32| x + 1`
            val f = fn(x) { x }
                `fn` a function value is written `|x: i32| x + 1`
        "#]],
    );
}

#[test]
fn loops_of_other_languages() {
    statements(
        &[
            r#"for x of xs { }"#,
            r#"for x : xs { }"#,
            r#"for x: xs { }"#,
            r#"for x, y in xs { }"#,
            r#"for mut x in xs { }"#,
            r#"for let x in xs { }"#,
            r#"for val x in xs { }"#,
            r#"for i in 1..10 step 2 { }"#,
            r#"for i in 10 downTo 1 { }"#,
            r#"for i in 0 until 10 { }"#,
            r#"for i in 1...10 { }"#,
            r#"for i in 0..<10 { }"#,
            r#"val x = 0...5"#,
            r#"loop while x { }"#,
            r#"loop x { }"#,
        ],
        expect![[r#"
            for x of xs { }
                `of` the values of a `for` stand behind `in` [of -> "in"]
            for x : xs { }
                `:` the values of a `for` stand behind `in` [: -> "in"]
            for x: xs { }
                `:` the values of a `for` stand behind `in` [: -> " in"]
            for x, y in xs { }
                `x, y` two loop variables stand in parentheses [x, y -> "(x, y)"]
            for mut x in xs { }
                `mut` the variable of a `for` is a name alone, bound anew in every round [mut  -> ""]
            for let x in xs { }
                `let` the variable of a `for` is a name alone, bound anew in every round [let  -> ""]
            for val x in xs { }
                `val` the variable of a `for` is a name alone, bound anew in every round [val  -> ""]
            for i in 1..10 step 2 { }
                `step` a step is taken by `(a..b).step(n)`
            for i in 10 downTo 1 { }
                `downTo` a range is walked down by `(a..b).rev()`
            for i in 0 until 10 { }
                `until` a range is written `a..b` without its end, `a..=b` with it
            for i in 1...10 { }
                `...` a range is written `a..b` without its end, `a..=b` with it [... -> "..="]
            for i in 0..<10 { }
                `..<` a range is written `a..b` without its end, `a..=b` with it [..< -> ".."]
            val x = 0...5
                `...` a range is written `a..b` without its end, `a..=b` with it [... -> "..="]
            loop while x { }
                `loop` `loop` has no condition: `while` tests one [loop  -> ""]
            loop x { }
                `loop` `loop` has no condition: `while` tests one [loop -> "while"]
        "#]],
    );
}

#[test]
fn arms_of_other_languages() {
    statements(
        &[
            r#"match x with { 1 => 2 }"#,
            r#"match x { 1: 2 }"#,
            r#"match x { 1, 2 => 3 }"#,
            r#"match x { Some y => 3 }"#,
            r#"match x { .Some(y) => 3 }"#,
            r#"match x { case .Some(let y): 3 }"#,
            r#"match x { x @ 3 => 2 }"#,
            r#"match x { ref y => 1 }"#,
            r#"match x { &y => 1 }"#,
            r#"match x { ..=0 => 3 }"#,
            r#"match x {
        1 => f()
        2 =>
        3 => g()
    }"#,
        ],
        expect![[r#"
            match x with { 1 => 2 }
                `with` the arms stand right behind the value [with  -> ""]
            match x { 1: 2 }
                `:` the body of an arm stands behind `=>` [: -> " =>"]
            match x { 1, 2 => 3 }
                `,` the alternatives of an arm are joined by `|` [, -> " |"]
            match x { Some y => 3 }
                `y` what a variant holds stands in parentheses [ y -> "(y)"]
            match x { .Some(y) => 3 }
                `.` a variant has its name alone, or behind the name of its type and `::` [. -> ""]
            match x { case .Some(let y): 3 }
                `case` an arm begins with its pattern, without `case` [case  -> ""]
                `.` a variant has its name alone, or behind the name of its type and `::` [. -> ""]
                `let` a name alone binds in a pattern [let  -> ""]
                `:` the body of an arm stands behind `=>` [: -> " =>"]
            match x { x @ 3 => 2 }
                `@` a pattern binds its parts, and no name beside them by `@`
            match x { ref y => 1 }
                `ref` a name alone binds in a pattern [ref  -> ""]
            match x { &y => 1 }
                `&` a pattern has no `&`: it looks through references [& -> ""]
            match x { ..=0 => 3 }
                `..=` expected the start of the range
            match x {
                    1 => f()
                    2 =>
                    3 => g()
                }
                `` expected the body of the arm
        "#]],
    );
}

#[test]
fn bindings_of_other_languages() {
    statements(
        &[
            r#"val x.y = 3"#,
            r#"val x[0].z = 3"#,
            r#"val x, y = g()"#,
            r#"val x == 3"#,
            r#"val x -> 3"#,
            r#"val x <- 3"#,
            r#"val x: i32 == 3"#,
        ],
        expect![[r#"
            val x.y = 3
                `val` a binding makes a new name: what is there is assigned without `val` [val  -> ""]
            val x[0].z = 3
                `val` a binding makes a new name: what is there is assigned without `val` [val  -> ""]
            val x, y = g()
                `x, y` several names stand in parentheses, as the parts of a tuple [x, y -> "(x, y)"]
            val x == 3
                `==` the value of a binding stands behind `=` [== -> "="]
            val x -> 3
                `->` the value of a binding stands behind `=` [-> -> "="]
            val x <- 3
                `<-` the value of a binding stands behind `=` [<- -> "="]
            val x: i32 == 3
                `==` the value of a binding stands behind `=` [== -> "="]
        "#]],
    );
}

#[test]
fn types_of_other_languages() {
    statements(
        &[
            r#"val x: *i32 = y"#,
            r#"val x: *const i32 = y"#,
            r#"val x: *mut i32 = y"#,
            r#"val x: mut i32 = y"#,
            r#"val x: ?i32 = y"#,
            r#"val x: [i32; N + 1] = y"#,
            r#"val x: Tensor<f32 [2, 3]> = y"#,
            r#"val x: Vec<(i32) => i32> = y"#,
        ],
        expect![[r#"
            val x: *i32 = y
                `*` there are no raw pointers: a borrow is written `&T` [* -> "&"]
            val x: *const i32 = y
                `*const` there are no raw pointers: a borrow is written `&T` [*const -> "&"]
            val x: *mut i32 = y
                `*mut` there are no raw pointers: a borrow is written `&T` [*mut -> "&mut"]
            val x: mut i32 = y
                `mut` a type has no `mut`: what may change is borrowed as `&mut T` [mut -> "&mut"]
            val x: ?i32 = y
                `?` a value that may be absent is an `Option` [?i32 -> "Option<i32>"]
            val x: [i32; N + 1] = y
                `+` the number of elements is a number or a name, found `+` behind it
            val x: Tensor<f32 [2, 3]> = y
                `[` expected `,` or `>`, found `[` [ -> ","]
            val x: Vec<(i32) => i32> = y
                `=>` a function type is written `(A, B) -> R` [=> -> "->"]
        "#]],
    );
}

#[test]
fn functions_as_other_languages_write_them() {
    items(
        &[
            r#"function f(x::Int)::Int { x }"#,
            r#"func f(x: i32) -> i32 = x + 1"#,
            r#"func f(x: i32) -> i32 => x + 1"#,
            r#"func f() = { }"#,
            r#"func f(x: i32): { }"#,
            r#"func f(x: i32) - > i32 { 1 }"#,
            r#"func f(x: i32) > i32 { 1 }"#,
            r#"func f() throws -> i32 { 1 }"#,
            r#"func f<T extends Foo>(x: T) { }"#,
            r#"func f<T where T: Foo>(x: T) { }"#,
            r#"func f(x: i32 | f32) { }"#,
            r#"func f(x: i32*) { }"#,
            r#"func f(x: i32 { }"#,
            r#"func f() -> (i32, i32 { }"#,
            r#"func f() where { }"#,
            r#"func f() -> where T: A { }"#,
            r#"func f<>() { }"#,
            r#"func 3f() { }"#,
            r#"func f(x: i32) -> i32
    return x
end"#,
            r#"main() {
    g()
}"#,
            r#"int f(int x) { return x }"#,
            r#"@grad(wrt: [w], order 2)
func f() { }"#,
            r#"@grad wrt: [w]
func f() { }"#,
        ],
        expect![[r#"
            function f(x::Int)::Int { x }
                `function` `function` is no word of the language: write `func` [function -> "func"]
                `::` the type of a parameter stands behind `:` [:: -> ": "]
                `::` a return type stands behind `->` [:: -> " ->"]
            func f(x: i32) -> i32 = x + 1
                `=` the body of a function stands in braces [= x + 1 -> "{ x + 1 }"]
            func f(x: i32) -> i32 => x + 1
                `=>` the body of a function stands in braces [=> x + 1 -> "{ x + 1 }"]
            func f() = { }
                `=` the body of a function stands in braces [=  -> ""]
            func f(x: i32): { }
                `:` a function without a result has nothing in front of its body [: -> ""]
            func f(x: i32) - > i32 { 1 }
                `- >` an arrow is written `->`, without a space in it [- > -> "->"]
            func f(x: i32) > i32 { 1 }
                `>` a return type stands behind `->` [> -> " ->"]
            func f() throws -> i32 { 1 }
                `throws` expected `->` or `{`, found `throws`
            func f<T extends Foo>(x: T) { }
                `extends` a bound stands behind `:` [ extends -> ":"]
            func f<T where T: Foo>(x: T) { }
                `where` a `where` clause stands in front of the body
            func f(x: i32 | f32) { }
                `|` expected `,` or `)`, found `|`
            func f(x: i32*) { }
                `*` expected `,` or `)`, found `*`
            func f(x: i32 { }
                `(` this `(` is never closed: expected `)` [ -> ")"]
            func f() -> (i32, i32 { }
                `(` this `(` is never closed: expected `)` [ -> ")"]
            func f() where { }
                `where` expected a condition behind `where`, such as `T: Trait` or `N > 0` [where  -> ""]
            func f() -> where T: A { }
                `->` expected a type behind `->`; a function without a result has no `->` [->  -> ""]
            func f<>() { }
                `<>` expected a generic parameter between `<` and `>` [<> -> ""]
            func 3f() { }
                `3f` expected the name of the function, found an integer `3f`
            func f(x: i32) -> i32
                return x
            end
                `` expected `{` and the body of the function
            main() {
                g()
            }
                `main` a function is written `func name(a: A) -> R { .. }` [ -> "func "]
            int f(int x) { return x }
                `int` a function is written `func name(a: A) -> R { .. }`
            @grad(wrt: [w], order 2)
            func f() { }
                `2` expected `:` in front of the value of the argument, found an integer `2` [ -> ":"]
            @grad wrt: [w]
            func f() { }
                `wrt` the arguments of an attribute stand in parentheses [ wrt: [w] -> "(wrt: [w])"]
        "#]],
    );
}

#[test]
fn types_as_other_languages_declare_them() {
    items(
        &[
            r#"struct A { val x: i32 }"#,
            r#"struct A { var x: i32, mut y: i32 }"#,
            r#"struct A { x: i32 = 3 }"#,
            r#"struct A: B { x: i32 }"#,
            r#"struct A extends B { }"#,
            r#"struct A[T] { x: T }"#,
            r#"enum E { case A, case B(i32) }"#,
            r#"enum E { A: i32, B }"#,
            r#"trait T: U { }"#,
            r#"trait T { const X: i32 }"#,
            r#"impl A: B { }"#,
            r#"impl A { func f( { } }"#,
            r#"extension A { func f() { } }"#,
        ],
        expect![[r#"
            struct A { val x: i32 }
                `val` a field is written `name: type`, and changes when what holds it does [val  -> ""]
            struct A { var x: i32, mut y: i32 }
                `var` a field is written `name: type`, and changes when what holds it does [var  -> ""]
                `mut` a field is written `name: type`, and changes when what holds it does [mut  -> ""]
            struct A { x: i32 = 3 }
                `=` a field has no default value: a function such as `T::new()` gives it
            struct A: B { x: i32 }
                `:` a type gets what a trait has by `impl Trait for Type { .. }`
            struct A extends B { }
                `extends` a type gets what a trait has by `impl Trait for Type { .. }`
            struct A[T] { x: T }
                `[` generic parameters stand between `<` and `>` [[T] -> "<T>"]
            enum E { case A, case B(i32) }
                `case` a variant has its name alone, without `case` [case  -> ""]
                `case` a variant has its name alone, without `case` [case  -> ""]
            enum E { A: i32, B }
                `:` what a variant holds stands in parentheses, or in braces with names
            trait T: U { }
                `:` a trait stands for itself: a bound names several, as in `T: A + B`
            trait T { const X: i32 }
                `const` `const` is no member: types and traits have functions and types in them
            impl A: B { }
                `:` a type gets what a trait has by `impl Trait for Type { .. }`
            impl A { func f( { } }
                `(` this `(` is never closed: expected `)` [ -> ")"]
            extension A { func f() { } }
                `extension` `extension` is no word of the language: write `impl` [extension -> "impl"]
        "#]],
    );
}

#[test]
fn imports_of_other_languages() {
    items(
        &[
            r#"import { a } from b"#,
            r#"import a from "b""#,
            r#"import * from a"#,
            r#"import a, b"#,
            r#"using a"#,
        ],
        expect![[r#"
            import { a } from b
                `{` the names of a module stand behind it, such as `import a::{b, c}`
            import a from "b"
                `from` names are brought in by `import module::name`
            import * from a
                `*` the names of a module stand behind it, such as `import a::{b, c}`
            import a, b
                `,` each module is imported on a line of its own
            using a
                `using` another module is brought in by `import name`
        "#]],
    );
}

#[test]
fn misspelt_keywords() {
    items(
        &[
            r#"fucn f() { }"#,
            r#"strcut A { x: i32 }"#,
            r#"enmu A { X }"#,
            r#"triat A { }"#,
            r#"ipml A { }"#,
            r#"cosnt A: i32 = 1"#,
            r#"imprt a::b"#,
            r#"newtyp A = i32"#,
        ],
        expect![[r#"
            fucn f() { }
                `fucn` `fucn` is no word of the language: write `func` [fucn -> "func"]
            strcut A { x: i32 }
                `strcut` `strcut` is no word of the language: write `struct` [strcut -> "struct"]
            enmu A { X }
                `enmu` `enmu` is no word of the language: write `enum` [enmu -> "enum"]
            triat A { }
                `triat` `triat` is no word of the language: write `trait` [triat -> "trait"]
            ipml A { }
                `ipml` `ipml` is no word of the language: write `impl` [ipml -> "impl"]
            cosnt A: i32 = 1
                `cosnt` `cosnt` is no word of the language: write `const` [cosnt -> "const"]
            imprt a::b
                `imprt` `imprt` is no word of the language: write `import` [imprt -> "import"]
            newtyp A = i32
                `newtyp` `newtyp` is no word of the language: write `newtype` [newtyp -> "newtype"]
        "#]],
    );
    statements(
        &[
            r#"retrun 3"#,
            r#"whlie a { }"#,
            r#"mtach a { _ => 1 }"#,
            r#"vall x = 3"#,
            r#"fo = 3"#,
            r#"go(3)"#,
        ],
        expect![[r#"
            retrun 3
                `retrun` `retrun` is no word of the language: write `return` [retrun -> "return"]
            whlie a { }
                `whlie` `whlie` is no word of the language: write `while` [whlie -> "while"]
            mtach a { _ => 1 }
                `mtach` `mtach` is no word of the language: write `match` [mtach -> "match"]
            vall x = 3
                `vall` `vall` is no word of the language: write `val` [vall -> "val"]
            fo = 3
            go(3)
        "#]],
    );
}

#[test]
fn choices_of_other_languages() {
    statements(
        &[
            r#"val x = a ? b : c"#,
            r#"f(a ? b : c, d)"#,
            r#"val x = a ? b : c ? d : e"#,
            r#"val x = f()? + 1"#,
            r#"val x = (a ? 1 : 2) + 1"#,
            "match a {\n    1 || 2 => 3\n    _ => 4\n}",
            r#"if a { 1 } elif b { 2 } else { 3 }"#,
        ],
        expect![[r#"
            val x = a ? b : c
                `?` there is no `? :` operator: write `if condition { a } else { b }`
            f(a ? b : c, d)
                `?` there is no `? :` operator: write `if condition { a } else { b }`
            val x = a ? b : c ? d : e
                `?` there is no `? :` operator: write `if condition { a } else { b }`
            val x = f()? + 1
            val x = (a ? 1 : 2) + 1
                `?` there is no `? :` operator: write `if condition { a } else { b }`
            match a {
                1 || 2 => 3
                _ => 4
            }
                `||` the alternatives of an arm are joined by `|` [|| -> "|"]
            if a { 1 } elif b { 2 } else { 3 }
                `elif` `elif` is no word of the language: write `else if` [elif -> "else if"]
        "#]],
    );
}

#[test]
fn tuples_of_one_and_receivers() {
    statements(
        &[r#"val x = (1,)"#, r#"val x: (i32,) = 1"#, r#"val x = ((1, 2),)"#, r#"val x = (1, 2,)"#],
        expect![[r#"
            val x = (1,)
                `,` a tuple has two elements or more; parentheses around one only group it [, -> ""]
            val x: (i32,) = 1
                `,` a tuple has two elements or more; parentheses around one only group it [, -> ""]
            val x = ((1, 2),)
                `,` a tuple has two elements or more; parentheses around one only group it [, -> ""]
            val x = (1, 2,)
        "#]],
    );
    items(
        &[
            r#"impl A { func f(mut self) { } }"#,
            r#"impl A { func f(&mut self) { } }"#,
            r#"static mut A: i32 = 1"#,
        ],
        expect![[r#"
            impl A { func f(mut self) { } }
                `mut` a receiver is `&self`, `&mut self` or `self`: what is taken by value is bound to a `mut` name in the body [mut -> "&mut"]
            impl A { func f(&mut self) { } }
            static mut A: i32 = 1
                `static` a value of the whole file is a constant: write `const NAME: type = value`
        "#]],
    );
}
