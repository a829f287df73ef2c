//! Which references may be used later.

use neuro_hir::ExprId;

use super::access::{Access, AccessKind, accesses, terminator_accesses};
use super::scene::Scene;
use crate::bits::BitSet;
use crate::{Block, BlockId, LocalId, Statement, Terminator, successors};

/// For each block, the references that may be used after its start.
#[derive(Default)]
pub(super) struct Liveness {
    start: Vec<BitSet>,
}

/// A local's number in the sets.
pub(super) fn bit(local: LocalId) -> usize {
    local.into_raw().into_u32() as usize
}

fn index(block: BlockId) -> usize {
    block.into_raw().into_u32() as usize
}

/// The references that a statement uses.
pub(super) fn used(scene: &Scene<'_>, statement: &Statement<'_>) -> BitSet {
    let mut set = BitSet::default();
    for access in accesses(&scene.body, statement).iter().filter(|access| uses(scene, access)) {
        set.insert(bit(access.place.local));
    }
    set
}

/// Whether an access gives a whole local a new value.
fn defines(access: &Access<'_>) -> bool {
    access.kind == AccessKind::Assign && access.place.projections.is_empty()
}

/// Whether an access uses the references that the local of its place holds.
fn uses(scene: &Scene<'_>, access: &Access<'_>) -> bool {
    // The end of what holds a reference does not look through it, unless a `drop` runs.
    let looks = access.kind != AccessKind::End || scene.looks_at_its_end(access.place.local);
    !defines(access) && looks && scene.holds_reference(access.place.local)
}

/// The reference that a statement gives a new value.
pub(super) fn defined(scene: &Scene<'_>, statement: &Statement<'_>) -> Option<LocalId> {
    accesses(&scene.body, statement)
        .into_iter()
        .find(defines)
        .map(|access| access.place.local)
        .filter(|local| scene.holds_reference(*local))
}

fn step_back(scene: &Scene<'_>, statement: &Statement<'_>, live: &mut BitSet) {
    let accesses = accesses(&scene.body, statement);
    if let Some(access) = accesses.iter().find(|access| defines(access)) {
        live.remove(bit(access.place.local));
    }
    for access in accesses.iter().filter(|access| uses(scene, access)) {
        live.insert(bit(access.place.local));
    }
}

impl Liveness {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let blocks = &scene.body.blocks;
        let mut liveness = Self { start: vec![BitSet::default(); blocks.len()] };
        let mut changed = true;
        while changed {
            changed = false;
            for (id, block) in blocks.iter().rev() {
                let mut live = liveness.end(scene, block);
                for statement in block.statements.iter().rev() {
                    step_back(scene, statement, &mut live);
                }
                changed |= liveness.start[index(id)].union(&live);
            }
        }
        liveness
    }

    /// The references that may be used after the start of a block.
    pub(super) fn start(&self, block: BlockId) -> &BitSet {
        &self.start[index(block)]
    }

    /// The references that may be used after the statements of a block.
    fn end(&self, scene: &Scene<'_>, block: &Block<'_>) -> BitSet {
        let mut live = BitSet::default();
        for next in successors(&block.terminator) {
            live.union(&self.start[index(next)]);
        }
        if let (Terminator::Return, Some(ret)) = (&block.terminator, scene.body.ret)
            && scene.holds_reference(ret)
        {
            live.insert(bit(ret));
        }
        for access in terminator_accesses(&block.terminator) {
            if scene.holds_reference(access.place.local) {
                live.insert(bit(access.place.local));
            }
        }
        live
    }

    /// For each statement of a block, the references that may be used after it.
    pub(super) fn after_each(&self, scene: &Scene<'_>, block: &Block<'_>) -> Vec<BitSet> {
        let mut live = self.end(scene, block);
        let mut sets = Vec::with_capacity(block.statements.len());
        for statement in block.statements.iter().rev() {
            sets.push(live.clone());
            step_back(scene, statement, &mut live);
        }
        sets.reverse();
        sets
    }
}

/// The first use of a reference after a statement, on some path.
pub(super) fn next_use(
    scene: &Scene<'_>,
    (block, statement): (BlockId, usize),
    local: LocalId,
) -> Option<ExprId> {
    let mut seen = BitSet::default();
    let mut todo = std::collections::VecDeque::from([(block, statement + 1)]);
    while let Some((block, from)) = todo.pop_front() {
        let data = &scene.body.blocks[block];
        let mut redefined = false;
        for statement in data.statements.iter().skip(from) {
            let used = accesses(&scene.body, statement);
            let mut used = used.iter();
            if let Some(access) =
                used.find(|access| access.place.local == local && uses(scene, access))
            {
                return Some(access.part.unwrap_or(statement.expr));
            }
            redefined = defined(scene, statement) == Some(local);
            if redefined {
                break;
            }
        }
        if redefined {
            continue;
        }
        for next in successors(&data.terminator) {
            if !seen.contains(index(next)) {
                seen.insert(index(next));
                todo.push_back((next, 0));
            }
        }
    }
    None
}
