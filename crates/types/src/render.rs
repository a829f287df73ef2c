//! From findings to diagnostics: the only place of this crate that knows positions.

mod places;

use neuro_db::{Db, Diagnostic};
use neuro_hir::{Const, Function, Item, Predicate};

use crate::items::{alias_type, enum_variants, impl_header, newtype_inner, struct_fields};
use crate::traits::conform::conformance;
use crate::{Finding, const_inference, diff_spec, fn_sig, generics, infer};
use places::Places;

/// What is wrong with the types of a function: its header, what `@grad` asks of it, its body.
#[salsa::tracked(returns(deref))]
pub fn diagnostics<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let item = Item::Function(function);
    let mut all = header_diagnostics(db, item);
    all.extend(render(db, function, &fn_sig(db, function).findings));
    all.extend(render(db, function, conformance(db, function)));
    all.extend(render(db, function, &diff_spec(db, function).findings));
    all.extend(render(db, function, &infer(db, function).findings));
    all.extend(render(db, function, &crate::demands::unmet(db, function)));
    let unseen = crate::traits::unseen_result(db, function);
    all.extend(render(db, function, unseen.as_slice()));
    all.sort_by_key(|diagnostic| diagnostic.span.range.start());
    all
}

/// What is wrong with a constant.
#[salsa::tracked(returns(deref))]
pub fn const_diagnostics<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Diagnostic> {
    render_item(db, Item::Const(constant), &const_inference(db, constant).findings)
}

/// What is wrong with the types of an item of any kind.
#[salsa::tracked(returns(deref))]
pub fn item_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    let findings: &[Finding] = match item {
        Item::Function(function) => return diagnostics(db, function).to_vec(),
        Item::Const(constant) => return const_diagnostics(db, constant).to_vec(),
        Item::Struct(item) => &struct_fields(db, item).findings,
        Item::Enum(item) => &enum_variants(db, item).findings,
        Item::Newtype(item) => &newtype_inner(db, item).findings,
        // Of aliases that stand for each other, the first one of the file tells it.
        Item::Alias(alias) if crate::items::told_by_another(db, alias) => &[],
        Item::Alias(alias) => &alias_type(db, alias).findings,
        Item::Impl(block) => &impl_header(db, block).findings,
        Item::Trait(_) => &[],
    };
    let mut all = header_diagnostics(db, item);
    all.extend(render_item(db, item, findings));
    all.extend(render_item(db, item, &crate::items::item_problems(db, item)));
    all.sort_by_key(|diagnostic| diagnostic.span.range.start());
    all
}

/// What is wrong with the generic parameters and the conditions of an item.
fn header_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    let generics = generics(db, item);
    let mut all = render_item(db, item, &generics.findings);
    let contents = crate::items::contents(db, item).iter();
    let wrong: Vec<Finding> =
        contents.filter_map(|content| content.finding(db, generics, true)).collect();
    all.extend(render_item(db, item, &wrong));
    let Some(written) = crate::generic_params::written(db, item) else { return all };
    for (index, predicate) in written.predicates.iter().enumerate() {
        let Predicate::Condition(_) = predicate else { continue };
        let findings = &crate::condition(db, item, index).findings;
        if !findings.is_empty() {
            let places = Places::of_condition(db, item, index);
            all.extend(findings.iter().map(|finding| places.render(finding)));
        }
    }
    all
}

/// Findings of a function as diagnostics. Runs again after every edit above the function or in it, so a
/// query that calls it should do nothing else.
pub fn render<'db>(
    db: &'db dyn Db,
    function: Function<'db>,
    findings: &[Finding],
) -> Vec<Diagnostic> {
    render_item(db, Item::Function(function), findings)
}

/// Findings of an item as diagnostics.
pub fn render_item<'db>(db: &'db dyn Db, item: Item<'db>, findings: &[Finding]) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return Vec::new();
    }
    let places = Places::new(db, item);
    findings.iter().map(|finding| places.render(finding)).collect()
}
