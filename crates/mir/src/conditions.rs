//! Conditions of `where` clauses that only an instance decides: `f` calls `g` with its own constant parameter, and it
//! is the call of `f` that says which number that is.

use neuro_db::Db;
use neuro_db::codes::BOUND;
use neuro_hir::{ExprId, Function, Item};
use neuro_types::{
    Callee, Extent, Finding, GenericArg, Inference, Place, Ty, implementation, infer, unmet,
};

/// The calls of a function that ask for instances which cannot be: something that is called by way of them has a condition
/// that does not hold, or there are endlessly many.
#[salsa::tracked(returns(ref))]
pub(crate) fn wrong_instances<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Finding> {
    let types = infer(db, function);
    if !types.findings.is_empty() {
        return Vec::new();
    }
    let mut findings = crate::growth::growing_calls(db, function);
    for (call, callee, args) in generic_calls(types) {
        let known = args.iter().any(|arg| matches!(arg, GenericArg::Const(Extent::Known(_))));
        if !known || args.iter().any(speaks_of_parameters) {
            continue;
        }
        let (callee, args) = implementation(db, callee, args);
        if let Some((message, by)) = behind(db, callee, args) {
            let note = format!("it is called by `{}`", by.name(db));
            findings.push(Finding::new(BOUND, Place::Head(call), message).note(note));
        }
    }
    findings
}

/// The calls of generic functions in a body, and what these are applied to.
pub(crate) fn generic_calls<'t, 'db>(
    types: &'t Inference<'db>,
) -> impl Iterator<Item = (ExprId, Function<'db>, &'t [GenericArg])> {
    types.generic_args.iter().filter_map(|(expr, args)| match types.callees.get(expr) {
        Some(Callee::Function(function)) => Some((expr, *function, args.as_slice())),
        _ => None,
    })
}

/// The first condition that does not hold of what is called for an instance, and who calls it.
fn behind<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    args: Vec<GenericArg>,
) -> Option<(String, Function<'db>)> {
    let mut seen = vec![(function, args)];
    let mut next = 0;
    while let Some((function, args)) = seen.get(next).cloned() {
        next += 1;
        for (_, callee, written) in generic_calls(infer(db, function)) {
            // The others are checked where they stand.
            if !written.iter().any(speaks_of_parameters) {
                continue;
            }
            let applied: Vec<GenericArg> = written.iter().map(|arg| arg.apply(&args)).collect();
            let (callee, applied) = implementation(db, callee, &applied);
            if let Some(unmet) = unmet(db, Item::Function(callee), &applied).into_iter().next() {
                return Some((unmet.message, function));
            }
            let found = (callee, applied);
            if seen.len() < MAX_INSTANCES && !seen.contains(&found) {
                seen.push(found);
            }
        }
    }
    None
}

/// So many instances are looked at behind one call.
const MAX_INSTANCES: usize = 256;

fn speaks_of_parameters(arg: &GenericArg) -> bool {
    match arg {
        GenericArg::Type(ty) => ty.any(&mut |part| match part {
            Ty::Param(_) | Ty::Assoc(_) => true,
            Ty::Array { len, .. } => len.known().is_none(),
            _ => false,
        }),
        GenericArg::Const(Extent::Param(_) | Extent::Formula(_)) => true,
        GenericArg::Const(_) => false,
    }
}
