//! What users see of the parser: trees, messages, and that no text breaks it.

mod grammar;
mod habits;
mod messages;
mod properties;
mod recovery;
mod refused;
mod reparsing;
mod slips;
mod sweeps;
mod tables;
mod trees;
mod unfinished;
mod values;
mod wording;

use crate::{NodeOrToken, Parse, SyntaxKind, SyntaxNode, parse};

/// The text of every program that the tests cut and change.
const PROGRAMS: &[&str] = &[
    include_str!("tests/programs/fit.nr"),
    include_str!("tests/programs/shapes.nr"),
    include_str!("tests/programs/text.nr"),
];

/// Whether sweeps over all cases are wanted, which take minutes; by default a sample of them is taken.
fn full_sweeps() -> bool {
    std::env::var_os("NEURO_FULL_SWEEPS").is_some_and(|value| value == "1")
}

/// Parses a text and checks what holds for every text.
fn checked(text: &str) -> Parse {
    let parse = parse(text);
    let root = parse.syntax_node();
    assert_eq!(root.text().to_string(), text, "the tree has lost text");
    for node in root.descendants() {
        let is_error = node.kind() == SyntaxKind::ERROR;
        assert!(!is_error || !parse.errors.is_empty(), "a mistake is not reported: {text}");
        // The ranges of nodes are shown to users: nothing that separates belongs to one.
        let inside = node.kind() != SyntaxKind::SOURCE_FILE;
        let ends = [node.first_child_or_token(), node.last_child_or_token()];
        for end in ends.into_iter().flatten() {
            let separates = end.kind().is_trivia() && end.kind() != SyntaxKind::DOC_COMMENT;
            assert!(!(inside && separates), "{:?} holds what separates it: {text}", node.kind());
        }
    }
    for error in &parse.errors {
        let range = error.range;
        assert!(text.get(usize::from(range.start())..usize::from(range.end())).is_some());
        if let Some(fix) = &error.fix {
            let range = fix.range;
            assert!(text.get(usize::from(range.start())..usize::from(range.end())).is_some());
        }
    }
    parse
}

/// A tree as indented text: kinds, and the text of tokens that are not trivia.
fn dump(node: &SyntaxNode) -> String {
    fn go(node: &SyntaxNode, depth: usize, out: &mut String) {
        out.push_str(&format!("{}{:?}\n", "  ".repeat(depth), node.kind()));
        for child in node.children_with_tokens() {
            match child {
                NodeOrToken::Node(node) => go(&node, depth + 1, out),
                NodeOrToken::Token(token) if token.kind().is_trivia() => {}
                NodeOrToken::Token(token) => {
                    out.push_str(&format!("{}{:?}\n", "  ".repeat(depth + 1), token.text()));
                }
            }
        }
    }
    let mut out = String::new();
    go(node, 0, &mut out);
    out
}

/// The messages of a text, one a line: line and column, marked text, message, and fix.
fn messages(text: &str) -> String {
    let mut out = String::new();
    for error in checked(text).errors {
        let start = usize::from(error.range.start());
        let line = text[..start].matches('\n').count() + 1;
        let column = start - text[..start].rfind('\n').map_or(0, |at| at + 1) + 1;
        let marked = &text[error.range];
        out.push_str(&format!("{line}:{column} `{marked}` {}", error.message));
        if let Some(fix) = error.fix {
            out.push_str(&format!(" [{} -> {:?}]", &text[fix.range], fix.text));
        }
        out.push('\n');
    }
    out
}
