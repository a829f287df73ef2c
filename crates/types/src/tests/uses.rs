//! Uses of traits: bounds, associated types, `dyn`, ambiguity, operators, keys, walks. Each mistake, and the
//! nearest program without.

use neuro_db::{RootDatabase, codes};

use super::{Case, check_cases, found_in};

#[test]
fn bounds() {
    check_cases(&[
        Case {
            code: codes::BOUND,
            says: "`Square` does not have `Area`, which `A` of `double` needs",
            at: &["Area"],
            wrong: "
trait Area { func area(&self) -> f64 }
struct Square { side: f64 }
func double<A: Area>(n: i32, a: &A) -> f64 { 2.0 * a.area() }
func f(s: &Square) -> f64 { double(1, «s») }
",
            right: "
trait Area { func area(&self) -> f64 }
struct Square { side: f64 }
impl Area for Square { func area(&self) -> f64 { self.side } }
func double<A: Area>(n: i32, a: &A) -> f64 { 2.0 * a.area() }
func f(s: &Square) -> f64 { double(1, s) }
",
        },
        Case {
            code: codes::BOUND,
            says: "`f64` does not have `Area`, which `T` of `both` needs",
            at: &["Area"],
            wrong: "
trait Area { func area(&self) -> f64 }
func both<S, T>(s: S, t: T) -> f64
where S: Clone, T: Clone + Area
{ t.area() }
func f() -> f64 { both(1, «2.5») }
",
            right: "
trait Area { func area(&self) -> f64 }
impl Area for f64 { func area(&self) -> f64 { *self } }
func both<S, T>(s: S, t: T) -> f64
where S: Clone, T: Clone + Area
{ t.area() }
func f() -> f64 { both(1, 2.5) }
",
        },
        Case {
            code: codes::BOUND,
            says: "`Square` does not have `Area`, which `double` needs",
            at: &["Area"],
            wrong: "
trait Area { func area(&self) -> f64 }
struct Square { side: f64 }
func double(a: &impl Area) -> f64 { 2.0 * a.area() }
func f(s: &Square) -> f64 { double(«s») }
",
            right: "
trait Area { func area(&self) -> f64 }
struct Square { side: f64 }
impl Area for Square { func area(&self) -> f64 { self.side } }
func double(a: &impl Area) -> f64 { 2.0 * a.area() }
func f(s: &Square) -> f64 { double(s) }
",
        },
        Case {
            code: codes::BOUND,
            says: "`T` does not have `Area`, which `A` of `double` needs",
            at: &["Area"],
            wrong: "
trait Area { func area(&self) -> f64 }
func double<A: Area>(a: &A) -> f64 { 2.0 * a.area() }
func f<T>(s: &T) -> f64 { double(«s») }
",
            right: "
trait Area { func area(&self) -> f64 }
func double<A: Area>(a: &A) -> f64 { 2.0 * a.area() }
func f<T: Area>(s: &T) -> f64 { double(s) }
",
        },
        Case {
            code: codes::BOUND,
            says: "`Slot<Dog>` does not have `Named`, which `T` of `show` needs",
            at: &["Named"],
            wrong: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
struct Slot<T> { value: T }
impl<T: Named> Named for Slot<T> { func name(&self) -> string { self.value.name() } }
func show<T: Named>(x: &T) -> string { x.name() }
func f(s: &Slot<Dog>) -> string { show(«s») }
",
            right: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
struct Slot<T> { value: T }
impl Named for Dog { func name(&self) -> string { \"dog\" } }
impl<T: Named> Named for Slot<T> { func name(&self) -> string { self.value.name() } }
func show<T: Named>(x: &T) -> string { x.name() }
func f(s: &Slot<Slot<Dog>>) -> string { show(s) }
",
        },
        Case {
            code: codes::BOUND,
            says: "`Dog` does not have `Named`, which `T` of `name` needs",
            at: &["Named"],
            wrong: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
struct Slot<T> { value: T }
impl<T: Named> Named for Slot<T> { func name(&self) -> string { self.value.name() } }
func f(s: &Slot<Dog>) -> string { s.«name»() }
",
            right: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
struct Slot<T> { value: T }
impl<T: Named> Named for Slot<T> { func name(&self) -> string { self.value.name() } }
impl Slot<Dog> { func name(&self) -> string { \"slot\" } }
func f(s: &Slot<Dog>) -> string { s.name() }
",
        },
        Case {
            code: codes::BOUND,
            says: "`I` of `total` needs that `Item` is `i32`, and `Item` of `Chars` is `char`",
            at: &["Iterator"],
            wrong: "
func total<I: Iterator<Item = i32>>(numbers: I) -> i32 {
    mut sum = 0
    for n in numbers { sum += n }
    sum
}
func f(text: &string) -> i32 { total(«text.chars()») }
",
            right: "
func count<I: Iterator<Item = char>>(numbers: I) -> i32 {
    mut sum = 0
    for n in numbers { sum += n as i32 }
    sum
}
func f(text: &string) -> i32 { count(text.chars()) }
",
        },
        Case {
            code: codes::BOUND,
            says: "`T` of `most` needs all of `Comparable`, and that of `Rank` has no `le`, `gt`, `ge`",
            at: &["Comparable"],
            wrong: "
@derive(PartialEq)
struct Rank { n: i32 }
impl Comparable for Rank { func lt(&self, rhs: &Rank) -> bool { self.n < rhs.n } }
func most<T: Comparable>(a: T, b: T) -> T { if a >= b { a } else { b } }
func f(a: Rank, b: Rank) -> Rank { most(«a», b) }
",
            right: "
@derive(PartialEq)
struct Rank { n: i32 }
impl Comparable for Rank { func lt(&self, rhs: &Rank) -> bool { self.n < rhs.n } }
func most<T: Comparable>(a: T, b: T) -> T { if a >= b { a } else { b } }
func f(a: Rank, b: Rank) -> i32 { if a < b { most(1, 2) } else { most(3, 4) } }
",
        },
        Case {
            code: codes::BOUND,
            says: "`i32` does not have `Named`, which `T` of `Slot` needs",
            at: &["T"],
            wrong: "
trait Named { func name(&self) -> string }
struct Slot<T: Named> { value: T }
func f() -> i32 { («Slot» { value: 1 }).value }
",
            right: "
trait Named { func name(&self) -> string }
impl Named for i32 { func name(&self) -> string { \"i32\" } }
struct Slot<T: Named> { value: T }
func f() -> i32 { (Slot { value: 1 }).value }
",
        },
        Case {
            code: codes::BOUND,
            says: "`Dog` does not have `Named`, which the declared result needs",
            at: &[],
            wrong: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
func make() -> «impl Named» { Dog { age: 1 } }
",
            right: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
impl Named for Dog { func name(&self) -> string { \"dog\" } }
func make() -> impl Named { Dog { age: 1 } }
func f() -> string { make().name() }
",
        },
        Case {
            code: codes::FORMAT,
            says: "`&T` is not printable",
            at: &[],
            wrong: "func show<T>(x: &T) -> string { \"{«x»:?}\" }\n",
            right: "
@derive(Debug)
struct Point { x: i32 }
func show<T: Debug>(x: &T) -> string { \"{x:?}\" }
func f(p: &Point) -> string { show(p) + show(&p.x) }
",
        },
        Case {
            code: codes::MEMBER,
            says: "the trait `Iterator` has no associated type `Itm`",
            at: &[],
            wrong: "func f<I: «Iterator»<Itm = i32>>(i: I) -> i32 { 1 }\n",
            right: "func f<I: Iterator<Item = i32>>(i: I) -> i32 { 1 }\n",
        },
    ]);
}

#[test]
fn behind_dyn() {
    check_cases(&[
        Case {
            code: codes::BOUND,
            says: "`Label` does not have `Shape`, which `&dyn Shape` needs",
            at: &[],
            wrong: "
trait Shape { func area(&self) -> f64 }
struct Label { text: string }
func report(shape: &dyn Shape) -> f64 { shape.area() }
func f(label: &Label) -> f64 { report(«label») }
",
            right: "
trait Shape { func area(&self) -> f64 }
struct Label { text: string }
impl Shape for Label { func area(&self) -> f64 { 1.0 } }
func report(shape: &dyn Shape) -> f64 { shape.area() }
func f(label: &Label) -> f64 { report(label) }
",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `&dyn Shape`, found `Label`",
            at: &["&dyn Shape"],
            wrong: "
trait Shape { func area(&self) -> f64 }
struct Label { text: string }
impl Shape for Label { func area(&self) -> f64 { 1.0 } }
func f(label: Label) -> f64 {
    val shape: &dyn Shape = «label»
    shape.area()
}
",
            right: "
trait Shape { func area(&self) -> f64 }
struct Label { text: string }
impl Shape for Label { func area(&self) -> f64 { 1.0 } }
func f(label: Label) -> f64 {
    val shapes: [&dyn Shape; 1] = [&label]
    shapes[0].area()
}
",
        },
        Case {
            code: codes::NOT_DYN,
            says: "`Parse` cannot be `dyn`: `parse` is not called on a value, so nothing says whose it is",
            at: &["parse"],
            wrong: "trait Parse { func parse(text: &string) -> i32 }\nfunc run(p: &dyn «Parse») -> i32 { 0 }\n",
            right: "trait Parse { func parse(&self, text: &string) -> i32 }\nfunc run(p: &dyn Parse) -> i32 { 0 }\n",
        },
        Case {
            code: codes::NOT_DYN,
            says: "`Take` cannot be `dyn`: `take` takes `self`, whose size is not known",
            at: &["self"],
            wrong: "trait Take { func take(self) -> i32 }\nfunc run(p: &dyn «Take») -> i32 { 0 }\n",
            right: "trait Take { func take(&mut self) -> i32 }\nfunc run(p: &mut dyn Take) -> i32 { p.take() }\n",
        },
        Case {
            code: codes::NOT_DYN,
            says: "`Twin` cannot be `dyn`: `same` speaks of `Self`, which is not known",
            at: &["&Self"],
            wrong: "trait Twin { func same(&self, other: &Self) -> bool }\nfunc run(p: &dyn «Twin») -> i32 { 0 }\n",
            right: "trait Twin { func same(&self, other: &dyn Twin) -> bool }\nfunc run(p: &dyn Twin) -> bool { p.same(p) }\n",
        },
        Case {
            code: codes::NOT_DYN,
            says: "`Pick` cannot be `dyn`: `pick` has generic parameters, so it is many functions",
            at: &["pick"],
            wrong: "trait Pick { func pick<T>(&self, x: T) -> i32 }\nfunc run(p: &dyn «Pick») -> i32 { 0 }\n",
            right: "trait Pick { func pick(&self, x: i32) -> i32 }\nfunc run(p: &dyn Pick) -> i32 { p.pick(2) }\n",
        },
        Case {
            code: codes::NOT_DYN,
            says: "`Iterator` cannot be `dyn`: it leaves the type `Item` open",
            at: &["Item"],
            wrong: "func run(p: &mut dyn «Iterator») -> i32 { 0 }\n",
            right: "func run(p: &mut impl Iterator) -> i32 { 0 }\n",
        },
        Case {
            code: codes::NOT_DYN,
            says: "`Add` cannot be `dyn`: `Add` is about values whose type is known",
            at: &[],
            wrong: "func run(p: &dyn «Add») -> i32 { 0 }\n",
            right: "func run(p: &dyn Hashable) -> u64 { p.hash() }\n",
        },
        Case {
            code: codes::NOT_MUTABLE,
            says: "`p` is lent by `&`, and cannot be changed",
            at: &["p"],
            wrong: "trait Step { func step(&mut self) }\nfunc run(p: &dyn Step) { «p».step() }\n",
            right: "trait Step { func step(&mut self) }\nfunc run(p: &mut dyn Step) { p.step() }\n",
        },
    ]);
}

#[test]
fn methods_of_traits() {
    check_cases(&[
        Case {
            code: codes::AMBIGUOUS_METHOD,
            says: "`voice` of `Bird` is a method of `Sing` and of `Speak`",
            at: &["voice", "voice"],
            wrong: "
trait Sing { func voice(&self) -> i32 }
trait Speak { func voice(&self) -> i32 }
struct Bird { age: i32 }
impl Sing for Bird { func voice(&self) -> i32 { 1 } }
impl Speak for Bird { func voice(&self) -> i32 { 2 } }
func f(b: &Bird) -> i32 { b.«voice»() }
",
            right: "
trait Sing { func voice(&self) -> i32 }
trait Speak { func voice(&self) -> i32 }
struct Bird { age: i32 }
impl Sing for Bird { func voice(&self) -> i32 { 1 } }
impl Speak for Bird { func voice(&self) -> i32 { 2 } }
impl Bird { func voice(&self) -> i32 { Sing::voice(self) + Speak::voice(self) } }
func f(b: &Bird) -> i32 { b.voice() }
",
        },
        Case {
            code: codes::MEMBER,
            says: "`&T` has no method `.area()`",
            at: &[],
            wrong: "trait Area { func area(&self) -> f64 }\nfunc f<T>(x: &T) -> f64 { x.«area»() }\n",
            right: "trait Area { func area(&self) -> f64 }\nfunc f<T: Area>(x: &T) -> f64 { x.area() }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`&Dog` has no method `.nmae()`",
            at: &[],
            wrong: "
trait Named { func name(&self) -> string { \"thing\" } }
struct Dog { age: i32 }
impl Named for Dog { }
func f(d: &Dog) -> string { d.«nmae»() }
",
            right: "
trait Named { func name(&self) -> string { \"thing\" } }
struct Dog { age: i32 }
impl Named for Dog { }
func f(d: &Dog) -> string { d.name() }
",
        },
        Case {
            code: codes::MEMBER,
            says: "`drop` runs when a value ends, and is not called by hand",
            at: &[],
            wrong: "
struct Guard { n: i32 }
impl Drop for Guard { func drop(&mut self) { } }
func f(g: &mut Guard) { g.«drop»() }
",
            right: "
struct Guard { n: i32 }
impl Guard { func drop(&mut self) { } }
func f(g: &mut Guard) { g.drop() }
",
        },
        Case {
            code: codes::MEMBER,
            says: "`.take()` consumes what it is called on, and this is only borrowed: `&T`",
            at: &[],
            wrong: "trait Take { func take(self) -> i32 }\nfunc f<T: Take>(x: &T) -> i32 { x.«take»() }\n",
            right: "trait Take { func take(self) -> i32 }\nfunc f<T: Take>(x: T) -> i32 { x.take() }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "the trait `Sing` has no function `voic`",
            at: &[],
            wrong: "trait Sing { func voice(&self) -> i32 }\nfunc f<T: Sing>(x: &T) -> i32 { Sing::«voic»(x) }\n",
            right: "trait Sing { func voice(&self) -> i32 }\nfunc f<T: Sing>(x: &T) -> i32 { Sing::voice(x) }\n",
        },
        Case {
            code: codes::BOUND,
            says: "`Dog` does not have `Sing`, which `voice` needs",
            at: &["Sing"],
            wrong: "trait Sing { func voice(&self) -> i32 }\nstruct Dog { age: i32 }\nfunc f(x: &Dog) -> i32 { Sing::voice(«x») }\n",
            right: "trait Sing { func voice(&self) -> i32 { 1 } }\nstruct Dog { age: i32 }\nimpl Sing for Dog { }\nfunc f(x: &Dog) -> i32 { Sing::voice(x) }\n",
        },
        Case {
            code: codes::MEMBER,
            says: "`&Page` has no method `.clone()`",
            at: &[],
            wrong: "struct Page { title: string }\nfunc f(p: &Page) -> Page { p.«clone»() }\n",
            right: "@derive(Clone)\nstruct Page { title: string }\nfunc f(p: &Page) -> Page { p.clone() }\n",
        },
    ]);
}

#[test]
fn operators_of_the_program() {
    check_cases(&[
        Case {
            code: codes::OPERATOR,
            says: "`-` does not exist on `Complex`: `Complex` does not have `Sub`",
            at: &[],
            wrong: "struct Complex { re: f64 }\nfunc f(a: Complex, b: Complex) -> Complex { a «-» b }\n",
            right: "
struct Complex { re: f64 }
impl Sub for Complex {
    type Output = Complex
    func sub(self, rhs: Complex) -> Complex { Complex { re: self.re - rhs.re } }
}
func f(a: Complex, b: Complex) -> Complex { a - b }
",
        },
        Case {
            code: codes::OPERATOR,
            says: "`+` of `Money` takes another `Money`, and this is an integer literal",
            at: &[],
            wrong: "
@derive(Copy)
struct Money { cents: i64 }
impl Add for Money {
    type Output = Money
    func add(self, rhs: Money) -> Money { rhs }
}
func f(m: Money) -> Money { m «+» 5 }
",
            right: "
@derive(Copy)
struct Money { cents: i64 }
impl Add for Money {
    type Output = i64
    func add(self, rhs: Money) -> i64 { self.cents + rhs.cents }
}
func f(m: &Money) -> i64 { m + Money { cents: 5 } }
",
        },
        Case {
            code: codes::OPERATOR,
            says: "`+` takes its operands, and this is only borrowed: `&Poly`",
            at: &[],
            wrong: "
struct Poly { terms: Vec<f64> }
impl Add for Poly {
    type Output = Poly
    func add(self, rhs: Poly) -> Poly { rhs }
}
func f(a: &Poly, b: Poly) -> Poly { «a» + b }
",
            right: "
struct Poly { terms: Vec<f64> }
impl Add for Poly {
    type Output = Poly
    func add(self, rhs: Poly) -> Poly { rhs }
}
func f(a: Poly, b: Poly) -> Poly { a + b }
",
        },
        Case {
            code: codes::OPERATOR,
            says: "`!=` calls `ne`, which `PartialEq` of `Tag` does not have",
            at: &["PartialEq"],
            wrong: "
struct Tag { n: i32 }
impl PartialEq for Tag { func eq(&self, rhs: &Tag) -> bool { self.n == rhs.n } }
func f(a: &Tag, b: &Tag) -> bool { a «!=» b }
",
            right: "
struct Tag { n: i32 }
impl PartialEq for Tag { func eq(&self, rhs: &Tag) -> bool { self.n == rhs.n } }
func f(a: &Tag, b: &Tag) -> bool { !(a == b) }
",
        },
        Case {
            code: codes::OPERATOR,
            says: "`<` does not exist on `Light`: `Light` does not have `Comparable`",
            at: &[],
            wrong: "enum Light { Red, Green }\nfunc f(a: Light, b: Light) -> bool { a «<» b }\n",
            right: "newtype Light = i32\nfunc f(a: Light, b: Light) -> bool { a < b }\n",
        },
        Case {
            code: codes::OPERATOR,
            says: "`-` does not exist on `Complex`, which does not have `Neg`",
            at: &[],
            wrong: "struct Complex { re: f64 }\nfunc f(a: Complex) -> Complex { «-»a }\n",
            right: "
struct Complex { re: f64 }
impl Neg for Complex {
    type Output = f64
    func neg(self) -> f64 { -self.re }
}
func f(a: Complex) -> f64 { -a }
",
        },
        Case {
            code: codes::OPERATOR,
            says: "`+` does not exist on `T`: `T` does not have `Add`",
            at: &[],
            wrong: "func f<T>(a: T, b: T) -> T { a «+» b }\n",
            right: "func f<T: Add<Output = T>>(a: T, b: T) -> T { a + b }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "expected `T`, found `T::Output`",
            at: &["T"],
            wrong: "func f<T: Add>(a: T, b: T) -> T { «a + b» }\n",
            right: "func f<T: Add>(a: T, b: T) -> T::Output { a + b }\nfunc g() -> f32 { f(1.5, 2.5) }\n",
        },
    ]);
}

#[test]
fn keys_and_walks() {
    check_cases(&[
        Case {
            code: codes::BOUND,
            says: "`Cell` cannot be a key of `HashMap`, which needs `Hashable`",
            at: &[],
            wrong: "
@derive(Copy, PartialEq)
struct Cell { row: i32 }
impl Hashable for Cell { func hash(&self) -> u64 { 1 } }
func f() { val m: HashMap<Cell, i32> = «HashMap::new()» }
",
            right: "
@derive(Copy)
struct Cell { row: i32 }
impl PartialEq for Cell { func eq(&self, rhs: &Cell) -> bool { self.row == rhs.row } }
impl Hashable for Cell { func hash(&self) -> u64 { 1 } }
func f() { val m: HashMap<Cell, i32> = HashMap::new() }
",
        },
        Case {
            code: codes::BOUND,
            says: "`K` cannot be a key of `BTreeMap`, which needs `Comparable`",
            at: &[],
            wrong: "func f<K: Copy>(key: K) { mut m: BTreeMap<K, i32> = «BTreeMap::new()» }\n",
            right: "func f<K: Copy + Comparable>(key: K) { mut m: BTreeMap<K, OrderedF64> = BTreeMap::new() }\n",
        },
        Case {
            code: codes::MISMATCH,
            says: "`for` walks ranges, arrays, slices, vectors and iterators; this is `Dog`",
            at: &[],
            wrong: "struct Dog { n: i32 }\nfunc f(d: Dog) { for x in «d» { } }\n",
            right: "
struct Dog { n: i32 }
impl Iterator for Dog {
    type Item = string
    func next(&mut self) -> Option<string> { None }
}
func f(d: Dog) { for x in d { println(x) } }
",
        },
        Case {
            code: codes::MISMATCH,
            says: "`for` walks ranges, arrays, slices, vectors and iterators; this is `&I`",
            at: &[],
            wrong: "func f<I: Iterator<Item = i32>>(i: &I) { for x in «i» { } }\n",
            right: "func f<I: IntoIterator<Item = i32>>(i: I) { for x in i { val y: i32 = x } }\n",
        },
    ]);
}

#[test]
fn blocks_of_other_files() {
    let shapes = "
export trait Area { func area(&self) -> f64 }
export struct Square { export side: f64 }
export struct Disc { export radius: f64 }
impl Area for Square { func area(&self) -> f64 { self.side } }
impl Area for f64 { func area(&self) -> f64 { *self } }
";
    let main = "
import shapes::{Area, Square, Disc}
impl Area for Disc { func area(&self) -> f64 { self.radius } }
trait Twice { func twice(&self) -> f64 }
impl Twice for Square { func twice(&self) -> f64 { 2.0 * self.area() } }
func double<A: Area>(a: &A) -> f64 { 2.0 * a.area() }
func f(s: &Square, n: f64) -> f64 { double(s) + double(&n) + n.area() + s.twice() }
";
    let found = |main: &str| {
        let mut db = RootDatabase::default();
        db.set_text("shapes.nr", shapes);
        let file = db.set_text("main.nr", main);
        let found = found_in(&db, file);
        found.into_iter().map(|found| (found.code, found.message)).collect::<Vec<_>>()
    };
    let stranger = "neither `Area` nor `Disc` is declared in this file".to_owned();
    assert_eq!(found(main), [(codes::IMPL_RULE, stranger)]);
    let own = main.replace("impl Area for Disc { func area(&self) -> f64 { self.radius } }\n", "");
    assert_eq!(found(&own), []);
    let again = own.replace("import shapes::{Area, Square, Disc}", "import shapes::{Area, Square}");
    let again = format!(
        "{again}struct Own {{ n: i32 }}\nimpl Area for Own {{ func area(&self) -> f64 {{ 1.0 }} }}\n"
    );
    assert_eq!(found(&again), []);
}
