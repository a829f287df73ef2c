//! What is wrong with the headers of types, traits and `impl` blocks: attributes, and names that stand twice.

use neuro_db::{Db, Diagnostic};
use neuro_syntax::{AstNode, AttributePlace, ast};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::{Report, add_once, attributes};
use crate::{Item, tree};

/// What is wrong with the header of an item that has no body.
#[salsa::tracked(returns(deref))]
pub(super) fn header_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic> {
    let mut report = Report::of(db, item);
    let Some(node) = ast::Item::cast(tree::node(item.source(db))) else { return report.found };
    let place = match node {
        ast::Item::Struct(_) => Some(AttributePlace::Struct),
        ast::Item::Func(_)
        | ast::Item::Const(_)
        | ast::Item::Enum(_)
        | ast::Item::Newtype(_)
        | ast::Item::TypeAlias(_)
        | ast::Item::Trait(_)
        | ast::Item::Impl(_)
        | ast::Item::Import(_)
        | ast::Item::Module(_) => None,
    };
    attributes::check(&mut report, node.attrs(), place);
    match &node {
        ast::Item::Struct(item) => {
            check_generics(&mut report, item.generics());
            check_fields(&mut report, item.fields());
        }
        ast::Item::Enum(item) => {
            check_generics(&mut report, item.generics());
            let mut names = FxHashMap::default();
            for variant in item.variants() {
                once(&mut report, &mut names, variant.name(), "variant");
                check_fields(&mut report, variant.fields());
            }
        }
        ast::Item::Trait(item) => check_generics(&mut report, item.generics()),
        ast::Item::Impl(block) => check_generics(&mut report, block.generics()),
        ast::Item::Func(_)
        | ast::Item::Const(_)
        | ast::Item::Newtype(_)
        | ast::Item::TypeAlias(_)
        | ast::Item::Import(_)
        | ast::Item::Module(_) => {}
    }
    report.found
}

/// Generic parameters of one name.
pub(super) fn check_generics(report: &mut Report, list: Option<ast::GenericParamList>) {
    let mut names = FxHashMap::default();
    for param in list.into_iter().flat_map(|list| list.params()) {
        match param {
            ast::GenericParam::Type(param) => {
                once(report, &mut names, param.name(), "generic parameter");
            }
            ast::GenericParam::Const(param) => {
                once(report, &mut names, param.name(), "generic parameter");
            }
            ast::GenericParam::Lifetime(param) => {
                let range = tree::trimmed_range(param.syntax());
                let name = tree::text(param.syntax());
                add_once(report, &mut names, name, range, "lifetime");
            }
        }
    }
}

fn check_fields(report: &mut Report, fields: impl Iterator<Item = ast::Field>) {
    let mut names = FxHashMap::default();
    for field in fields {
        once(report, &mut names, field.name(), "field");
    }
}

fn once(
    report: &mut Report,
    names: &mut FxHashMap<String, TextRange>,
    name: Option<ast::Name>,
    what: &str,
) {
    if let Some(name) = name {
        add_once(report, names, name.text(), tree::trimmed_range(name.syntax()), what);
    }
}
