//! The questions that nobody asks: the diagnostics of documents, and which of them a change concerns.

use std::collections::BTreeSet;

use crossbeam_channel::Sender;
use lsp_types::Url;
use neuro_db::SourceFile;
use neuro_ide::{module_candidates, users_of};
use tokio::sync::mpsc::UnboundedSender;

use crate::documents::document_key;
use crate::job::{Cancellation, Failure, Job, Snapshot, Urgency};
use crate::main_loop::Message;
use crate::positions::Encoding;
use crate::publisher::Published;
use crate::requests;
use crate::to_lsp::file_uri;

/// Computes and publishes the diagnostics of a document.
pub(crate) struct Diagnose {
    uri: Url,
    order: u64,
    encoding: Encoding,
    publisher: UnboundedSender<Published>,
    main_loop: Sender<Message>,
    cancellation: Cancellation,
    published: Option<Published>,
}

impl Diagnose {
    pub(crate) fn new(
        uri: Url,
        order: u64,
        encoding: Encoding,
        publisher: &UnboundedSender<Published>,
        main_loop: &Sender<Message>,
    ) -> Self {
        Self {
            uri,
            order,
            encoding,
            publisher: publisher.clone(),
            main_loop: main_loop.clone(),
            cancellation: Cancellation::default(),
            published: None,
        }
    }
}

impl Job for Diagnose {
    fn compute(&mut self, snapshot: &Snapshot) {
        let key = document_key(&self.uri);
        let document =
            snapshot.documents.get(&key).map(|document| (document.version, document.file));
        if let Some((_, file)) = document {
            // All modules that the text names are read before anything is computed without them.
            module_candidates(&snapshot.db, file);
            if !snapshot.db.unanswered().is_empty() {
                return;
            }
        }
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

    fn urgency(&self) -> Urgency {
        Urgency::Background
    }
}

/// Finds the open documents that need files which changed, and has their diagnostics computed.
pub(crate) struct FindUsers {
    changed: BTreeSet<String>,
    main_loop: Sender<Message>,
    cancellation: Cancellation,
    users: Vec<Url>,
}

impl FindUsers {
    pub(crate) fn new(changed: BTreeSet<String>, main_loop: &Sender<Message>) -> Self {
        let main_loop = main_loop.clone();
        Self { changed, main_loop, cancellation: Cancellation::default(), users: Vec::new() }
    }
}

impl Job for FindUsers {
    fn compute(&mut self, snapshot: &Snapshot) {
        let db = &snapshot.db;
        let changed: Vec<SourceFile> =
            self.changed.iter().filter_map(|path| db.file(path)).collect();
        let mut open: Vec<SourceFile> =
            snapshot.documents.iter().map(|document| document.file).collect();
        open.retain(|file| !changed.contains(file));
        let users = users_of(db, &open, &changed);
        self.users = users.into_iter().filter_map(|file| file_uri(file.path(db))).collect();
    }

    fn answer(self: Box<Self>, outcome: Result<(), Failure>) {
        match outcome {
            Ok(()) => {
                for uri in self.users {
                    let _ = self.main_loop.send(Message::Diagnose { uri });
                }
            }
            Err(Failure::ContentModified | Failure::Cancelled) => {
                let _ = self.main_loop.send(Message::Changed { paths: self.changed });
            }
            Err(Failure::Internal) => {
                eprintln!("neurc lsp: who needs {:?} was not found: internal error", self.changed);
            }
        }
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn urgency(&self) -> Urgency {
        Urgency::Background
    }
}
