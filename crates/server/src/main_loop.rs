//! The thread that owns the database: edits are applied and questions get their snapshots in the order in
//! which they arrive.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_types::{TextDocumentContentChangeEvent, Url};
use neuro_db::RootDatabase;
use salsa::Database;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tower_lsp::Client;

use crate::documents::{Document, Documents, apply_changes, belongs_to_noir, document_key};
use crate::job::{Cancellation, Failure, Job, Snapshot};
use crate::panics::{Panic, Panics};
use crate::pool::{self, Task};
use crate::positions::Encoding;
use crate::protocol::{CommandArgument, InitializationOptions, ServerStatus, ServerStatusParams};
use crate::publisher::{self, Published};
use crate::requests;
use crate::runs::Runs;
use crate::to_lsp::file_uri;

/// What arrives.
pub(crate) enum Message {
    /// A document was opened.
    Open { uri: Url, version: i32, text: String },
    /// A document was edited.
    Change { uri: Url, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// A document was closed.
    Close { uri: Url },
    /// A question; `attempt` counts from 0.
    Ask { job: Box<dyn Job>, attempt: u32 },
    /// The diagnostics of a document could not be computed while its file changed.
    Diagnose { uri: Url },
    /// A run is asked for.
    Run { argument: CommandArgument, gradient: bool, reply: oneshot::Sender<Result<u64, String>> },
    /// Runs are to end.
    Stop { argument: CommandArgument },
    /// The worker is to be killed.
    RestartWorker,
    /// A program panicked.
    Panicked(Panic),
}

/// What the main loop needs of the session.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) encoding: Encoding,
    pub(crate) options: InitializationOptions,
}

/// Starts the main loop. It ends when nobody can send any more.
pub(crate) fn start(session: Session, runtime: Handle) -> Sender<Message> {
    let (sender, messages) = unbounded();
    let publisher = publisher::start(session.client.clone());
    let own = sender.clone();
    std::thread::spawn(move || {
        let Session { client, encoding, options } = session;
        let main_loop = MainLoop {
            db: RootDatabase::default(),
            documents: Documents::default(),
            panics: Panics::default(),
            encoding,
            pool: pool::start(&own),
            publisher,
            publications: 0,
            runs: Runs::new(client.clone(), runtime.clone(), options, own.clone()),
            own,
        };
        let ready = ServerStatusParams { health: "ok".to_owned(), quiescent: true, message: None };
        runtime.block_on(client.send_notification::<ServerStatus>(ready));
        main_loop.serve(&messages);
    });
    sender
}

struct MainLoop {
    db: RootDatabase,
    documents: Documents,
    panics: Panics,
    encoding: Encoding,
    pool: Sender<Task>,
    publisher: UnboundedSender<Published>,
    publications: u64,
    runs: Runs,
    own: Sender<Message>,
}

impl MainLoop {
    fn serve(mut self, messages: &Receiver<Message>) {
        for message in messages {
            match message {
                Message::Open { uri, version, text } => self.open(&uri, version, &text),
                Message::Change { uri, version, changes } => self.change(&uri, version, &changes),
                Message::Close { uri } => self.close(uri),
                Message::Ask { job, attempt } => self.ask(job, attempt),
                Message::Diagnose { uri } => self.diagnose(uri),
                Message::Run { argument, gradient, reply } => {
                    self.forget_panics();
                    let started = self.runs.start(argument, gradient, &self.documents);
                    // The client may have cancelled its request.
                    let _ = reply.send(started);
                }
                Message::Stop { argument } => self.runs.stop(&argument),
                Message::RestartWorker => self.runs.restart(),
                Message::Panicked(panic) => self.panicked(panic),
            }
        }
    }

    fn open(&mut self, uri: &Url, version: i32, text: &str) {
        if belongs_to_noir(uri) {
            eprintln!("neurc lsp: {uri} belongs to a Noir project and is left alone");
            return;
        }
        self.set_text(uri, version, text);
    }

    fn change(&mut self, uri: &Url, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        let old = self.documents.get(&document_key(uri)).map(|document| Arc::clone(&document.text));
        let Some(old) = old else { return };
        let text = apply_changes(&old, changes, self.encoding);
        self.set_text(uri, version, &text);
    }

    /// The text is set before the document is, so that a snapshot never sees a version without its text.
    fn set_text(&mut self, uri: &Url, version: i32, text: &str) {
        let key = document_key(uri);
        let file = self.db.set_text(&key, text);
        self.documents.insert(key, Document { version, text: Arc::from(text), file });
        self.diagnose(uri.clone());
    }

    fn close(&mut self, uri: Url) {
        if self.documents.remove(&document_key(&uri)).is_some() {
            let order = self.next_publication();
            let closed = Published { uri, order, version: None, diagnostics: Vec::new() };
            // The publisher ends only with the process.
            let _ = self.publisher.send(closed);
        }
    }

    fn diagnose(&mut self, uri: Url) {
        let job = Diagnose {
            uri,
            order: self.next_publication(),
            encoding: self.encoding,
            publisher: self.publisher.clone(),
            main_loop: self.own.clone(),
            cancellation: Cancellation::default(),
            published: None,
        };
        self.ask(Box::new(job), 0);
    }

    fn panicked(&mut self, panic: Panic) {
        let uri = file_uri(&panic.path);
        self.panics.insert(panic.path.clone(), panic);
        if let Some(uri) = uri {
            self.diagnose(uri);
        }
    }

    /// A new run tells anew where it panics.
    fn forget_panics(&mut self) {
        let paths: Vec<String> = self.panics.iter().map(|panic| panic.key().clone()).collect();
        self.panics.clear();
        for uri in paths.iter().filter_map(|path| file_uri(path)) {
            self.diagnose(uri);
        }
    }

    fn next_publication(&mut self) -> u64 {
        self.publications += 1;
        self.publications
    }

    fn ask(&self, job: Box<dyn Job>, attempt: u32) {
        let db = self.db.clone();
        job.cancellation().attach(db.cancellation_token());
        let snapshot = Snapshot {
            db,
            documents: Arc::clone(&self.documents),
            panics: Arc::clone(&self.panics),
        };
        // The pool ends only with the process.
        let _ = self.pool.send(Task { job, snapshot, attempt });
    }
}

/// Computes and publishes the diagnostics of a document.
struct Diagnose {
    uri: Url,
    order: u64,
    encoding: Encoding,
    publisher: UnboundedSender<Published>,
    main_loop: Sender<Message>,
    cancellation: Cancellation,
    published: Option<Published>,
}

impl Job for Diagnose {
    fn compute(&mut self, snapshot: &Snapshot) {
        let key = document_key(&self.uri);
        let document =
            snapshot.documents.get(&key).map(|document| (document.version, document.file));
        self.published = document.map(|(version, file)| Published {
            uri: self.uri.clone(),
            order: self.order,
            version: Some(version),
            diagnostics: requests::diagnostics(snapshot, file, self.encoding),
        });
    }

    fn answer(self: Box<Self>, outcome: Result<(), Failure>) {
        match (outcome, self.published) {
            (Ok(()), Some(published)) => {
                // The publisher ends only with the process.
                let _ = self.publisher.send(published);
            }
            // Closed meanwhile.
            (Ok(()), None) => {}
            (Err(Failure::ContentModified | Failure::Cancelled), _) => {
                let _ = self.main_loop.send(Message::Diagnose { uri: self.uri });
            }
            (Err(Failure::Internal), _) => {
                eprintln!(
                    "neurc lsp: no diagnostics for {} because of an internal error",
                    self.uri
                );
            }
        }
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }
}
