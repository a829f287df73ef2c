//! `neurc lsp`: the language server.

use super::Outcome;

/// Serves the editor that started this process, until it leaves.
pub(crate) fn execute() -> Outcome {
    // The server's statuses are small and not negative.
    Ok(u8::try_from(neuro_server::run()).unwrap_or(super::COULD_NOT_RUN))
}
