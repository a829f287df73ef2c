//! Calls that would never stop asking for new instances: a generic function that calls itself, by way of others too,
//! with a type built around its own parameter.
//!
//! The parameters of functions are the nodes of a graph; a call leads from a parameter of the caller to the one of the
//! callee whose argument mentions it, and grows where the argument is more than the parameter. There are endlessly many
//! instances if a circle has a growing edge (ECMA-335, part II, section 9.2).

use neuro_db::Db;
use neuro_db::codes::GENERIC_ARGUMENTS;
use neuro_hir::{Function, Item};
use neuro_types::{Finding, GenericArg, Place, Ty, generics, implementation, infer};
use rustc_hash::FxHashSet;

use crate::conditions::generic_calls;

/// A type parameter of a function, by its index.
type Node<'db> = (Function<'db>, u32);

/// The calls of a function that grow.
pub(crate) fn growing_calls<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Finding> {
    let types = infer(db, function);
    let mut findings = Vec::new();
    for (call, callee, written) in generic_calls(types) {
        // An implementation is given parts of what is written, never more.
        if grown(written).next().is_none() {
            continue;
        }
        let (callee, args) = implementation(db, callee, written);
        let growing =
            grown(&args).find(|(from, to, _)| reaches(db, (callee, *to), (function, *from)));
        let Some((from, _, ty)) = growing else { continue };
        let params = &generics(db, Item::Function(function)).params;
        let Some(param) = params.get(from as usize) else { continue };
        let (name, param) = (callee.name(db), &param.name);
        let message = format!(
            "this call of `{name}` needs `{}` for `{ty}`, and then for ever larger types",
            function.name(db)
        );
        let note = format!("pass on `{param}` itself, or a reference to `dyn` of a trait");
        findings.push(Finding::new(GENERIC_ARGUMENTS, Place::Head(call), message).note(note));
    }
    findings
}

/// The arguments that are more than a parameter of the caller: this parameter, which argument it is, and the type.
fn grown(args: &[GenericArg]) -> impl Iterator<Item = (u32, u32, &Ty)> {
    edges(args).filter(|(_, _, ty)| !matches!(ty, Ty::Param(_)))
}

/// The parameters of the caller that each argument mentions.
fn edges(args: &[GenericArg]) -> impl Iterator<Item = (u32, u32, &Ty)> {
    args.iter().enumerate().flat_map(|(to, arg)| {
        let GenericArg::Type(ty) = arg else { return Vec::new() };
        let mut from = Vec::new();
        ty.any(&mut |part| {
            if let Ty::Param(param) = part {
                from.push((param.index, to as u32, ty));
            }
            false
        });
        from
    })
}

/// Whether calls lead from one parameter to another.
fn reaches<'db>(db: &'db dyn Db, start: Node<'db>, goal: Node<'db>) -> bool {
    let mut seen = FxHashSet::from_iter([start]);
    let mut todo = vec![start];
    while let Some((function, index)) = todo.pop() {
        if (function, index) == goal {
            return true;
        }
        for (_, callee, written) in generic_calls(infer(db, function)) {
            let (callee, args) = implementation(db, callee, written);
            let next = edges(&args).filter(|(from, ..)| *from == index);
            todo.extend(next.map(|(_, to, _)| (callee, to)).filter(|next| seen.insert(*next)));
        }
    }
    false
}
