//! Findings about items, headers and bodies, as diagnostics with places.

mod attributes;
mod file;
mod imports;
mod headers;

use neuro_db::codes::{DUPLICATE, SYNTAX, UNSUPPORTED};
use neuro_db::{AstId, Db, Diagnostic, SourceFile, Span};
use neuro_syntax::{AstNode, AttributePlace, ast};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use crate::header::params;
use crate::lower::{LoweringFinding, const_places, function_places};
use crate::{Const, Function, Item, body, const_body, tree};

pub use file::file_diagnostics;

/// Collects the diagnostics of one item.
struct Report {
    file: SourceFile,
    /// The item; none for the file as a whole.
    item: Option<AstId>,
    found: Vec<Diagnostic>,
}

impl Report {
    fn of(db: &dyn Db, item: Item<'_>) -> Self {
        Self { file: item.file(db), item: Some(item.ast_id(db)), found: Vec::new() }
    }

    fn span(&self, range: TextRange) -> Span {
        Span { file: self.file, item: self.item, range }
    }

    fn unsupported(&mut self, what: &str, range: TextRange) {
        let span = self.span(range);
        self.found.push(Diagnostic::new(UNSUPPORTED, span, format!("{what} not supported yet")));
    }
}

/// What is wrong with a function's attributes, its parameters' names, and the constructs of its body.
#[salsa::tracked(returns(deref))]
pub fn diagnostics<'db>(db: &'db dyn Db, function: Function<'db>) -> Vec<Diagnostic> {
    let mut report = Report::of(db, Item::Function(function));
    if let Some(func) = ast::Func::cast(tree::node(function.source(db))) {
        let place = match function.is_member(db) {
            true => AttributePlace::Method,
            false => AttributePlace::Function,
        };
        attributes::check(&mut report, func.attrs(), Some(place));
        headers::check_generics(&mut report, func.generics());
        check_receiver(&mut report, &func, function.is_member(db));
        check_parameters(&mut report, &func);
    }
    if body(db, function).refused {
        add_findings(&mut report, &function_places(db, function).findings);
    }
    report.found
}

/// What is wrong with the constructs of a constant's value.
#[salsa::tracked(returns(deref))]
pub fn const_diagnostics<'db>(db: &'db dyn Db, constant: Const<'db>) -> Vec<Diagnostic> {
    let mut report = Report::of(db, Item::Const(constant));
    if let Some(item) = ast::Item::cast(tree::node(constant.source(db))) {
        attributes::check(&mut report, item.attrs(), None);
    }
    if const_body(db, constant).refused {
        add_findings(&mut report, &const_places(db, constant).findings);
    }
    report.found
}

/// What is wrong with the names and constructs of an item.
pub fn item_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db [Diagnostic] {
    match item {
        Item::Function(function) => diagnostics(db, function),
        Item::Const(constant) => const_diagnostics(db, constant),
        Item::Struct(_)
        | Item::Enum(_)
        | Item::Newtype(_)
        | Item::Alias(_)
        | Item::Trait(_)
        | Item::Impl(_) => headers::header_diagnostics(db, item),
    }
}

/// A receiver where there is nothing to be received.
fn check_receiver(report: &mut Report, func: &ast::Func, member: bool) {
    if let Some(receiver) = func.params().and_then(|list| list.self_param())
        && !member
    {
        let span = report.span(tree::trimmed_range(receiver.syntax()));
        let message = "only the functions of an `impl` block or a trait take `self`";
        report.found.push(Diagnostic::new(SYNTAX, span, message));
    }
}

/// Two parameters of one name in the body, or of one label at the call.
fn check_parameters(report: &mut Report, func: &ast::Func) {
    let mut names: FxHashMap<String, TextRange> = FxHashMap::default();
    let mut labels: FxHashMap<String, TextRange> = FxHashMap::default();
    for param in params(func) {
        let Some(name) = param.name() else { continue };
        let range = tree::trimmed_range(name.syntax());
        let twice = add_once(report, &mut names, name.text(), range, "parameter");
        let label = match param.label() {
            Some(label) => label.text().map(|text| (text, tree::trimmed_range(label.syntax()))),
            None => Some((name.text(), range)),
        };
        if let Some((text, range)) = label.filter(|_| !twice) {
            add_once(report, &mut labels, text, range, "parameter label");
        }
    }
}

/// Notes a name; reports it and says so if it is there already.
fn add_once(
    report: &mut Report,
    seen: &mut FxHashMap<String, TextRange>,
    name: String,
    range: TextRange,
    what: &str,
) -> bool {
    if name.is_empty() || name == "_" {
        return false;
    }
    let message = format!("the {what} `{name}` is declared twice");
    let Some(first) = seen.get(&name).copied() else {
        seen.insert(name, range);
        return false;
    };
    let diagnostic = Diagnostic::new(DUPLICATE, report.span(range), message)
        .related(report.span(first), "first declared here");
    report.found.push(diagnostic);
    true
}

fn add_findings(report: &mut Report, findings: &[LoweringFinding]) {
    for finding in findings {
        let span = report.span(finding.range);
        let mut diagnostic = Diagnostic::new(finding.code, span, finding.message.clone());
        if let Some((range, message)) = finding.related {
            diagnostic = diagnostic.related(report.span(range), message);
        }
        report.found.push(diagnostic);
    }
}
