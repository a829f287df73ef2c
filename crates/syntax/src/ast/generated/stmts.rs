//! Statements.
//!
//! Made from `syntax/neuro.ungram` by `tests::grammar`: edit that instead.

use crate::ast::*;

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
    /// The label of a `break` or `continue`.
    LabelRef = LABEL_REF;
}

impl BindStmt {
    /// The word `val`.
    pub fn val_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::VAL_KW)
    }

    /// The word `mut`; present exactly when the names are mutable.
    pub fn mut_token(&self) -> Option<Token> {
        token(self.syntax(), SyntaxKind::MUT_KW)
    }

    /// What is bound.
    pub fn pat(&self) -> Option<Pat> {
        child(self.syntax())
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

impl LabelRef {
    /// The name.
    pub fn name(&self) -> Option<NameRef> {
        child(self.syntax())
    }
}
