//! What an editor or a batch check asks of the compiler, as plain functions `(db, position) -> data`.
//!
//! Owns [`diagnostics`], the one function behind push, pull and `neurc check`, and the
//! same for many files at once ([`diagnostics_of_all`]); [`hover`]; [`lenses`];
//! [`derivative_view`]; [`quick_fixes`]; [`symbols`]; the settings of a project ([`read_project`]) and the levels of lints. Offsets are bytes of the file's text.
//!
//! Never knows a protocol, never starts a process, never compiles: what a run found is handed in.
//!
//! Start at [`diagnostics`], then [`hover`].

mod batch;
mod derivative_view;
mod diagnostics;
mod hover;
mod lens;
mod lints;
mod location;
mod project;
mod quick_fix;
mod symbol;

pub use batch::{Visit, diagnostics_of_all, parse_all};
pub use derivative_view::{DerivativeView, ViewLine, ViewStage, derivative_view};
pub use diagnostics::{diagnostics, has_errors};
pub use hover::{Hover, hover};
pub use lens::{Action, Lens, lenses};
pub use location::{find_function, function_at, name_range};
pub use neuro_hir::{
    Function, load_modules, module_candidates, needed_by_all, needed_files, similar, users_of,
};
pub use project::{
    Level, PROJECT_FILE, Project, Root, is_project_file, missing_root, read_project,
};
pub use quick_fix::{QuickFix, quick_fixes};
pub use symbol::{Symbol, SymbolKind, symbols};

#[cfg(test)]
mod tests;
