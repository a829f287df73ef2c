//! The arrows between the crates, and rules that hold for every file of the project.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use neuro_tests::root;

/// What each crate may use directly; more is used transitively. `docs/architecture.md` shows the same table.
const ARROWS: &[(&str, &[&str])] = &[
    ("neuro-syntax", &[]),
    ("neuro-db", &["neuro-syntax"]),
    ("neuro-num", &[]),
    ("neuro-hir", &["neuro-db"]),
    ("neuro-types", &["neuro-hir", "neuro-num"]),
    ("neuro-mir", &["neuro-types"]),
    ("neuro-ir", &["neuro-num"]),
    ("neuro-autodiff", &["neuro-ir"]),
    ("neuro-grad", &["neuro-mir", "neuro-autodiff"]),
    ("neuro-loops", &["neuro-ir"]),
    ("neuro-codegen", &["neuro-grad", "neuro-loops", "neuro-runtime"]),
    ("neuro-exec", &["neuro-db"]),
    ("neuro-worker", &["neuro-codegen", "neuro-exec", "neuro-ide"]),
    ("neuro-ide", &["neuro-grad", "neuro-loops"]),
    ("neuro-server", &["neuro-ide", "neuro-exec"]),
    ("neurc", &["neuro-server", "neuro-worker"]),
    ("neuro-runtime", &["neuro-num"]),
    ("neuro-tests", &[]),
];

/// The longest that a source file may be.
const MAX_LINES: usize = 1000;

/// The crates that `name` may use, the table read transitively.
fn may_use(name: &str) -> BTreeSet<&'static str> {
    let direct = ARROWS.iter().find(|(from, _)| *from == name).map_or(&[][..], |(_, to)| to);
    let mut all: BTreeSet<_> = direct.iter().copied().collect();
    for next in direct {
        all.extend(may_use(next));
    }
    all
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let mut used = BTreeMap::<String, BTreeSet<String>>::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name").to_owned();
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        let ours = dependencies
            .filter(|dependency| dependency["kind"].is_null() && !dependency["path"].is_null())
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned));
        used.insert(name, ours.collect());
    }
    let known: BTreeSet<_> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(used.keys().cloned().collect::<BTreeSet<_>>(), known, "the table lists every crate");
    for (name, dependencies) in used {
        let allowed = may_use(&name);
        for dependency in dependencies {
            assert!(allowed.contains(dependency.as_str()), "{name} may not use {dependency}");
        }
    }
}

#[test]
fn every_crate_opens_with_what_it_owns_and_never_does() {
    for (name, _) in ARROWS.iter().filter(|(name, _)| !["neuro-tests"].contains(name)) {
        let (folder, file) = match *name {
            "neurc" => ("crates/neurc", "src/main.rs"),
            "neuro-runtime" => ("runtime", "src/lib.rs"),
            other => (&*format!("crates/{}", &other["neuro-".len()..]), "src/lib.rs"),
        };
        let path = root().join(folder).join(file);
        let text = std::fs::read_to_string(&path).expect("the crate's first file");
        let header: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        for word in ["Owns", "ever", "Start"] {
            assert!(header.contains(word), "{}: the header lacks \"{word}\"", path.display());
        }
    }
}

/// Every Rust file of the project.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "node_modules" && name != "target" {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn files_are_short_and_complete() {
    let mut files = Vec::new();
    for folder in ["crates", "runtime", "tests"] {
        rust_files(&root().join(folder), &mut files);
    }
    let holes = [concat!("todo", "!("), concat!("unimplemented", "!(")];
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
        assert!(text.starts_with("//!"), "{} does not say what it is", path.display());
        for hole in holes {
            assert!(!text.contains(hole), "{} has a hole: {hole}", path.display());
        }
    }
}
