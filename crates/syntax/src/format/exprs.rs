//! Expressions; chains of operators and of calls are in `chains`.

use super::document::Line;
use super::items::is_one_line;
use super::rules::{Formatter, parts};
use crate::{NodeOrToken, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

impl Formatter<'_> {
    /// Prints a node if it is an expression with a layout of its own.
    pub(super) fn expression(&mut self, node: &SyntaxNode, kind: SyntaxKind) -> bool {
        match kind {
            SyntaxKind::BIN_EXPR => self.binary(node, 1),
            SyntaxKind::CALL_EXPR
            | SyntaxKind::METHOD_CALL_EXPR
            | SyntaxKind::FIELD_EXPR
            | SyntaxKind::INDEX_EXPR
            | SyntaxKind::TRY_EXPR => self.postfix(node, 1),
            SyntaxKind::CAST_EXPR => self.casts(node),
            SyntaxKind::PREFIX_EXPR | SyntaxKind::BORROW_EXPR => self.prefix(node),
            SyntaxKind::RANGE_EXPR => self.range(node),
            SyntaxKind::PAREN_EXPR => self.parentheses(node),
            SyntaxKind::ARRAY_EXPR => self.array(node),
            SyntaxKind::IF_EXPR => self.if_chain(node),
            SyntaxKind::WHILE_EXPR | SyntaxKind::FOR_EXPR | SyntaxKind::MATCH_EXPR => {
                self.with_head(node);
            }
            _ => return false,
        }
        true
    }

    /// An expression whose further lines are indented by so many levels.
    pub(super) fn operand(&mut self, node: &SyntaxNode, levels: u8) {
        self.leading_of(node);
        match node.kind() {
            SyntaxKind::BIN_EXPR => self.binary(node, levels),
            SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL_EXPR if levels > 0 => {
                self.postfix(node, levels);
            }
            _ => self.node(node),
        }
    }

    fn prefix(&mut self, node: &SyntaxNode) {
        let mut before: Option<SyntaxKind> = None;
        for part in parts(node) {
            if before == Some(SyntaxKind::MUT_KW) {
                self.space();
            }
            match &part {
                NodeOrToken::Node(operand) => {
                    // Two signs side by side may be one token, or mean something else.
                    let first = operand.first_token().filter(|first| Some(first.kind()) == before);
                    if first.is_some_and(|first| is_apart(&first)) {
                        self.space();
                    }
                    self.node(operand);
                }
                NodeOrToken::Token(token) => self.token(token),
            }
            before = Some(part.kind());
        }
    }

    fn range(&mut self, node: &SyntaxNode) {
        for part in parts(node) {
            match part {
                NodeOrToken::Node(bound) => self.node(&bound),
                NodeOrToken::Token(sign) => self.token(&sign),
            }
        }
    }

    fn parentheses(&mut self, node: &SyntaxNode) {
        let parts = parts(node);
        let [NodeOrToken::Token(open), NodeOrToken::Node(inner), NodeOrToken::Token(close)] =
            parts.as_slice()
        else {
            self.parts(node.kind(), &parts);
            return;
        };
        let bare = matches!(inner.kind(), SyntaxKind::CLOSURE_EXPR | SyntaxKind::MATCH_EXPR)
            && !self.has_comments_around(open, inner, close);
        if bare {
            self.token(open);
            self.node(inner);
            self.token(close);
            return;
        }
        self.group(|f| {
            f.token(open);
            f.indented(1, |f| {
                f.line(Line::Soft);
                f.operand(inner, 0);
                f.comments_before_close(close);
            });
            f.line(Line::Soft);
            f.token(close);
        });
    }

    /// `if c { } else if d { } else { }`: all blocks on one line, or none.
    fn if_chain(&mut self, node: &SyntaxNode) {
        let mut links = Vec::new();
        let mut next = Some(node.clone());
        while let Some(link) = next {
            next = link.children().last().filter(|last| last.kind() == SyntaxKind::IF_EXPR);
            links.push(link);
        }
        let blocks = |link: &SyntaxNode| -> Vec<SyntaxNode> {
            link.children().filter(|child| child.kind() == SyntaxKind::BLOCK).collect()
        };
        let one_line = !node.text().contains_char('\n')
            && links.iter().flat_map(blocks).all(|block| is_one_line(&block));
        self.group(|f| {
            for link in &links {
                f.if_link(&parts(link), one_line);
            }
        });
    }

    /// One `if` of a chain, up to its `else`.
    fn if_link(&mut self, parts: &[SyntaxElement], one_line: bool) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.space();
            }
            match part {
                NodeOrToken::Node(node) => match node.kind() {
                    SyntaxKind::BLOCK if index > 1 => self.block(node, one_line),
                    SyntaxKind::IF_EXPR if index > 2 => {}
                    _ => self.operand(node, 2),
                },
                NodeOrToken::Token(token) => self.token(token),
            }
        }
    }

    /// A loop or a `match`: the further lines of its head are indented more than its body, and a body on the line
    /// of its head goes to lines of its own when the head has several.
    fn with_head(&mut self, node: &SyntaxNode) {
        self.group(|f| {
            for (index, part) in parts(node).iter().enumerate() {
                if index > 0 {
                    f.space();
                }
                match part {
                    NodeOrToken::Node(body) if index > 1 && body.kind() == SyntaxKind::BLOCK => {
                        f.leading_of(body);
                        f.block(body, is_one_line(body));
                    }
                    NodeOrToken::Node(arms) if arms.kind() == SyntaxKind::MATCH_ARM_LIST => {
                        f.leading_of(arms);
                        f.match_arms(arms);
                    }
                    NodeOrToken::Node(node) => f.operand(node, 2),
                    NodeOrToken::Token(token) => f.token(token),
                }
            }
        });
    }
}

/// Whether a token has to be kept apart from the one before: something stands between them,
/// and no comment that stays there.
pub(super) fn is_apart(token: &SyntaxToken) -> bool {
    let mut before = token.prev_token();
    let mut apart = false;
    while let Some(trivia) = before.filter(|before| before.kind().is_trivia()) {
        if trivia.kind() == SyntaxKind::BLOCK_COMMENT {
            return false;
        }
        apart = true;
        before = trivia.prev_token();
    }
    apart
}
