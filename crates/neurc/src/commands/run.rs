//! `neurc run`: checks a program here, runs it in the worker.

use neuro_db::{Diagnostic, RootDatabase, Severity};
use neuro_exec::{Limits, RunKind, RunRequest};
use neuro_ide::{needed_files, read_project};

use super::{COULD_NOT_RUN, FINDINGS, Outcome, follow};
use crate::cli::RunArgs;
use crate::output::{self, Look};
use crate::project::Projects;
use crate::render::{human::Human, positions::Positions};
use crate::source::Loaded;

/// Runs a program; its status is the command's.
pub(crate) fn execute(args: &RunArgs) -> Outcome {
    let mut program = Loaded::read(&args.file)?;
    if let Some(status) = refused(&mut program, "main")? {
        return Ok(status);
    }
    let request = RunRequest {
        root: program.path(),
        kind: RunKind::Program { flush_lines: follow::is_watched() },
        opt_level: args.optimization.level,
        limits: Limits::default(),
    };
    follow::follow(&program, request).map(|followed| followed.status)
}

/// Shows on standard error why a function of a program may not run: the errors of the program or of its project, or
/// what cannot be run yet. Gives the status of the command then.
pub(crate) fn refused(program: &mut Loaded, function: &str) -> Result<Option<u8>, String> {
    if let Some(status) = wrong(program)? {
        return Ok(Some(status));
    }
    let Loaded { db, root, .. } = program;
    let function = neuro_ide::find_function(db, *root, function);
    let reason = function.and_then(|function| neuro_mir::does_not_run(db, function));
    show(db, reason.as_slice());
    Ok(reason.map(|_| COULD_NOT_RUN))
}

/// Shows on standard error the errors of a program, or of its project. Gives the status of the command if there are
/// any. Warnings are left to `neurc check` and the editor: what a program prints stays its own.
pub(crate) fn wrong(program: &mut Loaded) -> Result<Option<u8>, String> {
    let Loaded { db, root, name } = program;
    let mut projects = Projects::new();
    let project = projects.attach(db, *root, name)?;
    let mistakes =
        project.map_or(Vec::new(), |project| read_project(db, project).diagnostics.clone());
    let mut diagnostics = mistakes.clone();
    if mistakes.is_empty() {
        for file in needed_files(db, *root) {
            if file != *root {
                let path = file.path(db).clone();
                projects.attach(db, file, &path)?;
            }
            diagnostics.extend(neuro_ide::diagnostics(db, file));
        }
    }
    diagnostics.retain(|found| found.severity == Severity::Error);
    show(db, &diagnostics);
    Ok(match neuro_ide::has_errors(&diagnostics) {
        true if mistakes.is_empty() => Some(FINDINGS),
        true => Some(COULD_NOT_RUN),
        false => None,
    })
}

/// Shows diagnostics on standard error.
pub(crate) fn show(db: &RootDatabase, diagnostics: &[Diagnostic]) {
    let positions = Positions::new(db);
    let renderer = Human::new(db, &positions, Look::of_stderr());
    for diagnostic in diagnostics {
        output::report(&renderer.render(diagnostic));
    }
}
