//! Branches, loops and jumps.

use neuro_db::{Name, codes};
use neuro_syntax::AstNode;
use neuro_syntax::ast::{self, Node};
use text_size::TextRange;

use super::Lowering;
use super::pattern::{Binder, Names};
use crate::{Arm, Binding, Expr, ExprId, tree};

/// A loop around what is being lowered.
pub(super) struct LoopAround {
    label: Option<Name>,
    /// How messages call it, if it gives no value.
    repeats: Option<&'static str>,
}

impl Lowering<'_> {
    pub(super) fn lower_if(&mut self, expr: &ast::IfExpr) -> ExprId {
        let cond = self.lower_expr_opt(expr.condition(), expr.syntax());
        let then = self.lower_block_opt(expr.then_branch(), expr.syntax());
        let otherwise = match (expr.else_branch(), expr.else_token()) {
            (Some(branch), _) => Some(self.lower_expr(&branch)),
            (None, Some(_)) => Some(self.missing(expr.syntax())),
            (None, None) => None,
        };
        let head = tree::token_or_first(None, expr.syntax());
        self.alloc_at(Expr::If { cond, then, otherwise }, expr.syntax(), head)
    }

    pub(super) fn lower_while(&mut self, expr: &ast::WhileExpr) -> ExprId {
        let (label, label_range) = label_name(expr.label());
        self.enter_loop(&label, Some("a `while`"));
        let cond = self.lower_expr_opt(expr.condition(), expr.syntax());
        let body = self.lower_block_opt(expr.body(), expr.syntax());
        self.loops.pop();
        let head = keyword(expr.syntax());
        let id = self.alloc_at(Expr::While { label, cond, body }, expr.syntax(), head);
        self.note_label(id, label_range);
        id
    }

    pub(super) fn lower_loop(&mut self, expr: &ast::LoopExpr) -> ExprId {
        let (label, label_range) = label_name(expr.label());
        self.enter_loop(&label, None);
        let body = self.lower_block_opt(expr.body(), expr.syntax());
        self.loops.pop();
        let head = keyword(expr.syntax());
        let id = self.alloc_at(Expr::Loop { label, body }, expr.syntax(), head);
        self.note_label(id, label_range);
        id
    }

    /// Begins a loop; `repeats` is how messages call one that gives no value.
    pub(super) fn enter_loop(&mut self, label: &Option<Name>, repeats: Option<&'static str>) {
        self.loops.push(LoopAround { label: label.clone(), repeats });
    }

    /// How messages call the loop that a `break` leaves, if that gives no value: the innermost loop, or the one of
    /// the label.
    fn left_repetition(&self, label: Option<&Name>) -> Option<&'static str> {
        let left = |around: &&LoopAround| label.is_none() || around.label.as_ref() == label;
        self.loops.iter().rev().find(left)?.repeats
    }

    pub(super) fn note_label(&mut self, expr: ExprId, range: Option<TextRange>) {
        if let Some(range) = range {
            self.note(|map| map.insert_loop_label(expr, range));
        }
    }

    pub(super) fn lower_match(&mut self, expr: &ast::MatchExpr) -> ExprId {
        let scrutinee = self.lower_expr_opt(expr.scrutinee(), expr.syntax());
        let arms = expr.arms().map(|arm| self.lower_arm(&arm)).collect();
        let head = tree::token_or_first(None, expr.syntax());
        self.alloc_at(Expr::Match { scrutinee, arms }, expr.syntax(), head)
    }

    fn lower_arm(&mut self, arm: &ast::MatchArm) -> Arm {
        let mark = self.types.scopes.enter();
        let mut binder = Binder { mutable: false, binding: Binding::Arm, ty: None, variants: true };
        let pat = self.lower_pat_opt(arm.pat(), arm.syntax(), &mut binder, &mut Names::default());
        let guard = arm.guard().map(|guard| self.lower_expr(&guard));
        let body = self.lower_expr_opt(arm.body(), arm.syntax());
        self.types.scopes.leave(mark);
        Arm { pat, guard, body }
    }

    pub(super) fn lower_return(&mut self, expr: &ast::ReturnExpr) -> ExprId {
        let value = expr.value().map(|value| self.lower_expr(&value));
        let head = tree::token_or_first(expr.return_token(), expr.syntax());
        self.alloc_at(Expr::Return(value), expr.syntax(), head)
    }

    pub(super) fn lower_break(&mut self, expr: &ast::BreakExpr) -> ExprId {
        let node = expr.syntax();
        let (label, head) = jump_label(expr.label(), node);
        let Some(value) = expr.value() else {
            return self.alloc_at(Expr::Break { label, value: None }, node, head);
        };
        let Some(repeats) = self.left_repetition(label.as_ref()) else {
            let value = Some(self.lower_expr(&value));
            return self.alloc_at(Expr::Break { label, value }, node, head);
        };
        self.lower_break_of_repetition(expr, &value, repeats)
    }

    /// `break` out of a loop that gives no value, with what the parser takes for one: a name of nothing is
    /// rather a label that no loop has.
    fn lower_break_of_repetition(
        &mut self,
        expr: &ast::BreakExpr,
        value: &ast::Expr,
        repeats: &str,
    ) -> ExprId {
        let node = expr.syntax();
        let head = tree::trimmed_range(value.syntax());
        let unknown = plain_name(value).filter(|name| self.types.scopes.find(name).is_none());
        if unknown.is_none() {
            let message =
                format!("`break` takes a value out of a `loop` only, and this leaves {repeats}");
            self.refuse(codes::LOOP_CONTROL, head, message);
            self.lower_expr(value);
            return self.alloc_at(Expr::Missing, node, head);
        }
        self.alloc_at(Expr::Break { label: unknown, value: None }, node, head)
    }

    pub(super) fn lower_continue(&mut self, expr: &ast::ContinueExpr) -> ExprId {
        let (label, head) = jump_label(expr.label(), expr.syntax());
        self.alloc_at(Expr::Continue { label }, expr.syntax(), head)
    }
}

/// The keyword of a loop or jump: its first word behind a label.
pub(super) fn keyword(node: &Node) -> TextRange {
    let keyword = node
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| token.kind().is_keyword());
    tree::token_or_first(keyword, node)
}

/// The label of a loop, and where it stands.
pub(super) fn label_name(label: Option<ast::Label>) -> (Option<Name>, Option<TextRange>) {
    let name = label.and_then(|label| label.name());
    let range = name.as_ref().map(|name| tree::trimmed_range(name.syntax()));
    (name.map(|name| Name::from(name.text())), range)
}

/// The label of a jump, and its head: the label, or the keyword if there is none.
fn jump_label(label: Option<ast::LabelRef>, node: &Node) -> (Option<Name>, TextRange) {
    match label {
        Some(label) => {
            (Some(tree::name_ref_text(label.name())), tree::trimmed_range(label.syntax()))
        }
        None => (None, keyword(node)),
    }
}

/// The name that an expression is, if it is nothing else.
fn plain_name(expr: &ast::Expr) -> Option<Name> {
    let ast::Expr::Path(path) = expr else { return None };
    let path = path.path()?;
    let mut segments = path.segments();
    let (first, second) = (segments.next()?, segments.next());
    let plain = second.is_none() && first.type_args().is_none();
    plain.then(|| tree::name_ref_text(first.name()))
}
