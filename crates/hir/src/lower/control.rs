//! Branches, loops and jumps.

use neuro_db::{Name, codes};
use neuro_syntax::{AstNode, SyntaxKind, SyntaxNode, ast};
use text_size::TextRange;

use super::Lowering;
use crate::{Binding, Expr, ExprId, RangeEnd, Stmt, tree};

/// The head of a `for` over a range: the range, and the adapters behind it.
struct RangeHead {
    range: ast::RangeExpr,
    reversed: bool,
    /// The call of `.step(n)`.
    step: Option<ast::MethodCallExpr>,
}

/// Why a head is no range with adapters.
enum NoRange {
    /// It walks something else, or with other adapters.
    Unsupported(&'static str, SyntaxNode),
    /// The adapters are there, but not as they must be.
    Malformed(&'static str, SyntaxNode),
    /// There is none; the parser has reported it.
    Missing,
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
        let label = label_name(expr.label());
        let cond = self.lower_expr_opt(expr.condition(), expr.syntax());
        let body = self.lower_block_opt(expr.body(), expr.syntax());
        let head = keyword(expr.syntax());
        self.alloc_at(Expr::While { label, cond, body }, expr.syntax(), head)
    }

    pub(super) fn lower_loop(&mut self, expr: &ast::LoopExpr) -> ExprId {
        let label = label_name(expr.label());
        let body = self.lower_block_opt(expr.body(), expr.syntax());
        let head = keyword(expr.syntax());
        self.alloc_at(Expr::Loop { label, body }, expr.syntax(), head)
    }

    pub(super) fn lower_for(&mut self, expr: &ast::ForExpr) -> ExprId {
        let head = match expr.head() {
            Some(head) => range_head(&head),
            None => Err(NoRange::Missing),
        };
        match (head, expr.pat()) {
            (Ok(head), pat @ (Some(ast::Pat::Ident(_) | ast::Pat::Wildcard(_)) | None)) => {
                self.lower_for_range(expr, &head, pat)
            }
            (Ok(_), Some(pat)) => {
                let node = pat.syntax().clone();
                self.lower_refused_for(expr, NoRange::Unsupported("destructuring in a `for`", node))
            }
            (Err(reason), _) => self.lower_refused_for(expr, reason),
        }
    }

    fn lower_for_range(
        &mut self,
        expr: &ast::ForExpr,
        head: &RangeHead,
        pat: Option<ast::Pat>,
    ) -> ExprId {
        let node = expr.syntax();
        let start = self.lower_bound(head.range.start(), &head.range);
        let end = self.lower_bound(head.range.end(), &head.range);
        let step = head.step.as_ref().map(|call| {
            let step = call.args().next().and_then(|arg| arg.value());
            self.lower_expr_opt(step, call.syntax())
        });
        let mark = self.scopes.enter();
        let (name, range) = match &pat {
            Some(ast::Pat::Ident(ident)) => {
                (tree::name_text(ident.name()), tree::trimmed_range(ident.syntax()))
            }
            Some(pat) => (Name::new_static("_"), tree::trimmed_range(pat.syntax())),
            None => (Name::default(), keyword(node)),
        };
        let var = self.declare(name, false, Binding::Loop, range, None);
        let body = self.lower_block_opt(expr.body(), node);
        self.scopes.leave(mark);
        let end_kind = match head.range.is_inclusive() {
            true => RangeEnd::Inclusive,
            false => RangeEnd::Exclusive,
        };
        let label = label_name(expr.label());
        let reversed = head.reversed;
        let lowered = Expr::ForRange { label, var, start, end, end_kind, reversed, step, body };
        self.alloc_at(lowered, node, keyword(node))
    }

    /// A bound of the range; a range elsewhere may leave it out, and only here it is a mistake.
    fn lower_bound(&mut self, bound: Option<ast::Expr>, range: &ast::RangeExpr) -> ExprId {
        if let Some(bound) = bound {
            return self.lower_expr(&bound);
        }
        let dots = tree::token_or_first(range.op_token(), range.syntax());
        let missing = self.alloc(Expr::Missing, dots, dots);
        self.refuse(codes::SYNTAX, missing, "the range of a `for` has two bounds");
        missing
    }

    /// A `for` that is refused: its body is still lowered, as that of a loop whose condition is the
    /// refused head, so that names and jumps in it are understood.
    fn lower_refused_for(&mut self, expr: &ast::ForExpr, reason: NoRange) -> ExprId {
        let cond = match reason {
            NoRange::Unsupported(what, node) => {
                self.unsupported(what, &node, tree::token_or_first(None, &node))
            }
            NoRange::Missing => self.missing(expr.syntax()),
            NoRange::Malformed(message, node) => {
                let head = tree::token_or_first(None, &node);
                let id = self.silent("this head of a `for`", &node, head);
                self.refuse(codes::SYNTAX, id, message);
                id
            }
        };
        let mark = self.scopes.enter();
        let mut before: Vec<Stmt> = Vec::new();
        self.bind_refused(expr.pat().as_ref(), false, cond, &mut before);
        let body = match expr.body() {
            Some(body) => self.lower_block_with(&body, before),
            None => self.missing(expr.syntax()),
        };
        self.scopes.leave(mark);
        let label = label_name(expr.label());
        let head = keyword(expr.syntax());
        self.alloc_at(Expr::While { label, cond, body }, expr.syntax(), head)
    }

    pub(super) fn lower_return(&mut self, expr: &ast::ReturnExpr) -> ExprId {
        let value = expr.value().map(|value| self.lower_expr(&value));
        let head = tree::token_or_first(expr.return_token(), expr.syntax());
        self.alloc_at(Expr::Return(value), expr.syntax(), head)
    }

    pub(super) fn lower_break(&mut self, expr: &ast::BreakExpr) -> ExprId {
        let node = expr.syntax();
        if let Some(value) = expr.value() {
            return self.lower_break_with_value(expr, &value);
        }
        let (label, head) = jump_label(expr.label(), node);
        self.alloc_at(Expr::Break { label }, node, head)
    }

    /// `break` with what the parser takes for its value: a name of nothing is rather a label that no loop has.
    fn lower_break_with_value(&mut self, expr: &ast::BreakExpr, value: &ast::Expr) -> ExprId {
        let node = expr.syntax();
        let repeats = match left_loop(expr) {
            Some(SyntaxKind::WHILE_EXPR) => "a `while`",
            Some(SyntaxKind::FOR_EXPR) => "a `for`",
            _ => return self.unsupported("`break` with a value", node, keyword(node)),
        };
        let head = tree::trimmed_range(value.syntax());
        if let Some(label) = plain_name(value).filter(|name| self.scopes.find(name).is_none()) {
            return self.alloc_at(Expr::Break { label: Some(label) }, node, head);
        }
        let id = self.silent("`break` with a value", node, head);
        let message =
            format!("`break` takes a value out of a `loop` only, and this leaves {repeats}");
        self.refuse(codes::LOOP_CONTROL, id, message);
        id
    }

    pub(super) fn lower_continue(&mut self, expr: &ast::ContinueExpr) -> ExprId {
        let (label, head) = jump_label(expr.label(), expr.syntax());
        self.alloc_at(Expr::Continue { label }, expr.syntax(), head)
    }
}

/// The keyword of a loop or jump: its first word behind a label.
fn keyword(node: &SyntaxNode) -> TextRange {
    let keyword = node
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| token.kind().is_keyword());
    tree::token_or_first(keyword, node)
}

fn label_name(label: Option<ast::Label>) -> Option<Name> {
    label.map(|label| tree::name_text(label.name()))
}

/// The label of a jump, and its head: the label, or the keyword if there is none.
fn jump_label(label: Option<ast::LabelRef>, node: &SyntaxNode) -> (Option<Name>, TextRange) {
    match label {
        Some(label) => {
            (Some(tree::name_ref_text(label.name())), tree::trimmed_range(label.syntax()))
        }
        None => (None, keyword(node)),
    }
}

/// What kind of loop a `break` leaves: the innermost one around it, or the one of its label.
fn left_loop(expr: &ast::BreakExpr) -> Option<SyntaxKind> {
    let label = expr.label().map(|label| tree::name_ref_text(label.name()));
    let around = expr
        .syntax()
        .ancestors()
        .skip(1)
        .take_while(|node| !matches!(node.kind(), SyntaxKind::FUNC | SyntaxKind::CLOSURE_EXPR));
    around
        .filter(|node| {
            let kinds = [SyntaxKind::WHILE_EXPR, SyntaxKind::FOR_EXPR, SyntaxKind::LOOP_EXPR];
            let own = || label_name(node.children().find_map(ast::Label::cast));
            kinds.contains(&node.kind()) && (label.is_none() || own() == label)
        })
        .map(|node| node.kind())
        .next()
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

/// Reads the head of a `for` as `a..b`, or as `(a..b)` with `.rev()` and then `.step(n)`.
fn range_head(head: &ast::Expr) -> Result<RangeHead, NoRange> {
    let mut adapters: Vec<ast::MethodCallExpr> = Vec::new();
    let mut base = head.clone();
    loop {
        base = match base {
            ast::Expr::MethodCall(call) => {
                let receiver = call.receiver();
                adapters.push(call);
                match receiver {
                    Some(receiver) => receiver,
                    None => return Err(not_a_range(head)),
                }
            }
            ast::Expr::Paren(paren) => match paren.inner() {
                Some(inner) => inner,
                None => return Err(not_a_range(head)),
            },
            ast::Expr::Range(range) => {
                let found = RangeHead { range, reversed: false, step: None };
                return adapters.into_iter().rev().try_fold(found, add_adapter);
            }
            _ => return Err(not_a_range(head)),
        };
    }
}

fn not_a_range(head: &ast::Expr) -> NoRange {
    NoRange::Unsupported("`for` over anything but a range", head.syntax().clone())
}

/// Adds one adapter behind the range.
fn add_adapter(mut head: RangeHead, call: ast::MethodCallExpr) -> Result<RangeHead, NoRange> {
    let name = tree::name_ref_text(call.name());
    let place = call.name().map_or_else(|| call.syntax().clone(), |name| name.syntax().clone());
    let count = call.args().count();
    match name.as_str() {
        "rev" if count > 0 => Err(NoRange::Malformed("`.rev()` takes no argument", place)),
        "step" if count != 1 => Err(NoRange::Malformed("`.step(n)` takes one argument", place)),
        "rev" if head.step.is_some() => {
            Err(NoRange::Malformed("`.rev()` stands in front of `.step(n)`", place))
        }
        "rev" if head.reversed => Err(NoRange::Malformed("`.rev()` stands here twice", place)),
        "step" if head.step.is_some() => {
            Err(NoRange::Malformed("`.step(n)` stands here twice", place))
        }
        "rev" => {
            head.reversed = true;
            Ok(head)
        }
        "step" => {
            head.step = Some(call);
            Ok(head)
        }
        "map" => Err(NoRange::Unsupported("`.map(..)` in the head of a `for`", place)),
        "filter" => Err(NoRange::Unsupported("`.filter(..)` in the head of a `for`", place)),
        "enumerate" => Err(NoRange::Unsupported("`.enumerate()` in the head of a `for`", place)),
        _ => Err(NoRange::Malformed(
            "behind the range of a `for` stand only `.rev()` and `.step(n)`",
            place,
        )),
    }
}
