//! What is wrong with a file as a whole.

use neuro_db::codes::{DUPLICATE, SYNTAX, UNSUPPORTED};
use neuro_db::{AstId, Db, Diagnostic, Name, SourceFile, Span, parse};
use neuro_syntax::{AstNode, SyntaxError, ast};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

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
        Items { file, next: 0, found: &mut found }.module(root.items());
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
struct Items<'a> {
    file: SourceFile,
    next: u32,
    found: &'a mut Vec<Diagnostic>,
}

/// The names of one module or one `impl` block so far, with where they stand.
type Names = FxHashMap<Name, Span>;

impl Items<'_> {
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
        let in_item = |range: TextRange| Span::in_item(self.file, id, range - start);
        let span = in_item(tree::item_name_range(item));
        let keyword = in_item(tree::token_or_first(item.keyword(), item.syntax()));
        self.declare(tree::item_name(item), span, names);
        let members = match item {
            ast::Item::Module(module) => {
                let message = "modules are not supported yet";
                self.found.push(Diagnostic::new(UNSUPPORTED, keyword, message));
                return self.module(module.items());
            }
            ast::Item::Import(_) => {
                let message = "imports are not supported yet";
                self.found.push(Diagnostic::new(UNSUPPORTED, keyword, message));
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
