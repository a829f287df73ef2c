//! The tables of words.

use crate::keywords::keyword;
use crate::{ATTRIBUTES, KEYWORDS, SyntaxKind};

#[test]
fn the_lexer_knows_every_keyword_of_the_table() {
    for word in KEYWORDS {
        assert_eq!(keyword(word.text), Some(word.kind), "{}", word.text);
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
