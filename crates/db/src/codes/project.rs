//! Codes of the project file, `neuro.toml`.

use super::{Code, CodeInfo, error};

/// Something in `neuro.toml` is not understood.
pub const PROJECT: Code = Code("E0801");

pub(super) static TABLE: &[CodeInfo] = &[error(
    PROJECT,
    "mistake in neuro.toml",
    "`neuro.toml` marks the folder of a project. Each of its tables and keys may be left out, and no other is \
     known:\n\n\
     ```toml\n[project]\nroots = [\"src\", \"examples\"]   # what `neurc check` takes without a path; the folder itself when absent\n\n\
     [lints]\nprefer_loop_over_while_true = \"deny\"   # \"allow\", \"warn\" or \"deny\"\n\n\
     [worker]\ntimeout_seconds = 600   # limits of the programs that an editor runs\nmemory_mib = 4096\n```\n\n\
     A key that is misspelled would silently mean nothing, so it is an error, and nothing is checked before it \
     is right.",
)];
