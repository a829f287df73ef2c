//! What is wrong with a file as a whole.

use neuro_db::codes::{DUPLICATE, SYNTAX};
use neuro_db::{AstId, Db, Diagnostic, Name, SourceFile, Span, parse};
use neuro_syntax::{AstNode, AttributePlace, SyntaxError, ast};
use rustc_hash::FxHashMap;
use text_size::TextSize;

use super::imports::Imports;
use super::{Report, attributes};
use crate::tree;

/// The syntax errors of a file, its attributes, names that two items have, and imports that lead nowhere. Runs
/// after every edit of the file.
#[salsa::tracked(returns(deref))]
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let parse = parse(db, file);
    let mut found: Vec<Diagnostic> =
        parse.errors.iter().map(|error| syntax_error(file, error)).collect();
    if let Some(root) = parse.tree() {
        let mut report = Report { file, item: None, found };
        attributes::check(&mut report, root.attrs(), Some(AttributePlace::File));
        found = report.found;
        let imports = Imports::new(db, file);
        let mut items = Items { file, next: 0, inline: Vec::new(), imports, found: &mut found };
        items.module(root.items());
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

/// The walk over the items of a file, which numbers them in preorder.
struct Items<'a, 'db> {
    file: SourceFile,
    next: u32,
    /// The names of the inline modules around.
    inline: Vec<Name>,
    imports: Imports<'db>,
    found: &'a mut Vec<Diagnostic>,
}

/// The names of one module or one `impl` block so far, with where they stand.
type Names = FxHashMap<Name, Span>;

impl Items<'_, '_> {
    fn number(&mut self) -> AstId {
        let id = AstId(self.next);
        self.next += 1;
        id
    }

    fn module(&mut self, items: impl Iterator<Item = ast::Item>) {
        let mut names = Names::default();
        items.for_each(|item| self.item(&item, &mut names));
    }

    fn item(&mut self, item: &ast::Item, names: &mut Names) {
        let id = self.number();
        let start = item.syntax().text_range().start();
        let span = Span::in_item(self.file, id, tree::item_name_range(item) - start);
        self.declare(tree::item_name(item), span, names);
        let members = match item {
            ast::Item::Module(module) => {
                self.inline.push(tree::item_name(item));
                self.module(module.items());
                self.inline.pop();
                None
            }
            ast::Item::Import(import) => {
                self.imports.check(import, &self.inline, (id, start), self.found);
                None
            }
            ast::Item::Trait(item) => item.members(),
            ast::Item::Impl(block) => block.members(),
            ast::Item::Func(_)
            | ast::Item::Const(_)
            | ast::Item::Struct(_)
            | ast::Item::Enum(_)
            | ast::Item::Newtype(_)
            | ast::Item::TypeAlias(_) => None,
        };
        if let Some(members) = members {
            self.members(&members, (id, start));
        }
    }

    /// The functions and associated types of an `impl` block or a trait.
    fn members(&mut self, members: &ast::AssocItemList, (owner, start): (AstId, TextSize)) {
        let mut names = Names::default();
        for member in members.items() {
            let (id, start, name) = match &member {
                ast::AssocItem::Func(func) => {
                    (self.number(), func.syntax().text_range().start(), func.name())
                }
                ast::AssocItem::Type(declared) => (owner, start, declared.name()),
            };
            if let Some(name) = name {
                let range = tree::trimmed_range(name.syntax()) - start;
                let span = Span::in_item(self.file, id, range);
                self.declare(Name::from(name.text()), span, &mut names);
            }
        }
    }

    fn declare(&mut self, name: Name, span: Span, names: &mut Names) {
        if name.is_empty() || name == "_" {
            return;
        }
        match names.get(&name) {
            Some(first) => {
                let message = format!("`{name}` is declared twice");
                let diagnostic = Diagnostic::new(DUPLICATE, span, message)
                    .related(*first, "first declared here");
                self.found.push(diagnostic);
            }
            None => {
                names.insert(name, span);
            }
        }
    }
}
