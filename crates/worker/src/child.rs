//! A program under supervision: forked, limited, listened to, ended.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use neuro_db::run::{Limit, RunEnd};
use neuro_exec::{Event, Limits, RunId, Stream};

use crate::channel::{Inbox, Outbox};
use crate::os::{self, Pid};
use crate::utf8::Utf8Stream;

/// How a program ended, and what it reported besides its output.
pub(crate) struct Ended {
    pub(crate) end: RunEnd,
    pub(crate) report: Vec<u8>,
}

/// Why a program was not supervised to its end.
pub(crate) enum RunError {
    /// The system refused a pipe or a process.
    System(io::Error),
    /// The front end cannot be reached.
    FrontEnd(io::Error),
}

/// Forks, runs `program` in the child with its output and report redirected to this process, and passes
/// the output on until the child has ended, by itself, by a limit, or because it was asked to.
///
/// `program` is given where to write its report and gives the exit status.
pub(crate) fn run(
    run: RunId,
    limits: &Limits,
    inbox: &mut Inbox,
    outbox: &mut Outbox,
    program: impl FnOnce(&mut PipeWriter) -> i32,
) -> Result<Ended, RunError> {
    let (stdout, to_stdout) = io::pipe().map_err(RunError::System)?;
    let (stderr, to_stderr) = io::pipe().map_err(RunError::System)?;
    let (report, mut to_report) = io::pipe().map_err(RunError::System)?;
    let nothing = File::open("/dev/null").map_err(RunError::System)?;
    let parents = [
        inbox.descriptor().as_raw_fd(),
        outbox.raw_descriptor(),
        stdout.as_raw_fd(),
        stderr.as_raw_fd(),
        report.as_raw_fd(),
    ];
    let worker = std::process::id();
    let pid = os::fork(|| {
        let streams = [nothing.as_fd(), to_stdout.as_fd(), to_stderr.as_fd()];
        match prepare(worker, streams, &parents, limits) {
            Ok(()) => program(&mut to_report),
            Err(error) => {
                let _ = writeln!(io::stderr(), "cannot prepare the program's process: {error}");
                1
            }
        }
    })
    .map_err(RunError::System)?;
    drop((to_stdout, to_stderr, to_report));
    let deadline = limits.wall_ms.map(|wall| Instant::now() + Duration::from_millis(wall));
    let mut child = Child {
        run,
        pid,
        deadline,
        limited_memory: limits.memory_mib.is_some(),
        stdout: Some(stdout),
        stderr: Some(stderr),
        report: Some(report),
        texts: Default::default(),
        last_error: String::new(),
        reported: Vec::new(),
        cause: None,
    };
    let listened = child.listen(inbox, outbox);
    if listened.is_err() {
        os::kill(pid);
    }
    let status = os::wait(pid).map_err(RunError::System)?;
    listened.map_err(RunError::FrontEnd)?;
    Ok(Ended { end: child.end(status), report: child.reported })
}

/// Makes the child's surroundings those of a program. The protocol's descriptors are closed: nothing that
/// the program does can reach the front end but through its output.
fn prepare(
    worker: u32,
    streams: [BorrowedFd<'_>; 3],
    parents: &[RawFd],
    limits: &Limits,
) -> io::Result<()> {
    os::die_with_parent(worker)?;
    for (number, stream) in streams.into_iter().enumerate() {
        os::redirect(stream, number as RawFd)?;
    }
    os::close_in_child(parents);
    os::close_in_child(&streams.map(|stream| stream.as_raw_fd()));
    os::no_core_file()?;
    match limits.memory_mib {
        Some(mib) => os::limit_memory(mib),
        None => Ok(()),
    }
}

struct Child {
    run: RunId,
    pid: Pid,
    deadline: Option<Instant>,
    limited_memory: bool,
    stdout: Option<PipeReader>,
    stderr: Option<PipeReader>,
    report: Option<PipeReader>,
    /// Characters in the making, of standard output and standard error.
    texts: [Utf8Stream; 2],
    /// The end of what came on standard error.
    last_error: String,
    reported: Vec<u8>,
    /// Why the child was killed by us.
    cause: Option<RunEnd>,
}

/// A descriptor that the supervisor listens to.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Inbox,
    Stdout,
    Stderr,
    Report,
}

impl Child {
    /// Passes output on until the child closes all its ends, which it does by ending.
    fn listen(&mut self, inbox: &mut Inbox, outbox: &mut Outbox) -> io::Result<()> {
        // What was asked for while the program was compiled.
        inbox.look()?;
        self.obey(inbox);
        while self.stdout.is_some() || self.stderr.is_some() || self.report.is_some() {
            for source in self.ready(inbox)? {
                match source {
                    Source::Inbox => inbox.read_some()?,
                    Source::Stdout | Source::Stderr | Source::Report => {
                        self.read(source, outbox)?
                    }
                }
            }
            self.obey(inbox);
        }
        Ok(())
    }

    /// Waits until something can be read or the time is over.
    fn ready(&self, inbox: &Inbox) -> io::Result<Vec<Source>> {
        let mut sources = Vec::with_capacity(4);
        let mut descriptors = Vec::with_capacity(4);
        if inbox.is_open() && self.cause.is_none() {
            sources.push(Source::Inbox);
            descriptors.push(inbox.descriptor());
        }
        for (source, pipe) in [
            (Source::Stdout, &self.stdout),
            (Source::Stderr, &self.stderr),
            (Source::Report, &self.report),
        ] {
            if let Some(pipe) = pipe {
                sources.push(source);
                descriptors.push(pipe.as_fd());
            }
        }
        let timeout = self
            .deadline
            .filter(|_| self.cause.is_none())
            .map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let ready = os::poll(&descriptors, timeout)?;
        Ok(sources
            .into_iter()
            .zip(ready)
            .filter(|(_, ready)| *ready)
            .map(|(source, _)| source)
            .collect())
    }

    /// Kills the child when its time is over, it is to stop, or nobody listens any more.
    fn obey(&mut self, inbox: &mut Inbox) {
        if self.cause.is_some() {
            return;
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if inbox.take_stop(self.run) || !inbox.is_open() {
            self.cause = Some(RunEnd::Stopped);
        } else if late {
            self.cause = Some(RunEnd::Limit(Limit::Time));
        }
        if self.cause.is_some() {
            os::kill(self.pid);
        }
    }

    /// Takes in what one pipe has, and passes output on.
    fn read(&mut self, source: Source, outbox: &mut Outbox) -> io::Result<()> {
        let pipe = match source {
            Source::Stdout => &mut self.stdout,
            Source::Stderr => &mut self.stderr,
            Source::Report => &mut self.report,
            Source::Inbox => return Ok(()),
        };
        let Some(reader) = pipe else {
            return Ok(());
        };
        let mut buffer = vec![0; 64 * 1024];
        let length = reader.read(&mut buffer)?;
        if length == 0 {
            *pipe = None;
        }
        let bytes = &buffer[..length];
        let (stream, text) = match source {
            Source::Stdout => (Stream::Stdout, text(&mut self.texts[0], bytes)),
            Source::Stderr => (Stream::Stderr, text(&mut self.texts[1], bytes)),
            Source::Report | Source::Inbox => {
                self.reported.extend_from_slice(bytes);
                return Ok(());
            }
        };
        if stream == Stream::Stderr {
            self.keep_last_error(&text);
        }
        if text.is_empty() {
            return Ok(());
        }
        outbox.send(self.run, Event::Output { stream, text })
    }

    fn keep_last_error(&mut self, text: &str) {
        self.last_error.push_str(text);
        let line_start = self.last_error.trim_end().rfind('\n').map_or(0, |newline| newline + 1);
        self.last_error.drain(..line_start);
    }

    /// How the child ended.
    fn end(&mut self, status: std::process::ExitStatus) -> RunEnd {
        match (self.cause.take(), status.code(), status.signal()) {
            // A program that ended just before it would have been killed ended by itself.
            (_, Some(code), _) => RunEnd::Exited(code),
            (Some(cause), None, _) => cause,
            (None, None, Some(_)) if self.limited_memory && is_out_of_memory(&self.last_error) => {
                RunEnd::Limit(Limit::Memory)
            }
            (None, None, signal) => RunEnd::Aborted { signal: signal.unwrap_or(0) },
        }
    }
}

/// Whether a last line says that the system gave no memory: the run-time library's own, or that of an
/// allocation inside it. A program's own panic ends in a position.
fn is_out_of_memory(line: &str) -> bool {
    let line = line.trim_end();
    line == "panic: out of memory"
        || (line.starts_with("memory allocation of ") && line.ends_with(" failed"))
}

/// The characters that bytes complete; no bytes are the end of the stream.
fn text(stream: &mut Utf8Stream, bytes: &[u8]) -> String {
    if bytes.is_empty() { stream.finish() } else { stream.push(bytes) }
}
