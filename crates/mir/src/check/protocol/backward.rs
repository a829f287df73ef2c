//! The protocol of `.backward()`: once, on a `val` bound directly to a `@grad` call, in its block.

use neuro_db::codes::{BACKWARD, GRADIENT_ARGUMENT};
use neuro_hir::{Binding, Expr, ExprId, Function, LocalId};
use neuro_types::{Finding, Method, Place as At, Remedy, Ty, diff_spec, fn_sig};
use rustc_hash::FxHashMap;

use crate::check::Analysis;
use crate::check::scene::Scene;
use crate::pairs::{BindingSite, Pair, binding_sites, called, method, pairs};
use crate::walk;

pub(super) fn check<'db>(scene: &Scene<'db>, analysis: &mut Analysis<'db>) {
    let calls: Vec<ExprId> = scene
        .hir
        .exprs
        .iter()
        .map(|(expr, _)| expr)
        .filter(|expr| method(scene.types, *expr) == Some(Method::Backward))
        .collect();
    if calls.is_empty() {
        return;
    }
    if has_grad(scene, scene.function) {
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
    let sites = binding_sites(scene.hir);
    let mut first: FxHashMap<LocalId, ExprId> = FxHashMap::default();
    for call in calls {
        let Expr::MethodCall { receiver, .. } = &scene.hir.exprs[call] else { continue };
        match &scene.hir.exprs[*receiver] {
            Expr::Local(local) => {
                let refused = binding(scene, call, *local, &sites, analysis);
                if refused {
                    continue;
                }
                if let Some(first) = first.get(local) {
                    analysis.findings.push(second(scene, call, *first, *local));
                } else {
                    first.insert(*local, call);
                }
            }
            _ => analysis.findings.push(no_binding(scene, call, *receiver)),
        }
    }
    let mut paired: Vec<Pair<'db>> =
        pairs(scene.db, scene.hir, scene.types).by_call.into_values().collect();
    paired.sort_by_key(|pair| pair.call.into_raw().into_u32());
    for pair in paired {
        arguments(scene, &pair, &mut analysis.findings);
    }
}

fn has_grad<'db>(scene: &Scene<'db>, function: Function<'db>) -> bool {
    neuro_hir::signature(scene.db, function)
        .attrs
        .iter()
        .any(|attr| matches!(attr.name.as_str(), "grad" | "jacobian"))
}

/// The receiver is no name.
fn no_binding(scene: &Scene<'_>, call: ExprId, receiver: ExprId) -> Finding {
    let at = At::Head(call);
    match called(scene.hir, scene.types, receiver) {
        Some(function) if has_grad(scene, function) => {
            let name = function.name(scene.db);
            Finding::new(BACKWARD, at, format!("bind the call of `{name}` before `.backward()`"))
                .related(At::Expr(receiver), "the arguments are borrowed from here on")
                .note("`val l = ..` and then `l.backward()`: the derivative is compiled into this pair")
        }
        Some(function) => {
            let name = function.name(scene.db);
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
    scene: &Scene<'db>,
    call: ExprId,
    local: LocalId,
    sites: &FxHashMap<LocalId, BindingSite>,
    analysis: &mut Analysis<'db>,
) -> bool {
    let declaration = &scene.hir.locals[local];
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
    let Some(function) = called(scene.hir, scene.types, site.init) else {
        let message = format!("`{name}` is not bound directly to a call of a `@grad` function");
        let finding = Finding::new(BACKWARD, at, message)
            .related(At::Expr(site.init), format!("`{name}` is bound to this"));
        analysis.findings.push(finding);
        return true;
    };
    if diff_spec(scene.db, function).spec.is_none() {
        // What is wrong with an attribute that is there is said at the attribute.
        if !has_grad(scene, function) {
            let called = function.name(scene.db);
            let message = format!("`{called}` has no `@grad`, so its value has no `.backward()`");
            let finding = Finding::new(BACKWARD, at, message)
                .related(At::Expr(site.init), format!("`{name}` is bound to this call"));
            analysis.ungraded.push((analysis.findings.len(), function));
            analysis.findings.push(finding);
        }
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
    if !same_block(scene, call, *site) {
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

fn same_block(scene: &Scene<'_>, call: ExprId, site: BindingSite) -> bool {
    walk::exprs_after(scene.hir, site.block, site.index).contains(&call)
}

fn second(scene: &Scene<'_>, call: ExprId, first: ExprId, local: LocalId) -> Finding {
    let name = &scene.hir.locals[local].name;
    Finding::new(BACKWARD, At::Head(call), format!("`{name}.backward()` runs once"))
        .related(At::Head(first), "it runs here")
        .note("the values that the derivative needs are released by the first `.backward()`; call the function again for another")
}

/// Each differentiated argument is `&mut name` or a `&mut` binding.
fn arguments(scene: &Scene<'_>, pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let Expr::Call { args, .. } = &scene.hir.exprs[pair.call] else { return };
    let sig = fn_sig(scene.db, pair.function);
    let order = scene.types.arguments.get(pair.call);
    for param in pair.spec.params() {
        let index = order.and_then(|order| order.get(param)).copied().unwrap_or(param);
        let (Some(arg), Some(sig)) = (args.get(index), sig.params.get(param)) else { continue };
        let given = &scene.hir.exprs[arg.value];
        let holds = match given {
            Expr::Borrow { mutable: true, operand } => {
                matches!(scene.hir.exprs[*operand], Expr::Local(_))
            }
            Expr::Local(_) => {
                matches!(scene.types.ty(arg.value), Ty::Ref { mutable: true, .. })
            }
            _ => false,
        };
        if holds {
            continue;
        }
        let message = format!("`{}` is differentiated and needs `&mut name`", sig.name);
        let mut finding = Finding::new(GRADIENT_ARGUMENT, At::Expr(arg.value), message)
            .related(At::Head(pair.backward), "the gradient is written here, beside that tensor");
        if let Expr::Borrow { mutable: true, operand } = given
            && let Expr::Deref(inner) = &scene.hir.exprs[*operand]
            && let Expr::Local(local) = &scene.hir.exprs[*inner]
        {
            let name = &scene.hir.locals[*local].name;
            let title = format!("pass `{name}` on");
            finding = finding.remedy(Remedy::Replace(At::Expr(arg.value), title, name.to_string()));
        }
        findings.push(finding);
    }
}
