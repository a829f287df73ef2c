//! The project that a path belongs to: the nearest `neuro.toml` above it decides.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use neuro_db::{Diagnostic, RootDatabase, SourceFile};
use neuro_ide::{PROJECT_FILE, missing_root, read_project};

use crate::output::{self, Look};
use crate::render::{human::Human, positions::Positions};
use crate::source::{STDIN, Source};

/// Finds projects. A folder is looked into once.
pub(crate) struct Projects {
    current: PathBuf,
    nearest: HashMap<PathBuf, Option<PathBuf>>,
    /// The project files that were read, and why one could not be.
    read: HashMap<String, Result<SourceFile, String>>,
}

/// What is checked and formatted when no path is given.
pub(crate) struct Roots {
    /// Paths of files and folders.
    pub(crate) paths: Vec<String>,
    /// What is wrong with the project file; then there are no paths.
    pub(crate) mistakes: Vec<Diagnostic>,
}

impl Projects {
    /// As seen from the current folder.
    pub(crate) fn new() -> Self {
        let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        Self { current, nearest: HashMap::new(), read: HashMap::new() }
    }

    /// The project file of a source file, or of the current folder for standard input, as messages call it.
    pub(crate) fn project_file(&mut self, path: &str) -> Option<String> {
        let folder = match Path::new(path).parent() {
            Some(folder) if path != STDIN && folder != Path::new("") => {
                fs::canonicalize(folder).ok()?
            }
            _ => self.current.clone(),
        };
        let found = self.nearest_above(&folder)?;
        Some(self.shown(&found))
    }

    /// Tells the database the project of a file that it was given from `path`; gives the project file.
    ///
    /// # Errors
    ///
    /// Says why the project file cannot be read.
    pub(crate) fn attach(
        &mut self,
        db: &mut RootDatabase,
        file: SourceFile,
        path: &str,
    ) -> Result<Option<SourceFile>, String> {
        let project = match self.project_file(path) {
            Some(path) => Some(self.read(db, path)?),
            None => None,
        };
        db.set_project(file, project);
        Ok(project)
    }

    /// The roots of the project of the current folder, which is a root itself where no project names any.
    ///
    /// # Errors
    ///
    /// Says why the project file cannot be read.
    pub(crate) fn roots(&mut self, db: &mut RootDatabase) -> Result<Roots, String> {
        let mut roots = Roots { paths: Vec::new(), mistakes: Vec::new() };
        let Some(path) = self.project_file(STDIN) else {
            roots.paths.push(".".to_owned());
            return Ok(roots);
        };
        let file = self.read(db, path.clone())?;
        let project = read_project(db, file);
        roots.mistakes.clone_from(&project.diagnostics);
        let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
        for root in &project.roots {
            let path = folder.join(&root.path);
            if path.exists() {
                roots.paths.push(path.display().to_string());
            } else {
                roots.mistakes.push(missing_root(file, root));
            }
        }
        if project.roots.is_empty() {
            let own = if folder == Path::new("") { Path::new(".") } else { folder };
            roots.paths.push(own.display().to_string());
        }
        if !roots.mistakes.is_empty() {
            roots.paths.clear();
        }
        Ok(roots)
    }

    /// The project file at a path. It is read once.
    fn read(&mut self, db: &mut RootDatabase, path: String) -> Result<SourceFile, String> {
        if let Some(known) = self.read.get(&path) {
            return known.clone();
        }
        let read =
            Source::read(&path).map(|source| db.set_text_of_disk(&source.path, &source.text));
        self.read.insert(path, read.clone());
        read
    }

    fn nearest_above(&mut self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.nearest.get(folder) {
            return known.clone();
        }
        let own = folder.join(PROJECT_FILE);
        let found = match own.is_file() {
            true => Some(own),
            false => folder.parent().and_then(|above| self.nearest_above(above)),
        };
        self.nearest.insert(folder.to_owned(), found.clone());
        found
    }

    /// A path from the current folder, where it lies below or straight above it.
    fn shown(&self, path: &Path) -> String {
        if let Ok(below) = path.strip_prefix(&self.current) {
            return below.display().to_string();
        }
        let ups = path.parent().and_then(|folder| {
            let name = path.file_name()?;
            let ups = self.current.strip_prefix(folder).ok()?.components().count();
            let up: PathBuf = std::iter::repeat_n("..", ups).collect();
            Some(up.join(name))
        });
        ups.as_deref().unwrap_or(path).display().to_string()
    }
}

/// What a command without paths is about. Mistakes in the project file are shown on standard error, and give
/// none.
///
/// # Errors
///
/// Says why the project file cannot be read.
pub(crate) fn usual_paths() -> Result<Option<Vec<String>>, String> {
    let mut db = RootDatabase::default();
    let roots = Projects::new().roots(&mut db)?;
    let positions = Positions::new(&db);
    let human = Human::new(&db, &positions, Look::of_stderr());
    for mistake in &roots.mistakes {
        output::report(&human.render(mistake));
    }
    Ok(roots.mistakes.is_empty().then_some(roots.paths))
}
