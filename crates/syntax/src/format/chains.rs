//! Chains of operators, and of what stands behind an operand.

use super::document::Line;
use super::exprs::is_apart;
use super::rules::{Formatter, parts};
use crate::{NodeOrToken, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

/// What stands behind an operand: a call, an index, `?`, or something behind a dot.
struct Link {
    parts: Vec<SyntaxElement>,
    kind: SyntaxKind,
}

impl Link {
    fn is_method(&self) -> bool {
        self.kind == SyntaxKind::METHOD_CALL_EXPR
    }

    fn is_dot(&self) -> bool {
        matches!(self.kind, SyntaxKind::METHOD_CALL_EXPR | SyntaxKind::FIELD_EXPR)
    }

    fn arguments(&self) -> Vec<SyntaxNode> {
        let list = self.parts.last().and_then(|part| part.as_node());
        list.map(|list| list.children().collect()).unwrap_or_default()
    }

    /// Whether the only argument is a text, which lines cannot make shorter.
    fn is_text(&self) -> bool {
        let text = |argument: &SyntaxNode| {
            argument.last_child().is_some_and(|value| value.kind() == SyntaxKind::STRING_LIT)
        };
        matches!(self.arguments().as_slice(), [argument] if text(argument))
    }
}

impl Formatter<'_> {
    /// Operands with operators that bind equally tightly between them.
    pub(super) fn binary(&mut self, node: &SyntaxNode, levels: u8) {
        let Some((first, rest)) = flatten(node) else {
            self.inline(node);
            return;
        };
        self.group(|f| {
            // What breaks in the first operand is set off from what breaks behind it.
            f.operand(&first, if first.kind() == SyntaxKind::BIN_EXPR { levels + 1 } else { 1 });
            f.indented(levels.max(u8::from(is_pipe(node))), |f| {
                for (operator, operand) in &rest {
                    // A line may begin with few operators: with others it would be a new statement.
                    if operator.kind() == SyntaxKind::PIPE_GT {
                        f.line(Line::Space);
                        f.token(operator);
                        f.space();
                    } else {
                        // The comments on lines of their own are about the operand.
                        f.hand_on_leading(operator);
                        f.space();
                        f.token(operator);
                        f.line(Line::Space);
                    }
                    f.node(operand);
                }
            });
        });
    }

    /// `a as T as U`.
    pub(super) fn casts(&mut self, node: &SyntaxNode) {
        let mut casts = Vec::new();
        let mut operand = node.clone();
        while operand.kind() == SyntaxKind::CAST_EXPR {
            let parts = parts(&operand);
            let Some(NodeOrToken::Node(inner)) = parts.first().cloned() else { break };
            casts.push(parts);
            operand = inner;
        }
        self.node(&operand);
        for parts in casts.iter().rev() {
            self.space();
            self.parts(SyntaxKind::CAST_EXPR, &parts[1..]);
        }
    }

    /// An operand with calls, indexes and names behind it.
    pub(super) fn postfix(&mut self, node: &SyntaxNode, levels: u8) {
        let (operand, links) = unlink(node);
        let methods = links.iter().filter(|link| link.is_method()).count();
        let breaks = match links.iter().position(Link::is_method) {
            Some(at) => {
                let calls = links[..at].iter().any(|link| link.kind == SyntaxKind::CALL_EXPR);
                let method = &links[at];
                methods > 1 || method.arguments().is_empty() || calls && method.is_text()
            }
            None => false,
        };
        let head = match breaks {
            true => links.iter().position(Link::is_method).unwrap_or(links.len()),
            false => links.len(),
        };
        let (head, rest) = links.split_at(head);
        if rest.is_empty() {
            self.node(&operand);
            for link in head {
                self.link(link, false);
            }
            return;
        }
        self.group(|f| {
            f.node(&operand);
            for link in head {
                f.link(link, false);
            }
            f.indented(levels, |f| {
                for (index, link) in rest.iter().enumerate() {
                    if link.is_dot() {
                        f.line(Line::Soft);
                    }
                    f.link(link, index + 1 == rest.len());
                }
            });
        });
    }

    fn link(&mut self, link: &Link, last: bool) {
        for (index, part) in link.parts.iter().enumerate() {
            match part {
                NodeOrToken::Token(token) => {
                    let next = link.parts.get(index + 1).and_then(|part| part.as_node());
                    if keeps_apart(token, next) {
                        self.space();
                    }
                    self.token(token);
                }
                NodeOrToken::Node(node) if last && node.kind() == SyntaxKind::ARG_LIST => {
                    self.tail(true);
                    self.node(node);
                    self.tail(false);
                }
                NodeOrToken::Node(node) => self.node(node),
            }
        }
    }
}

/// Whether a token would be read otherwise without the space in front of it: `a? ?`, `t.0 .1`.
fn keeps_apart(token: &SyntaxToken, next: Option<&SyntaxNode>) -> bool {
    let mut before = token.prev_token();
    let mut comment = false;
    while let Some(trivia) = before.as_ref().filter(|before| before.kind().is_trivia()) {
        comment |= trivia.kind() == SyntaxKind::BLOCK_COMMENT;
        before = trivia.prev_token();
    }
    let before = before.map(|before| before.kind());
    let next = next.and_then(|next| next.first_token()).map(|next| next.kind());
    match token.kind() {
        SyntaxKind::QUESTION => is_apart(token) && before == Some(SyntaxKind::QUESTION),
        // Also where the space stood behind the point; a comment between the two keeps them apart as well.
        SyntaxKind::DOT => {
            !comment && before == Some(SyntaxKind::INT) && next == Some(SyntaxKind::INT)
        }
        _ => false,
    }
}

/// Operators with the operands behind them.
type Operations = Vec<(SyntaxToken, SyntaxNode)>;

/// The first operand of a chain, and the operators with the operands behind them.
fn flatten(node: &SyntaxNode) -> Option<(SyntaxNode, Operations)> {
    let (mut left, operator, mut right) = split(node)?;
    let level = level(operator.kind());
    let mut rest = Vec::new();
    if operator.kind() == SyntaxKind::QUESTION2 {
        let mut operator = operator;
        while let Some((next, behind, last)) =
            split(&right).filter(|s| s.1.kind() == operator.kind())
        {
            rest.push((operator, next));
            operator = behind;
            right = last;
        }
        rest.push((operator, right));
        return Some((left, rest));
    }
    rest.push((operator, right));
    while let Some((inner, operator, right)) =
        split(&left).filter(|s| self::level(s.1.kind()) == level)
    {
        rest.push((operator, right));
        left = inner;
    }
    rest.reverse();
    Some((left, rest))
}

fn split(node: &SyntaxNode) -> Option<(SyntaxNode, SyntaxToken, SyntaxNode)> {
    if node.kind() != SyntaxKind::BIN_EXPR {
        return None;
    }
    match parts(node).as_slice() {
        [NodeOrToken::Node(left), NodeOrToken::Token(operator), NodeOrToken::Node(right)] => {
            Some((left.clone(), operator.clone(), right.clone()))
        }
        _ => None,
    }
}

fn is_pipe(node: &SyntaxNode) -> bool {
    split(node).is_some_and(|(_, operator, _)| operator.kind() == SyntaxKind::PIPE_GT)
}

/// One operator of those that bind as tightly as this one and may stand in a chain with it.
fn level(operator: SyntaxKind) -> SyntaxKind {
    match operator {
        SyntaxKind::MINUS => SyntaxKind::PLUS,
        SyntaxKind::SLASH | SyntaxKind::PERCENT => SyntaxKind::STAR,
        other => other,
    }
}

/// The operand of a chain, and what stands behind it.
fn unlink(node: &SyntaxNode) -> (SyntaxNode, Vec<Link>) {
    let mut links = Vec::new();
    let mut operand = node.clone();
    while matches!(
        operand.kind(),
        SyntaxKind::CALL_EXPR
            | SyntaxKind::METHOD_CALL_EXPR
            | SyntaxKind::FIELD_EXPR
            | SyntaxKind::INDEX_EXPR
            | SyntaxKind::TRY_EXPR
    ) {
        let mut parts = parts(&operand);
        let kind = operand.kind();
        let Some(NodeOrToken::Node(inner)) = parts.first().cloned() else { break };
        parts.remove(0);
        links.push(Link { parts, kind });
        operand = inner;
    }
    links.reverse();
    (operand, links)
}
