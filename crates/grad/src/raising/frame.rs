//! What is known of a function's places while its statements are walked.

use neuro_ir::ValueId;
use neuro_mir::{LocalId, Place, Projection};
use rustc_hash::FxHashMap;

/// Something that holds a value: references are resolved to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Cell {
    /// A local.
    Local(LocalId),
    /// What a reference parameter refers to: it may be read, never written.
    Referent(LocalId),
}

/// The values of the places at one point of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    /// The value that each cell holds now.
    values: FxHashMap<Cell, ValueId>,
    /// The cell that each local of reference type refers to now.
    references: FxHashMap<LocalId, Cell>,
}

impl Environment {
    /// The cell that a place stands for; none when it goes through an unknown reference, or is a part of an
    /// aggregate.
    pub(super) fn cell(&self, place: &Place) -> Option<Cell> {
        let mut cell = Cell::Local(place.local);
        for projection in &place.projections {
            match projection {
                Projection::Deref => {
                    let Cell::Local(local) = cell else { return None };
                    cell = *self.references.get(&local)?;
                }
                // Graphs have no aggregates.
                Projection::Field { .. }
                | Projection::Payload { .. }
                | Projection::Element(_)
                | Projection::Rest(_)
                | Projection::Index(_) => {
                    return None;
                }
            }
        }
        Some(cell)
    }

    /// The value in a cell.
    pub(super) fn value(&self, cell: Cell) -> Option<ValueId> {
        self.values.get(&cell).copied()
    }

    /// Puts a value in a cell.
    pub(super) fn set(&mut self, cell: Cell, value: ValueId) {
        self.values.insert(cell, value);
    }

    /// The cells that hold another value than in `before`, in order.
    pub(super) fn changed(&self, before: &Environment) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self
            .values
            .iter()
            .filter(|(cell, value)| before.values.get(cell) != Some(value))
            .map(|(cell, _)| *cell)
            .collect();
        cells.sort_unstable();
        cells
    }

    /// Forgets what a local refers to.
    pub(super) fn forget(&mut self, local: LocalId) {
        self.references.remove(&local);
    }

    /// What a local of reference type refers to.
    pub(super) fn referent(&self, local: LocalId) -> Option<Cell> {
        self.references.get(&local).copied()
    }

    /// Makes a local refer to a cell.
    pub(super) fn refer(&mut self, local: LocalId, cell: Cell) {
        self.references.insert(local, cell);
    }
}
