//! Generic items: what is refused and where.

use expect_test::expect;

use super::check;

#[test]
fn arguments_that_are_written() {
    check(
        r#"
struct Pair<A, B> { first: A, second: B }
struct Row<const N: u32> { data: [f32; N] }
func id<T>(x: T) -> T { x }
func plain(x: i32) -> i32 { x }
func a(p: Pair<i32>) { }
func b(r: Row<i32>) { }
func c(r: Row<-1>) { }
func d(p: Pair<i32, 3>) { }
func e() {
    val a = id::<i32, bool>(1)
    val b = plain::<i32>(1)
    val c = id::<bool>(1)
    val d = id::<Strin>("a")
}
"#,
        expect![[r#"
            E0313: `Pair` takes 2 generic arguments, `Pair<A, B>`, and 1 is given
                func a(p: Pair<i32>) { }
                              ^^^^^
            E0301: an extent is a number or a constant, and `i32` is a type
                func b(r: Row<i32>) { }
                              ^^^
            E0401: an extent is an integer from 0 up, and it is `-1`
                func c(r: Row<-1>) { }
                              ^^
            E0313: `B` stands for a type
                func d(p: Pair<i32, 3>) { }
                                    ^
            E0303: `id` takes 1 generic argument, `id<T>`, and 2 are given
                val a = id::<i32, bool>(1)
                                  ^^^^
            E0303: `plain` takes no generic arguments, and 1 is given
                val b = plain::<i32>(1)
                                ^^^
            E0301: argument `x` of `id`: expected `bool`, found an integer literal
                val c = id::<bool>(1)
                                   ^
              at `T`: `x` is `bool`
            E0201: there is no type `Strin`
                val d = id::<Strin>("a")
                             ^^^^^
        "#]],
    );
}

#[test]
fn arguments_that_are_found_out() {
    check(
        r#"
struct Row<const N: u32> { data: [f32; N] }
func same<T>(a: T, b: T) { }
func make<T>() -> T { panic("") }
func dot<const N: u32>(a: [f32; N], b: [f32; N]) -> f32 { 0.0 }
func add<N>(a: &Tensor<f32, [N]>, b: &Tensor<f32, [N]>) -> f32 { 0.0 }
func a(t: &Tensor<f32, [2]>, u: &Tensor<f32, [3]>, d: &Tensor<f32, [?]>) {
    same(1, true)
    same(1, 2.0)
    val x = make()
    val y = dot([1.0], [1.0, 2.0])
    val z = add(t, u)
    val w = add(d, d)
    val v = None
    mut list = Vec::new()
    mut known = Vec::new()
    known.push(1u8)
}
"#,
        expect![[r#"
            E0301: argument `b` of `same`: expected `i32`, found `bool`
                same(1, true)
                        ^^^^
              at `T`: `b` is `i32`
            E0301: argument `b` of `same`: expected `i32`, found a float literal
                same(1, 2.0)
                        ^^^
              at `T`: `b` is `i32`
            E0308: nothing says what `T` of `make` is
                val x = make()
                        ^^^^
              note: say it: `make::<..>`, or annotate what it is put in
            E0301: argument `b` of `dot`: expected `[f32; 1]`, found `[f32; 2]`
                val y = dot([1.0], [1.0, 2.0])
                                   ^^^^^^^^^^
              at `[f32; N]`: `b` is `[f32; 1]`
            E0301: argument `b` of `add`: expected `&Tensor<f32, [2]>`, found `&Tensor<f32, [3]>`: `N` is 2, and here it would be 3
                val z = add(t, u)
                               ^
              at `&Tensor<f32, [N]>`: `b` is `&Tensor<f32, [2]>`
              at `t`: `N` is 2 here
              note: axis 0 is 3, not 2
            E0401: argument `a` of `add`: `N` is a number, and axis 0 of `Tensor<f32, [?]>` is `?`, which only the running program knows
                val w = add(d, d)
                            ^
              at `&Tensor<f32, [N]>`: `a` is `&Tensor<f32, [N]>`
            E0308: nothing says what `T` of `Option` is
                val v = None
                        ^^^^
              note: say it: `Option::<..>`, or annotate what it is put in
            E0308: nothing says what `T` of `Vec<T>` is
                mut list = Vec::new()
                           ^^^^^^^^^^
              note: annotate the binding, or write `Vec::<..>::new()`
        "#]],
    );
}

#[test]
fn conditions() {
    check(
        r#"
func first<const N: u32>(row: [f32; N]) -> f32
where N > 0
{
    row[0]
}
func even<const N: u32>(row: [f32; N])
where N % 2 == 0, N
{
}
func a() {
    val x = first([])
    even([1.0, 2.0, 3.0])
}
"#,
        expect![[r#"
            E0301: condition of `where`: expected `bool`, found `u32`
                where N % 2 == 0, N
                                  ^
            E0314: `N > 0`, a condition of `first`, does not hold: `N` is 0
                val x = first([])
                        ^^^^^
              at `N > 0`: the condition stands here
            E0314: `N % 2 == 0`, a condition of `even`, does not hold: `N` is 3
                even([1.0, 2.0, 3.0])
                ^^^^
              at `N % 2 == 0`: the condition stands here
        "#]],
    );
}

#[test]
fn bodies_are_checked_once() {
    check(
        r#"
func a<T>(x: T, y: T) -> T { x + y }
func b<T>(x: T) -> bool { x == x }
func c<T>(x: T) -> i32 { x.len() }
func d<T>(x: T) -> i32 { x }
func e<const N: u32>(a: [i32; N]) -> [i32; N] {
    val [first, ..rest] = a
    N = 2
    [first]
}
func f<T>() { T }
"#,
        expect![[r#"
            E0302: `+` does not exist on `T`: `T` does not have `Add`
                func a<T>(x: T, y: T) -> T { x + y }
                                               ^
              note: ask for it: `T: Add<Output = T>`
              fix: ask for `Add<Output = T>` => func a<T: Add<Output = T>>(x: T, y: T) -> T { x + y }
            E0302: `==` does not exist on `T`: `T` does not have `PartialEq`
                func b<T>(x: T) -> bool { x == x }
                                            ^^
              note: ask for it: `T: PartialEq`
              fix: ask for `PartialEq` => func b<T: PartialEq>(x: T) -> bool { x == x }
            E0304: `T` has no method `.len()`
                func c<T>(x: T) -> i32 { x.len() }
                                           ^^^
            E0301: expected `i32`, found `T`
                func d<T>(x: T) -> i32 { x }
                                         ^
              at `i32`: `i32` is declared here
            E0306: the constant `N` cannot be assigned
                N = 2
                ^
            E0301: expected `[i32; N]`, found `[i32; 1]`
                [first]
                ^^^^^^^
              at `[i32; N]`: `[i32; N]` is declared here
            E0301: `T` is a generic parameter, not a value
                func f<T>() { T }
                              ^
        "#]],
    );
}
