//! How an executable starts and ends.

use std::thread::Builder;

use crate::{output, signals};

/// The name of [`start`].
pub const START: &str = "neuro_start";

/// Bytes of the stack on which a program runs, as in the worker of the compiler: a recursion that is not too deep
/// there is not too deep here. Only what is used of it takes memory.
const STACK: usize = 256 << 20;

/// Runs a program and gives its exit status. The C entry point of an executable calls it.
#[unsafe(export_name = "neuro_start")]
pub extern "C" fn start(program: extern "C" fn() -> i32) -> i32 {
    let run = move || {
        signals::install();
        output::set_interactive(None);
        let status = program();
        output::flush();
        signals::remove();
        status
    };
    match Builder::new().stack_size(STACK).spawn(run) {
        // A panic aborts, so that the thread gives a status if it gives anything.
        Ok(thread) => thread.join().unwrap_or(1),
        // There is not so much address space: the stack of the system has to do.
        Err(_) => run(),
    }
}
