//! Sessions with the language server over real pipes.

use neuro_tests::client;
mod documents;
mod edits;
mod formatting;
mod guards;
mod memory;
mod modules;
mod projects;
mod runs;
