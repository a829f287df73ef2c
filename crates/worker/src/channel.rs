//! The worker's two ends of the protocol: messages in from standard input, messages out to standard output.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::time::Duration;

use neuro_exec::{Event, FrameReader, FromWorker, RunId, ToWorker, write_frame};

use crate::os;

/// Messages that arrived and are not handled yet.
pub(crate) struct Inbox {
    stdin: File,
    frames: FrameReader,
    waiting: VecDeque<ToWorker>,
    open: bool,
}

impl Inbox {
    /// The messages on standard input.
    pub(crate) fn new() -> io::Result<Self> {
        // Not `io::stdin()` itself: its buffer would hide from `poll` what has arrived.
        let stdin = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Self { stdin, frames: FrameReader::default(), waiting: VecDeque::new(), open: true })
    }

    /// The next message, waited for; none when the front end is gone.
    pub(crate) fn next_message(&mut self) -> io::Result<Option<ToWorker>> {
        while self.waiting.is_empty() && self.open {
            self.read_some()?;
        }
        // What still waits was asked for by somebody who no longer listens.
        Ok(if self.open { self.waiting.pop_front() } else { None })
    }

    /// Takes in what has arrived, without waiting.
    pub(crate) fn look(&mut self) -> io::Result<()> {
        while self.open && os::poll(&[self.stdin.as_fd()], Some(Duration::ZERO))?.contains(&true) {
            self.read_some()?;
        }
        Ok(())
    }

    /// Takes in some bytes, waiting for the first.
    pub(crate) fn read_some(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; 64 * 1024];
        let length = self.stdin.read(&mut buffer)?;
        self.open = length != 0;
        self.frames.push(&buffer[..length]);
        while let Some(message) = self.frames.next_message()? {
            self.waiting.push_back(message);
        }
        Ok(())
    }

    /// Whether the front end may send more.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether a message asks for the end of the run. Such messages are taken out.
    pub(crate) fn take_stop(&mut self, run: RunId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|message| *message != ToWorker::Stop { run });
        self.waiting.len() != before
    }

    /// What becomes readable when something arrives.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.stdin.as_fd()
    }
}

/// Where messages to the front end go.
pub(crate) struct Outbox {
    stdout: File,
}

impl Outbox {
    /// Messages to standard output.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { stdout: File::from(io::stdout().as_fd().try_clone_to_owned()?) })
    }

    /// Sends an event, waiting while the front end is slow. An error means that it is gone.
    pub(crate) fn send(&mut self, run: RunId, event: Event) -> io::Result<()> {
        write_frame(&mut self.stdout, &FromWorker { run, event })
    }

    /// The descriptor, which a child must not keep.
    pub(crate) fn raw_descriptor(&self) -> RawFd {
        self.stdout.as_raw_fd()
    }
}
