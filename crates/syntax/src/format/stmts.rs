//! Blocks, statements and the arms of a `match`.

use super::document::Line;
use super::items::is_one_line;
use super::rules::{Formatter, first_token, parts};
use crate::{NodeOrToken, SyntaxElement, SyntaxKind, SyntaxNode};

impl Formatter<'_> {
    /// Prints a node if it is a statement or a part of one with a layout of its own.
    pub(super) fn statement(&mut self, node: &SyntaxNode, kind: SyntaxKind) -> bool {
        match kind {
            SyntaxKind::BLOCK => {
                let one_line = is_one_line(node);
                self.group(|f| f.block(node, one_line));
            }
            SyntaxKind::BIND_STMT | SyntaxKind::ASSIGN_STMT => self.assignment(node),
            SyntaxKind::VAL_ELSE => self.val_else(node),
            SyntaxKind::MATCH_ARM_LIST => self.group(|f| f.match_arms(node)),
            SyntaxKind::OR_PAT => self.alternatives(node),
            _ => return false,
        }
        true
    }

    /// A block, in the group around.
    pub(super) fn block(&mut self, node: &SyntaxNode, one_line: bool) {
        self.braced(node, one_line, |f, statements| {
            for (index, statement) in statements.iter().enumerate() {
                if index > 0 {
                    f.separate(statement);
                }
                f.node(statement);
            }
        });
    }

    /// Something with a value behind `=`.
    fn assignment(&mut self, node: &SyntaxNode) {
        let parts = parts(node);
        let is_sign = |part: &SyntaxElement| {
            crate::ast::AssignOp::from_kind(part.kind()).is_some() || part.kind() == SyntaxKind::EQ
        };
        match parts.iter().position(is_sign) {
            Some(at) => {
                self.parts(node.kind(), &parts[..at]);
                self.assigned(&parts[at..]);
            }
            None => self.parts(node.kind(), &parts),
        }
    }

    /// `= value`, and what stands behind it.
    pub(super) fn assigned(&mut self, parts: &[SyntaxElement]) {
        self.space();
        let [NodeOrToken::Token(sign), NodeOrToken::Node(value), behind @ ..] = parts else {
            self.parts(SyntaxKind::ASSIGN_STMT, parts);
            return;
        };
        let comments = self.has_comments_behind(sign)
            || first_token(value).is_some_and(|first| self.has_comments_before(&first));
        self.token(sign);
        if comments || goes_to_next_line(value) {
            self.group(|f| {
                f.indented(1, |f| {
                    f.line(Line::Space);
                    f.operand(value, 0);
                });
            });
        } else {
            self.space();
            self.node(value);
        }
        if !behind.is_empty() {
            self.space();
            self.parts(SyntaxKind::ASSIGN_STMT, behind);
        }
    }

    /// `else |error| { }`.
    fn val_else(&mut self, node: &SyntaxNode) {
        let mut in_bars = false;
        for (index, part) in parts(node).iter().enumerate() {
            let bar = part.kind() == SyntaxKind::PIPE;
            if index > 0 && !in_bars {
                self.space();
            }
            in_bars = if bar { !in_bars } else { in_bars };
            match part {
                NodeOrToken::Node(node) => {
                    self.node(node);
                }
                NodeOrToken::Token(token) => self.token(token),
            }
        }
    }

    /// The arms of a `match`, in the group around: a comma behind each that is no block.
    pub(super) fn match_arms(&mut self, node: &SyntaxNode) {
        let one_line = !node.text().contains_char('\n');
        let commas: Vec<_> = node
            .children()
            .map(|arm| {
                let mut next = arm.next_sibling_or_token();
                while let Some(element) = next.as_ref().filter(|next| next.kind().is_trivia()) {
                    next = element.next_sibling_or_token();
                }
                next.and_then(NodeOrToken::into_token).filter(|t| t.kind() == SyntaxKind::COMMA)
            })
            .collect();
        self.braced(node, one_line, |f, arms| {
            let last = arms.len().saturating_sub(1);
            for (index, arm) in arms.iter().enumerate() {
                match index {
                    0 => {}
                    _ if one_line => f.line(Line::Space),
                    _ => f.separate(arm),
                }
                f.node(arm);
                let block = arm.last_child().is_some_and(|body| {
                    matches!(body.kind(), SyntaxKind::BLOCK | SyntaxKind::UNSAFE_EXPR)
                });
                let comma = commas.get(index).and_then(Option::as_ref);
                let broken = if block { "" } else { "," };
                f.comma(comma, broken, if index == last { "" } else { "," });
            }
        });
    }

    /// `a | b | c`.
    fn alternatives(&mut self, node: &SyntaxNode) {
        self.reluctant_group(|f| {
            f.indented(1, |f| {
                for (index, part) in parts(node).iter().enumerate() {
                    match part {
                        NodeOrToken::Node(pattern) if index == 0 => f.node(pattern),
                        NodeOrToken::Node(pattern) => {
                            f.line(Line::Space);
                            f.node(pattern);
                        }
                        NodeOrToken::Token(bar) => {
                            f.space();
                            f.token(bar);
                        }
                    }
                }
            });
        });
    }
}

/// Whether a value that does not fit behind `=` goes to the next line as a whole.
///
/// What has brackets or a chain to break stays behind the sign.
fn goes_to_next_line(value: &SyntaxNode) -> bool {
    match value.kind() {
        SyntaxKind::BIN_EXPR => {
            !value.children_with_tokens().any(|part| part.kind() == SyntaxKind::PIPE_GT)
        }
        SyntaxKind::STRING_LIT => !value.text().contains_char('\n'),
        kind => matches!(
            kind,
            SyntaxKind::RANGE_EXPR
                | SyntaxKind::CAST_EXPR
                | SyntaxKind::LITERAL
                | SyntaxKind::PATH_EXPR
                | SyntaxKind::PATH_TYPE
                | SyntaxKind::PREFIX_EXPR
                | SyntaxKind::FIELD_EXPR
        ),
    }
}
