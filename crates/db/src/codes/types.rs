//! Codes of types (03) and shapes (04).
//!
//! The first program of a page has the mistake, the second one does not; a test compiles both.

use super::{Code, CodeInfo, error};

/// A value has another type than its place expects.
pub const MISMATCH: Code = Code("E0301");
/// An operator does not exist for its operands.
pub const OPERATOR: Code = Code("E0302");
/// A call has the wrong number of arguments, or a wrong label.
pub const ARGUMENTS: Code = Code("E0303");
/// A type has no such method, function or field.
pub const MEMBER: Code = Code("E0304");
/// A literal does not fit its type.
pub const LITERAL: Code = Code("E0305");
/// Something is assigned that cannot be.
pub const ASSIGNMENT: Code = Code("E0306");
/// A function may end without a value.
pub const MISSING_RETURN: Code = Code("E0307");
/// A type is needed and nothing says which.
pub const AMBIGUOUS: Code = Code("E0308");
/// A cast that does not exist.
pub const CAST: Code = Code("E0309");
/// A constant's value cannot be computed.
pub const CONSTANT: Code = Code("E0310");
/// A value cannot be printed this way.
pub const FORMAT: Code = Code("E0311");
/// `break` or `continue` outside a loop, or with an unknown label.
pub const LOOP_CONTROL: Code = Code("E0312");
/// A generic item is given the wrong arguments.
pub const GENERIC_ARGUMENTS: Code = Code("E0313");
/// A type lacks what a generic item asks of it, or a condition does not hold.
pub const BOUND: Code = Code("E0314");
/// A pattern does not fit the value that it is matched with.
pub const PATTERN_TYPE: Code = Code("E0315");
/// The fields of a literal or pattern are not those of the type.
pub const FIELDS: Code = Code("E0316");
/// A closure would take something with it that is not copied.
pub const CAPTURE: Code = Code("E0317");
/// A type contains or stands for itself.
pub const CYCLE: Code = Code("E0318");
/// An alias of a type with too many parts.
pub const OVERSIZED: Code = Code("E0319");
/// Shapes that do not fit an operation.
pub const SHAPE: Code = Code("E0401");
/// A position or a range outside a tensor, or the wrong number of positions.
pub const INDEX: Code = Code("E0402");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        MISMATCH,
        "mismatched types",
        r#"There is no implicit conversion: a value has exactly the type that its place expects. Use `as` between numbers, `&` to lend a tensor, `.clone()` to give away a copy of what is only borrowed.

```neuro
func half(n: i32) -> f32 {
    n
}
```

```neuro
func half(n: i32) -> f32 {
    n as f32 * 0.5
}
```"#,
    ),
    error(
        OPERATOR,
        "operator without meaning here",
        r#"The operator is not defined for operands of these types. Both operands of an arithmetic operator have one type; tensors have no comparison. Operators read through references.

```neuro
func area(width: f32, count: i32) -> f32 {
    width * count
}
```

```neuro
func area(width: f32, count: i32) -> f32 {
    width * (count as f32)
}
```"#,
    ),
    error(
        ARGUMENTS,
        "wrong arguments",
        r#"The call gives another number of arguments than the function takes, or a label that it does not have. A parameter `by amount: f32` is given with its label, `_ amount: f32` without one, and `amount: f32` either way. Arguments without a label come first.

```neuro
func shift(x: f32, by amount: f32) -> f32 {
    x + amount
}

func start() -> f32 {
    shift(1.0, 2.0)
}
```

```neuro
func shift(x: f32, by amount: f32) -> f32 {
    x + amount
}

func start() -> f32 {
    shift(1.0, by: 2.0)
}
```"#,
    ),
    error(
        MEMBER,
        "no such member",
        r#"The type has no method or function of this name. Methods that consume a tensor (`.t()`, `.detach()`) do not exist on a borrowed one: clone it first.

```neuro
func turned(m: &Tensor<f32, [2, 3]>) -> Tensor<f32, [3, 2]> {
    m.t()
}
```

```neuro
func turned(m: &Tensor<f32, [2, 3]>) -> Tensor<f32, [3, 2]> {
    m.clone().t()
}
```"#,
    ),
    error(
        LITERAL,
        "literal does not fit",
        r#"A literal without a suffix takes the type that is expected where it stands, or that of the other operand; else it is `i32` or `f64`. It must be in the range of that type.

```neuro
func limit() -> u8 {
    300
}
```

```neuro
func limit() -> u16 {
    300
}
```"#,
    ),
    error(
        ASSIGNMENT,
        "not assignable",
        r#"Only a `mut` binding, or a place behind a `&mut`, can be assigned.

```neuro
func count() -> i32 {
    val n = 0
    n += 1
    n
}
```

```neuro
func count() -> i32 {
    mut n = 0
    n += 1
    n
}
```"#,
    ),
    error(
        MISSING_RETURN,
        "missing value at the end",
        r#"A function that declares a return type ends in a value or a `return` on every path. An `if` without `else` and a loop give no value.

```neuro
func sign(x: f32) -> i32 {
    if x < 0.0 { return -1 }
}
```

```neuro
func sign(x: f32) -> i32 {
    if x < 0.0 { return -1 }
    1
}
```"#,
    ),
    error(
        AMBIGUOUS,
        "type not known",
        r#"Nothing says which type this has. Annotate the binding, or give the type where it is built.

```neuro
func start() -> f32 {
    val w = Tensor::zeros()
    w.sum()
}
```

```neuro
func start() -> f32 {
    val w = Tensor::<f32, [2]>::zeros()
    w.sum()
}
```"#,
    ),
    error(
        CAST,
        "no such cast",
        r#"`as` converts between numbers, and from `bool` to integers. It does not convert tensors, does not read through references, and gives no `bool`.

```neuro
func any(n: i32) -> bool {
    n as bool
}
```

```neuro
func any(n: i32) -> bool {
    n != 0
}
```"#,
    ),
    error(
        CONSTANT,
        "constant cannot be computed",
        r#"A constant is made of literals, operators, casts and other constants, and must fit its type. It may not depend on itself.

```neuro
const WIDTH: u8 = 200 + 100
```

```neuro
const WIDTH: u16 = 200 + 100
```"#,
    ),
    error(
        FORMAT,
        "not printable this way",
        r#"A hole prints numbers, truth values and characters. A tensor is printed by its elements. The part after the colon must suit the type: `d x X b o` print integers; `e` and a precision are for floats; `+` is for signed numbers.

```neuro
func show(w: &Tensor<f32, [2]>) {
    println("{w}")
}
```

```neuro
func show(w: &Tensor<f32, [2]>) {
    println("{w[0]:.3} {w[1]:.3}")
}
```"#,
    ),
    error(
        LOOP_CONTROL,
        "no loop to leave",
        r#"`break` and `continue` stand inside a loop, and a label names one around them.

```neuro
func stop() {
    while true { continue outer }
}
```

```neuro
func stop() {
    outer: for i in 0..3 {
        while true { continue outer }
    }
}
```"#,
    ),
    error(
        GENERIC_ARGUMENTS,
        "wrong generic arguments",
        r#"A generic type is written with an argument for each of its parameters: a type for a type parameter, a number or the name of a constant for a constant parameter. A function finds its arguments out by itself, or is given all of them: `f::<i32, 4>(x)`.

```neuro
struct Pair<A, B> { first: A, second: B }
func swap(p: Pair<i32>) { }
```

```neuro
struct Pair<A, B> { first: A, second: B }
func swap(p: Pair<i32, bool>) { }
```"#,
    ),
    error(
        BOUND,
        "condition of a generic item",
        r#"A generic item says in its header what its arguments must be: `T: Trait` names a trait that the type has to have, `where N > 0` a condition over constants. Arguments that are not like this are refused where they are given.

```neuro
func first<const N: u32>(row: [f32; N]) -> f32 where N > 0 {
    row[0]
}
func use_it(none: [f32; 0]) -> f32 {
    first(none)
}
```

```neuro
func first<const N: u32>(row: [f32; N]) -> f32 where N > 0 {
    row[0]
}
func use_it(some: [f32; 3]) -> f32 {
    first(some)
}
```"#,
    ),
    error(
        PATTERN_TYPE,
        "pattern that does not fit",
        r#"A pattern has the form of what it is matched with: a variant with a name for each value that it holds. A plain `val` always binds, so its pattern must always match; `val .. else` is for the others.

```neuro
func value(x: Option<i32>) -> i32 {
    match x {
        Some(a, b) => a
        None => 0
    }
}
```

```neuro
func value(x: Option<i32>) -> i32 {
    match x {
        Some(a) => a
        None => 0
    }
}
```"#,
    ),
    error(
        FIELDS,
        "wrong fields",
        r#"A struct literal gives every field once; `..base` takes the others from another value of the same type. A pattern names a field once.

```neuro
struct Point { x: f64, y: f64 }
func origin() -> Point {
    Point { x: 0.0 }
}
```

```neuro
struct Point { x: f64, y: f64 }
func origin() -> Point {
    Point { x: 0.0, y: 0.0 }
}
```"#,
    ),
    error(
        CAPTURE,
        "closure that would copy what is not copied",
        r#"A closure copies the names from outside that it uses, when it is made. What moves instead of being copied, as text, tensors and collections do, cannot be taken along like this; a reference to it can.

```neuro
func f(name: string) -> bool {
    val same = |other: &string| *other == name
    same(&name)
}
```

```neuro
func f(name: string) -> bool {
    val known = &name
    val same = |other: &string| *other == *known
    same(&name)
}
```"#,
    ),
    error(
        CYCLE,
        "type that contains itself",
        r#"A value holds its fields in itself, so a type that contains itself would need endless room, and an alias that stands for itself stands for nothing. A reference to another value has a size, and so has a position in an array.

```neuro
struct Tree { value: i32, left: Tree }
```

```neuro
struct Tree { value: i32, children: Vec<i32> }
```"#,
    ),
    error(
        OVERSIZED,
        "type with too many parts",
        r#"An alias is another word for a type, and each use of it is that type with all its parts. Aliases that are made of aliases grow quickly, and one stands for at most 4096 parts. A struct is one part, whatever its fields are.

```neuro
type A = (i32, i32, i32, i32, i32, i32, i32, i32)
type B = (A, A, A, A, A, A, A, A)
type C = (B, B, B, B, B, B, B, B)
type D = (C, C, C, C, C, C, C, C)
```

```neuro
type A = (i32, i32, i32, i32, i32, i32, i32, i32)
type B = (A, A, A, A, A, A, A, A)
struct C { first: B, second: B, third: B, fourth: B }
type D = (C, C, C, C, C, C, C, C)
```"#,
    ),
    error(
        SHAPE,
        "shapes do not fit",
        r#"Shapes are aligned at the last axis; an extent of 1 stretches and missing leading axes repeat. `@` takes two matrices whose inner extents agree. A tensor literal has exactly the extents of its type.

```neuro
func layer(x: &Tensor<f32, [4, 2]>, w: Tensor<f32, [3, 2]>) -> Tensor<f32, [4, 3]> {
    x @ w
}
```

```neuro
func layer(x: &Tensor<f32, [4, 2]>, w: Tensor<f32, [3, 2]>) -> Tensor<f32, [4, 3]> {
    x @ w.t()
}
```"#,
    ),
    error(
        INDEX,
        "position outside the tensor",
        r#"An element is read with one position for each axis, each below the extent of its axis. A position that is known while compiling is checked then, every other one when the program runs.

```neuro
func corner(m: &Tensor<f32, [2, 3]>) -> f32 {
    m[2, 0]
}
```

```neuro
func corner(m: &Tensor<f32, [2, 3]>) -> f32 {
    m[1, 0]
}
```"#,
    ),
];
