//! `neurc check`: the diagnostics of files.

mod program;
mod progress;
mod report;
mod watch;

use std::ops::ControlFlow;

use neuro_ide::diagnostics_of_all;
use neuro_server::ANALYSIS_STACK;

use super::{CLEAN, COULD_NOT_RUN, FINDINGS, Outcome};
use crate::cli::{CheckArgs, Deny};
use crate::output;
use crate::source::STDIN;

use program::Program;
use progress::Progress;
use report::Report;

/// Checks files and prints what is found on standard output.
pub(crate) fn execute(args: &CheckArgs) -> Outcome {
    if !args.watch {
        let mut program = Program::new(args);
        if let Err(message) = program.load() {
            // Who reads the log learns from it, too, that there was no run.
            let (log, _) =
                Report::new(&program.db, args.format).end(std::slice::from_ref(&message), &[]);
            return match output::print(&log) {
                Ok(()) => Err(message),
                Err(error) => output::not_written(&error),
            };
        }
        let status = check(&program, args);
        // The process ends: to take its memory apart piece by piece would only take time.
        std::mem::forget(program);
        return status;
    }
    if args.paths.iter().any(|path| path == STDIN) {
        return Err("standard input cannot be watched".to_owned());
    }
    watch::execute(args)
}

/// Checks what is loaded. What could not be loaded is told first, and decides the status.
fn check(program: &Program, args: &CheckArgs) -> Outcome {
    let mut report = Report::new(&program.db, args.format);
    for message in &program.unread {
        output::report(&format!("error: {message}\n"));
    }
    if !program.mistakes.is_empty() || program.no_project {
        let mut text = String::new();
        for mistake in &program.mistakes {
            output::report(&report.mistake(mistake));
            text += &report.result_of_mistake(mistake);
        }
        text += &report.end(&program.unread, &program.mistakes).0;
        return output::finish(&text, COULD_NOT_RUN);
    }
    let mut progress = Progress::new();
    let path = |index: usize| program.files.get(index).map(|file| file.path(&program.db));
    let show = |progress: &mut Progress, done: usize| {
        if let Some(path) = path(done) {
            progress.show(done, program.files.len(), path);
        }
    };
    show(&mut progress, 0);
    let mut written = Ok(());
    diagnostics_of_all(&program.db, &program.files, ANALYSIS_STACK, &mut |index, found| {
        let text = report.file(&found);
        if !text.is_empty() {
            progress.clear();
            written = output::print(&text);
        }
        show(&mut progress, index + 1);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if let Err(error) = written {
        return output::not_written(&error);
    }
    progress.clear();
    let (end, count) = report.end(&program.unread, &[]);
    if let Err(error) = output::print(&end) {
        return output::not_written(&error);
    }
    let nothing_read = program.files.is_empty() && !program.unread.is_empty();
    if (args.format.is_for_people() || args.watch) && !nothing_read {
        output::report(&count.summary(program.files.len()));
    }
    let denied = args.deny == Some(Deny::Warnings) && count.warnings > 0;
    Ok(match () {
        () if !program.unread.is_empty() => COULD_NOT_RUN,
        () if count.errors > 0 || denied => FINDINGS,
        () => CLEAN,
    })
}
