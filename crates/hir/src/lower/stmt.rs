//! Blocks and statements.

use neuro_db::Name;
use neuro_syntax::ast::{self, Node};
use neuro_syntax::{AstNode, SyntaxKind};

use super::Lowering;
use super::expr::binary_op;
use crate::{Expr, ExprId, Stmt, tree};

impl Lowering<'_> {
    /// A block with a scope of its own.
    pub(super) fn lower_block(&mut self, block: &ast::Block) -> ExprId {
        let mark = self.types.scopes.enter();
        let mut stmts = Vec::new();
        let mut tail = None;
        let mut rest = block.stmts().peekable();
        while let Some(stmt) = rest.next() {
            match stmt {
                ast::Stmt::Expr(stmt) => {
                    let Some(expr) = stmt.expr() else { continue };
                    let expr = self.lower_expr(&expr);
                    if rest.peek().is_none() {
                        tail = Some(expr);
                    } else {
                        stmts.push(Stmt::Expr(expr));
                    }
                }
                ast::Stmt::Bind(stmt) => stmts.push(self.lower_bind(&stmt)),
                ast::Stmt::Const(item) => stmts.push(self.lower_local_const(&item)),
                ast::Stmt::Assign(stmt) => stmts.push(Stmt::Expr(self.lower_assign(&stmt))),
                ast::Stmt::Pool(stmt) => stmts.push(Stmt::Expr(self.lower_pool(&stmt))),
                // The parser reports an item in a block.
                ast::Stmt::Item(_) => {}
            }
        }
        // What the parser could not read may have been the value.
        let unread = block.syntax().last_child().filter(|last| last.kind() == SyntaxKind::ERROR);
        if let (None, Some(unread)) = (tail, unread) {
            tail = Some(self.missing(&unread));
        }
        stmts.shrink_to_fit();
        self.types.scopes.leave(mark);
        let head = tree::token_or_first(block.l_brace_token(), block.syntax());
        self.alloc_at(Expr::Block { stmts, tail }, block.syntax(), head)
    }

    /// A block that the parser may not have found in `parent`.
    pub(super) fn lower_block_opt(&mut self, block: Option<ast::Block>, parent: &Node) -> ExprId {
        match block {
            Some(block) => self.lower_block(&block),
            None => self.missing(parent),
        }
    }

    fn lower_assign(&mut self, stmt: &ast::AssignStmt) -> ExprId {
        let place = self.lower_expr_opt(stmt.place(), stmt.syntax());
        let value = self.lower_expr_opt(stmt.value(), stmt.syntax());
        let op = stmt.op().and_then(|op| op.binary()).and_then(binary_op);
        let head = tree::token_or_first(stmt.op_token(), stmt.syntax());
        self.alloc_at(Expr::Assign { op, place, value }, stmt.syntax(), head)
    }

    fn lower_pool(&mut self, stmt: &ast::PoolStmt) -> ExprId {
        let name = stmt.name().map(|name| Name::from(name.text()));
        let body = self.lower_block_opt(stmt.body(), stmt.syntax());
        let head = tree::token_or_first(None, stmt.syntax());
        self.alloc_at(Expr::Pool { name, body }, stmt.syntax(), head)
    }
}
