//! `neurc check`: the diagnostics of files.

use neuro_db::{Diagnostic, RootDatabase, Severity};

use super::{CLEAN, FINDINGS, Outcome};
use crate::cli::{CheckArgs, CheckFormat, Deny};
use crate::output;
use crate::render::{human::Human, json, short};
use crate::source::{Source, expand, project_root};

/// Checks files and prints what is found on standard output.
pub(crate) fn execute(args: &CheckArgs) -> Outcome {
    let given = match args.paths.is_empty() {
        true => vec![project_root()],
        false => args.paths.clone(),
    };
    let mut db = RootDatabase::default();
    let mut files = Vec::new();
    for path in expand(&given)? {
        let source = Source::read(&path)?;
        files.push(db.set_text(&source.path, &source.text));
    }
    let mut count = Count::default();
    let human = Human::new(&db, output::has_colours(&std::io::stdout()));
    for file in &files {
        let mut text = String::new();
        for diagnostic in neuro_ide::diagnostics(&db, *file) {
            count.add(&diagnostic);
            text += &match args.format {
                CheckFormat::Human => human.render(&diagnostic),
                CheckFormat::Short => short::render(&db, &diagnostic),
                CheckFormat::Json => json::render(&db, &diagnostic),
            };
        }
        if let Err(error) = output::print(&text) {
            return output::not_written(&error);
        }
    }
    if args.format == CheckFormat::Human {
        output::report(&count.summary(files.len()));
    }
    let denied = args.deny == Some(Deny::Warnings) && count.warnings > 0;
    Ok(if count.errors > 0 || denied { FINDINGS } else { CLEAN })
}

/// How many findings there were.
#[derive(Default)]
struct Count {
    errors: usize,
    warnings: usize,
}

impl Count {
    fn add(&mut self, diagnostic: &Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => {}
        }
    }

    fn summary(&self, files: usize) -> String {
        let counted = |count: usize, what: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {what}{plural}")
        };
        let files = counted(files, "file");
        let errors = counted(self.errors, "error");
        let warnings = counted(self.warnings, "warning");
        match (self.errors, self.warnings) {
            (0, 0) => format!("checked {files}: nothing to report\n"),
            (_, 0) => format!("checked {files}: {errors}\n"),
            (0, _) => format!("checked {files}: {warnings}\n"),
            (_, _) => format!("checked {files}: {errors}, {warnings}\n"),
        }
    }
}
