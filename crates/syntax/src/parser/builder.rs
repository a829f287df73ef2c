//! Green trees, built from the bottom.
//!
//! Equal tokens and equal nodes of a few children are shared, as rowan's own builder does it. This one
//! is several times as fast. While the text is read an element is a number, and what it is made of stands in
//! two lists without a pointer; the tables that find what was there before forget it on a collision instead of
//! growing. The green tree is made of the lists at the end, when it is known how often each element is used:
//! its last use takes it, so that no reference is counted for what is used once.

use crate::SyntaxKind;
use rowan::{GreenNode, GreenToken, NodeOrToken};

type GreenElement = NodeOrToken<GreenNode, GreenToken>;

/// How many places the tables of tokens and of nodes have at most.
const MAX_SLOTS: usize = 1 << 12;

/// How many kinds of tokens there are.
const TOKEN_KINDS: usize = SyntaxKind::ERROR as usize;

/// The number of no element: a text of less than 4 GiB has fewer.
const NONE: u32 = u32::MAX;

/// How many children a node has at most that is shared.
const SHARED_CHILDREN: usize = 6;

/// A place in the list of children to begin a node at later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoint(usize);

/// A token or a node of the tree.
#[derive(Debug, Clone, Copy)]
struct Element {
    kind: SyntaxKind,
    /// Where the text of a token begins; of a node, its first place in `Builder::inside`.
    start: u32,
    /// How many bytes or children it has.
    length: u32,
}

impl Element {
    fn range(self) -> std::ops::Range<usize> {
        index(self.start)..index(self.start) + index(self.length)
    }
}

/// A token that was made, at its hash.
#[derive(Debug, Clone, Copy)]
struct TokenSlot {
    key: u64,
    kind: SyntaxKind,
    length: u32,
    number: u32,
}

/// A node that was made, at its hash: most others are told from it by the rest of the hash.
#[derive(Debug, Clone, Copy)]
struct NodeSlot {
    hash: u32,
    number: u32,
}

/// A token inside of other nodes that was made, at its hash: the number of the token, and the outermost kind.
#[derive(Debug, Clone, Copy)]
struct ChainSlot {
    token: u32,
    kind: SyntaxKind,
    number: u32,
}

/// Builds a tree; every node that is started must be finished.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    text: &'a str,
    /// How much of the text is in the tree.
    written: u32,
    /// Tokens and finished nodes, each at its number and behind what is inside.
    elements: Vec<Element>,
    /// The numbers of the children of all finished nodes, node by node.
    inside: Vec<u32>,
    /// The numbers of the elements that wait for their node.
    children: Vec<u32>,
    /// How many of the last children only separate others.
    separators: usize,
    /// The nodes around the current place, with the index of the first child of each.
    parents: Vec<(SyntaxKind, usize)>,
    /// The numbers of the tokens whose kind says their text.
    fixed: [u32; TOKEN_KINDS],
    /// The number of a space.
    space: u32,
    tokens: Vec<TokenSlot>,
    nodes: Vec<NodeSlot>,
    chains: Vec<ChainSlot>,
}

impl<'a> Builder<'a> {
    /// A builder for a text.
    pub(super) fn new(text: &'a str) -> Self {
        let slots = (text.len() / 8).next_power_of_two().clamp(64, MAX_SLOTS);
        // No token is of the kind `EOF`.
        let no_token = TokenSlot { key: 0, kind: SyntaxKind::EOF, length: 0, number: NONE };
        let no_node = NodeSlot { hash: 0, number: NONE };
        let no_chain = ChainSlot { token: NONE, kind: SyntaxKind::EOF, number: NONE };
        Self {
            text,
            written: 0,
            elements: Vec::with_capacity(text.len() / 4),
            inside: Vec::with_capacity(text.len() * 3 / 4),
            children: Vec::with_capacity(256),
            separators: 0,
            parents: Vec::with_capacity(64),
            fixed: [NONE; TOKEN_KINDS],
            space: NONE,
            tokens: vec![no_token; slots],
            nodes: vec![no_node; slots],
            chains: vec![no_chain; slots],
        }
    }

    /// Adds a token, which takes that many more bytes of the text.
    #[inline]
    pub(super) fn token(&mut self, kind: SyntaxKind, length: u32) {
        if kind.is_trivia() {
            self.separator(kind, length);
            return;
        }
        let number = self.take_token(kind, length);
        self.children.push(number);
        self.separators = 0;
    }

    /// Adds a token that only separates others. Half of all tokens do, and most of these are a space.
    #[inline]
    fn separator(&mut self, kind: SyntaxKind, length: u32) {
        let space = length == 1 && self.text.as_bytes().get(index(self.written)) == Some(&b' ');
        let number = if space && self.space != NONE {
            self.written += 1;
            self.space
        } else {
            self.take_token(kind, length)
        };
        self.children.push(number);
        self.separators += 1;
        self.leave_in_front(kind);
    }

    /// Adds a token with nodes around it that hold nothing else, the innermost first. The kind of the outermost node
    /// says what the others are.
    pub(super) fn token_within(&mut self, kind: SyntaxKind, length: u32, around: &[SyntaxKind]) {
        let token = self.take_token(kind, length);
        let number = self.number_of_chain(token, around);
        self.children.push(number);
        self.separators = 0;
    }

    /// The number of the next token of the text, which is taken.
    #[inline]
    fn take_token(&mut self, kind: SyntaxKind, length: u32) -> u32 {
        let known = self.fixed.get(kind as usize).copied().unwrap_or(NONE);
        let number = if known == NONE { self.number_of_token(kind, length) } else { known };
        self.written += length;
        number
    }

    /// The number of the outermost of the nodes around a token.
    fn number_of_chain(&mut self, token: u32, around: &[SyntaxKind]) -> u32 {
        let Some(outermost) = around.last() else { return token };
        let slot = slot(mix(u64::from(token), *outermost as u64), self.chains.len());
        let known = self.chains[slot];
        if known.token == token && known.kind == *outermost {
            return known.number;
        }
        let number = around.iter().fold(token, |child, kind| {
            let start = number(self.inside.len());
            self.inside.push(child);
            self.add(Element { kind: *kind, start, length: 1 })
        });
        self.chains[slot] = ChainSlot { token, kind: *outermost, number };
        number
    }

    /// Lets the nodes that have begun with the token just added begin behind it.
    ///
    /// A node begins with a token that is missing when what separates comes first.
    fn leave_in_front(&mut self, kind: SyntaxKind) {
        let behind = self.children.len();
        if kind == SyntaxKind::DOC_COMMENT {
            return;
        }
        let inner = self.parents.get_mut(1..).unwrap_or_default();
        for (_, first) in inner.iter_mut().rev().take_while(|(_, first)| *first + 1 == behind) {
            *first = behind;
        }
    }

    /// The number of the next token of the text.
    #[inline(never)]
    fn number_of_token(&mut self, kind: SyntaxKind, length: u32) -> u32 {
        let token = Element { kind, start: self.written, length };
        if kind.has_fixed_text() || kind == SyntaxKind::NEWLINE {
            let number = self.add(token);
            self.fixed[kind as usize] = number;
            return number;
        }
        let text = self.text_of(token);
        let key = text_key(text);
        let slot = slot(mix(key ^ u64::from(length), kind as u64), self.tokens.len());
        let known = self.tokens[slot];
        // The key of a short text is the text.
        let same = known.key == key
            && known.kind == kind
            && known.length == length
            && (length <= 8 || self.text_of(self.elements[index(known.number)]) == text);
        if same {
            return known.number;
        }
        let number = self.add(token);
        self.tokens[slot] = TokenSlot { key, kind, length, number };
        if kind == SyntaxKind::WHITESPACE && self.text_of(token) == b" " {
            self.space = number;
        }
        number
    }

    fn text_of(&self, token: Element) -> &'a [u8] {
        &self.text.as_bytes()[token.range()]
    }

    fn add(&mut self, element: Element) -> u32 {
        let number = number(self.elements.len());
        self.elements.push(element);
        number
    }

    pub(super) fn start_node(&mut self, kind: SyntaxKind) {
        self.parents.push((kind, self.children.len()));
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.children.len())
    }

    /// Begins a node in front of what has been added since the checkpoint.
    pub(super) fn start_node_at(&mut self, checkpoint: Checkpoint, kind: SyntaxKind) {
        debug_assert!(checkpoint.0 <= self.children.len());
        // What separates may have been left in front of the parent since.
        let outer = self.parents.last().map_or(0, |(_, first)| *first);
        self.parents.push((kind, checkpoint.0.max(outer)));
    }

    /// Ends the current node. What separates its last child from what follows goes to its parent.
    pub(super) fn finish_node(&mut self) {
        let Some((kind, first)) = self.parents.pop() else {
            debug_assert!(false, "a node is finished that was not started");
            return;
        };
        if self.separators > 0 {
            self.finish_before_separators(kind, first);
            return;
        }
        let number = self.number_of_node(kind, first, self.children.len());
        self.children.truncate(first);
        self.children.push(number);
    }

    /// Ends a node whose last children only separate.
    #[inline(never)]
    fn finish_before_separators(&mut self, kind: SyntaxKind, first: usize) {
        // A file keeps what separates it from nothing.
        let is_root = self.parents.is_empty();
        let count = self.children.len() - first;
        self.separators = if is_root { 0 } else { self.separators.min(count) };
        let end = self.children.len() - self.separators;
        let number = self.number_of_node(kind, first, end);
        if let Some(place) = self.children[..end].get_mut(first) {
            *place = number;
            self.children.drain(first + 1..end);
        } else {
            self.children.insert(end, number);
        }
    }

    /// The number of a node with some of the last children.
    #[inline(always)]
    fn number_of_node(&mut self, kind: SyntaxKind, first: usize, end: usize) -> u32 {
        let children = &self.children[first..end];
        if children.len() > SHARED_CHILDREN || children.is_empty() {
            return self.make_node(kind, first, end);
        }
        let hash = children.iter().fold(kind as u64, |hash, child| mix(hash, u64::from(*child)));
        let slot = slot(hash, self.nodes.len());
        // The upper bits have given the place.
        let hash = hash as u32;
        let known = self.nodes[slot];
        if known.hash == hash && self.is_node(known.number, kind, first, end) {
            return known.number;
        }
        let number = self.make_node(kind, first, end);
        self.nodes[slot] = NodeSlot { hash, number };
        number
    }

    /// Whether the element is a node of the kind with some of the last children.
    #[inline]
    fn is_node(&self, number: u32, kind: SyntaxKind, first: usize, end: usize) -> bool {
        self.elements.get(index(number)).is_some_and(|element| {
            element.kind == kind && self.inside[element.range()] == self.children[first..end]
        })
    }

    #[inline(never)]
    fn make_node(&mut self, kind: SyntaxKind, first: usize, end: usize) -> u32 {
        let start = number(self.inside.len());
        self.inside.extend_from_slice(&self.children[first..end]);
        self.add(Element { kind, start, length: number(end - first) })
    }

    /// The tree: the node that was finished last.
    pub(super) fn finish(self) -> GreenNode {
        debug_assert!(self.parents.is_empty() && self.children.len() == 1);
        let Self { text, elements, inside, .. } = self;
        let mut uses = vec![0u32; elements.len()];
        for child in &inside {
            uses[index(*child)] += 1;
        }
        let mut made: Vec<Option<GreenElement>> = Vec::with_capacity(elements.len());
        // Counting a reference waits until what was written before has reached the cache. The memory of a new node
        // is rarely there, so the node is written when all its children have been counted.
        let mut children: Vec<GreenElement> = Vec::with_capacity(64);
        for element in &elements {
            if element.kind.is_token() {
                let token = GreenToken::new(element.kind.into(), &text[element.range()]);
                made.push(Some(NodeOrToken::Token(token)));
                continue;
            }
            for child in &inside[element.range()] {
                let (uses, child) = (&mut uses[index(*child)], &mut made[index(*child)]);
                *uses -= 1;
                let child = if *uses == 0 { child.take() } else { child.clone() };
                if let Some(child) = child {
                    children.push(child);
                }
            }
            let node = GreenNode::new(element.kind.into(), children.drain(..));
            made.push(Some(NodeOrToken::Node(node)));
        }
        match made.pop() {
            Some(Some(NodeOrToken::Node(root))) => root,
            _ => GreenNode::new(SyntaxKind::SOURCE_FILE.into(), []),
        }
    }
}

fn index(number: u32) -> usize {
    super::to_usize(number)
}

/// The number of the next element of a list.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

/// The place of a hash in a table whose length is a power of two.
fn slot(hash: u64, slots: usize) -> usize {
    // The upper bits are the best mixed ones.
    (hash >> 40) as usize & (slots - 1)
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// A word that texts of the same length share when they are equal: of at most eight bytes the text itself, of
/// more a hash of both ends.
fn text_key(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return if bytes.len() == 8 { first } else { mix(first, last) };
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal nodes are one as long as they are small, and what differs in a child or the kind is another.
    #[test]
    fn small_nodes_are_known_by_kind_and_children() {
        let text = "a,a,a,a,b,a,a,a,a,a,a,a,a,a,a,a";
        let mut builder = Builder::new(text);
        let list = |builder: &mut Builder<'_>, kind, count| {
            builder.start_node(kind);
            for index in 0..count {
                let token = if index % 2 == 0 { SyntaxKind::IDENT } else { SyntaxKind::COMMA };
                builder.token(token, 1);
            }
            builder.finish_node();
        };
        builder.start_node(SyntaxKind::SOURCE_FILE);
        for kind in [SyntaxKind::ARG_LIST, SyntaxKind::ARG_LIST, SyntaxKind::ARG_LIST] {
            list(&mut builder, kind, 3);
            builder.token(SyntaxKind::COMMA, 1);
        }
        list(&mut builder, SyntaxKind::PARAM_LIST, 3);
        builder.token(SyntaxKind::COMMA, 1);
        list(&mut builder, SyntaxKind::ARG_LIST, SHARED_CHILDREN + 1);
        builder.token(SyntaxKind::COMMA, 1);
        list(&mut builder, SyntaxKind::ARG_LIST, SHARED_CHILDREN + 1);
        builder.finish_node();
        let root = builder.finish();
        assert_eq!(root.to_string(), text);
        let nodes: Vec<_> = root.children().filter_map(NodeOrToken::into_node).collect();
        let same = |one: usize, other: usize| std::ptr::eq(nodes[one], nodes[other]);
        assert!(same(0, 1), "equal children");
        assert!(!same(0, 2), "another child");
        assert!(!same(0, 3), "another kind");
        assert!(!same(4, 5), "many children");
    }

    /// Tokens of equal text are told apart by their kind, and what is told apart by nothing is shared.
    #[test]
    fn tokens_are_known_by_kind_and_text() {
        let mut builder = Builder::new("f(  )  ( )x");
        let tokens = [
            (SyntaxKind::IDENT, 1),
            (SyntaxKind::L_PAREN, 1),
            (SyntaxKind::WHITESPACE, 1),
            (SyntaxKind::STRING_TEXT, 1),
            (SyntaxKind::R_PAREN, 1),
            (SyntaxKind::WHITESPACE, 2),
            (SyntaxKind::L_PAREN, 1),
            (SyntaxKind::WHITESPACE, 1),
            (SyntaxKind::R_PAREN, 1),
            (SyntaxKind::ERROR_TOKEN, 1),
        ];
        builder.start_node(SyntaxKind::SOURCE_FILE);
        for (kind, length) in tokens {
            builder.token(kind, length);
        }
        builder.finish_node();
        let root = builder.finish();
        assert_eq!(root.to_string(), "f(  )  ( )x");
        let made: Vec<_> = root.children().filter_map(NodeOrToken::into_token).collect();
        let kinds: Vec<_> = made.iter().map(|token| token.kind()).collect();
        let wanted: Vec<rowan::SyntaxKind> =
            tokens.iter().map(|(kind, _)| (*kind).into()).collect();
        assert_eq!(kinds, wanted);
        for (one, other) in [(1, 6), (2, 7), (4, 8)] {
            assert!(std::ptr::eq(made[one], made[other]), "{one} and {other}");
        }
    }
}
