//! Codes of traits, `impl` blocks, derives and `match` (03, from 30 on).
//!
//! The first program of a page has the mistake, the second one does not; a test compiles both.

use super::{Code, CodeInfo, error};

/// An `impl` block lacks something of its trait, or has more than it.
pub const IMPL_MEMBERS: Code = Code("E0330");
/// A method of an `impl` block differs from the declaration in its trait.
pub const IMPL_SIGNATURE: Code = Code("E0331");
/// A rule of a trait that the language knows, or of where `impl` blocks stand.
pub const IMPL_RULE: Code = Code("E0332");
/// A trait whose methods cannot be called behind `dyn`.
pub const NOT_DYN: Code = Code("E0333");
/// A method of several traits.
pub const AMBIGUOUS_METHOD: Code = Code("E0334");
/// A `match` that leaves something out.
pub const NOT_EXHAUSTIVE: Code = Code("E0335");
/// A struct that cannot have what it derives.
pub const DERIVE: Code = Code("E0336");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        IMPL_MEMBERS,
        "members that are not those of the trait",
        r#"An `impl` of a trait gives every method of the trait that has no body there, every associated type, and nothing else. Methods of the type alone stand in a block without a trait.

```neuro
trait Area {
    func area(&self) -> f64
}

struct Square { side: f64 }

impl Area for Square {
}
```

```neuro
trait Area {
    func area(&self) -> f64
}

struct Square { side: f64 }

impl Area for Square {
    func area(&self) -> f64 { self.side * self.side }
}
```"#,
    ),
    error(
        IMPL_SIGNATURE,
        "not the signature of the trait",
        r#"Who calls a method through its trait knows only what the trait says. So the method of an `impl` has the receiver, the parameters and the result that the trait declares, and asks nothing more of its generic parameters.

```neuro
trait Area {
    func area(&self) -> f64
}

struct Square { side: f64 }

impl Area for Square {
    func area(&self) -> f32 { 1.0 }
}
```

```neuro
trait Area {
    func area(&self) -> f64
}

struct Square { side: f64 }

impl Area for Square {
    func area(&self) -> f64 { self.side * self.side }
}
```"#,
    ),
    error(
        IMPL_RULE,
        "`impl` that the rules refuse",
        r#"Some traits mean something to the language: `Comparable` needs `PartialEq`, a type that is `Copy` has no `Drop`, and `Copy` and `Debug` are derived. An `impl` stands in the file of its trait or in that of its type, so that no two files can give one type the same trait.

```neuro
struct Rank { n: i32 }

impl Comparable for Rank {
    func lt(&self, rhs: &Rank) -> bool { self.n < rhs.n }
}
```

```neuro
@derive(PartialEq)
struct Rank { n: i32 }

impl Comparable for Rank {
    func lt(&self, rhs: &Rank) -> bool { self.n < rhs.n }
}
```"#,
    ),
    error(
        NOT_DYN,
        "trait that cannot be `dyn`",
        r#"Behind `dyn` the type of a value is not known before the program runs. So every method of the trait takes `&self` or `&mut self` and speaks neither of `Self` nor of generic parameters, and the trait leaves no type open.

```neuro
trait Shape {
    func twice(&self) -> Self
}

func run(shape: &dyn Shape) {
}
```

```neuro
trait Shape {
    func area(&self) -> f64
}

func run(shape: &dyn Shape) -> f64 {
    shape.area()
}
```"#,
    ),
    error(
        AMBIGUOUS_METHOD,
        "method of several traits",
        r#"Several traits of the type have a method of this name. The name of the trait in front says which one is meant; the receiver is the first argument then.

```neuro
trait Sing { func voice(&self) -> i32 }
trait Speak { func voice(&self) -> i32 }

func both<T: Sing + Speak>(x: &T) -> i32 {
    x.voice()
}
```

```neuro
trait Sing { func voice(&self) -> i32 }
trait Speak { func voice(&self) -> i32 }

func both<T: Sing + Speak>(x: &T) -> i32 {
    Sing::voice(x) + Speak::voice(x)
}
```"#,
    ),
    error(
        NOT_EXHAUSTIVE,
        "cases left out",
        r#"Every value has an arm: a `match` lists all variants, both truth values, all numbers, or has an arm with `_` or a name, which takes the rest. An arm with a condition behind `if` may fail, so it does not count.

```neuro
enum Light { Red, Amber, Green }

func wait(light: Light) -> i32 {
    match light {
        Light::Red => 60
    }
}
```

```neuro
enum Light { Red, Amber, Green }

func wait(light: Light) -> i32 {
    match light {
        Light::Red => 60
        Light::Amber | Light::Green => 0
    }
}
```"#,
    ),
    error(
        DERIVE,
        "cannot be derived",
        r#"What a struct derives is made of what its fields have: `Copy` of fields that are copied, `Clone` of fields with `.clone()`, `Debug` of fields that can be printed, `PartialEq` of fields that can be compared.

```neuro
@derive(Copy)
struct Page { title: string }
```

```neuro
@derive(Copy)
struct Page { number: i32 }
```"#,
    ),
];
