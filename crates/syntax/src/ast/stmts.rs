//! Statements.

use super::{
    AssignOp, AssignStmt, AstNode, BindStmt, Const, Expr, ExprStmt, Item, Name, Node, Pat,
    PoolStmt, Token, child_after, child_before,
};
use crate::SyntaxKind;

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
    fn can_cast(kind: SyntaxKind) -> bool {
        matches!(
            kind,
            SyntaxKind::BIND_STMT
                | SyntaxKind::ASSIGN_STMT
                | SyntaxKind::EXPR_STMT
                | SyntaxKind::POOL_STMT
        ) || Item::can_cast(kind)
    }

    fn cast(syntax: Node) -> Option<Self> {
        Some(match syntax.kind() {
            SyntaxKind::BIND_STMT => Stmt::Bind(BindStmt::cast(syntax)?),
            SyntaxKind::ASSIGN_STMT => Stmt::Assign(AssignStmt::cast(syntax)?),
            SyntaxKind::EXPR_STMT => Stmt::Expr(ExprStmt::cast(syntax)?),
            SyntaxKind::POOL_STMT => Stmt::Pool(PoolStmt::cast(syntax)?),
            SyntaxKind::CONST => Stmt::Const(Const::cast(syntax)?),
            _ => Stmt::Item(Item::cast(syntax)?),
        })
    }

    fn syntax(&self) -> &Node {
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
    /// The name of a plain binding.
    pub fn name(&self) -> Option<Name> {
        match self.pat()? {
            Pat::Ident(pat) => pat.name(),
            _ => None,
        }
    }

    /// Whether the names may be assigned again: by `mut`, or by the word of another language, which has been reported.
    pub fn is_mutable(&self) -> bool {
        let foreign = |node: Node| {
            node.kind() == SyntaxKind::ERROR && matches!(node.text().as_str(), "var" | "let")
        };
        self.mut_token().is_some() || self.syntax().children().any(foreign)
    }
}

impl AssignStmt {
    /// The operator's token.
    pub fn op_token(&self) -> Option<Token> {
        self.syntax().find_token(|kind| AssignOp::from_kind(kind).is_some())
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
