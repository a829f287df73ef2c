//! Borrows: while a reference may still be used, nothing happens to its place that it excludes.
//!
//! Every `&place`, `&mut place` and `.grad()` is a loan. A forward analysis says which loans each
//! reference may hold; a loan is active while a reference that holds it may be used. The arguments of
//! a sweep are references that its `.backward()` uses: this is the whole rule of the gradient borrow.

mod report;

use neuro_hir::ExprId;
use neuro_types::Finding;
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Access, AccessKind, accesses, terminator_accesses};
use super::liveness::{Liveness, bit, defined, used};
use super::paths::touches;
use super::scene::Scene;
use crate::bits::BitSet;
use crate::{
    BlockId, LocalId, Operand, Place, Rvalue, Statement, StatementKind, SweepId, successors,
};

/// A borrow of a place.
struct Loan {
    place: Place,
    mutable: bool,
    /// Whether it is of the gradient slot.
    gradient: bool,
    expr: ExprId,
}

/// The loans that each reference may hold; references that are not used later have no entry.
type Held = FxHashMap<LocalId, BitSet>;

struct Borrows<'a, 'db> {
    scene: &'a Scene<'db>,
    liveness: Liveness,
    loans: Vec<Loan>,
    /// The loan that a statement makes, by block and index.
    made: FxHashMap<(BlockId, usize), usize>,
    /// The sweep whose argument a reference is.
    sweeps: FxHashMap<LocalId, SweepId>,
    start: FxHashMap<BlockId, Held>,
    findings: &'a mut Vec<Finding>,
    /// The words at which something was reported.
    reported: FxHashSet<ExprId>,
}

/// A point in front of a statement, and what is known there.
struct Point<'p> {
    block: BlockId,
    index: usize,
    /// The loans that are active while the statement reads its operands.
    during: &'p Held,
    /// The loans that are active after it.
    after: &'p Held,
}

pub(super) fn check(scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let mut borrows = Borrows {
        scene,
        liveness: Liveness::new(scene),
        loans: Vec::new(),
        made: FxHashMap::default(),
        sweeps: FxHashMap::default(),
        start: FxHashMap::default(),
        findings,
        reported: FxHashSet::default(),
    };
    borrows.collect();
    if borrows.loans.is_empty() {
        return;
    }
    borrows.solve();
    borrows.examine();
}

impl<'db> Borrows<'_, 'db> {
    fn collect(&mut self) {
        let body = &self.scene.body;
        for (block, data) in body.blocks.iter() {
            for (index, statement) in data.statements.iter().enumerate() {
                let StatementKind::Assign { value, .. } = &statement.kind else {
                    continue;
                };
                let (place, mutable, gradient) = match value {
                    Rvalue::Ref { mutable, place } => (place, *mutable, false),
                    Rvalue::Slice { mutable, place, .. } | Rvalue::Object { mutable, place } => {
                        (place, *mutable, false)
                    }
                    Rvalue::Gradient(place) => (place, false, true),
                    Rvalue::Empty
                    | Rvalue::Length(_)
                    | Rvalue::Use(_)
                    | Rvalue::Aggregate(_)
                    | Rvalue::Variant { .. }
                    | Rvalue::Tag(_)
                    | Rvalue::Text(_)
                    | Rvalue::TextOperation { .. }
                    | Rvalue::Operation { .. } => continue,
                };
                self.made.insert((block, index), self.loans.len());
                self.loans.push(Loan {
                    place: place.clone(),
                    mutable,
                    gradient,
                    expr: statement.expr,
                });
            }
        }
        for (id, sweep) in body.sweeps.iter() {
            for arg in &sweep.args {
                if let Operand::Copy(place) = arg {
                    self.sweeps.insert(place.local, id);
                }
            }
        }
    }

    fn solve(&mut self) {
        let body = &self.scene.body;
        let mut todo = vec![body.entry];
        self.start.insert(body.entry, Held::default());
        while let Some(block) = todo.pop() {
            let mut held = self.start.get(&block).cloned().unwrap_or_default();
            for (index, statement) in body.blocks[block].statements.iter().enumerate() {
                self.transfer((block, index), statement, &mut held);
            }
            for next in successors(&body.blocks[block].terminator) {
                let live = self.liveness.start(next);
                let mut changed = !self.start.contains_key(&next);
                let known = self.start.entry(next).or_default();
                for (local, loans) in held.iter().filter(|(local, _)| live.contains(bit(**local))) {
                    changed |= known.entry(*local).or_default().union(loans);
                }
                if changed {
                    todo.push(next);
                }
            }
        }
    }

    /// The loans that a statement gives to the reference that it defines.
    fn transfer(&self, at: (BlockId, usize), statement: &Statement<'db>, held: &mut Held) {
        self.keep(statement, held);
        let mut loans = BitSet::default();
        let mut inherit = |place: &Place| {
            if let Some(inherited) = held.get(&place.local) {
                loans.union(inherited);
            }
        };
        let dest = match &statement.kind {
            StatementKind::Assign { place, value } => {
                match value {
                    Rvalue::Use(Operand::Copy(source) | Operand::Move(source)) => inherit(source),
                    // A reference made through a reference keeps alive what that one borrows.
                    Rvalue::Ref { place, .. }
                    | Rvalue::Slice { place, .. }
                    | Rvalue::Object { place, .. }
                    | Rvalue::Gradient(place) => {
                        if place.is_behind_reference() {
                            inherit(place);
                        }
                    }
                    Rvalue::Aggregate(parts)
                    | Rvalue::Variant { parts, .. }
                    | Rvalue::TextOperation { operands: parts, .. } => {
                        for part in parts {
                            if let Operand::Copy(place) | Operand::Move(place) = part {
                                inherit(place);
                            }
                        }
                    }
                    Rvalue::Use(Operand::Const(_))
                    | Rvalue::Tag(_)
                    | Rvalue::Text(_)
                    | Rvalue::Empty
                    | Rvalue::Length(_)
                    | Rvalue::Operation { .. } => {}
                }
                place
            }
            StatementKind::Call { dest: Some(dest), args, .. }
            | StatementKind::CallDyn { dest: Some(dest), args, .. } => {
                for arg in args {
                    if let Operand::Copy(place) | Operand::Move(place) = arg {
                        inherit(place);
                    }
                }
                dest
            }
            StatementKind::CallValue { dest: Some(dest), callee, args } => {
                for operand in args.iter().chain([callee]) {
                    if let Operand::Copy(place) | Operand::Move(place) = operand {
                        inherit(place);
                    }
                }
                dest
            }
            StatementKind::FunctionValue { dest, captures, .. } => {
                captures.iter().for_each(&mut inherit);
                dest
            }
            StatementKind::Collection { dest: Some(dest), place, .. } => {
                inherit(place);
                dest
            }
            _ => return,
        };
        if !self.scene.holds_reference(dest.local) {
            return;
        }
        if let Some(loan) = self.made.get(&at) {
            loans.insert(*loan);
        }
        if dest.projections.is_empty() {
            held.insert(dest.local, loans);
        } else {
            // In a part, or through a reference to a reference: what was there may still be there.
            held.entry(dest.local).or_default().union(&loans);
        }
    }

    /// A collection borrows what the references borrow that it is given, and what it borrowed before.
    fn keep(&self, statement: &Statement<'db>, held: &mut Held) {
        let StatementKind::Collection { place, args, .. } = &statement.kind else { return };
        if !self.scene.holds_reference(place.local) {
            return;
        }
        let mut loans = BitSet::default();
        for arg in args {
            if let Operand::Copy(source) | Operand::Move(source) = arg
                && let Some(inherited) = held.get(&source.local)
            {
                loans.union(inherited);
            }
        }
        held.entry(place.local).or_default().union(&loans);
    }

    fn examine(&mut self) {
        let body = &self.scene.body;
        for (block, data) in body.blocks.iter() {
            let Some(mut held) = self.start.get(&block).cloned() else { continue };
            let after_each = self.liveness.after_each(self.scene, data);
            for (index, (statement, live)) in data.statements.iter().zip(&after_each).enumerate() {
                let during = self.active_during(&held, statement, live);
                self.transfer((block, index), statement, &mut held);
                held.retain(|local, _| live.contains(bit(*local)));
                let point = Point { block, index, during: &during, after: &held };
                self.statement(statement, &point);
            }
            let last = data.statements.len();
            let expr = data.statements.last().map(|statement| statement.expr);
            for access in terminator_accesses(&data.terminator) {
                let point = Point { block, index: last, during: &held, after: &held };
                if let Some(expr) = expr {
                    self.access(&access, expr, &point);
                }
            }
        }
    }

    /// The references that are used by a statement, or after it with the value they have before it.
    fn active_during(&self, held: &Held, statement: &Statement<'db>, live: &BitSet) -> Held {
        let uses = used(self.scene, statement);
        let defines = defined(self.scene, statement);
        held.iter()
            .filter(|(local, _)| {
                uses.contains(bit(**local))
                    || live.contains(bit(**local)) && defines != Some(**local)
            })
            .map(|(local, loans)| (*local, loans.clone()))
            .collect()
    }

    fn statement(&mut self, statement: &Statement<'db>, point: &Point<'_>) {
        for access in accesses(&self.scene.body, statement) {
            let gives_back = Some(access.place.local) == self.scene.body.ret;
            if gives_back && access.kind == AccessKind::Assign {
                self.given_back(statement, point);
            }
            self.access(&access, statement.expr, point);
        }
    }

    fn access(&mut self, access: &Access<'_>, expr: ExprId, point: &Point<'_>) {
        let held = if access.kind.is_after_operands() { point.after } else { point.during };
        let mut holders: Vec<(&LocalId, &BitSet)> = held.iter().collect();
        holders.sort_by_key(|(local, _)| bit(**local));
        let conflict = holders.into_iter().find_map(|(holder, loans)| {
            let loan = loans.iter().find(|loan| {
                let loan = &self.loans[*loan];
                touches(&loan.place, access.place) && excludes(loan, access.kind)
            })?;
            Some((*holder, loan))
        });
        let Some((holder, loan)) = conflict else { return };
        if access.kind == AccessKind::End {
            // What is given back is reported where it is given.
            if Some(holder) != self.scene.body.ret {
                self.outlived(access.place, loan, holder, (point.block, point.index));
            }
            return;
        }
        let word = self.scene.word(expr, access);
        if self.reported.insert(word) {
            self.conflict(access, word, loan, holder, (point.block, point.index));
        }
    }
}

/// Whether a loan of a place excludes a use of it. The elements of a tensor may change while its
/// gradient is read: the slot stays.
fn excludes(loan: &Loan, kind: AccessKind) -> bool {
    loan.mutable || kind.is_write() && !(loan.gradient && kind == AccessKind::Change)
}
