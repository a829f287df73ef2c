//! The tables of words.

use crate::keywords::word_kind;
use crate::{ATTRIBUTES, KEYWORDS, SyntaxKind};
use std::collections::BTreeSet;

#[test]
fn the_lexer_knows_every_keyword_of_the_table() {
    for word in KEYWORDS {
        assert_eq!(word_kind(word.text), word.kind, "{}", word.text);
        assert_eq!(word.kind.name(), format!("`{}`", word.text));
        assert!(word.kind.is_keyword());
    }
    let first = SyntaxKind::FUNC_KW as usize;
    assert_eq!(KEYWORDS.len(), SyntaxKind::FALSE_KW as usize - first + 1);
}

#[test]
fn attributes_are_named_once() {
    let mut names: Vec<_> = ATTRIBUTES.iter().map(|attribute| attribute.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ATTRIBUTES.len());
}

/// The grammar that editors colour by has the same words.
#[test]
fn the_editors_grammar_has_every_keyword() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../syntax/neuro.tmLanguage.json");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let grammar: serde_json::Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(grammar["scopeName"], "source.neuro");
    let patterns = grammar["repository"]["keywords"]["patterns"].as_array();
    let words: BTreeSet<&str> = patterns
        .into_iter()
        .flatten()
        .filter_map(|pattern| pattern["match"].as_str())
        .filter_map(|text| text.strip_prefix("\\b(?:")?.strip_suffix(")\\b"))
        .flat_map(|text| text.split('|'))
        .collect();
    let keywords: BTreeSet<&str> = KEYWORDS.iter().map(|keyword| keyword.text).collect();
    assert_eq!(words, keywords);
}
