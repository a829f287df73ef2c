//! The command line: `neurc run`, `check`, `ir`, `grad`, `explain`, `lsp`.
//!
//! Owns the commands with their options, formats and exit statuses, and how diagnostics and values look on
//! a terminal and in JSON.
//!
//! Never decides anything about a program: a command asks `neuro-ide` or the worker and shows the answer.
//!
//! Start at `cli`, then the module of a command.

mod cli;
mod commands;
mod source;
mod render;
mod output;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().command.execute() {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            output::report(&format!("error: {message}\n"));
            ExitCode::from(commands::COULD_NOT_RUN)
        }
    }
}
