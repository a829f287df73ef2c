//! The fixes of diagnostics, as edits.

use neuro_db::{Db, Diagnostic, SourceFile};
use text_size::TextRange;

/// A change that makes a diagnostic go away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuickFix {
    /// What it does.
    pub title: String,
    /// What is replaced in the file and by what; the replacements do not overlap.
    pub edits: Vec<(TextRange, String)>,
    /// The diagnostic that it is for.
    pub diagnostic: Diagnostic,
}

/// The fixes of the diagnostics that touch a range.
pub fn quick_fixes(db: &dyn Db, file: SourceFile, range: TextRange) -> Vec<QuickFix> {
    let mut fixes = Vec::new();
    for diagnostic in crate::diagnostics(db, file) {
        if diagnostic.span.absolute(db).intersect(range).is_none() {
            continue;
        }
        for fix in &diagnostic.fixes {
            let edits = fix.edits.iter().filter(|edit| edit.span.file == file);
            fixes.push(QuickFix {
                title: fix.title.clone(),
                edits: edits.map(|edit| (edit.span.absolute(db), edit.text.clone())).collect(),
                diagnostic: diagnostic.clone(),
            });
        }
    }
    fixes
}
