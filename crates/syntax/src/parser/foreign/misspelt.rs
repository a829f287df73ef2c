//! Keywords with one wrong letter, or two that changed places.

use crate::SyntaxKind;
use crate::parser::Parser;

/// The words that begin an item, and what they are keywords of.
const ITEMS: &[(&str, SyntaxKind)] = &[
    ("func", SyntaxKind::FUNC_KW),
    ("struct", SyntaxKind::STRUCT_KW),
    ("enum", SyntaxKind::ENUM_KW),
    ("trait", SyntaxKind::TRAIT_KW),
    ("impl", SyntaxKind::IMPL_KW),
    ("const", SyntaxKind::CONST_KW),
    ("newtype", SyntaxKind::NEWTYPE_KW),
    ("import", SyntaxKind::IMPORT_KW),
    ("module", SyntaxKind::MODULE_KW),
];

/// The words that begin a statement with something behind them.
const STATEMENTS: &[&str] =
    &["val", "mut", "return", "while", "match", "for", "break", "continue", "if", "const"];

/// Whether a word that is no keyword was meant as this one.
fn is_meant(word: &str, keyword: &str) -> bool {
    // Of two letters every word is one letter away from many.
    word.len() > 2 && strsim::osa_distance(word, keyword) == 1
}

impl Parser<'_> {
    /// The keyword of an item that the current word was meant as: the name of the item follows, and no other reading
    /// of two words on a line makes sense.
    pub(in crate::parser) fn misspelt_item(&self) -> Option<SyntaxKind> {
        let word = self.text_of(0);
        let (_, kind) = ITEMS.iter().find(|(keyword, _)| is_meant(word, keyword))?;
        let behind = self.nth(2);
        let begins = match kind {
            SyntaxKind::FUNC_KW => matches!(behind, SyntaxKind::L_PAREN | SyntaxKind::LT),
            SyntaxKind::STRUCT_KW
            | SyntaxKind::ENUM_KW
            | SyntaxKind::TRAIT_KW
            | SyntaxKind::MODULE_KW => matches!(behind, SyntaxKind::L_BRACE | SyntaxKind::LT),
            SyntaxKind::IMPL_KW => {
                matches!(behind, SyntaxKind::L_BRACE | SyntaxKind::LT | SyntaxKind::FOR_KW)
            }
            SyntaxKind::CONST_KW => behind == SyntaxKind::COLON,
            SyntaxKind::NEWTYPE_KW => behind == SyntaxKind::EQ,
            _ => behind == SyntaxKind::COLON2 || self.significant(2).new_line,
        };
        begins.then_some(*kind)
    }

    /// Takes the statement whose keyword is misspelt, when a word and an operand stand side by side; gives whether one
    /// stood there.
    pub(in crate::parser) fn misspelt_statement(&mut self) -> bool {
        if self.foreign_binding().is_some() || self.foreign_item().is_some() {
            return false;
        }
        let word = self.text_of(0);
        let Some(meant) = STATEMENTS.iter().find(|keyword| is_meant(word, keyword)) else {
            return false;
        };
        let fix = self.replace(self.range_of(0), meant);
        let message = format!("`{word}` is no word of the language: write `{meant}`");
        self.error_with_fix(self.range_of(0), message, fix);
        self.skip_line();
        true
    }
}
