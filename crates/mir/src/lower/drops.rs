//! Drops of what is certainly empty go away: on every path to them the value was moved or dropped. So do the ends of
//! what owns nothing, unless it is borrowed: no reference to it may be used behind its end.

use neuro_db::Db;

use crate::bits::BitSet;
use crate::ownership::owns;
use crate::{
    BlockId, Body, DropReason, LocalId, Operand, Place, Rvalue, Statement, StatementKind,
    successors,
};

/// Removes the drops at the ends of scopes and of displaced values that find nothing. Drops of
/// consumed operands stay: the checks read them as moves.
pub(super) fn remove_empty(db: &dyn Db, body: &mut Body<'_>) {
    let statements = || body.blocks.values().flat_map(|block| &block.statements);
    if !statements().any(|statement| matches!(statement.kind, StatementKind::Drop { .. })) {
        return;
    }
    let owners = &Owners::of(db, body);
    let mut start: Vec<Option<BitSet>> = vec![None; body.blocks.len()];
    let mut entry = BitSet::default();
    for param in &body.params {
        if owners.by_type.contains(bit(*param)) {
            entry.insert(bit(*param));
        }
    }
    start[index(body.entry)] = Some(entry);
    let mut todo = vec![body.entry];
    while let Some(block) = todo.pop() {
        let mut full = start[index(block)].clone().unwrap_or_default();
        for statement in &body.blocks[block].statements {
            step(owners, body, statement, &mut full);
        }
        for next in successors(&body.blocks[block].terminator) {
            match &mut start[index(next)] {
                Some(known) => {
                    if known.union(&full) {
                        todo.push(next);
                    }
                }
                unknown => {
                    *unknown = Some(full.clone());
                    todo.push(next);
                }
            }
        }
    }
    let lent = lent(body);
    let ids: Vec<BlockId> = body.blocks.iter().map(|(id, _)| id).collect();
    for id in ids {
        let mut full = start[index(id)].clone().unwrap_or_default();
        let statements = std::mem::take(&mut body.blocks[id].statements);
        let kept = statements
            .into_iter()
            .filter(|statement| {
                let needed = !finds_nothing(owners, statement, (&full, &lent));
                step(owners, body, statement, &mut full);
                needed
            })
            .collect();
        body.blocks[id].statements = kept;
    }
}

/// The locals that may own something.
struct Owners {
    /// Those of a type that owns.
    by_type: BitSet,
    /// These, and those that own what their type does not tell.
    all: BitSet,
}

impl Owners {
    fn of(db: &dyn Db, body: &Body<'_>) -> Self {
        let mut owners = Owners { by_type: BitSet::default(), all: BitSet::default() };
        for (local, declaration) in body.locals.iter() {
            let by_type = owns(db, &declaration.ty);
            if by_type {
                owners.by_type.insert(bit(local));
            }
            if by_type || declaration.kind.is_hidden_owner() {
                owners.all.insert(bit(local));
            }
        }
        owners
    }
}

fn bit(local: LocalId) -> usize {
    local.into_raw().into_u32() as usize
}

fn index(block: BlockId) -> usize {
    block.into_raw().into_u32() as usize
}

/// The locals of which a reference is made.
fn lent(body: &Body<'_>) -> BitSet {
    let mut lent = BitSet::default();
    for statement in body.blocks.values().flat_map(|block| &block.statements) {
        if let StatementKind::Assign {
            value:
                Rvalue::Ref { place, .. } | Rvalue::Slice { place, .. } | Rvalue::Object { place, .. },
            ..
        } = &statement.kind
            && !place.is_behind_reference()
        {
            lent.insert(bit(place.local));
        }
    }
    lent
}

/// Whether a drop finds nothing to do: the place is not among those that are full, and its end does not matter to a
/// reference.
fn finds_nothing(
    owners: &Owners,
    statement: &Statement<'_>,
    (full, lent): (&BitSet, &BitSet),
) -> bool {
    match &statement.kind {
        StatementKind::Drop { place, reason } => {
            *reason != DropReason::Consumed
                && place.projections.is_empty()
                && !full.contains(bit(place.local))
                && (!lent.contains(bit(place.local)) || owners.by_type.contains(bit(place.local)))
        }
        _ => false,
    }
}

/// Which locals may hold something after a statement.
fn step(owners: &Owners, body: &Body<'_>, statement: &Statement<'_>, full: &mut BitSet) {
    let empty = |place: &Place, full: &mut BitSet| {
        if place.projections.is_empty() {
            full.remove(bit(place.local));
        }
    };
    match &statement.kind {
        StatementKind::Assign { place, value } => {
            match value {
                Rvalue::Use(Operand::Move(source)) => empty(source, full),
                Rvalue::Aggregate(parts) | Rvalue::Variant { parts, .. } => {
                    for part in parts {
                        if let Operand::Move(source) = part {
                            empty(source, full);
                        }
                    }
                }
                Rvalue::Use(_)
                | Rvalue::Ref { .. }
                | Rvalue::Gradient(_)
                | Rvalue::Tag(_)
                | Rvalue::Text(_)
                | Rvalue::TextOperation { .. }
                | Rvalue::Empty
                | Rvalue::Length(_)
                | Rvalue::Slice { .. }
                | Rvalue::Object { .. }
                | Rvalue::Operation { .. } => {}
            }
            fill(owners, place, full);
        }
        StatementKind::FunctionValue { kept, .. } => {
            if let Some(local) = body.kept.filter(|_| *kept) {
                full.insert(bit(local));
            }
        }
        StatementKind::Call { dest, args, .. }
        | StatementKind::CallDyn { dest, args, .. }
        | StatementKind::CallValue { dest, args, .. }
        | StatementKind::Collection { dest, args, .. } => {
            for arg in args {
                if let Operand::Move(source) = arg {
                    empty(source, full);
                }
            }
            if let Some(dest) = dest {
                fill(owners, dest, full);
            }
        }
        StatementKind::Forward(sweep) => {
            full.insert(bit(body.sweeps[*sweep].loss));
            full.insert(bit(body.sweeps[*sweep].residuals));
        }
        StatementKind::Backward(sweep) => full.remove(bit(body.sweeps[*sweep].residuals)),
        StatementKind::Drop { place, .. } => empty(place, full),
        // It makes something of nothing.
        StatementKind::Append { place, .. } => fill(owners, place, full),
        StatementKind::InPlace { .. }
        | StatementKind::SetElement { .. }
        | StatementKind::Bounds { .. }
        | StatementKind::ZeroGrad(_)
        | StatementKind::ClearText(_)
        | StatementKind::Print { .. }
        | StatementKind::PoolEnter(_)
        | StatementKind::PoolExit(_) => {}
    }
}

fn fill(owners: &Owners, place: &Place, full: &mut BitSet) {
    // Of an aggregate the whole may hold something as soon as a part does.
    if owners.all.contains(bit(place.local)) && !place.is_behind_reference() {
        full.insert(bit(place.local));
    }
}
