//! The tokens of a text with the lines that they stand on.

use super::{HEAD_REACH, is_opening};
use crate::SyntaxKind;
use crate::lexer::Lexed;
use rowan::{TextRange, TextSize};
use std::ops::Range;

/// A token that means something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) kind: SyntaxKind,
    /// The index among all tokens.
    pub(super) raw: usize,
    /// Whether it is the first of its line.
    pub(super) new_line: bool,
    /// How deep its line is indented.
    pub(super) indent: usize,
    /// How many lines with tokens there are in front of its line.
    line: usize,
    start: u32,
    end: u32,
}

impl Mark {
    /// Whether an item can begin with this token, and nothing that a block holds.
    pub(super) fn starts_item(self) -> bool {
        self.kind.starts_item() || matches!(self.kind, SyntaxKind::EXPORT_KW | SyntaxKind::AT)
    }
}

impl Mark {
    /// Whether a statement can begin with this token, and nothing that a list holds.
    pub(super) fn starts_statement(self) -> bool {
        matches!(
            self.kind,
            SyntaxKind::VAL_KW | SyntaxKind::MUT_KW | SyntaxKind::CONST_KW | SyntaxKind::POOL_KW
        )
    }
}

/// The tokens that mean something, and the lines.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) marks: Vec<Mark>,
    /// The first mark of each line.
    lines: Vec<usize>,
    /// Which marks begin an item of the file.
    items: Vec<usize>,
    /// The places where the lexer has found a string, a character or a comment without an end.
    open_texts: Vec<TextSize>,
}

impl Layout {
    pub(super) fn new(text: &str, lexed: &Lexed) -> Self {
        let mut marks: Vec<Mark> = Vec::with_capacity(lexed.tokens.len() / 2);
        let mut lines = Vec::new();
        let mut new_line = true;
        let (mut start, mut indent) = (0u32, 0usize);
        for (raw, token) in lexed.tokens.iter().enumerate() {
            match token.kind {
                SyntaxKind::NEWLINE => new_line = true,
                SyntaxKind::BLOCK_COMMENT => {
                    let comment =
                        &text[super::super::to_usize(start)..super::super::to_usize(token.end)];
                    new_line |= comment.contains('\n');
                }
                kind if kind.is_trivia() => {}
                kind => {
                    if new_line {
                        lines.push(marks.len());
                        indent = super::super::indentation(text, super::super::to_usize(start));
                    }
                    let line = lines.len().saturating_sub(1);
                    marks.push(Mark { kind, raw, new_line, indent, line, start, end: token.end });
                    new_line = false;
                }
            }
            start = token.end;
        }
        let open_texts = lexed
            .errors
            .iter()
            .filter(|error| error.message.contains("is never closed"))
            .map(|error| error.range.start())
            .collect();
        let mut layout = Self { marks, lines, items: Vec::new(), open_texts };
        layout.items = layout.item_starts();
        layout
    }

    /// The marks at which an item begins on a line without indentation.
    fn item_starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        for mark in self.lines.iter().copied().skip(1) {
            let Mark { indent, .. } = self.marks[mark];
            let before = self.marks[mark - 1].kind;
            // `module m {` may hold items that are not indented, and `@a` stands in front of an item.
            let goes_on = before == SyntaxKind::L_BRACE && self.holds_items(mark - 1)
                || self.marks[self.lines[self.marks[mark - 1].line]].kind == SyntaxKind::AT;
            if indent == 0 && self.marks[mark].starts_item() && !goes_on {
                starts.push(mark);
            }
        }
        starts
    }

    /// The items of the file, each as the range of its marks.
    pub(super) fn items(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.items.iter().copied().skip(1).chain([self.marks.len()]);
        self.items.iter().copied().zip(ends).map(|(start, end)| start..end)
    }

    /// Whether the line of a mark begins what holds items.
    pub(super) fn holds_items(&self, mark: usize) -> bool {
        let first = self.lines[self.marks[mark].line];
        matches!(
            self.marks[first].kind,
            SyntaxKind::MODULE_KW
                | SyntaxKind::IMPL_KW
                | SyntaxKind::TRAIT_KW
                | SyntaxKind::EXPORT_KW
        )
    }

    /// Whether a bracket opens a list, or the arms of a `match`: there no statement stands.
    pub(super) fn holds_no_statements(&self, open: usize) -> bool {
        match self.marks[open].kind {
            SyntaxKind::L_PAREN | SyntaxKind::L_BRACK => true,
            SyntaxKind::L_BRACE => {
                let line = &self.marks[self.lines[self.marks[open].line]..open];
                let head = line.iter().rev().take_while(|mark| mark.kind != SyntaxKind::L_BRACE);
                head.take(HEAD_REACH).any(|mark| mark.kind == SyntaxKind::MATCH_KW)
            }
            _ => false,
        }
    }

    /// Whether an `else` stands in a block on one line, in front of which the block should have ended.
    pub(super) fn ends_branch(&self, mark: usize, open: usize) -> bool {
        let inside = &self.marks[open + 1..mark];
        let line = self.marks[mark].line == self.marks[open].line;
        let block = inside.last().is_none_or(|last| last.kind != SyntaxKind::R_BRACE);
        self.marks[mark].kind == SyntaxKind::ELSE_KW
            && line
            && block
            && inside.iter().all(|mark| !mark.starts_statement())
    }

    /// Whether a line begins behind the one mark, up to the other.
    pub(super) fn has_line_between(&self, mark: usize, other: usize) -> bool {
        self.marks.get(other).is_none_or(|other| other.line > self.marks[mark].line)
    }

    /// The last token of the head whose block ends at the mark, when the block has no opening brace:
    /// the nearest line in front that stands as deep, if it is one that a block follows.
    pub(super) fn head_of_block(&self, end: usize, from: usize) -> Option<usize> {
        let depth = self.marks[end].indent;
        let above = self.lines[..self.marks[end].line].iter().enumerate().rev().take(HEAD_REACH);
        let (line, first) = above
            .take_while(|(_, first)| **first >= from)
            .find(|(_, first)| self.marks[**first].indent <= depth)?;
        let mut head = self.marks[*first];
        if head.kind == SyntaxKind::EXPORT_KW {
            head.kind = self.marks.get(first + 1)?.kind;
        }
        let last = self.lines.get(line + 1)?.checked_sub(1)?;
        let heads = matches!(
            head.kind,
            SyntaxKind::FUNC_KW
                | SyntaxKind::STRUCT_KW
                | SyntaxKind::ENUM_KW
                | SyntaxKind::TRAIT_KW
                | SyntaxKind::IMPL_KW
                | SyntaxKind::MODULE_KW
                | SyntaxKind::IF_KW
                | SyntaxKind::ELSE_KW
                | SyntaxKind::WHILE_KW
                | SyntaxKind::FOR_KW
                | SyntaxKind::LOOP_KW
                | SyntaxKind::POOL_KW
                | SyntaxKind::MATCH_KW
                | SyntaxKind::UNSAFE_KW
                | SyntaxKind::R_PAREN
                | SyntaxKind::R_BRACE
                | SyntaxKind::WHERE_KW
        );
        // `}` ends a block unless `else` follows.
        let last_kind = self.marks[last].kind;
        let ends = last_kind == SyntaxKind::R_BRACE || is_opening(last_kind);
        (heads && head.indent == depth && !ends).then_some(last)
    }

    /// Whether a token cannot stand in the parentheses or brackets that it stands in, so that they should
    /// have ended in front of it: the arrow of a function or an arm, or the brace that ends a head.
    pub(super) fn ends_list(&self, mark: usize, open: usize) -> bool {
        let Some(before) = mark.checked_sub(1).map(|before| self.marks[before]) else {
            return false;
        };
        let first = self.marks[self.lines[self.marks[open].line]].kind;
        match self.marks[mark].kind {
            SyntaxKind::ARROW => before.kind != SyntaxKind::R_PAREN,
            SyntaxKind::FAT_ARROW => true,
            // `val (a, b = c`: the value begins.
            SyntaxKind::EQ => {
                let line = &self.marks[self.lines[self.marks[open].line]..open];
                matches!(first, SyntaxKind::VAL_KW | SyntaxKind::MUT_KW)
                    && line.iter().all(|mark| mark.kind != SyntaxKind::EQ)
            }
            // `Tensor<f32, [2> {` ends a type; a comparison goes on.
            SyntaxKind::GT => self.marks.get(mark + 1).is_none_or(|next| {
                let ends = matches!(
                    next.kind,
                    SyntaxKind::L_BRACE
                        | SyntaxKind::EQ
                        | SyntaxKind::COMMA
                        | SyntaxKind::R_PAREN
                        | SyntaxKind::GT
                        | SyntaxKind::COLON2
                );
                next.new_line || ends
            }),
            // `match a[i {` opens a block, `f(P {` a struct.
            SyntaxKind::L_BRACE => {
                let head = matches!(
                    first,
                    SyntaxKind::FUNC_KW
                        | SyntaxKind::IF_KW
                        | SyntaxKind::WHILE_KW
                        | SyntaxKind::FOR_KW
                        | SyntaxKind::MATCH_KW
                        | SyntaxKind::R_BRACE
                        | SyntaxKind::R_PAREN
                );
                let next = self.marks.get(mark + 1);
                // No parameter and no result has a brace in it.
                let line = &self.marks[self.lines[self.marks[open].line]..open];
                let signature = line
                    .iter()
                    .rev()
                    .take_while(|mark| mark.kind != SyntaxKind::L_BRACE)
                    .any(|mark| mark.kind == SyntaxKind::FUNC_KW);
                signature || head && next.is_none_or(|next| next.new_line)
            }
            _ => false,
        }
    }

    /// Where the last token in front of the line of a mark ends.
    pub(super) fn end_before_line(&self, mark: Mark) -> TextSize {
        let before = self.lines[mark.line].checked_sub(1);
        before.map_or(TextSize::default(), |before| TextSize::new(self.marks[before].end))
    }

    /// The line of a mark, from its first token to its last.
    pub(super) fn line(&self, mark: Mark) -> TextRange {
        let first = self.marks[self.lines[mark.line]];
        let next = self.lines.get(mark.line + 1).copied().unwrap_or(self.marks.len());
        let last = self.marks[next - 1];
        TextRange::new(TextSize::new(first.start), TextSize::new(last.end))
    }

    pub(super) fn range(&self, mark: Mark) -> TextRange {
        TextRange::new(TextSize::new(mark.start), TextSize::new(mark.end))
    }

    /// Whether the lexer has already said what is wrong with the item around a place: a string without an end,
    /// which holds whatever stands behind it.
    pub(super) fn is_excused(&self, lexed: &Lexed, at: TextSize) -> bool {
        if self.open_texts.is_empty() && lexed.unclosed_holes.is_empty() {
            return false;
        }
        let start =
            |mark: usize| self.marks.get(mark).map_or(TextSize::new(u32::MAX), |m| m.start.into());
        let next = self.items.partition_point(|item| start(*item) <= at);
        let from = next.checked_sub(1).map_or(TextSize::default(), |item| start(self.items[item]));
        let to = self.items.get(next).map_or(TextSize::new(u32::MAX), |item| start(*item));
        self.open_texts.iter().any(|text| from <= *text && *text < to)
    }
}
