//! Imports that lead nowhere, and names that two of them bind.

use neuro_db::codes::{DUPLICATE, IMPORT, PRIVATE, UNDECLARED};
use neuro_db::{AstId, Db, Diagnostic, Edit, Fix, Name, SourceFile, Span};
use neuro_syntax::{AstNode, SyntaxKind, ast};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use crate::items::{ImportEntry, import_entries};
use crate::names::{exported_names, is_circular};
use crate::{
    Item, Module, PathProblem, Resolution, enum_data, item_name_range, module_title,
    resolve_import, similar, tree,
};

/// The imports of one file.
pub(super) struct Imports<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) file: SourceFile,
    /// The number of the next binding among all of the file.
    next: usize,
    /// The names bound so far, by the module that they are bound in: its inline path.
    bound: FxHashMap<(Vec<Name>, Name), Span>,
}

impl<'db> Imports<'db> {
    pub(super) fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        Self { db, file, next: 0, bound: FxHashMap::default() }
    }

    /// What is wrong with one import, which is item `id` and starts at `start`.
    pub(super) fn check(
        &mut self,
        import: &ast::Import,
        inline: &[Name],
        (id, start): (AstId, TextSize),
        found: &mut Vec<Diagnostic>,
    ) {
        let span = |range: TextRange| Span::in_item(self.file, id, range - start);
        let export = import.export_token().map(|token| span(token.text_range()));
        let before = found.len();
        // What another language imports is reported as such, and names nothing here.
        let foreign =
            import.syntax().first_child().is_some_and(|first| first.kind() == SyntaxKind::ERROR);
        for entry in import_entries(import) {
            let number = self.next;
            self.next += 1;
            let key = (inline.to_vec(), entry.binding.name.clone());
            if let Some(first) = self.bound.get(&key) {
                let name = &entry.binding.name;
                let diagnostic = Diagnostic::new(
                    DUPLICATE,
                    span(entry.name),
                    format!("`{name}` is imported twice"),
                )
                .related(*first, "first imported here")
                .note(format!("give one of them another name: `{name} as ..`"));
                found.push(diagnostic);
                continue;
            }
            self.bound.insert(key, span(entry.name));
            match resolve_import(self.db, self.file, number) {
                Ok(resolution) => {
                    let message = export.and_then(|_| not_handed_on(resolution));
                    if let (Some(message), Some(export)) = (message, export) {
                        found.push(Diagnostic::new(IMPORT, export, message));
                    }
                }
                Err(_) if foreign => {}
                Err(_) if is_circular(self.db, self.file, number) => {
                    let message =
                        format!("the import of `{}` leads back to itself", entry.binding.name);
                    found.push(Diagnostic::new(IMPORT, span(entry.name), message));
                }
                Err(problem) => {
                    let diagnostic = self.problem(&entry, problem, &span);
                    // The path in front of a list is wrong once, whatever the list holds.
                    let new = |diagnostic: &Diagnostic| {
                        let own = found.get(before..).unwrap_or_default();
                        own.iter().all(|known| known.span != diagnostic.span)
                    };
                    let diagnostic = diagnostic.filter(new);
                    found.extend(diagnostic);
                }
            }
        }
    }

    fn problem(
        &self,
        entry: &ImportEntry,
        problem: PathProblem<'db>,
        span: &dyn Fn(TextRange) -> Span,
    ) -> Option<Diagnostic> {
        let at = |segment: usize| {
            let name = entry.binding.path.get(segment).cloned().unwrap_or_default();
            (name, span(entry.path.get(segment).copied().unwrap_or(entry.name)))
        };
        match problem {
            PathProblem::Reported => None,
            PathProblem::Unknown { segment, inside: None } => {
                let (name, span) = at(segment);
                let message = format!("there is no module `{name}`");
                Some(Diagnostic::new(UNDECLARED, span, message).note(format!(
                    "a module is a block `module {name} {{ .. }}`, or a file `{name}.nr` or `{name}/mod.nr` beside this one"
                )))
            }
            PathProblem::Unknown { segment, inside: Some(inside) } => {
                let (name, span) = at(segment);
                Some(self.unknown_in(inside, &name, span))
            }
            PathProblem::Private { segment, found, module } => {
                let (name, span) = at(segment);
                Some(private(self.db, &name, span, found, module))
            }
            PathProblem::Member { base, segment } => {
                let (name, span) = at(segment);
                Some(self.member(base, &name, span))
            }
        }
    }

    fn unknown_in(&self, inside: Resolution<'db>, name: &Name, span: Span) -> Diagnostic {
        let Resolution::Module(module) = inside else {
            let message =
                format!("`{name}` is looked for in {}, which holds no names", described(inside));
            return Diagnostic::new(IMPORT, span, message);
        };
        let title = module_title(self.db, module);
        let message = format!("the module `{title}` has no `{name}`");
        let known = exported_names(self.db, module);
        suggest(Diagnostic::new(UNDECLARED, span, message), name, span, &known)
    }

    fn member(&self, base: Resolution<'db>, name: &Name, span: Span) -> Diagnostic {
        if let Resolution::Item(Item::Enum(found)) = base {
            let title = found.name(self.db);
            let message = format!("the enum `{title}` has no variant `{name}`");
            let variants = &enum_data(self.db, found).variants;
            let known: Vec<Name> = variants.iter().map(|variant| variant.name.clone()).collect();
            return suggest(Diagnostic::new(UNDECLARED, span, message), name, span, &known);
        }
        let what = described(base);
        let message =
            format!("`{name}` would belong to {what}, and nothing is imported out of a type");
        Diagnostic::new(IMPORT, span, message)
            .note("import the type, and name what belongs to it by a path: `Type::name`")
    }
}

/// Adds the name that was probably meant.
fn suggest(diagnostic: Diagnostic, name: &str, span: Span, known: &[Name]) -> Diagnostic {
    match similar(name, known.iter().map(Name::as_str)) {
        Some(meant) => diagnostic.note(format!("did you mean `{meant}`?")).fix(
            format!("change to `{meant}`"),
            span,
            meant,
        ),
        None => diagnostic,
    }
}

/// Says that a name is private to a module, and where it could be exported.
pub(crate) fn private<'db>(
    db: &'db dyn Db,
    name: &Name,
    span: Span,
    found: Resolution<'db>,
    module: Module<'db>,
) -> Diagnostic {
    let title = module_title(db, module);
    let message = format!("`{name}` is private to the module `{title}`");
    let diagnostic = Diagnostic::new(PRIVATE, span, message);
    // What a private import stands for may be exported where it is declared.
    let Resolution::Item(item) = found else { return diagnostic };
    if item.module(db) != module {
        return diagnostic
            .note(format!("`{title}` imports it without handing it on: `export import`"));
    }
    let (file, id) = (item.file(db), item.ast_id(db));
    let declared = Span::in_item(file, id, item_name_range(db, item));
    let diagnostic = diagnostic.related(declared, "declared here without `export`");
    if let Item::Alias(_) = item {
        return diagnostic.note("a type alias belongs to its module alone");
    }
    let node = tree::node(item.source(db));
    let keyword = neuro_syntax::AstNode::cast(node).and_then(|item: ast::Item| item.keyword());
    let Some(keyword) = keyword else { return diagnostic };
    let before = TextRange::empty(keyword.text_range().start());
    let edit = Edit { span: Span::in_item(file, id, before), text: "export ".to_owned() };
    let mut diagnostic = diagnostic;
    diagnostic.fixes.push(Fix { title: format!("export `{name}`"), edits: vec![edit] });
    diagnostic
}

/// Why `export import` may not hand something on.
fn not_handed_on(resolution: Resolution<'_>) -> Option<&'static str> {
    match resolution {
        Resolution::Item(_) | Resolution::Unknown => None,
        Resolution::Module(_) => Some("a module is not handed on, only its items are"),
        Resolution::Variant(..) => Some("a variant is not handed on, only its enum is"),
        Resolution::Generic(..)
        | Resolution::Type(_)
        | Resolution::Trait(_)
        | Resolution::Function(_) => Some("what the language provides is not handed on"),
    }
}

fn described(resolution: Resolution<'_>) -> &'static str {
    match resolution {
        Resolution::Item(item) => item.kind(),
        Resolution::Variant(..) => "a variant",
        Resolution::Module(_) => "a module",
        Resolution::Generic(..) => "a generic parameter",
        Resolution::Type(_) => "a type of the language",
        Resolution::Trait(_) => "a trait of the language",
        Resolution::Function(_) => "a function of the language",
        Resolution::Unknown => "what is not known",
    }
}
