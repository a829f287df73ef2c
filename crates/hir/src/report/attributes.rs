//! Attributes in front of items: whether they exist, belong there, and stand once.
//!
//! What the arguments of `@grad` mean is checked with the derivative that they ask for.

use neuro_db::codes::{ATTRIBUTE, UNSUPPORTED};
use neuro_db::{Diagnostic, Name};
use neuro_syntax::{
    ATTRIBUTES, AstNode, Attribute, AttributePlace, AttributeValue, ast, attribute,
};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::Report;
use crate::{similar::similar, tree};

/// The attributes that this compiler acts on.
const SUPPORTED: [&str; 7] =
    ["grad", "jacobian", "expect", "no_grad", "derive", "allow", "no_prelude"];

/// Attributes that the language is to have.
const PLANNED: [&str; 3] = ["inline", "test", "cfg"];
/// Traits that the language is to derive.
const UNDERIVED: [&str; 2] = ["Hashable", "Comparable"];

/// The attributes of an item, which stand at a place; none where no attribute may stand.
pub(super) fn check(
    report: &mut Report,
    attrs: impl Iterator<Item = ast::Attr>,
    place: Option<AttributePlace>,
) {
    let mut seen: FxHashMap<Name, TextRange> = FxHashMap::default();
    for attr in attrs {
        let Some(name) = attr.name() else { continue };
        let range = tree::trimmed_range(name.syntax());
        let text = Name::from(name.text());
        if text.is_empty() {
            continue;
        }
        // A line for each lint is fine.
        if let Some(first) = seen.get(&text).filter(|_| text != "allow") {
            let message = format!("`@{text}` stands here twice");
            let diagnostic = Diagnostic::new(ATTRIBUTE, report.span(range), message)
                .related(report.span(*first), "first written here");
            report.found.push(diagnostic);
            continue;
        }
        if let Some(known) = check_name(report, &text, range, place) {
            check_arguments(report, known, &attr);
        }
        check_repeated_arguments(report, &attr);
        seen.insert(text, range);
    }
}

/// The attribute of a name, if it exists, belongs here and is supported.
fn check_name(
    report: &mut Report,
    name: &str,
    range: TextRange,
    place: Option<AttributePlace>,
) -> Option<&'static Attribute> {
    let span = report.span(range);
    let Some(known) = attribute(name) else {
        if PLANNED.contains(&name) {
            report.unsupported(&format!("`@{name}` is"), range);
            return None;
        }
        let mut diagnostic =
            Diagnostic::new(ATTRIBUTE, span, format!("there is no attribute `@{name}`"));
        if let Some(meant) = similar(name, ATTRIBUTES.iter().map(|attribute| attribute.name)) {
            diagnostic = diagnostic.fix(format!("did you mean `@{meant}`?"), span, meant);
        }
        report.found.push(diagnostic);
        return None;
    };
    if place.is_none_or(|place| !known.places.contains(&place)) {
        let message = format!("`@{name}` belongs {}", belongs(known.places));
        report.found.push(Diagnostic::new(ATTRIBUTE, span, message));
        return None;
    }
    match name {
        "gpu" | "kernel" => {
            let message = format!("`@{name}` is not supported yet: there is no GPU back end");
            report.found.push(Diagnostic::new(UNSUPPORTED, span, message));
            None
        }
        name if !SUPPORTED.contains(&name) => {
            report.unsupported(&format!("`@{name}` is"), range);
            None
        }
        _ => Some(known),
    }
}

/// Arguments that an attribute does not have. Those of a derivative are checked with its signature.
fn check_arguments(report: &mut Report, known: &'static Attribute, attr: &ast::Attr) {
    if matches!(known.name, "grad" | "jacobian" | "expect") {
        return;
    }
    let lists = known.args.iter().any(|arg| matches!(arg.value, AttributeValue::Names(_)));
    if lists && attr.args().next().is_none() {
        let name = known.name;
        let what = if name == "derive" { "a trait: `@derive(Copy)`" } else { "a lint" };
        let range = tree::trimmed_range(attr.syntax());
        let message = format!("`@{name}` names nothing; in parentheses it takes {what}");
        report.found.push(Diagnostic::new(ATTRIBUTE, report.span(range), message));
    }
    for arg in attr.args() {
        let Some(name) = arg.name() else { continue };
        let range = tree::trimmed_range(name.syntax());
        let text = name.text();
        if text.is_empty() {
            continue;
        }
        let labelled = arg.value().is_some();
        let expected = match labelled {
            true => known.args.iter().find(|expected| expected.label == text),
            false => known.args.iter().find(|expected| expected.label.is_empty()),
        };
        match expected.map(|expected| expected.value) {
            Some(AttributeValue::Names(names)) => {
                check_listed(report, known, names, &text, range);
            }
            Some(_) => {}
            None => unknown_argument(report, known, &text, range),
        }
    }
}

/// A bare argument that must be one of some names.
fn check_listed(
    report: &mut Report,
    known: &Attribute,
    names: &[&'static str],
    text: &str,
    range: TextRange,
) {
    if names.is_empty() || names.contains(&text) {
        return;
    }
    if known.name == "derive" && UNDERIVED.contains(&text) {
        report.unsupported(&format!("to derive `{text}` is"), range);
        return;
    }
    let span = report.span(range);
    let message = match known.name {
        "allow" => format!("there is no lint `{text}`"),
        name => format!("`@{name}` knows no `{text}`"),
    };
    let mut diagnostic = Diagnostic::new(ATTRIBUTE, span, message);
    diagnostic = match similar(text, names.iter().copied()).or_else(|| completed(text, names)) {
        Some(meant) => diagnostic.note(format!("did you mean `{meant}`?")).fix(
            format!("change to `{meant}`"),
            span,
            meant,
        ),
        None => diagnostic.note(format!("it takes {}", listed(names))),
    };
    report.found.push(diagnostic);
}

/// The only name that begins with a text.
fn completed(text: &str, names: &[&'static str]) -> Option<&'static str> {
    let mut found = names.iter().filter(|name| name.starts_with(text));
    let first = found.next()?;
    found.next().is_none().then_some(*first)
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

fn unknown_argument(report: &mut Report, known: &Attribute, text: &str, range: TextRange) {
    let span = report.span(range);
    let name = known.name;
    let labels: Vec<&str> =
        known.args.iter().map(|arg| arg.label).filter(|label| !label.is_empty()).collect();
    let message = match known.args.is_empty() {
        true => format!("`@{name}` takes no arguments, and `{text}` is one"),
        false => format!("`@{name}` has no argument `{text}`"),
    };
    let mut diagnostic = Diagnostic::new(ATTRIBUTE, span, message);
    if let Some(meant) = similar(text, labels.iter().copied()) {
        diagnostic = diagnostic.fix(format!("change to `{meant}`"), span, meant);
    } else if !labels.is_empty() {
        diagnostic = diagnostic.note(format!("it takes {}", listed(&labels)));
    }
    report.found.push(diagnostic);
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
