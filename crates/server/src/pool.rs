//! The threads that compute answers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Receiver, Sender, unbounded};
use neuro_db::Db;
use salsa::{Cancelled, Database};

use crate::job::{Failure, Job, Snapshot};
use crate::main_loop::Message;

/// Threads that compute: two keep one free for a quick question while another takes long.
const THREADS: usize = 2;
/// The stack of a thread that analyses text, in bytes. Analysis recurses along what a text nests or chains,
/// such as constants made of constants; only the pages that are touched take memory.
pub const ANALYSIS_STACK: usize = 256 << 20;
/// How often a question is tried on a text that changes meanwhile.
const ATTEMPTS: u32 = 4;

/// A question to be computed.
pub(crate) struct Task {
    pub(crate) job: Box<dyn Job>,
    pub(crate) snapshot: Snapshot,
    pub(crate) attempt: u32,
}

/// Starts the threads. What has to be tried again goes back to the main loop, for a new snapshot.
pub(crate) fn start(main_loop: &Sender<Message>) -> Sender<Task> {
    let (sender, tasks) = unbounded::<Task>();
    for _ in 0..THREADS {
        let (tasks, main_loop) = (tasks.clone(), main_loop.clone());
        let thread = std::thread::Builder::new()
            .name("analysis".to_owned())
            .stack_size(ANALYSIS_STACK)
            .spawn(move || serve(&tasks, &main_loop));
        if let Err(error) = thread {
            // With a thread less the server still answers; with none, questions wait for ever.
            eprintln!("neurc lsp: cannot start a thread: {error}");
        }
    }
    sender
}

fn serve(tasks: &Receiver<Task>, main_loop: &Sender<Message>) {
    for Task { mut job, snapshot, attempt } in tasks {
        if job.cancellation().is_cancelled() {
            drop(snapshot);
            job.answer(Err(Failure::Cancelled));
            continue;
        }
        let computed = catch_unwind(AssertUnwindSafe(|| {
            snapshot.db.attach(|db| {
                let _: &dyn Db = db;
                db.unwind_if_revision_cancelled();
                job.compute(&snapshot);
            });
        }));
        // A write is waiting for this handle: the answer comes after.
        drop(snapshot);
        match computed {
            Ok(()) => job.answer(Ok(())),
            Err(payload) => match payload.downcast::<Cancelled>() {
                Ok(reason)
                    if matches!(*reason, Cancelled::Local) || job.cancellation().is_cancelled() =>
                {
                    job.answer(Err(Failure::Cancelled));
                }
                Ok(_) if attempt < ATTEMPTS => {
                    // The loop ends only with the process.
                    let _ = main_loop.send(Message::Ask { job, attempt: attempt + 1 });
                }
                Ok(_) => job.answer(Err(Failure::ContentModified)),
                // The panic hook has written the message to the log.
                Err(_) => job.answer(Err(Failure::Internal)),
            },
        }
    }
}

#[cfg(test)]
mod tests;
