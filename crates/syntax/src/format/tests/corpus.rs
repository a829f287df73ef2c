//! Every program of the repository.

use std::path::{Path, PathBuf};

use super::{CONSTRUCTS, formatted, long_lines};
use crate::format::format;
use crate::{NeuroLanguage, SyntaxKind, parse};
use rowan::Language as _;

/// Every `.nr` file of the repository.
pub(super) fn programs() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
        let entries = std::fs::read_dir(folder).expect("a folder of the repository");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let foreign = name.starts_with('.') || name == "target" || name == "node_modules";
            if path.is_dir() && !foreign {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "nr") {
                let text = std::fs::read_to_string(&path).expect("a text");
                files.push((path, text));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the repository");
    let mut files = Vec::new();
    walk(root, &mut files);
    files
}

#[test]
fn programs_stay_what_they_are() {
    let programs = programs();
    assert!(programs.len() > 3);
    for (path, text) in programs {
        let formatted = formatted(&text);
        assert_eq!(long_lines(&formatted), [""; 0], "{}", path.display());
    }
}

/// Programs whose layout is what they test.
const FREE: &[&str] =
    &["syntax/test/", "tests/run/newlines.nr", "crates/syntax/src/tests/", "tests/spec/"];

#[test]
fn programs_are_in_the_style() {
    let is_free = |path: &Path| {
        let path = path.to_string_lossy().replace('\\', "/");
        FREE.iter().any(|free| path.contains(free))
    };
    let programs = programs();
    let wrong: Vec<_> = programs
        .iter()
        .filter(|(path, text)| !is_free(path) && format(text).as_ref() != Ok(text))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert_eq!(wrong, [""; 0], "`neurc fmt` on these files brings them into the style");
}

#[test]
fn every_construct_is_formatted() {
    assert_eq!(parse(CONSTRUCTS).errors, []);
    assert_eq!(formatted(CONSTRUCTS), CONSTRUCTS);
}

#[test]
fn every_kind_of_node_is_among_the_constructs() {
    let found: Vec<SyntaxKind> =
        parse(CONSTRUCTS).syntax_node().descendants().map(|node| node.kind()).collect();
    let missing: Vec<SyntaxKind> = (0..1000)
        .map(|raw| (raw, NeuroLanguage::kind_from_raw(rowan::SyntaxKind(raw))))
        .filter(|(raw, kind)| *kind as u16 == *raw && !kind.is_token())
        .map(|(_, kind)| kind)
        .filter(|kind| *kind != SyntaxKind::ERROR && !found.contains(kind))
        .collect();
    assert_eq!(missing, []);
}
