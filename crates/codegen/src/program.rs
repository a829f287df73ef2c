//! Compiled programs.

use neuro_runtime::output;

use crate::compiler::{Linked, Work};

/// A program in this process. Its code lives as long as this value.
pub struct Program {
    linked: Linked,
    entry: extern "C" fn() -> i32,
}

impl Program {
    pub(crate) fn new(linked: Linked, entry: *const u8) -> Self {
        // SAFETY: the code is that of a function without parameters that gives a 32-bit integer, in the
        // machine's own calling convention, and `linked` keeps it.
        let entry = unsafe { std::mem::transmute::<*const u8, extern "C" fn() -> i32>(entry) };
        Self { linked, entry }
    }

    /// What compiling it took.
    pub fn work(&self) -> Work {
        self.linked.work
    }

    /// Runs the program on this thread and gives its exit status. What it printed is flushed. A panic ends
    /// the process.
    pub fn run(&self) -> i32 {
        self.linked.bind();
        let status = (self.entry)();
        output::flush();
        status
    }
}
