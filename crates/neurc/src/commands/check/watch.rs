//! `neurc check --watch`: checks again whenever something changes, until it is ended.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{Program, check};
use crate::cli::CheckArgs;
use crate::commands::Outcome;
use crate::output::{self, BROKEN_PIPE};

/// Clears a terminal, what was scrolled away included.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// Checks, waits, checks.
pub(super) fn execute(args: &CheckArgs) -> Outcome {
    let (sender, events) = channel();
    let watcher = notify::recommended_watcher(move |event| {
        // The receiver ends only with the process.
        let _ = sender.send(event);
    });
    let watcher = watcher.map_err(|error| format!("cannot watch files: {error}"))?;
    let mut watched = Watched { watcher, folders: BTreeSet::new() };
    let mut program = Program::new(args);
    let mut last = None;
    loop {
        let mut loaded = program.load();
        // What changed in a folder before it was watched is seen by reading again.
        while watched.set(&program.folders) {
            loaded = program.load();
        }
        let state = State::of(&program, &loaded);
        if last.as_ref() != Some(&state) {
            last = Some(state);
            if io::stdout().is_terminal() && output::print(CLEAR).is_err() {
                return Ok(BROKEN_PIPE);
            }
            match loaded {
                Ok(()) => {
                    if check(&program, args)? == BROKEN_PIPE {
                        return Ok(BROKEN_PIPE);
                    }
                }
                Err(message) => output::report(&format!("error: {message}\n")),
            }
        }
        wait(&events)?;
    }
}

/// What a check depends on: two equal ones have the same findings.
#[derive(PartialEq)]
struct State {
    texts: Vec<(String, std::sync::Arc<str>)>,
    problems: Vec<String>,
}

impl State {
    fn of(program: &Program, loaded: &Result<(), String>) -> Self {
        let db = &program.db;
        let files = program.files.iter().chain(&program.projects);
        let mut problems = program.unread.clone();
        let mistakes = program.mistakes.iter();
        problems.extend(mistakes.map(|mistake| format!("{:?}{}", mistake.span, mistake.message)));
        problems.extend(loaded.as_ref().err().cloned());
        let texts = files.map(|file| (file.path(db).clone(), file.text(db).clone())).collect();
        Self { texts, problems }
    }
}

/// The folders that are watched, each without those in it: a folder like `target` would tell too much.
struct Watched {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
}

impl Watched {
    /// Watches these folders and no others. Gives whether there are new ones among them.
    fn set(&mut self, folders: &BTreeSet<PathBuf>) -> bool {
        for gone in self.folders.difference(folders) {
            // It may have been removed, and its watch with it.
            let _ = self.watcher.unwatch(gone);
        }
        let mut any_new = false;
        for folder in folders {
            let new = !self.folders.contains(folder);
            any_new |= new;
            // One that is watched may have been replaced by another of its name.
            let watched = self.watcher.watch(folder, RecursiveMode::NonRecursive);
            if let (Err(error), true) = (watched, new) {
                let folder = folder.display();
                output::report(&format!("note: `{folder}` is not watched: {error}\n"));
            }
        }
        self.folders.clone_from(folders);
        any_new
    }
}

/// Waits until something happened that may matter, and takes everything that has happened by then.
fn wait(events: &Receiver<notify::Result<Event>>) -> Result<(), String> {
    loop {
        let lost = |_| "nothing is watched any more".to_owned();
        let mut matters = is_change(&events.recv().map_err(lost)?);
        while let Ok(more) = events.try_recv() {
            matters |= is_change(&more);
        }
        if matters {
            return Ok(());
        }
    }
}

/// Whether files may have changed. Reading them is an event, too.
fn is_change(event: &notify::Result<Event>) -> bool {
    match event {
        Ok(event) if matches!(event.kind, EventKind::Access(_)) => false,
        Ok(event) => event.need_rescan() || event.paths.iter().any(|path| may_matter(path)),
        // Something was missed.
        Err(_) => true,
    }
}

/// Sources, project files, and what has no extension and so may be a folder.
fn may_matter(path: &Path) -> bool {
    match path.extension() {
        Some(extension) => extension == "nr" || extension == "toml" || path.is_dir(),
        None => true,
    }
}
