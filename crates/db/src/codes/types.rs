//! Codes of types (03) and shapes (04).

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
/// Shapes that do not fit an operation.
pub const SHAPE: Code = Code("E0401");
/// A position or a range outside a tensor, or the wrong number of positions.
pub const INDEX: Code = Code("E0402");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        MISMATCH,
        "mismatched types",
        "There is no implicit conversion: a value has exactly the type that its place expects. Use `as` \
         between numbers.",
    ),
    error(
        OPERATOR,
        "operator without meaning here",
        "The operator is not defined for operands of these types. Both operands of an arithmetic operator \
         have one type; tensors have no comparison.",
    ),
    error(
        ARGUMENTS,
        "wrong arguments",
        "The call gives another number of arguments than the function takes, or a label that it does not have.",
    ),
    error(MEMBER, "no such member", "The type has no method, function or field of this name."),
    error(
        LITERAL,
        "literal does not fit",
        "A literal takes the type that is expected where it stands, and must be in that type's range.",
    ),
    error(
        ASSIGNMENT,
        "not assignable",
        "Only a `mut` binding, or a place behind a `&mut`, can be assigned.",
    ),
    error(
        MISSING_RETURN,
        "missing value at the end",
        "A function that declares a return type ends in a value or a `return` on every path.",
    ),
    error(
        AMBIGUOUS,
        "type not known",
        "Nothing says which type this has. Annotate the binding, or give the type where it is built, as in \
         `Tensor::<f32, [2]>::zeros()`.",
    ),
    error(
        CAST,
        "no such cast",
        "`as` converts between numbers, and from `bool` and `char` to integers. It does not convert tensors.",
    ),
    error(
        CONSTANT,
        "constant cannot be computed",
        "A constant is made of literals, operators, casts and other constants, and must fit its type.",
    ),
    error(
        FORMAT,
        "not printable this way",
        "A hole prints numbers, truth values, characters and text. A tensor is printed by its elements; the \
         part after the colon must suit the type.",
    ),
    error(
        LOOP_CONTROL,
        "no loop to leave",
        "`break` and `continue` stand inside a loop, and a label names one around them.",
    ),
    error(
        SHAPE,
        "shapes do not fit",
        "Shapes are aligned at the last axis; an extent of 1 stretches and missing leading axes repeat. `@` \
         takes two matrices whose inner extents agree.",
    ),
    error(
        INDEX,
        "position outside the tensor",
        "An element is read with one position for each axis, each below the extent of its axis.",
    ),
];
