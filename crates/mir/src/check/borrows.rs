//! Borrows: while a reference may still be used, nothing happens to its place that it excludes.
//!
//! Every `&place`, `&mut place` and `.grad()` is a loan. A forward analysis says which loans each
//! reference may hold; a loan is active while a reference that holds it may be used. The arguments of
//! a sweep are references that its `.backward()` uses: this is the whole rule of the gradient borrow.

mod associated;
mod flow;
mod keeps;
mod report;

use neuro_hir::{Expr, ExprId};
use neuro_types::Finding;
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Access, AccessKind, accesses, terminator_accesses};
use super::liveness::{Liveness, bit, defined, used};
use super::paths::touches;
use super::scene::Scene;
use crate::bits::BitSet;
use crate::ownership::{holds_mutable, mutable_targets};
use crate::{
    BlockId, LocalId, LocalKind, Operand, Place, Rvalue, Statement, StatementKind, SweepId,
    successors,
};

/// A borrow of a place.
struct Loan {
    place: Place,
    kind: LoanKind,
    expr: ExprId,
}

/// What is lent of a place, and to whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoanKind {
    /// The place, to read it.
    Shared,
    /// The place, to write to it.
    Mutable,
    /// Its gradient slot.
    Gradient,
    /// What a parameter refers to, by who calls the function; nothing excludes it here. Whether to write to it.
    Parameter { mutable: bool },
    /// What a function value captured, which nobody else names.
    Captures,
}

impl LoanKind {
    fn of(mutable: bool) -> Self {
        if mutable { LoanKind::Mutable } else { LoanKind::Shared }
    }
}

/// The loans that each reference may hold; references that are not used later have no entry.
type Held = FxHashMap<LocalId, BitSet>;

struct Borrows<'a, 'db> {
    scene: &'a Scene<'db>,
    calls: Calls,
    /// The parameters that refer to places which may hold references.
    keepers: Vec<LocalId>,
    liveness: Liveness,
    loans: Vec<Loan>,
    /// The loan that a statement makes, by block and index.
    made: FxHashMap<(BlockId, usize), usize>,
    /// The loans that temporaries are made for, each to be handed to a call.
    lent_to: FxHashMap<LocalId, BitSet>,
    /// The sweep whose argument a reference is.
    sweeps: FxHashMap<LocalId, SweepId>,
    start: FxHashMap<BlockId, Held>,
    findings: &'a mut Vec<Finding>,
    /// The words at which something was reported.
    reported: FxHashSet<ExprId>,
}

/// What is known of functions that are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Calls {
    /// Which arguments each keeps.
    Known,
    /// Their types: a function is not asked what it keeps while another is.
    ByType,
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
    let mut borrows = Borrows::new(scene, Calls::Known, findings);
    borrows.collect();
    if borrows.loans.is_empty() && (!borrows.is_of_trait() || borrows.keepers.is_empty()) {
        return;
    }
    borrows.solve();
    borrows.examine();
}

impl<'a, 'db> Borrows<'a, 'db> {
    fn new(scene: &'a Scene<'db>, calls: Calls, findings: &'a mut Vec<Finding>) -> Self {
        Self {
            scene,
            calls,
            keepers: keepers(scene),
            liveness: Liveness::default(),
            loans: Vec::new(),
            made: FxHashMap::default(),
            lent_to: FxHashMap::default(),
            sweeps: FxHashMap::default(),
            start: FxHashMap::default(),
            findings,
            reported: FxHashSet::default(),
        }
    }

    fn collect(&mut self) {
        let body = &self.scene.body;
        for (block, data) in body.blocks.iter() {
            for (index, statement) in data.statements.iter().enumerate() {
                let Some((place, kind)) = lent(&statement.kind) else { continue };
                if let StatementKind::Assign { place: Place { local, projections }, .. } =
                    &statement.kind
                    && projections.is_empty()
                    && body.locals[*local].kind == LocalKind::Temporary
                {
                    self.lent_to.entry(*local).or_default().insert(self.loans.len());
                }
                self.made.insert((block, index), self.loans.len());
                self.loans.push(Loan { place: place.clone(), kind, expr: statement.expr });
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

    /// The loans of the parameters, where one of them may be given something to keep.
    fn parameters(&mut self) -> Held {
        let mut held = Held::default();
        let body = &self.scene.body;
        let Some(root) = self.scene.hir.root.filter(|_| !self.keepers.is_empty()) else {
            return held;
        };
        for param in body.params.iter().filter(|param| self.scene.holds_reference(**param)) {
            let place = Place::local(*param);
            let mutable = holds_mutable(self.scene.db, &body.locals[*param].ty);
            let mut loans = BitSet::default();
            loans.insert(self.loans.len());
            held.insert(*param, loans);
            let kind = LoanKind::Parameter { mutable };
            self.loans.push(Loan { place, kind, expr: root });
        }
        held
    }

    fn solve(&mut self) {
        self.liveness = Liveness::new(self.scene);
        let body = &self.scene.body;
        let mut todo = vec![body.entry];
        let entry = self.parameters();
        self.start.insert(body.entry, entry);
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

    fn examine(&mut self) {
        let body = &self.scene.body;
        for (block, data) in body.blocks.iter() {
            let Some(mut held) = self.start.get(&block).cloned() else { continue };
            let after_each = self.liveness.after_each(self.scene, data);
            for (index, (statement, live)) in data.statements.iter().zip(&after_each).enumerate() {
                let during = self.active_during(&held, statement, live);
                self.kept((block, index), statement, &held);
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
        // A binding that is made anew, in another iteration, has ended in between.
        let anew = access.kind == AccessKind::Assign
            && access.place.projections.is_empty()
            && !matches!(self.scene.hir.exprs[expr], Expr::Assign { .. })
            && self.scene.assigned(expr).is_none();
        if access.kind == AccessKind::End || anew {
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

/// The parameters that refer to places which may hold references.
fn keepers(scene: &Scene<'_>) -> Vec<LocalId> {
    let (db, body) = (scene.db, &scene.body);
    let keeps = |param: &LocalId| {
        let ty = &body.locals[*param].ty;
        holds_mutable(db, ty) && !mutable_targets(db, ty).is_empty()
    };
    body.params.iter().copied().filter(keeps).collect()
}

/// The place that a statement lends, and what of it.
fn lent<'s>(statement: &'s StatementKind<'_>) -> Option<(&'s Place, LoanKind)> {
    let value = match statement {
        StatementKind::Assign { value, .. } => value,
        StatementKind::FunctionValue { captures, .. } => {
            return captures.as_ref().map(|captures| (captures, LoanKind::Captures));
        }
        _ => return None,
    };
    match value {
        Rvalue::Ref { mutable, place }
        | Rvalue::Slice { mutable, place, .. }
        | Rvalue::Object { mutable, place } => Some((place, LoanKind::of(*mutable))),
        Rvalue::Gradient(place) => Some((place, LoanKind::Gradient)),
        Rvalue::Empty
        | Rvalue::Length(_)
        | Rvalue::Use(_)
        | Rvalue::Aggregate(_)
        | Rvalue::Variant { .. }
        | Rvalue::Tag(_)
        | Rvalue::Text(_)
        | Rvalue::TextOperation { .. }
        | Rvalue::Operation { .. } => None,
    }
}

/// Whether a loan of a place excludes a use of it. The elements of a tensor may change while its
/// gradient is read: the slot stays.
fn excludes(loan: &Loan, kind: AccessKind) -> bool {
    match loan.kind {
        LoanKind::Mutable => true,
        LoanKind::Shared => kind.is_write(),
        LoanKind::Gradient => kind.is_write() && kind != AccessKind::Change,
        LoanKind::Parameter { .. } | LoanKind::Captures => false,
    }
}
