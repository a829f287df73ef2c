//! Following a run of the worker to its end.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use neuro_db::run::{GradientRun, Limit, RunEnd};
use neuro_exec::{Event, Failure, FailureKind, Launch, RunRequest, Stream, Worker};
use neuro_ide::needed_files;

use super::{ABORTED, COULD_NOT_RUN, FINDINGS};
use crate::output;
use crate::source::{Loaded, reason};

/// What a run gave besides its output.
#[derive(Default)]
pub(crate) struct Followed {
    /// The exit status that it asks for.
    pub(crate) status: u8,
    /// The result of a gradient run.
    pub(crate) gradient: Option<GradientRun>,
    /// The text that was asked for.
    pub(crate) text: Option<String>,
}

/// Whether what a program prints is seen by somebody who waits for it.
pub(crate) fn is_watched() -> bool {
    io::stdout().is_terminal()
}

/// Runs a request on a program, passes its output on, and says on standard error how it ended if that is
/// not plain.
pub(crate) fn follow(program: &Loaded, request: RunRequest) -> Result<Followed, String> {
    let launch = Launch::own().map_err(|error| format!("cannot find myself: {error}"))?;
    let worker = Worker::start(launch)
        .map_err(|error| format!("the worker cannot be started: {}", reason(&error)))?;
    for file in needed_files(&program.db, program.root) {
        worker.set_text(file.path(&program.db), Arc::clone(file.text(&program.db)), 0);
    }
    let run = worker.run(request);
    let mut followed = Followed::default();
    for event in &run.events {
        match event {
            Event::Started { .. } => {}
            Event::Output { stream: Stream::Stdout, text } => {
                if let Err(error) = output::print(&text) {
                    worker.stop(run.id);
                    followed.status = output::not_written(&error)?;
                    return Ok(followed);
                }
            }
            Event::Output { stream: Stream::Stderr, text } => {
                output::report(&text);
            }
            Event::Gradient(gradient) => followed.gradient = Some(gradient),
            Event::Text(text) => followed.text = Some(text),
            Event::Failed(failure) => followed.status = failed(&failure),
            Event::Finished(end) => followed.status = ended(&end),
            Event::WorkerLost { message } => return Err(message),
        }
    }
    Ok(followed)
}

fn failed(failure: &Failure) -> u8 {
    for message in &failure.messages {
        match failure.kind {
            FailureKind::Diagnostics => output::report(&format!("{message}\n")),
            FailureKind::Request => output::report(&format!("error: {message}\n")),
            FailureKind::Internal => output::report(&format!("internal error: {message}\n")),
        }
    }
    match failure.kind {
        FailureKind::Diagnostics => FINDINGS,
        FailureKind::Request | FailureKind::Internal => COULD_NOT_RUN,
    }
}

/// Signals that the program itself explains before it dies by them.
const EXPLAINED: [i32; 5] = [4, 6, 7, 8, 11];

fn ended(end: &RunEnd) -> u8 {
    match end {
        // The low eight bits, as the system passes them on.
        RunEnd::Exited(status) => (status & 0xff) as u8,
        RunEnd::Aborted { signal } => {
            if !EXPLAINED.contains(signal) {
                output::report(&format!("error: the program was ended by signal {signal}\n"));
            }
            ABORTED
        }
        RunEnd::Limit(limit) => {
            let what = match limit {
                Limit::Time => "time",
                Limit::Memory => "memory",
            };
            output::report(&format!(
                "error: the program was ended: it reached its limit of {what}\n"
            ));
            ABORTED
        }
        RunEnd::Stopped => {
            output::report("error: the program was stopped\n");
            ABORTED
        }
    }
}
