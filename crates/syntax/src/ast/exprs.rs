//! Expressions.

use super::{
    Arg, AstNode, BinExpr, BinOp, Block, CallExpr, ClosureExpr, ClosureParam, Expr, FieldExpr,
    ForExpr, IfExpr, IndexExpr, MatchArm, MatchExpr, MethodCallExpr, Node, PrefixExpr, PrefixOp,
    RangeExpr, Stmt, StructBase, StructLit, StructLitField, Token, Type, WhileExpr, child_after,
    child_before, children, first_own_token, nth_child, token,
};
use crate::SyntaxKind;

impl Block {
    /// The value of the block: its last statement, when that is an expression.
    pub fn tail(&self) -> Option<Expr> {
        match self.stmts().last()? {
            Stmt::Expr(stmt) => stmt.expr(),
            _ => None,
        }
    }
}

impl IfExpr {
    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        // A condition may be a block itself, so the block of the branch is the last before `else`.
        self.before_else()
            .next()
            .filter(|_| self.before_else().nth(1).is_some())
            .or_else(|| self.before_else().next().filter(|expr| !matches!(expr, Expr::Block(_))))
    }

    /// The block of the true branch.
    pub fn then_branch(&self) -> Option<Block> {
        match self.before_else().last()? {
            Expr::Block(block) => Some(block),
            _ => None,
        }
    }

    /// What follows `else`: a block or another `if`.
    pub fn else_branch(&self) -> Option<Expr> {
        child_after(self.syntax(), SyntaxKind::ELSE_KW).or_else(|| self.branch_without_else())
    }

    /// Another `if` that a word of another language, such as `elif`, begins: it stands behind a block.
    fn branch_without_else(&self) -> Option<Expr> {
        let mut exprs = self.syntax().children().filter_map(Expr::cast);
        let last = exprs.by_ref().last().filter(|expr| matches!(expr, Expr::If(_)))?;
        let mut before = self.syntax().children().filter_map(Expr::cast);
        let follows_block = before.any(|expr| matches!(expr, Expr::Block(_)));
        (follows_block && self.else_token().is_none()).then_some(last)
    }

    fn before_else(&self) -> impl Iterator<Item = Expr> + use<> {
        let branch = self.branch_without_else();
        self.syntax()
            .children_with_tokens()
            .take_while(|element| element.kind() != SyntaxKind::ELSE_KW)
            .filter_map(|element| element.into_node())
            .filter_map(Expr::cast)
            .filter(move |expr| Some(expr) != branch.as_ref())
    }
}

impl MatchExpr {
    /// The arms, in order.
    pub fn arms(&self) -> impl Iterator<Item = MatchArm> + use<> {
        self.arm_list().into_iter().flat_map(|list| list.arms())
    }
}

impl MatchArm {
    /// The condition behind `if`.
    pub fn guard(&self) -> Option<Expr> {
        self.match_guard()?.condition()
    }
}

impl ClosureExpr {
    /// The parameters, in order.
    pub fn params(&self) -> impl Iterator<Item = ClosureParam> + use<> {
        self.param_list().into_iter().flat_map(|list| list.params())
    }

    /// The type behind `->`.
    pub fn ret_type(&self) -> Option<Type> {
        self.result()?.ty()
    }
}

impl PrefixExpr {
    /// The operator's token.
    pub fn op_token(&self) -> Option<Token> {
        first_own_token(self.syntax())
    }

    /// The operator.
    pub fn op(&self) -> Option<PrefixOp> {
        PrefixOp::from_kind(self.op_token()?.kind())
    }
}

impl BinExpr {
    /// The left operand.
    pub fn lhs(&self) -> Option<Expr> {
        child_before(self.syntax(), self.op_token()?.kind())
    }

    /// The operator's token.
    pub fn op_token(&self) -> Option<Token> {
        self.syntax().find_token(|kind| BinOp::from_kind(kind).is_some())
    }

    /// The operator.
    pub fn op(&self) -> Option<BinOp> {
        BinOp::from_kind(self.op_token()?.kind())
    }

    /// The right operand.
    pub fn rhs(&self) -> Option<Expr> {
        child_after(self.syntax(), self.op_token()?.kind())
    }
}

impl RangeExpr {
    /// The token `..` or `..=`.
    pub fn op_token(&self) -> Option<Token> {
        self.syntax().find_token(|kind| matches!(kind, SyntaxKind::DOT2 | SyntaxKind::DOT2_EQ))
    }

    /// Whether the end belongs to the range.
    pub fn is_inclusive(&self) -> bool {
        token(self.syntax(), SyntaxKind::DOT2_EQ).is_some()
    }

    /// The start.
    pub fn start(&self) -> Option<Expr> {
        child_before(self.syntax(), self.op_token()?.kind())
    }

    /// The end.
    pub fn end(&self) -> Option<Expr> {
        child_after(self.syntax(), self.op_token()?.kind())
    }
}

impl CallExpr {
    /// The arguments, in order.
    pub fn args(&self) -> impl Iterator<Item = Arg> + use<> {
        self.arg_list().into_iter().flat_map(|list| list.args())
    }
}

impl MethodCallExpr {
    /// The arguments, in order.
    pub fn args(&self) -> impl Iterator<Item = Arg> + use<> {
        self.arg_list().into_iter().flat_map(|list| list.args())
    }
}

impl FieldExpr {
    /// The index of a tuple's element.
    pub fn tuple_index(&self) -> Option<u32> {
        let token = self.name()?.token()?;
        (token.kind() == SyntaxKind::INT).then(|| token.text().parse().ok())?
    }
}

impl MethodCallExpr {
    /// The index of the tuple's element that is called.
    pub fn tuple_index(&self) -> Option<u32> {
        let token = self.name()?.token()?;
        (token.kind() == SyntaxKind::INT).then(|| token.text().parse().ok())?
    }
}

impl IndexExpr {
    /// The indexes, in order; ranges and the bare `..` are range expressions.
    pub fn indexes(&self) -> impl Iterator<Item = Expr> + use<> {
        self.index_list().into_iter().flat_map(|list| list.indexes())
    }
}

impl StructLit {
    /// The fields, in the order written.
    pub fn fields(&self) -> impl Iterator<Item = StructLitField> + use<> {
        self.field_list().into_iter().flat_map(|list| list.fields())
    }

    /// The struct that gives the other fields.
    pub fn base(&self) -> Option<StructBase> {
        self.field_list()?.base()
    }
}

/// The last block of a node, which is the body of a loop whose head may be a block too.
fn last_block(node: &Node) -> Option<Block> {
    children::<Block>(node).last()
}

/// The head of a loop: its first expression, unless that is the body.
fn head(node: &Node) -> Option<Expr> {
    let first: Expr = nth_child(node, 0)?;
    let lonely = nth_child::<Expr>(node, 1).is_none() && matches!(first, Expr::Block(_));
    (!lonely).then_some(first)
}

impl WhileExpr {
    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        head(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        last_block(self.syntax())
    }
}

impl ForExpr {
    /// What is walked.
    pub fn head(&self) -> Option<Expr> {
        head(self.syntax())
    }

    /// The body.
    pub fn body(&self) -> Option<Block> {
        last_block(self.syntax())
    }
}
