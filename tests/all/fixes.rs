//! Every fix that is offered for a program of the reference keeps its promise: applied, the diagnostic is gone
//! and none is new.

use std::ops::Range;

use neuro_db::{Diagnostic, Fix, RootDatabase};

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
            // Names and types of a function are judged only when it has been read.
            let was_read = !before.iter().any(|found| format!("{:?}", found.code).contains("E01"));
            for after in neuro_ide::diagnostics(&db, file) {
                let says = words(&after);
                let stays = says == words(found);
                if stays || was_read && !known.contains(&says) {
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
