//! The code of what the language has and this compiler does not support yet.

use super::{Code, CodeInfo, error};

/// Part of the language, not supported yet.
pub const UNSUPPORTED: Code = Code("E0901");

pub(super) static TABLE: &[CodeInfo] = &[error(
    UNSUPPORTED,
    "not supported yet",
    "This belongs to the language, and this version of the compiler does not support it. It is refused \
     rather than compiled to something else.",
)];
