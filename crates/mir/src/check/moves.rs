//! Moves: nothing is used after it was given away.
//!
//! A forward analysis: which moves may have happened, and not been undone by an assignment, when a
//! statement runs. Every place where a value is moved is a number.

use neuro_db::Name;
use neuro_db::codes::{MOVE_OUT, MOVED};
use neuro_hir::{Expr, ExprId};
use neuro_types::{Callee, Finding, Method, Place as At, Remedy, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Access, AccessKind, accesses, terminator_accesses};
use super::paths::tracked;
use super::scene::Scene;
use crate::bits::BitSet;
use crate::ownership::has_drop;
use crate::pairs::method;
use crate::print::binary_symbol;
use crate::{
    BlockId, DropReason, LocalId, LocalKind, Place, Projection, Statement, StatementKind,
    successors,
};

/// A place of the program where a local's value, or a part of it, is given away.
struct Site {
    expr: ExprId,
    /// The part.
    path: Vec<Projection>,
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
    if !moves.sites.is_empty() {
        moves.solve();
    }
    moves.report();
}

/// The expression at which a statement's access counts as made.
fn access_expr(scene: &Scene<'_>, statement: &Statement<'_>, access: &Access<'_>) -> ExprId {
    scene.word(statement.expr, access)
}

impl<'db> Moves<'_, 'db> {
    fn is_tracked(&self, local: LocalId) -> bool {
        let declaration = &self.scene.body.locals[local];
        declaration.name.is_some() && !matches!(declaration.kind, LocalKind::Residuals(_))
    }

    fn collect(&mut self) {
        let body = &self.scene.body;
        for block in body.blocks.values() {
            for statement in &block.statements {
                for access in accesses(body, statement) {
                    let local = access.place.local;
                    if access.kind == AccessKind::Move
                        && !access.place.is_behind_reference()
                        && self.is_tracked(local)
                    {
                        let expr = access_expr(self.scene, statement, &access);
                        let path = tracked(access.place).to_vec();
                        self.by_local.entry(local).or_default().push(self.sites.len());
                        self.sites.push(Site { expr, path });
                    }
                }
            }
        }
    }

    fn solve(&mut self) {
        let body = &self.scene.body;
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
        if self.sites.is_empty() {
            return;
        }
        for access in accesses(&self.scene.body, statement) {
            if access.place.is_behind_reference() || !self.is_tracked(access.place.local) {
                continue;
            }
            match access.kind {
                AccessKind::Move => {
                    let expr = access_expr(self.scene, statement, &access);
                    for number in self.numbers(access.place.local) {
                        let site = &self.sites[*number];
                        if site.expr == expr && site.path == tracked(access.place) {
                            state.insert(*number);
                        }
                    }
                }
                AccessKind::Assign => self.revive(access.place, state),
                AccessKind::Read
                | AccessKind::Borrow { .. }
                | AccessKind::BorrowGradient
                | AccessKind::Empty
                | AccessKind::Change
                | AccessKind::End => {}
            }
        }
        if let StatementKind::Forward(sweep) = &statement.kind {
            self.revive(&Place::local(self.scene.body.sweeps[*sweep].loss), state);
        }
    }

    /// A place has a value again, and so have its parts.
    fn revive(&self, place: &Place, state: &mut BitSet) {
        for number in self.numbers(place.local) {
            if self.sites[*number].path.starts_with(&place.projections) {
                state.remove(*number);
            }
        }
    }

    fn numbers(&self, local: LocalId) -> &[usize] {
        self.by_local.get(&local).map(Vec::as_slice).unwrap_or_default()
    }

    fn report(&mut self) {
        let body = &self.scene.body;
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
        for access in accesses(&self.scene.body, statement) {
            if access.kind != AccessKind::Move && self.numbers(access.place.local).is_empty() {
                continue;
            }
            let ends = matches!(access.kind, AccessKind::End | AccessKind::Assign);
            let displaces = matches!(
                &statement.kind,
                StatementKind::Drop { reason: DropReason::Displaced, .. }
            );
            if access.kind == AccessKind::Assign && !displaces {
                // A part has no place while the whole is gone.
                let path = &access.place.projections;
                if let Some((_, whole)) = path.split_last() {
                    let whole = Place { local: access.place.local, projections: whole.to_vec() };
                    let expr = access_expr(self.scene, statement, &access);
                    self.gone(&whole, expr, state, &|moved| whole.projections.starts_with(moved));
                }
            }
            if ends || displaces {
                continue;
            }
            let expr = access_expr(self.scene, statement, &access);
            // What `&` borrows is used at its own word.
            let expr = match self.scene.hir.exprs[expr] {
                Expr::Borrow { operand, .. } => self.scene.locate(operand, access.place),
                _ => expr,
            };
            if access.kind == AccessKind::Move && access.place.is_behind_reference() {
                self.moved_out(access.place, expr, self.taken_by(statement));
            } else if access.kind == AccessKind::Move
                && let Some(whole) = self.needed_whole(access.place)
            {
                self.taken_apart(access.place, &whole, expr);
            } else {
                self.used(access.place, expr, state);
            }
        }
    }

    fn used(&mut self, place: &Place, expr: ExprId, state: &BitSet) {
        let path = tracked(place);
        self.gone(place, expr, state, &|moved| moved.starts_with(path) || path.starts_with(moved));
    }

    /// Reports a use of a place that needs the parts for which `needed` holds, of which some may be gone.
    fn gone(
        &mut self,
        place: &Place,
        expr: ExprId,
        state: &BitSet,
        needed: &dyn Fn(&[Projection]) -> bool,
    ) {
        if !self.is_tracked(place.local) {
            return;
        }
        let numbers = self.numbers(place.local).iter().copied();
        let made: Vec<usize> = numbers
            .filter(|number| state.contains(*number) && !self.reported.contains(number))
            .filter(|number| needed(&self.sites[*number].path))
            .collect();
        let Some(first) = made.first().copied() else { return };
        self.reported.extend(made.iter().copied());
        let path = tracked(place);
        let gone = &self.sites[first].path;
        // Of a part of what is gone, the word is that of what is gone.
        let (path, expr) = match path.get(..gone.len()) {
            Some(whole) if whole.len() < path.len() => {
                let whole = Place { local: place.local, projections: whole.to_vec() };
                (&path[..gone.len()], self.scene.locate(expr, &whole))
            }
            _ => (path, expr),
        };
        let name = self.scene.show_part(place.local, path);
        let message = if gone.len() > path.len() {
            // What a variant holds has no name of its own.
            let part = Some(self.scene.show_part(place.local, gone)).filter(|part| *part != name);
            let without = part.map(|part| format!(" without {part}")).unwrap_or_default();
            format!("use of partly moved value: {name}{without}")
        } else {
            format!("use of moved value: {name}")
        };
        let mut finding = Finding::new(MOVED, At::Expr(expr), message);
        for number in &made {
            let site = &self.sites[*number];
            finding = if site.expr == expr {
                finding.note("it was moved in an earlier iteration of the loop")
            } else {
                let name = self.scene.show_part(place.local, &site.path);
                finding.related(At::Expr(site.expr), format!("{name} is moved here"))
            };
        }
        let moved = self.sites[first].expr;
        if let Some(method) = self.taking_method(moved) {
            finding = finding.note(format!(
                "`{method}` takes `self`, and with it the value; a method with `&self` or `&mut self` borrows it"
            ));
        }
        self.findings.push(match self.way_out(moved, expr) {
            Some(remedy) => finding.remedy(remedy),
            None => finding,
        });
    }

    /// The method of the program that a value is moved into as its receiver, if it is.
    fn taking_method(&self, moved: ExprId) -> Option<Name> {
        let call = self.scene.parent(moved)?;
        let Expr::MethodCall { receiver, name, .. } = &self.scene.hir.exprs[call] else {
            return None;
        };
        let Some(Callee::Function(_)) = self.scene.types.callees.get(call) else { return None };
        (*receiver == moved).then(|| name.clone())
    }

    /// How the move, or both of it and the use, can be written so that nothing is moved.
    fn way_out(&self, moved: ExprId, used: ExprId) -> Option<Remedy> {
        let hir = self.scene.hir;
        let parent = self.scene.parent(moved);
        // An operator of a type of the program takes its operands; those of the language also read.
        let reads = self.scene.types.ty(moved).as_tensor().is_some();
        let name = |expr: ExprId| match &hir.exprs[expr] {
            Expr::Local(local) => Some(hir.locals[*local].name.clone()),
            _ => None,
        };
        match parent.map(|parent| (parent, &hir.exprs[parent])) {
            Some((binary, Expr::Binary { op, lhs, rhs }))
                if reads && (*lhs, *rhs) == (moved, used) && name(*lhs).is_some() =>
            {
                let name = name(*lhs).unwrap_or_default();
                let text = format!("&{name} {} &{name}", binary_symbol(*op));
                let title = format!("read `{name}` without moving it: `{text}`");
                Some(Remedy::Replace(At::Expr(binary), title, text))
            }
            Some((
                _,
                Expr::Binary { .. } | Expr::Unary { .. } | Expr::Assign { op: Some(_), .. },
            )) if reads => {
                let title = "read it without moving it: `&`".to_owned();
                Some(Remedy::InsertBefore(At::Expr(moved), title, "&".to_owned()))
            }
            _ if self.scene.has_clone(moved) => {
                let title = "move a copy: `.clone()`".to_owned();
                Some(Remedy::InsertAfter(At::Expr(moved), title, ".clone()".to_owned()))
            }
            _ => None,
        }
    }

    /// The type of what a place is a part of, if a `drop` of it needs the part.
    fn needed_whole(&self, place: &Place) -> Option<Ty> {
        let mut ty = self.scene.body.locals[place.local].ty.clone();
        for projection in &place.projections {
            if has_drop(self.scene.db, &ty) {
                return Some(ty);
            }
            ty = crate::graph::projected(&ty, projection);
        }
        None
    }

    fn taken_apart(&mut self, place: &Place, whole: &Ty, word: ExprId) {
        let name = self.scene.show(place);
        let message =
            format!("cannot move out of {name}: `{whole}` has a `drop`, which needs all of it");
        let finding = Finding::new(MOVE_OUT, At::Expr(word), message);
        self.findings.push(if self.scene.has_clone(word) {
            let title = "take a copy: `.clone()`".to_owned();
            finding.remedy(Remedy::InsertAfter(At::Expr(word), title, ".clone()".to_owned()))
        } else {
            finding
        });
    }

    /// The name of a pattern that a statement gives its part.
    fn taken_by(&self, statement: &Statement<'db>) -> Option<neuro_hir::LocalId> {
        let StatementKind::Assign { place, .. } = &statement.kind else { return None };
        let local = self.scene.source(place.local)?;
        let whole = self.scene.types.ty(statement.expr).peeled();
        let part = self.scene.types.local_ty(local) != whole;
        (part && place.projections.is_empty()).then_some(local)
    }

    fn moved_out(&mut self, place: &Place, word: ExprId, taker: Option<neuro_hir::LocalId>) {
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
        if let Some(taker) = taker {
            let taken = format!("`{}` would take its part out", hir.locals[taker].name);
            finding = finding.related(At::Local(taker), taken);
            self.findings.push(match &hir.exprs[expr] {
                Expr::Deref(inner) if let Expr::Local(local) = &hir.exprs[*inner] => {
                    let reference = hir.locals[*local].name.to_string();
                    let title = format!("look at what is borrowed: `{reference}`");
                    finding.remedy(Remedy::Replace(At::Expr(expr), title, reference))
                }
                _ => {
                    let title = "look at what is borrowed: `&`".to_owned();
                    finding.remedy(Remedy::InsertBefore(At::Expr(expr), title, "&".to_owned()))
                }
            });
            return;
        }
        if let Expr::Deref(inner) = &hir.exprs[expr]
            && let Expr::Local(local) = &hir.exprs[*inner]
            && self.scene.has_clone(expr)
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
        } else if self.scene.has_clone(expr) {
            let title = "take a copy: `.clone()`".to_owned();
            finding =
                finding.remedy(Remedy::InsertAfter(At::Expr(expr), title, ".clone()".to_owned()));
        }
        self.findings.push(finding);
    }
}

fn index(block: BlockId) -> usize {
    block.into_raw().into_u32() as usize
}
