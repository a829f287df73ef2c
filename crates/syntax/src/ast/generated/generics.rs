//! Generic parameters, bounds and `where` clauses.
//!
//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.

use crate::ast::*;

nodes! {
    /// `<T: Bound, const N: u32, 'a>`.
    GenericParamList = GENERIC_PARAM_LIST;
    /// `T: A + B`.
    TypeParam = TYPE_PARAM;
    /// `const N: u32`.
    ConstParam = CONST_PARAM;
    /// `'a`.
    LifetimeParam = LIFETIME_PARAM;
    /// `A + B`, behind a parameter.
    BoundList = BOUND_LIST;
    /// One bound: `Trait` or `Trait<Item = T>`.
    Bound = BOUND;
    /// `Item = T`, in a bound.
    AssocBinding = ASSOC_BINDING;
    /// `where T: A, N > 0`.
    WhereClause = WHERE_CLAUSE;
    /// One predicate of a `where` clause.
    WherePred = WHERE_PRED;
}

choices! {
    /// One generic parameter.
    GenericParam {
        /// `T`.
        Type(TypeParam) = TYPE_PARAM,
        /// `const N: u32`.
        Const(ConstParam) = CONST_PARAM,
        /// `'a`.
        Lifetime(LifetimeParam) = LIFETIME_PARAM,
    }
}

impl GenericParamList {
    /// The parameters, in order.
    pub fn params(&self) -> AstChildren<GenericParam> {
        children(self.syntax())
    }
}

impl TypeParam {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The bounds behind the colon.
    pub fn bound_list(&self) -> Option<BoundList> {
        child(self.syntax())
    }
}

impl ConstParam {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl LifetimeParam {
    /// The lifetime.
    pub fn lifetime_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }
}

impl BoundList {
    /// The bounds, in order.
    pub fn bounds(&self) -> AstChildren<Bound> {
        children(self.syntax())
    }
}

impl Bound {
    /// The trait.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The associated types that are pinned.
    pub fn assoc_bindings(&self) -> AstChildren<AssocBinding> {
        children(self.syntax())
    }
}

impl AssocBinding {
    /// The associated type.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The type that it must be.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }
}

impl WhereClause {
    /// The predicates, in order.
    pub fn predicates(&self) -> AstChildren<WherePred> {
        children(self.syntax())
    }
}

impl WherePred {
    /// The name of `T: A + B`.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }

    /// The bounds of `T: A + B`.
    pub fn bound_list(&self) -> Option<BoundList> {
        child(self.syntax())
    }

    /// A condition over constant parameters.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}
