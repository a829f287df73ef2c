//! The database and the trait that queries take.

use std::sync::{Arc, OnceLock};

use dashmap::{DashMap, DashSet};
use neuro_syntax::Parse;
use salsa::{Durability, Setter};

use crate::{FilePlace, Presence, SourceFile};

/// What every query takes: `&dyn Db`.
#[salsa::db]
pub trait Db: salsa::Database {
    /// What is known of a path. Asking makes it known that somebody asked.
    fn place(&self, path: &str) -> FilePlace;

    /// The file that declares what every program may name without an import.
    fn prelude(&self) -> SourceFile;

    /// The tree of a file's text: what `neuro_syntax::parse` makes of it, whether it is made anew or of the tree of
    /// a text that the file had before.
    fn parse_text(&self, file: SourceFile) -> Parse;
}

/// The text of the prelude.
const PRELUDE: &str = include_str!("prelude.nr");

/// How messages call the prelude.
const PRELUDE_PATH: &str = "<prelude>";

/// The one database of the compiler.
///
/// A clone is a handle on the same data (a snapshot for a reader). A write waits until every other
/// clone is dropped, so no clone may be kept across an await, and readers must be ready to unwind.
#[salsa::db]
#[derive(Clone)]
pub struct RootDatabase {
    storage: salsa::Storage<Self>,
    /// What is known of each path.
    places: Arc<DashMap<String, FilePlace>>,
    /// The paths of which nobody has said anything, though somebody asked.
    unanswered: Arc<DashSet<String>>,
    /// The input of each path that ever had a text, and how long that is expected to last. Inputs are never
    /// freed: a path that comes back gets its old one.
    files: Arc<DashMap<String, (SourceFile, Durability)>>,
    prelude: Arc<OnceLock<SourceFile>>,
    /// Of each file that is being edited, the last text without mistakes, and its tree.
    trees: Arc<DashMap<SourceFile, (Arc<str>, Parse)>>,
    /// Whether what is said of a path first is never taken back.
    fixed: bool,
}

#[salsa::db]
impl salsa::Database for RootDatabase {}

#[salsa::db]
impl Db for RootDatabase {
    fn place(&self, path: &str) -> FilePlace {
        if let Some(place) = self.places.get(path) {
            return *place;
        }
        let new = || {
            self.unanswered.insert(path.to_owned());
            FilePlace::builder(path.to_owned(), Presence::Unknown)
                .path_durability(Durability::NEVER_CHANGE)
                .presence_durability(Durability::MEDIUM)
                .new(self)
        };
        *self.places.entry(path.to_owned()).or_insert_with(new)
    }

    fn prelude(&self) -> SourceFile {
        let new = || new_file(self, PRELUDE_PATH, PRELUDE, Durability::NEVER_CHANGE);
        *self.prelude.get_or_init(new)
    }

    fn parse_text(&self, file: SourceFile) -> Parse {
        let text = file.text(self);
        let edited =
            self.files.get(file.path(self)).is_some_and(|known| known.1 == Durability::LOW);
        if !edited {
            return neuro_syntax::parse(text);
        }
        let before = self.trees.get(&file).map(|known| known.clone());
        let again = before.and_then(|(before, tree)| neuro_syntax::reparse(&tree, &before, text));
        let parse = again.unwrap_or_else(|| neuro_syntax::parse(text));
        if parse.errors.is_empty() {
            self.trees.insert(file, (Arc::clone(text), parse.clone()));
        }
        parse
    }
}

impl Default for RootDatabase {
    fn default() -> Self {
        Self::with_storage(salsa::Storage::new(None))
    }
}

impl RootDatabase {
    fn with_storage(storage: salsa::Storage<Self>) -> Self {
        Self {
            storage,
            places: Arc::default(),
            unanswered: Arc::default(),
            files: Arc::default(),
            prelude: Arc::default(),
            trees: Arc::default(),
            fixed: false,
        }
    }

    /// A database of texts that never change: what is said of a path first counts, and what is said later is
    /// ignored. It does not remember which result was made of which, and so takes less time and memory.
    pub fn of_fixed_texts() -> Self {
        Self { fixed: true, ..Self::default() }
    }

    /// A database that reports every query event, for tests that pin what an edit may re-run.
    pub fn with_events(on_event: impl Fn(salsa::Event) + Send + Sync + 'static) -> Self {
        Self::with_storage(salsa::Storage::new(Some(Box::new(on_event))))
    }

    /// The file at `path`, if it has a text.
    pub fn file(&self, path: &str) -> Option<SourceFile> {
        let place = *self.places.get(path)?;
        place.presence(self).file()
    }

    /// The paths that queries have asked for and of which nobody has said whether a file is there. While there are any,
    /// what was computed may be wrong: say what is there, and compute it again.
    pub fn unanswered(&self) -> Vec<String> {
        self.unanswered.iter().map(|path| path.clone()).collect()
    }

    /// Whether anything is known of a path: a file is there, or none is.
    pub fn is_known(&self, path: &str) -> bool {
        self.places.get(path).is_some_and(|place| *place.presence(self) != Presence::Unknown)
    }

    /// Whether a query has asked for a path, or a file has been there.
    pub fn is_asked(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// The paths of which it is known that no file is there.
    pub fn absent(&self) -> Vec<String> {
        let absent = |place: &FilePlace| *place.presence(self) == Presence::Absent;
        let places = self.places.iter().filter(|place| absent(place.value()));
        places.map(|place| place.key().clone()).collect()
    }

    /// Every file that has a text, in no particular order; the prelude is none of them.
    pub fn files(&self) -> Vec<SourceFile> {
        self.places.iter().filter_map(|place| place.presence(self).file()).collect()
    }

    /// Gives `path` a text that is being edited. An equal text is no change: salsa itself does not compare inputs.
    pub fn set_text(&mut self, path: &str, text: &str) -> SourceFile {
        self.set_text_that_lasts(path, text, Durability::LOW)
    }

    /// Gives `path` the text that it has on disk, which is not expected to change soon: while other texts are
    /// edited, nothing is looked at again that only such texts decide.
    pub fn set_text_of_disk(&mut self, path: &str, text: &str) -> SourceFile {
        self.set_text_that_lasts(path, text, Durability::MEDIUM)
    }

    fn set_text_that_lasts(
        &mut self,
        path: &str,
        text: &str,
        durability: Durability,
    ) -> SourceFile {
        let durability = if self.fixed { Durability::NEVER_CHANGE } else { durability };
        let known = self.files.get(path).map(|known| *known);
        let file = match known {
            Some((file, Durability::NEVER_CHANGE)) => file,
            Some((file, before)) => {
                if durability != before || &**file.text(self) != text {
                    file.set_text(self).with_durability(durability).to(Arc::from(text));
                }
                file
            }
            None => new_file(self, path, text, durability),
        };
        if known != Some((file, durability)) {
            self.files.insert(path.to_owned(), (file, durability));
        }
        if durability != Durability::LOW {
            self.trees.remove(&file);
        }
        self.set_presence(path, Presence::There(file));
        file
    }

    /// Says that there is no file at `path`, or no longer.
    pub fn set_absent(&mut self, path: &str) {
        self.set_presence(path, Presence::Absent);
    }

    /// Forgets where no file is, so that it is asked for again.
    pub fn forget_absent(&mut self) {
        for path in self.absent() {
            self.set_presence(&path, Presence::Unknown);
        }
    }

    fn set_presence(&mut self, path: &str, presence: Presence) {
        let place = self.place(path);
        let known = *place.presence(self);
        if known == presence || self.fixed && known != Presence::Unknown {
            return;
        }
        match presence {
            Presence::Unknown => {
                self.unanswered.insert(path.to_owned());
            }
            Presence::Absent | Presence::There(_) => {
                self.unanswered.remove(path);
            }
        }
        let durability = if self.fixed { Durability::NEVER_CHANGE } else { Durability::MEDIUM };
        place.set_presence(self).with_durability(durability).to(presence);
    }

    /// Says which `neuro.toml` is that of a file's project.
    pub fn set_project(&mut self, file: SourceFile, project: Option<SourceFile>) {
        if *file.project(self) != project {
            file.set_project(self).to(project);
        }
    }
}

fn new_file(db: &RootDatabase, path: &str, text: &str, durability: Durability) -> SourceFile {
    SourceFile::builder(path.to_owned(), Arc::from(text))
        .path_durability(Durability::NEVER_CHANGE)
        .text_durability(durability)
        .project_durability(Durability::MEDIUM)
        .new(db)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_comes_back_gets_its_old_file() {
        let mut db = RootDatabase::default();
        assert_eq!(*db.place("a.nr").presence(&db), Presence::Unknown);
        assert!(db.file("a.nr").is_none() && db.files().is_empty());
        assert_eq!((db.unanswered(), db.is_known("a.nr")), (vec!["a.nr".to_owned()], false));
        let file = db.set_text("a.nr", "one");
        assert_eq!((db.unanswered(), db.is_known("a.nr")), (Vec::new(), true));
        assert_eq!(db.file("a.nr"), Some(file));
        db.set_absent("a.nr");
        assert_eq!((db.file("a.nr"), db.files()), (None, Vec::new()));
        assert_eq!(db.set_text("a.nr", "two"), file);
        assert_eq!(&**file.text(&db), "two");
        db.set_absent("b.nr");
        assert_eq!(*db.place("b.nr").presence(&db), Presence::Absent);
        assert_eq!((db.absent(), db.is_known("b.nr")), (vec!["b.nr".to_owned()], true));
        db.forget_absent();
        assert_eq!(*db.place("b.nr").presence(&db), Presence::Unknown);
        assert_eq!(db.unanswered(), ["b.nr"]);
        assert_eq!(db.file("a.nr"), Some(file));
    }

    #[test]
    fn what_is_said_first_of_fixed_texts_counts() {
        let mut db = RootDatabase::of_fixed_texts();
        let file = db.set_text("a.nr", "one");
        assert_eq!(*db.place("b.nr").presence(&db), Presence::Unknown);
        db.set_absent("b.nr");
        db.set_text("a.nr", "two");
        db.set_text_of_disk("a.nr", "two");
        db.set_absent("a.nr");
        db.forget_absent();
        assert_eq!((db.file("a.nr"), &**file.text(&db)), (Some(file), "one"));
        assert_eq!(*db.place("b.nr").presence(&db), Presence::Absent);
    }

    #[test]
    fn a_file_of_the_disk_may_come_to_be_edited() {
        let mut db = RootDatabase::default();
        let file = db.set_text_of_disk("a.nr", "one");
        assert_eq!(db.set_text("a.nr", "one"), file);
        assert_eq!(db.set_text("a.nr", "two"), file);
        assert_eq!(&**file.text(&db), "two");
        assert_eq!(db.set_text_of_disk("a.nr", "one"), file);
        assert_eq!(&**file.text(&db), "one");
    }

    /// Of an edited text the items that the edit does not touch are those that they were.
    #[test]
    fn an_edit_keeps_the_other_items() {
        let text =
            |last: &str| format!("func a() {{ }}\n\nfunc b() {{ }}\n\nfunc c() {{ {last} }}\n");
        let mut db = RootDatabase::default();
        let file = db.set_text("a.nr", &text("1"));
        let first = |db: &RootDatabase| -> *const rowan::GreenNodeData {
            let green = &crate::parse(db, file).green;
            let node = green.children().next().and_then(|child| child.into_node());
            std::ptr::from_ref(node.expect("an item"))
        };
        let before = first(&db);
        db.set_text("a.nr", &text("2"));
        assert_eq!(first(&db), before);
        // What is wrong is read as a whole, and what is right again by what was right last.
        db.set_text("a.nr", &text("("));
        assert_ne!(first(&db), before);
        db.set_text("a.nr", &text("3"));
        assert_eq!(first(&db), before);
    }
}
