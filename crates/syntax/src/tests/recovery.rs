//! A mistake in an item leaves the items around it whole, and is reported once.

use super::{PROGRAMS, checked};
use crate::{GreenNode, NodeOrToken, SyntaxKind as K, SyntaxNode, SyntaxToken, parse};
use std::ops::Range;

/// The tokens of an item that mean something.
struct Tokens(Vec<SyntaxToken>);

impl Tokens {
    fn of(item: &SyntaxNode) -> Self {
        let tokens = item.descendants_with_tokens().filter_map(|element| match element {
            NodeOrToken::Token(token) if !token.kind().is_trivia() => Some(token),
            _ => None,
        });
        Self(tokens.collect())
    }

    fn first(&self, kind: K) -> Option<Range<usize>> {
        self.nth(kind, 0)
    }

    fn nth(&self, kind: K, n: usize) -> Option<Range<usize>> {
        self.0.iter().filter(|token| token.kind() == kind).nth(n).map(range)
    }

    fn last(&self, kind: K) -> Option<Range<usize>> {
        self.0.iter().rfind(|token| token.kind() == kind).map(range)
    }

    /// A token in the middle of the item; strings are left alone.
    fn middle(&self) -> Option<Range<usize>> {
        let count = self.0.len();
        let plain = |token: &&SyntaxToken| {
            let parent = token.parent().map(|parent| parent.kind());
            !matches!(parent, Some(K::STRING_LIT | K::HOLE))
        };
        self.0.get(count / 2..)?.iter().find(plain).map(range)
    }

    /// The first token of a statement.
    fn statement(&self) -> Option<Range<usize>> {
        let statement = |token: &&SyntaxToken| {
            token.parent_ancestors().any(|node| {
                matches!(node.kind(), K::BIND_STMT | K::EXPR_STMT | K::ASSIGN_STMT)
                    && node.text_range().start() == token.text_range().start()
            })
        };
        self.0.iter().find(statement).map(range)
    }

    fn end(&self) -> Option<Range<usize>> {
        let end = self.0.last().map(range)?.end;
        Some(end..end)
    }
}

fn range(token: &SyntaxToken) -> Range<usize> {
    let range = token.text_range();
    usize::from(range.start())..usize::from(range.end())
}

fn behind(range: Range<usize>) -> Range<usize> {
    range.end..range.end
}

fn before(range: Range<usize>) -> Range<usize> {
    range.start..range.start
}

/// A way to break an item: its name, what it replaces, and by what.
type Way = (&'static str, fn(&Tokens) -> Option<Range<usize>>, &'static str);

const WAYS: &[Way] = &[
    ("the last brace is missing", |t| t.last(K::R_BRACE), ""),
    ("the first brace is missing", |t| t.first(K::L_BRACE), ""),
    ("an inner closing brace is missing", |t| t.nth(K::R_BRACE, 1).and(t.first(K::R_BRACE)), ""),
    ("an inner opening brace is missing", |t| t.nth(K::L_BRACE, 1), ""),
    ("a closing brace too many", |t| t.end(), "\n}"),
    ("an opening brace too many", |t| t.first(K::L_BRACE).map(behind), "\n        if x {"),
    ("a closing parenthesis is missing", |t| t.first(K::R_PAREN), ""),
    ("the last closing parenthesis is missing", |t| t.last(K::R_PAREN), ""),
    ("an opening parenthesis is missing", |t| t.last(K::L_PAREN), ""),
    ("a closing parenthesis too many", |t| t.last(K::R_PAREN).map(behind), ")"),
    ("an opening parenthesis too many", |t| t.last(K::L_PAREN).map(behind), "("),
    ("a closing bracket is missing", |t| t.last(K::R_BRACK), ""),
    ("an opening bracket is missing", |t| t.last(K::L_BRACK), ""),
    ("an open call", |t| t.statement().map(before), "call(a, b\n    "),
    ("an open list", |t| t.statement().map(before), "val a = [1, 2\n    "),
    ("an open string", |t| t.statement().map(before), "val s = \"abc\n    "),
    ("an open string in a call", |t| t.statement().map(before), "print(\"abc)\n    "),
    ("an open hole", |t| t.statement().map(before), "print(\"abc {x\")\n    "),
    ("no value", |t| t.statement().map(before), "val s =\n    val t = 3\n    "),
    ("no right operand", |t| t.statement().map(before), "s +\n\n    val t = 3\n    "),
    ("no member", |t| t.statement().map(before), "s.\n    val t = 3\n    "),
    ("no condition", |t| t.statement().map(before), "if {\n    }\n    "),
    ("no body", |t| t.statement().map(before), "if a\n    val t = 3\n    "),
    ("half an arm", |t| t.statement().map(before), "match x { 1 => }\n    "),
    ("no name", |t| t.first(K::IDENT), ""),
    ("a reserved name", |t| t.statement().map(before), "val match = 3\n    "),
    ("a word of another language", |t| t.first(K::FUNC_KW), "fn"),
    ("an unknown character", |t| t.middle().map(before), " $ "),
    ("a semicolon", |t| t.statement().map(before), "val q = 3;\n    "),
    ("a function in the middle", |t| t.statement().map(before), "func\n    "),
    ("a lonely keyword", |t| t.statement().map(before), "else\n    "),
    ("a lonely attribute", |t| t.statement().map(before), "@\n    "),
    ("a type without an end", |t| t.statement().map(before), "val v: Vec<Vec<i32> = x\n    "),
    ("a closure without an end", |t| t.statement().map(before), "val v = |a, b\n    "),
    ("a struct literal without an end", |t| t.statement().map(before), "val v = P { a: 1\n    "),
    ("the end of the item is missing", |t| Some(t.middle()?.start..t.end()?.end), ""),
];

fn items(root: &SyntaxNode) -> Vec<GreenNode> {
    root.children().map(|item| item.green().to_owned()).collect()
}

#[test]
fn a_mistake_in_an_item_changes_no_other_item() {
    let mut failures = Vec::new();
    for program in PROGRAMS {
        let root = parse(program).syntax_node();
        let whole = items(&root);
        for (index, item) in root.children().enumerate() {
            let tokens = Tokens::of(&item);
            for way in WAYS {
                if let Some(place) = (way.1)(&tokens) {
                    let broken = break_at(program, place, way.2);
                    failures.extend(failure(way.0, &broken, &whole, index));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// A program with a place replaced; new lines are indented as the line is that they stand in.
fn break_at(program: &str, place: Range<usize>, text: &str) -> String {
    let line = program[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = program[line..].len() - program[line..].trim_start_matches(' ').len();
    let text = text.replace("\n    ", &format!("\n{}", " ".repeat(indent)));
    format!("{}{text}{}", &program[..place.start], &program[place.end..])
}

/// What is wrong with how a program is read whose item of the index is broken.
fn failure(way: &str, broken: &str, whole: &[GreenNode], index: usize) -> Option<String> {
    let parse = checked(broken);
    let found = items(&parse.syntax_node());
    let rest = &whole[index + 1..];
    let before = found.get(..index) == Some(&whole[..index]);
    let after = found.len() >= index + rest.len() && found.ends_with(rest);
    // Half an item may lack many brackets, or none.
    let once = parse.errors.len() == 1 || way == "the end of the item is missing";
    if before && after && once {
        return None;
    }
    let errors = super::messages(broken);
    Some(format!("{way}: before {before}, after {after}\n{errors}{broken}\n"))
}

#[test]
fn a_constant_stands_in_its_block_however_it_is_indented() {
    let text = "func f() -> i32 {\nconst N: i32 = 2\n    N\n}\n";
    assert_eq!(parse(text).errors, []);
    // Without the brace, the constant is one of the file.
    let text = "func f() -> i32 {\n    1\n\nconst N: i32 = 2\n\nfunc g() -> i32 { N }\n";
    let parse = parse(text);
    assert_eq!(parse.errors.len(), 1, "{:?}", parse.errors);
    assert_eq!(parse.tree().map(|file| file.items().count()), Some(3));
}
