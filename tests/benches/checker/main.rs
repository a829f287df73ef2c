//! How fast the checker is, beside what it is to be: `cargo bench -p neuro-tests --bench checker`.
//!
//! Workspaces of 10,000 and 100,000 lines are made by rule and given to the release build of `neurc`: to `check`
//! from nothing, and to the language server over pipes. Times are in milliseconds; of a batch the least of
//! several runs counts, of edits the 50th and the 95th of a hundred. A part of a row's name as an argument
//! measures only the rows that have it.

mod batch;
mod editing;
mod table;

use std::path::PathBuf;

use neuro_tests::workspace::{self, Module};
use neuro_tests::{Random, Scratch};

use table::Table;

/// A workspace on disk.
struct Workspace {
    folder: PathBuf,
    modules: Vec<Module>,
}

impl Workspace {
    fn of_lines(scratch: &Scratch, name: &str, lines: usize) -> Self {
        Self::of_modules(scratch, name, workspace::modules(lines, &mut Random::of_test(1)))
    }

    fn one_file(scratch: &Scratch, name: &str, lines: usize) -> Self {
        let text = workspace::one_file(lines, &mut Random::of_test(1));
        Self::of_modules(scratch, name, vec![Module { name: "main".to_owned(), text }])
    }

    fn of_modules(scratch: &Scratch, name: &str, modules: Vec<Module>) -> Self {
        let folder = scratch.path().join(name);
        workspace::write(&modules, &folder);
        Self { folder, modules }
    }

    /// The URI of a module, and its text.
    fn document(&self, name: &str) -> (String, &str) {
        let module = self.modules.iter().find(|module| module.name == name).expect("a module");
        (format!("file://{}/{name}.nr", self.folder.display()), &module.text)
    }
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let mut table = Table::new(wanted);
    let scratch = Scratch::new("bench-checker");
    let small = Workspace::of_lines(&scratch, "small", 10_000);
    let large = Workspace::of_lines(&scratch, "large", 100_000);
    let single = Workspace::one_file(&scratch, "single", 10_000);
    batch::measure(&mut table, "10,000 lines", &small, None);
    batch::measure(&mut table, "100,000 lines", &large, Some((350.0, 150.0)));
    batch::measure(&mut table, "one file of 10,000 lines", &single, None);
    editing::measure(&mut table, "10,000 lines", &small, &editing::SMALL);
    editing::measure(&mut table, "100,000 lines", &large, &editing::LARGE);
    editing::measure(&mut table, "one file of 10,000 lines", &single, &editing::SINGLE);
    editing::dependents(&mut table, &scratch);
}
