//! The kinds of tokens and nodes, and the rowan language that they make.

/// Declares [`SyntaxKind`], the list of all kinds and the name of each for messages.
macro_rules! kinds {
    ($($kind:ident = $name:literal,)*) => {
        /// The kind of a token or of a node of the syntax tree.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[expect(
            non_camel_case_types,
            missing_docs,
            reason = "a kind is spelled as trees print it, and is named after its text or its grammar rule"
        )]
        pub enum SyntaxKind {
            $($kind,)*
        }

        /// Every kind, at the index that is its number.
        const ALL: &[SyntaxKind] = &[$(SyntaxKind::$kind,)*];

        impl SyntaxKind {
            /// How a message calls this kind: quoted text for fixed tokens, words for the rest.
            pub fn name(self) -> &'static str {
                match self {
                    $(SyntaxKind::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    // Trivia.
    WHITESPACE = "white space",
    NEWLINE = "a new line",
    LINE_COMMENT = "a comment",
    BLOCK_COMMENT = "a comment",
    DOC_COMMENT = "a documentation comment",
    // Tokens with a text of their own.
    ERROR_TOKEN = "an unknown character",
    IDENT = "a name",
    LIFETIME = "a lifetime",
    INT = "an integer",
    FLOAT = "a float",
    CHAR = "a character",
    STRING_START = "a string",
    STRING_TEXT = "text",
    HOLE_OPEN = "`{`",
    FORMAT_SPEC = "a format",
    HOLE_CLOSE = "`}`",
    STRING_END = "the end of the string",
    EOF = "the end of the file",
    // Punctuation. `&&`, `>=`, `>>` and `??` are joined by the parser.
    L_PAREN = "`(`",
    R_PAREN = "`)`",
    L_BRACK = "`[`",
    R_BRACK = "`]`",
    L_BRACE = "`{`",
    R_BRACE = "`}`",
    COMMA = "`,`",
    COLON = "`:`",
    COLON2 = "`::`",
    SEMICOLON = "`;`",
    DOT = "`.`",
    DOT2 = "`..`",
    DOT2_EQ = "`..=`",
    ARROW = "`->`",
    FAT_ARROW = "`=>`",
    EQ = "`=`",
    EQ2 = "`==`",
    NEQ = "`!=`",
    LT = "`<`",
    LT_EQ = "`<=`",
    GT = "`>`",
    GT_EQ = "`>=`",
    PLUS = "`+`",
    MINUS = "`-`",
    STAR = "`*`",
    SLASH = "`/`",
    PERCENT = "`%`",
    AT = "`@`",
    PLUS_EQ = "`+=`",
    MINUS_EQ = "`-=`",
    STAR_EQ = "`*=`",
    SLASH_EQ = "`/=`",
    PERCENT_EQ = "`%=`",
    AMP = "`&`",
    AMP2 = "`&&`",
    PIPE = "`|`",
    PIPE2 = "`||`",
    PIPE_GT = "`|>`",
    CARET = "`^`",
    TILDE = "`~`",
    BANG = "`!`",
    SHL = "`<<`",
    COMPOSE = "`>>`",
    QUESTION = "`?`",
    QUESTION2 = "`??`",
    UNDERSCORE = "`_`",
    // Keywords.
    FUNC_KW = "`func`",
    VAL_KW = "`val`",
    MUT_KW = "`mut`",
    CONST_KW = "`const`",
    IF_KW = "`if`",
    ELSE_KW = "`else`",
    WHILE_KW = "`while`",
    FOR_KW = "`for`",
    IN_KW = "`in`",
    LOOP_KW = "`loop`",
    BREAK_KW = "`break`",
    CONTINUE_KW = "`continue`",
    RETURN_KW = "`return`",
    MATCH_KW = "`match`",
    STRUCT_KW = "`struct`",
    ENUM_KW = "`enum`",
    IMPL_KW = "`impl`",
    TRAIT_KW = "`trait`",
    TYPE_KW = "`type`",
    NEWTYPE_KW = "`newtype`",
    IMPORT_KW = "`import`",
    EXPORT_KW = "`export`",
    MODULE_KW = "`module`",
    SELF_KW = "`self`",
    SELF_TYPE_KW = "`Self`",
    WHERE_KW = "`where`",
    AS_KW = "`as`",
    DYN_KW = "`dyn`",
    MOVE_KW = "`move`",
    UNSAFE_KW = "`unsafe`",
    POOL_KW = "`pool`",
    TRUE_KW = "`true`",
    FALSE_KW = "`false`",
    // Items.
    SOURCE_FILE = "a file",
    ERROR = "an error",
    FUNC = "a function",
    STRUCT = "a struct",
    ENUM = "an enum",
    TRAIT = "a trait",
    IMPL = "an `impl` block",
    CONST = "a constant",
    NEWTYPE = "a newtype",
    TYPE_ALIAS = "a type alias",
    IMPORT = "an import",
    MODULE = "a module",
    ITEM_LIST = "a list of items",
    ASSOC_ITEM_LIST = "a list of members",
    ASSOC_TYPE = "an associated type",
    ATTR = "an attribute",
    ATTR_ARG_LIST = "attribute arguments",
    ATTR_ARG = "an attribute argument",
    NAME = "a name",
    NAME_REF = "a name",
    PARAM_LIST = "parameters",
    SELF_PARAM = "`self`",
    PARAM = "a parameter",
    PARAM_LABEL = "a parameter label",
    RET_TYPE = "a return type",
    GENERIC_PARAM_LIST = "generic parameters",
    TYPE_PARAM = "a type parameter",
    CONST_PARAM = "a constant parameter",
    LIFETIME_PARAM = "a lifetime parameter",
    BOUND_LIST = "bounds",
    BOUND = "a bound",
    ASSOC_BINDING = "an associated type binding",
    WHERE_CLAUSE = "a `where` clause",
    WHERE_PRED = "a `where` predicate",
    FIELD_LIST = "fields",
    FIELD = "a field",
    VARIANT_LIST = "variants",
    VARIANT = "a variant",
    TUPLE_FIELD_LIST = "payload types",
    IMPORT_PATH = "a module path",
    IMPORT_LIST = "imported names",
    IMPORT_ENTRY = "an imported name",
    RENAME = "a rename",
    // Types.
    REF_TYPE = "a reference type",
    PATH_TYPE = "a type name",
    ARRAY_TYPE = "an array type",
    SLICE_TYPE = "a slice type",
    TUPLE_TYPE = "a tuple type",
    FN_TYPE = "a function type",
    DYN_TYPE = "a `dyn` type",
    IMPL_TYPE = "an `impl` type",
    PAREN_TYPE = "a parenthesised type",
    TYPE_ARG_LIST = "type arguments",
    CONST_ARG = "a constant argument",
    LIFETIME_ARG = "a lifetime",
    SHAPE_ARG = "a shape",
    DIM = "a dimension",
    PATH = "a path",
    PATH_SEGMENT = "a path segment",
    // Patterns.
    WILDCARD_PAT = "`_`",
    IDENT_PAT = "a name",
    LITERAL_PAT = "a literal pattern",
    RANGE_PAT = "a range pattern",
    TUPLE_PAT = "a tuple pattern",
    ARRAY_PAT = "an array pattern",
    REST_PAT = "`..`",
    VARIANT_PAT = "a variant pattern",
    STRUCT_PAT = "a struct pattern",
    STRUCT_PAT_FIELD = "a field pattern",
    PATH_PAT = "a path pattern",
    OR_PAT = "alternatives",
    // Statements.
    BIND_STMT = "a binding",
    VAL_ELSE = "an `else` block",
    ASSIGN_STMT = "an assignment",
    EXPR_STMT = "a statement",
    POOL_STMT = "a `pool` block",
    LABEL = "a label",
    LABEL_REF = "a label",
    // Expressions.
    LITERAL = "a literal",
    STRING_LIT = "a string",
    HOLE = "a hole",
    PATH_EXPR = "a path",
    PAREN_EXPR = "a parenthesised expression",
    TUPLE_EXPR = "a tuple",
    ARRAY_EXPR = "an array",
    ALIASED_EXPR = "an aliased entry",
    BLOCK = "a block",
    UNSAFE_EXPR = "an `unsafe` block",
    IF_EXPR = "an `if`",
    MATCH_EXPR = "a `match`",
    MATCH_ARM_LIST = "match arms",
    MATCH_ARM = "a match arm",
    MATCH_GUARD = "a guard",
    CLOSURE_EXPR = "a closure",
    CLOSURE_PARAM_LIST = "closure parameters",
    CLOSURE_PARAM = "a closure parameter",
    PREFIX_EXPR = "a prefix expression",
    BORROW_EXPR = "a borrow",
    BIN_EXPR = "a binary expression",
    RANGE_EXPR = "a range",
    CAST_EXPR = "a cast",
    CALL_EXPR = "a call",
    ARG_LIST = "arguments",
    ARG = "an argument",
    METHOD_CALL_EXPR = "a method call",
    FIELD_EXPR = "a field access",
    INDEX_EXPR = "an index",
    INDEX_LIST = "indexes",
    TRY_EXPR = "a `?` expression",
    STRUCT_LIT = "a struct literal",
    STRUCT_LIT_FIELD_LIST = "field values",
    STRUCT_LIT_FIELD = "a field value",
    STRUCT_BASE = "a base struct",
    RETURN_EXPR = "a `return`",
    BREAK_EXPR = "a `break`",
    CONTINUE_EXPR = "a `continue`",
    WHILE_EXPR = "a `while` loop",
    FOR_EXPR = "a `for` loop",
    LOOP_EXPR = "a `loop`",
}

impl SyntaxKind {
    /// Whether a token of this kind only separates others.
    pub fn is_trivia(self) -> bool {
        self <= SyntaxKind::DOC_COMMENT
    }

    /// Whether this is a reserved word.
    pub fn is_keyword(self) -> bool {
        (SyntaxKind::FUNC_KW..=SyntaxKind::FALSE_KW).contains(&self)
    }

    /// Whether this is the kind of a token, not of a node.
    pub fn is_token(self) -> bool {
        self < SyntaxKind::SOURCE_FILE
    }
}

impl From<SyntaxKind> for rowan::SyntaxKind {
    fn from(kind: SyntaxKind) -> Self {
        rowan::SyntaxKind(kind as u16)
    }
}

/// The language whose trees rowan holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NeuroLanguage {}

impl rowan::Language for NeuroLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        // Only our own builder makes trees, so a number out of range cannot occur.
        ALL.get(usize::from(raw.0)).copied().unwrap_or(SyntaxKind::ERROR)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        kind.into()
    }
}

/// A node of a Neuro tree.
pub type SyntaxNode = rowan::SyntaxNode<NeuroLanguage>;
/// A token of a Neuro tree.
pub type SyntaxToken = rowan::SyntaxToken<NeuroLanguage>;
/// A node or a token of a Neuro tree.
pub type SyntaxElement = rowan::SyntaxElement<NeuroLanguage>;
