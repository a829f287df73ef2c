//! Programs cut anywhere: every text has a tree and diagnostics, the same ones each time, and nothing panics.

use std::path::PathBuf;

use neuro_db::RootDatabase;
use neuro_syntax::AstNode;
use neuro_tests::{Random, root};

/// How often a long program is cut; a short one is cut less often, since its cuts soon repeat.
const CUTS: usize = 300;

/// The programs of the project.
fn programs() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["examples", "tests/run"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "nr") {
                let text = std::fs::read_to_string(&path).expect("a text");
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// A text without one of its ranges, or without its end.
fn cut(random: &mut Random, text: &str) -> String {
    let mut place = |below: usize| {
        let mut place = random.below(below + 1);
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    };
    let start = place(text.len());
    let kind = place(3.min(text.len()));
    let end = match kind {
        0 => text.len(),
        1 => place(text.len()).max(start),
        _ => place((start + 12).min(text.len())).max(start),
    };
    format!("{}{}", &text[..start], &text[end..])
}

/// The text of a tree.
fn tree_text(text: &str) -> String {
    let parse = neuro_syntax::parse(text);
    parse.tree().map(|tree| tree.syntax().text().to_string()).unwrap_or_default()
}

/// What is found in a text, by code, place and message.
fn found(db: &mut RootDatabase, text: &str) -> Vec<String> {
    let file = db.set_text("cut.nr", text);
    let diagnostics = neuro_ide::diagnostics(db, file);
    let view = |diagnostic: &neuro_db::Diagnostic| {
        let range = diagnostic.span.absolute(db);
        let words = text.get(std::ops::Range::<usize>::from(range));
        let words = words.unwrap_or_else(|| panic!("no range of the text: {diagnostic:?}"));
        format!("{} {range:?} `{words}` {}", diagnostic.code.as_str(), diagnostic.message)
    };
    diagnostics.iter().map(view).collect()
}

fn check_cuts(path: &std::path::Path, text: &str, random: &mut Random) {
    // A cut is an edit of the cut before.
    let mut db = RootDatabase::default();
    for count in 0..CUTS.min(text.len() / 6) {
        let cut = cut(random, text);
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            assert_eq!(tree_text(&cut), cut, "the tree holds every byte");
            let first = found(&mut db, &cut);
            // Each in a fresh database would take long.
            if count % 10 == 0 {
                assert_eq!(found(&mut RootDatabase::default(), &cut), first, "a second time");
            }
        }));
        if let Err(payload) = checked {
            eprintln!("{} cut to:\n{cut}", path.display());
            std::panic::resume_unwind(payload);
        }
    }
}

#[test]
fn programs_cut_anywhere_are_checked() {
    let programs = programs();
    assert!(programs.len() > 10, "the programs are found");
    let half = |which: usize| {
        let mut random = Random::of_test(which as u64);
        for (path, text) in programs.iter().skip(which).step_by(2) {
            check_cuts(path, text, &mut random);
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0);
        if let Err(payload) = other.join() {
            std::panic::resume_unwind(payload);
        }
    });
}
