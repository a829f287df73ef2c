//! Attributes in front of items: whether they exist, belong there, and stand once.
//!
//! What the arguments of `@grad` and `@no_grad` mean is checked with the derivative that they ask for.

use neuro_db::codes::ATTRIBUTE;
use neuro_db::{Diagnostic, Name};
use neuro_syntax::{ATTRIBUTES, AstNode, AttributePlace, ast, attribute};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::Report;
use crate::{similar::similar, tree};

/// The attributes that this compiler acts on.
const SUPPORTED: [&str; 4] = ["grad", "jacobian", "no_grad", "expect"];

/// The attributes of an item, which stand at a place; none where no attribute may stand.
pub(super) fn check(report: &mut Report, item: &ast::Item, place: Option<AttributePlace>) {
    let mut seen: FxHashMap<Name, TextRange> = FxHashMap::default();
    for attr in item.attrs() {
        let Some(name) = attr.name() else { continue };
        let range = tree::trimmed_range(name.syntax());
        let text = Name::from(name.text());
        if text.is_empty() {
            continue;
        }
        if let Some(first) = seen.get(&text) {
            let message = format!("`@{text}` stands here twice");
            let diagnostic = Diagnostic::new(ATTRIBUTE, report.span(range), message)
                .related(report.span(*first), "first written here");
            report.found.push(diagnostic);
            continue;
        }
        check_name(report, &text, range, place);
        check_repeated_arguments(report, &attr);
        seen.insert(text, range);
    }
}

fn check_name(report: &mut Report, name: &str, range: TextRange, place: Option<AttributePlace>) {
    let span = report.span(range);
    let Some(known) = attribute(name) else {
        let mut diagnostic =
            Diagnostic::new(ATTRIBUTE, span, format!("there is no attribute `@{name}`"));
        if let Some(meant) = similar(name, ATTRIBUTES.iter().map(|attribute| attribute.name)) {
            diagnostic = diagnostic.fix(format!("did you mean `@{meant}`?"), span, meant);
        }
        report.found.push(diagnostic);
        return;
    };
    if place.is_none_or(|place| !known.places.contains(&place)) {
        let message = format!("`@{name}` belongs {}", belongs(known.places));
        report.found.push(Diagnostic::new(ATTRIBUTE, span, message));
    } else if !SUPPORTED.contains(&name) {
        report.unsupported(&format!("`@{name}` is"), range);
    }
}

fn belongs(places: &[AttributePlace]) -> String {
    let words: Vec<&str> = places
        .iter()
        .map(|place| match place {
            AttributePlace::File => "the items of a file, on its first line",
            AttributePlace::Function => "a function",
            AttributePlace::Method => "a method",
            AttributePlace::Struct => "a struct",
        })
        .collect();
    format!("in front of {}", words.join(" or "))
}

/// An argument that is given twice, of which only one could count.
fn check_repeated_arguments(report: &mut Report, attr: &ast::Attr) {
    let mut seen: FxHashMap<Name, TextRange> = FxHashMap::default();
    for arg in attr.args() {
        let Some(label) = arg.name().map(|name| name.syntax().clone()) else { continue };
        let (text, range) = (Name::from(tree::text(&label)), tree::trimmed_range(&label));
        match seen.get(&text) {
            Some(first) => {
                let message = format!("`{text}` is given twice");
                let diagnostic = Diagnostic::new(ATTRIBUTE, report.span(range), message)
                    .related(report.span(*first), "first given here");
                report.found.push(diagnostic);
            }
            None => {
                seen.insert(text, range);
            }
        }
    }
}
