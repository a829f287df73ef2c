//! `impl` blocks against their traits, and what structs derive: each mistake, and the nearest program without.

use neuro_db::codes;

use super::{Case, check_cases};

#[test]
fn members() {
    check_cases(&[
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Dog` lacks `legs`, `rename` of `Animal`",
            at: &["legs", "rename"],
            wrong: "
trait Animal {
    type Food
    func name(&self) -> string
    func legs(&self) -> i32
    func rename(&mut self, to name: string, _ times: &[i32])
    func eat(&self, food: Self::Food) -> i32 { 1 }
}
struct Dog { age: i32 }
impl «Animal» for Dog {
    type Food = string
    func name(&self) -> string { \"dog\" }
}
",
            right: "
trait Animal {
    func name(&self) -> string
    func legs(&self) -> i32 { 4 }
}
struct Dog { age: i32 }
impl Animal for Dog { func name(&self) -> string { \"dog\" } }
",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Count` lacks the type `Item`, `reset` of `Source`",
            at: &["Item", "reset"],
            wrong: "
trait Source {
    type Item
    func next(&mut self) -> Option<Self::Item>
    func reset(&mut self, to value: Self::Item) -> Self
}
struct Count { n: i64 }
impl «Source» for Count { func next(&mut self) -> Option<i64> { None } }
",
            right: "
trait Source {
    type Item
    func next(&mut self) -> Option<Self::Item>
}
struct Count { n: i64 }
impl Source for Count {
    type Item = i64
    func next(&mut self) -> Option<Self::Item> { None }
}
",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Money` lacks the type `Output`, `add` of `Add`",
            at: &[],
            wrong: "struct Money { cents: i64 }\nimpl «Add» for Money { }\n",
            right: "struct Money { cents: i64 }\nimpl Add for Money {\n    type Output = Money\n    func add(self, rhs: Money) -> Money { rhs }\n}\n",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`bark` is no method of `Animal`",
            at: &[],
            wrong: "
trait Animal { func name(&self) -> string }
struct Dog { age: i32 }
impl Animal for Dog {
    func name(&self) -> string { \"dog\" }
    func «bark»(&self) -> string { \"wow\" }
}
",
            right: "
trait Animal { func name(&self) -> string }
struct Dog { age: i32 }
impl Animal for Dog { func name(&self) -> string { \"dog\" } }
impl Dog { func bark(&self) -> string { \"wow\" } }
",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`nmae` is no method of `Animal`",
            at: &[],
            wrong: "
trait Animal { func name(&self) -> string }
struct Dog { age: i32 }
impl Animal for Dog { func «nmae»(&self) -> string { \"dog\" } }
",
            right: "
trait Animal { func name(&self) -> string }
struct Dog { age: i32 }
impl Animal for Dog { func name(&self) -> string { \"dog\" } }
",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Itm` is no associated type of `Source`",
            at: &[],
            wrong: "
trait Source { type Item }
struct Count { n: i64 }
impl Source for Count { type «Itm» = i64 }
",
            right: "
trait Source { type Item }
struct Count { n: i64 }
impl Source for Count { type Item = i64 }
",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Item` is filled in here: `type Item = ..`",
            at: &[],
            wrong: "trait Source { type Item }\nstruct Count { n: i64 }\nimpl Source for Count { type «Item» }\n",
            right: "trait Source { type Item }\nstruct Count { n: i64 }\nimpl Source for Count { type Item = i64 }\n",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Item` is filled in by each block, and has no default",
            at: &[],
            wrong: "trait Source { type Item = «i64» }\n",
            right: "trait Source { type Item }\n",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`Item` belongs to a trait, and this block has none",
            at: &[],
            wrong: "struct Count { n: i64 }\nimpl Count { type «Item» = i64 }\n",
            right: "struct Count { n: i64 }\ntype Item = i64\nimpl Count { func n(&self) -> Item { self.n } }\n",
        },
    ]);
}

#[test]
fn signatures() {
    check_cases(&[
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`scale` of `Scale` takes `f64` here, and this takes `i32`",
            at: &["f64"],
            wrong: "
trait Scale { func scale(&mut self, factor: f64) }
struct Square { side: f64 }
impl Scale for Square { func scale(&mut self, factor: «i32») { } }
",
            right: "
trait Scale { func scale(&mut self, factor: f64) }
struct Square { side: f64 }
impl Scale for Square { func scale(&mut self, times: f64) { } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`size` of `Scale` returns `f64`, and this returns `f32`",
            at: &["f64"],
            wrong: "
trait Scale { func size(&self) -> f64 }
struct Square { side: f64 }
impl Scale for Square { func size(&self) -> «f32» { panic(\"\") } }
",
            right: "
trait Scale { func size(&self) -> f64 }
struct Square { side: f64 }
impl Scale for Square { func size(&self) -> f64 { 1.0 } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`size` of `Scale` returns `f64`, and this returns nothing",
            at: &["f64"],
            wrong: "
trait Scale { func size(&self) -> f64 }
struct Square { side: f64 }
impl Scale for Square { func «size»(&self) { } }
",
            right: "
trait Scale { func size(&self) }
struct Square { side: f64 }
impl Scale for Square { func size(&self) { } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`reset` of `Reset` takes `&mut self`, and this takes `&self`",
            at: &["&mut self"],
            wrong: "
trait Reset { func reset(&mut self) }
struct Square { side: f64 }
impl Reset for Square { func reset(«&self») { } }
",
            right: "
trait Reset { func reset(&mut self) }
struct Square { side: f64 }
impl Reset for Square { func reset(&mut self) { } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`reset` of `Reset` takes `&mut self`, and this takes no receiver",
            at: &["&mut self"],
            wrong: "
trait Reset { func reset(&mut self) }
struct Square { side: f64 }
impl Reset for Square { func «reset»() { } }
",
            right: "
trait Reset { func reset() }
struct Square { side: f64 }
impl Reset for Square { func reset() { } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`scale` of `Scale` has 1 parameter, and this has 2",
            at: &["scale"],
            wrong: "
trait Scale { func scale(&mut self, factor: f64) }
struct Square { side: f64 }
impl Scale for Square { func «scale»(&mut self, factor: f64, by: f64) { } }
",
            right: "
trait Scale { func scale(&mut self, factor: f64, by: f64) }
struct Square { side: f64 }
impl Scale for Square { func scale(&mut self, factor: f64, by: f64) { } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`scale` of `Scale` takes this with the label `by:`, and here it is given without a label",
            at: &["factor"],
            wrong: "
trait Scale { func scale(&mut self, by factor: f64) }
struct Square { side: f64 }
impl Scale for Square { func scale(&mut self, _ «factor»: f64) { } }
",
            right: "
trait Scale { func scale(&mut self, by factor: f64) }
struct Square { side: f64 }
impl Scale for Square { func scale(&mut self, by times: f64) { } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`pick` of `Pick` has 1 generic parameters, and this has 0",
            at: &["pick"],
            wrong: "
trait Pick { func pick<T>(&self, n: i32) -> i32 }
struct Square { side: f64 }
impl Pick for Square { func «pick»(&self, n: i32) -> i32 { n } }
",
            right: "
trait Pick { func pick<T>(&self, x: T) -> T }
struct Square { side: f64 }
impl Pick for Square { func pick<U>(&self, x: U) -> U { x } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`pick` of `Pick` does not ask `Clone` of `T`, and this does",
            at: &["pick"],
            wrong: "
trait Pick { func pick<T>(&self, x: T) -> T }
struct Square { side: f64 }
impl Pick for Square { func «pick»<T: Clone>(&self, x: T) -> T { x } }
",
            right: "
trait Pick { func pick<T: Clone>(&self, x: T) -> T }
struct Square { side: f64 }
impl Pick for Square { func pick<T: Clone>(&self, x: T) -> T { x } }
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`sub` of `Sub` returns `i64`, and this returns `Point`",
            at: &[],
            wrong: "
@derive(Copy)
struct Point { at: i64 }
impl Sub for Point {
    type Output = i64
    func sub(self, rhs: Point) -> «Point» { panic(\"\") }
}
",
            right: "
@derive(Copy)
struct Point { at: i64 }
impl Sub for Point {
    type Output = i64
    func sub(self, rhs: Point) -> i64 { self.at - rhs.at }
}
",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`hash` of `Hashable` returns `u64`, and this returns `i64`",
            at: &[],
            wrong: "struct Key { n: i64 }\nimpl Hashable for Key { func hash(&self) -> «i64» { panic(\"\") } }\n",
            right: "struct Key { n: i64 }\nimpl Hashable for Key { func hash(&self) -> u64 { self.n as u64 } }\n",
        },
        Case {
            code: codes::IMPL_SIGNATURE,
            says: "`bulk_release` of `PoolAware` takes `&mut self`, and this takes `&self`",
            at: &["&mut self"],
            wrong: "
struct Buffer { n: i64 }
impl PoolAware for Buffer {
    func register_with_pool(&self, arena: &PoolHandle) { }
    func bulk_release(«&self») { }
}
",
            right: "
struct Buffer { n: i64 }
impl PoolAware for Buffer {
    func register_with_pool(&self, arena: &PoolHandle) { }
    func bulk_release(&mut self) { }
}
",
        },
    ]);
}

#[test]
fn one_block_for_each_type() {
    check_cases(&[
        Case {
            code: codes::DUPLICATE,
            says: "`Dog` has `Named` already",
            at: &["Named"],
            wrong: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
impl Named for Dog { func name(&self) -> string { \"dog\" } }
impl «Named» for Dog { func name(&self) -> string { \"hound\" } }
",
            right: "
trait Named { func name(&self) -> string }
struct Dog { age: i32 }
struct Cat { age: i32 }
impl Named for Dog { func name(&self) -> string { \"dog\" } }
impl Named for Cat { func name(&self) -> string { \"cat\" } }
",
        },
        Case {
            code: codes::DUPLICATE,
            says: "some types are both `Pair<i32, B>` and `Pair<A, bool>`, and have `Named` already",
            at: &["Named"],
            wrong: "
trait Named { func name(&self) -> string }
struct Pair<A, B> { a: A, b: B }
impl<A> Named for Pair<A, bool> { func name(&self) -> string { \"a\" } }
impl<B> «Named» for Pair<i32, B> { func name(&self) -> string { \"b\" } }
",
            right: "
trait Named { func name(&self) -> string }
struct Pair<A, B> { a: A, b: B }
impl<A> Named for Pair<A, bool> { func name(&self) -> string { \"a\" } }
impl<B> Named for Pair<B, i32> { func name(&self) -> string { \"b\" } }
func f(a: &Pair<i64, bool>, b: &Pair<i64, i32>) -> string { a.name() + b.name() }
",
        },
        Case {
            code: codes::DUPLICATE,
            says: "`Name` derives `PartialEq` already",
            at: &["Name"],
            wrong: "
@derive(PartialEq)
struct Name { first: string }
impl «PartialEq» for Name { func eq(&self, rhs: &Name) -> bool { true } }
",
            right: "
struct Name { first: string }
impl PartialEq for Name { func eq(&self, rhs: &Name) -> bool { true } }
",
        },
        Case {
            code: codes::DUPLICATE,
            says: "`Meter` has a function `get` already",
            at: &["get"],
            wrong: "
struct Meter { value: f64 }
impl Meter { func get(&self) -> f64 { self.value } }
impl Meter { func «get»(&self) -> f64 { 1.0 } }
",
            right: "
struct Meter<T> { value: T }
impl Meter<f64> { func get(&self) -> f64 { self.value } }
impl Meter<i32> { func get(&self) -> i32 { self.value } }
func f(a: &Meter<f64>, b: &Meter<i32>) -> f64 { a.get() + b.get() as f64 }
",
        },
        Case {
            code: codes::DUPLICATE,
            says: "`Red` is a variant of `Light`",
            at: &["Red"],
            wrong: "enum Light { Green, Red }\nimpl Light { func «Red»() -> i32 { 1 } }\n",
            right: "enum Light { Green, Red }\nimpl Light { func red() -> i32 { 1 } }\n",
        },
    ]);
}

#[test]
fn rules_of_known_traits() {
    check_cases(&[
        Case {
            code: codes::IMPL_RULE,
            says: "`Comparable` needs `PartialEq`, which `Rank` does not have",
            at: &["Rank"],
            wrong: "
struct Rank { n: i32 }
impl «Comparable» for Rank { func lt(&self, rhs: &Rank) -> bool { self.n < rhs.n } }
",
            right: "
@derive(PartialEq)
struct Rank { n: i32 }
impl Comparable for Rank { func lt(&self, rhs: &Rank) -> bool { self.n < rhs.n } }
",
        },
        Case {
            code: codes::IMPL_RULE,
            says: "`Guard` has no `Drop`, since it derives `Copy`",
            at: &["Guard"],
            wrong: "
@derive(Copy)
struct Guard { n: i32 }
impl «Drop» for Guard { func drop(&mut self) { } }
",
            right: "
@derive(Clone)
struct Guard { n: i32 }
impl Drop for Guard { func drop(&mut self) { } }
",
        },
        Case {
            code: codes::IMPL_RULE,
            says: "`Drop` is for structs, and `Light` is none",
            at: &[],
            wrong: "enum Light { Red }\nimpl «Drop» for Light { func drop(&mut self) { } }\n",
            right: "struct Light { n: i32 }\nimpl Drop for Light { func drop(&mut self) { } }\n",
        },
        Case {
            code: codes::IMPL_MEMBERS,
            says: "`finish` is no method of `Drop`",
            at: &[],
            wrong: "
struct Guard { n: i32 }
impl Drop for Guard {
    func drop(&mut self) { }
    func «finish»(&mut self) { }
}
",
            right: "
struct Guard { n: i32 }
impl Drop for Guard { func drop(&mut self) { } }
impl Guard { func finish(&mut self) { } }
",
        },
        Case {
            code: codes::IMPL_RULE,
            says: "`Copy` has no methods, and is derived",
            at: &[],
            wrong: "struct Point { x: f64 }\nimpl «Copy» for Point { }\n",
            right: "@derive(Copy)\nstruct Point { x: f64 }\n",
        },
        Case {
            code: codes::IMPL_RULE,
            says: "neither `Add` nor `i32` is declared in this file",
            at: &[],
            wrong: "impl «Add» for i32 {\n    type Output = i32\n    func add(self, rhs: i32) -> i32 { rhs }\n}\n",
            right: "trait Twice { func twice(&self) -> i32 }\nimpl Twice for i32 { func twice(&self) -> i32 { 2 * *self } }\n",
        },
        Case {
            code: codes::IMPL_RULE,
            says: "`i32` is no type of the program, and a trait alone can add methods to it",
            at: &[],
            wrong: "impl «i32» { func twice(&self) -> i32 { 2 * *self } }\n",
            right: "newtype Score = i32\nimpl Score { func twice(&self) -> i32 { 2 * self.0 } }\n",
        },
        Case {
            code: codes::IMPL_RULE,
            says: "`Iter` is an iterator, and `i32` does not have `Iterator`",
            at: &[],
            wrong: "
struct Bag { n: i32 }
impl IntoIterator for Bag {
    type Item = i32
    type Iter = «i32»
    func into_iter(self) -> i32 { self.n }
}
",
            right: "
struct Bag { text: string }
struct Up { n: i32 }
impl Iterator for Up {
    type Item = i32
    func next(&mut self) -> Option<i32> { Some(self.n) }
}
impl IntoIterator for Bag {
    type Item = i32
    type Iter = Up
    func into_iter(self) -> Up { Up { n: 1 } }
}
",
        },
        Case {
            code: codes::BOUND,
            says: "`Cat` is a struct, not a trait",
            at: &[],
            wrong: "struct Dog { age: i32 }\nstruct Cat { age: i32 }\nimpl «Cat» for Dog { }\n",
            right: "struct Dog { age: i32 }\ntrait Cat { }\nimpl Cat for Dog { }\n",
        },
    ]);
}

#[test]
fn derives() {
    check_cases(&[
        Case {
            code: codes::DERIVE,
            says: "`Page` cannot derive `Copy`: `title` is moved, `string`",
            at: &["Copy"],
            wrong: "@derive(Copy)\nstruct Page { number: i32, title: «string» }\n",
            right: "@derive(Copy)\nstruct Page { number: i32, at: (f64, char) }\n",
        },
        Case {
            code: codes::DERIVE,
            says: "`Outer` cannot derive `Copy`: `inner` is moved, `Inner`",
            at: &["Copy"],
            wrong: "struct Inner { n: i32 }\n@derive(Copy)\nstruct Outer { inner: «Inner» }\n",
            right: "@derive(Copy)\nstruct Inner { n: i32 }\n@derive(Copy)\nstruct Outer { inner: Inner }\n",
        },
        Case {
            code: codes::DERIVE,
            says: "`Log` cannot derive `Clone`: `text` has no `.clone()`, `StringBuilder`",
            at: &["Clone"],
            wrong: "@derive(Clone)\nstruct Log { text: «StringBuilder» }\n",
            right: "@derive(Clone)\nstruct Log { text: string, lines: Vec<string>, pair: (i32, [string; 2]) }\n",
        },
        Case {
            code: codes::DERIVE,
            says: "`Mark` cannot derive `Debug`: `at` cannot be printed, `Point`",
            at: &["Debug"],
            wrong: "struct Point { x: f64 }\n@derive(Debug)\nstruct Mark { at: «Point» }\n",
            right: "@derive(Debug)\nstruct Point { x: f64 }\n@derive(Debug)\nstruct Mark { at: Point, tag: char }\n",
        },
        Case {
            code: codes::DERIVE,
            says: "`Mark` cannot derive `PartialEq`: `at` is not compared by `==`, `[i32; 2]`",
            at: &["PartialEq"],
            wrong: "@derive(PartialEq)\nstruct Mark { at: «[i32; 2]» }\n",
            right: "newtype Meters = f64\n@derive(PartialEq)\nstruct Mark { at: Meters, name: string }\nfunc f(a: &Mark, b: &Mark) -> bool { a == b }\n",
        },
    ]);
}
