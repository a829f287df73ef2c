//! The worker's loop: texts in, runs one after the other.

use std::collections::HashMap;
use std::io;

use neuro_db::RootDatabase;
use neuro_db::run::RunEnd;
use neuro_exec::{Event, Failure, FailureKind, RunId, RunKind, RunRequest, ToWorker};

use crate::channel::{Inbox, Outbox};
use crate::child;
use crate::compile::{Artifact, Backend};
use crate::gradient;

/// All that the worker knows.
pub(crate) struct Session {
    db: RootDatabase,
    backend: Backend,
    /// The versions of the texts in `db`.
    versions: HashMap<String, i32>,
    inbox: Inbox,
    outbox: Outbox,
}

impl Session {
    /// Nothing yet, with the protocol on the standard streams.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            db: RootDatabase::default(),
            backend: Backend::default(),
            versions: HashMap::new(),
            inbox: Inbox::new()?,
            outbox: Outbox::new()?,
        })
    }

    /// Handles messages until the front end is gone. An error means that it cannot be reached.
    pub(crate) fn serve(&mut self) -> io::Result<()> {
        while let Some(message) = self.inbox.next_message()? {
            match message {
                ToWorker::SetText { path, text, version } => {
                    self.db.set_text(&path, &text);
                    self.versions.insert(path, version);
                }
                ToWorker::Forget { path } => {
                    self.db.set_absent(&path);
                    self.versions.remove(&path);
                }
                ToWorker::Run { run, request } => {
                    let last = self.run(run, &request)?;
                    self.outbox.send(run, last)?;
                }
                // The run has ended: while it goes on, its supervisor takes such messages.
                ToWorker::Stop { .. } => {}
            }
        }
        Ok(())
    }

    /// Executes a run up to its last event, which it gives.
    fn run(&mut self, run: RunId, request: &RunRequest) -> io::Result<Event> {
        self.inbox.look()?;
        if self.inbox.take_stop(run) {
            return Ok(Event::Finished(RunEnd::Stopped));
        }
        match self.backend.compile(&self.db, request) {
            Err(failure) => Ok(Event::Failed(failure)),
            Ok(Artifact::Text(text)) => {
                self.outbox.send(run, Event::Text(text))?;
                Ok(Event::Finished(RunEnd::Exited(0)))
            }
            Ok(Artifact::Program(program)) => {
                let flush_lines = match request.kind {
                    RunKind::Program { flush_lines } => flush_lines,
                    RunKind::Gradient { .. } | RunKind::Ir { .. } => false,
                };
                self.start(run, request, |_| {
                    neuro_runtime::output::set_interactive(Some(flush_lines));
                    program.run()
                })
                .map(|ended| last_event(ended.map(|ended| ended.end)))
            }
            Ok(Artifact::Gradient(point)) => {
                let started =
                    self.start(run, request, |report| gradient::evaluate(&point, run, report))?;
                let outcome = started.and_then(|ended| Ok((gradient::result(&ended)?, ended.end)));
                if let Ok((Some(gradients), _)) = &outcome {
                    self.outbox.send(run, Event::Gradient(gradients.clone()))?;
                }
                Ok(last_event(outcome.map(|(_, end)| end)))
            }
        }
    }

    /// Runs something in a child. An inner error means that there is no child, an outer one that the front
    /// end is gone.
    fn start(
        &mut self,
        run: RunId,
        request: &RunRequest,
        program: impl FnOnce(&mut io::PipeWriter) -> i32,
    ) -> io::Result<Result<child::Ended, Failure>> {
        let version = self.versions.get(&request.root).copied().unwrap_or_default();
        let versions = vec![(request.root.clone(), version)];
        self.outbox.send(run, Event::Started { versions })?;
        let supervised =
            child::run(run, &request.limits, &mut self.inbox, &mut self.outbox, |report| {
                neuro_runtime::signals::install();
                program(report)
            });
        match supervised {
            Ok(ended) => Ok(Ok(ended)),
            Err(child::RunError::FrontEnd(error)) => Err(error),
            Err(child::RunError::System(error)) => Ok(Err(Failure {
                kind: FailureKind::Internal,
                messages: vec![format!("the program cannot be started: {error}")],
            })),
        }
    }
}

fn last_event(result: Result<RunEnd, Failure>) -> Event {
    match result {
        Ok(end) => Event::Finished(end),
        Err(failure) => Event::Failed(failure),
    }
}
