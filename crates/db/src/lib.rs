//! The database: what the compiler is given, and what it says back.
//!
//! Owns the salsa inputs ([`SourceFile`], [`FilePlace`]), the text of the prelude, the one database ([`RootDatabase`]) and its trait ([`Db`]),
//! the memoised parse of a file ([`parse`]), where its items start ([`item_starts`]), its line table
//! ([`line_index`]), and the diagnostics type ([`Diagnostic`]) with the registry of codes ([`codes`]).
//! Results of a run ([`run`]) are plain types here, so that the door that shows them needs no back end.
//!
//! Never resolves a name, never knows a type, never reads a file: texts are handed in by the doors.
//!
//! Start at [`Db`], then [`Diagnostic`].

pub mod codes;
mod database;
mod diagnostic;
pub mod run;
mod source;

pub use database::{Db, RootDatabase};
pub use diagnostic::{Diagnostic, Edit, Fix, Related, Severity, Span};
pub use source::{
    AstId, FilePlace, Green, Name, Presence, SourceFile, file_at, item_starts, line_index, parse,
};
