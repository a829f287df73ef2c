//! The one style of programs.
//!
//! A tree becomes a [`document`] of texts and places where a line may end; the [`printer`] ends lines only
//! where the width asks for it. Tokens are never changed, but for the commas between and behind the entries
//! of a list; strings, with the holes in them, are kept byte for byte.
//!
//! A comment belongs to a token ([`comments`]) and is printed with it, so that none can be lost.
//! An item with a mistake is kept byte for byte. The result is read again before it is given out: a formatter
//! may fail, and may not change a program.
//!
//! Start reading at [`format`](fn@format), then `rules`, then the kinds of nodes.

mod rules;
mod items;
mod stmts;
mod exprs;
mod chains;
mod lists;
mod comments;
mod document;
mod printer;
mod check;
mod edits;

pub use edits::{FormatEdit, format_edits, format_range};

use crate::parse;
use rules::Formatter;

/// How many columns a line has, in characters.
pub const FORMAT_WIDTH: usize = 100;

/// How many columns a block is indented by.
const INDENT: usize = 4;

/// Why a text was not formatted. Nothing was changed then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// What went wrong; one sentence, no full stop.
    pub message: String,
}

impl std::fmt::Display for FormatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FormatError {}

/// A text in the one style.
///
/// Lines end as the last line of the text does. Formatting the result again changes nothing.
pub fn format(text: &str) -> Result<String, FormatError> {
    let before = parse(text);
    let formatted = Formatter::new(text, &before).file();
    check::same_program(text, &before, &formatted)?;
    Ok(formatted)
}

#[cfg(test)]
mod tests;
