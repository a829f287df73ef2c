//! The diagnostics of many files: computed on several threads, given in order.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use neuro_db::{Diagnostic, RootDatabase, SourceFile};

use crate::diagnostics;

/// What a batch gives for each file, with the file's index; it says whether the batch goes on.
pub type Visit<'a, T> = dyn FnMut(usize, T) -> ControlFlow<()> + 'a;

/// Gives the [`diagnostics`] of files in their order, each as soon as those before it are there. They are
/// computed on as many threads as the machine runs at once, each with a stack of `stack` bytes.
pub fn diagnostics_of_all(
    db: &RootDatabase,
    files: &[SourceFile],
    stack: usize,
    visit: &mut Visit<'_, Vec<Diagnostic>>,
) {
    on_threads(db, files, stack, &|db, file| diagnostics(db, file), visit);
}

/// Parses files on several threads, so that what asks for their modules one after the other waits for nothing.
pub fn parse_all(db: &RootDatabase, files: &[SourceFile], stack: usize) {
    let parse = |db: &RootDatabase, file| neuro_hir::prepare(db, file);
    on_threads(db, files, stack, &parse, &mut |_, ()| ControlFlow::Continue(()));
}

fn on_threads<T: Send>(
    db: &RootDatabase,
    files: &[SourceFile],
    stack: usize,
    work: &(dyn Fn(&RootDatabase, SourceFile) -> T + Sync),
    visit: &mut Visit<'_, T>,
) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicUsize::new(0);
    let take = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        files.get(index).map(|file| (index, *file))
    };
    thread::scope(|scope| {
        let (sender, results) = channel();
        let start = |_| -> io::Result<()> {
            let (db, sender) = (db.clone(), sender.clone());
            let serve = move || {
                while let Some((index, file)) = take() {
                    // Nobody listens any more when the batch was ended.
                    if sender.send((index, work(&db, file))).is_err() {
                        break;
                    }
                }
            };
            let thread = thread::Builder::new().name("batch".to_owned()).stack_size(stack);
            thread.spawn_scoped(scope, serve).map(drop)
        };
        let wanted = cores.min(files.len());
        let started = (0..wanted).map(start).take_while(Result::is_ok).count();
        drop(sender);
        let mut early = BTreeMap::new();
        let mut given = 0;
        let mut give = |index: usize, value: T| {
            early.insert(index, value);
            while let Some(value) = early.remove(&given) {
                visit(given, value)?;
                given += 1;
            }
            ControlFlow::Continue(())
        };
        if started == 0 {
            // The system has no thread to spare.
            while let Some((index, file)) = take() {
                if give(index, work(db, file)).is_break() {
                    return;
                }
            }
        }
        for (index, value) in results {
            if give(index, value).is_break() {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of which every third has a mistake, that import each other.
    fn files(db: &mut RootDatabase, count: usize) -> Vec<SourceFile> {
        let text = |n: usize| {
            let needed = n / 2;
            let ty = if n % 3 == 1 { "bool" } else { "i32" };
            let import =
                if n > 0 { format!("import m{needed}::f{needed}\n") } else { String::new() };
            let body = if n > 0 { format!("f{needed}(x)") } else { "x".to_owned() };
            format!(
                "{import}export func f{n}(x: i32) -> i32 {{\n    val y: {ty} = {body}\n    y\n}}\n"
            )
        };
        (0..count).map(|n| db.set_text(&format!("m{n}.nr"), &text(n))).collect()
    }

    #[test]
    fn many_threads_say_what_one_says_in_order() {
        let mut db = RootDatabase::default();
        let files = files(&mut db, 60);
        let mut seen = Vec::new();
        parse_all(&db, &files, 1 << 20);
        diagnostics_of_all(&db, &files, 8 << 20, &mut |index, found| {
            assert_eq!(index, seen.len());
            seen.push(found);
            ControlFlow::Continue(())
        });
        let mut alone = RootDatabase::default();
        let others = super::tests::files(&mut alone, 60);
        let messages = |found: &[Diagnostic]| -> Vec<String> {
            found.iter().map(|found| found.message.clone()).collect()
        };
        for (found, other) in seen.iter().zip(&others) {
            assert_eq!(messages(found), messages(&diagnostics(&alone, *other)));
        }
        assert_eq!((seen.len(), seen.iter().filter(|found| !found.is_empty()).count()), (60, 20));
    }

    #[test]
    fn a_batch_can_be_ended() {
        let mut db = RootDatabase::default();
        let files = files(&mut db, 20);
        let mut count = 0;
        diagnostics_of_all(&db, &files, 8 << 20, &mut |_, _| {
            count += 1;
            ControlFlow::Break(())
        });
        assert_eq!(count, 1);
        // Every snapshot is gone, or this would wait for ever.
        db.set_text("m0.nr", "");
    }
}
