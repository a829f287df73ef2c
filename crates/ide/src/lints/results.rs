//! Values that are computed for nothing.

use neuro_db::codes::UNUSED_RESULT;
use neuro_db::{Db, Diagnostic, Span};
use neuro_hir::{
    BinaryOp, Body, Builtin, CompareOp, Expr, ExprId, Function, Stmt, body, signature, source_map,
};
use neuro_mir::runs_drop;
use neuro_types::{Callee, Inference, Method, Ty, infer};

/// The values of a function that stand alone as statements.
pub(super) fn check<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let body = body(db, function);
    let search = Search { db, body, types: infer(db, function) };
    let mut dropped = Vec::new();
    for (_, expr) in body.exprs.iter() {
        match expr {
            Expr::Block { stmts, .. } => {
                let alone = stmts.iter().filter_map(|stmt| match stmt {
                    Stmt::Expr(expr) => Some(*expr),
                    Stmt::Let { .. } | Stmt::LetElse { .. } | Stmt::Const { .. } => None,
                });
                alone.for_each(|expr| search.leaves(expr, &mut dropped));
            }
            Expr::While { body, .. }
            | Expr::For { body, .. }
            | Expr::Loop { body, .. }
            | Expr::Pool { body, .. }
            | Expr::If { then: body, otherwise: None, .. } => search.leaves(*body, &mut dropped),
            _ => {}
        }
    }
    // What stands alone in a branch that stands alone is found by way of both.
    dropped.sort_unstable_by_key(|expr| expr.into_raw());
    dropped.dedup();
    let unused = dropped.into_iter().filter_map(|expr| Some((expr, search.unused(expr)?)));
    let unused: Vec<(ExprId, Unused)> = unused.collect();
    if unused.is_empty() {
        return Vec::new();
    }
    let map = source_map(db, function);
    let span = |range| Span::in_item(function.file(db), function.ast_id(db), range);
    let diagnostic = |(expr, unused): (ExprId, Unused)| {
        let whole = span(map.expr(expr));
        let found = Diagnostic::new(UNUSED_RESULT, whole, unused.message());
        let found = match (unused.note(), search.meant(expr)) {
            (_, Some(operator)) => {
                let head = span(map.head(expr));
                found.fix(format!("write `{operator}`"), head, operator)
            }
            (Some(note), None) => found.note(note),
            (None, None) => found,
        };
        let mut before = whole;
        before.range = neuro_syntax::TextRange::empty(before.range.start());
        found.fix("say that it is meant to be unused", before, "val _ = ")
    };
    unused.into_iter().map(diagnostic).collect()
}

/// A value that nothing uses.
enum Unused {
    /// A `Result`, of which the failure is lost.
    Failure,
    /// What a function gives.
    Given(String),
    /// A comparison by `==`.
    Equality,
    /// Any other value.
    Value,
}

impl Unused {
    fn message(&self) -> String {
        match self {
            Unused::Failure => {
                "nothing looks at this `Result`, and so a failure is lost".to_owned()
            }
            Unused::Given(name) => format!("nothing uses what `{name}` gives"),
            Unused::Equality => "nothing uses this comparison".to_owned(),
            Unused::Value => "nothing uses this value".to_owned(),
        }
    }

    fn note(&self) -> Option<&'static str> {
        match self {
            Unused::Failure => Some("`?` hands the failure on, `match` looks at it"),
            Unused::Equality => Some("`=` assigns"),
            Unused::Given(_) | Unused::Value => None,
        }
    }
}

struct Search<'db> {
    db: &'db dyn Db,
    body: &'db Body,
    types: &'db Inference<'db>,
}

impl Search<'_> {
    /// The expressions whose values are dropped where that of `expr` is.
    fn leaves(&self, expr: ExprId, found: &mut Vec<ExprId>) {
        match &self.body.exprs[expr] {
            Expr::Block { tail, .. } => {
                tail.iter().for_each(|tail| self.leaves(*tail, found));
            }
            Expr::If { then, otherwise, .. } => {
                self.leaves(*then, found);
                otherwise.iter().for_each(|otherwise| self.leaves(*otherwise, found));
            }
            Expr::Match { arms, .. } => arms.iter().for_each(|arm| self.leaves(arm.body, found)),
            _ => found.push(expr),
        }
    }

    /// Whether an expression whose value is dropped should not be there, and why. Where a value with a `drop` ends
    /// in it, that may be what is wanted.
    fn unused(&self, expr: ExprId) -> Option<Unused> {
        let found = self.useless(expr)?;
        let ends = || ends_values(self.db, self.body, self.types, expr);
        (matches!(found, Unused::Failure) || !ends()).then_some(found)
    }

    fn useless(&self, expr: ExprId) -> Option<Unused> {
        let ty = self.types.ty(expr);
        if matches!(ty, Ty::Never | Ty::Void) || ty.is_wrong() {
            return None;
        }
        let value = |useless: bool| useless.then_some(Unused::Value);
        match &self.body.exprs[expr] {
            Expr::Compare { op: CompareOp::Eq, .. } => Some(Unused::Equality),
            Expr::Literal(_)
            | Expr::Text(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Borrow { .. }
            | Expr::Cast { .. }
            | Expr::Array(_)
            | Expr::Tuple(_)
            | Expr::StructLit { .. }
            | Expr::Closure(_)
            | Expr::Compose { .. } => Some(Unused::Value),
            // What is moved ends here, which may be meant.
            Expr::Local(_)
            | Expr::Path(_)
            | Expr::Field { .. }
            | Expr::TupleField { .. }
            | Expr::Index { .. }
            | Expr::Deref(_) => value(ty.is_copy()),
            Expr::Logic { rhs, .. } => value(is_pure_in(self.db, self.body, self.types, *rhs)),
            Expr::Call { .. } | Expr::MethodCall { .. } | Expr::Pipeline { .. } => {
                if matches!(ty, Ty::Adt { def, .. } if def.name() == "Result") {
                    return Some(Unused::Failure);
                }
                let callee = self.types.callees.get(expr)?;
                let name = match (callee, &self.body.exprs[expr]) {
                    (Callee::Function(function), _) => function.name(self.db).to_string(),
                    (_, Expr::MethodCall { name, .. }) => format!(".{name}()"),
                    _ => return Some(Unused::Value),
                };
                does_nothing_else(self.db, callee).then_some(Unused::Given(name))
            }
            Expr::Missing
            | Expr::Range { .. }
            | Expr::Try(_)
            | Expr::Coalesce { .. }
            | Expr::BuiltinCall { .. }
            | Expr::Block { .. }
            | Expr::If { .. }
            | Expr::Match { .. }
            | Expr::While { .. }
            | Expr::Loop { .. }
            | Expr::For { .. }
            | Expr::Return(_)
            | Expr::Break { .. }
            | Expr::Continue { .. }
            | Expr::Assign { .. }
            | Expr::Pool { .. } => None,
        }
    }

    /// The operator that was likely meant: one that stores the value.
    fn meant(&self, expr: ExprId) -> Option<&'static str> {
        let (lhs, meant) = match &self.body.exprs[expr] {
            Expr::Compare { op: CompareOp::Eq, lhs, .. } => (lhs, "="),
            Expr::Binary { op, lhs, .. } => match op {
                BinaryOp::Add => (lhs, "+="),
                BinaryOp::Sub => (lhs, "-="),
                BinaryOp::Mul => (lhs, "*="),
                BinaryOp::Div => (lhs, "/="),
                BinaryOp::Rem => (lhs, "%="),
                _ => return None,
            },
            _ => return None,
        };
        let Expr::Local(local) = &self.body.exprs[*lhs] else { return None };
        let whole = matches!(self.types.ty(*lhs), Ty::Ref { .. });
        (self.body.locals[*local].mutable && !whole).then_some(meant)
    }
}

/// Whether what is called does nothing but give a value.
fn does_nothing_else(db: &dyn Db, callee: &Callee<'_>) -> bool {
    match callee {
        Callee::Function(function) => is_pure(db, *function),
        Callee::Member(member) => !member.changes(),
        Callee::Method(method) => !matches!(method, Method::Backward | Method::ZeroGrad),
        Callee::Variant(..)
        | Callee::Newtype(_)
        | Callee::Constructor(_)
        | Callee::Known(..)
        | Callee::Const(_)
        | Callee::ConstParam(_) => true,
        Callee::Value => false,
    }
}

/// Whether a function does nothing that is seen from outside but giving a value: it is given nothing to change,
/// writes nothing, and never ends the program by what it says itself.
#[salsa::tracked(returns(copy), cycle_result = circular)]
fn is_pure<'db>(db: &'db dyn Db, function: Function<'db>) -> bool {
    let body = body(db, function);
    let types = infer(db, function);
    let Some(root) = body.root.filter(|_| types.findings.is_empty()) else { return false };
    let given = body.params.iter().chain(&body.receiver);
    let changes = |ty: &Ty| ty.any(&mut |part| matches!(part, Ty::Ref { mutable: true, .. }));
    let lends = given.into_iter().any(|local| types.locals.get(*local).is_none_or(changes));
    // A derivative is asked of the value.
    let attrs = &signature(db, function).attrs;
    !lends
        && attrs.is_empty()
        && is_pure_in(db, body, types, root)
        && !ends_values(db, body, types, root)
}

/// A function that calls itself may never end.
fn circular<'db>(_: &'db dyn Db, _: salsa::Id, _: Function<'db>) -> bool {
    false
}

/// Whether a value with a `drop` of the program may end in an expression.
fn ends_values(db: &dyn Db, body: &Body, types: &Inference<'_>, expr: ExprId) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        // What is in a place stays there.
        let made = !matches!(body.exprs[expr], Expr::Local(_) | Expr::Field { .. } | Expr::Path(_));
        let ty = types.ty(expr);
        if made && (matches!(ty, Ty::Param(_)) || runs_drop(db, ty)) {
            return true;
        }
        body.exprs[expr].children(&mut |child| open.push(child));
    }
    false
}

/// Whether an expression does nothing but give a value.
fn is_pure_in<'db>(db: &'db dyn Db, body: &Body, types: &Inference<'db>, expr: ExprId) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        let pure = match &body.exprs[expr] {
            Expr::BuiltinCall { builtin, .. } => matches!(builtin, Builtin::Einsum),
            Expr::Call { .. } | Expr::MethodCall { .. } | Expr::Pipeline { .. } => {
                let callee = types.callees.get(expr);
                // What a function changes of its own is not seen.
                callee.is_some_and(|callee| match callee {
                    Callee::Member(_) => true,
                    callee => does_nothing_else(db, callee),
                })
            }
            Expr::While { .. } | Expr::Loop { .. } | Expr::Missing => false,
            _ => true,
        };
        if !pure {
            return false;
        }
        body.exprs[expr].children(&mut |child| open.push(child));
    }
    true
}
