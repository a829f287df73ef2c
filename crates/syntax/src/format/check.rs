//! Whether a formatted text is the same program.

use super::FormatError;
use crate::{Parse, SyntaxKind, SyntaxToken, parse};

/// Compares a text with its formatted form: tokens without commas, comments, and mistakes.
pub(super) fn same_program(text: &str, before: &Parse, formatted: &str) -> Result<(), FormatError> {
    let after = parse(formatted);
    if after.errors.len() != before.errors.len() {
        return Err(differs(before, "its mistakes would not stay the same"));
    }
    let tokens = |parse: &Parse| -> Vec<SyntaxToken> {
        all_tokens(parse).filter(|token| is_kept(token.kind())).collect()
    };
    let (old, new) = (tokens(before), tokens(&after));
    let same = |(old, new): (&SyntaxToken, &SyntaxToken)| old.text() == new.text();
    if old.len() != new.len() || !old.iter().zip(&new).all(same) {
        return Err(differs(before, "its tokens would not stay the same"));
    }
    if comments(before) != comments(&after) {
        return Err(differs(before, "its comments would not stay the same"));
    }
    debug_assert_eq!(before.syntax_node().text().to_string(), text);
    Ok(())
}

fn differs(before: &Parse, what: &str) -> FormatError {
    let message = if before.errors.is_empty() {
        format!("this text cannot be formatted: {what}; this is a mistake of the formatter")
    } else {
        format!("this text cannot be formatted while it has mistakes: {what}")
    };
    FormatError { message }
}

fn all_tokens(parse: &Parse) -> impl Iterator<Item = SyntaxToken> {
    let first = parse.syntax_node().first_token();
    std::iter::successors(first, SyntaxToken::next_token)
}

/// Whether formatting keeps tokens of the kind in their order.
pub(super) fn is_kept(kind: SyntaxKind) -> bool {
    !kind.is_trivia() && kind != SyntaxKind::COMMA
}

/// The comments of a text, sorted; those that end a line without the white space at their end.
pub(super) fn comments(parse: &Parse) -> Vec<String> {
    let comment = |token: &SyntaxToken| {
        token.kind().is_trivia()
            && !matches!(token.kind(), SyntaxKind::WHITESPACE | SyntaxKind::NEWLINE)
    };
    let text = |token: SyntaxToken| match token.kind() {
        SyntaxKind::BLOCK_COMMENT => token.text().to_owned(),
        _ => token.text().trim_end().to_owned(),
    };
    let mut comments: Vec<String> = all_tokens(parse).filter(comment).map(text).collect();
    comments.sort_unstable();
    comments
}
