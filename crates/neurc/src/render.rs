//! How findings and results look.

pub(crate) mod gradient;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod short;

use neuro_db::{Db, SourceFile, line_index};
use text_size::TextSize;

/// A position as people count.
pub(crate) struct Position {
    /// From 1.
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
}

impl Position {
    /// The position of an offset.
    pub(crate) fn new(db: &dyn Db, file: SourceFile, offset: TextSize) -> Self {
        let line = line_index(db, file).line_col(offset).line as usize + 1;
        let before = file.text(db).get(..usize::from(offset)).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        Self { line, column }
    }
}
