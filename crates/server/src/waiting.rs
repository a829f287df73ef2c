//! Runs that are asked for and wait until all files that they need are read.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::Sender;
use lsp_types::Url;
use neuro_db::SourceFile;
use neuro_exec::Limits;
use neuro_ide::{needed_files, read_project};
use tokio::sync::oneshot;

use crate::documents::document_key;
use crate::job::{Cancellation, Failure, Job, Snapshot, Urgency};
use crate::main_loop::Message;
use crate::protocol::CommandArgument;
use crate::runs::RunText;

/// A run that is asked for.
pub(crate) struct Asked {
    pub(crate) argument: CommandArgument,
    pub(crate) gradient: bool,
    pub(crate) reply: oneshot::Sender<Result<u64, String>>,
}

/// What a run is given.
#[derive(Default)]
pub(crate) struct Prepared {
    /// What it may read: the document and what it needs, as it is in the editor or else on disk.
    pub(crate) texts: Vec<RunText>,
    /// The limits that the project of the document sets.
    pub(crate) limits: Limits,
}

/// The runs that wait, in the order in which they were asked for: so they start.
#[derive(Default)]
pub(crate) struct Waiting {
    next: u64,
    runs: VecDeque<Entry>,
}

struct Entry {
    ticket: u64,
    run: Asked,
    /// What was found for it, when that is known.
    prepared: Option<Option<Prepared>>,
}

impl Waiting {
    /// Adds a run; gives what it is called until it starts.
    pub(crate) fn add(
        &mut self,
        argument: CommandArgument,
        gradient: bool,
        reply: oneshot::Sender<Result<u64, String>>,
    ) -> u64 {
        let ticket = self.next;
        self.next += 1;
        let run = Asked { argument, gradient, reply };
        self.runs.push_back(Entry { ticket, run, prepared: None });
        ticket
    }

    /// The document of a run that waits; none within a run that names no document.
    pub(crate) fn document(&self, ticket: u64) -> Option<Option<Url>> {
        let entry = self.runs.iter().find(|entry| entry.ticket == ticket)?;
        Some(entry.run.argument.uri.clone())
    }

    /// Says what was found for a run; nothing if it could not be found. The run may have been stopped.
    pub(crate) fn set(&mut self, ticket: u64, prepared: Option<Prepared>) {
        if let Some(entry) = self.runs.iter_mut().find(|entry| entry.ticket == ticket) {
            entry.prepared = Some(prepared);
        }
    }

    /// Takes the first run if it need not wait any more.
    pub(crate) fn next(&mut self) -> Option<(Asked, Option<Prepared>)> {
        self.runs.front()?.prepared.as_ref()?;
        let entry = self.runs.pop_front()?;
        Some((entry.run, entry.prepared.flatten()))
    }

    /// Takes away the runs of a document, or all.
    pub(crate) fn stop(&mut self, argument: &CommandArgument) {
        let only = argument.uri.as_ref();
        let (stopped, kept) = std::mem::take(&mut self.runs).into_iter().partition(|entry| {
            let document = entry.run.argument.uri.as_ref();
            only.is_none_or(|only| document.map(document_key) == Some(document_key(only)))
        });
        self.runs = kept;
        let stopped: VecDeque<Entry> = stopped;
        for entry in stopped {
            // The client may have cancelled its request.
            let _ = entry.run.reply.send(Err("the run was stopped before it started".to_owned()));
        }
    }
}

/// Finds what a run needs.
pub(crate) struct Prepare {
    ticket: u64,
    uri: Option<Url>,
    main_loop: Sender<Message>,
    cancellation: Cancellation,
    prepared: Prepared,
}

impl Prepare {
    pub(crate) fn new(ticket: u64, uri: Option<Url>, main_loop: &Sender<Message>) -> Self {
        Self {
            ticket,
            uri,
            main_loop: main_loop.clone(),
            cancellation: Cancellation::default(),
            prepared: Prepared::default(),
        }
    }
}

impl Job for Prepare {
    fn compute(&mut self, snapshot: &Snapshot) {
        let db = &snapshot.db;
        let key = self.uri.as_ref().map(document_key);
        let root = key.and_then(|key| snapshot.documents.get(&key).map(|document| document.file));
        let Some(root) = root else { return };
        let files = needed_files(db, root);
        if !db.unanswered().is_empty() {
            return;
        }
        let text = |file: SourceFile| {
            let path = file.path(db).clone();
            let version = snapshot.documents.get(&path).map_or(0, |document| document.version);
            RunText { path, text: Arc::clone(file.text(db)), version }
        };
        let project = file_limits(snapshot, root);
        self.prepared = Prepared { texts: files.into_iter().map(text).collect(), limits: project };
    }

    fn answer(self: Box<Self>, outcome: Result<(), Failure>) {
        let ticket = self.ticket;
        // The main loop ends only with the process.
        let _ = self.main_loop.send(match outcome {
            Ok(()) => Message::Prepared { ticket, prepared: Some(self.prepared) },
            Err(Failure::ContentModified | Failure::Cancelled) => Message::Prepare { ticket },
            Err(Failure::Internal) => Message::Prepared { ticket, prepared: None },
        });
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn urgency(&self) -> Urgency {
        Urgency::Asked
    }
}

/// The limits that the project of a file sets.
fn file_limits(snapshot: &Snapshot, file: SourceFile) -> Limits {
    let db = &snapshot.db;
    let Some(project) = *file.project(db) else { return Limits::default() };
    let project = read_project(db, project);
    let wall_ms = project.timeout_seconds.map(|seconds| seconds.saturating_mul(1000));
    Limits { wall_ms, memory_mib: project.memory_mib }
}
