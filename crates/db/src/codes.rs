//! The registry of diagnostic codes: one declaration a code, from which `explain` and the docs are made.
//!
//! A code is never reused for another meaning. The hundreds tell the stage: 01 syntax, 02 names,
//! 03 types, 04 shapes, 05 ownership, 06 signatures of derivatives, 07 bodies of derivatives,
//! 09 what the compiler does not support yet.

mod derivatives;
mod names;
mod ownership;
mod syntax;
mod types;
mod unsupported;

pub use derivatives::*;
pub use names::*;
pub use ownership::*;
pub use syntax::*;
pub use types::*;
pub use unsupported::*;

use crate::Severity;

/// A diagnostic code, printed as in `E0301`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The text of the code.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// What is declared of the code.
    pub fn info(self) -> &'static CodeInfo {
        self::find(self.0).unwrap_or(&UNREGISTERED)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// What is declared of a code.
#[derive(Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// The weight of its diagnostics.
    pub severity: Severity,
    /// What went wrong, as a title.
    pub title: &'static str,
    /// Why it is wrong and what to do, in Markdown, with an example.
    pub page: &'static str,
}

/// What stands for a code that no table declares; a test makes sure that there is none.
static UNREGISTERED: CodeInfo =
    CodeInfo { code: Code("E0000"), severity: Severity::Error, title: "undeclared code", page: "" };

/// Every table of codes.
static TABLES: &[&[CodeInfo]] = &[
    syntax::TABLE,
    names::TABLE,
    types::TABLE,
    ownership::TABLE,
    derivatives::TABLE,
    unsupported::TABLE,
];

/// Every declared code, in order of its text within each stage.
pub fn all() -> impl Iterator<Item = &'static CodeInfo> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The declaration of a code given by its text.
pub fn find(text: &str) -> Option<&'static CodeInfo> {
    all().find(|info| info.code.0 == text)
}

/// A declaration of an error code.
const fn error(code: Code, title: &'static str, page: &'static str) -> CodeInfo {
    CodeInfo { code, severity: Severity::Error, title, page }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let mut seen = std::collections::HashSet::new();
        for info in all() {
            assert!(seen.insert(info.code), "{:?} is declared twice", info.code);
            assert!(
                !info.title.is_empty() && !info.page.is_empty(),
                "{:?} says nothing",
                info.code
            );
        }
    }
}
