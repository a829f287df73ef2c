//! What users see of the formatter: the style, and that no program changes.

mod corpus;
mod edits;
mod properties;
mod style;

use super::check::comments;
use super::{FORMAT_WIDTH, format};
use crate::{Parse, SyntaxKind, SyntaxNode, SyntaxToken, parse};

/// Every construct of the grammar.
const CONSTRUCTS: &str = include_str!("tests/constructs.nr");

/// Formats a text and checks what holds for every text.
fn formatted(text: &str) -> String {
    let before = parse(text);
    let formatted = match format(text) {
        Ok(formatted) => formatted,
        Err(error) => panic!("{error}:\n{text}"),
    };
    let after = parse(&formatted);
    assert_eq!(tokens(&before), tokens(&after), "tokens of:\n{text}\n=>\n{formatted}");
    assert_eq!(comments(&before), comments(&after), "comments of:\n{text}\n=>\n{formatted}");
    if before.errors.is_empty() {
        assert_eq!(after.errors, [], "{formatted}");
        let (old, new) = (shape(&before.syntax_node()), shape(&after.syntax_node()));
        assert_eq!(old, new, "shape of:\n{text}\n=>\n{formatted}");
    }
    assert_same_again(text, &formatted);
    formatted
}

/// A second run changes nothing.
fn assert_same_again(text: &str, once: &str) {
    let twice = format(once).unwrap_or_else(|error| panic!("{error}:\n{once}"));
    if twice != once {
        let line = once.lines().zip(twice.lines()).position(|(a, b)| a != b).unwrap_or_default();
        let end = |text: &str| text.lines().skip(line).take(6).collect::<Vec<_>>().join("\n");
        let (one, two) = (end(once), end(&twice));
        println!("{text}");
        panic!("not the same again:\n== once:\n{one}\n== twice:\n{two}");
    }
}

/// The tokens that mean something, without commas.
fn tokens(parse: &Parse) -> Vec<String> {
    let first = parse.syntax_node().first_token();
    std::iter::successors(first, SyntaxToken::next_token)
        .filter(|token| !token.kind().is_trivia() && token.kind() != SyntaxKind::COMMA)
        .map(|token| token.text().to_owned())
        .collect()
}

/// The nodes of a tree in their order, each with its depth.
fn shape(root: &SyntaxNode) -> Vec<(usize, SyntaxKind)> {
    let mut nodes = Vec::new();
    let mut depth = 0;
    for event in root.preorder() {
        match event {
            crate::WalkEvent::Enter(node) => {
                nodes.push((depth, node.kind()));
                depth += 1;
            }
            crate::WalkEvent::Leave(_) => depth -= 1,
        }
    }
    nodes
}

/// The lines that are too long although they could be broken.
fn long_lines(formatted: &str) -> Vec<&str> {
    let breakable = |line: &&str| {
        line.chars().count() > FORMAT_WIDTH
            && !["\"", "//", "/*", "import "].iter().any(|unbreakable| line.contains(unbreakable))
    };
    formatted.lines().filter(breakable).collect()
}
