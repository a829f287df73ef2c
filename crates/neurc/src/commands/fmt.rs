//! `neurc fmt`: files in the one style.

mod difference;

use std::fs;

use neuro_syntax::{format, parse};

use super::{CLEAN, COULD_NOT_RUN, FINDINGS, Outcome};
use crate::cli::FmtArgs;
use crate::output;
use crate::source::{STDIN, Source, expand, project_root, reason};

/// Formats files in place, or says which of them differ from the style.
pub(crate) fn execute(args: &FmtArgs) -> Outcome {
    let given = match args.paths.is_empty() {
        true => vec![project_root()],
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
