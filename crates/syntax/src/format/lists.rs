//! Lists in brackets.

use super::document::Line;
use super::rules::{Formatter, first_token, last_token, parts};
use crate::{NodeOrToken, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

/// How many characters, white space aside, the parameters of a closure may have that stay on one line.
const NARROW: usize = 40;

/// How many bytes a text may have, its quotes included, that stands on a line with others.
const SHORT_TEXT: usize = 12;

/// How a list is laid out.
#[derive(Debug, Clone, Copy, Default)]
struct Style {
    /// Whether there are spaces inside of the brackets of a list on one line.
    spaces: bool,
    /// Whether a comma stands behind the last entry of a list on several lines.
    comma: bool,
    /// Whether the list is on several lines in any case.
    broken: bool,
    /// Whether what stands in front of the list should rather break.
    reluctant: bool,
}

/// A list in its parts.
struct List<'e> {
    open: &'e SyntaxToken,
    /// The entries, each with the comma behind it.
    entries: Vec<(&'e SyntaxNode, Option<&'e SyntaxToken>)>,
    close: &'e SyntaxToken,
}

impl<'e> List<'e> {
    /// Reads the list that the parts begin with; gives how many parts it has, too.
    fn read(parts: &'e [SyntaxElement], close: SyntaxKind) -> Option<(Self, usize)> {
        let open = parts.first()?.as_token()?;
        let mut entries: Vec<(&SyntaxNode, Option<&SyntaxToken>)> = Vec::new();
        for (at, part) in parts.iter().enumerate().skip(1) {
            match part {
                NodeOrToken::Node(node) => entries.push((node, None)),
                NodeOrToken::Token(token) if token.kind() == SyntaxKind::COMMA => {
                    let comma = &mut entries.last_mut()?.1;
                    if comma.is_some() {
                        return None;
                    }
                    *comma = Some(token);
                }
                NodeOrToken::Token(token) if token.kind() == close => {
                    return Some((Self { open, entries, close: token }, at + 1));
                }
                // A list that is not built as lists are is printed part by part.
                NodeOrToken::Token(_) => return None,
            }
        }
        None
    }
}

impl Formatter<'_> {
    /// Prints the list that the parts of a node begin with; gives how many parts it has.
    pub(super) fn list_at(&mut self, node: SyntaxKind, parts: &[SyntaxElement]) -> usize {
        use SyntaxKind as K;
        let Some(first) = parts.first() else { return 0 };
        let (close, style) = match (first.kind(), node) {
            (K::L_PAREN, K::PAREN_TYPE | K::PAREN_EXPR) => return 0,
            (K::L_PAREN, K::TUPLE_PAT | K::VARIANT_PAT | K::ATTR_ARG_LIST) => {
                (K::R_PAREN, Style { reluctant: true, comma: true, ..Style::default() })
            }
            (K::L_PAREN, _) => (K::R_PAREN, Style { comma: true, ..Style::default() }),
            (K::L_BRACK, K::INDEX_LIST | K::SHAPE_ARG | K::ARRAY_PAT) => {
                (K::R_BRACK, Style { reluctant: true, ..Style::default() })
            }
            (K::LT, K::GENERIC_PARAM_LIST | K::TYPE_ARG_LIST | K::BOUND) => {
                (K::GT, Style { reluctant: true, ..Style::default() })
            }
            (K::PIPE, K::CLOSURE_PARAM_LIST) => {
                (K::PIPE, Style { reluctant: true, ..Style::default() })
            }
            (K::L_BRACE, K::IMPORT_LIST) => (K::R_BRACE, Style { comma: true, ..Style::default() }),
            (K::L_BRACE, K::STRUCT_LIT_FIELD_LIST) => {
                let broken = begins_line(parts.get(1));
                (K::R_BRACE, Style { spaces: true, comma: true, broken, reluctant: false })
            }
            (K::L_BRACE, K::FIELD_LIST | K::VARIANT_LIST) => {
                let broken = spans_lines(parts);
                (K::R_BRACE, Style { spaces: true, comma: true, broken, reluctant: false })
            }
            (K::L_BRACE, K::STRUCT_PAT) => {
                (K::R_BRACE, Style { spaces: true, comma: true, broken: false, reluctant: true })
            }
            _ => return 0,
        };
        let Some((list, length)) = List::read(parts, close) else { return 0 };
        self.list(&list, style);
        length
    }

    fn list(&mut self, list: &List<'_>, style: Style) {
        if let [(entry, comma)] = list.entries.as_slice()
            && list.open.kind() == SyntaxKind::L_PAREN
            && is_hugged(entry)
            && !self.has_comments_around(list.open, entry, list.close)
            && !comma.is_some_and(|c| self.has_comments_before(c) || self.has_comments_behind(c))
            // The comma makes a tuple of one element.
            && (comma.is_none() || entry.kind() == SyntaxKind::ARG)
        {
            self.token(list.open);
            self.node(entry);
            self.token(list.close);
            return;
        }
        if list.open.kind() == SyntaxKind::PIPE && list.entries.is_empty() {
            // Side by side they would be one token.
            self.token(list.open);
            if !self.begins_line(list.close) {
                self.comments_before_close(list.close);
            }
            self.space();
            self.token(list.close);
            return;
        }
        if list.open.kind() == SyntaxKind::PIPE && self.is_narrow(list) {
            self.on_one_line(list);
            return;
        }
        self.leading(list.open.text_range());
        let content = |f: &mut Self| f.list_in_group(list, style);
        if style.reluctant { self.reluctant_group(content) } else { self.group(content) }
    }

    /// Whether the lines of a list are no remedy for what is too long behind it.
    fn is_narrow(&self, list: &List<'_>) -> bool {
        let text = self.slice(list.open.text_range().cover(list.close.text_range()));
        let width = text.chars().filter(|c| !c.is_whitespace()).count();
        width <= NARROW && !text.contains("//") && !text.contains("/*")
    }

    fn on_one_line(&mut self, list: &List<'_>) {
        let last = list.entries.len().saturating_sub(1);
        self.token(list.open);
        for (index, (entry, comma)) in list.entries.iter().enumerate() {
            self.node(entry);
            let text = if index < last { "," } else { "" };
            self.comma(*comma, text, text);
            if index < last {
                self.space();
            }
        }
        self.token(list.close);
    }

    fn list_in_group(&mut self, list: &List<'_>, style: Style) {
        let edge = if style.spaces && !list.entries.is_empty() { Line::Space } else { Line::Soft };
        self.token(list.open);
        let last = list.entries.len().saturating_sub(1);
        self.indented(1, |f| {
            for (index, (entry, comma)) in list.entries.iter().enumerate() {
                match index {
                    0 if style.broken => f.line(Line::Hard),
                    0 => f.line(edge),
                    _ if style.broken => f.separate(entry),
                    _ => f.line(Line::Space),
                }
                let tail = index == last && is_tail(entry);
                if tail {
                    f.tail(true);
                }
                f.node(entry);
                if tail {
                    f.tail(false);
                }
                if index < last {
                    f.comma(*comma, ",", ",");
                } else {
                    f.last_comma(list, style, entry, *comma);
                }
            }
            if list.entries.is_empty() && f.has_comments_before(list.close) {
                f.line(if style.broken { Line::Hard } else { edge });
            }
            f.comments_before_close(list.close);
        });
        self.line(if style.broken { Line::Hard } else { edge });
        self.token(list.close);
    }

    /// What stands behind the last entry.
    fn last_comma(
        &mut self,
        list: &List<'_>,
        style: Style,
        entry: &SyntaxNode,
        comma: Option<&SyntaxToken>,
    ) {
        let ends_list = matches!(entry.kind(), SyntaxKind::STRUCT_BASE | SyntaxKind::REST_PAT);
        let one_tuple = list.entries.len() == 1
            && list.open.kind() == SyntaxKind::L_PAREN
            && comma.is_some()
            && !matches!(entry.kind(), SyntaxKind::ARG | SyntaxKind::PARAM | SyntaxKind::ATTR_ARG);
        let broken = if style.comma && !ends_list || one_tuple { "," } else { "" };
        self.comma(comma, broken, if one_tuple { "," } else { "" });
    }

    /// A comma of a group on several lines and of one on one line, with the comments of the one in the text.
    pub(super) fn comma(
        &mut self,
        comma: Option<&SyntaxToken>,
        broken: &'static str,
        flat: &'static str,
    ) {
        if let Some(comma) = comma {
            self.leading(comma.text_range());
        }
        self.either(broken, flat);
        if let Some(comma) = comma {
            self.trailing(comma.text_range());
        }
    }

    /// Whether comments stand right inside of brackets around a single entry.
    pub(super) fn has_comments_around(
        &self,
        open: &SyntaxToken,
        entry: &SyntaxNode,
        close: &SyntaxToken,
    ) -> bool {
        self.has_comments_behind(open)
            || first_token(entry).is_some_and(|first| self.has_comments_before(&first))
            || last_token(entry).is_some_and(|last| self.has_comments_behind(&last))
            || self.has_comments_before(close)
    }

    /// An array: on lines as its rows are written.
    pub(super) fn array(&mut self, node: &SyntaxNode) {
        let parts = parts(node);
        let Some((list, _)) = List::read(&parts, SyntaxKind::R_BRACK) else {
            self.parts(node.kind(), &parts);
            return;
        };
        let rows = list.entries.iter().any(|(entry, _)| self.gap(entry) > 0)
            || list.entries.last().is_some_and(|_| begins_line(parts.last()));
        let short = list.entries.iter().all(|(entry, _)| is_short(entry));
        if !rows && !short || list.entries.is_empty() {
            self.list(&list, Style { comma: true, ..Style::default() });
            return;
        }
        self.group(|f| f.rows(&list, rows));
    }

    /// The entries of an array in rows: as they are written, or filled.
    fn rows(&mut self, list: &List<'_>, rows: bool) {
        self.token(list.open);
        let last = list.entries.len().saturating_sub(1);
        self.indented(1, |f| {
            for (index, (entry, comma)) in list.entries.iter().enumerate() {
                let separator = match index {
                    0 if rows => Line::Hard,
                    0 => Line::Soft,
                    _ if rows && f.gap(entry) > 1 => Line::Blank,
                    _ if rows && f.gap(entry) == 1 => Line::Hard,
                    _ => Line::Space,
                };
                let ends = index == last;
                let content = |f: &mut Self| {
                    f.line(separator);
                    f.node(entry);
                };
                // An entry that does not fit on the line goes to the next one.
                if separator == Line::Space {
                    f.group(content)
                } else {
                    content(f)
                }
                f.comma(*comma, ",", if ends { "" } else { "," });
            }
            f.comments_before_close(list.close);
        });
        self.line(if rows { Line::Hard } else { Line::Soft });
        self.token(list.close);
    }
}

/// Whether a new line stands in front of a part.
pub(super) fn begins_line(part: Option<&SyntaxElement>) -> bool {
    let mut before = part.and_then(|part| part.prev_sibling_or_token());
    while let Some(element) = before.filter(|element| element.kind().is_trivia()) {
        if element.kind() == SyntaxKind::NEWLINE {
            return true;
        }
        before = element.prev_sibling_or_token();
    }
    false
}

/// Whether the parts stand on several lines.
fn spans_lines(parts: &[SyntaxElement]) -> bool {
    parts.iter().skip(1).any(|part| {
        begins_line(Some(part))
            || part.as_node().is_some_and(|node| node.text().contains_char('\n'))
    })
}

/// Whether an array of such entries is filled: of numbers and short texts.
fn is_short(entry: &SyntaxNode) -> bool {
    match entry.kind() {
        SyntaxKind::LITERAL => true,
        SyntaxKind::STRING_LIT => usize::from(entry.text().len()) <= SHORT_TEXT,
        SyntaxKind::PREFIX_EXPR => entry.children().all(|operand| is_short(&operand)),
        _ => false,
    }
}

/// The expression that an entry of a list is.
fn expression_of(entry: &SyntaxNode) -> Option<SyntaxNode> {
    match entry.kind() {
        SyntaxKind::ARG => entry.last_child(),
        _ => Some(entry.clone()),
    }
}

/// Whether brackets around a single entry stand on its lines.
fn is_hugged(entry: &SyntaxNode) -> bool {
    let Some(mut expression) = expression_of(entry) else { return false };
    while matches!(expression.kind(), SyntaxKind::BORROW_EXPR | SyntaxKind::PREFIX_EXPR) {
        let Some(operand) = expression.last_child() else { return false };
        expression = operand;
    }
    match expression.kind() {
        SyntaxKind::ARRAY_EXPR
        | SyntaxKind::STRUCT_LIT
        | SyntaxKind::BLOCK
        | SyntaxKind::MATCH_EXPR => true,
        // A text of one line may fit on a line of its own.
        SyntaxKind::STRING_LIT => expression.text().contains_char('\n'),
        SyntaxKind::CLOSURE_EXPR => has_block(&expression),
        _ => false,
    }
}

/// Whether the last entry of a list may go on over several lines while the list stands on one.
fn is_tail(entry: &SyntaxNode) -> bool {
    expression_of(entry).is_some_and(|expression| match expression.kind() {
        SyntaxKind::CLOSURE_EXPR => has_block(&expression),
        kind => matches!(
            kind,
            SyntaxKind::BLOCK
                | SyntaxKind::MATCH_EXPR
                | SyntaxKind::STRUCT_LIT
                | SyntaxKind::ARRAY_EXPR
        ),
    })
}

/// Whether the body of a closure has braces around its lines.
fn has_block(closure: &SyntaxNode) -> bool {
    closure.last_child().is_some_and(|body| {
        matches!(
            body.kind(),
            SyntaxKind::BLOCK
                | SyntaxKind::MATCH_EXPR
                | SyntaxKind::LOOP_EXPR
                | SyntaxKind::WHILE_EXPR
                | SyntaxKind::FOR_EXPR
                | SyntaxKind::UNSAFE_EXPR
        )
    })
}
