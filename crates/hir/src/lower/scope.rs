//! Which local a name means.

use neuro_db::Name;

use crate::LocalId;

/// The locals that are visible, the innermost last. A later one of a name shadows the earlier.
#[derive(Default)]
pub(super) struct Scopes {
    visible: Vec<(Name, LocalId)>,
}

/// Where a scope began.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Scopes {
    /// Begins a scope.
    pub(super) fn enter(&self) -> Mark {
        Mark(self.visible.len())
    }

    /// Ends a scope: what was declared since is no longer visible.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.visible.truncate(mark.0);
    }

    /// Makes a local visible. `_` and a missing name bind nothing.
    pub(super) fn declare(&mut self, name: Name, local: LocalId) {
        if !name.is_empty() && name != "_" {
            self.visible.push((name, local));
        }
    }

    /// The local that a name means.
    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        self.visible.iter().rev().find(|(visible, _)| visible == name).map(|(_, local)| *local)
    }
}
