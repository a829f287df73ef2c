//! Tokens, comments and simple nodes; the kinds of nodes with a layout of their own are in the modules around.

use std::borrow::Cow;

use super::comments::{Comment, Comments, Surroundings};
use super::document::{Element, Group, Line, settle};
use super::printer::print;
use crate::{
    NodeOrToken, Parse, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize,
};

/// How deep nodes are laid out; what is nested deeper is kept as it is.
const DEPTH_LIMIT: u32 = 160;

/// Writes a tree as a document.
pub(super) struct Formatter<'a> {
    pub(super) text: &'a str,
    parse: &'a Parse,
    out: Vec<Element<'a>>,
    comments: Comments,
    /// Whether a comment waits for the end of the line.
    suffix: bool,
    depth: u32,
}

impl<'a> Formatter<'a> {
    pub(super) fn new(text: &'a str, parse: &'a Parse) -> Self {
        let comments = Comments::of(&parse.syntax_node());
        Self { text, parse, out: Vec::new(), comments, suffix: false, depth: 0 }
    }

    /// The whole file.
    pub(super) fn file(mut self) -> String {
        let root = self.parse.syntax_node();
        if self.ends_in_open_comment() {
            // Nobody can tell what of it is meant as a comment.
            return self.text.to_owned();
        }
        self.source_file(&root);
        settle(&mut self.out);
        let new_line = self.new_line(&root);
        let mut text = print(&self.out, new_line);
        let mark = '\u{feff}';
        if self.text.starts_with(mark) && !text.starts_with(mark) {
            text.insert(0, mark);
        }
        text
    }

    /// How the last line of the text ends; it is the one that is always written anew.
    fn new_line(&self, root: &SyntaxNode) -> &'static str {
        let mut tokens = std::iter::successors(root.last_token(), SyntaxToken::prev_token);
        let last = tokens.find(|token| token.kind() == SyntaxKind::NEWLINE);
        let before = last.map_or("", |last| {
            self.text.get(..usize::from(last.text_range().start())).unwrap_or_default()
        });
        if before.ends_with('\r') { "\r\n" } else { "\n" }
    }

    /// Whether the text ends in a comment that is never closed.
    fn ends_in_open_comment(&self) -> bool {
        let last = self.parse.syntax_node().last_token();
        last.filter(|token| token.kind() == SyntaxKind::BLOCK_COMMENT).is_some_and(|comment| {
            let start = comment.text_range().start();
            self.mistakes(comment.text_range()).any(|m| m.start() == start && !m.is_empty())
        })
    }

    /// Whether a mistake lies in the range or at its ends.
    pub(super) fn has_mistake(&self, range: TextRange) -> bool {
        self.mistakes(range).next().is_some()
    }

    /// Where the mistakes are that lie in the range or at its ends.
    pub(super) fn mistakes(&self, range: TextRange) -> impl Iterator<Item = TextRange> {
        let errors = &self.parse.errors;
        let after = errors.partition_point(|error| error.range.start() <= range.end());
        let touches = move |error: &TextRange| error.end() >= range.start();
        errors[..after].iter().map(|error| error.range).filter(touches)
    }

    // Pieces of the document.

    pub(super) fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
    }

    pub(super) fn space(&mut self) {
        self.out.push(Element::Space);
    }

    pub(super) fn line(&mut self, line: Line) {
        self.suffix = false;
        self.out.push(Element::Line(line));
    }

    pub(super) fn either(&mut self, broken: &'static str, flat: &'static str) {
        self.out.push(Element::Either { broken, flat });
    }

    pub(super) fn tail(&mut self, tail: bool) {
        self.out.push(Element::Tail(tail));
    }

    pub(super) fn group(&mut self, content: impl FnOnce(&mut Self)) {
        self.out.push(Element::GroupStart(Group::default()));
        content(self);
        self.out.push(Element::GroupEnd);
    }

    pub(super) fn reluctant_group(&mut self, content: impl FnOnce(&mut Self)) {
        self.out.push(Element::GroupStart(Group { reluctant: true, ..Group::default() }));
        content(self);
        self.out.push(Element::GroupEnd);
    }

    pub(super) fn indented(&mut self, levels: u8, content: impl FnOnce(&mut Self)) {
        self.out.push(Element::IndentStart(levels));
        content(self);
        self.out.push(Element::IndentEnd);
    }

    // Tokens and comments.

    /// A token with its comments.
    pub(super) fn token(&mut self, token: &SyntaxToken) {
        let range = token.text_range();
        self.leading(range);
        self.out.push(Element::Text(Cow::Borrowed(self.slice(range))));
        self.trailing(range);
    }

    /// The comments in front of the token at the start of a range, if they are not printed yet.
    pub(super) fn leading(&mut self, range: TextRange) {
        let Some(surroundings) = self.comments.at_mut(range.start()) else { return };
        let comments = std::mem::take(&mut surroundings.leading);
        let (lines, space) = (surroundings.lines_before, surroundings.space_before);
        if comments.is_empty() {
            return;
        }
        self.comment_lines(&comments);
        match lines {
            0 if space => self.space(),
            0 => {}
            1 => self.line(Line::Hard),
            _ => self.line(Line::Blank),
        }
    }

    /// The comments in front of a node; printed here, they break none of the groups that begin with it.
    pub(super) fn leading_of(&mut self, node: &SyntaxNode) {
        if let Some(first) = first_token(node) {
            self.leading(first.text_range());
        }
    }

    /// Leaves the comments on lines of their own in front of a token to the token that follows.
    pub(super) fn hand_on_leading(&mut self, token: &SyntaxToken) {
        self.comments.hand_on_leading(token.text_range().start());
    }

    /// Comments in front of something, each on its line if it was.
    fn comment_lines(&mut self, comments: &[Comment]) {
        for (index, comment) in comments.iter().enumerate() {
            match comment.lines_before {
                0 => self.out.push(Element::SpaceInside),
                // The empty line in front of the first one is the affair of who separates entries.
                1 => self.line(Line::Hard),
                _ if index == 0 => self.line(Line::Hard),
                _ => self.line(Line::Blank),
            }
            self.comment(comment);
        }
    }

    fn comment(&mut self, comment: &Comment) {
        let text = self.slice(comment.range);
        if comment.block {
            self.out.push(Element::Text(Cow::Borrowed(text)));
        } else {
            self.out.push(Element::Text(Cow::Borrowed(text.trim_end())));
            // A comment that does not end a line here ends one where it stood.
            self.out.push(Element::Suffix(""));
        }
    }

    /// The comments behind the token at the start of a range, if they are not printed yet.
    pub(super) fn trailing(&mut self, range: TextRange) {
        let start = range.start();
        if self.suffix && self.comments.at(start).is_some_and(Surroundings::ends_line) {
            // Another comment ends the line that this token is on now.
            self.comments.hand_on(start);
        }
        let Some(surroundings) = self.comments.at_mut(start) else { return };
        let space_behind = surroundings.space_behind;
        for comment in std::mem::take(&mut surroundings.trailing) {
            let text = self.slice(comment.range);
            if comment.block {
                self.out.push(Element::SpaceInside);
                self.out.push(Element::Text(Cow::Borrowed(text)));
                if space_behind {
                    self.space();
                }
            } else {
                self.out.push(Element::Suffix(text.trim_end()));
                self.suffix = true;
            }
        }
    }

    /// The comments in front of a closing bracket, which are indented as what it encloses.
    pub(super) fn comments_before_close(&mut self, close: &SyntaxToken) {
        self.comments_before_end(close.text_range().start());
    }

    /// The comments in front of what ends a group or the file.
    pub(super) fn comments_before_end(&mut self, end: TextSize) {
        let Some(surroundings) = self.comments.at_mut(end) else { return };
        let comments = std::mem::take(&mut surroundings.leading);
        if comments.is_empty() {
            return;
        }
        let blank = comments.first().is_some_and(|comment| comment.lines_before > 1);
        let behind_open = matches!(self.out.last(), Some(Element::IndentStart(_)));
        if blank && !behind_open {
            self.line(Line::Blank);
        }
        self.comment_lines(&comments);
    }

    /// Whether a new line stands right in front of a token.
    pub(super) fn begins_line(&self, token: &SyntaxToken) -> bool {
        let surroundings = self.comments.at(token.text_range().start());
        surroundings.is_some_and(|surroundings| surroundings.lines_before > 0)
    }

    /// Whether comments stand in front of a token.
    pub(super) fn has_comments_before(&self, token: &SyntaxToken) -> bool {
        let surroundings = self.comments.at(token.text_range().start());
        surroundings.is_some_and(|surroundings| !surroundings.leading.is_empty())
    }

    /// Whether comments stand behind a token on its line.
    pub(super) fn has_comments_behind(&self, token: &SyntaxToken) -> bool {
        let surroundings = self.comments.at(token.text_range().start());
        surroundings.is_some_and(|surroundings| !surroundings.trailing.is_empty())
    }

    /// How many new lines stand in front of a node and its comments.
    pub(super) fn gap(&self, node: &SyntaxNode) -> u32 {
        first_token(node).map_or(0, |token| self.gap_at(token.text_range().start()))
    }

    /// How many new lines stand in front of the token that starts at an offset, and its comments.
    pub(super) fn gap_at(&self, start: TextSize) -> u32 {
        self.comments.at(start).map_or(0, |surroundings| surroundings.gap())
    }

    /// What separates a node from the entry before it: a new line, and an empty line if there was one.
    pub(super) fn separate(&mut self, node: &SyntaxNode) {
        self.line(if self.gap(node) > 1 { Line::Blank } else { Line::Hard });
    }

    /// A node as it is, with the comments around it.
    pub(super) fn verbatim(&mut self, node: &SyntaxNode) {
        self.verbatim_from_to(node, node);
    }

    /// The text from the start of a node to the end of another as it is, with the comments around it.
    pub(super) fn verbatim_from_to(&mut self, from: &SyntaxNode, to: &SyntaxNode) {
        let range = from.text_range().cover(to.text_range());
        let (Some(first), Some(last)) = (first_token(from), last_token(to)) else { return };
        if let Some(surroundings) = self.comments.at_mut(first.text_range().start()) {
            // Documentation is part of the node.
            surroundings.leading.retain(|comment| comment.range.start() < range.start());
        }
        self.leading(first.text_range());
        if range.start() < first.text_range().start() {
            self.line(Line::Hard);
        }
        self.out.push(Element::Text(Cow::Borrowed(self.slice(range))));
        self.trailing(last.text_range());
    }

    // Nodes.

    /// A node of any kind.
    pub(super) fn node(&mut self, node: &SyntaxNode) {
        if self.depth >= DEPTH_LIMIT {
            self.verbatim(node);
            return;
        }
        self.leading_of(node);
        self.depth += 1;
        self.node_inner(node);
        self.depth -= 1;
    }

    fn node_inner(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::STRING_LIT | SyntaxKind::ERROR => self.verbatim(node),
            kind if self.item(node, kind) => {}
            kind if self.statement(node, kind) => {}
            kind if self.expression(node, kind) => {}
            _ => self.inline(node),
        }
    }

    /// The parts of a node one behind the other, lists in brackets as such.
    pub(super) fn inline(&mut self, node: &SyntaxNode) {
        self.parts(node.kind(), &parts(node));
    }

    /// The parts of a node of some kind one behind the other.
    pub(super) fn parts(&mut self, kind: SyntaxKind, parts: &[SyntaxElement]) {
        let mut rest = parts;
        let mut before: Option<SyntaxKind> = None;
        while let Some(first) = rest.first() {
            if let Some(before) = before
                && !is_glued(kind, before, first.kind())
            {
                self.space();
            }
            let list = self.list_at(kind, rest);
            if list > 0 {
                rest = &rest[list..];
                before = Some(SyntaxKind::R_PAREN);
                continue;
            }
            match first {
                NodeOrToken::Node(node) => self.node(node),
                NodeOrToken::Token(token) => self.token(token),
            }
            before = Some(first.kind());
            rest = &rest[1..];
        }
    }
}

/// The children of a node but for what separates them.
pub(super) fn parts(node: &SyntaxNode) -> Vec<SyntaxElement> {
    node.children_with_tokens().filter(|element| !element.kind().is_trivia()).collect()
}

/// The first token of a node that is no trivia.
pub(super) fn first_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let mut token = node.first_token()?;
    while token.kind().is_trivia() {
        token = token.next_token()?;
    }
    node.text_range().contains_range(token.text_range()).then_some(token)
}

/// The last token of a node that is no trivia.
pub(super) fn last_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let mut token = node.last_token()?;
    while token.kind().is_trivia() {
        token = token.prev_token()?;
    }
    node.text_range().contains_range(token.text_range()).then_some(token)
}

/// Whether no space stands between two parts of a node.
fn is_glued(node: SyntaxKind, before: SyntaxKind, after: SyntaxKind) -> bool {
    use SyntaxKind as K;
    let by_after = matches!(
        after,
        K::COMMA
            | K::COLON
            | K::COLON2
            | K::SEMICOLON
            | K::R_PAREN
            | K::R_BRACK
            | K::DOT
            | K::PARAM_LIST
            | K::GENERIC_PARAM_LIST
            | K::TYPE_ARG_LIST
            | K::ARG_LIST
            | K::INDEX_LIST
            | K::ATTR_ARG_LIST
            | K::TUPLE_FIELD_LIST
    );
    let by_before = match before {
        K::COLON2 | K::DOT | K::AT | K::L_PAREN | K::L_BRACK => true,
        K::AMP => matches!(node, K::REF_TYPE | K::SELF_PARAM),
        K::MINUS => matches!(node, K::CONST_ARG | K::LITERAL_PAT),
        K::DOT2 => matches!(node, K::REST_PAT | K::STRUCT_BASE | K::RANGE_PAT),
        K::DOT2_EQ => node == K::RANGE_PAT,
        K::SLASH => node == K::IMPORT_PATH,
        _ => false,
    };
    let by_node = match node {
        K::RANGE_PAT => matches!(after, K::DOT2 | K::DOT2_EQ),
        K::IMPORT_PATH => after == K::SLASH,
        K::VARIANT_PAT => after == K::L_PAREN,
        K::BOUND => after == K::LT,
        _ => false,
    };
    by_after || by_before || by_node
}
