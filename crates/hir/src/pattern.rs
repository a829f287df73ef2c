//! Patterns of bindings, `for` heads and `match` arms.

use la_arena::Idx;
use neuro_db::Name;

use crate::{LocalId, Path, RangeEnd};

/// Names a pattern of one body.
pub type PatId = Idx<Pat>;

/// A pattern. A bare name is a binding unless it names a variant without a payload, which only `match` and
/// `val` with `else` look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pat {
    /// A syntax error stands here.
    Missing,
    /// `_`. The `_` of a plain `val _ = x` is a binding that no name reaches.
    Wildcard,
    /// A name that binds.
    Bind(LocalId),
    /// A literal.
    Literal(PatLiteral),
    /// `a..b`, `a..=b`.
    Range {
        /// The lower bound.
        start: Box<PatLiteral>,
        /// The upper bound.
        end: Box<PatLiteral>,
        /// Whether the upper bound is left out or kept.
        end_kind: RangeEnd,
    },
    /// `(a, _, (b, c))`.
    Tuple(Vec<PatId>),
    /// `[a, b, ..rest]`.
    Array {
        /// The elements in front of the rest.
        elements: Vec<PatId>,
        /// The rest, if `..` stands there.
        rest: Option<ArrayRest>,
    },
    /// `Some(n)`, `E::V(a, _)`.
    Variant {
        /// The variant.
        path: Path,
        /// The payload's patterns.
        elements: Vec<PatId>,
    },
    /// `P { x, y: z, .. }`: a struct, or a variant with fields.
    Struct {
        /// The struct or variant.
        path: Path,
        /// The fields.
        fields: Vec<FieldPat>,
        /// Whether `..` leaves out the others.
        rest: bool,
    },
    /// A variant without a payload.
    Path(Path),
    /// `a | b`. Alternatives bind the same names, and a name is one local in all of them.
    Or(Vec<PatId>),
}

/// The `..` of an array pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArrayRest {
    /// What the rest is bound to.
    pub local: Option<LocalId>,
}

/// A field of a struct pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldPat {
    /// The field.
    pub name: Name,
    /// Its pattern; of the shorthand `x`, a binding of that name.
    pub pat: PatId,
}

/// A literal in a pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PatLiteral {
    /// An integer with its sign, and its suffix.
    Int {
        /// Whether `-` stands before it.
        negative: bool,
        /// The magnitude.
        value: u64,
        /// The suffix.
        suffix: Option<Name>,
    },
    /// A float: whether `-` stands before it, the digits, the suffix.
    Float {
        /// Whether `-` stands before it.
        negative: bool,
        /// The digits without underscores.
        digits: Name,
        /// The suffix.
        suffix: Option<Name>,
    },
    /// A character.
    Char(char),
    /// `true` or `false`.
    Bool(bool),
    /// Text; none if it has holes, which no pattern may have.
    Text(Option<Name>),
    /// A syntax error stands here.
    Error,
}
