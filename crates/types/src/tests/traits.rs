//! Traits, `impl` blocks, bounds, `dyn`, operators of own types.

use super::accept;

/// Programs that use all of it.
pub(super) const PROGRAMS: &[(&str, &str)] = &[
    (
        "programs",
        r#"
trait Animal {
    func name(&self) -> string
    func legs(&self) -> i32 { 4 }
    func describe(&self) -> string { "{self.name()} with {self.legs()} legs" }
}
struct Dog { age: i32 }
struct Bird { age: i32 }
impl Animal for Dog { func name(&self) -> string { "dog" } }
impl Animal for Bird {
    func name(&self) -> string { "bird" }
    func legs(&self) -> i32 { 2 }
}
trait Source {
    type Item
    func next(&mut self) -> Option<Self::Item>
    func same(&self) -> Self
}
struct Countdown { n: i32 }
impl Source for Countdown {
    type Item = i32
    func next(&mut self) -> Option<i32> {
        if self.n == 0 { return None }
        self.n -= 1
        Some(self.n)
    }
    func same(&self) -> Countdown { Countdown { n: self.n } }
}
func drain<S: Source>(s: &mut S) -> Option<S::Item> { s.next() }
func sum<S: Source<Item = i32>>(s: &mut S) -> i32 { (s.next() ?? 0) + (s.next() ?? 1) }
func total<I: Iterator<Item = i32>>(numbers: I) -> i32 {
    mut sum = 0
    for n in numbers { sum += n }
    sum
}
struct Up { n: i32 }
impl Iterator for Up {
    type Item = i32
    func next(&mut self) -> Option<Self::Item> { self.n += 1
        Some(self.n) }
}
struct Bag { n: i32 }
impl IntoIterator for Bag {
    type Item = i32
    type Iter = Up
    func into_iter(self) -> Up { Up { n: self.n } }
}
func most<T: Comparable>(a: T, b: T) -> T { if a > b { a } else { b } }
func report(animal: &dyn Animal) -> string { animal.describe() }
func unit() -> impl Animal { Dog { age: 1 } }
func both(a: &impl Animal, b: &impl Animal) -> i32 { a.legs() + b.legs() }
trait Twice { func twice(&self) -> i32 }
impl Twice for i32 { func twice(&self) -> i32 { 2 * *self } }
trait Sing { func voice(&self) -> i32 }
trait Speak { func voice(&self) -> i32 }
impl Sing for Bird { func voice(&self) -> i32 { 1 } }
impl Speak for Bird { func voice(&self) -> i32 { 2 } }
struct Slot<T> { value: T }
impl<T: Animal> Animal for Slot<T> { func name(&self) -> string { self.value.name() } }
func main() -> i32 {
    println(Dog { age: 3 }.describe())
    mut c = Countdown { n: 3 }.same()
    val first = c.next() ?? 9
    val second = drain(&mut c) ?? 8
    val third = sum(&mut c)
    mut all = total(Up { n: 2 })
    for n in (Up { n: 2 }) { all += n }
    for n in (Bag { n: 2 }) { all += n }
    val m = most(2, 3) + most(all, 4)
    val d = Dog { age: 1 }
    val b = Bird { age: 1 }
    println(report(&d))
    val last: &dyn Animal = if m > 1 { &d } else { &b }
    println(report(last))
    val legs = unit().legs() + both(&d, &b)
    val five = 5.twice()
    println(Slot { value: Slot { value: Bird { age: 1 } } }.describe())
    first + second + third + legs + five + Sing::voice(&b) + Speak::voice(&b)
}
"#,
    ),
    (
        "operators",
        r#"
@derive(Copy, PartialEq, Debug)
struct Complex { re: f64, im: f64 }
impl Add for Complex {
    type Output = Complex
    func add(self, rhs: Complex) -> Complex { Complex { re: self.re + rhs.re, im: self.im + rhs.im } }
}
impl Neg for Complex {
    type Output = Complex
    func neg(self) -> Complex { Complex { re: -self.re, im: -self.im } }
}
@derive(Copy)
struct Point { at: i64 }
@derive(Copy)
struct Span { length: i64 }
impl Sub for Point {
    type Output = Span
    func sub(self, rhs: Point) -> Span { Span { length: self.at - rhs.at } }
}
@derive(Copy)
struct Version { major: i32, minor: i32 }
impl PartialEq for Version {
    func eq(&self, rhs: &Version) -> bool { self.major == rhs.major && self.minor == rhs.minor }
    func ne(&self, rhs: &Version) -> bool { !(*self == *rhs) }
}
impl Comparable for Version {
    func lt(&self, rhs: &Version) -> bool { self.major < rhs.major }
    func le(&self, rhs: &Version) -> bool { self.lt(rhs) || self.eq(rhs) }
    func gt(&self, rhs: &Version) -> bool { rhs.lt(self) }
    func ge(&self, rhs: &Version) -> bool { rhs.le(self) }
}
func sum<T: Add<Output = T>>(a: T, b: T) -> T { a + b }
func plus<T: Add>(a: T, b: T) -> T::Output { a + b }
func copies<T: Clone>(a: &T) -> (T, T) { (a.clone(), a.clone()) }
struct Poly { terms: Vec<f64> }
impl Add for Poly {
    type Output = Poly
    func add(self, rhs: Poly) -> Poly { self }
}
func f(a: Point, b: Point, p: Poly, q: Poly) -> bool {
    val i = Complex { re: 0.0, im: 1.0 }
    mut z = i + -i
    z += i
    val d = (b - a).length
    val v = Version { major: 1, minor: 4 }
    val s = sum(1, 2) + plus(3, 4)
    val r = p + q
    val text = "text"
    val (one, two) = copies(&text)
    z == i && v < v && &v != &v && d == s as i64
}
"#,
    ),
];

#[test]
fn programs_are_accepted() {
    PROGRAMS.iter().for_each(|(_, program)| accept(program));
}
