//! The thread that owns the database: edits are applied and questions get their snapshots in the order in
//! which they arrive.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_types::{TextDocumentContentChangeEvent, Url};
use neuro_db::{RootDatabase, SourceFile};
use neuro_exec::Limits;
use neuro_ide::{is_project_file, load_modules, needed_files, read_project, users_of};
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
use crate::projects::{Changes, Projects};
use crate::protocol::{CommandArgument, InitializationOptions, ServerStatus, ServerStatusParams};
use crate::publisher::{self, Published};
use crate::requests;
use crate::runs::{RunText, Runs};
use crate::to_lsp::file_uri;

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
            projects: Projects::default(),
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
    projects: Projects,
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
                Message::ProjectsChanged => self.refresh_projects(),
                Message::FilesChanged { paths } => self.files_changed(&paths),
                Message::Ask { job, attempt } => self.ask(job, attempt),
                Message::Diagnose { uri } => self.diagnose(uri),
                Message::Run { argument, gradient, reply } => {
                    self.forget_panics();
                    let limits = self.limits(&argument);
                    let texts = self.run_texts(&argument);
                    let started = self.runs.start(argument, gradient, &texts, limits);
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
        let key = document_key(uri);
        // Not every client tells of files that come.
        self.db.forget_absent();
        self.store(uri, version, text);
        let changes = self.projects.attach(&mut self.db, &self.documents, &key);
        self.show_projects(changes);
        self.edited(uri, &key);
    }

    fn change(&mut self, uri: &Url, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        let key = document_key(uri);
        let old = self.documents.get(&key).map(|document| Arc::clone(&document.text));
        let Some(old) = old else { return };
        let text = apply_changes(&old, changes, self.encoding);
        self.store(uri, version, &text);
        self.edited(uri, &key);
    }

    /// The text is set before the document is, so that a snapshot never sees a version without its text.
    fn store(&mut self, uri: &Url, version: i32, text: &str) {
        let key = document_key(uri);
        let file = self.db.set_text(&key, text);
        load_modules(&mut self.db, &[file], &mut read_file);
        self.documents.insert(key, Document { version, text: Arc::from(text), file });
    }

    /// Looks anew at what a document that was opened or edited changes.
    fn edited(&mut self, uri: &Url, key: &str) {
        if is_project_file(key) {
            self.refresh_projects();
        }
        self.diagnose(uri.clone());
        self.diagnose_users(&[key.to_owned()]);
    }

    /// Looks anew at the open documents that need some files, those files left out.
    fn diagnose_users(&mut self, paths: &[String]) {
        let changed: Vec<SourceFile> = paths.iter().filter_map(|path| self.db.file(path)).collect();
        let open: Vec<SourceFile> = self.documents.iter().map(|document| document.file).collect();
        let users = users_of(&self.db, &open, &changed);
        let others = users.into_iter().filter(|user| !changed.contains(user));
        let keys: Vec<String> = others.map(|file| file.path(&self.db).clone()).collect();
        for uri in keys.iter().filter_map(|key| file_uri(key)) {
            self.diagnose(uri);
        }
    }

    /// Reads files that changed on disk, unless they are open, and looks anew at what may need them.
    fn files_changed(&mut self, paths: &[String]) {
        for path in paths {
            if !self.documents.contains_key(path) {
                self.read_anew(path);
            }
        }
        let roots: Vec<SourceFile> = self.documents.iter().map(|document| document.file).collect();
        load_modules(&mut self.db, &roots, &mut read_file);
        self.diagnose_all();
    }

    /// Takes a file as it is on disk.
    fn read_anew(&mut self, path: &str) {
        match read_file(path) {
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

    /// What a run of a document may read: it and what it needs, as it is in the editor or else on disk.
    fn run_texts(&self, argument: &CommandArgument) -> Vec<RunText> {
        let key = argument.uri.as_ref().map(document_key);
        let root = key.and_then(|key| self.documents.get(&key).map(|document| document.file));
        let files = root.map_or(Vec::new(), |root| needed_files(&self.db, root));
        let text = |file: SourceFile| {
            let path = file.path(&self.db).clone();
            match self.documents.get(&path) {
                Some(document) => {
                    RunText { path, text: Arc::clone(&document.text), version: document.version }
                }
                None => RunText { path, text: Arc::clone(file.text(&self.db)), version: 0 },
            }
        };
        files.into_iter().map(text).collect()
    }

    /// The limits that the project of a document sets.
    fn limits(&self, argument: &CommandArgument) -> Limits {
        let file = argument.uri.as_ref().and_then(|uri| self.db.file(&document_key(uri)));
        let project = file.and_then(|file| *file.project(&self.db));
        let Some(project) = project.map(|project| read_project(&self.db, project)) else {
            return Limits::default();
        };
        let wall_ms = project.timeout_seconds.map(|seconds| seconds.saturating_mul(1000));
        Limits { wall_ms, memory_mib: project.memory_mib }
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

/// The text of a file on disk; nothing if there is none, or if the path is no path of a disk.
fn read_file(path: &str) -> Option<String> {
    if !std::path::Path::new(path).is_absolute() {
        return None;
    }
    // What is no file, such as a pipe, may never end.
    let bytes = std::fs::metadata(path).ok()?.is_file().then(|| std::fs::read(path).ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
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
