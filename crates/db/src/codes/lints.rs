//! Codes of lints: what is accepted, yet hardly meant.
//!
//! The first program of a page has the mistake, the second one does not; a test compiles both.

use super::{Code, CodeInfo, lint};

/// A `while` that could be a `loop`.
pub const WHILE_TRUE: Code = Code("W0101");
/// A binding that nothing reads.
pub const UNUSED_VARIABLE: Code = Code("W0201");
/// An import that nothing names.
pub const UNUSED_IMPORT: Code = Code("W0202");
/// An item that nothing needs.
pub const UNUSED_ITEM: Code = Code("W0203");
/// A value that nothing uses.
pub const UNUSED_RESULT: Code = Code("W0204");
/// A constant float is cast to an integer type that cannot hold it.
pub const FLOAT_CAST: Code = Code("W0301");
/// An arm of a `match` that no value reaches.
pub const UNREACHABLE_ARM: Code = Code("W0302");
/// A name in a pattern that takes every value and is called like a variant or a constant.
pub const HIDING_PATTERN: Code = Code("W0303");
/// A statement behind one that never ends.
pub const UNREACHABLE_CODE: Code = Code("W0304");

pub(super) static TABLE: &[CodeInfo] = &[
    lint(
        WHILE_TRUE,
        "prefer_loop_over_while_true",
        "`while true` instead of `loop`",
        r#"A loop that only `break` or `return` ends is a `loop`: it says so at its head, and it can give a value. `while (true)`, in parentheses, is left alone.

```neuro
func power_above(bound: i64) -> i64 {
    mut power: i64 = 1
    while true {
        if power > bound { break }
        power *= 2
    }
    power
}
```

```neuro
func power_above(bound: i64) -> i64 {
    mut power: i64 = 1
    loop {
        if power > bound { break }
        power *= 2
    }
    power
}
```"#,
    ),
    lint(
        UNUSED_VARIABLE,
        "unused_variables",
        "binding that nothing reads",
        r#"A binding or a constant of a block that is never read is often a slip: another name was meant. A name that begins with `_` says that it is meant so. Parameters belong to the signature of their function and loop variables count, so neither need be read.

```neuro
func area(width: f64, height: f64) -> f64 {
    val doubled = width * 2.0
    width * height
}
```

```neuro
func area(width: f64, height: f64) -> f64 {
    val _doubled = width * 2.0
    width * height
}
```"#,
    ),
    lint(
        UNUSED_IMPORT,
        "unused_imports",
        "import that nothing names",
        r#"An import that nothing in its file names can go. What `export import` hands on is used by others.

```neuro
module units {
    export const KILO: f64 = 1000.0
}

import units::KILO

func main() -> i32 { 0 }
```

```neuro
module units {
    export const KILO: f64 = 1000.0
}

import units::KILO

func main() -> i32 { KILO as i32 }
```"#,
    ),
    lint(
        UNUSED_ITEM,
        "unused_items",
        "item that nothing needs",
        r#"A private function, constant or type is of use when `main`, an exported item or a function with a derivative needs it, directly or through others. Nothing is said of a file that has no `main` and exports nothing. A name that begins with `_` says that it is meant so.

```neuro
func main() -> i32 { 0 }

func helper() -> i32 { 1 }
```

```neuro
func main() -> i32 { helper() }

func helper() -> i32 { 1 }
```"#,
    ),
    lint(
        UNUSED_RESULT,
        "unused_results",
        "value that nothing uses",
        r#"A value that stands alone as a statement is computed for nothing: often `a == 2` where `a = 2` is meant, or a call whose result should have been kept. Nothing is said of a call that may do something else beside giving a value; but what a `Result` says of a failure is lost. `val _ = ..` says that it is meant so.

```neuro
func next(n: i32) -> i32 {
    mut m = n
    m + 1
    m
}
```

```neuro
func next(n: i32) -> i32 {
    mut m = n
    m += 1
    m
}
```"#,
    ),
    lint(
        FLOAT_CAST,
        "float_cast_out_of_range",
        "cast of a float that does not fit",
        r#"A cast from a float to an integer drops the fraction, and what is too large or too small becomes the last value of the type; not-a-number becomes 0. Where the float is known while compiling, that is hardly meant.

```neuro
func limit() -> i32 {
    5e9 as i32
}
```

```neuro
func limit() -> i64 {
    5e9 as i64
}
```"#,
    ),
    lint(
        UNREACHABLE_ARM,
        "unreachable_arm",
        "arm that nothing reaches",
        r#"The arms in front take every value that this one matches, so it never runs. Arms are tried in the order of the text.

```neuro
func word(n: i32) -> string {
    match n {
        _ => "many"
        1 => "one"
    }
}
```

```neuro
func word(n: i32) -> string {
    match n {
        1 => "one"
        _ => "many"
    }
}
```"#,
    ),
    lint(
        HIDING_PATTERN,
        "hiding_patterns",
        "name in a pattern that hides a variant or a constant",
        r#"A bare name in a pattern is a new name, which takes every value, unless a variant is visible by that name alone. So a name that is called like a variant of the enum that is matched, or like a constant, hides it. Write the path of the variant, or import it; compare with a constant in a condition.

```neuro
enum Light { Red, Green }

func may_go(light: Light) -> bool {
    match light {
        Red => false
        _ => true
    }
}
```

```neuro
enum Light { Red, Green }

func may_go(light: Light) -> bool {
    match light {
        Light::Red => false
        _ => true
    }
}
```"#,
    ),
    lint(
        UNREACHABLE_CODE,
        "unreachable_code",
        "statement that is never reached",
        r#"What stands in front of it always leaves: by `return`, `break`, `continue` or a call that ends the program.

```neuro
func half(n: i32) -> i32 {
    return n / 2
    println("{n}")
}
```

```neuro
func half(n: i32) -> i32 {
    println("{n}")
    return n / 2
}
```"#,
    ),
];
