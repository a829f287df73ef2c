//! The queries of the editors fit the grammar, and say what they should of every token.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use neuro_syntax::{KEYWORDS, NodeOrToken, SyntaxKind};
use neuro_tests::root;
use tree_sitter::{Query, QueryCursor, StreamingIterator};

const GRAMMAR: &str = "syntax/tree-sitter-neuro/queries";
const FOLDERS: &[&str] = &[
    GRAMMAR,
    "editors/nvim/queries/neuro",
    "editors/helix/queries/neuro",
    "editors/zed/languages/neuro",
];

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder").flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "scm"))
        .collect()
}

fn query(path: &Path) -> Query {
    let text = std::fs::read_to_string(path).expect("a query");
    Query::new(&super::language(), &text)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The captures of a query in a text: range, and the name that the last pattern gives.
fn captures(query: &Query, text: &str) -> BTreeMap<(usize, usize), String> {
    let tree = super::parse(text);
    let mut found = BTreeMap::<_, (usize, String)>::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    while let Some(matched) = matches.next() {
        for capture in matched.captures() {
            let range = (capture.node.start_byte(), capture.node.end_byte());
            let name = query.capture_names()[capture.index as usize].to_owned();
            let entry = found.entry(range).or_default();
            if matched.pattern_index >= entry.0 && name != "spell" {
                *entry = (matched.pattern_index, name);
            }
        }
    }
    found.into_iter().map(|(range, (_, name))| (range, name)).collect()
}

#[test]
fn queries_fit_the_grammar() {
    let mut count = 0;
    for path in FOLDERS.iter().flat_map(|folder| files(folder)) {
        let _ = query(&path);
        count += 1;
    }
    assert!(count > 20, "{count} queries");
}

/// Neovim has copies: a plugin does not reach outside of its folder.
#[test]
fn neovim_has_the_queries_of_the_grammar() {
    for path in files("editors/nvim/queries/neuro") {
        let ours = root().join(GRAMMAR).join(path.file_name().expect("a name"));
        let read = |path: &Path| std::fs::read_to_string(path).expect("a query");
        assert_eq!(read(&path), read(&ours), "copy {} over {}", ours.display(), path.display());
    }
}

/// A pattern that never matches is a mistake of spelling, or a construct that no program has.
#[test]
fn every_pattern_matches_somewhere() {
    let programs = super::programs();
    for path in FOLDERS.iter().flat_map(|folder| files(folder)) {
        let query = query(&path);
        let mut seen = BTreeSet::new();
        for (_, text) in &programs {
            let tree = super::parse(text);
            let mut cursor = QueryCursor::new();
            let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
            while let Some(matched) = matches.next() {
                seen.insert(matched.pattern_index);
            }
        }
        let text = std::fs::read_to_string(&path).expect("a query");
        let dead: Vec<_> =
            (0..query.pattern_count()).filter(|pattern| !seen.contains(pattern)).collect();
        let dead: Vec<_> = dead
            .iter()
            .map(|pattern| {
                text[query.start_byte_for_pattern(*pattern)..].lines().next().unwrap_or_default()
            })
            .collect();
        assert!(dead.is_empty(), "{}: never matches: {dead:#?}", path.display());
    }
}

/// What a capture of a token may be, by the kind that the lexer gives to it.
fn fits(kind: SyntaxKind, capture: &str) -> bool {
    let any = |names: &[&str]| names.iter().any(|name| capture.starts_with(name));
    match kind {
        SyntaxKind::TRUE_KW | SyntaxKind::FALSE_KW => any(&["boolean", "constant.builtin"]),
        SyntaxKind::SELF_KW => any(&["variable.builtin", "variable.special"]),
        SyntaxKind::SELF_TYPE_KW => any(&["type.builtin"]),
        kind if kind.is_keyword() => any(&["keyword"]),
        SyntaxKind::INT | SyntaxKind::FLOAT => {
            any(&["number", "constant.numeric", "property", "variable"])
        }
        SyntaxKind::CHAR => any(&["character", "string", "constant.character"]),
        // A text may be one escape.
        SyntaxKind::STRING_TEXT => any(&["string", "constant.character.escape"]),
        SyntaxKind::HOLE_OPEN | SyntaxKind::HOLE_CLOSE => any(&["punctuation.special"]),
        SyntaxKind::LINE_COMMENT | SyntaxKind::DOC_COMMENT | SyntaxKind::BLOCK_COMMENT => {
            any(&["comment"])
        }
        _ => true,
    }
}

#[test]
fn tokens_are_captured_as_what_they_are() {
    for path in FOLDERS
        .iter()
        .flat_map(|folder| files(folder))
        .filter(|path| path.ends_with("highlights.scm"))
    {
        let query = query(&path);
        for (name, text) in
            super::programs().into_iter().filter(|(_, text)| !super::has_error(text))
        {
            let captures = captures(&query, &text);
            let root = neuro_syntax::parse(&text).syntax_node();
            for token in root.descendants_with_tokens().filter_map(NodeOrToken::into_token) {
                let range = (token.text_range().start().into(), token.text_range().end().into());
                let capture = captures.get(&range).map_or("", String::as_str);
                let known = fits(token.kind(), capture)
                    || token.kind() == SyntaxKind::STRING_TEXT && capture.is_empty();
                assert!(known, "{}: {name}: {:?} is {capture:?}", path.display(), token.text());
                if token.kind() == SyntaxKind::IDENT {
                    assert!(
                        !capture.is_empty(),
                        "{}: {name}: {:?} is nothing",
                        path.display(),
                        token.text()
                    );
                }
            }
        }
    }
}

/// The reserved words of the grammar are those of the lexer.
#[test]
fn the_grammar_reserves_every_keyword() {
    let path = root().join("syntax/tree-sitter-neuro/src/grammar.json");
    let grammar: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("a grammar")).expect("JSON");
    let reserved = grammar["reserved"]["global"].as_array().expect("reserved words").iter();
    let reserved: BTreeSet<_> = reserved.filter_map(|word| word["value"].as_str()).collect();
    assert_eq!(reserved, KEYWORDS.iter().map(|keyword| keyword.text).collect());
}

/// What a reader sees of a line, as captures of the text between the marks.
#[test]
fn names_are_captured_by_where_they_stand() {
    let query = query(&root().join(GRAMMAR).join("highlights.scm"));
    let text = "\
@grad(wrt: [w])
func loss(by w: &mut Tensor<f64, [rows: N, 2]>, x: Point) -> f64 {
    val y = shapes::area(x.width, by: w).mean()
    LIMIT
}
";
    let captures = captures(&query, text);
    let of = |word: &str| {
        let start = text.find(word).expect("the word");
        captures.get(&(start, start + word.len())).map(String::as_str)
    };
    for (word, capture) in [
        ("grad", "attribute"),
        ("wrt", "property"),
        ("loss", "function"),
        ("by", "label"),
        ("Tensor", "type.builtin"),
        ("rows", "label"),
        ("N", "constant"),
        ("Point", "type"),
        ("shapes", "module"),
        ("area", "function.call"),
        ("width", "variable.member"),
        ("mean", "function.method.call"),
        ("LIMIT", "constant"),
        ("->", "operator"),
    ] {
        assert_eq!(of(word), Some(capture), "{word}");
    }
}
