//! Moves: nothing is used after it was given away.
//!
//! A forward analysis: which moves may have happened, and not been undone by an assignment, when a
//! statement runs. Every place where a value is moved is a number.

use neuro_db::codes::{MOVE_OUT, MOVED};
use neuro_hir::{Expr, ExprId};
use neuro_types::{Finding, Method, Place as At, Remedy, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Access, AccessKind, accesses, terminator_accesses};
use super::scene::Scene;
use crate::bits::BitSet;
use crate::pairs::method;
use crate::print::binary_symbol;
use crate::{BlockId, DropReason, LocalId, Place, Statement, StatementKind, successors};

/// A place of the program where a local's value is given away.
struct Site {
    expr: ExprId,
}

struct Moves<'a, 'db> {
    scene: &'a Scene<'db>,
    sites: Vec<Site>,
    /// The numbers of each local's moves.
    by_local: FxHashMap<LocalId, Vec<usize>>,
    /// The moves that may have happened at the start of each block.
    before: Vec<BitSet>,
    findings: &'a mut Vec<Finding>,
    /// The moves of which a later use was reported.
    reported: FxHashSet<usize>,
}

pub(super) fn check(scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    let mut moves = Moves {
        scene,
        sites: Vec::new(),
        by_local: FxHashMap::default(),
        before: vec![BitSet::default(); scene.body.blocks.len()],
        findings,
        reported: FxHashSet::default(),
    };
    moves.collect();
    moves.solve();
    moves.report();
}

/// The expression at which a statement's access counts as made.
fn access_expr(scene: &Scene<'_>, statement: &Statement<'_>, access: &Access<'_>) -> ExprId {
    scene.word(statement.expr, access)
}

impl<'db> Moves<'_, 'db> {
    fn is_tracked(&self, local: LocalId) -> bool {
        let declaration = &self.scene.body.locals[local];
        matches!(declaration.ty, Ty::Tensor(_)) && declaration.name.is_some()
    }

    fn collect(&mut self) {
        let body = self.scene.body;
        for block in body.blocks.values() {
            for statement in &block.statements {
                for access in accesses(body, statement) {
                    let local = access.place.local;
                    if access.kind == AccessKind::Move
                        && access.place.projections.is_empty()
                        && self.is_tracked(local)
                    {
                        let expr = access_expr(self.scene, statement, &access);
                        self.by_local.entry(local).or_default().push(self.sites.len());
                        self.sites.push(Site { expr });
                    }
                }
            }
        }
    }

    fn solve(&mut self) {
        let body = self.scene.body;
        let mut todo: Vec<BlockId> = vec![body.entry];
        let mut seen: FxHashSet<BlockId> = FxHashSet::from_iter([body.entry]);
        while let Some(block) = todo.pop() {
            let mut state = self.before[index(block)].clone();
            for statement in &body.blocks[block].statements {
                self.transfer(statement, &mut state);
            }
            for next in successors(&body.blocks[block].terminator) {
                let changed = self.before[index(next)].union(&state);
                if seen.insert(next) || changed {
                    todo.push(next);
                }
            }
        }
    }

    fn transfer(&self, statement: &Statement<'db>, state: &mut BitSet) {
        for access in accesses(self.scene.body, statement) {
            if !access.place.projections.is_empty() || !self.is_tracked(access.place.local) {
                continue;
            }
            match access.kind {
                AccessKind::Move => {
                    let expr = access_expr(self.scene, statement, &access);
                    for number in self.numbers(access.place.local) {
                        if self.sites[*number].expr == expr {
                            state.insert(*number);
                        }
                    }
                }
                AccessKind::Assign => self.revive(access.place.local, state),
                AccessKind::Read
                | AccessKind::Borrow { .. }
                | AccessKind::BorrowGradient
                | AccessKind::Empty
                | AccessKind::Change
                | AccessKind::End => {}
            }
        }
        if let StatementKind::Forward(sweep) = &statement.kind {
            self.revive(self.scene.body.sweeps[*sweep].loss, state);
        }
    }

    fn revive(&self, local: LocalId, state: &mut BitSet) {
        for number in self.numbers(local) {
            state.remove(*number);
        }
    }

    fn numbers(&self, local: LocalId) -> &[usize] {
        self.by_local.get(&local).map(Vec::as_slice).unwrap_or_default()
    }

    fn report(&mut self) {
        let body = self.scene.body;
        for (id, block) in body.blocks.iter() {
            let mut state = self.before[index(id)].clone();
            for statement in &block.statements {
                self.statement(statement, &state);
                self.transfer(statement, &mut state);
            }
            for access in terminator_accesses(&block.terminator) {
                let expr = block.statements.last().map(|statement| statement.expr);
                if let Some(expr) = expr {
                    self.used(access.place, self.scene.word(expr, &access), &state);
                }
            }
        }
    }

    fn statement(&mut self, statement: &Statement<'db>, state: &BitSet) {
        if let StatementKind::Backward(sweep) = &statement.kind {
            let loss = Place::local(self.scene.body.sweeps[*sweep].loss);
            let receiver = self.scene.locate(statement.expr, &loss);
            self.used(&loss, receiver, state);
        }
        for access in accesses(self.scene.body, statement) {
            let ends = matches!(access.kind, AccessKind::End | AccessKind::Assign);
            let displaces = matches!(
                &statement.kind,
                StatementKind::Drop { reason: DropReason::Displaced, .. }
            );
            if ends || displaces {
                continue;
            }
            let expr = access_expr(self.scene, statement, &access);
            if access.kind == AccessKind::Move && !access.place.projections.is_empty() {
                self.moved_out(access.place, expr);
            } else {
                self.used(access.place, expr, state);
            }
        }
    }

    fn used(&mut self, place: &Place, expr: ExprId, state: &BitSet) {
        if !place.projections.is_empty() || !self.is_tracked(place.local) {
            return;
        }
        let numbers = self.numbers(place.local).iter().copied();
        let made: Vec<usize> = numbers
            .filter(|number| state.contains(*number) && !self.reported.contains(number))
            .collect();
        let Some(first) = made.first().copied() else { return };
        self.reported.extend(made.iter().copied());
        let name = self.scene.show(place);
        let mut finding =
            Finding::new(MOVED, At::Expr(expr), format!("use of moved value: {name}"));
        for number in &made {
            let site = self.sites[*number].expr;
            finding = if site == expr {
                finding.note("it was moved in an earlier iteration of the loop")
            } else {
                finding.related(At::Expr(site), format!("{name} is moved here"))
            };
        }
        let moved = self.sites[first].expr;
        self.findings.push(finding.remedy(self.way_out(moved, expr)));
    }

    /// How the move, or both of it and the use, can be written so that nothing is moved.
    fn way_out(&self, moved: ExprId, used: ExprId) -> Remedy {
        let hir = self.scene.hir;
        let parent = self.scene.parent(moved);
        let name = |expr: ExprId| match &hir.exprs[expr] {
            Expr::Local(local) => Some(hir.locals[*local].name.clone()),
            _ => None,
        };
        match parent.map(|parent| (parent, &hir.exprs[parent])) {
            Some((binary, Expr::Binary { op, lhs, rhs }))
                if (*lhs, *rhs) == (moved, used) && name(*lhs).is_some() =>
            {
                let name = name(*lhs).unwrap_or_default();
                let text = format!("&{name} {} &{name}", binary_symbol(*op));
                let title = format!("read `{name}` without moving it: `{text}`");
                Remedy::Replace(At::Expr(binary), title, text)
            }
            Some((
                _,
                Expr::Binary { .. } | Expr::Unary { .. } | Expr::Assign { op: Some(_), .. },
            )) => {
                let title = "read it without moving it: `&`".to_owned();
                Remedy::InsertBefore(At::Expr(moved), title, "&".to_owned())
            }
            _ => {
                let title = "move a copy: `.clone()`".to_owned();
                Remedy::InsertAfter(At::Expr(moved), title, ".clone()".to_owned())
            }
        }
    }

    fn moved_out(&mut self, place: &Place, word: ExprId) {
        let hir = self.scene.hir;
        let name = self.scene.show(place);
        // The whole `*r`, of which the word is the `r`.
        let mut expr = word;
        while let Some(parent) = self.scene.parent(expr) {
            if !matches!(hir.exprs[parent], Expr::Deref(_)) {
                break;
            }
            expr = parent;
        }
        let message = format!("cannot move out of {name}, which is only borrowed");
        let mut finding = Finding::new(MOVE_OUT, At::Expr(expr), message);
        if let Expr::Deref(inner) = &hir.exprs[expr]
            && let Expr::Local(local) = &hir.exprs[*inner]
        {
            let reference = &hir.locals[*local].name;
            let parent = self.scene.parent(expr).map(|parent| (parent, &hir.exprs[parent]));
            let reads = match parent {
                Some((_, Expr::Binary { .. } | Expr::Unary { .. })) => true,
                Some((call, Expr::MethodCall { .. })) => !matches!(
                    method(self.scene.types, call),
                    Some(Method::Transpose | Method::Detach)
                ),
                _ => false,
            };
            finding = finding.remedy(if reads {
                let title = format!("read through `{reference}`");
                Remedy::Replace(At::Expr(expr), title, reference.to_string())
            } else {
                let text = format!("{reference}.clone()");
                Remedy::Replace(At::Expr(expr), format!("take a copy: `{text}`"), text)
            });
        }
        self.findings.push(finding);
    }
}

fn index(block: BlockId) -> usize {
    block.into_raw().into_u32() as usize
}
