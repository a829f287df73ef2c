//! The database and the trait that queries take.

use std::sync::Arc;

use dashmap::DashMap;
use salsa::Setter;

use crate::SourceFile;

/// What every query takes: `&dyn Db`.
#[salsa::db]
pub trait Db: salsa::Database {}

/// The one database of the compiler.
///
/// A clone is a handle on the same data (a snapshot for a reader). A write waits until every other
/// clone is dropped, so no clone may be kept across an await, and readers must be ready to unwind.
#[salsa::db]
#[derive(Clone)]
pub struct RootDatabase {
    storage: salsa::Storage<Self>,
    /// The input of each path. Inputs are never freed: a path that comes back gets its old one.
    files: Arc<DashMap<String, SourceFile>>,
}

#[salsa::db]
impl salsa::Database for RootDatabase {}

#[salsa::db]
impl Db for RootDatabase {}

impl Default for RootDatabase {
    fn default() -> Self {
        Self { storage: salsa::Storage::new(None), files: Arc::default() }
    }
}

impl RootDatabase {
    /// A database that reports every query event, for tests that pin what an edit may re-run.
    pub fn with_events(on_event: impl Fn(salsa::Event) + Send + Sync + 'static) -> Self {
        Self { storage: salsa::Storage::new(Some(Box::new(on_event))), files: Arc::default() }
    }

    /// The file at `path`, if a text was ever given for it.
    pub fn file(&self, path: &str) -> Option<SourceFile> {
        self.files.get(path).map(|file| *file)
    }

    /// Every file that was ever given a text, in no particular order.
    pub fn files(&self) -> Vec<SourceFile> {
        self.files.iter().map(|entry| *entry.value()).collect()
    }

    /// Gives `path` its text. An equal text is no change: salsa itself does not compare inputs.
    pub fn set_text(&mut self, path: &str, text: &str) -> SourceFile {
        match self.file(path) {
            Some(file) => {
                if &**file.text(self) != text {
                    file.set_text(self).to(Arc::from(text));
                }
                file
            }
            None => {
                let file = SourceFile::new(self, path.to_owned(), Arc::from(text));
                self.files.insert(path.to_owned(), file);
                file
            }
        }
    }

    /// Says which `neuro.toml` is that of a file's project.
    pub fn set_project(&mut self, file: SourceFile, project: Option<SourceFile>) {
        if *file.project(self) != project {
            file.set_project(self).to(project);
        }
    }
}
