//! Tokens to a tree.
//!
//! A recursive-descent parser that writes straight into the green tree. It accepts any text: what does not
//! fit is wrapped in `ERROR` nodes and reported, and every loop either takes a token or ends.
//! A node begins at a token and ends at one: what separates it from its neighbours belongs to its parent.
//! Only documentation comments belong to the item that they stand in front of, so that a change of
//! another comment leaves every item as it was.
//!
//! Start reading at [`Parser`], then `items`, `stmts`, `exprs`.

mod brackets;
mod builder;
mod conflicts;
mod exprs;
mod foreign;
mod functions;
mod generics;
mod heads;
mod items;
mod lists;
mod operators;
mod patterns;
mod primary;
mod report;
mod stmts;
mod strings;
mod token_set;
mod types;

use crate::lexer::{Lexed, Significant, lex};
use crate::{SyntaxError, SyntaxKind};
use builder::{Builder, Checkpoint};
use rowan::{GreenNode, TextRange, TextSize};

/// How deep expressions, types, patterns and blocks may nest.
pub(crate) const NESTING_LIMIT: u32 = 256;

/// How long a chain of operators, calls or `else if` may be.
///
/// A chain nests in the tree although the parser loops over it, and rowan recurses where it drops a tree: about 100
/// bytes of stack a level without optimisation, and threads that answer an editor have 2 MiB.
pub(crate) const CHAIN_LIMIT: u32 = 16_384;

/// Parses a text into a tree and the mistakes in order of their place.
pub(crate) fn parse_file(text: &str) -> (GreenNode, Vec<SyntaxError>) {
    let mut lexed = lex(text);
    let conflicts = conflicts::take(text, &mut lexed);
    let repaired = brackets::repair(text, &mut lexed);
    let mut parser = Parser::new(text, lexed);
    parser.source_file();
    let (green, mut errors) = parser.finish(repaired);
    errors.extend(conflicts);
    errors.sort_by_key(|error| (error.range.start(), error.range.end()));
    (green, errors)
}

impl Significant {
    /// The index among all tokens.
    fn raw(self) -> usize {
        to_usize(self.raw)
    }
}

/// What the surroundings say of how to read an expression.
#[derive(Debug, Clone, Copy)]
struct Mode {
    /// Whether a new line ends an expression; not so in parentheses, brackets and holes.
    new_lines: bool,
    /// Whether `Name {` begins a struct literal; not so in the head of an `if`, a loop or a `match`.
    struct_literals: bool,
    /// Whether list entries may have an alias; so in attributes.
    aliases: bool,
}

impl Mode {
    const BLOCK: Mode = Mode { new_lines: true, struct_literals: true, aliases: false };
    const GROUP: Mode = Mode { new_lines: false, struct_literals: true, aliases: false };
}

struct Parser<'a> {
    text: &'a str,
    lexed: Lexed<'a>,
    tokens: Vec<Significant>,
    /// The index of the current token among those that mean something.
    pos: usize,
    /// The current token.
    token: Significant,
    /// The index of the first of all tokens that is not in the tree yet.
    written: usize,
    /// Where the tree ends.
    written_end: u32,
    builder: Builder<'a>,
    errors: Vec<SyntaxError>,
    /// The token at which the last mistake was found: a second one there says nothing new.
    last_error: Option<usize>,
    /// Whether mistakes are not reported, because the lexer has reported the cause.
    muted: bool,
    /// The index of the message on a comma that is missing in the list around.
    missed_comma: Option<usize>,
    mode: Mode,
    depth: u32,
    /// Whether the nesting around the current place has been too deep.
    too_deep: bool,
    /// The greatest height of the expressions read since it was last taken.
    height: u32,
    /// The labels of the loops around the current place, innermost last.
    labels: Vec<String>,
    /// How deep the statements of a block without braces must be indented.
    block_indentation: Option<usize>,
    /// How far the items around the current place are indented, innermost last.
    item_columns: Vec<usize>,
    /// The brace of the first block of the item that is closed further out than it is opened.
    suspect: Option<TextRange>,
    /// The places of formats, where what the lexer thinks of numbers means nothing.
    formats: Vec<TextRange>,
    /// The strings of other languages in which a backslash is no escape.
    raw_strings: Vec<TextRange>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, mut lexed: Lexed<'a>) -> Self {
        let tokens = lexed.take_significant();
        Self {
            text,
            lexed,
            pos: 0,
            token: tokens[0],
            tokens,
            written: 0,
            written_end: 0,
            builder: Builder::new(text),
            errors: Vec::new(),
            last_error: None,
            muted: false,
            missed_comma: None,
            mode: Mode::BLOCK,
            depth: 0,
            too_deep: false,
            height: 0,
            labels: Vec::new(),
            block_indentation: None,
            item_columns: Vec::new(),
            suspect: None,
            formats: Vec::new(),
            raw_strings: Vec::new(),
        }
    }

    fn finish(mut self, mut repaired: brackets::Repaired) -> (GreenNode, Vec<SyntaxError>) {
        let inside = |places: &[TextRange], error: &SyntaxError| {
            let after = places.partition_point(|place| place.end() < error.range.end());
            places.get(after).is_some_and(|place| place.contains_range(error.range))
        };
        self.lexed
            .errors
            .retain(|error| !inside(&self.formats, error) && !inside(&self.raw_strings, error));
        self.drop_consequences(&repaired);
        self.errors.append(&mut repaired.errors);
        // A string of several lines without an end holds the rest of the file, whatever that is.
        let open = self.lexed.errors.iter().find(|error| error.is_open_block_string());
        if let Some(open) = open.map(|error| error.range.start()) {
            self.lexed.errors.retain(|error| error.range.start() <= open);
            self.errors.retain(|error| error.range.start() <= open);
        }
        // A name that is none says more than a number that is none.
        if !self.lexed.errors.is_empty() {
            let known: std::collections::HashSet<TextRange> =
                self.errors.iter().map(|error| error.range).collect();
            self.lexed.errors.retain(|error| !known.contains(&error.range));
        }
        self.errors.append(&mut self.lexed.errors);
        (self.builder.finish(), self.errors)
    }

    // Looking.

    fn significant(&self, ahead: usize) -> Significant {
        let last = self.tokens.len() - 1;
        self.tokens[(self.pos + ahead).min(last)]
    }

    /// Goes on to the token that many tokens ahead.
    fn advance(&mut self, count: usize) {
        self.pos += count;
        self.token = self.significant(0);
    }

    /// The kind of the current token.
    fn current(&self) -> SyntaxKind {
        self.token.kind
    }

    /// The kind of the token that many tokens ahead.
    fn nth(&self, ahead: usize) -> SyntaxKind {
        self.significant(ahead).kind
    }

    fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    fn at_any(&self, kinds: &[SyntaxKind]) -> bool {
        kinds.contains(&self.current())
    }

    /// Whether the current token begins a line, and lines matter here.
    fn at_new_line(&self) -> bool {
        self.mode.new_lines && self.token.new_line
    }

    /// Whether the current token begins a line, whether lines matter or not.
    fn at_line_start(&self) -> bool {
        self.token.new_line
    }

    /// Whether nothing stands between the token that many tokens ahead and the next one.
    fn joined(&self, ahead: usize) -> bool {
        self.significant(ahead).raw + 1 == self.significant(ahead + 1).raw
            && self.nth(ahead + 1) != SyntaxKind::EOF
    }

    /// The range of the token that many tokens ahead.
    fn range_of(&self, ahead: usize) -> TextRange {
        self.raw_range(self.significant(ahead).raw())
    }

    fn raw_range(&self, raw: usize) -> TextRange {
        let end_of = |raw: usize| self.lexed.tokens.get(raw).map(|token| TextSize::new(token.end));
        let start = raw.checked_sub(1).and_then(end_of).unwrap_or_default();
        TextRange::new(start, end_of(raw).unwrap_or(start))
    }

    /// The text of the token that many tokens ahead.
    fn text_of(&self, ahead: usize) -> &'a str {
        self.slice(self.range_of(ahead))
    }

    /// The text of a range.
    fn slice(&self, range: TextRange) -> &'a str {
        &self.text[to_usize(range.start().into())..to_usize(range.end().into())]
    }

    /// Whether the current token is a name with this text.
    fn at_word(&self, word: &str) -> bool {
        self.at(SyntaxKind::IDENT) && self.text_of(0) == word
    }

    /// The text of the token before the current one.
    fn text_before(&self) -> &'a str {
        let before = self.pos.checked_sub(1).map(|pos| self.tokens[pos].raw());
        before.map_or("", |raw| self.slice(self.raw_range(raw)))
    }

    /// Where the token before the current one ends.
    fn previous_end(&self) -> TextSize {
        let previous = self.pos.checked_sub(1).map(|pos| self.tokens[pos].raw());
        previous.map_or(TextSize::default(), |raw| self.raw_range(raw).end())
    }

    // Writing.

    /// Writes the next of all tokens.
    #[inline]
    fn write_raw(&mut self) {
        let token = self.lexed.tokens[self.written];
        let start = std::mem::replace(&mut self.written_end, token.end);
        self.written += 1;
        // The end of an unclosed string or hole is a token without text.
        if token.end > start {
            self.builder.token(token.kind, token.end - start);
        }
    }

    /// Writes what separates the current token from the one before.
    fn write_trivia(&mut self) {
        while self.written < self.token.raw() {
            self.write_raw();
        }
    }

    /// Writes what separates an item from what is before, but for its documentation comment.
    fn write_trivia_before_item(&mut self) {
        let item = self.token.raw();
        let mut documentation = item;
        let mut lines = 0;
        for raw in (self.written..item).rev() {
            match self.lexed.tokens[raw].kind {
                SyntaxKind::NEWLINE => lines += 1,
                SyntaxKind::WHITESPACE => {}
                SyntaxKind::DOC_COMMENT => {
                    lines = 0;
                    documentation = raw;
                }
                _ => lines = 0,
            }
            // An empty line takes a comment away from what follows.
            if lines > 1 {
                break;
            }
        }
        while self.written < documentation {
            self.write_raw();
        }
    }

    fn start(&mut self, kind: SyntaxKind) {
        self.write_trivia();
        self.builder.start_node(kind);
    }

    fn checkpoint(&mut self) -> Checkpoint {
        self.write_trivia();
        self.builder.checkpoint()
    }

    fn start_at(&mut self, checkpoint: Checkpoint, kind: SyntaxKind) {
        self.builder.start_node_at(checkpoint, kind);
    }

    fn finish_node(&mut self) {
        self.builder.finish_node();
    }

    /// Wraps what was written since the checkpoint.
    fn wrap(&mut self, checkpoint: Checkpoint, kind: SyntaxKind) {
        self.start_at(checkpoint, kind);
        self.finish_node();
    }

    /// Takes the current token.
    fn bump(&mut self) {
        if self.at(SyntaxKind::EOF) {
            return;
        }
        let raw = self.token.raw();
        if raw == self.written {
            self.write_raw();
        } else if self.lexed.tokens[raw].end > self.lexed.tokens[raw - 1].end {
            self.write_trivia();
            self.write_raw();
        }
        // A token without text stands for a missing one: what separates it from the next is none of its node's.
        self.advance(1);
    }

    /// Takes the current token with nodes around it that hold nothing else, the innermost first.
    fn bump_within(&mut self, around: &[SyntaxKind]) {
        self.write_trivia();
        let token = self.lexed.tokens[self.token.raw()];
        let start = std::mem::replace(&mut self.written_end, token.end);
        self.written = self.token.raw() + 1;
        self.builder.token_within(token.kind, token.end - start, around);
        self.advance(1);
    }

    /// Takes some tokens that stand together as one.
    fn bump_joined(&mut self, count: usize, kind: SyntaxKind) {
        self.write_trivia();
        self.bump_joined_from(self.range_of(0).start(), count, kind);
    }

    /// Takes some tokens, with what separates them, as one that starts where the tree ends.
    fn bump_joined_from(&mut self, start: TextSize, count: usize, kind: SyntaxKind) {
        let range = TextRange::new(start, self.range_of(count - 1).end());
        self.builder.token(kind, range.len().into());
        self.written = self.significant(count - 1).raw() + 1;
        self.written_end = range.end().into();
        self.advance(count);
    }

    /// Takes the current token if it is of the kind.
    fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes a token of the kind, or reports that it is missing.
    fn expect(&mut self, kind: SyntaxKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.error_expected(kind.name());
        }
        found
    }

    /// How far the line of the current token is indented, in bytes.
    fn line_indentation(&self) -> usize {
        self.indentation_of(self.token)
    }

    /// How far the line of the token before the current one is indented.
    fn indentation_before(&self) -> usize {
        self.pos.checked_sub(1).map_or(0, |before| self.indentation_of(self.tokens[before]))
    }

    fn indentation_of(&self, token: Significant) -> usize {
        let first = self.tokens[to_usize(token.line)].raw();
        indentation(self.text, self.raw_range(first).start().into())
    }

    /// Wraps the current token, which has been reported, in an `ERROR` node.
    fn bump_as_error(&mut self) {
        self.start(SyntaxKind::ERROR);
        self.bump();
        self.finish_node();
    }

    // Descending.

    /// Reads something in another mode.
    fn with_mode<R>(&mut self, mode: Mode, read: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.mode, mode);
        let result = read(self);
        self.mode = outer;
        result
    }

    /// Reads something one level deeper; past the limit it is reported and skipped.
    fn nested<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= NESTING_LIMIT {
            if !std::mem::replace(&mut self.too_deep, true) {
                let message = format!("maximum nesting depth ({NESTING_LIMIT}) reached");
                self.error(self.range_of(0), message);
            }
            self.skip_group();
            // What is missing behind it is a consequence.
            self.last_error = Some(self.pos);
            return None;
        }
        // What is too deep is reported once per outermost expression.
        self.too_deep &= self.depth > 0;
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        Some(result)
    }

    /// Skips what is nested too deep, up to what ends the entry or the line that it is in.
    fn skip_group(&mut self) {
        self.skip_while(|parser| !parser.at(SyntaxKind::COMMA) && !parser.at_new_line());
    }

    /// Wraps tokens in an `ERROR` node: groups whole, up to what closes the group around them,
    /// and outside of groups as long as the condition holds. Gives whether there were any.
    fn skip_while(&mut self, mut goes_on: impl FnMut(&Self) -> bool) -> bool {
        let first = self.pos;
        let mut open = 0usize;
        loop {
            match self.current() {
                SyntaxKind::EOF => break,
                kind if is_closing(kind) && open == 0 => break,
                _ if open == 0 && self.pos > first && !goes_on(self) => break,
                kind if is_opening(kind) => open += 1,
                kind if is_closing(kind) => open -= 1,
                _ => {}
            }
            if self.pos == first {
                self.start(SyntaxKind::ERROR);
            }
            self.bump();
        }
        let skipped = self.pos > first;
        if skipped {
            self.finish_node();
        }
        skipped
    }
}

/// How far the line of a place is indented, in bytes, whatever comments stand between its beginning and the place.
fn indentation(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..];
    rest.len() - rest.trim_start_matches([' ', '\t']).len()
}

/// A 32-bit offset as an index.
fn to_usize(offset: u32) -> usize {
    // Every platform that compiles this crate has pointers of at least 32 bits.
    offset as usize
}

fn is_opening(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::L_PAREN
            | SyntaxKind::L_BRACK
            | SyntaxKind::L_BRACE
            | SyntaxKind::HOLE_OPEN
            | SyntaxKind::STRING_START
    )
}

fn is_closing(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::R_PAREN
            | SyntaxKind::R_BRACK
            | SyntaxKind::R_BRACE
            | SyntaxKind::HOLE_CLOSE
            | SyntaxKind::STRING_END
    )
}
