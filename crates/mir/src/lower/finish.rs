//! The last step: blocks that nothing reaches go away, the others are numbered in order.

use la_arena::ArenaMap;

use crate::{BlockId, BlockKind, Body, Table, Terminator, successors};

/// Removes the blocks that are not reached. The exit of a reached loop stays, even where no jump
/// leaves the loop.
pub(super) fn finish(mut body: Body<'_>) -> Body<'_> {
    let mut kept: ArenaMap<BlockId, BlockId> = ArenaMap::default();
    let mut todo = vec![body.entry];
    while let Some(block) = todo.pop() {
        if kept.contains_idx(block) {
            continue;
        }
        kept.insert(block, block);
        let data = &body.blocks[block];
        todo.extend(successors(&data.terminator));
        if let BlockKind::LoopHeader { exit } = data.kind {
            todo.push(exit);
        }
    }
    let mut blocks = Table::new();
    for (old, block) in body.blocks.into_entries() {
        if kept.contains_idx(old) {
            let new = blocks.alloc(block);
            kept.insert(old, new);
        }
    }
    let renamed = |block: BlockId| kept.get(block).copied().unwrap_or(block);
    for (_, block) in blocks.iter_mut() {
        if let BlockKind::LoopHeader { exit } = &mut block.kind {
            *exit = renamed(*exit);
        }
        match &mut block.terminator {
            Terminator::Goto(target) => *target = renamed(*target),
            Terminator::Branch { then, otherwise, join, .. } => {
                *then = renamed(*then);
                *otherwise = renamed(*otherwise);
                *join = join.map(renamed);
            }
            Terminator::Return | Terminator::Panic { .. } | Terminator::Unreachable => {}
        }
    }
    let ranges = std::mem::take(&mut body.ranges);
    for (header, range) in ranges.iter() {
        if kept.contains_idx(header) {
            body.ranges.insert(renamed(header), range.clone());
        }
    }
    body.entry = renamed(body.entry);
    body.blocks = blocks;
    body
}
