//! `neurc run`: checks a program here, runs it in the worker.

use neuro_db::RootDatabase;
use neuro_exec::{Limits, RunKind, RunRequest};

use super::{FINDINGS, Outcome, follow};
use crate::cli::RunArgs;
use crate::output;
use crate::render::human;
use crate::source::Source;

/// Runs a program; its status is the command's.
pub(crate) fn execute(args: &RunArgs) -> Outcome {
    let source = Source::read(&args.file)?;
    if !show_errors(&source) {
        return Ok(FINDINGS);
    }
    let request = RunRequest {
        root: source.path.clone(),
        kind: RunKind::Program { flush_lines: follow::is_watched() },
        opt_level: args.optimization.level,
        limits: Limits::default(),
    };
    follow::follow(&source, request).map(|followed| followed.status)
}

/// Shows on standard error what is wrong with a program that is to run; whether it may.
pub(crate) fn show_errors(source: &Source) -> bool {
    let mut db = RootDatabase::default();
    let file = db.set_text(&source.path, &source.text);
    let diagnostics = neuro_ide::diagnostics(&db, file);
    let renderer = human::Human::new(&db, output::has_colours(&std::io::stderr()));
    for diagnostic in &diagnostics {
        output::report(&renderer.render(diagnostic));
    }
    !neuro_ide::has_errors(&diagnostics)
}
