//! Statements.

use super::{
    AssignOp, AstNode, Block, Const, Expr, Item, Name, Pat, Type, child, child_after, child_before,
    nodes, token, tokens,
};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};

nodes! {
    /// `val p: T = e` or `mut p: T = e`, perhaps with an `else` block.
    BindStmt = BIND_STMT;
    /// `else |name| { .. }` of a binding.
    ValElse = VAL_ELSE;
    /// `place = e`, `place += e`.
    AssignStmt = ASSIGN_STMT;
    /// An expression as a statement; the last one of a block is the block's value.
    ExprStmt = EXPR_STMT;
    /// `pool name { .. }`.
    PoolStmt = POOL_STMT;
    /// `name:` in front of a loop.
    Label = LABEL;
}

/// A statement of a block.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Stmt {
    /// A binding.
    Bind(BindStmt),
    /// A constant.
    Const(Const),
    /// An assignment.
    Assign(AssignStmt),
    /// An expression.
    Expr(ExprStmt),
    /// A `pool` block.
    Pool(PoolStmt),
    /// Another item, which blocks may not hold (the parser has reported it).
    Item(Item),
}

impl AstNode for Stmt {
    type Language = crate::NeuroLanguage;

    fn can_cast(kind: SyntaxKind) -> bool {
        matches!(
            kind,
            SyntaxKind::BIND_STMT
                | SyntaxKind::ASSIGN_STMT
                | SyntaxKind::EXPR_STMT
                | SyntaxKind::POOL_STMT
        ) || Item::can_cast(kind)
    }

    fn cast(syntax: SyntaxNode) -> Option<Self> {
        Some(match syntax.kind() {
            SyntaxKind::BIND_STMT => Stmt::Bind(BindStmt::cast(syntax)?),
            SyntaxKind::ASSIGN_STMT => Stmt::Assign(AssignStmt::cast(syntax)?),
            SyntaxKind::EXPR_STMT => Stmt::Expr(ExprStmt::cast(syntax)?),
            SyntaxKind::POOL_STMT => Stmt::Pool(PoolStmt::cast(syntax)?),
            SyntaxKind::CONST => Stmt::Const(Const::cast(syntax)?),
            _ => Stmt::Item(Item::cast(syntax)?),
        })
    }

    fn syntax(&self) -> &SyntaxNode {
        match self {
            Stmt::Bind(node) => node.syntax(),
            Stmt::Const(node) => node.syntax(),
            Stmt::Assign(node) => node.syntax(),
            Stmt::Expr(node) => node.syntax(),
            Stmt::Pool(node) => node.syntax(),
            Stmt::Item(node) => node.syntax(),
        }
    }
}

impl BindStmt {
    /// The word `val`.
    pub fn val_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::VAL_KW)
    }

    /// The word `mut`; present exactly when the names are mutable.
    pub fn mut_token(&self) -> Option<SyntaxToken> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// What is bound.
    pub fn pat(&self) -> Option<Pat> {
        child(self.syntax())
    }

    /// The name of a plain binding.
    pub fn name(&self) -> Option<Name> {
        match self.pat()? {
            Pat::Ident(pat) => pat.name(),
            _ => None,
        }
    }

    /// The annotated type.
    pub fn ty(&self) -> Option<Type> {
        child(self.syntax())
    }

    /// The initial value.
    pub fn value(&self) -> Option<Expr> {
        child(self.syntax())
    }

    /// The `else` block.
    pub fn val_else(&self) -> Option<ValElse> {
        child(self.syntax())
    }
}

impl ValElse {
    /// The name between the bars: an identifier or `_`.
    pub fn name(&self) -> Option<Pat> {
        child(self.syntax())
    }

    /// The block.
    pub fn body(&self) -> Option<Block> {
        child(self.syntax())
    }
}

impl AssignStmt {
    /// The operator's token.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).find(|token| AssignOp::from_kind(token.kind()).is_some())
    }

    /// The operator.
    pub fn op(&self) -> Option<AssignOp> {
        AssignOp::from_kind(self.op_token()?.kind())
    }

    /// What is assigned to; any expression, which the checker narrows to places.
    pub fn place(&self) -> Option<Expr> {
        child_before(self.syntax(), self.op_token()?.kind())
    }

    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child_after(self.syntax(), self.op_token()?.kind())
    }
}

impl ExprStmt {
    /// The expression.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl PoolStmt {
    /// The name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }

    /// The block.
    pub fn body(&self) -> Option<Block> {
        child(self.syntax())
    }
}

impl Label {
    /// The label's name.
    pub fn name(&self) -> Option<Name> {
        child(self.syntax())
    }
}
