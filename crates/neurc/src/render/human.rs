//! A diagnostic with the text around it.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use neuro_db::{Db, Diagnostic, Edit, Fix, Severity, SourceFile, Span};

/// Draws diagnostics for people.
pub(crate) struct Human<'db> {
    db: &'db dyn Db,
    renderer: Renderer,
}

impl<'db> Human<'db> {
    /// In colours if wanted.
    pub(crate) fn new(db: &'db dyn Db, colours: bool) -> Self {
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        Self { db, renderer: renderer.decor_style(DecorStyle::Ascii) }
    }

    /// A diagnostic and an empty line.
    pub(crate) fn render(&self, diagnostic: &Diagnostic) -> String {
        let mut groups = vec![self.main_group(diagnostic)];
        groups.extend(diagnostic.fixes.iter().map(|fix| self.fix_group(fix)));
        self.renderer.render(&groups) + "\n\n"
    }

    fn main_group<'a>(&'a self, diagnostic: &'a Diagnostic) -> Group<'a> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let main_file = diagnostic.span.file;
        let primary = AnnotationKind::Primary.span(self.range(&diagnostic.span));
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            diagnostic.related.iter().partition(|related| related.span.file == main_file);
        let context = |span: &Span, message: &'a str| {
            AnnotationKind::Context.span(self.range(span)).label(message)
        };
        let here = here.into_iter().map(|related| context(&related.span, &related.message));
        let snippet = self.snippet(main_file).annotation(primary).annotations(here);
        let title = level.primary_title(&*diagnostic.message).id(diagnostic.code.as_str());
        let mut group = title.element(snippet);
        for related in elsewhere {
            let annotation = context(&related.span, &related.message);
            group = group.element(self.snippet(related.span.file).annotation(annotation));
        }
        group.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(&**note)))
    }

    fn fix_group<'a>(&'a self, fix: &'a Fix) -> Group<'a> {
        let mut group = Group::with_title(Level::HELP.secondary_title(&*fix.title));
        let mut edits = &fix.edits[..];
        // The edits of one file after another are drawn together.
        while let Some(first) = edits.first() {
            let file = first.span.file;
            let same = edits.iter().take_while(|edit| edit.span.file == file).count();
            let (now, later) = edits.split_at(same);
            let patch = |edit: &'a Edit| Patch::new(self.range(&edit.span), &*edit.text);
            group = group.element(self.snippet(file).patches(now.iter().map(patch)));
            edits = later;
        }
        group
    }

    fn snippet<T: Clone>(&self, file: SourceFile) -> Snippet<'_, T> {
        Snippet::source(&**file.text(self.db)).path(file.path(self.db).as_str())
    }

    fn range(&self, span: &Span) -> Range<usize> {
        let range = span.absolute(self.db);
        usize::from(range.start())..usize::from(range.end())
    }
}

#[cfg(test)]
mod tests;
