//! The threads that compute answers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Receiver, Sender, select_biased, unbounded};
use neuro_db::Db;
use salsa::{Cancelled, Database};

use crate::disk::read_file;
use crate::job::{Failure, Job, Snapshot, Urgency};
use crate::main_loop::Message;

/// Threads that compute anything, what somebody asked first.
const THREADS: usize = 2;
/// Threads that compute only what somebody asked, so that a quick question need not wait.
const FREE_THREADS: usize = 1;
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

/// The way to the threads.
pub(crate) struct Pool {
    asked: Sender<Task>,
    background: Sender<Task>,
}

impl Pool {
    /// Starts the threads. What has to be tried again goes back to the main loop, for a new snapshot.
    pub(crate) fn start(main_loop: &Sender<Message>) -> Self {
        let (asked, asked_tasks) = unbounded::<Task>();
        let (background, background_tasks) = unbounded::<Task>();
        for _ in 0..THREADS {
            spawn([&asked_tasks, &background_tasks].map(Receiver::clone), main_loop);
        }
        for _ in 0..FREE_THREADS {
            spawn([asked_tasks.clone(), crossbeam_channel::never()], main_loop);
        }
        Self { asked, background }
    }

    /// Has a question computed.
    pub(crate) fn send(&self, task: Task) {
        let queue = match task.job.urgency() {
            Urgency::Asked => &self.asked,
            Urgency::Background => &self.background,
        };
        // The pool ends only with the process.
        let _ = queue.send(task);
    }
}

/// Starts a thread that serves the first of the queues that has something.
fn spawn(queues: [Receiver<Task>; 2], main_loop: &Sender<Message>) {
    let main_loop = main_loop.clone();
    let serve_all = move || {
        let [first, second] = queues;
        let next = || {
            select_biased! {
                recv(first) -> task => task.ok(),
                recv(second) -> task => task.ok(),
            }
        };
        while let Some(task) = next() {
            serve(task, &main_loop);
        }
    };
    let thread = std::thread::Builder::new()
        .name("analysis".to_owned())
        .stack_size(ANALYSIS_STACK)
        .spawn(serve_all);
    if let Err(error) = thread {
        // With a thread less the server still answers; with none, questions wait for ever.
        eprintln!("neurc lsp: cannot start a thread: {error}");
    }
}

fn serve(task: Task, main_loop: &Sender<Message>) {
    let Task { mut job, snapshot, attempt } = task;
    if job.cancellation().is_cancelled() {
        drop(snapshot);
        job.answer(Err(Failure::Cancelled));
        return;
    }
    let computed = catch_unwind(AssertUnwindSafe(|| {
        snapshot.db.attach(|db| {
            let _: &dyn Db = db;
            db.unwind_if_revision_cancelled();
            job.compute(&snapshot);
        });
    }));
    let unanswered = snapshot.db.unanswered();
    // A write is waiting for this handle: the answer comes after.
    drop(snapshot);
    match computed {
        // What was computed without these files may be wrong.
        Ok(()) if !unanswered.is_empty() => {
            let read = |path: String| {
                let text = read_file(&path);
                (path, text)
            };
            let texts = unanswered.into_iter().map(read).collect();
            let _ = main_loop.send(Message::Loaded { texts, job, attempt });
        }
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
#[cfg(test)]
mod tests;
