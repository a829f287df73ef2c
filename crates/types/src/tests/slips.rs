//! One mistake, one message, at its word, with a fix that mends; beside each, the nearest program without it.

use neuro_db::codes;

use super::{Case, check_cases};

#[test]
fn a_mistake_in_a_header_is_told_there_alone() {
    check_cases(&[
        Case {
            code: codes::UNDECLARED,
            says: "there is no trait `Shpe`",
            at: &[],
            wrong: "func f<T: «Shpe»>(x: &T) -> i32 { x.area() + x.width() }\n",
            right: "trait Shape { func area(&self) -> i32 }\nfunc f<T: Shape>(x: &T) -> i32 { x.area() }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "there is no type `Piont`",
            at: &[],
            wrong: "struct Point { x: i32 }\nimpl «Piont» { func n(&self) -> i32 { self.x } }\nfunc f(p: &Point) -> i32 { p.n() + p.n() }\n",
            right: "struct Point { x: i32 }\nimpl Point { func n(&self) -> i32 { self.x } }\nfunc f(p: &Point) -> i32 { p.n() + p.n() }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "there is no trait `Shw`",
            at: &[],
            wrong: "trait Show { func show(&self) -> i32 }\nstruct P { x: i32 }\nimpl «Shw» for P { func show(&self) -> i32 { self.x } }\nfunc g<T: Show>(p: &T) -> i32 { p.show() }\nfunc f(p: &P, d: &dyn Show) -> i32 { p.show() + f(p, p) + g(p) }\n",
            right: "trait Show { func show(&self) -> i32 }\nstruct P { x: i32 }\nimpl Show for P { func show(&self) -> i32 { self.x } }\nfunc g<T: Show>(p: &T) -> i32 { p.show() }\nfunc f(p: &P, d: &dyn Show) -> i32 { p.show() + f(p, p) + g(p) }\n",
        },
        Case {
            code: codes::ATTRIBUTE,
            says: "`@derive` knows no `Debg`",
            at: &[],
            wrong: "@derive(«Debg»)\nstruct P { x: i32 }\nfunc f(p: &P) { println(\"{p:?} {p:?}\") }\n",
            right: "@derive(Debug)\nstruct P { x: i32 }\nfunc f(p: &P) { println(\"{p:?} {p:?}\") }\n",
        },
        Case {
            code: codes::ATTRIBUTE,
            says: "there is no attribute `@drive`",
            at: &[],
            wrong: "@«drive»(PartialEq)\nstruct P { x: i32 }\nfunc f(p: &P, q: &P) -> bool { p == q }\n",
            right: "@derive(PartialEq)\nstruct P { x: i32 }\nfunc f(p: &P, q: &P) -> bool { p == q }\n",
        },
    ]);
}

/// What is only not known because of the mistake is not told; what is wrong besides is.
#[test]
fn a_mistake_in_a_header_hides_nothing_else() {
    check_cases(&[Case {
        code: codes::MEMBER,
        says: "`&T` has no method `.area()`",
        at: &[],
        wrong: "func f<T>(x: &T) -> i32 { x.«area»() }\n",
        right: "trait Shape { func area(&self) -> i32 }\nfunc f<T: Shape>(x: &T) -> i32 { x.area() }\n",
    }]);
}

#[test]
fn what_is_wrong_in_a_part_of_a_type_is_told_once() {
    check_cases(&[
        Case {
            code: codes::UNDECLARED,
            says: "`zz` is not declared",
            at: &[],
            wrong: "func f() { val x: i32 = («zz», 1) }\n",
            right: "func f() { val x: (i32, i32) = (2, 1) }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`zz` is not declared",
            at: &[],
            wrong: "func f() { Some(«zz») }\n",
            right: "func f() -> Option<i32> { Some(1) }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "there is no type `Foo`",
            at: &[],
            wrong: "func g(a: &«Foo») -> i32 { 1 }\nfunc f() -> i32 { g(\"abc\") }\n",
            right: "func g(a: &string) -> i32 { 1 }\nfunc f() -> i32 { g(\"abc\") }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "there is no type `Foo`",
            at: &[],
            wrong: "func g(a: [«Foo»]) -> i32 { 1 }\n",
            right: "func g(a: &[i32]) -> i32 { 1 }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`zz` is not declared",
            at: &[],
            wrong: "func f() { val t = «zz».slice(0..2) }\n",
            right: "func f(zz: string) { val t = zz.slice(0..2) }\n",
        },
        Case {
            code: codes::CONSTANT,
            says: "the value of `A` depends on itself",
            at: &[],
            wrong: "const A: i32 = «B»\nconst B: i32 = C\nconst C: i32 = A + 1\nconst D: i32 = C\n",
            right: "const A: i32 = B\nconst B: i32 = C\nconst C: i32 = 1\nconst D: i32 = C\n",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`mul` of `Mul` takes `V` here, and this takes `&V`",
            at: &[],
            wrong: "@derive(Copy)\nstruct V { x: i32 }\nimpl Mul for V {\n    type Output = V\n    func mul(self, rhs: «&V») -> V { V { x: self.x * rhs.x } }\n}\nfunc f(v: V) -> V { v * v }\n",
            right: "@derive(Copy)\nstruct V { x: i32 }\nimpl Mul for V {\n    type Output = V\n    func mul(self, rhs: V) -> V { V { x: self.x * rhs.x } }\n}\nfunc f(v: V) -> V { v * v }\n",
        },
    ]);
}

#[test]
fn what_is_offered_may_stand_there() {
    check_cases(&[
        Case {
            code: codes::UNDECLARED,
            says: "there is no type `helpr`",
            at: &[],
            wrong: "func helper() {}\nfunc f(x: «helpr») { }\n",
            right: "struct helper { x: i32 }\nfunc f(x: helper) { }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "there is no trait `Shap`",
            at: &[],
            wrong: "struct Shape { x: i32 }\nstruct Q { x: i32 }\nimpl «Shap» for Q { }\n",
            right: "trait Shape { }\nstruct Q { x: i32 }\nimpl Shape for Q { }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`Ponit` is not declared",
            at: &[],
            wrong: "struct Point { x: i32 }\nfunc f() { val p = «Ponit»(3) }\n",
            right: "newtype Ponit = i32\nfunc f() { val p = Ponit(3) }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`ponit` is not declared",
            at: &[],
            wrong: "func point() -> i32 { 1 }\nfunc f() -> i32 { «ponit»() }\n",
            right: "func point() -> i32 { 1 }\nfunc f() -> i32 { point() }\n",
        },
    ]);
}

#[test]
fn one_change_of_a_declaration_is_one_mistake() {
    check_cases(&[
        Case {
            code: codes::ASSIGNMENT,
            says: "`n` is declared with `val` and cannot be assigned",
            at: &["n", "n", "n"],
            wrong: "func f() {\n    val n = 0\n    «n» += 1\n    n = 2\n    n = 3\n}\n",
            right: "func f() {\n    mut n = 0\n    n += 1\n    n = 2\n    n = 3\n}\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`&&` joins two truth values, and these are `i32` and an integer literal",
            at: &[],
            wrong: "func f(n: i32) -> i32 { n «&&» 1 }\n",
            right: "func f(n: i32) -> i32 { n & 1 }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "operand of `||`: expected `bool`, found `i32`",
            at: &[],
            wrong: "func f(n: i32, b: bool) -> bool { b || «n» }\n",
            right: "func f(n: i32, b: bool) -> bool { b || n > 0 }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "the ends of a range are integers; this is a float literal",
            at: &[],
            wrong: "func f() { for x in «0.0»..1.0 { } }\n",
            right: "func f() { for x in 0..1 { } }\n",
        },
        Case {
            code: codes::LOOP_CONTROL,
            says: "no loop around this has the label `outer`",
            at: &[],
            wrong: "func f() { outer: loop { val g = |x: i32| -> i32 { break «outer» } } }\n",
            right: "func f() { outer: loop { loop { break outer } } }\n",
        },
    ]);
}

#[test]
fn superfluous_words_are_shown() {
    check_cases(&[
        Case {
            code: codes::ARGUMENTS,
            says: "`g` takes 1 argument, and this call gives 3",
            at: &[],
            wrong: "func g(a: i32) -> i32 { a }\nfunc f() -> i32 { g(1, «2», 3) }\n",
            right: "func g(a: i32) -> i32 { a }\nfunc f() -> i32 { g(1) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`HashMap::new` takes no arguments, and this call gives 1",
            at: &[],
            wrong: "func f() { val m: HashMap<i32, i32> = HashMap::new(«3») }\n",
            right: "func f() { val m: HashMap<i32, i32> = HashMap::new() }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`g` takes 1 generic argument, `g<T>`, and 2 are given",
            at: &[],
            wrong: "func g<T>(x: T) -> T { x }\nfunc f() -> i32 { g::<i32, «bool»>(1) }\n",
            right: "func g<T>(x: T) -> T { x }\nfunc f() -> i32 { g::<i32>(1) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "argument `g` of `h`: `x` is `i32` here, not `i64`",
            at: &["(i32) -> i32"],
            wrong: "func h(g: (i32) -> i32) -> i32 { g(1) }\nfunc f() -> i32 { h(|x: «i64»| 3) }\n",
            right: "func h(g: (i32) -> i32) -> i32 { g(1) }\nfunc f() -> i32 { h(|x: i32| 3) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`add` takes this argument with its label, `by:`, and `|>` gives it without one",
            at: &[],
            wrong: "func add(by n: i32) -> i32 { n }\nfunc f() -> i32 { 1 |> «add» }\n",
            right: "func add(by n: i32) -> i32 { n }\nfunc f() -> i32 { 1 |> (|x| add(by: x)) }\n",
        },
    ]);
}

#[test]
fn what_is_written_otherwise_is_said() {
    check_cases(&[
        Case {
            code: codes::MEMBER,
            says: "an integer literal has no method `.rev()`",
            at: &[],
            wrong: "func f() { for x in 0..10.«rev»() { } }\n",
            right: "func f() { for x in (0..10).rev() { } }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`x` is not declared",
            at: &[],
            wrong: "struct R { x: i32 }\nimpl R { func n(&self) -> i32 { «x» } }\n",
            right: "struct R { x: i32 }\nimpl R { func n(&self) -> i32 { self.x } }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`area` is not declared",
            at: &[],
            wrong: "struct R { x: i32 }\nimpl R {\n    func area(&self) -> i32 { self.x }\n    func twice(&self) -> i32 { «area»() * 2 }\n}\n",
            right: "struct R { x: i32 }\nimpl R {\n    func area(&self) -> i32 { self.x }\n    func twice(&self) -> i32 { self.area() * 2 }\n}\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`make` is not declared",
            at: &[],
            wrong: "struct R { x: i32 }\nimpl R {\n    func make() -> R { R { x: 1 } }\n    func two() -> R { «make»() }\n}\n",
            right: "struct R { x: i32 }\nimpl R {\n    func make() -> R { R { x: 1 } }\n    func two() -> R { Self::make() }\n}\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`one` is not declared",
            at: &[],
            wrong: "import a\nmodule a { export func one() -> i32 { 1 } }\nfunc f() -> i32 { «one»() }\n",
            right: "import a\nmodule a { export func one() -> i32 { 1 } }\nfunc f() -> i32 { a::one() }\n",
        },
        Case {
            code: codes::MAIN,
            says: "`main` returns its exit status: a program starts at `func main() -> i32`",
            at: &[],
            wrong: "func «main»() {\n    println(\"a\")\n}\n",
            right: "func main() -> i32 {\n    println(\"a\")\n    0\n}\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`Shape::Circle` has no field `raduis`",
            at: &[],
            wrong: "enum Shape { Circle { radius: i32 }, Dot }\nfunc f(s: Shape) -> i32 { match s { Shape::Circle { «raduis» } => raduis * raduis, Shape::Dot => 0 } }\n",
            right: "enum Shape { Circle { radius: i32 }, Dot }\nfunc f(s: Shape) -> i32 { match s { Shape::Circle { radius } => radius, Shape::Dot => 0 } }\n",
        },
        Case {
            code: codes::NOT_EXHAUSTIVE,
            says: "no arm takes `a::E::B(_)`",
            at: &[],
            wrong: "import a\nmodule a { export enum E { A, B(i32) } }\nfunc f(e: a::E) -> i32 { «match» e { a::E::A => 1 } }\n",
            right: "import a\nmodule a { export enum E { A, B(i32) } }\nfunc f(e: a::E) -> i32 { match e { a::E::A => 1, a::E::B(_) => 2 } }\n",
        },
        Case {
            code: codes::PATTERN_TYPE,
            says: "no pattern takes the newtype `M` apart",
            at: &[],
            wrong: "newtype M = bool\nfunc f(m: M) -> i32 { match m { «M(true)» => 1, _ => 2 } }\n",
            right: "newtype M = bool\nfunc f(m: M) -> i32 { match m.0 { true => 1, _ => 2 } }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `i32`, found `u64`",
            at: &["i32"],
            wrong: "func f(a: u64) -> i32 { «a + 1» }\n",
            right: "func f(a: u64) -> i32 { (a + 1) as i32 }\n",
        },
    ]);
}

#[test]
fn names_that_hide_what_was_meant() {
    check_cases(&[
        Case {
            code: codes::HIDING_PATTERN,
            says: "`Red` is a new name here, which takes every value; the variant is `Light::Red`",
            at: &[],
            wrong: "enum Light { Red, Amber }\nfunc f(e: Light) -> i32 { match e { «Red» => 1, _ => 2 } }\n",
            right: "enum Light { Red, Amber }\nfunc f(e: Light) -> i32 { match e { Light::Red => 1, other => 2 } }\n",
        },
        Case {
            code: codes::HIDING_PATTERN,
            says: "`Round` is a new name here, which takes every value; the variant is `Shape::Round(_)`",
            at: &[],
            wrong: "enum Shape { Dot, Round(f64) }\nfunc f(e: (Shape, bool)) -> i32 { match e { («Round», true) => 1, _ => 2 } }\n",
            right: "enum Shape { Dot, Round(f64) }\nfunc f(e: (Shape, bool)) -> i32 { match e { (Shape::Round(_), true) => 1, _ => 2 } }\n",
        },
        Case {
            code: codes::HIDING_PATTERN,
            says: "`K` is a new name here, which takes every value; the constant `K` is not compared with",
            at: &[],
            wrong: "const K: i32 = 3\nfunc f(n: i32) -> i32 { match n { «K» => 1, _ => 2 } }\n",
            right: "const K: i32 = 3\nfunc f(n: i32) -> i32 { match n { x if x == K => 1, _ => 2 } }\n",
        },
    ]);
}

#[test]
fn habits_of_other_languages() {
    check_cases(&[
        Case {
            code: codes::OPERATOR,
            says: "`/` needs two operands of one type, and these are `i32` and `u64`",
            at: &[],
            wrong: "func f(sum: i32, xs: &[i32]) -> f64 { sum «/» xs.len() }\n",
            right: "func f(sum: i32, xs: &[i32]) -> f64 { sum as f64 / xs.len() as f64 }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `Tensor<f64, [2, 4]>`, found `Tensor<f64, [2, 2]>`",
            at: &["Tensor<f64, [2, 4]>"],
            wrong: "func f(m: &Tensor<f64, [2, 1]>, v: &Tensor<f64, [1, 2]>) -> Tensor<f64, [2, 4]> { «m * v» }\n",
            right: "func f(m: &Tensor<f64, [2, 3]>, v: &Tensor<f64, [3, 4]>) -> Tensor<f64, [2, 4]> { m @ v }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`Vec<i32>` has no field `length`",
            at: &[],
            wrong: "func f(v: Vec<i32>) -> u64 { v.«length» }\n",
            right: "func f(v: Vec<i32>) -> u64 { v.len() }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`Tensor<f32, [2]>` has no field `grad`",
            at: &[],
            wrong: "func f(w: Tensor<f32, [2]>) { val g = w.«grad» }\n",
            right: "func f(w: Tensor<f32, [2]>) { val g = w.grad() }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "`np` is not declared",
            at: &[],
            wrong: "func f(x: f64) -> f64 { «np».maximum(x, 0.0) }\n",
            right: "func f(x: f64) -> f64 { x.max(0.0) }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "tensors, arrays, slices and vectors have elements; this is `&mut HashMap<i32, i32>`",
            at: &[],
            wrong: "func f(m: &mut HashMap<i32, i32>) { «m»[1] = 2 }\n",
            right: "func f(m: &mut HashMap<i32, i32>) { m.insert(1, 2) }\n",
        },
        Case {
            code: codes::DIFFERENTIATED_PARAMETER,
            says: "the differentiated parameter `x` must be `&mut Tensor<f32, [2]>`, not `&Tensor<f32, [2]>`",
            at: &["&Tensor<f32, [3]>"],
            wrong: "@grad\nfunc loss(w: &mut Tensor<f32, [2]>, x: «&Tensor<f32, [2]>», y: &Tensor<f32, [3]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n",
            right: "@grad(wrt: [w])\nfunc loss(w: &mut Tensor<f32, [2]>, x: &Tensor<f32, [2]>, y: &Tensor<f32, [3]>) -> Tensor<f32, []> { Tensor::scalar(w.sum()) }\n",
        },
    ]);
}

#[test]
fn tensors_at_the_right_word() {
    check_cases(&[
        Case {
            code: codes::MISMATCH,
            says: "`.map` gives this function `f32`, and its parameter is `f64`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { a.map(|x: «f64»| 1.0f32) }\n",
            right: "func f(a: &Tensor<f32, [3]>) -> Tensor<f32, [3]> { a.map(|x: f32| 1.0f32) }\n",
        },
        Case {
            code: codes::ASSIGNMENT,
            says: "this is behind a shared reference `&`, which only reads",
            at: &["self"],
            wrong: "struct S { n: i32 }\nimpl S { func f(&self) { «self».n += 1 } }\n",
            right: "struct S { n: i32 }\nimpl S { func f(&mut self) { self.n += 1 } }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`.topk()` takes this argument with its label, `k:` or `axis:`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [4]>) { val b = a.topk(«1») }\n",
            right: "func f(a: &Tensor<f32, [4]>) { val b = a.topk(k: 1) }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "an integer literal has no method `.rev()`",
            at: &[],
            wrong: "func f(a: &Tensor<f32, [5]>) { val b = a[0..5.«rev»()] }\n",
            right: "func f(a: &Tensor<f32, [5]>) { val b = a[(0..5).rev()] }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "element of a tensor: expected `f32`, found `f64`",
            at: &[],
            wrong: "func f() { val b: Tensor<f32, [2]> = [1.0, «2.5f64»] }\n",
            right: "func f() { val b: Tensor<f32, [2]> = [1.0, 2.5f32] }\n",
        },
        Case {
            code: codes::GENERIC_ARGUMENTS,
            says: "the shape of a tensor stands in brackets",
            at: &[],
            wrong: "func f() { val b: Tensor<f32, «2»> = [1.0, 2.5] }\n",
            right: "func f() { val b: Tensor<f32, [2]> = [1.0, 2.5] }\n",
        },
        Case {
            code: codes::UNDECLARED,
            says: "there is no constant `N`",
            at: &[],
            wrong: "struct S { t: Tensor<f32, [«N»]> }\n",
            right: "struct S<const N: u32> { t: Tensor<f32, [N]> }\n",
        },
    ]);
}

/// The declaration is changed, and not each place that shows it.
#[test]
fn declarations_that_decide_too_much() {
    check_cases(&[
        Case {
            code: codes::OPERATOR,
            says: "`+=` on `i32`: expected `i32`, found `i64`",
            at: &["0"],
            wrong: "func f(xs: &[i64]) -> i64 {\n    mut sum = 0\n    for x in xs { sum += «x» }\n    sum\n}\n",
            right: "func f(xs: &[i64]) -> i64 {\n    mut sum: i64 = 0\n    for x in xs { sum += x }\n    sum\n}\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `i32`, found a float literal",
            at: &["0"],
            wrong: "func f() -> f64 {\n    mut sum = 0\n    sum += «1.5»\n    sum\n}\n",
            right: "func f() -> f64 {\n    mut sum = 0.0\n    sum += 1.5\n    sum\n}\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `f64`, found `f32`",
            at: &["best", "0.0"],
            wrong: "func f(xs: &[f32]) -> f32 {\n    mut best = 0.0\n    best = «xs[0]»\n    best\n}\n",
            right: "func f(xs: &[f32]) -> f32 {\n    mut best: f32 = 0.0\n    best = xs[0]\n    best\n}\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`&T` has no method `.area()`",
            at: &["area", "area"],
            wrong: "trait Shape { func area(&self) -> f64 }\nfunc f<T>(a: &T, b: &T) -> f64 { if a.«area»() > b.area() { 1.0 } else { a.area() } }\n",
            right: "trait Shape { func area(&self) -> f64 }\nfunc f<T: Shape>(a: &T, b: &T) -> f64 { if a.area() > b.area() { 1.0 } else { a.area() } }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `Result<i32, string>`, found `i32`",
            at: &["Result<i32, string>"],
            wrong: "func f(n: i32) -> Result<i32, string> { «n + 1» }\n",
            right: "func f(n: i32) -> Result<i32, string> { Ok(n + 1) }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `Option<u8>`, found an integer literal",
            at: &["Option<u8>"],
            wrong: "func f() -> Option<u8> { «3» }\n",
            right: "func f() -> Option<u8> { Some(3) }\n",
        },
        Case {
            code: codes::ARGUMENTS,
            says: "`move_by` takes this argument with its label, `from:`",
            at: &[],
            wrong: "func move_by(from a: i32, to b: i32, steps: i32) -> i32 { a + b + steps }\nfunc f() -> i32 { move_by(«1», 2, 3) }\n",
            right: "func move_by(from a: i32, to b: i32, steps: i32) -> i32 { a + b + steps }\nfunc f() -> i32 { move_by(from: 1, to: 2, steps: 3) }\n",
        },
        Case {
            code: codes::FORMAT,
            says: "`g(..)` gives nothing that could be shown",
            at: &[],
            wrong: "func g() { }\nfunc f() { println(\"{«g()»}\") }\n",
            right: "func g() -> i32 { 1 }\nfunc f() { println(\"{g()}\") }\n",
        },
    ]);
}
