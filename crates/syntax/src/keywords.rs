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

/// The keyword that a word is.
pub(crate) fn keyword(text: &str) -> Option<SyntaxKind> {
    // Most words are names: the length and the first letter rule nearly all of them out.
    if !(2..=8).contains(&text.len()) {
        return if text == "_" { Some(SyntaxKind::UNDERSCORE) } else { None };
    }
    Some(match text {
        "func" => SyntaxKind::FUNC_KW,
        "val" => SyntaxKind::VAL_KW,
        "mut" => SyntaxKind::MUT_KW,
        "const" => SyntaxKind::CONST_KW,
        "if" => SyntaxKind::IF_KW,
        "else" => SyntaxKind::ELSE_KW,
        "while" => SyntaxKind::WHILE_KW,
        "for" => SyntaxKind::FOR_KW,
        "in" => SyntaxKind::IN_KW,
        "loop" => SyntaxKind::LOOP_KW,
        "break" => SyntaxKind::BREAK_KW,
        "continue" => SyntaxKind::CONTINUE_KW,
        "return" => SyntaxKind::RETURN_KW,
        "match" => SyntaxKind::MATCH_KW,
        "struct" => SyntaxKind::STRUCT_KW,
        "enum" => SyntaxKind::ENUM_KW,
        "impl" => SyntaxKind::IMPL_KW,
        "trait" => SyntaxKind::TRAIT_KW,
        "type" => SyntaxKind::TYPE_KW,
        "newtype" => SyntaxKind::NEWTYPE_KW,
        "import" => SyntaxKind::IMPORT_KW,
        "export" => SyntaxKind::EXPORT_KW,
        "module" => SyntaxKind::MODULE_KW,
        "self" => SyntaxKind::SELF_KW,
        "Self" => SyntaxKind::SELF_TYPE_KW,
        "where" => SyntaxKind::WHERE_KW,
        "as" => SyntaxKind::AS_KW,
        "dyn" => SyntaxKind::DYN_KW,
        "move" => SyntaxKind::MOVE_KW,
        "unsafe" => SyntaxKind::UNSAFE_KW,
        "pool" => SyntaxKind::POOL_KW,
        "true" => SyntaxKind::TRUE_KW,
        "false" => SyntaxKind::FALSE_KW,
        _ => return None,
    })
}
