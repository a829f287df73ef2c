//! `neurc worker`: the process in which programs run.

use super::Outcome;

/// Serves the process that started this one, until it is gone.
pub(crate) fn execute() -> Outcome {
    // The server takes no huge pages and its children inherit that, but large tensors are faster in them.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(false);
    // The worker's statuses are small and not negative.
    Ok(u8::try_from(neuro_worker::main_loop()).unwrap_or(super::COULD_NOT_RUN))
}
