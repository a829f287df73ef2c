//! Generic parameters, bounds and `where` clauses.

use super::{AstNode, Expr, Name, NameRef, Path, Type, child, children, choices, nodes, token};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};
use rowan::ast::AstChildren;

nodes! {
    /// `<T: Bound, const N: u32, 'a>`.
    GenericParamList = GENERIC_PARAM_LIST;
    /// `T: A + B`.
    TypeParam = TYPE_PARAM;
    /// `const N: u32`.
    ConstParam = CONST_PARAM;
    /// `'a`.
    LifetimeParam = LIFETIME_PARAM;
    /// One bound: `Trait` or `Trait<Item = T>`.
    Bound = BOUND;
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

/// The bounds in a `BOUND_LIST` child.
fn bounds(node: &SyntaxNode) -> impl Iterator<Item = Bound> + use<> {
    node.children()
        .filter(|child| child.kind() == SyntaxKind::BOUND_LIST)
        .flat_map(|list| children::<Bound>(&list))
}

impl TypeParam {
    /// The declared name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The bounds behind the colon.
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + use<> {
        bounds(self.syntax())
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
    pub fn lifetime_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::LIFETIME)
    }
}

impl Bound {
    /// The trait.
    pub fn path(&self) -> Option<Path> {
        child(self.syntax())
    }

    /// The associated types that are pinned: name and type.
    pub fn bindings(&self) -> impl Iterator<Item = (Option<NameRef>, Option<Type>)> + use<> {
        self.syntax()
            .children()
            .filter(|node| node.kind() == SyntaxKind::ASSOC_BINDING)
            .map(|node| (child(&node), child(&node)))
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
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + use<> {
        bounds(self.syntax())
    }

    /// A condition over constant parameters.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}
