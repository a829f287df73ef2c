//! The kinds of tokens: their order, how the grammar writes them, and how messages call them.

/// A kind of token.
pub(super) struct TokenKind {
    /// The kind.
    pub(super) kind: String,
    /// What stands between the quotes of the grammar.
    pub(super) text: String,
    /// How a message calls it.
    pub(super) name: String,
}

/// Kinds of white space and comments, and kinds with a text of their own.
const CLASSES: &[(&str, &str)] = &[
    ("WHITESPACE", "white space"),
    ("NEWLINE", "a new line"),
    ("LINE_COMMENT", "a comment"),
    ("BLOCK_COMMENT", "a comment"),
    ("DOC_COMMENT", "a documentation comment"),
    ("ERROR_TOKEN", "an unknown character"),
    ("IDENT", "a name"),
    ("LIFETIME", "a lifetime"),
    ("INT", "an integer"),
    ("FLOAT", "a float"),
    ("CHAR", "a character"),
    ("STRING_START", "a string"),
    ("STRING_TEXT", "text"),
    ("HOLE_OPEN", "`{`"),
    ("FORMAT_SPEC", "a format"),
    ("HOLE_CLOSE", "`}`"),
    ("STRING_END", "the end of the string"),
    ("EOF", "the end of the file"),
];

/// Punctuation. `&&`, `>=`, `>>` and `??` are joined by the parser.
const PUNCTUATION: &[(&str, &str)] = &[
    ("L_PAREN", "("),
    ("R_PAREN", ")"),
    ("L_BRACK", "["),
    ("R_BRACK", "]"),
    ("L_BRACE", "{"),
    ("R_BRACE", "}"),
    ("COMMA", ","),
    ("COLON", ":"),
    ("COLON2", "::"),
    ("SEMICOLON", ";"),
    ("DOT", "."),
    ("DOT2", ".."),
    ("DOT2_EQ", "..="),
    ("ARROW", "->"),
    ("FAT_ARROW", "=>"),
    ("EQ", "="),
    ("EQ2", "=="),
    ("NEQ", "!="),
    ("LT", "<"),
    ("LT_EQ", "<="),
    ("GT", ">"),
    ("GT_EQ", ">="),
    ("PLUS", "+"),
    ("MINUS", "-"),
    ("STAR", "*"),
    ("SLASH", "/"),
    ("PERCENT", "%"),
    ("AT", "@"),
    ("PLUS_EQ", "+="),
    ("MINUS_EQ", "-="),
    ("STAR_EQ", "*="),
    ("SLASH_EQ", "/="),
    ("PERCENT_EQ", "%="),
    ("AMP", "&"),
    ("AMP2", "&&"),
    ("PIPE", "|"),
    ("PIPE2", "||"),
    ("PIPE_GT", "|>"),
    ("CARET", "^"),
    ("TILDE", "~"),
    ("BANG", "!"),
    ("SHL", "<<"),
    ("COMPOSE", ">>"),
    ("QUESTION", "?"),
    ("QUESTION2", "??"),
    ("UNDERSCORE", "_"),
];

/// The reserved words; `tests::tables` holds them against the table of keywords.
const KEYWORDS: &[&str] = &[
    "func", "val", "mut", "const", "if", "else", "while", "for", "in", "loop", "break", "continue",
    "return", "match", "struct", "enum", "impl", "trait", "type", "newtype", "import", "export",
    "module", "self", "Self", "where", "as", "dyn", "move", "unsafe", "pool", "true", "false",
];

/// Every kind of token, in order.
pub(super) fn tokens() -> Vec<TokenKind> {
    let classes = CLASSES.iter().map(|(kind, name)| TokenKind {
        kind: (*kind).to_owned(),
        text: kind.to_lowercase(),
        name: (*name).to_owned(),
    });
    let punctuation = PUNCTUATION.iter().map(|(kind, text)| TokenKind {
        kind: (*kind).to_owned(),
        text: (*text).to_owned(),
        name: format!("`{text}`"),
    });
    let keywords = KEYWORDS.iter().map(|text| TokenKind {
        kind: match *text {
            "Self" => "SELF_TYPE_KW".to_owned(),
            text => format!("{}_KW", text.to_uppercase()),
        },
        text: (*text).to_owned(),
        name: format!("`{text}`"),
    });
    classes.chain(punctuation).chain(keywords).collect()
}
