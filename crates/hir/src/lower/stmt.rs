//! Blocks and statements.

use neuro_db::Name;
use neuro_syntax::{AstNode, SyntaxNode, ast};
use text_size::TextRange;

use super::Lowering;
use super::expr::binary_op;
use crate::{Binding, Expr, ExprId, Stmt, UnsupportedExpr, tree};

impl Lowering<'_> {
    /// A block with a scope of its own.
    pub(super) fn lower_block(&mut self, block: &ast::Block) -> ExprId {
        self.lower_block_with(block, Vec::new())
    }

    /// A block that begins with statements of our own, whose names it sees.
    pub(super) fn lower_block_with(&mut self, block: &ast::Block, before: Vec<Stmt>) -> ExprId {
        let mark = self.scopes.enter();
        let mut stmts = before;
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
                ast::Stmt::Bind(stmt) => self.lower_bind(&stmt, &mut stmts),
                ast::Stmt::Const(item) => self.lower_local_const(&item, &mut stmts),
                ast::Stmt::Assign(stmt) => stmts.push(Stmt::Expr(self.lower_assign(&stmt))),
                ast::Stmt::Pool(stmt) => stmts.push(Stmt::Expr(self.lower_pool(&stmt))),
                // The parser reports an item in a block.
                ast::Stmt::Item(_) => {}
            }
        }
        self.scopes.leave(mark);
        let head = tree::token_or_first(block.l_brace_token(), block.syntax());
        self.alloc_at(Expr::Block { stmts, tail }, block.syntax(), head)
    }

    /// A block that the parser may not have found in `parent`.
    pub(super) fn lower_block_opt(
        &mut self,
        block: Option<ast::Block>,
        parent: &SyntaxNode,
    ) -> ExprId {
        match block {
            Some(block) => self.lower_block(&block),
            None => self.missing(parent),
        }
    }

    fn lower_bind(&mut self, stmt: &ast::BindStmt, stmts: &mut Vec<Stmt>) {
        let found = self.out.findings.len();
        let init = self.lower_expr_opt(stmt.value(), stmt.syntax());
        let absorbed = self.out.findings.len() > found;
        let mutable = stmt.mut_token().is_some();
        let pat = stmt.pat();
        if let Some(val_else) = stmt.val_else() {
            stmts.push(Stmt::Expr(init));
            let refused = self.refused_binding("`val` with `else`", val_else.syntax(), absorbed);
            stmts.push(Stmt::Expr(refused));
            self.bind_refused(pat.as_ref(), mutable, refused, stmts);
            return;
        }
        let (name, range) = match &pat {
            Some(ast::Pat::Ident(ident)) => {
                (tree::name_text(ident.name()), tree::trimmed_range(ident.syntax()))
            }
            Some(ast::Pat::Wildcard(wildcard)) => {
                (Name::new_static("_"), tree::trimmed_range(wildcard.syntax()))
            }
            Some(pattern) => {
                stmts.push(Stmt::Expr(init));
                let refused = self.refused_binding("destructuring", pattern.syntax(), absorbed);
                stmts.push(Stmt::Expr(refused));
                self.bind_refused(pat.as_ref(), mutable, refused, stmts);
                return;
            }
            None => (Name::default(), tree::token_or_first(None, stmt.syntax())),
        };
        let ty = stmt.ty();
        let ty_range = ty.as_ref().map(|ty| tree::trimmed_range(ty.syntax()));
        let ty = ty.map(|ty| self.types.lower(&ty));
        let local = self.declare(name, mutable, Binding::Let, range, ty_range);
        stmts.push(Stmt::Let { local, ty, init });
    }

    /// A form of binding that is refused; nothing more is said if its value is refused already.
    fn refused_binding(&mut self, what: &'static str, node: &SyntaxNode, absorbed: bool) -> ExprId {
        let head = tree::token_or_first(None, node);
        match absorbed {
            true => self.silent(what, node, head),
            false => self.unsupported(what, node, head),
        }
    }

    /// Binds the names of a pattern to what is already refused.
    pub(super) fn bind_refused(
        &mut self,
        pat: Option<&ast::Pat>,
        mutable: bool,
        refused: ExprId,
        stmts: &mut Vec<Stmt>,
    ) {
        let what = match self.out.body.exprs[refused] {
            Expr::Unsupported(UnsupportedExpr { what }) => what,
            _ => "this",
        };
        let mut names = Vec::new();
        pattern_names(pat, &mut names);
        for (name, range) in names {
            let init = self.alloc(Expr::Unsupported(UnsupportedExpr { what }), range, range);
            let local = self.declare(name, mutable, Binding::Let, range, None);
            stmts.push(Stmt::Let { local, ty: None, init });
        }
    }

    fn lower_local_const(&mut self, item: &ast::Const, stmts: &mut Vec<Stmt>) {
        let node = item.syntax();
        let refused =
            self.unsupported("`const` in a function", node, tree::token_or_first(None, node));
        let range = item
            .name()
            .map_or(tree::trimmed_range(node), |name| tree::trimmed_range(name.syntax()));
        let ty_range = item.ty().map(|ty| tree::trimmed_range(ty.syntax()));
        let ty = item.ty().map(|ty| self.types.lower(&ty));
        let local =
            self.declare(tree::name_text(item.name()), false, Binding::Let, range, ty_range);
        stmts.push(Stmt::Let { local, ty, init: refused });
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

/// The names that a pattern binds, with where they stand.
fn pattern_names(pat: Option<&ast::Pat>, names: &mut Vec<(Name, TextRange)>) {
    let Some(pat) = pat else { return };
    let mut declared = |name: Option<ast::Name>| {
        if let Some(name) = name {
            names.push((Name::from(name.text()), tree::trimmed_range(name.syntax())));
        }
    };
    match pat {
        ast::Pat::Ident(ident) => declared(ident.name()),
        ast::Pat::Rest(rest) => declared(rest.name()),
        ast::Pat::Wildcard(_) | ast::Pat::Literal(_) | ast::Pat::Range(_) | ast::Pat::Path(_) => {}
        ast::Pat::Tuple(tuple) => {
            tuple.elements().for_each(|element| pattern_names(Some(&element), names));
        }
        ast::Pat::Array(array) => {
            array.elements().for_each(|element| pattern_names(Some(&element), names));
        }
        ast::Pat::Variant(variant) => {
            variant.elements().for_each(|element| pattern_names(Some(&element), names));
        }
        ast::Pat::Or(or) => {
            or.alternatives().for_each(|element| pattern_names(Some(&element), names));
        }
        ast::Pat::Struct(pattern) => {
            for field in pattern.fields() {
                match (field.pat(), field.name_ref()) {
                    (Some(pat), _) => pattern_names(Some(&pat), names),
                    (None, Some(name)) => {
                        names.push((Name::from(name.text()), tree::trimmed_range(name.syntax())))
                    }
                    (None, None) => {}
                }
            }
        }
    }
}
