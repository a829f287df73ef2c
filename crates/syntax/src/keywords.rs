//! The reserved words, with what an editor says of each.

use crate::SyntaxKind;

/// A reserved word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyword {
    /// The word.
    pub text: &'static str,
    /// The kind of its token.
    pub kind: SyntaxKind,
    /// What it does, in one sentence.
    pub doc: &'static str,
}

const fn word(text: &'static str, kind: SyntaxKind, doc: &'static str) -> Keyword {
    Keyword { text, kind, doc }
}

/// Every reserved word.
pub const KEYWORDS: &[Keyword] = &[
    word("func", SyntaxKind::FUNC_KW, "Declares a function or a method."),
    word("val", SyntaxKind::VAL_KW, "Binds a name that is never assigned again."),
    word(
        "mut",
        SyntaxKind::MUT_KW,
        "Binds a name that may be assigned again; `&mut` borrows for writing.",
    ),
    word("const", SyntaxKind::CONST_KW, "Declares a constant, or a constant generic parameter."),
    word("if", SyntaxKind::IF_KW, "Chooses between blocks; with `else` it has a value."),
    word("else", SyntaxKind::ELSE_KW, "The other branch of an `if` or of a `val` pattern."),
    word("while", SyntaxKind::WHILE_KW, "Repeats a block as long as a condition holds."),
    word("for", SyntaxKind::FOR_KW, "Repeats a block for each value of a range or a collection."),
    word("in", SyntaxKind::IN_KW, "Stands between the variable and the values of a `for` loop."),
    word("loop", SyntaxKind::LOOP_KW, "Repeats a block until `break`, whose value it has."),
    word("break", SyntaxKind::BREAK_KW, "Leaves a loop, a `loop` with a value."),
    word("continue", SyntaxKind::CONTINUE_KW, "Goes on with the next round of a loop."),
    word("return", SyntaxKind::RETURN_KW, "Leaves a function with a value."),
    word("match", SyntaxKind::MATCH_KW, "Chooses an arm by the shape of a value."),
    word("struct", SyntaxKind::STRUCT_KW, "Declares a type with named fields."),
    word("enum", SyntaxKind::ENUM_KW, "Declares a type with variants."),
    word(
        "impl",
        SyntaxKind::IMPL_KW,
        "Gives methods to a type; as a type, some type with a trait.",
    ),
    word("trait", SyntaxKind::TRAIT_KW, "Declares what types with the trait can do."),
    word("type", SyntaxKind::TYPE_KW, "Declares another name of a type, or an associated type."),
    word("newtype", SyntaxKind::NEWTYPE_KW, "Declares a distinct type around another."),
    word("import", SyntaxKind::IMPORT_KW, "Brings names of another module into the file."),
    word("export", SyntaxKind::EXPORT_KW, "Makes an item or a field visible to other modules."),
    word("module", SyntaxKind::MODULE_KW, "Declares a module inside a file."),
    word("self", SyntaxKind::SELF_KW, "The receiver of a method."),
    word("Self", SyntaxKind::SELF_TYPE_KW, "The type that an `impl` block or a trait is about."),
    word("where", SyntaxKind::WHERE_KW, "Gives conditions on generic parameters."),
    word("as", SyntaxKind::AS_KW, "Casts a number; renames an import."),
    word("dyn", SyntaxKind::DYN_KW, "A value of any type with a trait, behind a reference."),
    word("move", SyntaxKind::MOVE_KW, "Says that a closure takes what it captures."),
    word("unsafe", SyntaxKind::UNSAFE_KW, "A block in which a kernel may index its output."),
    word("pool", SyntaxKind::POOL_KW, "A block whose memory is released at once at its end."),
    word("true", SyntaxKind::TRUE_KW, "The truth value of what holds."),
    word("false", SyntaxKind::FALSE_KW, "The truth value of what does not hold."),
];

/// How many places the table of reserved words has.
const PLACES: usize = 128;

/// Gives every reserved word a place of its own in the table. A new word may need another number.
const MIX: u64 = 0x99d9_7091_ae0b_6eb3;

/// The reserved words and `_`, each at its place, as the number that its bytes make.
static TABLE: [(u64, SyntaxKind); PLACES] = {
    let mut table = [(0, SyntaxKind::IDENT); PLACES];
    table[place(key(b"_"))] = (key(b"_"), SyntaxKind::UNDERSCORE);
    let mut index = 0;
    while index < KEYWORDS.len() {
        let key = key(KEYWORDS[index].text.as_bytes());
        assert!(
            table[place(key)].0 == 0,
            "two words have one place: take another number to mix by"
        );
        table[place(key)] = (key, KEYWORDS[index].kind);
        index += 1;
    }
    table
};

const fn place(key: u64) -> usize {
    (key.wrapping_mul(MIX) >> (64 - PLACES.trailing_zeros())) as usize
}

/// The number that the bytes of a word of at most eight make, the first one lowest.
const fn key(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut index = word.len();
    while index > 0 {
        index -= 1;
        key = key << 8 | word[index] as u64;
    }
    key
}

/// The kind of a word: that of a keyword, or a name.
pub(crate) fn word_kind(word: &str) -> SyntaxKind {
    if word.len() > 8 { SyntaxKind::IDENT } else { short_word_kind(key(word.as_bytes())) }
}

/// The kind of a word of at most eight bytes, of which the first one is the lowest of the number.
#[inline]
pub(crate) fn short_word_kind(key: u64) -> SyntaxKind {
    // A comparison with each word of the same length would be a guess of the processor for every name.
    let (known, kind) = TABLE[place(key)];
    if known == key { kind } else { SyntaxKind::IDENT }
}
