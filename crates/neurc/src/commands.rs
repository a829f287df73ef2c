//! A module a command.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod grad;
pub(crate) mod ir;
pub(crate) mod lsp;
pub(crate) mod run;
pub(crate) mod worker;

mod follow;

/// The exit status, or why the command could not do its work.
pub(crate) type Outcome = Result<u8, String>;

/// Nothing to say.
pub(crate) const CLEAN: u8 = 0;

/// The program has errors.
pub(crate) const FINDINGS: u8 = 1;

/// The command could not do its work.
pub(crate) const COULD_NOT_RUN: u8 = 2;

/// The program panicked, or was ended otherwise.
pub(crate) const ABORTED: u8 = 134;
