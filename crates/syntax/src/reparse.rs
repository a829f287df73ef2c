//! Parsing a text again after an edit: only the items around the edit are read.
//!
//! An item is read without looking at others, but for the tokens next to it. So the items that the edit touches are
//! read together with the one before and the one behind; where these two come out as they were, so does everything
//! further off. Texts with mistakes are read as a whole: what repairs a mistake looks far around it.

use crate::{GreenNode, NodeOrToken, Parse, parse, same_trees};
use std::ops::Range;

/// Parses `text` by what an older text is known to be: the result equals [`parse`] of the text. Nothing where
/// the whole text has to be read.
pub fn reparse(old: &Parse, old_text: &str, text: &str) -> Option<Parse> {
    if !old.errors.is_empty() {
        return None;
    }
    let change = changed(old_text, text);
    let window = Window::around(&old.green, old_text, &change)?;
    // What follows the edit is as long as it was.
    let behind = old_text.len() - window.text.end;
    let inner = parse(text.get(window.text.start..text.len().checked_sub(behind)?)?);
    if !inner.errors.is_empty() {
        return None;
    }
    let count = inner.green.children().len();
    let (first, last) = (usize::from(window.before), count - usize::from(window.behind));
    let kept = |inside: usize, outside: usize| {
        let child = |green: &GreenNode, index| match green.children().nth(index) {
            Some(NodeOrToken::Node(node)) => Some(node.to_owned()),
            _ => None,
        };
        match (child(&inner.green, inside), child(&old.green, outside)) {
            (Some(new), Some(old)) => same_trees(&new, &old),
            _ => false,
        }
    };
    if first > last
        || window.before && !kept(0, window.children.start)
        || window.behind && !kept(last, window.children.end - 1)
    {
        return None;
    }
    let replaced = window.children.start + first..window.children.end - usize::from(window.behind);
    let between = inner.green.children().take(last).skip(first).map(NodeOrToken::to_owned);
    let green = old.green.splice_children(replaced, between);
    Some(Parse { green, errors: Vec::new() })
}

/// The bytes of the older text in whose place others stand; what is around them is the same in both texts.
fn changed(old: &str, new: &str) -> Range<usize> {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - start;
    let ends = old.iter().rev().zip(new.iter().rev()).take(most);
    let behind = ends.take_while(|(one, other)| one == other).count();
    start..old.len() - behind
}

/// What is read again.
struct Window {
    /// Where it stands in the older text.
    text: Range<usize>,
    /// Which children of the root it has.
    children: Range<usize>,
    /// Whether it begins with an item that the edit does not touch.
    before: bool,
    /// Whether it ends with one.
    behind: bool,
}

impl Window {
    /// The items that a change touches, with one on either side; nothing if that is the whole file.
    fn around(root: &GreenNode, text: &str, change: &Range<usize>) -> Option<Self> {
        let (mut before, mut behind) = (None, None);
        let mut start = 0;
        for (index, child) in root.children().enumerate() {
            let end = start + usize::from(child.text_len());
            if child.as_node().is_some() {
                // How far its line is indented must not depend on what is left out.
                let begins_line = start == 0 || text.as_bytes().get(start - 1) == Some(&b'\n');
                if end < change.start && begins_line {
                    before = Some((index, start));
                }
                if start > change.end {
                    behind = Some((index + 1, end));
                    break;
                }
            }
            start = end;
        }
        if before.is_none() && behind.is_none() {
            return None;
        }
        let (first, from) = before.unwrap_or((0, 0));
        let (last, to) = behind.unwrap_or((root.children().len(), text.len()));
        Some(Self {
            text: from..to,
            children: first..last,
            before: before.is_some(),
            behind: behind.is_some(),
        })
    }
}
