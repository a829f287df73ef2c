//! `neuro.toml`: the settings of a project, and what is wrong with them.

use std::ops::Range;

use neuro_db::codes::{self, Code, PROJECT};
use neuro_db::{Db, Diagnostic, SourceFile, Span};
use neuro_hir::similar;
use text_size::{TextRange, TextSize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the project file.
pub const PROJECT_FILE: &str = "neuro.toml";

/// What a lint's findings are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Not shown.
    Allow,
    /// Warnings.
    Warn,
    /// Errors.
    Deny,
}

/// A file or folder that a project names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// Its path, relative to the folder of the project file.
    pub path: String,
    /// Where the path is written.
    pub range: TextRange,
}

/// What a project file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    /// What is checked and formatted when no path is given; the project's folder if there is none.
    pub roots: Vec<Root>,
    /// Wall-clock time of a run in an editor, in seconds.
    pub timeout_seconds: Option<u64>,
    /// Memory of a run in an editor, in mebibytes.
    pub memory_mib: Option<u64>,
    /// What is wrong with the file, in the order of the text; such parts of it say nothing.
    pub diagnostics: Vec<Diagnostic>,
    lints: Vec<(Code, Level)>,
}

impl Project {
    /// The level of a lint, if the project sets one.
    pub fn level(&self, lint: Code) -> Option<Level> {
        self.lints.iter().find(|(code, _)| *code == lint).map(|(_, level)| *level)
    }
}

/// Whether a path is that of a project file.
pub fn is_project_file(path: &str) -> bool {
    std::path::Path::new(path).file_name().is_some_and(|name| name == PROJECT_FILE)
}

/// What is said of a root that does not exist.
pub fn missing_root(file: SourceFile, root: &Root) -> Diagnostic {
    let message = format!("there is no `{}`", root.path);
    Diagnostic::new(PROJECT, Span::in_file(file, root.range), message)
}

/// Reads a project file.
#[salsa::tracked(returns(ref))]
pub fn read_project(db: &dyn Db, file: SourceFile) -> Project {
    let mut reader = Reader { file, project: Project::default() };
    match DeTable::parse(file.text(db)) {
        Ok(table) => reader.document(table.get_ref()),
        Err(error) => {
            let end = TextRange::empty(TextSize::of(&**file.text(db)));
            let at = error.span().map_or(end, range);
            // What follows a mistake of the syntax may be read wrongly: it is the only one that is told.
            reader.report(at, error.message().replace('\n', ", "));
        }
    }
    let mut project = reader.project;
    project.diagnostics.sort_by_key(|diagnostic| diagnostic.span.range.start());
    project
}

type Key<'t> = Spanned<std::borrow::Cow<'t, str>>;

struct Reader {
    file: SourceFile,
    project: Project,
}

impl Reader {
    fn report(&mut self, range: TextRange, message: String) {
        let span = Span::in_file(self.file, range);
        self.project.diagnostics.push(Diagnostic::new(PROJECT, span, message));
    }

    /// Reports something that is none of the known words, and offers the closest.
    fn unknown<'a>(
        &mut self,
        at: Range<usize>,
        message: String,
        word: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
        quote: &str,
    ) {
        let span = Span::in_file(self.file, range(at));
        let mut diagnostic = Diagnostic::new(PROJECT, span, message);
        match similar(word, known.clone()) {
            Some(meant) => {
                let title = format!("did you mean `{meant}`?");
                diagnostic = diagnostic.fix(title, span, format!("{quote}{meant}{quote}"));
            }
            None => {
                let known: Vec<String> =
                    known.into_iter().map(|word| format!("`{word}`")).collect();
                if !known.is_empty() {
                    diagnostic = diagnostic.note(format!("known here: {}", known.join(", ")));
                }
            }
        }
        self.project.diagnostics.push(diagnostic);
    }

    fn document(&mut self, document: &DeTable<'_>) {
        for (name, value) in document {
            match &**name.get_ref() {
                "project" => self.table(name, value, &["roots"], Self::project_key),
                "lints" => self.table(name, value, &[], Self::lint),
                "worker" => {
                    self.table(name, value, &["timeout_seconds", "memory_mib"], Self::worker_key);
                }
                other => {
                    let message = format!("there is no table `{other}` in `{PROJECT_FILE}`");
                    self.unknown(name.span(), message, other, ["project", "lints", "worker"], "");
                }
            }
        }
    }

    /// Reads the keys of a table; `known` lists them, unless it is empty.
    fn table(
        &mut self,
        name: &Key<'_>,
        value: &Spanned<DeValue<'_>>,
        known: &[&str],
        read: impl Fn(&mut Self, &Key<'_>, &Spanned<DeValue<'_>>),
    ) {
        let title = name.get_ref();
        let DeValue::Table(table) = value.get_ref() else {
            let message = format!("`{title}` is a table: write `[{title}]` above its keys");
            return self.report(range(value.span()), message);
        };
        // The map is in the order of the keys; of two that mean the same, the later is the mistake.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let word = &**key.get_ref();
            if known.is_empty() || known.contains(&word) {
                read(self, key, value);
            } else {
                let message = format!("`[{title}]` has no key `{word}`");
                self.unknown(key.span(), message, word, known.iter().copied(), "");
            }
        }
    }

    fn project_key(&mut self, _roots: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let DeValue::Array(roots) = value.get_ref() else {
            return self.wrong(value, "`roots` is a list of folders, as in `[\"src\"]`");
        };
        if roots.is_empty() {
            self.wrong(value, "`roots` names no folder; without this key it is the project's own");
        }
        for root in roots.iter() {
            match root.get_ref() {
                DeValue::String(path) if !path.is_empty() => {
                    let root = Root { path: path.to_string(), range: range(root.span()) };
                    self.project.roots.push(root);
                }
                _ => self.wrong(root, "a root is the path of a folder or file, in quotes"),
            }
        }
    }

    fn lint(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name = key.get_ref();
        let Some(lint) = codes::find_lint(name) else {
            let message = format!("there is no lint `{name}`");
            let word = name.replace('-', "_");
            let known: Vec<_> = codes::lint_names().collect();
            return self.unknown(key.span(), message, &word, known, "");
        };
        if self.project.level(lint.code).is_some() {
            let message = format!("the level of `{name}` is set twice");
            return self.report(range(key.span()), message);
        }
        let word = value.get_ref().as_str().unwrap_or_default();
        let level = match word {
            "allow" => Level::Allow,
            "warn" => Level::Warn,
            "deny" => Level::Deny,
            _ => {
                let message = format!("the level of `{name}` is \"allow\", \"warn\" or \"deny\"");
                // The message lists the levels, so nothing is added where none is close.
                let close = similar(word, ["allow", "warn", "deny"]);
                return self.unknown(value.span(), message, word, close, "\"");
            }
        };
        self.project.lints.push((lint.code, level));
    }

    fn worker_key(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let limit = match value.get_ref() {
            DeValue::Integer(integer) => {
                u64::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        };
        match (limit, &**key.get_ref()) {
            (Some(limit @ 1..), "timeout_seconds") => self.project.timeout_seconds = Some(limit),
            (Some(limit @ 1..), _) => self.project.memory_mib = Some(limit),
            (_, name) => self.wrong(value, &format!("`{name}` is a whole number, 1 or more")),
        }
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, message: &str) {
        self.report(range(value.span()), message.to_owned());
    }
}

/// A range as the tree of programs has it.
fn range(range: Range<usize>) -> TextRange {
    let offset = |offset: usize| TextSize::try_from(offset).unwrap_or(TextSize::new(u32::MAX));
    TextRange::new(offset(range.start), offset(range.end.max(range.start)))
}

#[cfg(test)]
mod tests;
