//! Codes of name resolution.

use super::{Code, CodeInfo, error};

/// A name is not declared.
pub const UNDECLARED: Code = Code("E0201");
/// A name is declared twice.
pub const DUPLICATE: Code = Code("E0202");
/// An attribute does not exist or does not belong here.
pub const ATTRIBUTE: Code = Code("E0203");
/// The program has no usable `main`.
pub const MAIN: Code = Code("E0204");
/// The alternatives of a pattern bind different names.
pub const PATTERN: Code = Code("E0205");
/// An item is private to its module.
pub const PRIVATE: Code = Code("E0206");
/// An import, or the handing on of one, has no meaning.
pub const IMPORT: Code = Code("E0207");

pub(super) static TABLE: &[CodeInfo] = &[
    error(
        UNDECLARED,
        "undeclared name",
        "No binding, parameter, constant, function or type of this name is in scope here.",
    ),
    error(DUPLICATE, "name declared twice", "Two items, or two parameters, have the same name."),
    error(
        ATTRIBUTE,
        "unknown or misplaced attribute",
        "An attribute that is misspelled would silently change what a derivative is, so it is an error.",
    ),
    error(
        MAIN,
        "unusable main function",
        "A program that runs has `func main() -> i32`, without parameters; its value is the exit status.",
    ),
    error(
        PATTERN,
        "alternatives that bind different names",
        "Whichever of the alternatives `a | b` matches, the names of the pattern must have values, so each of \
         them binds the same names. A bare name is a variant only where the variant is imported; elsewhere write \
         `Enum::Variant`.",
    ),
    error(
        PRIVATE,
        "name private to its module",
        "An item is seen outside of its module when `export` stands before it, a field of a struct when `export` \
         stands before the field. An import is handed on by `export import` only. A block `module name { .. }` is a \
         module of its own, and sees what stands around it.",
    ),
    error(
        IMPORT,
        "import without a meaning",
        "Items, modules and the variants of an enum are imported. What belongs to a type is named by a path, \
         `Type::name`, and only items are handed on by `export import`.",
    ),
];
