//! What the text itself shows: where `.backward()` stands, what may be mutably borrowed, and what
//! leaves a pool.

mod backward;

use neuro_db::codes::{NOT_MUTABLE, POOL};
use neuro_db::{Db, Name};
use neuro_hir::{Binding, Expr, ExprId, Function, LocalId};
use neuro_types::{Finding, Inference, Method, Place as At, Remedy, Ty};

use super::Analysis;
use crate::pairs::method;
use crate::walk;

/// A function as it is written.
pub(super) struct Written<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) function: Function<'db>,
    pub(super) hir: &'db neuro_hir::Body,
    pub(super) types: &'db Inference<'db>,
}

/// What is around an expression and decides where a jump goes.
enum Around {
    Loop(Option<Name>),
    Pool(Option<Name>, ExprId),
    /// A closure that captures by `&`.
    Looking(ExprId),
}

pub(super) fn check<'db>(written: &Written<'db>, analysis: &mut Analysis<'db>) {
    backward::check(written, analysis);
    if let Some(root) = written.hir.root {
        visit(written, root, &mut analysis.findings);
    }
}

/// A step of the walk over the body.
enum Step {
    Enter(ExprId),
    /// The end of what the innermost of the expressions around opened.
    Leave,
}

fn visit(written: &Written<'_>, root: ExprId, findings: &mut Vec<Finding>) {
    let mut around = Vec::new();
    let mut todo = vec![Step::Enter(root)];
    while let Some(step) = todo.pop() {
        let Step::Enter(expr) = step else {
            around.pop();
            continue;
        };
        if let Some(opened) = enter(written, expr, &around, findings) {
            around.push(opened);
            todo.push(Step::Leave);
        }
        let first = todo.len();
        walk::children(written.hir, expr, &mut |child| todo.push(Step::Enter(child)));
        todo[first..].reverse();
    }
}

/// Checks an expression; gives what it opens around its parts.
fn enter(
    written: &Written<'_>,
    expr: ExprId,
    around: &[Around],
    findings: &mut Vec<Finding>,
) -> Option<Around> {
    match &written.hir.exprs[expr] {
        Expr::Borrow { mutable: true, operand } => {
            let how = "borrowed by `&mut`";
            findings.extend(
                captured(written, *operand, around, how)
                    .or_else(|| not_mutable(written, *operand, how)),
            );
        }
        Expr::MethodCall { receiver, .. }
            if method(written.types, expr) == Some(Method::ZeroGrad) =>
        {
            let how = "changed by `.zero_grad()`";
            findings.extend(
                captured(written, *receiver, around, how)
                    .or_else(|| not_mutable(written, *receiver, how)),
            );
        }
        Expr::Closure(_) if written.types.borrowing.contains(&expr) => {
            return Some(Around::Looking(expr));
        }
        Expr::Return(_) => {
            let pool = around.iter().rev().find_map(|around| match around {
                Around::Pool(name, pool) => Some((name, *pool)),
                Around::Loop(_) | Around::Looking(_) => None,
            });
            findings.extend(pool.map(|(name, pool)| leaves(expr, "return", name.as_ref(), pool)));
        }
        Expr::Break { label, .. } => findings.extend(jump(around, label.as_ref(), expr, "break")),
        Expr::Continue { label } => findings.extend(jump(around, label.as_ref(), expr, "continue")),
        Expr::While { label, .. } | Expr::Loop { label, .. } | Expr::For { label, .. } => {
            return Some(Around::Loop(label.clone()));
        }
        Expr::Pool { name, .. } => return Some(Around::Pool(name.clone(), expr)),
        _ => {}
    }
    None
}

fn jump(around: &[Around], label: Option<&Name>, expr: ExprId, word: &str) -> Option<Finding> {
    let mut left = None;
    for around in around.iter().rev() {
        match around {
            Around::Loop(name) if label.is_none() || name.as_ref() == label => {
                return left.map(|(name, pool): (&Option<Name>, ExprId)| {
                    leaves(expr, word, name.as_ref(), pool)
                });
            }
            Around::Loop(_) | Around::Looking(_) => {}
            Around::Pool(name, pool) => left = left.or(Some((name, *pool))),
        }
    }
    None
}

fn leaves(expr: ExprId, word: &str, name: Option<&Name>, pool: ExprId) -> Finding {
    let pool_name = match name {
        Some(name) => format!("the pool `{name}`"),
        None => "the pool".to_owned(),
    };
    Finding::new(POOL, At::Head(expr), format!("`{word}` may not leave {pool_name}"))
        .related(At::Head(pool), "a pool is left at its closing brace only")
}

/// Whether a place is one that a closure around only looks at.
fn captured(written: &Written<'_>, place: ExprId, around: &[Around], how: &str) -> Option<Finding> {
    let local = walk::root(written.hir, place)?;
    let closure = around.iter().find_map(|around| match around {
        Around::Looking(expr) => match &written.hir.exprs[*expr] {
            Expr::Closure(closure) if closure.captures.contains(&local) => Some(*expr),
            _ => None,
        },
        Around::Loop(_) | Around::Pool(..) => None,
    })?;
    let name = &written.hir.locals[local].name;
    let message = format!("`{name}` is only looked at by this closure and cannot be {how}");
    let finding = Finding::new(NOT_MUTABLE, At::Expr(place), message);
    Some(finding.related(At::Head(closure), "the closure runs once for each element"))
}

/// Whether a place cannot be changed, and why.
fn not_mutable(written: &Written<'_>, place: ExprId, how: &str) -> Option<Finding> {
    let hir = written.hir;
    match &hir.exprs[place] {
        Expr::Local(local) => {
            let declaration = &hir.locals[*local];
            match written.types.local_ty(*local) {
                // `.zero_grad()` reads through it; `&mut` of it is a type error.
                Ty::Ref { mutable: true, .. } => None,
                Ty::Ref { mutable: false, .. } if how.contains("zero_grad") => {
                    Some(shared(written, place, *local, how))
                }
                _ if declaration.mutable => None,
                _ => match declaration.binding {
                    // What is passed by value belongs to the function.
                    Binding::Param | Binding::Receiver | Binding::ClosureParam => None,
                    Binding::Loop | Binding::Arm | Binding::Failure | Binding::Const => {
                        Some(immutable(written, place, *local, how))
                    }
                    Binding::Let => {
                        let title = format!("declare `{}` with `mut`", declaration.name);
                        let keyword = At::LocalKeyword(*local);
                        let remedy = Remedy::Replace(keyword, title, "mut".to_owned());
                        Some(immutable(written, place, *local, how).remedy(remedy))
                    }
                },
            }
        }
        Expr::Deref(inner) => match (written.types.ty(*inner), &hir.exprs[*inner]) {
            (Ty::Ref { mutable: false, .. }, Expr::Local(local)) => {
                Some(shared(written, place, *local, how))
            }
            _ => None,
        },
        // The borrow nearest to the part decides, or else what the part is of.
        Expr::Field { base, .. } | Expr::TupleField { base, .. } | Expr::Index { base, .. } => {
            match (written.types.ty(*base), &hir.exprs[*base]) {
                (Ty::Ref { mutable: false, .. }, Expr::Local(local)) => {
                    Some(shared(written, place, *local, how))
                }
                (Ty::Ref { mutable: false, .. }, _) => Some(Finding::new(
                    NOT_MUTABLE,
                    At::Expr(place),
                    format!("this is behind `&` and cannot be {how}"),
                )),
                (Ty::Ref { mutable: true, .. }, _) => None,
                _ => not_mutable(written, *base, how),
            }
        }
        _ => None,
    }
}

fn immutable(written: &Written<'_>, place: ExprId, local: LocalId, how: &str) -> Finding {
    let name = &written.hir.locals[local].name;
    let message = format!("`{name}` is not declared with `mut` and cannot be {how}");
    Finding::new(NOT_MUTABLE, At::Expr(place), message)
        .related(At::Local(local), format!("`{name}` is declared here"))
}

fn shared(written: &Written<'_>, place: ExprId, local: LocalId, how: &str) -> Finding {
    let name = &written.hir.locals[local].name;
    let message = format!("what `{name}` refers to is behind `&` and cannot be {how}");
    let finding = Finding::new(NOT_MUTABLE, At::Expr(place), message)
        .related(At::LocalType(local), format!("`{name}` is a shared reference"));
    match written.hir.params.iter().position(|param| *param == local) {
        Some(index) => finding.remedy(Remedy::InsertBefore(
            At::ParamReferent(index),
            format!("take `{name}` by `&mut`"),
            "mut ".to_owned(),
        )),
        None => finding,
    }
}
