//! Mistakes in shapes and indexes: each with its range, its fixes and the nearest program without it.

use neuro_db::codes;

use super::{Case, check_cases};

#[test]
fn operators_on_tensors() {
    check_cases(&[
        Case {
            code: codes::SHAPE,
            says: "shapes [2, 3] and [2] do not fit `+`: axis 1 on the left is 3, axis 0 on the right is 2",
            at: &["&Tensor<f32, [2, 3]>", "&Tensor<f32, [2]>"],
            wrong: "func f(a: &Tensor<f32, [2, 3]>, b: &Tensor<f32, [2]>) -> Tensor<f32, [2, 3]> { a «+» b }\n",
            right: "func f(a: &Tensor<f32, [2, 3]>, b: &Tensor<f32, [3]>) -> Tensor<f32, [2, 3]> { a + b }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "shapes [row: 3] and [column: 3] do not fit `*`: axis 0 on the left is called `row`, axis 0 on the right `column`",
            at: &["&Tensor<f32, [row: 3]>", "&Tensor<f32, [column: 3]>"],
            wrong: "func f(a: &Tensor<f32, [row: 3]>, b: &Tensor<f32, [column: 3]>) -> Tensor<f32, [3]> { a «*» b }\n",
            right: "func f(a: &Tensor<f32, [row: 3]>, b: &Tensor<f32, [3]>) -> Tensor<f32, [row: 3]> { a * b }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "shapes [batch: 4, 3] and [5, 3] do not fit `-`: axis 0 (`batch`) on the left is 4, axis 0 on the right is 5",
            at: &["&Tensor<f32, [batch: 4, 3]>", "&Tensor<f32, [5, 3]>"],
            wrong: "func f(a: &Tensor<f32, [batch: 4, 3]>, b: &Tensor<f32, [5, 3]>) -> Tensor<f32, [4, 3]> { a «-» b }\n",
            right: "func f(a: &Tensor<f32, [batch: 4, 3]>, b: &Tensor<f32, [1, 3]>) -> Tensor<f32, [4, 3]> { a - b }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "shapes [N] and [M] do not fit `+`: axis 0 on the left is N, axis 0 on the right is M",
            at: &["&Tensor<f32, [N]>", "&Tensor<f32, [M]>"],
            wrong: "func f(a: &Tensor<f32, [N]>, b: &Tensor<f32, [M]>) -> Tensor<f32, [N]> { a «+» b }\n",
            right: "func f(a: &Tensor<f32, [N, M]>, b: &Tensor<f32, [1]>) -> Tensor<f32, [N, M]> { a + b }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "`*` needs a scalar of the element type `f32`, and this one is `f64`",
            at: &[],
            wrong: "func f(a: Tensor<f32, [2]>, x: f64) -> Tensor<f32, [2]> { a * «x» }\n",
            right: "func f(a: Tensor<f32, [2]>, x: f64) -> Tensor<f32, [2]> { a * (x as f32) }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "`bool` has no arithmetic: `+` does not exist on `Tensor<bool, [2]>`",
            at: &[],
            wrong: "func f(a: &Tensor<bool, [2]>) -> Tensor<bool, [2]> { a «+» a }\n",
            right: "func f(a: &Tensor<u8, [2]>) -> Tensor<u8, [2]> { a + a }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`+` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [?]>) -> Tensor<f32, [?]> { a «+» 1.0 }\n",
            right: "func f(a: &Tensor<f32, [N]>) -> Tensor<f32, [?]> { a + 1.0 }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "inner extents differ: [4, 3] @ [2, 3] needs the 3 columns on the left and the 2 rows on the right to agree",
            at: &["Tensor<f32, [4, 3]>", "Tensor<f32, [2, 3]>"],
            wrong: "func f(x: Tensor<f32, [4, 3]>, w: Tensor<f32, [2, 3]>) -> Tensor<f32, [4, 2]> { x «@» w }\n",
            right: "func f(x: Tensor<f32, [4, 3]>, w: Tensor<f32, [3, 2]>) -> Tensor<f32, [4, 2]> { x @ w }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "inner extents differ: [B, N] @ [M, N] needs the N columns on the left and the M rows on the right to agree",
            at: &["&Tensor<f32, [B, N]>", "&Tensor<f32, [M, N]>"],
            wrong: "func f(x: &Tensor<f32, [B, N]>, w: &Tensor<f32, [M, N]>) -> Tensor<f32, [B, M]> { x «@» w }\n",
            right: "func f(x: &Tensor<f32, [B, N]>, w: &Tensor<f32, [M, N]>) -> Tensor<f32, [B, M]> { x @ w.clone().t() }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`@` takes two matrices (rank 2), and `Tensor<f32, [3]>` has rank 1",
            at: &["&Tensor<f32, [4, 3]>", "&Tensor<f32, [3]>"],
            wrong: "func f(x: &Tensor<f32, [4, 3]>, v: &Tensor<f32, [3]>) -> Tensor<f32, [4]> { x «@» v }\n",
            right: "func f(x: &Tensor<f32, [4, 3]>, v: &Tensor<f32, [3, 1]>) -> Tensor<f32, [4, 1]> { x @ v }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`+=` cannot enlarge its target `Tensor<f32, [3]>` to the shape of `Tensor<f32, [2, 3]>`",
            at: &["&mut Tensor<f32, [3]>", "&Tensor<f32, [2, 3]>"],
            wrong: "func f(t: &mut Tensor<f32, [3]>, m: &Tensor<f32, [2, 3]>) { t «+=» m }\n",
            right: "func f(t: &mut Tensor<f32, [2, 3]>, m: &Tensor<f32, [3]>) { t += m }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "shapes [N] and [M] do not fit `-=`: axis 0 on the left is N, axis 0 on the right is M",
            at: &["&mut Tensor<f32, [N]>", "&Tensor<f32, [M]>"],
            wrong: "func f(t: &mut Tensor<f32, [N]>, m: &Tensor<f32, [M]>) { t «-=» m }\n",
            right: "func f(t: &mut Tensor<f32, [N]>, m: &Tensor<f32, [1]>) { t -= m }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`*=` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`",
            at: &[],
            wrong: "func f(t: &mut Tensor<f32, [?]>, m: f32) { t «*=» m }\n",
            right: "func f(t: &mut Tensor<f32, [named: N]>, m: f32) { t *= m }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`-` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [?]>) -> Tensor<f32, [?]> { «-»a }\n",
            right: "func f(a: &Tensor<f32, [N]>) -> Tensor<f32, [N]> { -a }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`.exp()` needs every extent, and axis 0 of `Tensor<f32, [?]>` is `?`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [?]>) -> Tensor<f32, [?]> { a.«exp»() }\n",
            right: "func f(a: Tensor<f32, [?]>) -> Tensor<f32, [?]> { a }\n",
        },
    ]);
}

#[test]
fn parameters_of_shapes() {
    check_cases(&[
        Case {
            code: codes::MISMATCH,
            says: "argument `b` of `dot`: expected `&Tensor<f32, [3]>`, found `&Tensor<f32, [4]>`: `N` is 3, and here it would be 4",
            at: &["&Tensor<f32, [N]>", "a"],
            wrong: "func dot(a: &Tensor<f32, [N]>, b: &Tensor<f32, [N]>) -> f32 { (a * b).sum() }\nfunc f(a: &Tensor<f32, [3]>, b: &Tensor<f32, [4]>) -> f32 { dot(a, «b») }\n",
            right: "func dot(a: &Tensor<f32, [N]>, b: &Tensor<f32, [M]>) -> f32 { a.sum() + b.sum() }\nfunc f(a: &Tensor<f32, [3]>, b: &Tensor<f32, [4]>) -> f32 { dot(a, b) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `Tensor<f32, [N, M]>`, found `Tensor<f32, [M, N]>`",
            at: &["Tensor<f32, [N, M]>"],
            wrong: "func g(a: &Tensor<f32, [N, M]>) -> Tensor<f32, [N, M]> { «a.clone().t()» }\n",
            right: "func g(a: &Tensor<f32, [N, M]>) -> Tensor<f32, [M, N]> { a.clone().t() }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "a literal has 2 entries, and this axis has `N`",
            at: &[],
            wrong: "func f(x: &Tensor<f32, [N]>) -> Tensor<f32, [N]> {\n    val w: Tensor<f32, [N]> = «[1.0, 2.0]»\n    w + x\n}\n",
            right: "func f(x: &Tensor<f32, [N]>) -> Tensor<f32, [N]> {\n    val w: Tensor<f32, [N]> = Tensor::ones()\n    w + x\n}\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "argument `t` of `g`: expected `Tensor<f32, [2, 3]>`, found `Tensor<f32, [?, 3]>`",
            at: &["Tensor<f32, [2, 3]>"],
            wrong: "func g(t: Tensor<f32, [2, 3]>) -> f32 { t.sum() }\nfunc f(t: Tensor<f32, [?, 3]>) -> f32 { g(«t») }\n",
            right: "func g(t: Tensor<f32, [?, 3]>) -> i32 { 1 }\nfunc f(t: Tensor<f32, [2, 3]>) -> i32 { g(t) }\n",
        },
        Case {
            code: codes::BOUND,
            says: "`N > 1`, a condition of `g`, does not hold: `N` is 1",
            at: &["N > 1"],
            wrong: "func g(v: &Tensor<f32, [N]>) -> f32\nwhere N > 1\n{ v[1] }\nfunc f(v: &Tensor<f32, [1]>) -> f32 { «g»(v) }\n",
            right: "func g(v: &Tensor<f32, [N]>) -> f32\nwhere N > 1\n{ v[1] }\nfunc f(v: &Tensor<f32, [2]>) -> f32 { g(v) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "argument `t` of `g`: `N` is a number, and axis 0 of `Tensor<f32, [?]>` is `?`, which only the running program knows",
            at: &["&Tensor<f32, [N]>"],
            wrong: "func g(t: &Tensor<f32, [N]>) -> u32 { N }\nfunc f(t: &Tensor<f32, [?]>) -> u32 { g(«t») }\n",
            right: "func g(t: &Tensor<f32, [N]>) -> u32 { N }\nfunc f(t: &Tensor<f32, [3]>) -> u32 { g(t) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "two axes of one shape are called `row`",
            at: &[],
            wrong: "func f(x: &Tensor<f32, [row: 2, «row: 3»]>, y: &Tensor<f32, [row: 3]>) -> f32 { 1.0 }\n",
            right: "func f(x: &Tensor<f32, [row: 2, column: 3]>, y: &Tensor<f32, [row: 3]>) -> f32 { 1.0 }\n",
        },
    ]);
}

#[test]
fn indexes_and_parts() {
    check_cases(&[
        Case {
            code: codes::INDEX,
            says: "position 2 is outside axis 1 of `Tensor<f64, [3, 2]>`: its positions go from 0 to 1",
            at: &[],
            wrong: "func f(m: &Tensor<f64, [3, 2]>) -> f64 { m[1, «2»] }\n",
            right: "func f(m: &Tensor<f64, [3, 2]>) -> f64 { m[2, 1] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "`Tensor<f64, [3, 2]>` has 2 axes, and 1 position is given",
            at: &[],
            wrong: "func f(m: &Tensor<f64, [3, 2]>) -> f64 { m«[1]» }\n",
            right: "func f(m: &Tensor<f64, [3, 2]>) -> Tensor<f64, [2]> { m[1, ..] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "this range ends at 5, and axis 0 of `Tensor<i32, [3, 4]>` has 3 positions",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [3, 4]>) -> Tensor<i32, [4, 4]> { m[«1..5», ..] }\n",
            right: "func f(m: &Tensor<i32, [3, 4]>) -> Tensor<i32, [2, 4]> { m[1..3, ..] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "this range ends at 2, before it begins at 5",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [8]>) -> i32 { m[«5..2»][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>) -> i32 { m[2..5][0] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "positions begin at 0, and this range begins at -1",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [8]>) -> i32 { m[«-1..2»][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>) -> i32 { m[0..=1][0] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "how long this part is, is not known while compiling, and so it has no type",
            at: &["n"],
            wrong: "func f(m: &Tensor<i32, [8]>, n: i32) -> i32 { m[«0..n»][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>, n: i32) -> Tensor<i32, [3]> { m[2 * n - 1..2 * n + 2] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "how long this part is, is not known while compiling, and so it has no type",
            at: &["i"],
            wrong: "func f(m: &Tensor<i32, [8]>) -> i32 {\n    mut i = 0\n    i += 1\n    m[«i..i + 2»][0]\n}\n",
            right: "func f(m: &Tensor<i32, [8]>) -> i32 {\n    val i = 1\n    m[i..i + 2][0]\n}\n",
        },
        Case {
            code: codes::INDEX,
            says: "this range has 9 positions, and axis 0 of `Tensor<i32, [8]>` has 8 positions",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [8]>, i: u64) -> i32 { m[«i..i + 9»][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>, i: u64) -> i32 { m[i..i + 8][0] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "the step of a range is positive, and this is 0",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [8]>) -> i32 { m[(0..8).step(«0»)][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>) -> Tensor<i32, [3]> { m[(0..8).rev().step(3)] }\n",
        },
        Case {
            code: codes::INDEX,
            says: "`.rev()` comes before `.step(..)`",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [8]>) -> i32 { m[(0..8).step(2).«rev»()][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>) -> Tensor<i32, [4]> { m[(0..8).rev().step(2)] }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "a range in an index has no method `.map()` here",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [8]>) -> i32 { m[(0..8).«map»(2)][0] }\n",
            right: "func f(m: &Tensor<i32, [8]>) -> Tensor<i32, [8]> { m[(0..8).rev()] }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "with a step of 2, how many of `N` positions are kept is not known while compiling",
            at: &[],
            wrong: "func f(m: &Tensor<i32, [N]>) -> i32 { m[«(0..N).step(2)»][0] }\n",
            right: "func f(m: &Tensor<i32, [N]>) -> Tensor<i32, [N]> { m[(0..N).step(1)] }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "an index needs every extent, and axis 0 of `Tensor<f32, [?, 3]>` is `?`",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [?, 3]>) -> f32 { t«[0, 1]» }\n",
            right: "func f(t: &Tensor<f32, [N, 3]>) -> f32 { t[0, 1] }\n",
        },
        Case {
            code: codes::ASSIGNMENT,
            says: "an element is assigned, and here an axis stands for several",
            at: &[],
            wrong: "func f(t: &mut Tensor<f32, [2, 2]>) { «t[0, ..]» = 1.0 }\n",
            right: "func f(t: &mut Tensor<f32, [2, 2]>) { t[0, 1] = 1.0 }\n",
        },
        Case {
            code: codes::ASSIGNMENT,
            says: "an element is assigned, and here an axis stands for several",
            at: &[],
            wrong: "func f(t: &mut Tensor<f32, [2, 2]>) { «t[0, ..]» += 1.0 }\n",
            right: "func f(t: &mut Tensor<f32, [2, 2]>) { t[0, 1] += 1.0 }\n",
        },
        Case {
            code: codes::ASSIGNMENT,
            says: "this is behind a shared reference `&`, which only reads",
            at: &["t"],
            wrong: "func f(t: &Tensor<f32, [2]>) { «t»[0] = 1.0 }\n",
            right: "func f(t: &mut Tensor<f32, [2]>) { t[0] = 1.0 }\n",
        },
        Case {
            code: codes::INDEX,
            says: "position 6 is outside `Tensor<f32, [2, 3]>`, which has 6 elements",
            at: &[],
            wrong: "func f(t: &Tensor<f32, [2, 3]>) -> f32 { t.flat(«6») }\n",
            right: "func f(t: &Tensor<f32, [2, 3]>, i: u64) -> f32 { t.flat(5) + t.flat(i) }\n",
        },
    ]);
}

#[test]
fn shape_casts() {
    check_cases(&[
        Case {
            code: codes::MEMBER,
            says: "`&Tensor<f32, [3, 2]>` has no method `.t()`: it consumes the tensor, and this one is borrowed",
            at: &[],
            wrong: "func f(m: &Tensor<f32, [3, 2]>) -> Tensor<f32, [2, 3]> { m.«t»() }\n",
            right: "func f(m: Tensor<f32, [3, 2]>) -> Tensor<f32, [2, 3]> { m.t() }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`.t()` transposes a matrix (rank 2), and `Tensor<f32, [3]>` has rank 1",
            at: &[],
            wrong: "func f(v: Tensor<f32, [3]>) -> Tensor<f32, [3]> { v.«t»() }\n",
            right: "func f(v: Tensor<f32, [3]>) -> Tensor<f32, [3]> { v.permute([0]) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "axis 1 is taken twice",
            at: &["1"],
            wrong: "func f(x: Tensor<f32, [2, 3]>) -> f32 { x.permute([1, «1»]).sum() }\n",
            right: "func f(x: Tensor<f32, [2, 3]>) -> f32 { x.permute([1, -2]).sum() }\n",
        },
        Case {
            code: codes::INDEX,
            says: "axis 1 of `Tensor<f32, [2, 3, 4]>` is missing",
            at: &[],
            wrong: "func f(x: Tensor<f32, [2, 3, 4]>) -> f32 { x.permute(«[2, 0]»).sum() }\n",
            right: "func f(x: Tensor<f32, [2, 3, 4]>) -> Tensor<f32, [4, 2, 3]> { x.permute([2, 0, 1]) }\n",
        },
        Case {
            code: codes::INDEX,
            says: "`Tensor<f32, [batch: 2, width: 3]>` has no axis called `withd`",
            at: &[],
            wrong: "func f(x: Tensor<f32, [batch: 2, width: 3]>) -> f32 { x.permute([«withd», batch]).sum() }\n",
            right: "func f(x: Tensor<f32, [batch: 2, width: 3]>, width: i32) -> Tensor<f32, [width: 3, batch: 2]> { x.permute([width, batch]) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`.permute(..)` takes a list of axes in brackets, as in `[1, 0]`",
            at: &[],
            wrong: "func f(x: Tensor<f32, [2, 3]>) -> f32 { x.permute(«1»).sum() }\n",
            right: "func f(x: Tensor<f32, [2, 3]>) -> f32 { x.permute([1, 0]).sum() }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`Tensor<f32, [4, 6]>` has 24 elements, and this shape has 25",
            at: &[],
            wrong: "func f(x: Tensor<f32, [4, 6]>) -> f32 { x.reshape(«[5, 5]»).sum() }\n",
            right: "const K: i32 = 3\nfunc f(x: Tensor<f32, [4, 6]>) -> Tensor<f32, [3, 8]> { x.reshape([K, 2 * 4]) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`Tensor<f32, [4, 6]>` has 24 elements, and the extents beside `-1` make 7, of which 24 is no multiple",
            at: &[],
            wrong: "func f(x: Tensor<f32, [4, 6]>) -> f32 { x.reshape(«[7, -1]»).sum() }\n",
            right: "func f(x: Tensor<f32, [4, 6]>) -> Tensor<f32, [8, 3]> { x.reshape([8, -1]) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "only one extent can be what is left: `-1` stands once",
            at: &["-1"],
            wrong: "func f(x: Tensor<f32, [4, 6]>) -> f32 { x.reshape([-1, «-1»]).sum() }\n",
            right: "func f(x: Tensor<f32, [4, 6]>) -> f32 { x.reshape([-1]).sum() }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "an extent is known while compiling, and this is not",
            at: &[],
            wrong: "func f(x: Tensor<f32, [4, 6]>, n: i32) -> f32 { x.reshape([«n», -1]).sum() }\n",
            right: "func f(x: Tensor<f32, [4, N]>) -> Tensor<f32, [N, 4]> { x.reshape([N, -1]) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "`Tensor<f32, [N, 2]>` has 2*N elements, and this shape has 3*N",
            at: &[],
            wrong: "func f(x: Tensor<f32, [N, 2]>) -> f32 { x.reshape(«[N, 3]»).sum() }\n",
            right: "func f(x: Tensor<f32, [N, 2]>) -> Tensor<f32, [2, N]> { x.reshape([2, N]) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "axis 2 of `Tensor<f32, [2, 3, 4]>` does not follow axis 0",
            at: &[],
            wrong: "func f(x: Tensor<f32, [2, 3, 4]>) -> f32 { x.flatten(dims: [0, «2»]).sum() }\n",
            right: "func f(x: Tensor<f32, [a: 2, b: 3, c: 4]>) -> Tensor<f32, [a: 2, 12]> { x.flatten(dims: [b, c]) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`.flatten()` takes this argument with its label, `dims:`",
            at: &[],
            wrong: "func f(x: Tensor<f32, [2, 3]>) -> f32 { x.flatten(«[0, 1]»).sum() }\n",
            right: "func f(x: Tensor<f32, [N, M]>) -> f32 { x.flatten().sum() }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`.to()` takes a `Device`, not an integer literal",
            at: &[],
            wrong: "func f(x: Tensor<f32, [2]>) -> Tensor<f32, [2]> { x.to(«1») }\n",
            right: "func f(x: Tensor<f32, [2]>) -> Tensor<f32, [2]> { x.to(Device::CPU) }\n",
        },
    ]);
}

#[test]
fn literals_of_tensors() {
    check_cases(&[
        Case {
            code: codes::SHAPE,
            says: "this has 1 entry, and axis 1 of `Tensor<f32, [2, 2]>` has 2",
            at: &[],
            wrong: "func f() -> Tensor<f32, [2, 2]> { [[1.0, 2.0], «[3.0]»] }\n",
            right: "func f() -> Tensor<f32, [2, 2]> { [[1.0, 2.0], [3.0, 4.0]] }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "expected a number of type `f32`, found an array: the literal is nested deeper than its shape",
            at: &[],
            wrong: "func f() -> Tensor<f32, [2]> { [1.0, «[2.0]»] }\n",
            right: "func f() -> Tensor<f32, [2, 1]> { [[1.0], [2.0]] }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "the literal has shape [3, 2], and `Tensor<f32, [2, 3]>` is expected",
            at: &["Tensor<f32, [2, 3]>"],
            wrong: "func f() -> Tensor<f32, [2, 3]> { «[[1.0, 2.0], [3, 4], [5, 6]]» }\n",
            right: "func f() -> Tensor<f32, [2, 3]> { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "argument `t` of `g`: the literal has shape [4], and `Tensor<f32, [2, 2]>` is expected",
            at: &["Tensor<f32, [2, 2]>"],
            wrong: "func g(t: Tensor<f32, [2, 2]>) { }\nfunc f(x: f32) { g(«[x, 2.0, 3.0, x]») }\n",
            right: "func g(t: Tensor<f32, [2, 2]>) { }\nfunc f(x: f32) { g([[x, 2.0], [3.0, x]]) }\n",
        },
        Case {
            code: codes::SHAPE,
            says: "expected an array of 2 entries, found `[f32; 2]`",
            at: &[],
            wrong: "func f(x: [f32; 2]) -> Tensor<f32, [2, 2]> { [[1.0, 2.0], «x»] }\n",
            right: "func f(x: [f32; 2]) -> Tensor<f32, [2, 2]> { [[1.0, 2.0], [x[0], x[1]]] }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "elements of a tensor: expected `f32`, found 3 integer literals",
            at: &[],
            wrong: "func f() -> Tensor<f32, [2, 2]> { [[«1», 2.0], [-3, 4]] }\n",
            right: "func f() -> Tensor<i32, [2, 2]> { [[1, 2], [-3, 4]] }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "element of a tensor: expected `f32`, found `f64`",
            at: &[],
            wrong: "func f(x: f64) -> Tensor<f32, [2]> { [1.0, «x»] }\n",
            right: "func f(x: f32) -> Tensor<f32, [2]> { [1.0, x] }\n",
        },
        Case {
            code: codes::LITERAL,
            says: "`1.0e6` is greater than every `f16`",
            at: &[],
            wrong: "func f() -> Tensor<f16, [2]> { [1.0, «1.0e6»] }\n",
            right: "func f() -> Tensor<bf16, [2]> { [1.0, 1.0e6] }\n",
        },
        Case {
            code: codes::LITERAL,
            says: "`7.0e4` is greater than every `f16`",
            at: &[],
            wrong: "func f() -> f16 { «7.0e4f16» }\n",
            right: "func f() -> f16 { 6.0e4f16 }\n",
        },
    ]);
}
