//! The thread that owns the database: edits are applied and questions get their snapshots in the order in
//! which they arrive.

use std::collections::BTreeSet;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use indexmap::IndexSet;
use lsp_types::{TextDocumentContentChangeEvent, Url};
use neuro_db::RootDatabase;
use neuro_ide::is_project_file;
use salsa::Database;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tower_lsp::Client;

use crate::diagnose::{Diagnose, FindUsers};
use crate::disk::read_file;
use crate::documents::{Document, Documents, apply_changes, belongs_to_noir, document_key};
use crate::job::{Job, Snapshot};
use crate::panics::{Panic, Panics};
use crate::pool::{Pool, Task};
use crate::positions::Encoding;
use crate::projects::{Changes, Projects};
use crate::protocol::{CommandArgument, InitializationOptions, ServerStatus, ServerStatusParams};
use crate::publisher::{self, Published};
use crate::requests;
use crate::runs::Runs;
use crate::to_lsp::file_uri;
use crate::waiting::{Prepare, Prepared, Waiting};

/// What arrives.
pub(crate) enum Message {
    /// A document was opened.
    Open { uri: Url, version: i32, text: String },
    /// A document was edited.
    Change { uri: Url, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// A document was closed.
    Close { uri: Url },
    /// Project files may have changed on disk.
    ProjectsChanged,
    /// Files changed on disk, came or went.
    FilesChanged { paths: Vec<String> },
    /// A question; `attempt` counts from 0.
    Ask { job: Box<dyn Job>, attempt: u32 },
    /// A question met paths of which nothing was known: this is what was on disk there.
    Loaded { texts: Vec<(String, Option<String>)>, job: Box<dyn Job>, attempt: u32 },
    /// The diagnostics of a document are to be computed, perhaps anew.
    Diagnose { uri: Url },
    /// Files changed, and who needs them was not found while others changed.
    Changed { paths: BTreeSet<String> },
    /// A run is asked for.
    Run { argument: CommandArgument, gradient: bool, reply: oneshot::Sender<Result<u64, String>> },
    /// What a run needs is to be found, perhaps anew.
    Prepare { ticket: u64 },
    /// What a run needs was found, or could not be.
    Prepared { ticket: u64, prepared: Option<Prepared> },
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
            projects: Projects::default(),
            encoding,
            pool: Pool::start(&own),
            publisher,
            publications: 0,
            outdated: IndexSet::default(),
            changed: BTreeSet::default(),
            waiting: Waiting::default(),
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
    projects: Projects,
    encoding: Encoding,
    pool: Pool,
    publisher: UnboundedSender<Published>,
    publications: u64,
    /// The documents whose diagnostics are to be computed when no message waits any more.
    outdated: IndexSet<Url>,
    /// The files that changed since it was last asked who needs them.
    changed: BTreeSet<String>,
    waiting: Waiting,
    runs: Runs,
    own: Sender<Message>,
}

impl MainLoop {
    /// Whatever waits is taken in before diagnostics are computed: nobody looks at those of a text that has been
    /// edited already.
    fn serve(mut self, messages: &Receiver<Message>) {
        loop {
            let message = match messages.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    self.look_anew();
                    match messages.recv() {
                        Ok(message) => message,
                        Err(_) => return,
                    }
                }
            };
            self.take(message);
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Open { uri, version, text } => self.open(&uri, version, &text),
            Message::Change { uri, version, changes } => self.change(&uri, version, &changes),
            Message::Close { uri } => self.close(uri),
            Message::ProjectsChanged => self.refresh_projects(),
            Message::FilesChanged { paths } => self.files_changed(&paths),
            Message::Ask { job, attempt } => self.ask(job, attempt),
            Message::Loaded { texts, job, attempt } => self.loaded(texts, job, attempt),
            Message::Diagnose { uri } => self.diagnose(uri),
            Message::Changed { paths } => self.changed.extend(paths),
            Message::Run { argument, gradient, reply } => {
                let ticket = self.waiting.add(argument, gradient, reply);
                self.prepare(ticket);
            }
            Message::Prepare { ticket } => self.prepare(ticket),
            Message::Prepared { ticket, prepared } => self.prepared(ticket, prepared),
            Message::Stop { argument } => {
                self.waiting.stop(&argument);
                self.runs.stop(&argument);
            }
            Message::RestartWorker => self.runs.restart(),
            Message::Panicked(panic) => self.panicked(panic),
        }
    }

    /// Asks for what has to be computed since messages came.
    fn look_anew(&mut self) {
        for uri in std::mem::take(&mut self.outdated) {
            let order = self.next_publication();
            let job = Diagnose::new(uri, order, self.encoding, &self.publisher, &self.own);
            self.ask(Box::new(job), 0);
        }
        let changed = std::mem::take(&mut self.changed);
        let others = self.documents.iter().any(|document| !changed.contains(document.key()));
        if others && !changed.is_empty() {
            self.ask(Box::new(FindUsers::new(changed, &self.own)), 0);
        }
    }

    fn open(&mut self, uri: &Url, version: i32, text: &str) {
        if belongs_to_noir(uri) {
            eprintln!("neurc lsp: {uri} belongs to a Noir project and is left alone");
            return;
        }
        let key = document_key(uri);
        // Not every client tells of files that come.
        for path in self.db.absent() {
            if std::path::Path::new(&path).is_file() {
                self.read_anew(&path);
            }
        }
        self.store(uri, version, text);
        let changes = self.projects.attach(&mut self.db, &self.documents, &key);
        self.show_projects(changes);
        self.edited(uri, &key);
    }

    fn change(&mut self, uri: &Url, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        let key = document_key(uri);
        let Some(file) = self.documents.get(&key).map(|document| document.file) else { return };
        let text = apply_changes(file.text(&self.db), changes, self.encoding);
        self.store(uri, version, &text);
        self.edited(uri, &key);
    }

    /// The text is set before the document is, so that a snapshot never sees a version without its text.
    fn store(&mut self, uri: &Url, version: i32, text: &str) {
        let key = document_key(uri);
        let file = self.db.set_text(&key, text);
        self.documents.insert(key, Document { version, file });
    }

    /// Looks anew at what a document that was opened or edited changes.
    fn edited(&mut self, uri: &Url, key: &str) {
        if is_project_file(key) {
            self.refresh_projects();
        }
        self.diagnose(uri.clone());
        self.changed.insert(key.to_owned());
    }

    /// Reads files that changed on disk, unless they are open or nobody has asked for them, and looks anew at what
    /// may need them.
    fn files_changed(&mut self, paths: &[String]) {
        for path in paths {
            if self.db.is_asked(path) && !self.documents.contains_key(path) {
                self.read_anew(path);
            }
        }
        self.diagnose_all();
    }

    /// Takes files that a question met as they were on disk, unless more is known of them by now, and asks again.
    fn loaded(&mut self, texts: Vec<(String, Option<String>)>, job: Box<dyn Job>, attempt: u32) {
        for (path, text) in texts {
            if !self.db.is_known(&path) {
                self.set_disk(&path, text);
            }
        }
        self.ask(job, attempt);
    }

    /// Takes a file as it is on disk.
    fn read_anew(&mut self, path: &str) {
        self.set_disk(path, read_file(path));
    }

    fn set_disk(&mut self, path: &str, text: Option<String>) {
        match text {
            Some(text) => {
                self.db.set_text_of_disk(path, &text);
            }
            None => self.db.set_absent(path),
        }
    }

    fn diagnose_all(&mut self) {
        let keys: Vec<String> =
            self.documents.iter().map(|document| document.key().clone()).collect();
        for uri in keys.iter().filter_map(|key| file_uri(key)) {
            self.diagnose(uri);
        }
    }

    fn close(&mut self, uri: Url) {
        let key = document_key(&uri);
        if self.documents.remove(&key).is_some() {
            self.publish(uri, Vec::new());
            if is_project_file(&key) {
                self.refresh_projects();
            } else {
                // What was typed and not saved is gone.
                self.read_anew(&key);
                self.diagnose_all();
            }
        }
    }

    /// Publishes what is known of a file that is not open.
    fn publish(&mut self, uri: Url, diagnostics: Vec<lsp_types::Diagnostic>) {
        let order = self.next_publication();
        // The publisher ends only with the process.
        let _ = self.publisher.send(Published { uri, order, version: None, diagnostics });
    }

    /// Reads the projects of all documents anew, and shows what they change.
    fn refresh_projects(&mut self) {
        let changes = self.projects.refresh(&mut self.db, &self.documents);
        self.show_projects(changes);
        self.diagnose_all();
    }

    /// Shows what is wrong with project files. Of one that is open that is done like for every document.
    fn show_projects(&mut self, changes: Changes) {
        let closed = |key: &String| !self.documents.contains_key(key);
        let gone: Vec<_> = changes.gone.into_iter().filter(closed).collect();
        let shown: Vec<_> = changes.shown.into_iter().filter(closed).collect();
        for uri in gone.iter().filter_map(|key| file_uri(key)) {
            self.publish(uri, Vec::new());
        }
        for key in shown {
            let (Some(uri), Some(file)) = (file_uri(&key), self.db.file(&key)) else { continue };
            let mistakes = requests::file_diagnostics(&self.db, file, self.encoding);
            self.publish(uri, mistakes);
        }
    }

    fn diagnose(&mut self, uri: Url) {
        self.outdated.insert(uri);
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

    fn prepare(&self, ticket: u64) {
        if let Some(uri) = self.waiting.document(ticket) {
            self.ask(Box::new(Prepare::new(ticket, uri, &self.own)), 0);
        }
    }

    /// Starts the runs that nothing is missing for, in the order in which they were asked for.
    fn prepared(&mut self, ticket: u64, prepared: Option<Prepared>) {
        self.waiting.set(ticket, prepared);
        while let Some((run, prepared)) = self.waiting.next() {
            self.forget_panics();
            let started = match prepared {
                Some(Prepared { texts, limits }) => {
                    self.runs.start(run.argument, run.gradient, &texts, limits)
                }
                None => Err("internal error; the server's log has more".to_owned()),
            };
            // The client may have cancelled its request.
            let _ = run.reply.send(started);
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
        self.pool.send(Task { job, snapshot, attempt });
    }
}
