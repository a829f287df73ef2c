//! Why there is no code.

use std::fmt;

use cranelift_module::ModuleError;

/// Why there is no code. A checked program on a supported machine never meets one of these.
#[derive(Debug)]
pub enum CompileError {
    /// There is no code generator for this machine.
    Machine(String),
    /// The function's graph or body does not hold what the stages before promise.
    Input {
        /// The function.
        function: String,
        /// What is wrong.
        reason: String,
    },
    /// The code generator refused the code of a function.
    Code(String),
}

impl CompileError {
    /// Something that the earlier stages exclude.
    pub(crate) fn input(function: &str, reason: impl Into<String>) -> Self {
        CompileError::Input { function: function.to_owned(), reason: reason.into() }
    }

    pub(crate) fn unknown_symbol(name: &str) -> Self {
        CompileError::Code(format!("the run-time library has no `{name}`"))
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Machine(reason) => write!(f, "cannot compile for this machine: {reason}"),
            CompileError::Input { function, reason } => {
                write!(f, "cannot compile `{function}`: {reason}")
            }
            CompileError::Code(reason) => write!(f, "cannot compile: {reason}"),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<ModuleError> for CompileError {
    fn from(error: ModuleError) -> Self {
        match error {
            // The plain text of this one leaves out what the code generator said.
            ModuleError::Compilation(error) => CompileError::Code(format!("{error:?}")),
            error => CompileError::Code(error.to_string()),
        }
    }
}
