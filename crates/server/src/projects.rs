//! The projects of the open documents: the nearest `neuro.toml` above each, as it is on disk or in the editor.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use neuro_db::{Db, Diagnostic, RootDatabase, SourceFile};
use neuro_ide::{PROJECT_FILE, is_project_file, missing_root, read_project};

use crate::documents::Documents;

/// The project files that the documents have.
#[derive(Default)]
pub(crate) struct Projects {
    known: BTreeSet<String>,
}

/// What became of the project files.
#[derive(Default)]
pub(crate) struct Changes {
    /// Those whose mistakes are to be shown anew.
    pub(crate) shown: BTreeSet<String>,
    /// Those that no document has any more.
    pub(crate) gone: BTreeSet<String>,
}

impl Projects {
    /// Finds the project of a document that was opened.
    pub(crate) fn attach(
        &mut self,
        db: &mut RootDatabase,
        documents: &Documents,
        path: &str,
    ) -> Changes {
        let mut changes = Changes::default();
        if let Some(project) = attach(db, documents, path)
            && self.known.insert(project.clone())
        {
            changes.shown.insert(project);
        }
        changes
    }

    /// Finds the projects of all documents anew.
    pub(crate) fn refresh(&mut self, db: &mut RootDatabase, documents: &Documents) -> Changes {
        let paths: Vec<String> = documents.iter().map(|document| document.key().clone()).collect();
        let found: BTreeSet<String> =
            paths.iter().filter_map(|path| attach(db, documents, path)).collect();
        let gone = self.known.difference(&found).cloned().collect();
        self.known.clone_from(&found);
        Changes { shown: found, gone }
    }
}

/// Tells the database the project of a document; gives the path of the project file.
fn attach(db: &mut RootDatabase, documents: &Documents, path: &str) -> Option<String> {
    if is_project_file(path) {
        return None;
    }
    let file = db.file(path)?;
    let found = nearest(path).map(|project| project.to_string_lossy().into_owned());
    let project = found.as_deref().and_then(|path| read(db, documents, path));
    db.set_project(file, project);
    found.filter(|_| project.is_some())
}

/// The nearest project file above a path.
fn nearest(path: &str) -> Option<PathBuf> {
    let folders = Path::new(path).ancestors().skip(1);
    folders.map(|folder| folder.join(PROJECT_FILE)).find(|file| file.is_file())
}

/// The project file at a path: its text in the editor, or else that on disk.
fn read(db: &mut RootDatabase, documents: &Documents, path: &str) -> Option<SourceFile> {
    if let Some(document) = documents.get(path) {
        return Some(document.file);
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Some(db.set_text_of_disk(path, &text)),
        Err(error) => {
            eprintln!("neurc lsp: `{path}` cannot be read: {error}");
            None
        }
    }
}

/// The roots of a project that do not exist, as mistakes.
pub(crate) fn missing_roots(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let folder = Path::new(file.path(db)).parent().unwrap_or(Path::new(""));
    let roots = read_project(db, file).roots.iter();
    let missing = roots.filter(|root| !folder.join(&root.path).exists());
    missing.map(|root| missing_root(file, root)).collect()
}
