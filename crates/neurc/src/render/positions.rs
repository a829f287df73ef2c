//! Lines and columns of offsets, quickly also where a line is very long.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use neuro_db::{Db, SourceFile};
use text_size::{TextRange, TextSize};

use crate::source::BYTE_ORDER_MARK;

/// Bytes between two places whose number of characters is stored.
const STEP: usize = 512;

/// A position as people count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    /// From 1.
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
}

/// Counts lines and columns. Each file is read through once; then a position takes a bounded time.
pub(crate) struct Positions<'db> {
    db: &'db dyn Db,
    files: RefCell<HashMap<SourceFile, Rc<Lines>>>,
}

impl<'db> Positions<'db> {
    /// Of the files of a database.
    pub(crate) fn new(db: &'db dyn Db) -> Self {
        Self { db, files: RefCell::default() }
    }

    /// The position of an offset.
    pub(crate) fn position(&self, file: SourceFile, offset: TextSize) -> Position {
        self.lines(file).position(file.text(self.db), usize::from(offset))
    }

    /// The positions of the start and the end of a range.
    pub(crate) fn ends(&self, file: SourceFile, range: TextRange) -> (Position, Position) {
        (self.position(file, range.start()), self.position(file, range.end()))
    }

    /// The lines of a file.
    pub(crate) fn lines(&self, file: SourceFile) -> Rc<Lines> {
        let mut files = self.files.borrow_mut();
        let new = || Rc::new(Lines::new(file.text(self.db)));
        Rc::clone(files.entry(file).or_insert_with(new))
    }
}

/// Where the lines of a text start, and how many characters stand before each [`STEP`]th byte.
///
/// The line table of the editor's protocol walks over the wide characters of a line at each question, which
/// is slow where thousands of findings stand on one line.
pub(crate) struct Lines {
    starts: Vec<usize>,
    counts: Vec<usize>,
    length: usize,
}

impl Lines {
    /// The lines of a text. A line ends behind its `\n`; there is always one, perhaps empty.
    pub(crate) fn new(text: &str) -> Self {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1);
        let mut count = 0;
        let mut counts = Vec::with_capacity(text.len() / STEP + 1);
        for chunk in text.as_bytes().chunks(STEP) {
            counts.push(count);
            count += characters(chunk);
        }
        counts.push(count);
        Self { starts: std::iter::once(0).chain(starts).collect(), counts, length: text.len() }
    }

    /// The line of an offset, from 0.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The range of a line, its end of line included.
    pub(crate) fn line(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.length);
        start..self.starts.get(line + 1).copied().unwrap_or(self.length)
    }

    fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(self.length);
        let line = self.line_of(offset);
        let mut start = self.line(line).start;
        if start == 0 && text.starts_with(BYTE_ORDER_MARK) {
            start = BYTE_ORDER_MARK.len_utf8().min(offset);
        }
        Position {
            line: line + 1,
            column: self.before(text, offset) - self.before(text, start) + 1,
        }
    }

    /// The number of characters that start before an offset.
    fn before(&self, text: &str, offset: usize) -> usize {
        let step = offset / STEP;
        let stored = self.counts.get(step).copied().unwrap_or_default();
        stored + characters(text.as_bytes().get(step * STEP..offset).unwrap_or_default())
    }
}

/// How many characters start in these bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !(0x80..0xC0).contains(*byte)).count()
}

#[cfg(test)]
mod tests {
    use neuro_db::RootDatabase;

    use super::*;

    #[test]
    fn every_offset_has_its_position() {
        let mut db = RootDatabase::default();
        let long = "xé𝒳 ".repeat(400);
        let text = format!("a\r\n\n{long}\n\u{feff}{long}");
        let file = db.set_text("a.nr", &text);
        let positions = Positions::new(&db);
        let (mut line, mut column) = (1, 1);
        for (offset, character) in text.char_indices() {
            let offset = TextSize::new(offset as u32);
            assert_eq!(positions.position(file, offset), Position { line, column });
            match character {
                '\n' => (line, column) = (line + 1, 1),
                _ => column += 1,
            }
        }
        let end = Position { line, column };
        assert_eq!(positions.position(file, TextSize::of(&*text)), end);
        assert_eq!(positions.position(file, TextSize::of(&*text) + TextSize::new(1)), end);
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let mut db = RootDatabase::default();
        let file = db.set_text("a.nr", "\u{feff}ab\n\u{feff}c");
        let positions = Positions::new(&db);
        let columns = [0, 3, 4, 6, 9].map(|offset| {
            let Position { line, column } = positions.position(file, TextSize::new(offset));
            (line, column)
        });
        assert_eq!(columns, [(1, 1), (1, 1), (1, 2), (2, 1), (2, 2)]);
    }

    #[test]
    fn an_empty_text_has_one_position() {
        let mut db = RootDatabase::default();
        let file = db.set_text("a.nr", "");
        let position = Positions::new(&db).position(file, TextSize::new(0));
        assert_eq!(position, Position { line: 1, column: 1 });
    }
}
