//! `neurc run`: checks a program here, runs it in the worker.

use neuro_db::RootDatabase;
use neuro_exec::{Limits, RunKind, RunRequest};
use neuro_ide::read_project;

use super::{COULD_NOT_RUN, FINDINGS, Outcome, follow};
use crate::cli::RunArgs;
use crate::output::{self, Look};
use crate::project::Projects;
use crate::render::{human::Human, positions::Positions};
use crate::source::Source;

/// Runs a program; its status is the command's.
pub(crate) fn execute(args: &RunArgs) -> Outcome {
    let source = Source::read(&args.file)?;
    if let Some(status) = refused(&source)? {
        return Ok(status);
    }
    let request = RunRequest {
        root: source.path.clone(),
        kind: RunKind::Program { flush_lines: follow::is_watched() },
        opt_level: args.optimization.level,
        limits: Limits::default(),
    };
    follow::follow(&source, request).map(|followed| followed.status)
}

/// Shows on standard error what is wrong with a program that is to run, or with its project. Gives the status
/// of the command if it may not run.
pub(crate) fn refused(source: &Source) -> Result<Option<u8>, String> {
    let mut db = RootDatabase::default();
    let file = db.set_text(&source.path, &source.text);
    let project = Projects::new().attach(&mut db, file, &source.name)?;
    let mistakes = project.map_or(&[][..], |project| &read_project(&db, project).diagnostics);
    let diagnostics = match mistakes {
        [] => neuro_ide::diagnostics(&db, file),
        _ => mistakes.to_vec(),
    };
    let positions = Positions::new(&db);
    let renderer = Human::new(&db, &positions, Look::of_stderr());
    for diagnostic in &diagnostics {
        output::report(&renderer.render(diagnostic));
    }
    Ok(match neuro_ide::has_errors(&diagnostics) {
        true if mistakes.is_empty() => Some(FINDINGS),
        true => Some(COULD_NOT_RUN),
        false => None,
    })
}
