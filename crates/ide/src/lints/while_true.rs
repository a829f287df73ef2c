//! `while true` where `loop` is meant.

use neuro_db::codes::WHILE_TRUE;
use neuro_db::{Db, Diagnostic, Span};
use neuro_hir::{Expr, Function, Literal, body};
use neuro_syntax::ast::{self, AstNode, Node};
use neuro_syntax::{SyntaxKind, TextRange};

/// The loops of a function, as written: in parentheses the condition is meant as it stands.
pub(super) fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let body = body(db, function);
    let endless = |expr: &Expr| match expr {
        Expr::While { cond, .. } => body.exprs[*cond] == Expr::Literal(Literal::Bool(true)),
        _ => false,
    };
    // The body has no parentheses, and no places; few bodies have such a loop.
    if !body.exprs.values().any(endless) {
        return Vec::new();
    }
    let root = Node::root(function.source(db).0.clone());
    let heads = root.descendants().filter_map(ast::WhileExpr::cast).filter_map(|node| head(&node));
    let diagnostic = |head| {
        let span = Span::in_item(function.file(db), function.ast_id(db), head);
        let message = "a loop that never ends by its condition is a `loop`";
        Diagnostic::new(WHILE_TRUE, span, message).fix("write `loop`", span, "loop")
    };
    heads.map(diagnostic).collect()
}

/// The words `while true`.
fn head(node: &ast::WhileExpr) -> Option<TextRange> {
    let ast::Expr::Literal(literal) = node.condition()? else { return None };
    if literal.kind() != Some(ast::LiteralKind::Bool(true)) {
        return None;
    }
    let mut tokens = node.syntax().children_with_tokens().filter_map(|child| child.into_token());
    let keyword = tokens.find(|token| token.kind() == SyntaxKind::WHILE_KW)?;
    let condition = literal.syntax().first_token()?;
    Some(keyword.text_range().cover(condition.text_range()))
}
