//! Green trees, built from the bottom.
//!
//! Equal tokens and equal nodes of up to three children are shared, as rowan's own builder does it. This one
//! is several times as fast: what is shared is known by a number while the tree grows, so that no count of
//! references changes before a node that holds it is made, and the tables that find it forget what was there
//! on a collision instead of growing.

use crate::SyntaxKind;
use rowan::{GreenNode, GreenToken, NodeOrToken};

type GreenElement = NodeOrToken<GreenNode, GreenToken>;

/// How many places the tables of tokens and of nodes have at most.
const MAX_SLOTS: usize = 1 << 13;

/// A place in the list of children to begin a node at later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoint(usize);

/// A child that waits for its node.
#[derive(Debug)]
enum Child {
    /// The number of an element of `Builder::shared`.
    Shared(u32),
    Owned(GreenNode),
}

/// A token that was made, at its hash.
#[derive(Debug, Clone, Copy)]
struct TokenSlot {
    kind: SyntaxKind,
    length: u32,
    key: u64,
    number: u32,
}

/// A node that was made, at its hash.
#[derive(Debug, Clone, Copy)]
struct NodeSlot {
    key: NodeKey,
    number: u32,
}

/// A kind with the numbers of one to three children, in two words; no child is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NodeKey(u64, u64);

/// Builds a tree; every node that is started must be finished.
#[derive(Debug)]
pub(super) struct Builder {
    /// Elements that may occur more than once; the first is a stand-in, so that no number is 0.
    shared: Vec<GreenElement>,
    /// The numbers of the tokens whose kind says their text; 0 where none has been made.
    fixed: [u32; SyntaxKind::SOURCE_FILE as usize],
    tokens: Vec<TokenSlot>,
    nodes: Vec<NodeSlot>,
    children: Vec<Child>,
    /// How many of the last children only separate others.
    separators: usize,
    /// The nodes around the current place, with the index of the first child of each.
    parents: Vec<(SyntaxKind, usize)>,
}

impl Builder {
    /// A builder for a text of that many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let slots = (bytes / 8).next_power_of_two().clamp(64, MAX_SLOTS);
        // No token is of the kind `EOF`, and no node that is looked for has no children.
        let no_token = TokenSlot { kind: SyntaxKind::EOF, length: 0, key: 0, number: 0 };
        let no_node = NodeSlot { key: NodeKey(0, 0), number: 0 };
        let stand_in = NodeOrToken::Token(GreenToken::new(SyntaxKind::EOF.into(), ""));
        let mut shared = Vec::with_capacity(slots);
        shared.push(stand_in);
        Self {
            shared,
            fixed: [0; SyntaxKind::SOURCE_FILE as usize],
            tokens: vec![no_token; slots],
            nodes: vec![no_node; slots],
            children: Vec::with_capacity(64),
            separators: 0,
            parents: Vec::with_capacity(64),
        }
    }

    /// Adds a token whose kind says its text, when one has been made; gives whether it has.
    pub(super) fn fixed_token(&mut self, kind: SyntaxKind) -> bool {
        let known = self.fixed.get(kind as usize).copied().unwrap_or_default();
        if known > 0 {
            self.children.push(Child::Shared(known));
            self.separators = 0;
        }
        known > 0
    }

    pub(super) fn token(&mut self, kind: SyntaxKind, text: &str) {
        let number = self.number_of_token(kind, text);
        if kind.has_fixed_text() {
            self.fixed[kind as usize] = number;
        }
        self.children.push(Child::Shared(number));
        if kind.is_trivia() {
            self.separators += 1;
            self.leave_in_front(kind);
        } else {
            self.separators = 0;
        }
    }

    /// Lets the nodes that have begun with the token just added begin behind it.
    ///
    /// A node begins with a token that is missing when what separates comes first.
    fn leave_in_front(&mut self, kind: SyntaxKind) {
        let behind = self.children.len();
        if kind == SyntaxKind::DOC_COMMENT {
            return;
        }
        for (_, first) in self.parents.iter_mut().skip(1).rev() {
            if *first + 1 != behind {
                break;
            }
            *first = behind;
        }
    }

    fn number_of_token(&mut self, kind: SyntaxKind, text: &str) -> u32 {
        let key = text_key(text);
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let slot = slot(mix(mix(kind as u64, key), text.len() as u64), self.tokens.len());
        let known = self.tokens[slot];
        // The key of a short text is the text.
        let same = known.key == key
            && known.kind == kind
            && known.length == length
            && (text.len() <= 8 || self.has_text(known.number, text));
        if same {
            return known.number;
        }
        let number = self.share(NodeOrToken::Token(GreenToken::new(kind.into(), text)));
        self.tokens[slot] = TokenSlot { kind, length, key, number };
        number
    }

    fn has_text(&self, number: u32, text: &str) -> bool {
        matches!(&self.shared[index(number)], NodeOrToken::Token(token) if token.text() == text)
    }

    fn share(&mut self, element: GreenElement) -> u32 {
        // A text of less than 4 GiB has fewer tokens and nodes than a number can count.
        let number = u32::try_from(self.shared.len()).unwrap_or(u32::MAX);
        self.shared.push(element);
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
        if self.separators > 0 && !self.parents.is_empty() {
            let count = self.separators.min(self.children.len() - first);
            let mut separators = self.children.split_off(self.children.len() - count);
            self.separators = 0;
            self.finish_node_of(kind, first);
            self.children.append(&mut separators);
            self.separators = count;
            return;
        }
        self.finish_node_of(kind, first);
        self.separators = 0;
    }

    fn finish_node_of(&mut self, kind: SyntaxKind, first: usize) {
        let Some(key) = self.node_key(kind, first) else {
            let node = self.node(kind, first);
            self.children.push(Child::Owned(node));
            return;
        };
        let slot = slot(mix(mix(0, key.0), key.1), self.nodes.len());
        let known = &self.nodes[slot];
        let number = if known.key == key {
            let number = known.number;
            self.children.truncate(first);
            number
        } else {
            let node = self.node(kind, first);
            let number = self.share(NodeOrToken::Node(node));
            self.nodes[slot] = NodeSlot { key, number };
            number
        };
        self.children.push(Child::Shared(number));
    }

    /// What tells a node with the children from `first` on from others, if such nodes are shared.
    fn node_key(&self, kind: SyntaxKind, first: usize) -> Option<NodeKey> {
        let (a, b, c) = match &self.children[first..] {
            [Child::Shared(a)] => (*a, 0, 0),
            [Child::Shared(a), Child::Shared(b)] => (*a, *b, 0),
            [Child::Shared(a), Child::Shared(b), Child::Shared(c)] => (*a, *b, *c),
            _ => return None,
        };
        Some(NodeKey(u64::from(a) << 32 | kind as u64, u64::from(b) << 32 | u64::from(c)))
    }

    fn node(&mut self, kind: SyntaxKind, first: usize) -> GreenNode {
        let shared = &self.shared;
        let children = self.children[first..].iter_mut().map(|child| {
            match std::mem::replace(child, Child::Shared(0)) {
                Child::Shared(number) => shared[index(number)].clone(),
                Child::Owned(node) => NodeOrToken::Node(node),
            }
        });
        let node = GreenNode::new(kind.into(), children);
        self.children.truncate(first);
        node
    }

    /// The tree: the one node that is left.
    pub(super) fn finish(mut self) -> GreenNode {
        debug_assert!(self.parents.is_empty() && self.children.len() == 1);
        match self.children.pop() {
            Some(Child::Owned(node)) => node,
            Some(Child::Shared(number)) => match &self.shared[index(number)] {
                NodeOrToken::Node(node) => node.clone(),
                NodeOrToken::Token(_) => GreenNode::new(SyntaxKind::SOURCE_FILE.into(), []),
            },
            None => GreenNode::new(SyntaxKind::SOURCE_FILE.into(), []),
        }
    }
}

fn index(number: u32) -> usize {
    super::to_usize(number)
}

/// The place of a hash in a table whose length is a power of two.
fn slot(hash: u64, slots: usize) -> usize {
    // The upper bits are the best mixed ones.
    (hash >> 40) as usize & (slots - 1)
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// A word that equal texts share: a text of at most eight bytes itself, or a hash of the ends of a longer one.
fn text_key(text: &str) -> u64 {
    let bytes = text.as_bytes();
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if bytes.len() > 8 => {
            mix(u64::from_le_bytes(*first), u64::from_le_bytes(*last))
        }
        _ => bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}
