//! Marks of a merge that has stopped at a conflict.
//!
//! A conflict is one mistake, and what stands on its two sides is none: the first side is read, and the marks and
//! the other side are left out.

use crate::lexer::Lexed;
use crate::{SyntaxError, SyntaxKind};
use rowan::{TextRange, TextSize};

/// Which part of a conflict a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Outside,
    First,
    Other,
}

/// Sets the tokens of marks and of all sides but the first aside, and reports each conflict at its first mark.
pub(super) fn take(text: &str, lexed: &mut Lexed) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    if !text.starts_with(OPENING) && !text.contains("\n<<<<<<<") {
        return errors;
    }
    let mut all = std::mem::take(&mut lexed.tokens);
    let mut tokens = all.iter_mut().peekable();
    let (mut start, mut token_start) = (0, 0);
    let mut side = Side::Outside;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let mark = match side {
            Side::Outside => line.starts_with(OPENING),
            Side::First | Side::Other => MARKS.iter().any(|mark| line.starts_with(mark)),
        };
        // A string may hold what looks like a mark.
        let whole = token_start == start
            && tokens.peek().is_some_and(|token| token.kind != SyntaxKind::STRING_TEXT);
        if mark && whole {
            if line.starts_with(OPENING) {
                errors.push(conflict(start, line.trim_end()));
            }
            side = match line.as_bytes().first() {
                Some(b'<') => Side::First,
                Some(b'>') => Side::Outside,
                _ => Side::Other,
            };
        }
        while let Some(token) = tokens.next_if(|token| super::to_usize(token.end) <= end) {
            let aside = mark && whole || side == Side::Other;
            if aside && token.kind != SyntaxKind::NEWLINE && token_start >= start {
                token.kind = SyntaxKind::ERROR_TOKEN;
            }
            token_start = super::to_usize(token.end);
        }
        start = end;
    }
    lexed.replace(all);
    errors
}

/// The mark at the beginning of a conflict.
const OPENING: &str = "<<<<<<< ";

/// The marks between and behind its sides.
const MARKS: [&str; 3] = ["=======", "|||||||", ">>>>>>>"];

fn conflict(start: usize, mark: &str) -> SyntaxError {
    let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    SyntaxError {
        range: TextRange::new(size(start), size(start + mark.len())),
        message: "a merge has left a conflict here: keep one side, and remove the marks".to_owned(),
        fix: None,
    }
}
