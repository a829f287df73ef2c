//! Pools: what a `pool` block allocates ends with it.
//!
//! A tensor or text comes from the arena of the pool in which the local that it is built into was declared;
//! what a called function gives is ordinary memory, or one of the tensors that it was given. From
//! that, each local has at most one pool whose memory it may hold, the innermost. The statement that
//! stores into something that outlives a pool builds its own value outside it: lowering sees to that.

use la_arena::ArenaMap;
use neuro_db::Db;
use neuro_db::codes::POOL;
use neuro_hir::{Expr, ExprId};
use neuro_types::{Finding, Place as At, Remedy, Ty, is_pool_aware};

use super::scene::Scene;
use crate::ownership::{held, owns, parts_with_drop};
use crate::{
    LocalId, LocalKind, Operand, Place, PoolId, PrintPart, Projection, Rvalue, Statement,
    StatementKind,
};

struct Pools<'a, 'db> {
    scene: &'a Scene<'db>,
    /// The innermost pool whose memory a local may hold.
    memory: ArenaMap<LocalId, PoolId>,
}

pub(super) fn check(scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    if scene.body.pools.is_empty() {
        return;
    }
    let mut pools = Pools { scene, memory: ArenaMap::default() };
    pools.solve();
    for block in scene.body.blocks.values() {
        for statement in &block.statements {
            findings.extend(pools.escape(statement));
        }
    }
    pools.values_with_drop(findings);
}

impl<'db> Pools<'_, 'db> {
    fn solve(&mut self) {
        let body = &self.scene.body;
        let mut changed = true;
        while changed {
            changed = false;
            for block in body.blocks.values() {
                for statement in &block.statements {
                    changed |= self.flow(statement);
                }
            }
        }
    }

    /// What a statement says of the memory of the local that it assigns.
    fn flow(&mut self, statement: &Statement<'db>) -> bool {
        let body = &self.scene.body;
        let (dest, memory) = match &statement.kind {
            StatementKind::Assign { place, value } => {
                let memory = match value {
                    // What is constant as a whole takes no memory.
                    Rvalue::Text(parts)
                        if parts.iter().all(|part| matches!(part, PrintPart::Text(_))) =>
                    {
                        None
                    }
                    Rvalue::Operation { .. } | Rvalue::Text(_) | Rvalue::Empty => {
                        body.locals[place.local].pool
                    }
                    Rvalue::Use(Operand::Move(source)) => self.memory_of(source),
                    Rvalue::Aggregate(parts) | Rvalue::Variant { parts, .. } => {
                        let memory = parts.iter().filter_map(|part| self.moved(part));
                        memory.map(|(_, pool)| pool).max_by_key(|pool| self.depth(*pool))
                    }
                    Rvalue::Use(_)
                    | Rvalue::Ref { .. }
                    | Rvalue::Slice { .. }
                    | Rvalue::Object { .. }
                    | Rvalue::Length(_)
                    | Rvalue::Gradient(_)
                    | Rvalue::Tag(_)
                    | Rvalue::TextOperation { .. } => None,
                };
                (place, memory)
            }
            StatementKind::Append { place, .. } => (place, body.locals[place.local].pool),
            StatementKind::Call { dest: Some(dest), args, .. }
            | StatementKind::CallDyn { dest: Some(dest), args, .. }
            | StatementKind::CallValue { dest: Some(dest), args, .. } => {
                let memory = args.iter().filter_map(|arg| self.moved(arg));
                let memory = memory.map(|(_, pool)| pool).max_by_key(|pool| self.depth(*pool));
                (dest, memory)
            }
            _ => return false,
        };
        let Some(memory) = memory else { return false };
        if !owns(self.scene.db, &body.place_ty(dest)) || dest.is_behind_reference() {
            return false;
        }
        match self.memory.get(dest.local) {
            Some(known) if self.depth(*known) >= self.depth(memory) => false,
            _ => {
                self.memory.insert(dest.local, memory);
                true
            }
        }
    }

    fn depth(&self, pool: PoolId) -> usize {
        let mut depth = 0;
        let mut around = Some(pool);
        while let Some(pool) = around {
            depth += 1;
            around = self.scene.body.pools[pool].parent;
        }
        depth
    }

    /// Whether something of `home` ends no later than `pool`.
    fn is_inside(&self, home: Option<PoolId>, pool: PoolId) -> bool {
        let mut around = home;
        while let Some(inner) = around {
            if inner == pool {
                return true;
            }
            around = self.scene.body.pools[inner].parent;
        }
        false
    }

    fn memory_of(&self, place: &Place) -> Option<PoolId> {
        self.memory.get(place.local).copied().filter(|_| !place.is_behind_reference())
    }

    /// A moved operand that may be memory of a pool.
    fn moved<'o>(&self, operand: &'o Operand) -> Option<(&'o Place, PoolId)> {
        match operand {
            Operand::Move(place) => self.memory_of(place).map(|pool| (place, pool)),
            Operand::Copy(_) | Operand::Const(_) => None,
        }
    }

    /// The pool in which a place is; none when it is in no pool or not known.
    fn home(&self, place: &Place) -> Option<PoolId> {
        if !place.is_behind_reference() {
            return self.scene.body.locals[place.local].pool;
        }
        let referents: Vec<Option<PoolId>> = self.referents(place.local);
        let outermost = referents.iter().min_by_key(|pool| pool.map_or(0, |pool| self.depth(pool)));
        outermost.copied().flatten()
    }

    /// The pools of the places that a reference is made of.
    fn referents(&self, reference: LocalId) -> Vec<Option<PoolId>> {
        let mut pools = Vec::new();
        for block in self.scene.body.blocks.values() {
            for statement in &block.statements {
                let StatementKind::Assign { place, value } = &statement.kind else { continue };
                if place.local != reference {
                    continue;
                }
                pools.push(match value {
                    Rvalue::Ref { place, .. } if !place.is_behind_reference() => {
                        self.scene.body.locals[place.local].pool
                    }
                    _ => None,
                });
            }
        }
        pools
    }

    /// What a statement lets out of its pool.
    fn escape(&self, statement: &Statement<'db>) -> Option<Finding> {
        match &statement.kind {
            StatementKind::Assign { place, value: Rvalue::Use(source) } => {
                let (from, pool) = self.moved(source)?;
                self.stored(from, pool, place, statement.expr)
            }
            StatementKind::Assign {
                place,
                value: Rvalue::Aggregate(parts) | Rvalue::Variant { parts, .. },
            } => {
                let mut moved = parts.iter().filter_map(|part| self.moved(part));
                moved.find_map(|(from, pool)| self.stored(from, pool, place, statement.expr))
            }
            StatementKind::Call { dest, args, .. }
            | StatementKind::CallDyn { dest, args, .. }
            | StatementKind::CallValue { dest, args, .. } => {
                let moved: Vec<(&Place, PoolId)> =
                    args.iter().filter_map(|arg| self.moved(arg)).collect();
                let returned = dest.as_ref().and_then(|dest| {
                    moved
                        .iter()
                        .find_map(|(from, pool)| self.stored(from, *pool, dest, statement.expr))
                });
                returned.or_else(|| {
                    let name = match &statement.kind {
                        StatementKind::Call { function, .. }
                        | StatementKind::CallDyn { function, .. } => {
                            format!("`{}`", function.name(self.scene.db))
                        }
                        _ => "the function".to_owned(),
                    };
                    moved.iter().find_map(|(from, pool)| {
                        self.kept_by_callee(from, *pool, args, (&name, statement.expr))
                    })
                })
            }
            // A collection has copies of texts; the pool's own is not given to one that outlives it.
            StatementKind::Collection { op, place, args, .. } if op.changes() => {
                let given = args.iter().filter_map(|arg| match arg {
                    Operand::Move(value) => Some(self.copied(value).unwrap_or(value)),
                    Operand::Copy(_) | Operand::Const(_) => None,
                });
                let mut given =
                    given.filter_map(|from| self.memory_of(from).map(|pool| (from, pool)));
                given.find_map(|(from, pool)| self.stored(from, pool, place, statement.expr))
            }
            _ => None,
        }
    }

    /// What a temporary is a copy of. What is read of a collection is one already.
    fn copied(&self, temporary: &Place) -> Option<&Place> {
        let statements = self.scene.body.blocks.values().flat_map(|block| &block.statements);
        statements.into_iter().find_map(|statement| match &statement.kind {
            StatementKind::Assign { place, value: Rvalue::Use(Operand::Copy(from)) }
                if place == temporary
                    && !from
                        .projections
                        .iter()
                        .any(|step| matches!(step, Projection::Index(_))) =>
            {
                Some(from)
            }
            _ => None,
        })
    }

    /// Bindings of a pool that own a value with a `drop`: the pool ends without asking.
    fn values_with_drop(&self, findings: &mut Vec<Finding>) {
        let (db, body) = (self.scene.db, &self.scene.body);
        for (id, local) in body.locals.iter() {
            let (LocalKind::Binding(_), Some(pool)) = (local.kind, local.pool) else { continue };
            let refused = parts_with_drop(db, &local.ty);
            let Some(owned) = refused.into_iter().find(|part| !is_pool_aware(db, part)) else {
                continue;
            };
            let statements = body.blocks.values().flat_map(|block| &block.statements);
            let made = statements.into_iter().find(|statement| match &statement.kind {
                StatementKind::Assign { place, .. }
                | StatementKind::Call { dest: Some(place), .. }
                | StatementKind::CallDyn { dest: Some(place), .. }
                | StatementKind::CallValue { dest: Some(place), .. } => *place == Place::local(id),
                _ => false,
            });
            let Some(made) = made else { continue };
            let message =
                format!("`{owned}` has `Drop`, and {} owns no such value", self.name(pool));
            let around = body.pools[pool].expr;
            findings.push(
                Finding::new(POOL, At::Head(made.expr), message)
                    .related(At::Head(around), "what it allocates is released at its closing brace")
                    .note(format!("`impl PoolAware for {owned}` says what happens there instead")),
            );
        }
    }

    /// A value of `pool` is stored in a place.
    fn stored(&self, from: &Place, pool: PoolId, dest: &Place, expr: ExprId) -> Option<Finding> {
        let allowed = self.is_inside(self.home(from), pool);
        if self.is_inside(self.home(dest), pool) || !allowed {
            return None;
        }
        let word = self.origin(from).unwrap_or_else(|| self.scene.locate(expr, from));
        let what = self.value(from, word);
        let message = format!("{what} was allocated by {} and outlives it here", self.name(pool));
        Some(self.finding(word, message, pool))
    }

    /// A value of `pool` is given to a function that also gets a `&mut` to a place outside it.
    fn kept_by_callee(
        &self,
        from: &Place,
        pool: PoolId,
        args: &[Operand],
        (function, expr): (&str, ExprId),
    ) -> Option<Finding> {
        let body = &self.scene.body;
        let ty = body.place_ty(from);
        args.iter().find_map(|arg| {
            let Operand::Copy(place) = arg else { return None };
            match body.place_ty(place) {
                Ty::Ref { mutable: true, inner } if may_keep(self.scene.db, &inner, &ty) => {}
                _ => return None,
            }
            let outside = !self.is_inside(self.home(&place.clone().deref()), pool);
            outside.then(|| {
                let word = self.origin(from).unwrap_or(expr);
                let message = format!(
                    "{} was allocated by {} and outlives it if {function} keeps it",
                    self.value(from, word),
                    self.name(pool)
                );
                // A copy is made by the same statement, so what is called would keep the pool's memory still.
                Finding { remedies: Vec::new(), ..self.finding(word, message, pool) }
            })
        })
    }

    /// The expression whose value a temporary is.
    fn origin(&self, temporary: &Place) -> Option<ExprId> {
        if self.scene.source(temporary.local).is_some() {
            return None;
        }
        let statements = self.scene.body.blocks.values().flat_map(|block| &block.statements);
        statements.into_iter().find_map(|statement| match &statement.kind {
            StatementKind::Assign { place, .. } if place == temporary => Some(statement.expr),
            _ => None,
        })
    }

    fn value(&self, from: &Place, word: ExprId) -> String {
        match &self.scene.hir.exprs[word] {
            Expr::Local(local) => format!("`{}`", self.scene.hir.locals[*local].name),
            _ => self.scene.show(from),
        }
    }

    fn name(&self, pool: PoolId) -> String {
        match &self.scene.body.pools[pool].name {
            Some(name) => format!("the pool `{name}`"),
            None => "the pool".to_owned(),
        }
    }

    fn finding(&self, word: ExprId, message: String, pool: PoolId) -> Finding {
        let around = self.scene.body.pools[pool].expr;
        let finding = Finding::new(POOL, At::Expr(word), message)
            .related(At::Head(around), "what it allocates is released at its closing brace");
        if matches!(self.scene.hir.exprs[word], Expr::Local(_)) && self.scene.has_clone(word) {
            let title = "store a copy, which is ordinary memory: `.clone()`".to_owned();
            return finding.remedy(Remedy::InsertAfter(
                At::Expr(word),
                title,
                ".clone()".to_owned(),
            ));
        }
        finding
    }
}

/// Whether a place of type `place` may hold a value of type `value` in itself.
fn may_keep(db: &dyn Db, place: &Ty, value: &Ty) -> bool {
    place == value || held(db, place).iter().any(|part| may_keep(db, part, value))
}
