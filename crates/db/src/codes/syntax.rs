//! Codes of the lexer and the parser.

use super::{Code, CodeInfo, error};

/// The text does not follow the grammar.
pub const SYNTAX: Code = Code("E0101");

pub(super) static TABLE: &[CodeInfo] = &[error(
    SYNTAX,
    "syntax error",
    "The text does not follow the grammar at this place. The message says what was expected; everything \
     around the mistake is still understood, so other diagnostics of the file stay valid.",
)];
