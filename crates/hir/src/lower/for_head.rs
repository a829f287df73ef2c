//! `for`: what it walks, and what it binds.

use neuro_db::{Name, codes};
use neuro_syntax::{AstNode, ast};
use text_size::TextRange;

use super::Lowering;
use super::control::{keyword, label_name};
use super::pattern::{Binder, Names};
use crate::source_map::HeadRanges;
use crate::{
    Adapter, Binding, Expr, ExprId, ForBinding, Head, HeadSource, LocalId, RangeEnd, tree,
};

/// A head before its parts are lowered: its source, and the calls behind it that change the walk.
struct Parts {
    source: Option<ast::Expr>,
    /// In the order of the text.
    calls: Vec<ast::MethodCallExpr>,
}

impl Lowering<'_> {
    pub(super) fn lower_for(&mut self, expr: &ast::ForExpr) -> ExprId {
        let node = expr.syntax();
        let mut ranges = HeadRanges::default();
        let (label, label_range) = label_name(expr.label());
        self.enter_loop(&label, Some("a `for`"));
        let head = self.lower_head(expr, &mut ranges);
        let mark = self.types.scopes.enter();
        let binding = self.lower_for_binding(expr, &mut ranges);
        let body = self.lower_block_opt(expr.body(), node);
        self.types.scopes.leave(mark);
        self.loops.pop();
        let id = self.alloc_at(
            Expr::For { label, binding, head: Box::new(head), body },
            node,
            keyword(node),
        );
        self.note_label(id, label_range);
        self.note(|map| map.insert_head(id, ranges));
        id
    }

    fn lower_head(&mut self, expr: &ast::ForExpr, ranges: &mut HeadRanges) -> Head {
        let Some(head) = expr.head() else {
            let source = HeadSource::Expr(self.missing(expr.syntax()));
            return Head { source, adapters: Vec::new(), enumerate: false };
        };
        ranges.whole = tree::trimmed_range(head.syntax());
        let parts = split(&head);
        let range = match &parts.source {
            Some(ast::Expr::Range(range)) => Some(range.clone()),
            _ => None,
        };
        ranges.source = parts
            .source
            .as_ref()
            .map_or(ranges.whole, |source| tree::trimmed_range(source.syntax()));
        let source = match &range {
            Some(range) => HeadSource::Range {
                start: self.lower_bound(range.start(), range),
                end: self.lower_bound(range.end(), range),
                end_kind: match range.is_inclusive() {
                    true => RangeEnd::Inclusive,
                    false => RangeEnd::Exclusive,
                },
            },
            None => HeadSource::Expr(self.lower_expr_opt(parts.source, head.syntax())),
        };
        let mut head = Head { source, adapters: Vec::new(), enumerate: false };
        for call in parts.calls {
            self.lower_adapter(&call, &mut head, ranges);
        }
        head
    }

    /// A bound of the range; a range elsewhere may leave it out, and only here it is a mistake.
    fn lower_bound(&mut self, bound: Option<ast::Expr>, range: &ast::RangeExpr) -> ExprId {
        if let Some(bound) = bound {
            return self.lower_expr(&bound);
        }
        let dots = tree::token_or_first(range.op_token(), range.syntax());
        self.refuse(codes::SYNTAX, dots, "the range of a `for` has two bounds");
        self.alloc(Expr::Missing, dots, dots)
    }

    /// One call behind the source. What is out of order is reported and left out.
    fn lower_adapter(
        &mut self,
        call: &ast::MethodCallExpr,
        head: &mut Head,
        ranges: &mut HeadRanges,
    ) {
        let name = tree::name_ref_text(call.name());
        let place = call.name().map_or_else(
            || tree::trimmed_range(call.syntax()),
            |name| tree::trimmed_range(name.syntax()),
        );
        let args: Vec<ExprId> =
            call.args().map(|arg| self.lower_expr_opt(arg.value(), arg.syntax())).collect();
        if let Some(message) = misplaced(&name, args.len(), head) {
            return self.refuse(codes::SYNTAX, place, message);
        }
        let adapter = match (name.as_str(), args.first()) {
            ("rev", _) => Adapter::Rev,
            ("step", Some(step)) => Adapter::Step(*step),
            ("map", Some(function)) => Adapter::Map(*function),
            ("filter", Some(function)) => Adapter::Filter(*function),
            _ => {
                head.enumerate = true;
                ranges.enumerate = Some(place);
                return;
            }
        };
        head.adapters.push(adapter);
        ranges.adapters.push(place);
    }

    fn lower_for_binding(&mut self, expr: &ast::ForExpr, ranges: &mut HeadRanges) -> ForBinding {
        let mut names = Names::default();
        match expr.pat() {
            Some(ast::Pat::Tuple(pair)) if pair.elements().count() == 2 => {
                ranges.binding = tree::trimmed_range(pair.syntax());
                let mut locals = pair.elements().map(|element| {
                    let range = tree::trimmed_range(element.syntax());
                    self.for_variable(Some(element), range, &mut names)
                });
                let first = locals.next();
                let second = locals.next();
                drop(locals);
                match (first, second) {
                    (Some(first), Some(second)) => ForBinding::Pair(first, second),
                    _ => ForBinding::One(self.for_variable(None, ranges.binding, &mut names)),
                }
            }
            pat => {
                ranges.binding = pat.as_ref().map_or_else(
                    || keyword(expr.syntax()),
                    |pat| tree::trimmed_range(pat.syntax()),
                );
                ForBinding::One(self.for_variable(pat, ranges.binding, &mut names))
            }
        }
    }

    fn for_variable(
        &mut self,
        pat: Option<ast::Pat>,
        range: TextRange,
        names: &mut Names,
    ) -> LocalId {
        let mut binder =
            Binder { mutable: false, binding: Binding::Loop, ty: None, variants: false };
        match pat {
            Some(ast::Pat::Ident(ident)) => {
                self.bind(tree::name_text(ident.name()), range, &binder, names)
            }
            Some(ast::Pat::Wildcard(_)) => {
                self.declare(Name::new_static("_"), false, Binding::Loop, range, None)
            }
            Some(pat) => {
                let message = "a `for` binds a name, or a pair of names as `.enumerate()` gives";
                self.refuse(codes::SYNTAX, range, message);
                // The names of the pattern stay known.
                self.lower_pat(&pat, &mut binder, names);
                self.declare(Name::default(), false, Binding::Loop, range, None)
            }
            None => self.declare(Name::default(), false, Binding::Loop, range, None),
        }
    }
}

/// Splits a head into what is walked and the adapters behind it. Behind a range every call is one; behind
/// anything else only those that a `for` takes for itself, and the others are methods like any other.
fn split(head: &ast::Expr) -> Parts {
    let mut calls = Vec::new();
    let mut source = Some(head.clone());
    loop {
        source = match source {
            Some(ast::Expr::MethodCall(call)) => {
                let receiver = call.receiver();
                calls.push(call);
                receiver
            }
            Some(ast::Expr::Paren(paren)) => paren.inner(),
            other => {
                source = other;
                break;
            }
        };
    }
    if !matches!(source, Some(ast::Expr::Range(_))) {
        let adapter = |call: &ast::MethodCallExpr| {
            let name = tree::name_ref_text(call.name());
            matches!(name.as_str(), "map" | "filter" | "enumerate")
        };
        if let Some(inner) = calls.iter().position(|call| !adapter(call)) {
            calls.truncate(inner + 1);
            source = calls.pop().map(ast::Expr::MethodCall);
        }
    }
    calls.reverse();
    Parts { source, calls }
}

/// Why an adapter may not stand behind what is there.
fn misplaced(name: &str, args: usize, head: &Head) -> Option<&'static str> {
    let has = |test: fn(&Adapter) -> bool| head.adapters.iter().any(test);
    let stepped = has(|adapter| matches!(adapter, Adapter::Step(_)));
    let reversed = has(|adapter| matches!(adapter, Adapter::Rev));
    let changed = has(|adapter| matches!(adapter, Adapter::Map(_) | Adapter::Filter(_)));
    match name {
        "rev" if args > 0 => Some("`.rev()` takes no argument"),
        "step" if args != 1 => Some("`.step(n)` takes one argument"),
        "map" if args != 1 => Some("`.map(f)` takes one argument"),
        "filter" if args != 1 => Some("`.filter(f)` takes one argument"),
        "enumerate" if args > 0 => Some("`.enumerate()` takes no argument"),
        "enumerate" if head.enumerate => Some("`.enumerate()` stands here twice"),
        _ if head.enumerate => Some("`.enumerate()` stands last in the head of a `for`"),
        "rev" if stepped => Some("`.rev()` stands in front of `.step(n)`"),
        "rev" if reversed => Some("`.rev()` stands here twice"),
        "step" if stepped => Some("`.step(n)` stands here twice"),
        "rev" if changed => Some("`.rev()` stands in front of `.map(f)` and `.filter(f)`"),
        "step" if changed => Some("`.step(n)` stands in front of `.map(f)` and `.filter(f)`"),
        "rev" | "step" | "map" | "filter" | "enumerate" => None,
        _ => Some(
            "behind the range of a `for` stand only `.rev()`, `.step(n)`, `.map(f)`, `.filter(f)` and `.enumerate()`",
        ),
    }
}
