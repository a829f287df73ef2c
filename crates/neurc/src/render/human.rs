//! A diagnostic with the text around it.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Padding, Patch, Renderer, Snippet,
};
use neuro_db::{Db, Diagnostic, Edit, Fix, Severity, SourceFile, Span};
use text_size::TextSize;

use super::excerpt::{Excerpt, are_far, shown};
use super::positions::{Position, Positions};

/// Draws diagnostics for people.
pub(crate) struct Human<'db> {
    db: &'db dyn Db,
    positions: &'db Positions<'db>,
    renderer: Renderer,
}

/// A place that is marked in the text.
struct Mark<'a> {
    range: Range<usize>,
    /// What stands beside it; the main place of a diagnostic has nothing.
    label: Option<&'a str>,
}

impl<'db> Human<'db> {
    /// In colours if wanted.
    pub(crate) fn new(db: &'db dyn Db, positions: &'db Positions<'db>, colours: bool) -> Self {
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        Self { db, positions, renderer: renderer.decor_style(DecorStyle::Ascii) }
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
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            diagnostic.related.iter().partition(|related| related.span.file == main_file);
        let main = Mark { range: self.range(&diagnostic.span), label: None };
        let lines = self.positions.lines(main_file);
        let near = |mark: &Mark<'a>| !are_far(&lines, &main.range, &mark.range);
        let mark = |span: &Span, label: &'a str| Mark { range: self.range(span), label: Some(label) };
        let (mut together, apart): (Vec<_>, Vec<_>) =
            here.into_iter().map(|related| mark(&related.span, &related.message)).partition(near);
        together.insert(0, main);
        let title = level.primary_title(&*diagnostic.message).id(diagnostic.code.as_str());
        let mut elements = self.snippet(main_file, &together, true);
        for mark in apart {
            elements.extend(self.snippet(main_file, &[mark], false));
        }
        for related in elsewhere {
            let marks = [mark(&related.span, &related.message)];
            elements.extend(self.snippet(related.span.file, &marks, false));
        }
        let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(&**note).into());
        title.elements(elements.into_iter().chain(notes))
    }

    /// The lines of some places of a file, under the name of the file and the position of the first mark.
    fn snippet<'a>(&'a self, file: SourceFile, marks: &[Mark<'a>], first: bool) -> Vec<Element<'a>> {
        let ranges: Vec<_> = marks.iter().map(|mark| mark.range.clone()).collect();
        let excerpt = self.excerpt(file, &ranges);
        let annotation = |mark: &Mark<'a>| -> Annotation<'a> {
            let range = excerpt.range(&mark.range);
            match mark.label {
                Some(label) => AnnotationKind::Context.span(range).label(label),
                None => AnnotationKind::Primary.span(range),
            }
        };
        let annotations: Vec<_> = marks.iter().map(annotation).collect();
        let path = file.path(self.db).as_str();
        let snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line);
        if !excerpt.shortened {
            return vec![snippet.path(path).annotations(annotations).into()];
        }
        // In a shortened line columns would be counted wrongly: the position is given beside the snippet.
        let start = ranges.first().map_or(0, |range| range.start);
        let start = TextSize::try_from(start).unwrap_or_default();
        let Position { line, column } = self.positions.position(file, start);
        let origin = Origin::path(path).line(line).char_column(column);
        let shown = [origin.into(), snippet.annotations(annotations).into()];
        (!first).then(|| Padding.into()).into_iter().chain(shown).collect()
    }

    fn fix_group<'a>(&'a self, fix: &'a Fix) -> Group<'a> {
        let mut group = Group::with_title(Level::HELP.secondary_title(&*fix.title));
        let mut edits = &fix.edits[..];
        // The edits of one file after another are drawn together where they are near each other.
        while let Some(first) = edits.first() {
            let lines = self.positions.lines(first.span.file);
            let range = self.range(&first.span);
            let is_near = |edit: &&Edit| {
                edit.span.file == first.span.file
                    && !are_far(&lines, &range, &self.range(&edit.span))
            };
            let (now, later) = edits.split_at(edits.iter().take_while(is_near).count().max(1));
            group = group.element(self.patches(first.span.file, now));
            edits = later;
        }
        group
    }

    fn patches<'a>(&'a self, file: SourceFile, edits: &'a [Edit]) -> Snippet<'a, Patch<'a>> {
        let ranges: Vec<_> = edits.iter().map(|edit| self.whole_range(&edit.span)).collect();
        let excerpt = self.excerpt(file, &ranges);
        let patches: Vec<_> = edits
            .iter()
            .zip(&ranges)
            .map(|(edit, range)| Patch::new(excerpt.range(range), &*edit.text))
            .collect();
        Snippet::source(excerpt.text)
            .line_start(excerpt.first_line)
            .path(file.path(self.db).as_str())
            .patches(patches)
    }

    fn excerpt(&self, file: SourceFile, ranges: &[Range<usize>]) -> Excerpt {
        Excerpt::new(file.text(self.db), &self.positions.lines(file), ranges)
    }

    /// The part of a place that is marked.
    fn range(&self, span: &Span) -> Range<usize> {
        shown(&self.positions.lines(span.file), self.whole_range(span))
    }

    fn whole_range(&self, span: &Span) -> Range<usize> {
        let range = span.absolute(self.db);
        usize::from(range.start())..usize::from(range.end())
    }
}

#[cfg(test)]
mod tests;
