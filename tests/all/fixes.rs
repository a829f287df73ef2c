//! Every fix that is offered for a program of the reference keeps its promise: applied, the diagnostic is gone
//! and none is new.

use std::ops::Range;

use neuro_db::codes::{self, Code};
use neuro_db::{Diagnostic, Fix, RootDatabase, Severity};

/// What a diagnostic says, without its place.
fn words(diagnostic: &Diagnostic) -> String {
    format!("{:?} {}", diagnostic.code, diagnostic.message)
}

/// The text with the edits of a fix, which all lie in it.
fn fixed(db: &RootDatabase, text: &str, fix: &Fix) -> String {
    let mut edits: Vec<(Range<usize>, &str)> =
        fix.edits.iter().map(|edit| (edit.span.absolute(db).into(), &*edit.text)).collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut result = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        result.replace_range(range, new);
    }
    result
}

/// Whether a fix may bring to light what could not be judged before: how names and types of a function are used
/// is seen when it can be read; what a header promises, when it promises it; a guess at a name is a
/// guess, and of two transpositions one suits.
fn reveals(before: &[Diagnostic], found: &Diagnostic, fix: &Fix) -> bool {
    const HEADERS: [Code; 3] = [codes::MAIN, codes::LOSS_TYPE, codes::IMPL_SIGNATURE];
    let unread = before.iter().any(|found| found.code.as_str().starts_with("E01"));
    let guess = ["change to `", "transpose the "].iter().any(|start| fix.title.starts_with(start));
    unread || guess || HEADERS.contains(&found.code)
}

#[test]
fn fixes_keep_their_promise() {
    let mut db = RootDatabase::default();
    let (mut fixes, mut broken) = (0, Vec::new());
    for (name, text) in crate::spec::programs() {
        let file = db.set_text("fixes.nr", &text);
        let before = neuro_ide::diagnostics(&db, file);
        let offered: Vec<_> = before
            .iter()
            .flat_map(|found| found.fixes.iter().map(move |fix| (found, fix)))
            .map(|(found, fix)| (found, fix, fixed(&db, &text, fix)))
            .collect();
        for (found, fix, new_text) in offered {
            fixes += 1;
            let file = db.set_text("fixes.nr", &new_text);
            let mut known: Vec<_> = before.iter().map(words).collect();
            known.retain(|known| *known != words(found));
            let reveals = reveals(&before, found, fix);
            for after in neuro_ide::diagnostics(&db, file) {
                let says = words(&after);
                let stays = says == words(found);
                let lint = after.severity == Severity::Warning;
                if stays || !lint && !reveals && !known.contains(&says) {
                    let what = if stays { "stays" } else { "is new" };
                    broken.push(format!(
                        "{name}: {}\n  {}: {says} {what}",
                        words(found),
                        fix.title
                    ));
                }
            }
        }
    }
    println!("{fixes} fixes of the reference applied");
    assert!(broken.is_empty(), "{} of {fixes}\n{}", broken.len(), broken.join("\n"));
    assert!(fixes > 0);
}
