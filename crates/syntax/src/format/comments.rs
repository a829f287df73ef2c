//! Which token each comment belongs to.
//!
//! A comment behind a token on its line belongs to that token, when the line ends behind it. Every other
//! comment belongs to the token that follows.

use crate::{SyntaxKind, SyntaxNode, TextRange, TextSize};

/// A comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment {
    pub(super) range: TextRange,
    /// Whether it is `/* */`.
    pub(super) block: bool,
    /// How many new lines stand between it and what is before it.
    pub(super) lines_before: u32,
    /// Whether there is white space in front of it on its line.
    pub(super) space_before: bool,
}

/// The surroundings of a token.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// The comments in front of it.
    pub(super) leading: Vec<Comment>,
    /// The comments behind it that end its line.
    pub(super) trailing: Vec<Comment>,
    /// How many new lines stand right in front of it.
    pub(super) lines_before: u32,
    /// Whether there is white space right in front of it on its line.
    pub(super) space_before: bool,
}

impl Surroundings {
    /// How many new lines stand in front of the token and its comments.
    pub(super) fn gap(&self) -> u32 {
        self.leading.first().map_or(self.lines_before, |comment| comment.lines_before)
    }
}

/// The surroundings of every token of a file that has any, and of its end.
pub(super) struct Comments {
    /// In order of their offset.
    tokens: Vec<(TextSize, Surroundings)>,
}

impl Comments {
    pub(super) fn of(root: &SyntaxNode) -> Self {
        let mut tokens: Vec<(TextSize, Surroundings)> = Vec::new();
        let mut gap = Gap::default();
        let mut element = root.first_token();
        while let Some(token) = element {
            let range = token.text_range();
            match token.kind() {
                SyntaxKind::WHITESPACE => gap.space = true,
                SyntaxKind::NEWLINE => gap.new_line(),
                kind if kind.is_trivia() => gap.comment(range, kind == SyntaxKind::BLOCK_COMMENT),
                _ => {
                    let surroundings = gap.end(tokens.last_mut().map(|(_, last)| last));
                    tokens.push((range.start(), surroundings));
                }
            }
            element = token.next_token();
        }
        gap.new_line();
        let end = gap.end(tokens.last_mut().map(|(_, last)| last));
        tokens.push((root.text_range().end(), end));
        Self { tokens }
    }

    /// The surroundings of the token that starts at an offset.
    pub(super) fn at(&self, start: TextSize) -> Option<&Surroundings> {
        let at = self.tokens.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.tokens.get(at).map(|(_, surroundings)| surroundings)
    }

    /// The surroundings of the token that starts at an offset; its comments can be taken away.
    pub(super) fn at_mut(&mut self, start: TextSize) -> Option<&mut Surroundings> {
        let at = self.tokens.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.tokens.get_mut(at).map(|(_, surroundings)| surroundings)
    }
}

/// What stands between two tokens.
#[derive(Default)]
struct Gap {
    comments: Vec<Comment>,
    /// How many comments stand before the first new line.
    on_first_line: Option<usize>,
    lines: u32,
    space: bool,
}

impl Gap {
    fn new_line(&mut self) {
        self.on_first_line.get_or_insert(self.comments.len());
        self.lines += 1;
        self.space = false;
    }

    fn comment(&mut self, range: TextRange, block: bool) {
        let lines_before = std::mem::take(&mut self.lines);
        let space_before = std::mem::take(&mut self.space);
        self.comments.push(Comment { range, block, lines_before, space_before });
    }

    /// Ends the gap between the last token and the next one, whose surroundings it gives.
    fn end(&mut self, last: Option<&mut Surroundings>) -> Surroundings {
        let gap = std::mem::take(self);
        let mut leading = gap.comments;
        if let (Some(last), Some(trailing)) = (last, gap.on_first_line) {
            last.trailing = leading.drain(..trailing).collect();
        }
        Surroundings {
            leading,
            trailing: Vec::new(),
            lines_before: gap.lines,
            space_before: gap.space,
        }
    }
}
