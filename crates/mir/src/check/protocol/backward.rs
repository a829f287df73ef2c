//! The protocol of `.backward()`: once, on a `val` bound directly to a `@grad` call, in its block.

use neuro_db::codes::{BACKWARD, GRADIENT_ARGUMENT};
use neuro_hir::{Binding, Expr, ExprId, Function, LocalId};
use neuro_types::{Finding, Method, Place as At, Remedy, Ty, WrtBase, diff_spec, fn_sig};
use rustc_hash::FxHashMap;

use super::Written;
use crate::check::Analysis;
use crate::pairs::{BindingSite, Pair, binding_sites, called, is_lent, method, pairs, through_dyn};
use crate::walk;

pub(super) fn check<'db>(written: &Written<'db>, analysis: &mut Analysis<'db>) {
    let calls: Vec<ExprId> = written
        .hir
        .exprs
        .iter()
        .map(|(expr, _)| expr)
        .filter(|expr| method(written.types, *expr) == Some(Method::Backward))
        .collect();
    if calls.is_empty() {
        return;
    }
    if has_grad(written, written.function) {
        for call in calls {
            let finding = Finding::new(
                BACKWARD,
                At::Head(call),
                "`.backward()` cannot run inside a `@grad` function",
            );
            let note =
                "the derivative of a gradient is made by `@grad(order: 2)` on the function itself";
            analysis.findings.push(finding.note(note));
        }
        return;
    }
    let sites = binding_sites(written.hir);
    let mut first: FxHashMap<LocalId, ExprId> = FxHashMap::default();
    for call in calls {
        let Expr::MethodCall { receiver, .. } = &written.hir.exprs[call] else { continue };
        match &written.hir.exprs[*receiver] {
            Expr::Local(local) => {
                let refused = binding(written, call, *local, &sites, analysis);
                if refused {
                    continue;
                }
                if let Some(first) = first.get(local) {
                    analysis.findings.push(second(written, call, *first, *local));
                } else {
                    first.insert(*local, call);
                }
            }
            _ => analysis.findings.push(no_binding(written, call, *receiver)),
        }
    }
    let mut paired: Vec<Pair<'db>> =
        pairs(written.db, written.hir, written.types).by_call.into_values().collect();
    paired.sort_by_key(|pair| pair.call.into_raw().into_u32());
    for pair in paired {
        arguments(written, &pair, &mut analysis.findings);
        functions(written, &pair, &sites, &mut analysis.findings);
    }
}

fn has_grad<'db>(written: &Written<'db>, function: Function<'db>) -> bool {
    neuro_hir::signature(written.db, function)
        .attrs
        .iter()
        .any(|attr| matches!(attr.name.as_str(), "grad" | "jacobian"))
}

/// The receiver is no name.
fn no_binding(written: &Written<'_>, call: ExprId, receiver: ExprId) -> Finding {
    let at = At::Head(call);
    match called(written.hir, written.types, receiver) {
        Some(function) if has_grad(written, function) => {
            let name = function.name(written.db);
            Finding::new(BACKWARD, at, format!("bind the call of `{name}` before `.backward()`"))
                .related(At::Expr(receiver), "the arguments are borrowed from here on")
                .note("`val l = ..` and then `l.backward()`: the derivative is compiled into this pair")
        }
        Some(function) => {
            let name = function.name(written.db);
            let message = format!(
                "`.backward()` needs a `val` bound to a `@grad` call; `{name}` is called in place"
            );
            Finding::new(BACKWARD, at, message)
        }
        None => {
            let message =
                "`.backward()` runs on what a `@grad` call gave, not on what is computed from it";
            Finding::new(BACKWARD, at, message)
                .related(At::Expr(receiver), "this is computed")
                .note("make it part of the `@grad` function, so that it is differentiated too")
        }
    }
}

/// Checks the binding whose `.backward()` is called; gives whether it was refused.
fn binding<'db>(
    written: &Written<'db>,
    call: ExprId,
    local: LocalId,
    sites: &FxHashMap<LocalId, BindingSite>,
    analysis: &mut Analysis<'db>,
) -> bool {
    let declaration = &written.hir.locals[local];
    let name = &declaration.name;
    let at = At::Head(call);
    let Some(site) = sites.get(&local) else {
        let what =
            if declaration.binding == Binding::Param { "a parameter" } else { "a loop variable" };
        let message = format!("`{name}` is {what}, not a `val` bound to a `@grad` call");
        let note = "call `.backward()` where the `@grad` function is called";
        analysis.findings.push(
            Finding::new(BACKWARD, at, message)
                .related(At::Local(local), format!("`{name}` is declared here"))
                .note(note),
        );
        return true;
    };
    let Some(function) = called(written.hir, written.types, site.init) else {
        let message = format!("`{name}` is not bound directly to a call of a `@grad` function");
        let finding = Finding::new(BACKWARD, at, message)
            .related(At::Expr(site.init), format!("`{name}` is bound to this"));
        analysis.findings.push(finding);
        return true;
    };
    if diff_spec(written.db, function).spec.is_none() {
        // What is wrong with an attribute that is there is said at the attribute.
        if !has_grad(written, function) {
            let called = function.name(written.db);
            let message = format!("`{called}` has no `@grad`, so its value has no `.backward()`");
            let finding = Finding::new(BACKWARD, at, message)
                .related(At::Expr(site.init), format!("`{name}` is bound to this call"));
            analysis.ungraded.push((analysis.findings.len(), function));
            analysis.findings.push(finding);
        }
        return true;
    }
    if let Some(ty) = through_dyn(written.db, (written.hir, written.types), site.init) {
        let called = function.name(written.db);
        let message = format!(
            "`{name}` comes from a call through `{ty}`, and which `{called}` ran is not known here"
        );
        let note = "call it on a value whose type is known; a plain call through `dyn` needs no derivative";
        analysis.findings.push(
            Finding::new(BACKWARD, at, message)
                .related(At::Expr(site.init), format!("`{name}` is bound to this call"))
                .note(note),
        );
        return true;
    }
    if declaration.mutable {
        let message = format!("`{name}` is declared with `mut`; `.backward()` needs a `val`");
        let title = format!("declare `{name}` with `val`");
        analysis.findings.push(
            Finding::new(BACKWARD, at, message)
                .related(At::Local(local), format!("`{name}` is declared here"))
                .remedy(Remedy::Replace(At::LocalKeyword(local), title, "val".to_owned())),
        );
        return true;
    }
    if !same_block(written, call, *site) {
        let message = format!(
            "`{name}.backward()` must stand in the block of the call that `{name}` is bound to"
        );
        analysis.findings.push(
            Finding::new(BACKWARD, at, message)
                .related(At::Expr(site.init), "the call is here, in another block"),
        );
        return true;
    }
    false
}

fn same_block(written: &Written<'_>, call: ExprId, site: BindingSite) -> bool {
    walk::exprs_after(written.hir, site.block, site.index).contains(&call)
}

fn second(written: &Written<'_>, call: ExprId, first: ExprId, local: LocalId) -> Finding {
    let name = &written.hir.locals[local].name;
    Finding::new(BACKWARD, At::Head(call), format!("`{name}.backward()` runs once"))
        .related(At::Head(first), "it runs here")
        .note("the values that the derivative needs are released by the first `.backward()`; call the function again for another")
}

/// Each differentiated argument is `&mut name` or a `&mut` binding, and a receiver is a place.
fn arguments(written: &Written<'_>, pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let sig = fn_sig(written.db, pair.function);
    for base in pair.spec.bases() {
        let Some(arg) = pair.given.at(base) else { continue };
        if is_lent(written.hir, written.types, base, arg) {
            continue;
        }
        let message = match base {
            WrtBase::Receiver => {
                "the receiver is differentiated, and this value ends with the call".to_owned()
            }
            WrtBase::Param(param) => {
                let name = sig.params.get(param).map(|param| param.name.as_str());
                format!("`{}` is differentiated and needs `&mut name`", name.unwrap_or_default())
            }
        };
        let mut finding = Finding::new(GRADIENT_ARGUMENT, At::Expr(arg), message);
        finding = match (pair.backward, base) {
            (_, WrtBase::Receiver) => finding.note("bind it to a name first"),
            (Some(backward), _) => finding
                .related(At::Head(backward), "the gradient is written here, beside that tensor"),
            (None, _) => finding,
        };
        if let Expr::Borrow { mutable: true, operand } = &written.hir.exprs[arg]
            && let Expr::Deref(inner) = &written.hir.exprs[*operand]
            && let Expr::Local(local) = &written.hir.exprs[*inner]
        {
            let name = &written.hir.locals[*local].name;
            let title = format!("pass `{name}` on");
            finding = finding.remedy(Remedy::Replace(At::Expr(arg), title, name.to_string()));
        }
        findings.push(finding);
    }
}

/// A function-typed parameter gets its function where the call is written: the derivative is made for it.
fn functions(
    written: &Written<'_>,
    pair: &Pair<'_>,
    sites: &FxHashMap<LocalId, BindingSite>,
    findings: &mut Vec<Finding>,
) {
    let sig = fn_sig(written.db, pair.function);
    for (param, arg) in sig.params.iter().zip(&pair.given.params) {
        let (Ty::Fn(_), Some(arg)) = (param.ty.peeled(), *arg) else { continue };
        let Some(why) = not_written_here(written, arg, sites) else { continue };
        let function = pair.function.name(written.db);
        let message = format!(
            "the derivative of `{function}` is made for the function that is given here, and {why}"
        );
        let finding = Finding::new(GRADIENT_ARGUMENT, At::Expr(arg), message);
        findings.push(finding.note("write a closure or the name of a function at the call; a choice becomes an `if` around two calls"));
    }
}

/// Why a function value is not one that is written at the call, or a name for one that captures nothing.
fn not_written_here(
    written: &Written<'_>,
    value: ExprId,
    sites: &FxHashMap<LocalId, BindingSite>,
) -> Option<String> {
    let hir = written.hir;
    let local = match &hir.exprs[value] {
        Expr::Closure(_) | Expr::Path(_) | Expr::Compose { .. } => return None,
        Expr::Borrow { operand, .. } => return not_written_here(written, *operand, sites),
        Expr::Local(local) => *local,
        _ => return Some("this is only known when the program runs".to_owned()),
    };
    let declaration = &hir.locals[local];
    let name = &declaration.name;
    let Some(site) = sites.get(&local) else {
        return Some(format!("`{name}` is only known when the program runs"));
    };
    if declaration.mutable {
        return Some(format!("`{name}` is declared with `mut`"));
    }
    match &hir.exprs[site.init] {
        Expr::Closure(closure) => closure.captures.first().map(|captured| {
            format!(
                "`{name}` keeps `{}`: write the closure itself here",
                hir.locals[*captured].name
            )
        }),
        Expr::If { .. } | Expr::Match { .. } => {
            Some(format!("`{name}` is chosen when the program runs"))
        }
        _ => not_written_here(written, site.init, sites),
    }
}
