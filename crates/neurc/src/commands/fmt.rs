//! `neurc fmt`: files in the one style.

mod difference;

use std::fs;

use neuro_syntax::{format, parse};

use super::{CLEAN, COULD_NOT_RUN, FINDINGS, Outcome};
use crate::cli::FmtArgs;
use crate::source::{STDIN, Source, expand, reason};
use crate::{output, project};

/// Formats files in place, or says which of them differ from the style.
pub(crate) fn execute(args: &FmtArgs) -> Outcome {
    let given = match args.paths.is_empty() {
        true => match project::usual_paths()? {
            Some(paths) => paths,
            None => return Ok(COULD_NOT_RUN),
        },
        false => args.paths.clone(),
    };
    let files = expand(&given)?;
    let (mut changed, mut failed) = (0, 0);
    for path in &files {
        match file(path, args.check) {
            Ok(Done::Changed(text)) => {
                changed += 1;
                if let Err(error) = output::print(&text) {
                    return output::not_written(&error);
                }
            }
            Ok(Done::Same(text)) => {
                if let Err(error) = output::print(&text) {
                    return output::not_written(&error);
                }
            }
            Err(message) => {
                failed += 1;
                output::report(&format!("error: {message}\n"));
            }
        }
    }
    if given != [STDIN] {
        output::report(&summary(files.len(), changed, failed, args.check));
    }
    Ok(match (failed, changed) {
        (1.., _) => COULD_NOT_RUN,
        (_, 1..) if args.check => FINDINGS,
        _ => CLEAN,
    })
}

/// What came of a file, with the text for standard output.
enum Done {
    Same(String),
    Changed(String),
}

/// Formats one file.
fn file(path: &str, check: bool) -> Result<Done, String> {
    let source = Source::read(path)?;
    let formatted = format(&source.text).map_err(|error| format!("`{}`: {error}", source.path))?;
    note_mistakes(&source);
    let stdin = path == STDIN;
    if formatted == source.text {
        return Ok(Done::Same(if stdin && !check { formatted } else { String::new() }));
    }
    if check {
        return Ok(Done::Changed(difference::render(&source, &formatted)));
    }
    if stdin {
        return Ok(Done::Changed(formatted));
    }
    fs::write(path, formatted)
        .map_err(|error| format!("cannot write `{path}`: {}", reason(&error)))?;
    Ok(Done::Changed(String::new()))
}

/// Says that some items were left as they are, and where the first mistake is.
fn note_mistakes(source: &Source) {
    let mistakes = parse(&source.text).errors;
    let Some(first) = mistakes.first() else { return };
    let before = source.text.get(..usize::from(first.range.start())).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    output::report(&format!(
        "note: {}:{line}: {}: items with mistakes are left as they are\n",
        source.path, first.message
    ));
}

fn summary(files: usize, changed: usize, failed: usize, check: bool) -> String {
    let counted = |count: usize| format!("{count} file{}", if count == 1 { "" } else { "s" });
    let failures = match failed {
        0 => String::new(),
        _ => format!(", {} could not be", counted(failed)),
    };
    match check {
        true if changed == 0 => format!("checked {}: all in style{failures}\n", counted(files)),
        true => format!("checked {}: {changed} not in style{failures}\n", counted(files)),
        false => format!("formatted {changed} of {}{failures}\n", counted(files)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own with a file that is not in style.
    fn folder(name: &str) -> (std::path::PathBuf, String) {
        let root = std::env::temp_dir().join(format!("neurc-fmt-{name}-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let path = root.join("a.nr");
        fs::write(&path, "func  f( ) { }\n").unwrap();
        (root, path.display().to_string())
    }

    fn run(paths: &[&str], check: bool) -> Outcome {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        execute(&FmtArgs { paths, check })
    }

    #[test]
    fn a_check_changes_nothing_and_ends_with_findings() {
        let (root, path) = folder("check");
        assert_eq!(run(&[&path], true), Ok(FINDINGS));
        assert_eq!(fs::read_to_string(&path).unwrap(), "func  f( ) { }\n");
        assert_eq!(run(&[&path], false), Ok(CLEAN));
        assert_eq!(fs::read_to_string(&path).unwrap(), "func f() {}\n");
        assert_eq!(run(&[&path], true), Ok(CLEAN));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_read_does_not_stop_the_others() {
        let (root, path) = folder("unreadable");
        let missing = root.join("missing.nr").display().to_string();
        assert_eq!(run(&[&missing, &path], false), Ok(COULD_NOT_RUN));
        assert_eq!(fs::read_to_string(&path).unwrap(), "func f() {}\n");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn items_with_mistakes_are_left_alone() {
        let (root, path) = folder("mistakes");
        fs::write(&path, "func  f( ) { }\nfunc  g( ) { 1   2 }\n").unwrap();
        assert_eq!(run(&[&path], false), Ok(CLEAN));
        assert_eq!(fs::read_to_string(&path).unwrap(), "func f() {}\nfunc  g( ) { 1   2 }\n");
        fs::remove_dir_all(root).unwrap();
    }
}
