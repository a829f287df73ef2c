//! The grammar of the editors (`syntax/tree-sitter-neuro`) beside the parser of the compiler.
#![expect(unsafe_code, reason = "the grammar is C")]

mod corpus;
mod damage;
mod items;
mod queries;

use std::path::{Path, PathBuf};

use neuro_tests::root;
use tree_sitter::{Language, Parser, Tree};

unsafe extern "C" {
    fn tree_sitter_neuro() -> *const ();
}

/// The grammar.
fn language() -> Language {
    // SAFETY: the generated function gives a table that lives as long as the program.
    unsafe { tree_sitter_language::LanguageFn::from_raw(tree_sitter_neuro) }.into()
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the grammar fits the library");
    parser
}

fn parse(text: &str) -> Tree {
    parser().parse(text, None).expect("a tree")
}

/// Every program of the repository, with its place: files, and the blocks of the reference.
fn programs() -> Vec<(String, String)> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let hidden =
                name.starts_with('.') || name.starts_with("target") || name == "node_modules";
            if path.is_dir() && !hidden {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "nr") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(root(), &mut files);
    files.sort();
    let files = files.iter().map(|path| {
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        (name, std::fs::read_to_string(path).expect("a program"))
    });
    files.chain(crate::spec::programs()).collect()
}

/// What the grammar leaves to the compiler: messages that contain one of these are of no grammar.
const BEYOND_GRAMMAR: &[&str] = &["no two underscores side by side"];

/// Mistakes that the grammar may or may not see, since they depend on what the operands are: a
/// program with nothing else is not compared.
const UNDECIDED: &[&str] =
    &["there is no right shift operator", "there is no `+` in front of a number"];

/// Whether all that the parser finds is undecided.
fn is_undecided(text: &str) -> bool {
    let errors = neuro_syntax::parse(text).errors;
    let undecided = |message: &str| UNDECIDED.iter().any(|part| message.contains(part));
    !errors.is_empty() && errors.iter().all(|error| undecided(&error.message))
}

/// Whether the parser finds a mistake, those left aside that the grammar does not know.
fn has_error(text: &str) -> bool {
    let beyond = |message: &str| BEYOND_GRAMMAR.iter().any(|part| message.contains(part));
    neuro_syntax::parse(text).errors.iter().any(|error| !beyond(&error.message))
}

#[test]
fn both_parsers_agree_on_every_program() {
    let mut wrong = Vec::new();
    let programs = programs();
    for (name, text) in programs.iter().filter(|(_, text)| !is_undecided(text)) {
        let (ours, theirs) = (has_error(text), parse(text).root_node().has_error());
        if ours != theirs {
            let theirs = parse(text).root_node().to_sexp();
            wrong.push(format!(
                "{name}: the parser finds {}\n{text}\n{theirs}",
                if ours { "a mistake" } else { "none" }
            ));
        } else if !ours {
            let (ours, theirs) = (items::of_parser(text), items::of_grammar(text));
            if ours != theirs {
                wrong.push(format!("{name}: items differ\n{ours:#?}\n{theirs:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn line_ends_of_windows_change_nothing() {
    for (name, text) in programs() {
        let (plain, windows) = (parse(&text), parse(&text.replace('\n', "\r\n")));
        assert_eq!(plain.root_node().to_sexp(), windows.root_node().to_sexp(), "{name}");
    }
}
