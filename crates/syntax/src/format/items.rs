//! Files, items and their heads.

use super::document::Line;
use super::rules::{Formatter, parts};
use crate::{NodeOrToken, SyntaxElement, SyntaxKind, SyntaxNode, TextRange};

impl Formatter<'_> {
    pub(super) fn source_file(&mut self, root: &SyntaxNode) {
        self.members(&root.children().collect::<Vec<_>>());
        self.line(Line::Hard);
        self.comments_before_end(root.text_range().end());
    }

    /// Items one below the other; those with mistakes are kept as they are, with what is on their lines.
    pub(super) fn members(&mut self, members: &[SyntaxNode]) {
        let broken: Vec<bool> = members.iter().map(|member| self.is_broken(member)).collect();
        let mut at = 0;
        while let Some(first) = members.get(at) {
            if at > 0 {
                self.separate(first);
            }
            let mut last = at;
            while let Some(next) = members.get(last + 1)
                && (broken[last] && broken[last + 1]
                    || (broken[last] || broken[last + 1]) && self.gap(next) == 0)
            {
                last += 1;
            }
            match members.get(last) {
                Some(end) if broken[at] || last > at => self.verbatim_from_to(first, end),
                _ => self.node(first),
            }
            at = last + 1;
        }
    }

    /// Whether an item has a mistake that is not in a member of its own.
    fn is_broken(&self, item: &SyntaxNode) -> bool {
        if item.kind() == SyntaxKind::ERROR {
            return true;
        }
        if !self.has_mistake(item.text_range()) {
            return false;
        }
        let list = item.children().find(|child| {
            matches!(child.kind(), SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST)
        });
        let Some(list) = list else { return true };
        let closed = list.last_token().is_some_and(|last| last.kind() == SyntaxKind::R_BRACE);
        !closed || self.has_mistake_outside(item.text_range(), &list)
    }

    /// Whether a mistake in the range lies in none of the members.
    fn has_mistake_outside(&self, range: TextRange, list: &SyntaxNode) -> bool {
        let members: Vec<_> = list.children().map(|member| member.text_range()).collect();
        let contains = |error: TextRange| {
            let after = members.partition_point(|member| member.start() <= error.start());
            let member = after.checked_sub(1).and_then(|at| members.get(at));
            member.is_some_and(|member| error.end() <= member.end())
        };
        self.mistakes(range).any(|error| !contains(error))
    }

    /// Prints a node if it is an item or a part of one with a layout of its own.
    pub(super) fn item(&mut self, node: &SyntaxNode, kind: SyntaxKind) -> bool {
        match kind {
            SyntaxKind::FUNC
            | SyntaxKind::STRUCT
            | SyntaxKind::ENUM
            | SyntaxKind::TRAIT
            | SyntaxKind::IMPL
            | SyntaxKind::CONST
            | SyntaxKind::NEWTYPE
            | SyntaxKind::TYPE_ALIAS
            | SyntaxKind::ASSOC_TYPE
            | SyntaxKind::IMPORT
            | SyntaxKind::MODULE => self.declaration(node),
            SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST => self.member_list(node),
            SyntaxKind::WHERE_CLAUSE => self.where_clause(node),
            _ => return false,
        }
        true
    }

    /// Attributes, head and body of an item.
    fn declaration(&mut self, node: &SyntaxNode) {
        let parts = parts(node);
        let is = |part: &SyntaxElement, kind| part.kind() == kind;
        let attributes = parts.iter().take_while(|part| is(part, SyntaxKind::ATTR)).count();
        for attribute in parts[..attributes].iter().filter_map(|part| part.as_node()) {
            self.node(attribute);
            self.line(Line::Hard);
        }
        let rest = &parts[attributes..];
        if let Some(first) = rest.first() {
            self.leading(first.text_range());
        }
        if let Some(at) = rest.iter().position(|part| is(part, SyntaxKind::EQ)) {
            self.parts(node.kind(), &rest[..at]);
            self.assigned(&rest[at..]);
            return;
        }
        let body = rest.last().and_then(|part| part.as_node()).filter(|body| is_body(body));
        let Some(body) = body else {
            self.head(node.kind(), rest, false);
            return;
        };
        // A body on the line of its head goes to lines of its own when the head has several.
        self.group(|f| {
            f.head(node.kind(), &rest[..rest.len() - 1], true);
            f.space();
            f.leading_of(body);
            match body.kind() {
                SyntaxKind::BLOCK => f.block(body, is_one_line(body)),
                _ => f.braced(body, is_one_line(body), |f, members| f.members(members)),
            }
        });
    }

    /// What stands in front of the body of an item, or an item without one.
    fn head(&mut self, kind: SyntaxKind, parts: &[SyntaxElement], has_body: bool) {
        let clause = parts.iter().position(|part| part.kind() == SyntaxKind::WHERE_CLAUSE);
        let Some(at) = clause else {
            self.parts(kind, parts);
            return;
        };
        let behind = &parts[at + 1..];
        self.group(|f| {
            f.parts(kind, &parts[..at]);
            if let Some(clause) = parts[at].as_node() {
                f.line(Line::Space);
                f.node(clause);
            }
            if has_body || !behind.is_empty() {
                f.line(Line::Space);
            }
            if let Some(body) = behind.first() {
                f.leading(body.text_range());
            }
        });
        self.parts(kind, behind);
    }

    /// The predicates of a `where`, in the group of the head that it is in.
    fn where_clause(&mut self, node: &SyntaxNode) {
        let parts = parts(node);
        self.indented(1, |f| {
            let last = parts.iter().rposition(|part| part.as_node().is_some());
            for (at, part) in parts.iter().enumerate() {
                match part {
                    NodeOrToken::Node(node) => {
                        f.line(Line::Space);
                        f.node(node);
                    }
                    NodeOrToken::Token(token) if token.kind() == SyntaxKind::COMMA => {
                        let text = if Some(at) > last { "" } else { "," };
                        f.comma(Some(token), text, text);
                    }
                    NodeOrToken::Token(token) => f.token(token),
                }
            }
        });
    }

    fn member_list(&mut self, node: &SyntaxNode) {
        let one_line = is_one_line(node);
        self.group(|f| f.braced(node, one_line, |f, members| f.members(members)));
    }

    /// Braces around nodes, in the group around: empty, on one line or on several.
    pub(super) fn braced(
        &mut self,
        node: &SyntaxNode,
        one_line: bool,
        content: impl FnOnce(&mut Self, &[SyntaxNode]),
    ) {
        let parts = parts(node);
        let open = parts.first().and_then(|part| part.as_token());
        let close = parts.last().and_then(|part| part.as_token());
        let (Some(open), Some(close), true) = (open, close, parts.len() > 1) else {
            self.verbatim(node);
            return;
        };
        let nodes: Vec<SyntaxNode> = node.children().collect();
        let comments = self.has_comments_behind(open) || self.has_comments_before(close);
        self.token(open);
        if !nodes.is_empty() || comments {
            let edge = if one_line { Line::Space } else { Line::Hard };
            self.indented(1, |f| {
                f.line(edge);
                if !nodes.is_empty() {
                    content(f, &nodes);
                }
                f.comments_before_close(close);
            });
            self.line(edge);
        }
        self.token(close);
    }
}

/// Whether a part of an item is its body, with statements or members.
fn is_body(part: &SyntaxNode) -> bool {
    matches!(part.kind(), SyntaxKind::BLOCK | SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST)
}

/// Whether what is in braces may stand on one line: it was written so, is one entry at most,
/// and holds no further blocks.
pub(super) fn is_one_line(node: &SyntaxNode) -> bool {
    let is_block =
        |node: SyntaxNode| node.kind() == SyntaxKind::BLOCK && node.first_child().is_some();
    let one_entry = node.children().count() <= 1;
    let member = node.kind() != SyntaxKind::BLOCK;
    one_entry
        && !node.text().contains_char('\n')
        && (member || !node.descendants().skip(1).any(is_block))
}
