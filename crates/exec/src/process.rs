//! One life of a worker process: its pipes and the two threads that serve them.

use std::io::{self, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::worker::Launch;
use crate::{FrameReader, FromWorker, ToWorker, write_frame};

/// A worker process that was alive when last heard of.
pub(crate) struct Process {
    child: Child,
    to: Sender<ToWorker>,
}

impl Process {
    /// Starts a process. `on_event` gets its messages in order, then `on_end` is called once with what
    /// is known of the end; both on a thread of their own.
    pub(crate) fn start(
        launch: &Launch,
        on_event: impl Fn(FromWorker) + Send + 'static,
        on_end: impl FnOnce(Option<io::Error>) + Send + 'static,
    ) -> io::Result<Process> {
        let mut child = Command::new(&launch.program)
            .args(&launch.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the worker has no pipes"));
        };
        let (to, outbox) = unbounded();
        thread::Builder::new()
            .name("worker-writer".to_owned())
            .spawn(move || write_messages(&outbox, stdin))?;
        thread::Builder::new().name("worker-reader".to_owned()).spawn(move || {
            let error = read_messages(stdout, on_event).err();
            on_end(error);
        })?;
        Ok(Process { child, to })
    }

    /// Sends a message. Never waits; a message to a process that has ended is dropped.
    pub(crate) fn send(&self, message: ToWorker) {
        // The writer is gone only when the process is: the reader reports that.
        let _ = self.to.send(message);
    }

    /// Makes sure that the process has ended; says how it did.
    pub(crate) fn kill(mut self) -> String {
        // It fails when the process has ended already, which is what is wanted.
        let _ = self.child.kill();
        match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }
}

fn write_messages(outbox: &Receiver<ToWorker>, stdin: ChildStdin) {
    let mut to = BufWriter::new(stdin);
    while let Ok(message) = outbox.recv() {
        let flushed = write_frame(&mut to, &message)
            .and_then(|()| if outbox.is_empty() { to.flush() } else { Ok(()) });
        // The process is gone; the reader reports that.
        if flushed.is_err() {
            return;
        }
    }
}

fn read_messages(mut stdout: ChildStdout, on_event: impl Fn(FromWorker)) -> io::Result<()> {
    let mut frames = FrameReader::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = stdout.read(&mut buffer)?;
        if length == 0 {
            return Ok(());
        }
        frames.push(&buffer[..length]);
        while let Some(message) = frames.next_message()? {
            on_event(message);
        }
    }
}
