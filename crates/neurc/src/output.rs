//! The standard streams, whose readers may go away.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;

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

/// How text looks on a stream.
#[derive(Clone, Copy, Default)]
pub(crate) struct Look {
    /// Whether it is to have colours.
    pub(crate) colours: bool,
    /// How many columns a line has, where it is a terminal.
    pub(crate) columns: Option<usize>,
}

impl Look {
    /// Colours on a terminal, unless the user asks for none.
    pub(crate) fn of(stream: &(impl IsTerminal + AsFd)) -> Self {
        if !stream.is_terminal() {
            return Self::default();
        }
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let size = rustix::termios::tcgetwinsize(stream).ok();
        // A terminal that does not know its size says 0.
        let columns = size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
        Self { colours: wanted, columns }
    }

    /// Of standard output.
    pub(crate) fn of_stdout() -> Self {
        Self::of(&io::stdout())
    }

    /// Of standard error.
    pub(crate) fn of_stderr() -> Self {
        Self::of(&io::stderr())
    }
}

/// Writes to standard error. There is no place to say that it cannot be written to.
pub(crate) fn report(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
