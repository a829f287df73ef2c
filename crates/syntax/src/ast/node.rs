//! Nodes and tokens as the typed view holds them: a piece of the green tree, and where it begins.
//!
//! They do not know what is around them, as rowan's nodes do; so they are made without memory of their own, and
//! a walk down a tree takes a fraction of the time.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use rowan::{
    GreenNode, GreenNodeData, GreenToken, GreenTokenData, Language, NodeOrToken, TextRange,
    TextSize,
};

use crate::{NeuroLanguage, SyntaxKind};

/// A node, and where it begins.
#[derive(Clone)]
pub struct Node {
    green: GreenNode,
    start: TextSize,
}

/// A token, and where it begins.
#[derive(Clone)]
pub struct Token {
    green: GreenToken,
    start: TextSize,
}

/// A node or a token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Element {
    /// A node.
    Node(Node),
    /// A token.
    Token(Token),
}

impl Element {
    /// The kind.
    pub fn kind(&self) -> SyntaxKind {
        match self {
            Element::Node(node) => node.kind(),
            Element::Token(token) => token.kind(),
        }
    }

    /// Where it stands.
    pub fn text_range(&self) -> TextRange {
        match self {
            Element::Node(node) => node.text_range(),
            Element::Token(token) => token.text_range(),
        }
    }

    /// The node, if it is one.
    pub fn into_node(self) -> Option<Node> {
        match self {
            Element::Node(node) => Some(node),
            Element::Token(_) => None,
        }
    }

    /// The token, if it is one.
    pub fn into_token(self) -> Option<Token> {
        match self {
            Element::Node(_) => None,
            Element::Token(token) => Some(token),
        }
    }
}

/// A part of a node that was not asked for yet: no reference is counted for it.
#[derive(Clone, Copy)]
struct Part<'t> {
    green: NodeOrToken<&'t GreenNodeData, &'t GreenTokenData>,
    start: TextSize,
}

impl<'t> Part<'t> {
    fn kind(self) -> SyntaxKind {
        NeuroLanguage::kind_from_raw(match self.green {
            NodeOrToken::Node(node) => node.kind(),
            NodeOrToken::Token(token) => token.kind(),
        })
    }

    fn text_len(self) -> TextSize {
        match self.green {
            NodeOrToken::Node(node) => node.text_len(),
            NodeOrToken::Token(token) => token.text_len(),
        }
    }

    fn node(self) -> Option<Node> {
        let node = self.green.into_node()?;
        Some(Node { green: node.to_owned(), start: self.start })
    }

    fn token(self) -> Option<Token> {
        let token = self.green.into_token()?;
        Some(Token { green: token.to_owned(), start: self.start })
    }

    fn element(self) -> Element {
        match self.green {
            NodeOrToken::Node(node) => {
                Element::Node(Node { green: node.to_owned(), start: self.start })
            }
            NodeOrToken::Token(token) => {
                Element::Token(Token { green: token.to_owned(), start: self.start })
            }
        }
    }
}

/// The parts of a green node that begins at `start`.
fn parts(green: &GreenNodeData, start: TextSize) -> impl Iterator<Item = Part<'_>> {
    green.children().scan(start, |next, green| {
        let part = Part { green, start: *next };
        *next += part.text_len();
        Some(part)
    })
}

impl Node {
    /// The root of a tree, which begins at 0.
    pub fn root(green: GreenNode) -> Self {
        Self { green, start: TextSize::default() }
    }

    /// The green node.
    pub fn green(&self) -> &GreenNode {
        &self.green
    }

    /// The kind.
    pub fn kind(&self) -> SyntaxKind {
        NeuroLanguage::kind_from_raw(self.green.kind())
    }

    /// Where it stands.
    pub fn text_range(&self) -> TextRange {
        TextRange::at(self.start, self.green.text_len())
    }

    /// The text.
    pub fn text(&self) -> String {
        self.green.to_string()
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        parts(&self.green, self.start)
    }

    /// The nodes straight below.
    pub fn children(&self) -> impl Iterator<Item = Node> + use<> {
        self.children_with_tokens().filter_map(Element::into_node)
    }

    /// The nodes and tokens straight below.
    pub fn children_with_tokens(&self) -> Elements {
        Elements { parts: self.rest() }
    }

    fn rest(&self) -> Rest {
        Rest { parent: self.green.clone(), index: 0, next: self.start }
    }

    /// The first node straight below.
    pub fn first_child(&self) -> Option<Node> {
        self.parts().find_map(Part::node)
    }

    /// The last node straight below.
    pub fn last_child(&self) -> Option<Node> {
        self.parts().filter(|part| part.green.as_node().is_some()).last()?.node()
    }

    /// The node, and all below it in the order of the text, each before what it holds.
    pub fn descendants(&self) -> impl Iterator<Item = Node> + use<> {
        self.descendants_with_tokens().filter_map(Element::into_node)
    }

    /// The node, and all nodes and tokens below it in the order of the text, each before what it holds.
    pub fn descendants_with_tokens(&self) -> impl Iterator<Item = Element> + use<> {
        let mut open = vec![Element::Node(self.clone())];
        std::iter::from_fn(move || {
            let element = open.pop()?;
            if let Element::Node(node) = &element {
                let first = open.len();
                open.extend(node.children_with_tokens());
                open[first..].reverse();
            }
            Some(element)
        })
    }

    /// The first token.
    pub fn first_token(&self) -> Option<Token> {
        self.descendants_with_tokens().find_map(Element::into_token)
    }

    /// The last token.
    pub fn last_token(&self) -> Option<Token> {
        let mut node = self.clone();
        loop {
            let last = node.parts().filter(|part| part.text_len() > TextSize::default()).last()?;
            match last.element() {
                Element::Token(token) => return Some(token),
                Element::Node(inner) => node = inner,
            }
        }
    }

    /// The range without the documentation in front.
    ///
    /// A node begins and ends at a token, and only documentation comments stand in front of that, as children of
    /// the node itself. So this takes no descent, which would be long in a chain of operators.
    pub fn trimmed_range(&self) -> TextRange {
        let range = self.text_range();
        let first = self.parts().find(|part| !part.kind().is_trivia());
        TextRange::new(first.map_or(range.start(), |part| part.start), range.end())
    }

    /// The first token that is no trivia.
    pub fn first_word(&self) -> Option<Token> {
        let (mut green, mut start): (&GreenNodeData, _) = (&self.green, self.start);
        loop {
            let empty = |part: Part<'_>| part.text_len() == TextSize::default();
            let mut parts = parts(green, start);
            let Some(first) = parts.find(|part| !part.kind().is_trivia() && !empty(*part)) else {
                // Documentation of nothing.
                let mut tokens = self.descendants_with_tokens().filter_map(Element::into_token);
                return tokens.find(|token| !token.kind().is_trivia());
            };
            match first.green {
                NodeOrToken::Token(_) => return first.token(),
                NodeOrToken::Node(node) => (green, start) = (node, first.start),
            }
        }
    }

    /// The first token straight below of a kind for which `wanted` holds.
    pub(super) fn find_token(&self, wanted: impl Fn(SyntaxKind) -> bool) -> Option<Token> {
        self.parts().filter(|part| wanted(part.kind())).find_map(Part::token)
    }

    /// The first node straight below that is an `N`.
    pub(super) fn find_child<N: AstNode>(&self) -> Option<N> {
        first_of(self.parts())
    }

    /// The nodes straight below that are an `N`.
    pub(super) fn typed_children<N: AstNode>(&self) -> AstChildren<N> {
        AstChildren { parts: self.rest(), of: PhantomData }
    }

    /// The first node straight below that is an `N` and stands after the first token of the kind.
    pub(super) fn find_after<N: AstNode>(&self, kind: SyntaxKind) -> Option<N> {
        first_of(self.parts().skip_while(|part| part.kind() != kind))
    }

    /// The first node straight below that is an `N` and stands before the first token of the kind.
    pub(super) fn find_before<N: AstNode>(&self, kind: SyntaxKind) -> Option<N> {
        first_of(self.parts().take_while(|part| part.kind() != kind))
    }
}

fn first_of<'t, N: AstNode>(parts: impl Iterator<Item = Part<'t>>) -> Option<N> {
    parts.filter(|part| N::can_cast(part.kind())).find_map(|part| N::cast(part.node()?))
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start && std::ptr::eq::<GreenNodeData>(&*self.green, &*other.green)
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.start, self.kind()).hash(state);
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.text_range())
    }
}

impl Token {
    /// The kind.
    pub fn kind(&self) -> SyntaxKind {
        NeuroLanguage::kind_from_raw(self.green.kind())
    }

    /// Where it stands.
    pub fn text_range(&self) -> TextRange {
        TextRange::at(self.start, self.green.text_len())
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.green.text()
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start && std::ptr::eq::<GreenTokenData>(&*self.green, &*other.green)
    }
}

impl Eq for Token {}

impl Hash for Token {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.start, self.kind()).hash(state);
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{:?} {:?}", self.kind(), self.text_range(), self.text())
    }
}

/// Where a walk through the parts of a node has come to.
#[derive(Debug, Clone)]
struct Rest {
    parent: GreenNode,
    index: usize,
    next: TextSize,
}

impl Rest {
    fn next(&mut self) -> Option<Part<'_>> {
        let green = self.parent.children().nth(self.index)?;
        let part = Part { green, start: self.next };
        self.index += 1;
        self.next += part.text_len();
        Some(part)
    }
}

/// The nodes and tokens straight below a node.
#[derive(Debug, Clone)]
pub struct Elements {
    parts: Rest,
}

impl Iterator for Elements {
    type Item = Element;

    fn next(&mut self) -> Option<Element> {
        self.parts.next().map(Part::element)
    }
}

/// The nodes straight below a node that are an `N`.
#[derive(Debug, Clone)]
pub struct AstChildren<N> {
    parts: Rest,
    of: PhantomData<N>,
}

impl<N: AstNode> Iterator for AstChildren<N> {
    type Item = N;

    fn next(&mut self) -> Option<N> {
        loop {
            let part = self.parts.next()?;
            if N::can_cast(part.kind())
                && let Some(found) = part.node().and_then(N::cast)
            {
                return Some(found);
            }
        }
    }
}

/// A node of a kind, or of one of several kinds, that is known.
pub trait AstNode: Sized {
    /// Whether a node of this kind is one.
    fn can_cast(kind: SyntaxKind) -> bool;

    /// The node as one, if it is one.
    fn cast(node: Node) -> Option<Self>;

    /// The node.
    fn syntax(&self) -> &Node;
}
