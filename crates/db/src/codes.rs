//! The registry of diagnostic codes: one declaration a code, from which `explain` and the docs are made.
//!
//! A code is never reused for another meaning. The hundreds tell the stage: 01 syntax, 02 names,
//! 03 types, 04 shapes, 05 ownership, 06 signatures of derivatives, 07 bodies of derivatives,
//! 08 the project file, 09 what the compiler does not support yet. `W` starts the code of a lint.

mod derivatives;
mod lints;
mod names;
mod project;
mod ownership;
mod syntax;
mod traits;
mod types;
mod unsupported;

pub use derivatives::*;
pub use lints::*;
pub use names::*;
pub use ownership::*;
pub use project::*;
pub use syntax::*;
pub use traits::*;
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
    /// The name of a lint, by which `neuro.toml` and `@allow` set its level; only warnings have one, and all do.
    pub lint: Option<&'static str>,
    /// What went wrong, as a title.
    pub title: &'static str,
    /// Why it is wrong and what to do, in Markdown, with an example.
    pub page: &'static str,
}

impl CodeInfo {
    /// The whole text about the code, in Markdown, as `neurc explain` and the documentation show it.
    pub fn text(&self) -> String {
        const PROGRAM: &str = "```neuro\n";
        let page = self.page.trim();
        let parts: Vec<&str> = page.split(PROGRAM).collect();
        let mut text = match parts[..] {
            [start, wrong, right] => format!(
                "{start}With the mistake:\n\n{PROGRAM}{wrong}Without it:\n\n{PROGRAM}{right}"
            ),
            _ => page.to_owned(),
        };
        if let Some(lint) = self.lint {
            text += &format!(
                "\n\nThis is the lint `{lint}`. `@allow({lint})` in front of a function silences it there; \
                 `{lint} = \"allow\"` under `[lints]` in `neuro.toml` silences it in the whole project, and \
                 `\"deny\"` makes it an error."
            );
        }
        text
    }
}

/// What stands for a code that no table declares; a test makes sure that there is none.
static UNREGISTERED: CodeInfo = error(Code("E0000"), "undeclared code", "");

/// Every table of codes.
static TABLES: &[&[CodeInfo]] = &[
    syntax::TABLE,
    names::TABLE,
    types::TABLE,
    traits::TABLE,
    ownership::TABLE,
    derivatives::TABLE,
    project::TABLE,
    unsupported::TABLE,
    lints::TABLE,
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
    CodeInfo { code, severity: Severity::Error, lint: None, title, page }
}

/// A declaration of a lint.
const fn lint(code: Code, name: &'static str, title: &'static str, page: &'static str) -> CodeInfo {
    CodeInfo { code, severity: Severity::Warning, lint: Some(name), title, page }
}

/// The name of the lint that a code stands for; none for a code that is no lint.
pub fn lint_name(code: Code) -> Option<&'static str> {
    code.info().lint
}

/// The names of all lints, in the order of their codes within each stage.
pub fn lint_names() -> impl Iterator<Item = &'static str> {
    all().filter_map(|info| info.lint)
}

/// The declaration of the lint with a name, whose words may be joined by `_` or by `-`.
pub fn find_lint(name: &str) -> Option<&'static CodeInfo> {
    let is_same = |lint: &str| {
        lint.len() == name.len()
            && lint.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a == b'_' && b == b'-'))
    };
    all().find(|info| info.lint.is_some_and(is_same))
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

    #[test]
    fn every_warning_is_a_lint_with_a_name_of_its_own() {
        let mut seen = std::collections::HashSet::new();
        for info in all() {
            let warns = info.severity == Severity::Warning;
            assert_eq!(info.lint.is_some(), warns, "{:?}", info.code);
            assert_eq!(info.code.as_str().starts_with('W'), warns, "{:?}", info.code);
            if let Some(name) = info.lint {
                assert!(seen.insert(name), "{name} is the name of two lints");
                assert!(
                    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                    "{name}"
                );
                assert_eq!(find_lint(name).map(|found| found.code), Some(info.code));
            }
        }
    }

    #[test]
    fn the_words_of_a_lint_are_joined_either_way() {
        for name in ["prefer_loop_over_while_true", "prefer-loop-over-while-true"] {
            assert_eq!(find_lint(name).map(|info| info.code), Some(WHILE_TRUE));
        }
        assert!(find_lint("prefer_loop").is_none() && find_lint("").is_none());
    }
}
