//! Shapes.

use expect_test::expect;

use super::{accept, check, check_types};

#[test]
fn dynamic_axes_take_any_extent_and_are_not_worked_with() {
    accept(
        r#"
func f(t: &Tensor<f32, [?, 2]>) { }
func g(t: &Tensor<f32, [3, 2]>, u: Tensor<f32, [?, 2]>) -> Tensor<f32, [?, ?]> {
    f(t)
    f(&u)
    u
}
"#,
    );
    check(
        r#"
func f(t: &Tensor<f32, [?]>) {
    val a = t + t
    val b = t[0]
    val c = t.sum()
    val d: Tensor<f32, [?]> = Tensor::zeros()
    val e: &Tensor<f32, [2]> = t
}
"#,
        expect![[r#"
            E0401: `+` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`
                val a = t + t
                          ^
            E0401: an index needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`
                val b = t[0]
                         ^^^
            E0401: `.sum()` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`
                val c = t.sum()
                          ^^^
            E0401: `Tensor::zeros` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`
                val d: Tensor<f32, [?]> = Tensor::zeros()
                                          ^^^^^^^^^^^^^
            E0301: expected `&Tensor<f32, [2]>`, found `&Tensor<f32, [?]>`
                val e: &Tensor<f32, [2]> = t
                                           ^
              at `&Tensor<f32, [2]>`: `&Tensor<f32, [2]>` is declared here
              note: axis 0 is ?, not 2
        "#]],
    );
}

#[test]
fn axis_names_are_compared() {
    accept(
        r#"
func f(t: &Tensor<f32, [rows: 2]>, u: &Tensor<f32, [2]>) -> Tensor<f32, [rows: 2]> {
    val a = f(u, u)
    val b = f(t, t)
    t + u
}
"#,
    );
    check(
        r#"
func f(t: &Tensor<f32, [rows: 2]>) { }
func g(t: &Tensor<f32, [columns: 2]>) { f(t) }
func h(t: &Tensor<f32, [a: 2, a: 2]>) { }
"#,
        expect![[r#"
            E0301: argument `t` of `f`: expected `&Tensor<f32, [rows: 2]>`, found `&Tensor<f32, [columns: 2]>`
                func g(t: &Tensor<f32, [columns: 2]>) { f(t) }
                                                          ^
              at `&Tensor<f32, [rows: 2]>`: `t` is `&Tensor<f32, [rows: 2]>`
              note: axis 0 is called `columns`, not `rows`
            E0401: two axes of one shape are called `a`
                func h(t: &Tensor<f32, [a: 2, a: 2]>) { }
                                              ^^^^
        "#]],
    );
}

#[test]
fn literals_take_shape_and_elements_from_their_place() {
    accept(
        "const N: u64 = 2\nfunc f(c: bool) -> Tensor<f64, [N, 3]> {\n    val x = 0.5\n    val t: Tensor<f32, [2]> = [1.0, 0.25]\n    val n: Tensor<i8, [2, 0]> = [[], []]\n    val u = Tensor::<f32, [1, 2]>::from([[1.0, 2.0]])\n    if c { return [[1.0, 2.0, 3.0], [x, 5.0, 6.0]] }\n    [[1.0, 2.0, 3.0], [4.0, x * 2.0, 6.0]]\n}\n",
    );
    check(
        "func f(y: f64) {\n    val a: Tensor<f32, [2, 2]> = [[1.0, 2.0], [3.0]]\n    val b: Tensor<f32, [2]> = [1.0, 2.0, 3.0]\n    val c: Tensor<f32, [2, 1]> = [1.0, 2.0]\n    val d: Tensor<f32, [2]> = [[1.0], [2.0]]\n    val e: Tensor<f32, [2]> = [1, y]\n    val g: Tensor<f32, []> = 1.0\n    val h = [1.0, 2.0]\n    val i: Tensor<f32, []> = [1.0]\n}\n",
        expect![[r#"
            E0401: this has 1 entry, and axis 1 of `Tensor<f32, [2, 2]>` has 2
                val a: Tensor<f32, [2, 2]> = [[1.0, 2.0], [3.0]]
                                                          ^^^^^
            E0401: the literal has shape [3], and `Tensor<f32, [2]>` is expected
                val b: Tensor<f32, [2]> = [1.0, 2.0, 3.0]
                                          ^^^^^^^^^^^^^^^
              at `Tensor<f32, [2]>`: `Tensor<f32, [2]>` is declared here
              note: axis 0 is 3, not 2
            E0401: the literal has shape [2], and `Tensor<f32, [2, 1]>` is expected
                val c: Tensor<f32, [2, 1]> = [1.0, 2.0]
                                             ^^^^^^^^^^
              at `Tensor<f32, [2, 1]>`: `Tensor<f32, [2, 1]>` is declared here
              note: its rank is 1, not 2
            E0401: the literal has shape [2, 1], and `Tensor<f32, [2]>` is expected
                val d: Tensor<f32, [2]> = [[1.0], [2.0]]
                                          ^^^^^^^^^^^^^^
              at `Tensor<f32, [2]>`: `Tensor<f32, [2]>` is declared here
              note: its rank is 2, not 1
            E0301: element of a tensor: expected `f32`, found an integer literal
                val e: Tensor<f32, [2]> = [1, y]
                                           ^
              note: an integer literal never becomes a float
              fix: write `1.0` => val e: Tensor<f32, [2]> = [1.0, y]
            E0301: element of a tensor: expected `f32`, found `f64`
                val e: Tensor<f32, [2]> = [1, y]
                                              ^
              fix: convert to `f32` => val e: Tensor<f32, [2]> = [1, y as f32]
            E0301: expected `Tensor<f32, []>`, found a float literal
                val g: Tensor<f32, []> = 1.0
                                         ^^^
              at `Tensor<f32, []>`: `Tensor<f32, []>` is declared here
              note: `Tensor::scalar(x)` makes a rank-0 tensor of a number
            E0401: a rank-0 tensor has no literal
                val i: Tensor<f32, []> = [1.0]
                                         ^^^^^
              note: `Tensor::scalar(x)` makes a rank-0 tensor of a number
        "#]],
    );
}

#[test]
fn constructors() {
    check_types(
        "func f(x: f32) -> Tensor<f32, []> {\n    val a: Tensor<f64, [2, 2]> = Tensor::identity()\n    val b = Tensor::<f32, [3]>::zeros()\n    val c = Tensor::scalar(x)\n    return Tensor::scalar(0.5)\n}\n",
        expect![[r#"
            x: f32
            { val a: Tensor<f64, [2, 2]> = Tensor::identity() val b = Tensor::<f32, [3]>::zeros() val c = Tensor::scalar(x) return Tensor::scalar(0.5) }: never
            a: Tensor<f64, [2, 2]>
            Tensor::identity(): Tensor<f64, [2, 2]>
            Tensor::identity: _
            b: Tensor<f32, [3]>
            Tensor::<f32, [3]>::zeros(): Tensor<f32, [3]>
            Tensor::<f32, [3]>::zeros: _
            c: Tensor<f32, []>
            Tensor::scalar(x): Tensor<f32, []>
            Tensor::scalar: _
            x: f32
            return Tensor::scalar(0.5): never
            Tensor::scalar(0.5): Tensor<f32, []>
            Tensor::scalar: _
            0.5: f32 = 0.5
        "#]],
    );
    check(
        "func f() {\n    val a = Tensor::zeros()\n    val b: Tensor<f32, [2, 3]> = Tensor::identity()\n    val c: Tensor<f32, [2]> = Tensor::zero()\n    val d: Tensor<f32, [2]> = Tensor::scalar(1.0)\n    val e: Tensor<f32, [2]> = Tensor::random_normal(mean: 0.0, std: 1.0)\n    val g = Tensro::zeros()\n    val h = Vec::new()\n    val i: Tensor<f32, [2]> = Tensor::from(1.0)\n    val j: Tensor<f32, [2]> = Tensor::ones(3)\n    val k: Tensor<f32, []> = Tensor::scalar(1)\n}\n",
        expect![[r#"
            E0308: nothing says which element type and shape this tensor has
                val a = Tensor::zeros()
                        ^^^^^^^^^^^^^
              note: annotate the binding, or write `Tensor::<f32, [2, 3]>::zeros(..)`
            E0401: an identity is a square matrix of numbers, not `Tensor<f32, [2, 3]>`
                val b: Tensor<f32, [2, 3]> = Tensor::identity()
                                             ^^^^^^^^^^^^^^^^
            E0304: `Tensor` has no function `zero`
                val c: Tensor<f32, [2]> = Tensor::zero()
                                                  ^^^^
              note: did you mean `zeros`?
              fix: change to `zeros` => val c: Tensor<f32, [2]> = Tensor::zeros()
            E0301: expected `Tensor<f32, [2]>`, found `Tensor<f32, []>`
                val d: Tensor<f32, [2]> = Tensor::scalar(1.0)
                                          ^^^^^^^^^^^^^^^^^^^
              at `Tensor<f32, [2]>`: `Tensor<f32, [2]>` is declared here
              note: its rank is 0, not 1
            E0201: there is no module or type `Tensro`
                val g = Tensro::zeros()
                        ^^^^^^
              note: did you mean `Tensor`?
              fix: change to `Tensor` => val g = Tensor::zeros()
            E0308: nothing says what `T` of `Vec<T>` is
                val h = Vec::new()
                        ^^^^^^^^^^
              note: annotate the binding, or write `Vec::<..>::new()`
            E0301: `Tensor::from` takes an array literal, not a float literal
                val i: Tensor<f32, [2]> = Tensor::from(1.0)
                                                       ^^^
            E0303: `Tensor::ones` takes no arguments, and this call gives 1
                val j: Tensor<f32, [2]> = Tensor::ones(3)
                                                       ^
            E0301: argument `value` of `Tensor::scalar`: expected `f32`, found an integer literal
                val k: Tensor<f32, []> = Tensor::scalar(1)
                                                        ^
              note: an integer literal never becomes a float
              fix: write `1.0` => val k: Tensor<f32, []> = Tensor::scalar(1.0)
        "#]],
    );
}

#[test]
fn broadcasting() {
    check_types(
        "func f(a: &Tensor<f32, [1, 3]>, b: &Tensor<f32, [2, 1]>, c: &Tensor<f32, []>) {\n    val x = a + b\n    val y = 0.5 * a - 1.0\n    val z = x * c\n    val w = -x\n}\n",
        expect![[r#"
            a: &Tensor<f32, [1, 3]>
            b: &Tensor<f32, [2, 1]>
            c: &Tensor<f32, []>
            { val x = a + b val y = 0.5 * a - 1.0 val z = x * c val w = -x }: void
            x: Tensor<f32, [2, 3]>
            a + b: Tensor<f32, [2, 3]>
            a: &Tensor<f32, [1, 3]>
            b: &Tensor<f32, [2, 1]>
            y: Tensor<f32, [1, 3]>
            0.5 * a - 1.0: Tensor<f32, [1, 3]>
            0.5 * a: Tensor<f32, [1, 3]>
            0.5: f32 = 0.5
            a: &Tensor<f32, [1, 3]>
            1.0: f32 = 1.0
            z: Tensor<f32, [2, 3]>
            x * c: Tensor<f32, [2, 3]>
            x: Tensor<f32, [2, 3]>
            c: &Tensor<f32, []>
            w: Tensor<f32, [2, 3]>
            -x: Tensor<f32, [2, 3]>
            x: Tensor<f32, [2, 3]>
        "#]],
    );
    check(
        "func f(a: &Tensor<f32, [2, 3]>, b: &Tensor<f32, [2]>, c: &Tensor<f64, [3]>, n: &Tensor<bool, [3]>, x: f64) {\n    a + b\n    a * c\n    n + n\n    a == a\n    a * x\n    a * 2\n    a & a\n    2.0 * n\n}\n",
        expect![[r#"
            E0401: shapes [2, 3] and [2] do not fit `+`: axis 1 on the left is 3, axis 0 on the right is 2
                a + b
                  ^
              at `&Tensor<f32, [2, 3]>`: `a` is `Tensor<f32, [2, 3]>`
              at `&Tensor<f32, [2]>`: `b` is `Tensor<f32, [2]>`
              note: [2, »3«] on the left, [»2«] on the right
              note: shapes are aligned at the last axis; extents must be equal, or 1, which stretches
            E0302: `*` needs tensors of one element type, and these are `Tensor<f32, [2, 3]>` and `Tensor<f64, [3]>`
                a * c
                  ^
              at `&Tensor<f32, [2, 3]>`: `a` is `Tensor<f32, [2, 3]>`
              at `&Tensor<f64, [3]>`: `c` is `Tensor<f64, [3]>`
              note: `.map` converts the elements: `t.map(|x| x as f32)`
            E0302: `bool` has no arithmetic: `+` does not exist on `Tensor<bool, [3]>`
                n + n
                  ^
            E0302: tensors have no comparison: `==` does not exist on them
                a == a
                  ^^
              note: compare elements or reductions: `t[0]`, `t.sum()`, `t.item()`
            E0302: `*` needs a scalar of the element type `f32`, and this one is `f64`
                a * x
                    ^
              fix: convert to `f32` => a * x as f32
            E0301: expected `f32`, found an integer literal
                a * 2
                    ^
              note: an integer literal never becomes a float
              fix: write `2.0` => a * 2.0
            E0302: `&` does not exist on `&Tensor<f32, [2, 3]>`
                a & a
                  ^
            E0302: `bool` has no arithmetic: `*` does not exist on `Tensor<bool, [3]>`
                2.0 * n
                    ^
        "#]],
    );
}

#[test]
fn compound_assignment_never_grows_its_target() {
    accept(
        "func f(t: &mut Tensor<f32, [2, 3]>, row: &Tensor<f32, [3]>) {\n    t += row\n    t -= 0.5 * row\n    t /= 2.0\n    mut own = t.clone()\n    own *= own.clone()\n}\n",
    );
    check(
        "func f(t: &mut Tensor<f32, [3]>, m: &Tensor<f32, [2, 3]>, v: &Tensor<f32, [2]>, d: &Tensor<f64, [3]>, x: f64) {\n    t += m\n    t += v\n    t += d\n    t += x\n    t += 1\n    mut n = x\n    n += t\n}\n",
        expect![[r#"
            E0401: `+=` cannot enlarge its target `Tensor<f32, [3]>` to the shape of `Tensor<f32, [2, 3]>`
                t += m
                  ^^
              at `&mut Tensor<f32, [3]>`: `t` is `Tensor<f32, [3]>`
              at `&Tensor<f32, [2, 3]>`: `m` is `Tensor<f32, [2, 3]>`
              note: the right side is stretched up to the target's shape, never past it
            E0401: shapes [3] and [2] do not fit `+=`: axis 0 on the left is 3, axis 0 on the right is 2
                t += v
                  ^^
              at `&mut Tensor<f32, [3]>`: `t` is `Tensor<f32, [3]>`
              at `&Tensor<f32, [2]>`: `v` is `Tensor<f32, [2]>`
              note: [»3«] on the left, [»2«] on the right
              note: shapes are aligned at the last axis; extents must be equal, or 1, which stretches
            E0302: `+=` needs tensors of one element type, and these are `Tensor<f32, [3]>` and `Tensor<f64, [3]>`
                t += d
                  ^^
              at `&mut Tensor<f32, [3]>`: `t` is `Tensor<f32, [3]>`
              at `&Tensor<f64, [3]>`: `d` is `Tensor<f64, [3]>`
              note: `.map` converts the elements: `t.map(|x| x as f32)`
            E0302: `+=` needs a scalar of the element type `f32`, and this one is `f64`
                t += x
                     ^
              fix: convert to `f32` => t += x as f32
            E0301: expected `f32`, found an integer literal
                t += 1
                     ^
              note: an integer literal never becomes a float
              fix: write `1.0` => t += 1.0
            E0302: `+=` on `f64`: expected `f64`, found `&mut Tensor<f32, [3]>`
                n += t
                     ^
        "#]],
    );
}

#[test]
fn matrix_products() {
    check_types(
        "func f(x: Tensor<f32, [4, 2]>, w: &mut Tensor<f32, [2, 1]>) {\n    val y = x @ w\n}\n",
        expect![[r#"
            x: Tensor<f32, [4, 2]>
            w: &mut Tensor<f32, [2, 1]>
            { val y = x @ w }: void
            y: Tensor<f32, [4, 1]>
            x @ w: Tensor<f32, [4, 1]>
            x: Tensor<f32, [4, 2]>
            w: &mut Tensor<f32, [2, 1]>
        "#]],
    );
    check(
        "func f(a: Tensor<f32, [4, 2]>, b: Tensor<f32, [3, 2]>, r: &Tensor<f32, [4, 5]>, v: &Tensor<f32, [2]>, d: &Tensor<f64, [2, 2]>) {\n    a @ b\n    a @ r\n    a @ v\n    a @ d\n    a @ 2.0\n}\n",
        expect![[r#"
            E0401: inner extents differ: [4, 2] @ [3, 2] needs the 2 columns on the left and the 3 rows on the right to agree
                a @ b
                  ^
              at `Tensor<f32, [4, 2]>`: `a` is `Tensor<f32, [4, 2]>`
              at `Tensor<f32, [3, 2]>`: `b` is `Tensor<f32, [3, 2]>`
              note: [4, »2«] on the left, [»3«, 2] on the right
              note: with `.t()` on the right operand the shapes fit
              fix: transpose the right operand => a @ b.t()
            E0401: inner extents differ: [4, 2] @ [4, 5] needs the 2 columns on the left and the 4 rows on the right to agree
                a @ r
                  ^
              at `Tensor<f32, [4, 2]>`: `a` is `Tensor<f32, [4, 2]>`
              at `&Tensor<f32, [4, 5]>`: `r` is `Tensor<f32, [4, 5]>`
              note: [4, »2«] on the left, [»4«, 5] on the right
              note: with `.t()` on the left operand the shapes fit
              fix: transpose the left operand => a.t() @ r
            E0401: `@` takes two matrices (rank 2), and `Tensor<f32, [2]>` has rank 1
                a @ v
                  ^
              at `Tensor<f32, [4, 2]>`: `a` is `Tensor<f32, [4, 2]>`
              at `&Tensor<f32, [2]>`: `v` is `Tensor<f32, [2]>`
              note: a vector is a matrix by `.reshape([2, 1])`
            E0302: `@` needs tensors of one element type, and these are `Tensor<f32, [4, 2]>` and `Tensor<f64, [2, 2]>`
                a @ d
                  ^
              at `Tensor<f32, [4, 2]>`: `a` is `Tensor<f32, [4, 2]>`
              at `&Tensor<f64, [2, 2]>`: `d` is `Tensor<f64, [2, 2]>`
              note: `.map` converts the elements: `t.map(|x| x as f32)`
            E0302: `@` does not exist between `Tensor<f32, [4, 2]>` and a float literal
                a @ 2.0
                  ^
        "#]],
    );
}

#[test]
fn elements() {
    accept(
        "const LAST: u64 = 2\nfunc f(t: &Tensor<f32, [2, 3]>, i: u8, n: i32) -> f32 {\n    t[i, n + 1] * t[0, LAST] + t[1, 3 - 1]\n}\n",
    );
    check(
        "const LAST: u64 = 3\nfunc f(t: &Tensor<f32, [2, 3]>, x: f32, s: &Tensor<f32, []>) {\n    t[2, 0]\n    t[0, LAST]\n    t[0, -1]\n    t[0]\n    t[0, 1, 2]\n    t[x, 0]\n    t[0, 1.0]\n    x[0]\n    s[0]\n}\n",
        expect![[r#"
            E0402: position 2 is outside axis 0 of `Tensor<f32, [2, 3]>`: its positions go from 0 to 1
                t[2, 0]
                  ^
            E0402: position 3 is outside axis 1 of `Tensor<f32, [2, 3]>`: its positions go from 0 to 2
                t[0, LAST]
                     ^^^^
            E0402: position -1 is outside axis 1 of `Tensor<f32, [2, 3]>`: its positions go from 0 to 2
                t[0, -1]
                     ^^
            E0402: `Tensor<f32, [2, 3]>` has 2 axes, and 1 position is given
                t[0]
                 ^^^
              note: `..` keeps an axis whole
            E0402: `Tensor<f32, [2, 3]>` has 2 axes, and 3 positions are given
                t[0, 1, 2]
                 ^^^^^^^^^
            E0301: a position is an integer; this is `f32`
                t[x, 0]
                  ^
            E0301: a position is an integer; this is a float literal
                t[0, 1.0]
                     ^^^
            E0302: tensors, arrays, slices and vectors have elements; this is `f32`
                x[0]
                ^
            E0402: `Tensor<f32, []>` has 0 axes, and 1 position is given
                s[0]
                 ^^^
              note: `.item()` reads the element of a rank-0 tensor
        "#]],
    );
}

#[test]
fn mismatched_tensors_say_how_they_differ() {
    check(
        "func take(x: &Tensor<f32, [2, 3]>, y: Tensor<f32, [2, 3]>) { }\nfunc f(a: Tensor<f32, [3, 2]>, b: Tensor<f32, [2, 4]>, c: Tensor<f64, [2, 3]>, d: Tensor<f32, [3]>) {\n    val e: Tensor<f32, [2, 3]> = a\n    take(&b, c)\n    val g: Tensor<f32, [2, 3]> = b\n    val h: Tensor<f32, [2, 3]> = d\n    val i: Tensor<f32, [2, 3]> = c\n}\n",
        expect![[r#"
            E0301: expected `Tensor<f32, [2, 3]>`, found `Tensor<f32, [3, 2]>`
                val e: Tensor<f32, [2, 3]> = a
                                             ^
              at `Tensor<f32, [2, 3]>`: `Tensor<f32, [2, 3]>` is declared here
              note: its transpose has the expected shape
              fix: transpose it => val e: Tensor<f32, [2, 3]> = a.t()
            E0301: argument `x` of `take`: expected `&Tensor<f32, [2, 3]>`, found `&Tensor<f32, [2, 4]>`
                take(&b, c)
                     ^^
              at `&Tensor<f32, [2, 3]>`: `x` is `&Tensor<f32, [2, 3]>`
              note: axis 1 is 4, not 3
              note: expected [2, »3«], found [2, »4«]
            E0301: argument `y` of `take`: expected `Tensor<f32, [2, 3]>`, found `Tensor<f64, [2, 3]>`
                take(&b, c)
                         ^
              at `Tensor<f32, [2, 3]>`: `y` is `Tensor<f32, [2, 3]>`
              note: the elements are `f64`, not `f32`, and `as` converts numbers only: `t.map(|x| x as f32)`
            E0301: expected `Tensor<f32, [2, 3]>`, found `Tensor<f32, [2, 4]>`
                val g: Tensor<f32, [2, 3]> = b
                                             ^
              at `Tensor<f32, [2, 3]>`: `Tensor<f32, [2, 3]>` is declared here
              note: axis 1 is 4, not 3
              note: expected [2, »3«], found [2, »4«]
            E0301: expected `Tensor<f32, [2, 3]>`, found `Tensor<f32, [3]>`
                val h: Tensor<f32, [2, 3]> = d
                                             ^
              at `Tensor<f32, [2, 3]>`: `Tensor<f32, [2, 3]>` is declared here
              note: its rank is 1, not 2
            E0301: expected `Tensor<f32, [2, 3]>`, found `Tensor<f64, [2, 3]>`
                val i: Tensor<f32, [2, 3]> = c
                                             ^
              at `Tensor<f32, [2, 3]>`: `Tensor<f32, [2, 3]>` is declared here
              note: the elements are `f64`, not `f32`, and `as` converts numbers only: `t.map(|x| x as f32)`
        "#]],
    );
}
