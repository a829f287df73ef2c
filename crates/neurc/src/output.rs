//! The standard streams, whose readers may go away.

use std::io::{self, ErrorKind, IsTerminal, Write};

use crate::source::reason;

/// The status of a command whose output nobody reads any more: that of a death by the signal for it.
pub(crate) const BROKEN_PIPE: u8 = 141;

/// Writes a text to standard output at once.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// The outcome of a command that could not write: a closed pipe is quiet.
pub(crate) fn not_written(error: &io::Error) -> Result<u8, String> {
    match error.kind() {
        ErrorKind::BrokenPipe => Ok(BROKEN_PIPE),
        _ => Err(format!("cannot write to standard output: {}", reason(error))),
    }
}

/// Writes the whole result of a command, which ends with `status`.
pub(crate) fn finish(text: &str, status: u8) -> Result<u8, String> {
    match print(text) {
        Ok(()) => Ok(status),
        Err(error) => not_written(&error),
    }
}

/// Whether a stream is to have colours: on a terminal, unless the user asks for none.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Writes to standard error. There is no place to say that it cannot be written to.
pub(crate) fn report(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
