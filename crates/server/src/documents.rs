//! The open documents and their edits.

use std::sync::Arc;

use dashmap::DashMap;
use line_index::LineIndex;
use lsp_types::{TextDocumentContentChangeEvent, Url};
use neuro_db::SourceFile;

use crate::positions::{Encoding, text_range};

/// An open document.
#[derive(Clone)]
pub(crate) struct Document {
    /// The client's number of this text.
    pub(crate) version: i32,
    /// The input that holds the text, with the client's line ends.
    pub(crate) file: SourceFile,
}

/// The open documents by their normal form of the address.
pub(crate) type Documents = Arc<DashMap<String, Document>>;

/// One spelling for all that mean the same file: the path, where there is one.
pub(crate) fn document_key(uri: &Url) -> String {
    match uri.to_file_path() {
        Ok(path) => path.to_string_lossy().into_owned(),
        Err(()) => uri.to_string(),
    }
}

/// Applies edits in order. A range that reaches past the end is cut there.
pub(crate) fn apply_changes(
    text: &str,
    changes: &[TextDocumentContentChangeEvent],
    encoding: Encoding,
) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change.range {
            Some(range) => {
                let range = text_range(&LineIndex::new(&text), &text, range, encoding);
                text.replace_range(std::ops::Range::<usize>::from(range), &change.text);
            }
            None => text.clone_from(&change.text),
        }
    }
    text
}

/// Whether a file belongs to another language that uses the same ending: the nearest folder above it that
/// marks a project decides.
pub(crate) fn belongs_to_noir(uri: &Url) -> bool {
    let Ok(path) = uri.to_file_path() else { return false };
    for folder in path.ancestors().skip(1) {
        if folder.join("neuro.toml").exists() || folder.join(".git").exists() {
            return false;
        }
        if folder.join("Nargo.toml").exists() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range};

    use super::*;

    fn change(range: Option<(u32, u32, u32, u32)>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|(a, b, c, d)| Range::new(Position::new(a, b), Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    fn check(text: &str, changes: &[TextDocumentContentChangeEvent], expected: &str) {
        assert_eq!(apply_changes(text, changes, Encoding::Utf16), expected);
    }

    #[test]
    fn edits_apply_in_order() {
        check(
            "ab\ncd\n",
            &[change(Some((0, 1, 1, 1)), "X"), change(Some((0, 0, 0, 0)), "Y")],
            "YaXd\n",
        );
    }

    #[test]
    fn positions_count_in_the_clients_units() {
        check("a𝒳b", &[change(Some((0, 3, 0, 4)), "c")], "a𝒳c");
    }

    #[test]
    fn a_range_past_the_end_is_cut_there() {
        check("ab", &[change(Some((0, 1, 9, 9)), "c")], "ac");
        check("ab\n", &[change(Some((7, 0, 9, 9)), "c")], "ab\nc");
        check("ab\ncd", &[change(Some((0, 9, 1, 0)), "")], "abcd");
    }

    #[test]
    fn a_change_without_a_range_replaces_everything() {
        check("ab", &[change(None, "c"), change(Some((0, 1, 0, 1)), "d")], "cd");
    }
}
