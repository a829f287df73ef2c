//! The worker: a process of its own in which programs are compiled and run.
//!
//! Owns the warm database and the compiled code of one process, the forked children that user code runs
//! in, their limits, and the sampling of inputs that a gradient run was not given.
//!
//! Never runs user code in its own process, never has a second thread (a fork copies only one), and never
//! writes anything but the protocol to its standard output. What is asked and answered is `neuro-exec`'s.
//!
//! Start at [`main_loop`], then `session` and `child`.

mod session;
mod compile;
mod gradient;
mod inputs;
mod child;
mod channel;
mod utf8;
mod os;

/// How far the stack of a program may grow, in bytes, where the system allows it.
const STACK: u64 = 64 << 20;

/// Serves requests on standard input until it ends. Gives the exit status.
pub fn main_loop() -> i32 {
    // A smaller stack is no reason not to work.
    let _ = os::raise_stack_limit(STACK);
    match session::Session::new().and_then(|mut session| session.serve()) {
        Ok(()) => 0,
        // The front end has gone while something was sent to it.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            eprintln!("worker: {error}");
            2
        }
    }
}
