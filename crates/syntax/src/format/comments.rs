//! Which token each comment belongs to.
//!
//! A comment behind a token on its line belongs to that token, when the line ends behind it. Every other
//! comment belongs to the token that follows.

use crate::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

/// A comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment {
    pub(super) range: TextRange,
    /// Whether it is `/* */`.
    pub(super) block: bool,
    /// How many new lines stand between it and what is before it.
    pub(super) lines_before: u32,
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
    /// Whether a space stands between a comment in front of it and itself.
    pub(super) space_before: bool,
    /// The same of the token that follows.
    pub(super) space_behind: bool,
}

impl Surroundings {
    /// How many new lines stand in front of the token and its comments.
    pub(super) fn gap(&self) -> u32 {
        self.leading.first().map_or(self.lines_before, |comment| comment.lines_before)
    }

    /// Whether the comments behind the token can only be followed by a new line.
    pub(super) fn ends_line(&self) -> bool {
        self.trailing.iter().any(|comment| !comment.block)
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
                SyntaxKind::WHITESPACE => {}
                SyntaxKind::NEWLINE => gap.new_line(),
                kind if kind.is_trivia() => gap.comment(range, kind == SyntaxKind::BLOCK_COMMENT),
                kind => {
                    let last = tokens.last_mut().map(|(_, last)| last);
                    let surroundings = gap.end(last, !closes(&token, kind));
                    tokens.push((range.start(), surroundings));
                }
            }
            element = token.next_token();
        }
        gap.new_line();
        let end = gap.end(tokens.last_mut().map(|(_, last)| last), false);
        tokens.push((root.text_range().end(), end));
        Self { tokens }
    }

    /// The surroundings of the token that starts at an offset.
    pub(super) fn at(&self, start: TextSize) -> Option<&Surroundings> {
        let at = self.tokens.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.tokens.get(at).map(|(_, surroundings)| surroundings)
    }

    /// Hands the comments behind a token on to the token that follows, as if they stood on their own line.
    pub(super) fn hand_on(&mut self, start: TextSize) {
        let Ok(at) = self.tokens.binary_search_by_key(&start, |(start, _)| *start) else { return };
        let [(_, token), (_, next), ..] = &mut self.tokens[at..] else { return };
        let mut comments = std::mem::take(&mut token.trailing);
        if let Some(first) = comments.first_mut() {
            first.lines_before = 1;
        }
        next.leading.splice(..0, comments);
    }

    /// Hands the comments in front of a token on to the token that follows, if some are on their own line.
    pub(super) fn hand_on_leading(&mut self, start: TextSize) {
        let Ok(at) = self.tokens.binary_search_by_key(&start, |(start, _)| *start) else { return };
        let [(_, token), (_, next), ..] = &mut self.tokens[at..] else { return };
        if token.leading.iter().all(|comment| comment.lines_before == 0) || token.lines_before == 0
        {
            return;
        }
        match next.leading.first_mut() {
            Some(first) => first.lines_before = first.lines_before.max(1),
            None => next.lines_before = next.lines_before.max(1),
        }
        next.leading.splice(..0, std::mem::take(&mut token.leading));
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
}

/// Whether a token stands right behind what is in front of it.
fn closes(token: &SyntaxToken, kind: SyntaxKind) -> bool {
    let parent = token.parent().map(|node| node.kind());
    match kind {
        SyntaxKind::DOT => return parent != Some(SyntaxKind::IMPORT_PATH),
        SyntaxKind::PIPE if parent == Some(SyntaxKind::CLOSURE_PARAM_LIST) => {
            return token.prev_sibling_or_token().is_some();
        }
        SyntaxKind::GT => return parent != Some(SyntaxKind::BIN_EXPR),
        _ => {}
    }
    matches!(
        kind,
        SyntaxKind::COMMA
            | SyntaxKind::COLON
            | SyntaxKind::COLON2
            | SyntaxKind::SEMICOLON
            | SyntaxKind::R_PAREN
            | SyntaxKind::R_BRACK
            | SyntaxKind::R_BRACE
    )
}

impl Gap {
    fn new_line(&mut self) {
        self.on_first_line.get_or_insert(self.comments.len());
        self.lines += 1;
    }

    fn comment(&mut self, range: TextRange, block: bool) {
        let lines_before = std::mem::take(&mut self.lines);
        self.comments.push(Comment { range, block, lines_before });
    }

    /// Ends the gap between the last token and the next one, whose surroundings it gives.
    fn end(&mut self, last: Option<&mut Surroundings>, space_before: bool) -> Surroundings {
        let gap = std::mem::take(self);
        let mut leading = gap.comments;
        if let (Some(last), Some(trailing)) = (last, gap.on_first_line) {
            last.trailing = leading.drain(..trailing).collect();
            last.space_behind = space_before;
        }
        Surroundings { leading, lines_before: gap.lines, space_before, ..Surroundings::default() }
    }
}
