//! The command line: `neurc run`, `build`, `check`, `ir`, `grad`, `fmt`, `explain`, `lsp`.
//!
//! Owns the commands with their options, formats and exit statuses, and how diagnostics and values look on
//! a terminal and in JSON.
//!
//! Never decides anything about a program: a command asks `neuro-ide` or the worker and shows the answer.
//!
//! Start at `cli`, then the module of a command.

mod cli;
mod commands;
mod project;
mod source;
mod render;
mod output;

use std::process::ExitCode;
use std::{io, thread};

use clap::Parser;
use mimalloc::MiMalloc;

use crate::cli::{Cli, Command};
use crate::commands::Outcome;

/// Syntax trees and query results are many small pieces of memory.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match outcome(Cli::parse().command) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            output::report(&format!("error: {message}\n"));
            ExitCode::from(commands::COULD_NOT_RUN)
        }
    }
}

fn outcome(command: Command) -> Outcome {
    match command {
        // The worker is forked for each run, and programs run on the stack that the system gave it.
        Command::Worker => command.execute(),
        _ => on_deep_stack(move || command.execute())
            .unwrap_or_else(|error| Err(format!("cannot start a thread: {error}"))),
    }
}

/// Runs a function that analyses text, where it has the stack for it.
fn on_deep_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let thread = thread::Builder::new()
        .name("main".to_owned())
        .stack_size(neuro_server::ANALYSIS_STACK)
        .spawn(run)?;
    match thread.join() {
        Ok(value) => Ok(value),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests;
