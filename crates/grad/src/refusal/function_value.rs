//! Which function a function value is: known while compiling, or chosen when the program runs.

use neuro_hir::{Binding, Body, Expr, ExprId, LocalId};

use super::construct::initial;

/// Whether which function a value is depends on what happens when the program runs. A parameter gets its function from
/// the call, which is known where the call is.
pub(super) fn is_chosen(body: &Body, value: ExprId) -> bool {
    match &body.exprs[value] {
        Expr::Local(local) => is_local_chosen(body, *local),
        Expr::Borrow { operand: inner, .. } | Expr::Deref(inner) => is_chosen(body, *inner),
        Expr::Block { tail: Some(tail), .. } => is_chosen(body, *tail),
        Expr::If { .. } | Expr::Match { .. } | Expr::Loop { .. } => true,
        // A part of what the function was given; of what it made itself the parts are known.
        Expr::Field { base, .. } | Expr::TupleField { base, .. } | Expr::Index { base, .. } => {
            super::construct::is_given(body, *base)
        }
        _ => false,
    }
}

fn is_local_chosen(body: &Body, local: LocalId) -> bool {
    if is_assigned(body, local) {
        return true;
    }
    match body.locals[local].binding {
        Binding::Let => initial(body, local).is_some_and(|init| is_chosen(body, init)),
        Binding::Arm | Binding::Failure | Binding::Loop => true,
        Binding::Param | Binding::Receiver | Binding::ClosureParam | Binding::Const => false,
    }
}

fn is_assigned(body: &Body, local: LocalId) -> bool {
    body.exprs.values().any(|expr| {
        matches!(expr, Expr::Assign { place, .. }
            if matches!(body.exprs[*place], Expr::Local(assigned) if assigned == local))
    })
}
