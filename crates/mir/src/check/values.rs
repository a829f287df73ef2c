//! Function values: what one holds ends with the call that made it, so none gets out of that call.
//!
//! A function is given function values by its arguments only, and passes them down. It gives none back, which the
//! types refuse where they say so, and this where a struct, an enum or a hidden type holds one; and it puts none
//! behind a reference.

use neuro_db::codes::DANGLING;
use neuro_hir::ExprId;
use neuro_types::{Finding, Place as At};

use super::access::{AccessKind, accesses};
use super::scene::Scene;
use crate::ownership::holds_function;
use crate::{Operand, Place, StatementKind};

pub(super) fn check(scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let body = &scene.body;
    let ret = body.ret.map(|ret| &body.locals[ret].ty);
    if let Some(ret) = ret
        && body.value.is_none()
        && holds_function(scene.db, ret)
    {
        let message =
            format!("`{ret}` holds a function value, which is not returned: {}", reason(scene));
        findings.push(Finding::new(DANGLING, At::ReturnType, message).note(ADVICE));
    }
    let mut told: Option<ExprId> = None;
    for block in body.blocks.values() {
        for statement in &block.statements {
            if told != Some(statement.expr) && stores(scene, statement) {
                told = Some(statement.expr);
                let message =
                    format!("a function value is not put behind a reference: {}", reason(scene));
                findings
                    .push(Finding::new(DANGLING, At::Expr(statement.expr), message).note(ADVICE));
            }
        }
    }
}

const ADVICE: &str = "pass what is done with it instead: take a function as a parameter";

fn reason(scene: &Scene<'_>) -> String {
    format!("it may hold what ends with `{}`", scene.function.name(scene.db))
}

/// Whether a statement puts a function value behind a reference.
fn stores(scene: &Scene<'_>, statement: &crate::Statement<'_>) -> bool {
    let body = &scene.body;
    if let StatementKind::Collection { op, place, args, .. } = &statement.kind {
        let given = |arg: &Operand| match arg {
            Operand::Copy(from) | Operand::Move(from) => holds(scene, from),
            Operand::Const(_) => false,
        };
        return op.changes() && place.is_behind_reference() && args.iter().any(given);
    }
    accesses(body, statement).iter().any(|access| {
        access.kind == AccessKind::Assign
            && access.place.is_behind_reference()
            && holds(scene, access.place)
    })
}

fn holds(scene: &Scene<'_>, place: &Place) -> bool {
    holds_function(scene.db, &scene.body.place_ty(place))
}
