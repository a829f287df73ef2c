//! Findings in the format that was asked for.

use neuro_db::{Diagnostic, RootDatabase, Severity};

use crate::cli::CheckFormat;
use crate::output::Look;
use crate::render::{github, human::Human, json, positions::Positions, sarif, short};

/// Writes findings and counts them.
pub(crate) struct Report<'db> {
    db: &'db RootDatabase,
    positions: Positions<'db>,
    format: CheckFormat,
    /// What one text has to hold as a whole.
    collected: Vec<Diagnostic>,
    count: Count,
}

impl<'db> Report<'db> {
    pub(crate) fn new(db: &'db RootDatabase, format: CheckFormat) -> Self {
        let positions = Positions::new(db);
        Self { db, positions, format, collected: Vec::new(), count: Count::default() }
    }

    /// The text of the findings of a file.
    pub(crate) fn file(&mut self, diagnostics: &[Diagnostic]) -> String {
        let human = Human::new(self.db, &self.positions, Look::of_stdout());
        let mut text = String::new();
        for diagnostic in diagnostics {
            self.count.add(diagnostic);
            text += &match self.format {
                CheckFormat::Human => human.render(diagnostic),
                CheckFormat::Short => short::render(self.db, &self.positions, diagnostic),
                CheckFormat::Json => json::render(self.db, &self.positions, diagnostic),
                CheckFormat::Github => github::render(self.db, &self.positions, diagnostic),
                CheckFormat::Sarif => {
                    self.collected.push(diagnostic.clone());
                    continue;
                }
            };
        }
        text
    }

    /// A mistake in a project file, for standard output, where its readers are programs.
    pub(crate) fn result_of_mistake(&self, diagnostic: &Diagnostic) -> String {
        match self.format {
            CheckFormat::Json => json::render(self.db, &self.positions, diagnostic),
            CheckFormat::Human | CheckFormat::Short | CheckFormat::Github | CheckFormat::Sarif => {
                String::new()
            }
        }
    }

    /// A mistake in a project file, for standard error.
    pub(crate) fn mistake(&self, diagnostic: &Diagnostic) -> String {
        match self.format {
            CheckFormat::Human => {
                Human::new(self.db, &self.positions, Look::of_stderr()).render(diagnostic)
            }
            CheckFormat::Github => github::render(self.db, &self.positions, diagnostic),
            CheckFormat::Short | CheckFormat::Json | CheckFormat::Sarif => {
                short::render(self.db, &self.positions, diagnostic)
            }
        }
    }

    /// What comes after the last file, and how many findings there were. `unread` says what could not be checked.
    pub(crate) fn end(self, unread: &[String], mistakes: &[Diagnostic]) -> (String, Count) {
        let text = match self.format {
            CheckFormat::Sarif => {
                let mut log = sarif::Log::new(self.db, &self.positions);
                for diagnostic in &self.collected {
                    log.add(diagnostic);
                }
                unread.iter().for_each(|message| log.add_failure(message));
                mistakes.iter().for_each(|mistake| log.add_mistake(mistake));
                log.text()
            }
            CheckFormat::Human | CheckFormat::Short | CheckFormat::Json | CheckFormat::Github => {
                String::new()
            }
        };
        (text, self.count)
    }
}

/// How many findings there were.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
}

impl Count {
    fn add(&mut self, diagnostic: &Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => {}
        }
    }

    /// A line for people.
    pub(crate) fn summary(&self, files: usize) -> String {
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
