//! The tokens of a text: all of them, and those that mean something, with what lines and brackets say of them.

use crate::{SyntaxError, SyntaxKind};

/// A token: its kind, and where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: SyntaxKind,
    pub(crate) end: u32,
}

/// A token that means something: none that separates, none that has been reported as unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Significant {
    pub(crate) kind: SyntaxKind,
    /// Whether a new line stands between the token before and this one.
    pub(crate) new_line: bool,
    /// The index among all tokens.
    pub(crate) raw: u32,
    /// The index of the first token of its line among those that mean something.
    pub(crate) line: u32,
}

/// The tokens of a text.
///
/// Both lists are made in one pass: to tell the tokens apart once more takes as long as it took the lexer.
#[derive(Debug)]
pub(crate) struct Lexed<'a> {
    text: &'a str,
    pub(crate) tokens: Vec<Token>,
    significant: Vec<Significant>,
    pub(crate) errors: Vec<SyntaxError>,
    /// The indexes of the `HOLE_OPEN` tokens whose hole is never closed, or holds text.
    pub(crate) unclosed_holes: Vec<usize>,
    /// Whether a new line stands behind the last token that means something.
    new_line: bool,
    /// The index of the first token of the line among those that mean something.
    line: u32,
    /// The brackets that wait for their end.
    open: Vec<SyntaxKind>,
    /// Whether a bracket has closed nothing.
    stray: bool,
}

impl<'a> Lexed<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            tokens: Vec::with_capacity(text.len() / 2),
            significant: Vec::with_capacity(text.len() / 3),
            errors: Vec::new(),
            unclosed_holes: Vec::new(),
            new_line: true,
            line: 0,
            open: Vec::new(),
            stray: false,
        }
    }

    /// Adds a token.
    pub(crate) fn push(&mut self, kind: SyntaxKind, end: u32) {
        match kind {
            SyntaxKind::NEWLINE => self.new_line = true,
            SyntaxKind::BLOCK_COMMENT => {
                let start = self.tokens.last().map_or(0, |token| token.end);
                let comment = self.text.get(index(start)..index(end)).unwrap_or_default();
                self.new_line |= comment.contains('\n');
            }
            SyntaxKind::L_PAREN
            | SyntaxKind::L_BRACK
            | SyntaxKind::L_BRACE
            | SyntaxKind::HOLE_OPEN
            | SyntaxKind::STRING_START => return self.push_opening(kind, end),
            SyntaxKind::R_PAREN => return self.push_closing(kind, SyntaxKind::L_PAREN, end),
            SyntaxKind::R_BRACK => return self.push_closing(kind, SyntaxKind::L_BRACK, end),
            SyntaxKind::R_BRACE => return self.push_closing(kind, SyntaxKind::L_BRACE, end),
            SyntaxKind::HOLE_CLOSE => return self.push_closing(kind, SyntaxKind::HOLE_OPEN, end),
            SyntaxKind::STRING_END => {
                return self.push_closing(kind, SyntaxKind::STRING_START, end);
            }
            kind if kind.is_trivia() || kind == SyntaxKind::ERROR_TOKEN => {}
            kind => return self.push_word(kind, end),
        }
        self.tokens.push(Token { kind, end });
    }

    /// Adds a word, a number or a sign that is no bracket.
    #[inline(always)]
    pub(super) fn push_word(&mut self, kind: SyntaxKind, end: u32) {
        let (raw, new_line) = (number(self.tokens.len()), self.new_line);
        if new_line {
            self.line = number(self.significant.len());
            self.new_line = false;
        }
        self.significant.push(Significant { kind, new_line, raw, line: self.line });
        self.tokens.push(Token { kind, end });
    }

    /// Adds a bracket that opens.
    #[inline]
    pub(super) fn push_opening(&mut self, kind: SyntaxKind, end: u32) {
        self.open.push(kind);
        self.push_word(kind, end);
    }

    /// Adds a bracket that closes the one of the other kind.
    #[inline]
    pub(super) fn push_closing(&mut self, kind: SyntaxKind, opening: SyntaxKind, end: u32) {
        self.stray |= self.open.pop() != Some(opening);
        self.push_word(kind, end);
    }

    /// Adds what only separates tokens, and holds no new line.
    #[inline(always)]
    pub(super) fn push_blank(&mut self, kind: SyntaxKind, end: u32) {
        self.tokens.push(Token { kind, end });
    }

    /// Whether every bracket has its counterpart, those of strings and holes included.
    pub(crate) fn brackets_match(&self) -> bool {
        !self.stray && self.open.is_empty()
    }

    /// Takes the tokens that mean something out, with one behind them that says where the text ends.
    pub(crate) fn take_significant(&mut self) -> Vec<Significant> {
        let mut tokens = std::mem::take(&mut self.significant);
        let (raw, line) = (number(self.tokens.len()), number(tokens.len()));
        tokens.push(Significant { kind: SyntaxKind::EOF, new_line: true, raw, line });
        tokens
    }

    /// Takes other tokens in place of those that there are.
    pub(crate) fn replace(&mut self, tokens: Vec<Token>) {
        let made = Self::new(self.text);
        let (errors, holes) = (&mut self.errors, &mut self.unclosed_holes);
        let (errors, unclosed_holes) = (std::mem::take(errors), std::mem::take(holes));
        *self = Self { errors, unclosed_holes, ..made };
        for token in tokens {
            self.push(token.kind, token.end);
        }
    }
}

fn index(offset: u32) -> usize {
    // Every platform that compiles this crate has pointers of at least 32 bits.
    offset as usize
}

/// A text of less than 4 GiB has fewer tokens than 32 bits count.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
