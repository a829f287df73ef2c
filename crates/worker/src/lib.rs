//! The worker: a process of its own in which programs are compiled and run.
//!
//! Owns the warm database and the compiled code of one process, the forked children that user code runs
//! in, their limits, and the sampling of inputs that a gradient run was not given.
//!
//! Never runs user code in its own process, never has a second thread that works (a fork copies only one), and never
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

/// Bytes of the stack on which programs are analysed and run: long chains in a program's text are followed by
/// recursion.
const STACK: usize = 256 << 20;

/// Serves requests on standard input until it ends. Gives the exit status.
pub fn main_loop() -> i32 {
    let serve = || session::Session::new().and_then(|mut session| session.serve());
    // A fork copies the thread that it is made on, and this one does nothing but wait.
    let served = std::thread::Builder::new().stack_size(STACK).spawn(serve).and_then(|thread| {
        thread.join().unwrap_or_else(|_| Err(std::io::Error::other("a bug ended it")))
    });
    match served {
        Ok(()) => 0,
        // The front end has gone while something was sent to it.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            eprintln!("worker: {error}");
            2
        }
    }
}
