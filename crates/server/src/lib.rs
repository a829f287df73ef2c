//! The language server: protocol in, questions to `neuro_ide`, answers out.
//!
//! Owns the session: the open documents, the order in which edits and questions are taken, snapshots and
//! their cancellation, positions in the client's encoding, run actions and what they show.
//!
//! Never computes anything about a program itself, never compiles and never runs user code: that is
//! done by the worker process of `neuro_exec`.
//!
//! Only the adapter and the transport are asynchronous. One thread (`main_loop`) owns the database and
//! applies what arrives in order; questions run on a pool with a snapshot and unwind when an edit comes.
//!
//! Start at [`run`], then `adapter` and `main_loop`.

mod adapter;
mod capabilities;
mod diagnose;
mod disk;
mod documents;
mod guard;
mod job;
mod main_loop;
mod pool;
mod positions;
mod projects;
mod protocol;
mod publisher;
mod requests;
mod panics;
mod runs;
mod to_lsp;
mod transport;
mod waiting;

pub use pool::ANALYSIS_STACK;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tower_lsp::{LspService, Server};

use crate::adapter::Adapter;
use crate::guard::Guard;

/// Serves one client on standard input and output until it leaves. Gives the exit status.
pub fn run() -> i32 {
    keep_pages_small();
    let output = match transport::claim_stdout() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("neurc lsp: cannot take over standard output: {error}");
            return 2;
        }
    };
    let runtime =
        match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                eprintln!("neurc lsp: cannot start: {error}");
                return 2;
            }
        };
    let shut_down = Arc::new(AtomicBool::new(false));
    let served = Arc::clone(&shut_down);
    runtime.block_on(async move {
        let (service, socket) = LspService::build(Adapter::new)
            .custom_method("neuro/derivative", Adapter::derivative)
            .finish();
        let input = transport::checked_input();
        Server::new(input, tokio::fs::File::from_std(output), socket)
            // Waiting requests must not keep a cancellation or an edit from being read.
            .concurrency_level(1024)
            .serve(Guard::new(service, served))
            .await;
    });
    // A read of standard input may be waiting in the runtime: it is not waited for.
    runtime.shutdown_background();
    i32::from(!shut_down.load(std::sync::atomic::Ordering::SeqCst))
}

/// Asks the system for no huge pages: threads that each keep a few small things would take 2 MiB for them, and what is
/// freed in between would not be given back.
fn keep_pages_small() {
    // Where it cannot be asked, only more memory is taken.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
