//! A diagnostic with the text around it.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Patch, Renderer, Snippet,
};
use neuro_db::{Db, Diagnostic, Edit, Fix, Severity, SourceFile, Span};
use text_size::TextSize;

use super::excerpt::{Excerpt, are_far, shown};
use super::positions::{Position, Positions};
use crate::output::Look;

/// Columns of what is no terminal.
const USUAL_COLUMNS: usize = 140;

/// Columns that a drawing needs, on the narrowest terminal too.
const FEWEST_COLUMNS: usize = 40;

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
    /// For a stream that looks so.
    pub(crate) fn new(db: &'db dyn Db, positions: &'db Positions<'db>, look: Look) -> Self {
        let renderer = if look.colours { Renderer::styled() } else { Renderer::plain() };
        let columns = look.columns.map_or(USUAL_COLUMNS, |columns| columns.max(FEWEST_COLUMNS));
        let renderer = renderer.term_width(columns).decor_style(DecorStyle::Ascii);
        Self { db, positions, renderer }
    }

    /// A diagnostic and an empty line.
    pub(crate) fn render(&self, diagnostic: &Diagnostic) -> String {
        let mut headers = Headers::default();
        let main_file = diagnostic.span.file;
        let (main, main_path) = self.main_group(diagnostic, &mut headers);
        let mut groups = vec![main];
        for fix in &diagnostic.fixes {
            groups.push(self.fix_group(fix, main_file, &main_path, &mut headers));
        }
        headers.put_in(&self.renderer.render(&groups)) + "\n\n"
    }

    /// The diagnostic itself, and how the renderer knows its file.
    fn main_group<'a>(
        &'a self,
        diagnostic: &'a Diagnostic,
        headers: &mut Headers,
    ) -> (Group<'a>, String) {
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
        let mark =
            |span: &Span, label: &'a str| Mark { range: self.range(span), label: Some(label) };
        let (mut together, apart): (Vec<_>, Vec<_>) =
            here.into_iter().map(|related| mark(&related.span, &related.message)).partition(near);
        together.insert(0, main);
        let (snippet, main_path) = self.snippet(main_file, &together, headers);
        let title = level.primary_title(&*diagnostic.message).id(diagnostic.code.as_str());
        let mut elements: Vec<Element<'a>> = vec![snippet.into()];
        for mark in apart {
            elements.push(self.snippet(main_file, &[mark], headers).0.into());
        }
        for related in elsewhere {
            let marks = [mark(&related.span, &related.message)];
            elements.push(self.snippet(related.span.file, &marks, headers).0.into());
        }
        let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(&**note).into());
        (title.elements(elements.into_iter().chain(notes)), main_path)
    }

    /// The lines of some places of a file, under the name of the file and the position of the first mark; and
    /// how the renderer knows the file.
    fn snippet<'a>(
        &'a self,
        file: SourceFile,
        marks: &[Mark<'a>],
        headers: &mut Headers,
    ) -> (Snippet<'a, Annotation<'a>>, String) {
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
        let path = self.header(file, &excerpt, &ranges, headers);
        let snippet = Snippet::source(excerpt.text)
            .line_start(excerpt.first_line)
            .path(path.clone())
            .annotations(annotations);
        (snippet, path)
    }

    fn fix_group<'a>(
        &'a self,
        fix: &'a Fix,
        main_file: SourceFile,
        main_path: &str,
        headers: &mut Headers,
    ) -> Group<'a> {
        let mut group = Group::with_title(Level::HELP.secondary_title(&*fix.title));
        let mut edits = &fix.edits[..];
        // The edits of one file after another are drawn together where they are near each other.
        while let Some(first) = edits.first() {
            let file = first.span.file;
            let lines = self.positions.lines(file);
            let range = self.range(&first.span);
            let is_near = |edit: &&Edit| {
                edit.span.file == file && !are_far(&lines, &range, &self.range(&edit.span))
            };
            let (now, later) = edits.split_at(edits.iter().take_while(is_near).count().max(1));
            let ranges: Vec<_> = now.iter().map(|edit| self.whole_range(&edit.span)).collect();
            let excerpt = self.excerpt(file, &ranges);
            let path = match file == main_file {
                true => main_path.to_owned(),
                false => self.header(file, &excerpt, &ranges, headers),
            };
            let patches = now.iter().zip(&ranges);
            let patches =
                patches.map(|(edit, range)| Patch::new(excerpt.range(range), &*edit.text));
            let patches: Vec<_> = patches.collect();
            let snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line);
            group = group.element(snippet.path(path).patches(patches));
            edits = later;
        }
        group
    }

    /// What the renderer is given as the path of an excerpt.
    fn header(
        &self,
        file: SourceFile,
        excerpt: &Excerpt,
        ranges: &[Range<usize>],
        headers: &mut Headers,
    ) -> String {
        let path = file.path(self.db);
        if !excerpt.shortened {
            return path.clone();
        }
        let start = ranges.first().map_or(0, |range| range.start);
        let start = TextSize::try_from(start).unwrap_or_default();
        let Position { line, column } = self.positions.position(file, start);
        headers.add(format!("{path}:{line}:{column}"))
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

/// The positions over shortened lines. The renderer counts columns in what it is given, so there it is given a
/// mark instead of the path, and what it makes of the mark is replaced.
#[derive(Default)]
struct Headers(Vec<String>);

/// Characters for private use, which surround a mark.
const MARK: [char; 2] = ['\u{F0001}', '\u{F0002}'];

impl Headers {
    /// The mark for a header.
    fn add(&mut self, header: String) -> String {
        let number = self.0.len();
        self.0.push(header);
        format!("{}{number}{}", MARK[0], MARK[1])
    }

    /// A drawing with headers for `MARK:line:column`.
    fn put_in(&self, drawn: &str) -> String {
        let mut text = drawn.to_owned();
        for (number, header) in self.0.iter().enumerate() {
            let mark = format!("{}{number}{}:", MARK[0], MARK[1]);
            let Some((before, after)) = text.split_once(&mark) else { continue };
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
            text = format!("{before}{header}{after}");
        }
        text
    }
}

#[cfg(test)]
mod tests;
