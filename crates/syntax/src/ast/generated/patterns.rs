//! Patterns: of bindings, of `for` heads and of match arms.
//!
//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.

use crate::ast::*;

nodes! {
    /// `_`.
    WildcardPat = WILDCARD_PAT;
    /// A name that binds.
    IdentPat = IDENT_PAT;
    /// A literal, perhaps negative.
    LiteralPat = LITERAL_PAT;
    /// `a..b` or `a..=b`.
    RangePat = RANGE_PAT;
    /// `(a, _, (b, c))`.
    TuplePat = TUPLE_PAT;
    /// `[a, b, ..rest]`.
    ArrayPat = ARRAY_PAT;
    /// `..` or `..rest`.
    RestPat = REST_PAT;
    /// `Some(n)`, `E::V(a, _)`.
    VariantPat = VARIANT_PAT;
    /// `P { x, y }`.
    StructPat = STRUCT_PAT;
    /// One field of a struct pattern.
    StructPatField = STRUCT_PAT_FIELD;
    /// `E::V`.
    PathPat = PATH_PAT;
    /// `a | b`.
    OrPat = OR_PAT;
}

choices! {
    /// A pattern.
    Pat {
        /// `_`.
        Wildcard(WildcardPat) = WILDCARD_PAT,
        /// A name.
        Ident(IdentPat) = IDENT_PAT,
        /// A literal.
        Literal(LiteralPat) = LITERAL_PAT,
        /// A range.
        Range(RangePat) = RANGE_PAT,
        /// A tuple.
        Tuple(TuplePat) = TUPLE_PAT,
        /// An array.
        Array(ArrayPat) = ARRAY_PAT,
        /// The rest of an array.
        Rest(RestPat) = REST_PAT,
        /// A variant with a payload.
        Variant(VariantPat) = VARIANT_PAT,
        /// A struct or a struct-like variant.
        Struct(StructPat) = STRUCT_PAT,
        /// A variant without a payload.
        Path(PathPat) = PATH_PAT,
        /// Alternatives.
        Or(OrPat) = OR_PAT,
    }
}

impl IdentPat {
    /// The name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }
}

impl LiteralPat {
    /// The minus in front of the number.
    pub fn minus_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MINUS)
    }

    /// The literal; `None` for a string.
    pub fn literal(&self) -> Option<Literal> {
        child(self.syntax())
    }

    /// The string, which a pattern may hold and the checker refuses.
    pub fn string(&self) -> Option<StringLit> {
        child(self.syntax())
    }
}

impl TuplePat {
    /// The elements, in order.
    pub fn elements(&self) -> AstChildren<Pat> {
        children(self.syntax())
    }
}

impl ArrayPat {
    /// The elements, in order, the rest included.
    pub fn elements(&self) -> AstChildren<Pat> {
        children(self.syntax())
    }
}

impl RestPat {
    /// The name that the rest is bound to.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }
}

impl VariantPat {
    /// The variant.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The payload's patterns, in order.
    pub fn elements(&self) -> AstChildren<Pat> {
        children(self.syntax())
    }
}

impl StructPat {
    /// The struct or variant.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The fields, in order.
    pub fn fields(&self) -> AstChildren<StructPatField> {
        children(self.syntax())
    }

    /// The `..` that leaves out the other fields.
    pub fn rest(&self) -> Option<RestPat> {
        child(self.syntax())
    }
}

impl StructPatField {
    /// The field.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The pattern of `field: pattern`; the shorthand has none and binds the field's name.
    pub fn pat(&self) -> Option<Pat> {
        child(self.syntax())
    }
}

impl PathPat {
    /// The variant.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }
}

impl OrPat {
    /// The alternatives, in order.
    pub fn alternatives(&self) -> AstChildren<Pat> {
        children(self.syntax())
    }
}
