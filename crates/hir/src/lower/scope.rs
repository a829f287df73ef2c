//! Which local a name means.

use neuro_db::Name;

use crate::LocalId;

/// The locals that are visible, the innermost last. A later one of a name shadows the earlier.
#[derive(Default)]
pub(crate) struct Scopes {
    visible: Vec<Visible>,
}

struct Visible {
    name: Name,
    local: LocalId,
    /// Whether it is a constant.
    constant: bool,
}

/// Where a scope began.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl Scopes {
    /// Begins a scope.
    pub(crate) fn enter(&self) -> Mark {
        Mark(self.visible.len())
    }

    /// Ends a scope: what was declared since is no longer visible.
    pub(crate) fn leave(&mut self, mark: Mark) {
        self.visible.truncate(mark.0);
    }

    /// Takes what was declared since a mark out of sight, to be brought back by [`Scopes::restore`].
    pub(crate) fn hide(&mut self, mark: Mark) -> Hidden {
        Hidden(self.visible.split_off(mark.0.min(self.visible.len())))
    }

    /// Brings back what was hidden.
    pub(crate) fn restore(&mut self, hidden: Hidden) {
        self.visible.extend(hidden.0);
    }

    /// Makes a local visible. `_` and a missing name bind nothing.
    pub(crate) fn declare(&mut self, name: Name, local: LocalId, constant: bool) {
        if !name.is_empty() && name != "_" {
            self.visible.push(Visible { name, local, constant });
        }
    }

    /// The local that a name means.
    pub(crate) fn find(&self, name: &str) -> Option<LocalId> {
        self.visible.iter().rev().find(|visible| visible.name == name).map(|found| found.local)
    }

    /// The local that a name means, if it is a constant.
    pub(crate) fn find_const(&self, name: &str) -> Option<LocalId> {
        let found = self.visible.iter().rev().find(|visible| visible.name == name)?;
        found.constant.then_some(found.local)
    }
}

/// What is out of sight for a while.
pub(crate) struct Hidden(Vec<Visible>);
