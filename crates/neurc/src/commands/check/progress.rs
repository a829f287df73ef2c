//! How far a long check is, on a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use crate::output;

/// How long a check takes before it says how far it is.
const PATIENCE: Duration = Duration::from_millis(400);

/// Between two texts.
const PAUSE: Duration = Duration::from_millis(50);

/// A line on standard error that is overwritten; nothing where that is no terminal.
pub(crate) struct Progress {
    /// When the next text may be shown; never, if none.
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Nothing is shown yet.
    pub(crate) fn new() -> Self {
        Self::on(io::stderr().is_terminal())
    }

    fn on(terminal: bool) -> Self {
        Self { next: terminal.then(|| Instant::now() + PATIENCE), shown: false }
    }

    /// Says which file of how many comes next, if it is time for that.
    pub(crate) fn show(&mut self, done: usize, all: usize, path: &str) {
        if let Some(text) = self.text(Instant::now(), done, all, path) {
            output::report(&text);
        }
    }

    fn text(&mut self, now: Instant, done: usize, all: usize, path: &str) -> Option<String> {
        if self.next.is_none_or(|next| now < next) {
            return None;
        }
        self.next = Some(now + PAUSE);
        self.shown = true;
        // What is longer than a line could not be overwritten.
        let path: String = path.chars().take(50).filter(|c| !c.is_control()).collect();
        Some(format!("\r\u{1b}[Kchecking {} of {all}: {path}", done + 1))
    }

    /// Takes the line away, so that something else can be written.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            output::report("\r\u{1b}[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_work_on_a_terminal_is_told() {
        let start = Instant::now();
        let late = start + PATIENCE + Duration::from_secs(1);
        assert_eq!(Progress::on(false).text(late, 0, 2, "a.nr"), None);
        let mut progress = Progress::on(true);
        assert_eq!(progress.text(start, 0, 2, "a.nr"), None);
        let text = progress.text(late, 1, 2, "b.nr");
        assert_eq!(text.as_deref(), Some("\r\u{1b}[Kchecking 2 of 2: b.nr"));
        assert_eq!(progress.text(late, 1, 2, "b.nr"), None, "not more often than eyes can follow");
    }
}
