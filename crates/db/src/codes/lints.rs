//! Codes of lints: what is accepted, yet hardly meant.
//!
//! The first program of a page has the mistake, the second one does not; a test compiles both.

use super::{Code, CodeInfo, lint};

/// A `while` that could be a `loop`.
pub const WHILE_TRUE: Code = Code("W0101");
/// A constant float is cast to an integer type that cannot hold it.
pub const FLOAT_CAST: Code = Code("W0301");

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
];
