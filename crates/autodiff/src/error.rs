//! Why a derivative does not exist.

use std::fmt;

use neuro_ir::{BuildError, Loc};

/// Why a function has no derivative here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AutodiffError {
    /// An active op has no rule.
    NoRule {
        /// The op's name.
        op: &'static str,
        /// Where it comes from.
        loc: Option<Loc>,
    },
    /// The function or the request is not one that can be differentiated: the loss is not one float scalar, or a
    /// parameter does not exist, is named twice or is no float.
    Request(String),
    /// A generated op did not suit its operands: a fault of a rule.
    Build(BuildError),
}

impl fmt::Display for AutodiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AutodiffError::NoRule { op, loc: Some(loc) } => {
                write!(f, "cannot differentiate {op} at {loc}")
            }
            AutodiffError::NoRule { op, loc: None } => write!(f, "cannot differentiate {op}"),
            AutodiffError::Request(reason) => f.write_str(reason),
            AutodiffError::Build(error) => write!(f, "derivative: {error}"),
        }
    }
}

impl std::error::Error for AutodiffError {}

impl From<BuildError> for AutodiffError {
    fn from(error: BuildError) -> AutodiffError {
        AutodiffError::Build(error)
    }
}
