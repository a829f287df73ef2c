//! What is wrong with a file as a whole.

use neuro_db::codes::{DUPLICATE, SYNTAX, UNSUPPORTED};
use neuro_db::{AstId, Db, Diagnostic, SourceFile, Span, parse};
use neuro_syntax::{AstNode, SyntaxError, ast};
use rustc_hash::FxHashMap;

use crate::tree;

/// The syntax errors of a file, its items that are not supported yet, and names that two items have.
/// Runs after every edit of the file.
#[salsa::tracked(returns(deref))]
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let parse = parse(db, file);
    let mut found: Vec<Diagnostic> =
        parse.errors.iter().map(|error| syntax_error(file, error)).collect();
    if let Some(root) = parse.tree() {
        for attr in root.attrs() {
            let span = Span::in_file(file, tree::trimmed_range(attr.syntax()));
            let name = tree::name_ref_text(attr.name());
            let message = format!("`@{name}` for a file is not supported yet");
            found.push(Diagnostic::new(UNSUPPORTED, span, message));
        }
        check_items(file, &root, &mut found);
    }
    found
}

fn syntax_error(file: SourceFile, error: &SyntaxError) -> Diagnostic {
    let span = Span::in_file(file, error.range);
    let diagnostic = Diagnostic::new(SYNTAX, span, error.message.clone());
    match &error.fix {
        Some(fix) => {
            diagnostic.fix(fix.title.clone(), Span::in_file(file, fix.range), fix.text.clone())
        }
        None => diagnostic,
    }
}

fn check_items(file: SourceFile, root: &ast::SourceFile, found: &mut Vec<Diagnostic>) {
    let mut names: FxHashMap<String, Span> = FxHashMap::default();
    for (id, item) in (0..).map(AstId).zip(root.items()) {
        let start = item.syntax().text_range().start();
        let in_item = |range| Span::in_item(file, id, range - start);
        if let Some(what) = unsupported_item(&item) {
            let keyword = tree::token_or_first(item.keyword(), item.syntax());
            let message = format!("{what} not supported yet");
            found.push(Diagnostic::new(UNSUPPORTED, in_item(keyword), message));
        }
        let name = tree::item_name(&item).to_string();
        if name.is_empty() || name == "_" {
            continue;
        }
        let span = in_item(tree::item_name_range(&item));
        match names.get(&name) {
            Some(first) => {
                let message = format!("`{name}` is declared twice");
                let diagnostic = Diagnostic::new(DUPLICATE, span, message)
                    .related(*first, "first declared here");
                found.push(diagnostic);
            }
            None => {
                names.insert(name, span);
            }
        }
    }
}

/// How a message begins that refuses an item.
fn unsupported_item(item: &ast::Item) -> Option<&'static str> {
    match item {
        ast::Item::Func(_) | ast::Item::Const(_) => None,
        ast::Item::Struct(_) => Some("structs are"),
        ast::Item::Enum(_) => Some("enums are"),
        ast::Item::Trait(_) => Some("traits are"),
        ast::Item::Impl(_) => Some("`impl` blocks are"),
        ast::Item::Newtype(_) => Some("newtypes are"),
        ast::Item::TypeAlias(_) => Some("type aliases are"),
        ast::Item::Import(_) => Some("imports are"),
        ast::Item::Module(_) => Some("modules are"),
    }
}
