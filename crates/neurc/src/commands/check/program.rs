//! The files that a command line stands for, with the projects that they belong to.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use neuro_db::{Diagnostic, RootDatabase, SourceFile};
use neuro_ide::{is_project_file, needed_by_all, parse_all, read_project};
use neuro_server::ANALYSIS_STACK;

use crate::cli::CheckArgs;
use crate::project::Projects;
use crate::source::{Expanded, STDIN, Source, read_module};

/// What is checked, as it was when it was loaded last.
pub(crate) struct Program {
    pub(crate) db: RootDatabase,
    given: Vec<String>,
    /// The files, each once.
    pub(crate) files: Vec<SourceFile>,
    /// The project files that they have.
    pub(crate) projects: Vec<SourceFile>,
    /// What is wrong with the project files. Then nothing is checked.
    pub(crate) mistakes: Vec<Diagnostic>,
    /// Why some files cannot be read.
    pub(crate) unread: Vec<String>,
    /// Whether a project file is among them. Then nothing is checked.
    pub(crate) no_project: bool,
    /// The folders whose changes matter.
    pub(crate) folders: BTreeSet<PathBuf>,
}

impl Program {
    /// A program that is not loaded yet.
    pub(crate) fn new(args: &CheckArgs) -> Self {
        Self {
            // Watched, texts change; else each is read once.
            db: if args.watch { RootDatabase::default() } else { RootDatabase::of_fixed_texts() },
            given: args.paths.clone(),
            files: Vec::new(),
            projects: Vec::new(),
            mistakes: Vec::new(),
            unread: Vec::new(),
            no_project: false,
            folders: BTreeSet::new(),
        }
    }

    /// Reads everything anew. A text that is the same is no change for the database.
    ///
    /// # Errors
    ///
    /// Says why it is not known what to check, or why there is nothing.
    pub(crate) fn load(&mut self) -> Result<(), String> {
        let mut projects = Projects::new();
        (self.files, self.projects) = Default::default();
        (self.mistakes, self.unread, self.no_project) = Default::default();
        self.folders.clear();
        let given = if self.given.is_empty() {
            // The folder of the project file, and where one could come to be.
            self.watch_file(&projects.project_file(STDIN).unwrap_or_default());
            let roots = projects.roots(&mut self.db)?;
            self.mistakes = roots.mistakes;
            if !self.mistakes.is_empty() {
                return Ok(());
            }
            roots.paths
        } else {
            self.given.clone()
        };
        let mut expanded = Expanded::default();
        let added = expanded.add(&given);
        self.folders.extend(expanded.folders);
        added?;
        for path in expanded.files {
            self.watch_file(&path);
            let source = match Source::read(&path) {
                Ok(source) => source,
                Err(message) => {
                    self.unread.push(message);
                    continue;
                }
            };
            let file = self.db.set_text(&source.path, &source.text);
            self.files.push(file);
            match projects.attach(&mut self.db, file, &path) {
                Ok(Some(project)) if !self.projects.contains(&project) => {
                    self.projects.push(project);
                }
                Ok(_) => {}
                Err(message) => {
                    self.no_project = true;
                    if !self.unread.contains(&message) {
                        self.unread.push(message);
                    }
                }
            }
        }
        self.load_modules();
        for project in self.projects.clone() {
            self.watch_file(&project.path(&self.db).clone());
            self.mistakes.extend_from_slice(&read_project(&self.db, project).diagnostics);
        }
        Ok(())
    }

    /// Reads the files that those need which are checked; they are checked too.
    fn load_modules(&mut self) {
        let mut no_text: BTreeMap<String, String> = BTreeMap::new();
        let mut read = |path: &str| {
            let module = read_module(path)?;
            match module.no_text {
                Some(message) => no_text.insert(path.to_owned(), message),
                None => no_text.remove(path),
            };
            Some(module.text)
        };
        // What was read before may have changed, and what was not there may be.
        let given: HashSet<SourceFile> = self.files.iter().copied().collect();
        for file in self.db.files() {
            let path = file.path(&self.db).clone();
            if given.contains(&file) || is_project_file(&path) {
                continue;
            }
            match read(&path) {
                Some(text) => {
                    self.db.set_text(&path, &text);
                }
                None => self.db.set_absent(&path),
            }
        }
        self.db.forget_absent();
        parse_all(&self.db, &self.files, ANALYSIS_STACK);
        neuro_ide::load_modules(&mut self.db, &self.files, &mut read);
        let given = self.files.len();
        self.files = needed_by_all(&self.db, &self.files);
        for file in self.files.split_off(given) {
            let path = file.path(&self.db).clone();
            self.watch_file(&path);
            // What is no text is not checked as one.
            match no_text.remove(&path) {
                Some(message) => self.unread.push(message),
                None => self.files.push(file),
            }
        }
    }

    /// The folder of a file: a file that is replaced is not the one that was watched.
    fn watch_file(&mut self, path: &str) {
        let folder = Path::new(path).parent().filter(|folder| *folder != Path::new(""));
        self.folders.insert(folder.unwrap_or(Path::new(".")).to_owned());
    }
}
