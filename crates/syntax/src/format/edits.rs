//! Formatting as few changes of a text.

use super::check::is_kept;
use super::{FormatError, format};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, parse};

/// A change of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatEdit {
    /// What is replaced.
    pub range: TextRange,
    /// What stands there then.
    pub text: String,
}

/// The changes that format a text: each between two tokens, in order, so that cursors stay where they are.
pub fn format_edits(text: &str) -> Result<Vec<FormatEdit>, FormatError> {
    let formatted = format(text)?;
    let (old, new) = (gaps(text), gaps(&formatted));
    let change = |(old, new): (TextRange, TextRange)| change(text, old, &formatted[new]);
    Ok(old.into_iter().zip(new).filter_map(change).collect())
}

/// The changes that format the statements or items that a range touches.
pub fn format_range(text: &str, range: TextRange) -> Result<Vec<FormatEdit>, FormatError> {
    let edits = format_edits(text)?;
    let Some(whole) = touched(&parse(text).syntax_node(), range) else { return Ok(Vec::new()) };
    // The indentation of the first line belongs to it.
    let before = text.get(..usize::from(whole.start())).unwrap_or_default();
    let line = before.trim_end_matches([' ', '\t']).len();
    let line = TextSize::try_from(line).unwrap_or(whole.start());
    let inside = |edit: FormatEdit| {
        if edit.range.start() >= line && edit.range.end() <= whole.end() {
            return Some(edit);
        }
        // Of what changes in front of the first line only the indentation is taken.
        let split = edit.range.start() < line
            && line <= edit.range.end()
            && edit.range.end() <= whole.start();
        let indentation = edit.text.rfind('\n').map(|at| edit.text[at + 1..].to_owned());
        let indentation = indentation.filter(|_| split && line <= whole.start())?;
        Some(FormatEdit { range: TextRange::new(line, whole.start()), text: indentation })
    };
    Ok(edits.into_iter().filter_map(inside).collect())
}

/// What stands between the tokens that formatting keeps, from the start to the end of a text.
fn gaps(text: &str) -> Vec<TextRange> {
    let root = parse(text).syntax_node();
    let mut gaps = Vec::new();
    let mut start = TextSize::default();
    for token in std::iter::successors(root.first_token(), SyntaxToken::next_token) {
        if is_kept(token.kind()) {
            gaps.push(TextRange::new(start, token.text_range().start()));
            start = token.text_range().end();
        }
    }
    gaps.push(TextRange::new(start, root.text_range().end()));
    gaps
}

/// The change of a range, without what stays the same at its ends.
fn change(text: &str, range: TextRange, new: &str) -> Option<FormatEdit> {
    let old = &text[range];
    if old == new {
        return None;
    }
    let same = |(a, b): &(char, char)| a == b;
    let prefix: usize =
        old.chars().zip(new.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (rest_old, rest_new) = (&old[prefix..], &new[prefix..]);
    let suffix: usize = rest_old
        .chars()
        .rev()
        .zip(rest_new.chars().rev())
        .take_while(same)
        .map(|(a, _)| a.len_utf8())
        .sum();
    // A client may not be able to point between the two characters that end a line.
    let prefix = if old[..prefix].ends_with('\r') { prefix - 1 } else { prefix };
    let split = old[old.len() - suffix..].starts_with('\n')
        && [old, new].iter().any(|text| text[..text.len() - suffix].ends_with('\r'));
    let suffix = if split { suffix - 1 } else { suffix };
    let size = |bytes: usize| TextSize::try_from(bytes).unwrap_or_default();
    let range = TextRange::new(range.start() + size(prefix), range.end() - size(suffix));
    Some(FormatEdit { range, text: new[prefix..new.len() - suffix].to_owned() })
}

/// The range from the first to the last statement or item that a range touches.
fn touched(root: &SyntaxNode, range: TextRange) -> Option<TextRange> {
    let mut list = root.clone();
    loop {
        let touching: Vec<SyntaxNode> =
            list.children().filter(|child| child.text_range().intersect(range).is_some()).collect();
        let (first, last) = (touching.first()?, touching.last()?);
        let inner = (touching.len() == 1).then(|| inner_list(first, range)).flatten();
        match inner {
            Some(inner) => list = inner,
            None => return Some(first.text_range().cover(last.text_range())),
        }
    }
}

/// The innermost list of statements or items of a node in whose inside the range lies,
/// if the range touches one of them.
fn inner_list(node: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    let is_list = |node: &SyntaxNode| {
        matches!(
            node.kind(),
            SyntaxKind::BLOCK | SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST
        )
    };
    let contains = |list: &SyntaxNode| {
        let (start, end) = (list.text_range().start(), list.text_range().end());
        let inside = start < range.start() && range.end() < end;
        inside && list.children().any(|child| child.text_range().intersect(range).is_some())
    };
    node.descendants().skip(1).find(|node| is_list(node) && contains(node))
}
